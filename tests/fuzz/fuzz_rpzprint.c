/* SPDX-License-Identifier: BSD-3-Clause */
/* Policies written as RPZ zones, as `unbound-idn rpz` does: read again, such a zone is a policy
 * that decides as the first one, and is written the same. The first octet of an input says what the
 * rest is: rules or a zone. */
#include "module/build/build.h"
#include "tests/fuzz/target.h"

#include "core/wire/wire.h"
#include "module/list/list.h"
#include "module/rule/rulefile.h"
#include "tools/rules/rpzprint.h"

#include <stdio.h>

enum { KIND_ZONE = 1, ASKED_MAX = 64 };

static const struct xnm_wirename origin = {5, "\3rpz"};

static struct xnm_policy_builder *new_builder(void)
{
    const struct xnm_policy_settings settings = {
        .ttl = 60, .soa_mname = {1, {0}}, .soa_rname = {1, {0}}};
    struct xnm_policy_builder *builder = xnm_policy_builder_new(&settings);

    assert_non_null(builder);
    return builder;
}

static struct xnm_policy *finish(struct xnm_policy_builder *builder)
{
    struct xnm_policy *policy = xnm_policy_finish(builder, &xnm_diagnostics_ignored, NULL);

    assert_non_null(policy);
    return policy;
}

static bool add_entry(void *arg, const struct xnm_list_entry *entry)
{
    return xnm_policy_builder_entry(arg, entry);
}

/* NULL: it is no zone. */
static struct xnm_policy *policy_of_zone(const char *text, size_t len,
                                         struct xnm_list_counts *counts)
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
    const struct xnm_list_options options = {.unicode = target_unicode(),
                                             .diagnostics = &xnm_diagnostics_ignored,
                                             .entry = add_entry,
                                             .arg = builder};
    bool good = xnm_list_read(&options, &rule, "zone", copy, len, counts);
    free(copy);
    if (good)
        return finish(builder);
    xnm_policy_builder_free(builder);
    return NULL;
}

/* Makes a policy of those rules that a zone can express. */
static struct xnm_policy *policy_of_rules(const char *text, size_t len)
{
    const struct xnm_rules_options options = {target_unicode(), &xnm_diagnostics_ignored, 60};
    struct xnm_policy_builder *builder = new_builder();
    struct xnm_rules rules = {0};

    xnm_rules_parse(&rules, &options, "rules", text, len);
    for (size_t i = 0; i < rules.count; i++)
        if (!rpzexport_refusal(&rules.rules[i], origin.len))
            assert_true(xnm_policy_builder_rule(builder, &rules.rules[i], NULL));
    xnm_rules_free(&rules);
    return finish(builder);
}

/* --- what is asked --- */

/* Names that the zone in hand has, or of a wildcard one below it. */
static struct asked {
    struct xnm_wirename name;
    bool below;
} asked[ASKED_MAX];
static size_t asked_count;

static void keep_owner(const struct rpzowner *owner)
{
    struct xnm_wirename *name = &asked[asked_count].name;
    size_t below = owner->wildcard ? 2 : 0;

    if (asked_count == ASKED_MAX || below + owner->name_len > XN_WIRE_NAME_MAX)
        return;
    memcpy(name->octets, "\1a", below);
    memcpy(name->octets + below, owner->name, owner->name_len);
    name->len = (uint8_t)(below + owner->name_len);
    asked[asked_count++].below = owner->wildcard;
}

/* NULL: nothing is decided, as where a zone's wildcard does not cover a name. */
static const struct xnm_policy_answer *decide(const struct xnm_policy *policy,
                                              const struct xnm_wirename *name,
                                              struct xnm_decision *decision)
{
    const struct xnm_question question = {
        .qname = name->octets, .qname_len = name->len, .qtype = 1, .qclass = 1};

    return xnm_policy_decide(policy, &question, decision) ? decision->answer : NULL;
}

static bool is_writable(const struct xnm_policy_answer *answer)
{
    for (size_t i = 0; i < answer->record_count; i++)
        if (!rpzexport_record_fault(&answer->records[i]))
            return true;
    return false;
}

/* An alias that leads nowhere, which is left alone: at its own name, but not below a wildcard. */
static bool is_own_alias(const struct xnm_policy_answer *answer, const struct xnm_wirename *name)
{
    return answer->action == XNM_CNAME && !answer->prefix &&
           answer->records->rdata_len == name->len &&
           memcmp(answer->records->rdata, name->octets, name->len) == 0;
}

/* Returns the action that a zone has in place of the answer's. */
static xnm_action written_action(const struct xnm_policy_answer *answer,
                                 const struct xnm_wirename *name)
{
    if (answer->action == XNM_REDIRECT || answer->action == XNM_ANSWER)
        return is_writable(answer) ? XNM_ANSWER : XNM_NODATA;
    return is_own_alias(answer, name) ? XNM_PASSTHRU : answer->action;
}

static void expect_same_decisions(const struct xnm_policy *policy, const struct xnm_policy *again)
{
    for (size_t i = 0; i < asked_count; i++) {
        const struct xnm_wirename *name = &asked[i].name;
        struct xnm_decision before, after;
        const struct xnm_policy_answer *was = decide(policy, name, &before);
        const struct xnm_policy_answer *is = decide(again, name, &after);
        if (!was)
            assert_true(!is || is->action == XNM_PASSTHRU);
        if (!was || (asked[i].below && is_own_alias(was, name)))
            continue;
        assert_non_null(is);
        assert_int_equal(is->action, written_action(was, name));
        assert_int_equal(is->prefix, was->prefix);
        assert_in_range(is->record_count, 0, was->record_count);
        if (is->action == XNM_CNAME)
            expect_octets(is->records->rdata, is->records->rdata_len, was->records->rdata,
                          was->records->rdata_len);
    }
}

/* --- what is written --- */

static bool print_owner(void *arg, const struct rpzowner *owner)
{
    struct rpzprint *print = arg;

    keep_owner(owner);
    rpzprint_owner(print, owner);
    return !print->failed;
}

static unsigned left_out; /* of the last zone */

static void leave_out(void *arg, const struct rpzowner *owner, const char *why)
{
    (void)arg;
    assert_true(owner->name_len > 1 && strlen(why) > 0);
    left_out++;
}

/* Returns the zone that `rpz` prints, after a comment; the caller frees it. */
static char *print_zone(const struct xnm_policy *policy, const char *comment, size_t *len)
{
    struct rpzprint print = {.unicode = target_unicode()};
    const struct rpzexport export = {.policy = policy,
                                     .origin_len = origin.len,
                                     .owner = print_owner,
                                     .left_out = leave_out,
                                     .arg = &print};
    FILE *terminal = stdout;
    char *text;

    stdout = open_memstream(&text, len);
    assert_non_null(stdout);
    left_out = 0;
    asked_count = 0;
    rpzprint_comment(&print, comment);
    rpzprint_head(&print, xnm_policy_settings(policy), &origin, 1);
    assert_true(rpzexport(&export));
    rpzprint_finish(&print);
    fclose(stdout);
    stdout = terminal;
    return text;
}

/* Reads a printed zone, and returns the zone that `rpz` prints of it. */
static char *print_again(const struct xnm_policy *before, const char *text, size_t len,
                         const char *comment, size_t *again_len)
{
    struct xnm_list_counts counts;
    struct xnm_policy *policy = policy_of_zone(text, len, &counts);

    assert_non_null(policy);
    assert_int_equal(counts.bad + counts.skipped + counts.suffixes + counts.short_names, 0);
    expect_same_decisions(before, policy);
    char *again = print_zone(policy, comment, again_len);
    assert_int_equal(left_out, 0);
    xnm_policy_free(policy);
    return again;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct xnm_list_counts counts;
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
        text = print_again(policy, whole, len, comment, &len);
        free(whole);
    }
    char *again = print_again(policy, text, len, comment, &again_len);
    expect_octets(again, again_len, text, len);
    free(again);
    free(text);
    free(comment);
    xnm_policy_free(policy);
    return 0;
}
