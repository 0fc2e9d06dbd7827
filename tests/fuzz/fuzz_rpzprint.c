/* SPDX-License-Identifier: BSD-3-Clause */
/* Policies written as RPZ zones, as `unbound-idn rpz` does: read again, such a zone is a policy
 * that is written the same. The first octet of an input says what the rest is: rules or a zone. */
#include "tests/fuzz/target.h"

#include "core/wire.h"
#include "module/feed.h"
#include "module/rules.h"
#include "tools/rpzprint.h"

#include <stdio.h>

enum { KIND_ZONE = 1 };

static const struct xnm_wirename origin = {5, "\3rpz"};

static struct xnm_policy_builder *new_builder(void)
{
    const struct xnm_policy_settings settings = {
        .unicode = target_unicode(), .ttl = 60, .soa_mname = {1, {0}}, .soa_rname = {1, {0}}};
    struct xnm_policy_builder *builder = xnm_policy_builder_new(&settings);

    assert_non_null(builder);
    return builder;
}

static struct xnm_policy *finish(struct xnm_policy_builder *builder)
{
    struct xnm_policy *policy = xnm_policy_finish(builder, &xnm_report_silently);

    assert_non_null(policy);
    return policy;
}

static bool add_entry(void *arg, const struct xnm_feed_entry *entry)
{
    return xnm_policy_builder_entry(arg, entry);
}

/* NULL: it is no zone. */
static struct xnm_policy *policy_of_zone(const char *text, size_t len,
                                         struct xnm_feed_counts *counts)
{
    struct xnm_wirename rule_origin = origin;
    const struct xnm_rule rule = {.trigger = XNM_TRIGGER_RPZ,
                                  .file = "rules",
                                  .line = 1,
                                  .path = (char[]){"zone"},
                                  .suffixes = true,
                                  .origin = &rule_origin,
                                  .ede = XNM_EDE_DEFAULT};
    struct xnm_policy_builder *builder = new_builder();
    char *copy = exact_copy(text, len);

    assert_true(xnm_policy_builder_rule(builder, &rule, NULL));
    bool good = xnm_feed_read(target_unicode(), &rule, "zone", copy, len, &xnm_report_silently,
                              add_entry, builder, counts);
    free(copy);
    if (good)
        return finish(builder);
    xnm_policy_builder_free(builder);
    return NULL;
}

/* Of the rules that a zone can say. */
static struct xnm_policy *policy_of_rules(const char *text, size_t len)
{
    const struct xnm_rules_options options = {target_unicode(), &xnm_report_silently, 60};
    struct xnm_policy_builder *builder = new_builder();
    struct xnm_rules rules = {0};

    xnm_rules_parse(&rules, &options, "rules", text, len);
    for (size_t i = 0; i < rules.count; i++)
        if (!xnm_rpzexport_refusal(&rules.rules[i], origin.len))
            assert_true(xnm_policy_builder_rule(builder, &rules.rules[i], NULL));
    xnm_rules_free(&rules);
    return finish(builder);
}

static bool print_owner(void *arg, const struct xnm_rpzowner *owner)
{
    struct rpzprint *print = arg;

    rpzprint_owner(print, owner);
    return !print->failed;
}

static unsigned left_out; /* of the last zone */

static void leave_out(void *arg, const struct xnm_rpzowner *owner, const char *why)
{
    (void)arg;
    assert_true(owner->name_len > 1 && strlen(why) > 0);
    left_out++;
}

/* What it prints on standard output, to be freed, behind a comment. Frees the policy. */
static char *print_zone(struct xnm_policy *policy, const char *comment, size_t *len)
{
    struct rpzprint print = {.unicode = target_unicode()};
    const struct xnm_rpzexport export = {.policy = policy,
                                         .origin_len = origin.len,
                                         .owner = print_owner,
                                         .left_out = leave_out,
                                         .arg = &print};
    FILE *terminal = stdout;
    char *text;

    stdout = open_memstream(&text, len);
    assert_non_null(stdout);
    left_out = 0;
    rpzprint_comment(&print, comment);
    rpzprint_head(&print, xnm_policy_settings(policy), &origin, 1);
    assert_true(xnm_rpzexport(&export));
    rpzprint_finish(&print);
    fclose(stdout);
    stdout = terminal;
    xnm_policy_free(policy);
    return text;
}

/* What it prints of what it has printed. */
static char *print_again(const char *text, size_t len, const char *comment, size_t *again_len)
{
    struct xnm_feed_counts counts;
    struct xnm_policy *policy = policy_of_zone(text, len, &counts);

    assert_non_null(policy);
    assert_int_equal(counts.bad + counts.skipped + counts.suffixes + counts.short_names, 0);
    char *again = print_zone(policy, comment, again_len);
    assert_int_equal(left_out, 0);
    return again;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct xnm_feed_counts counts;
    bool is_zone = take_octet(&data, &size) & KIND_ZONE;
    struct xnm_policy *policy = is_zone ? policy_of_zone((const char *)data, size, &counts)
                                        : policy_of_rules((const char *)data, size);
    size_t len, again_len;

    if (!policy)
        return 0;
    char *comment = strndup((const char *)data, size);
    char *text = print_zone(policy, comment, &len);
    if (left_out > 0) { /* names between it and the root are written, with nothing below them */
        char *whole = text;
        text = print_again(whole, len, comment, &len);
        free(whole);
    }
    char *again = print_again(text, len, comment, &again_len);
    expect_octets(again, again_len, text, len);
    free(again);
    free(text);
    free(comment);
    return 0;
}
