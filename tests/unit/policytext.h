/* SPDX-License-Identifier: BSD-3-Clause */
/* Policies as tests write them, and what was decided as they expect it: text. */
#ifndef XN_TESTS_UNIT_POLICYTEXT_H
#define XN_TESTS_UNIT_POLICYTEXT_H

#include "module/build/build.h"
#include "module/build/clientset.h"
#include "module/build/wordset.h"
#include "module/list/list.h"
#include "module/policy/policy.h"
#include "module/rule/counters.h"
#include "tests/unit/rulewords.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <xxhash.h>

/* A policy is lines of words, which count as lines of the file "rules":
 *
 *   nxdomain zone x.example          an action, a trigger and a name, `*.` before it or not
 *   refuse names list                … or what a list is called, and its entries are lines
 *   + a.example                      with the name,
 *   + .a.example                     … and all below it,
 *   + *.a.example                    all below it;
 *   rpz rpz zone
 *   + a.example answer 1             in RPZ with an action, and A 192.0.2.1,
 *   + a.example none                 or a name that the zone has without one
 *   forget                           takes the list's entries back
 *   keep                             puts those of the older policy into it
 *   log lookalike a.example key=strict
 *   log lookalikes list ascii=safe   … with entries
 *   log lookalike a.example except=n
 *   except                           … and the entries of that list follow
 *   + b.example
 *   log invalid                      conditions, and the words that follow their triggers:
 *   log script not-in Latn,Cyrl
 *   group kids 192.0.2.0/24          before all rules: addresses of a group,
 *   group kids file=f 2001:db8::/64  … those of a file,
 *   group kids file=f keep           … or those that it had in the older policy
 *
 * Words after the name: type=N (may be repeated), tag=WORD, ttl=N, ede=N or ede=N:WORD, key=,
 * ascii=, tld=, label=, min=, except=ru,ua, suffixes=yes, origin=NAME, action=, mode=log-only,
 * client= and when= as they are stored, and N, a record A 192.0.2.N. After an entry and `/`:
 * exempt, important, denied=NAME (up to four), type= or but-type=. Names are those of nametext.h.
 */

/* Shares the table that the list of a rule has in another policy. Returns how many names it has; 0:
 * there is none, or no memory. */
static inline size_t keep_text_list(struct xnm_policy_builder *builder,
                                    const struct xnm_policy *older, const struct xnm_rule *rule)
{
    struct xnm_table *table = xnm_policy_table(older, rule, false);

    return table && xnm_policy_builder_share_list(builder, table) ? xnm_policy_table_names(table)
                                                                  : 0;
}

/* *given gets what of the rule stays valid: that of its list. */
static inline bool add_text_rule(struct xnm_policy_builder *builder, char *words, unsigned number,
                                 struct xnm_rule *given)
{
    struct text_records records = {.count = 0};
    struct xnm_rule rule = {.file = "rules",
                            .line = number,
                            .column = 1,
                            .text_hash = XXH3_64bits(words, strlen(words))};
    char *word;

    rule.action = action_of(strsep(&words, " "));
    rule.trigger = trigger_of(strsep(&words, " "));
    rule.ede = xnm_action_ede(rule.action);
    if (xnm_trigger_is_condition(rule.trigger))
        read_condition(&words, &rule);
    else
        read_subject(&words, &rule);
    while ((word = strsep(&words, " ")))
        read_option(word, &rule, &records);
    xnm_protection_set_min(&rule.protection, rule.protection.min);
    rule.records = records.records;
    rule.record_count = records.count;
    *given =
        (struct xnm_rule){.trigger = rule.trigger, .path = rule.path, .suffixes = rule.suffixes};
    return xnm_policy_builder_rule(builder, &rule, NULL);
}

/* Reads a modifier of a list's entry. Returns false if the word is no modifier. */
static inline bool read_modifier(const char *word, struct xnm_modifiers *modifiers)
{
    static uint8_t denied[4 * XN_WIRE_NAME_MAX];
    char ascii[TEXT_NAME_MAX];
    const char *value;

    modifiers->but_types |= strncmp(word, "but-", 4) == 0;
    if (strcmp(word, "exempt") == 0) {
        modifiers->exempts = true;
        modifiers->strength |= XNM_STRENGTH_EXEMPT;
    } else if (strcmp(word, "important") == 0) {
        modifiers->strength |= XNM_STRENGTH_IMPORTANT;
    } else if ((value = option_value(word, "number="))) {
        modifiers->number = (uint16_t)atoi(value);
    } else if ((value = option_value(word, "denied="))) {
        put_ascii(value, ascii);
        modifiers->denied_len += (uint32_t)wire_of(ascii, denied + modifiers->denied_len);
        modifiers->denied = denied;
    } else if ((value = option_value(word, modifiers->but_types ? "but-type=" : "type="))) {
        modifiers->types[modifiers->type_count++] = (uint16_t)atoi(value);
    } else {
        return false;
    }
    return true;
}

static inline bool add_text_entry(struct xnm_policy_builder *builder, char *words)
{
    struct text_records records = {.count = 0};
    struct xnm_rule unused = {.action = XNM_ACTION_NONE};
    struct xnm_list_entry entry = {.ttl = 300};
    struct xnm_modifiers modifiers = {.exempts = false};
    struct xnm_wirename name;
    const char *first = strsep(&words, " ");
    char *word;

    entry.scope = scope_of(&first);
    entry.name_len = wirename_of(first, &name);
    entry.name = name.octets;
    if (words && strcmp(words, "none") == 0) {
        entry.scope = XNM_SCOPE_NONE;
        entry.action = XNM_PASSTHRU;
    } else if (words && strncmp(words, "/ ", 2) == 0) {
        words += 2;
        entry.modifiers = &modifiers;
    } else if (words) {
        entry.action = action_of(strsep(&words, " "));
    }
    while (entry.scope != XNM_SCOPE_NONE && (word = strsep(&words, " "))) {
        if (strcmp(word, "prefix") == 0)
            entry.prefix = true;
        else if (!entry.modifiers || !read_modifier(word, &modifiers))
            read_option(word, &unused, &records);
    }
    entry.min = unused.protection.min;
    if (records.count > 0)
        entry.record = records.records;
    return xnm_policy_builder_entry(builder, &entry);
}

enum { TEXT_PREFIXES_MAX = 8 };
static inline bool add_text_group(struct xnm_policy_builder *builder, char *words,
                                  const struct xnm_policy *older)
{
    const char *group = strsep(&words, " "), *path = words ? option_value(words, "file=") : NULL;
    struct xnm_policy *policy = xnm_policy_builder_policy(builder);
    struct xnm_prefix prefixes[TEXT_PREFIXES_MAX];
    size_t count = 0;
    if (path)
        strsep(&words, " ");
    if (words && strcmp(words, "keep") == 0) {
        long kept = xnm_clientset_keep(policy, group, path, older);
        return kept > 0 || (kept == 0 && xnm_clientset_add(policy, group, path, NULL, 0));
    }
    for (const char *word; (word = strsep(&words, " ")); count++)
        assert_null(xnm_prefix_read(word, strlen(word), &prefixes[count]));
    return xnm_prefixes_sort(prefixes, count, NULL) &&
           xnm_clientset_add(policy, group, path, prefixes, count);
}

/* Adds a set of words of ASCII, with its first word as the path. */
static inline bool add_text_words(struct xnm_policy_builder *builder, char *words)
{
    uint8_t labels[256];
    const char *path = words;
    size_t len = 0;

    for (const char *word; (word = strsep(&words, " ")); len += labels[len] + 1U) {
        labels[len] = (uint8_t)strlen(word);
        memcpy(labels + len + 1, word, labels[len]);
    }
    return xnm_wordset_add(xnm_policy_builder_policy(builder), path, labels, len) > 0;
}

static inline void add_text_sets(struct xnm_policy_builder *builder, const char *const *sets,
                                 unsigned count)
{
    for (unsigned n = 0; n < count; n++) {
        char *text = strdup(sets[n]);
        assert_true(add_text_words(builder, text));
        free(text);
    }
}

/* Ends the list of the rule in hand, and begins that of its except=. */
static inline bool begin_except(struct xnm_policy_builder *builder)
{
    bool fine = xnm_policy_builder_end_list(builder);

    xnm_policy_builder_list(builder, xnm_policy_rule_count(xnm_policy_builder_policy(builder)) - 1,
                            true);
    return fine;
}

/* Adds the lines. False: no memory. */
static inline bool add_text(struct xnm_policy_builder *builder, const char *text,
                            const struct xnm_policy *older)
{
    char *copy = strdup(text), *rest = copy, *line;
    struct xnm_rule rule;
    bool fine = true;

    for (unsigned number = 1; fine && (line = strsep(&rest, "\n")); number++) {
        if (strncmp(line, "+ ", 2) == 0)
            fine = add_text_entry(builder, line + 2);
        else if (strcmp(line, "forget") == 0)
            xnm_policy_builder_forget_list(builder);
        else if (strcmp(line, "except") == 0)
            fine = begin_except(builder);
        else if (strcmp(line, "keep") == 0)
            fine =
                !xnm_policy_table(older, &rule, false) || keep_text_list(builder, older, &rule) > 0;
        else if (strncmp(line, "group ", 6) == 0)
            fine = add_text_group(builder, line + 6, older);
        else if (strncmp(line, "words ", 6) == 0)
            fine = add_text_words(builder, line + 6);
        else if (line[0] != '\0')
            fine = add_text_rule(builder, line, number, &rule);
    }
    free(copy);
    return fine;
}

/* One for the whole program. */
static inline const struct xn_unicode *text_unicode(void)
{
    static struct xn_unicode *unicode;

    if (!unicode)
        assert_int_equal(xn_unicode_open(&unicode), XN_OK);
    return unicode;
}

/* The counters of all policies of a test. */
static inline struct xnm_counters *text_counters(void)
{
    static struct xnm_counters *hits;

    if (!hits)
        hits = xnm_counters_new();
    return hits;
}

/* NULL: no memory. */
static inline struct xnm_policy *policy_of(const char *text, const struct xnm_policy *older,
                                           const struct xnm_diagnostics *diagnostics)
{
    struct xnm_policy_settings settings = {.ttl = 60, .counters = text_counters()};
    struct xnm_policy_builder *builder;

    wirename_of("ns.invalid", &settings.soa_mname);
    wirename_of("nobody.invalid", &settings.soa_rname);
    builder = xnm_policy_builder_new(&settings);
    if (!builder)
        return NULL;
    if (add_text(builder, text, older))
        return xnm_policy_finish(builder, diagnostics, NULL);
    xnm_policy_builder_free(builder);
    return NULL;
}

/* One with the line of a response policy zone, to which entries can be added. */
static inline struct xnm_policy_builder *rpz_builder(void)
{
    const struct xnm_policy_settings settings = {.ttl = 60};
    struct xnm_policy_builder *builder = xnm_policy_builder_new(&settings);
    char path[] = "z";
    const struct xnm_rule rule = {.action = XNM_ACTION_NONE,
                                  .trigger = XNM_TRIGGER_RPZ,
                                  .file = "rules",
                                  .path = path,
                                  .ede = XNM_EDE_DEFAULT};

    assert_true(xnm_policy_builder_rule(builder, &rule, NULL));
    return builder;
}

/* --- what was decided --- */

static inline size_t put_name(const struct xnm_decision *decision, char *dst)
{
    static const char *const scopes[] = {"", ".", "*."};
    size_t len = (size_t)sprintf(dst, " %s", scopes[decision->scope]);

    len += xn_wire_to_text(decision->name.octets, dst + len);
    return decision->name.len > 1 ? len - 1 : len;
}

/* " ~paypal.com exact #2": the second label looks like this protected name's; " #2" where it
 * fulfils a condition. */
static inline size_t put_label_rule(const struct xnm_decision *decision, char *dst)
{
    size_t len = 0;

    if (decision->lookalike) {
        len += (size_t)sprintf(dst, " ~");
        len += xn_wire_to_text(decision->lookalike->octets, dst + len) - 1;
        len += (size_t)sprintf(dst + len, " %s", xnm_match_kind_word(decision->match_kind));
    }
    if (decision->label > 0)
        len += (size_t)sprintf(dst + len, " #%u", decision->label);
    return len;
}

/* "nxdomain:3 .x.example", line 3 with the entry; " @2" where it is the second target; " log:4,5"
 * the lines of log rules; " tags=a,b". "-": nothing matched. */
static inline const char *decision_text(const struct xnm_policy *policy,
                                        const struct xnm_decision *decision)
{
    static char text[8192];
    size_t len = 0;

    if (decision->answer)
        len += (size_t)sprintf(text, "%s:%u", xnm_action_word(decision->answer->action),
                               decision->answer->rule->line);
    else
        len += (size_t)sprintf(text, "-");
    if (decision->name.len > 0)
        len += put_name(decision, text + len);
    len += put_label_rule(decision, text + len);
    if (decision->target > 0)
        len += (size_t)sprintf(text + len, " @%u", decision->target);
    for (unsigned i = 0; i < decision->log_count; i++)
        len += (size_t)sprintf(text + len, "%s%u", i == 0 ? " log:" : ",",
                               decision->logs[i].rule->line);
    for (unsigned n = 0, count = 0; n < XNM_TAGS_MAX; n++) {
        if (decision->tags >> n & 1)
            len += (size_t)sprintf(text + len, "%s%s", count++ == 0 ? " tags=" : ",",
                                   xnm_policy_tag(policy, n));
    }
    text[len] = '\0';
    return text;
}

/* Names with spaces between them. */
struct text_chain {
    const char *rest;
    struct xnm_wirename name;
};

static inline bool next_of_text_chain(void *arg, const uint8_t **target, size_t *len)
{
    struct text_chain *chain = arg;
    size_t name_len = strcspn(chain->rest, " ");
    char name[1024];

    if (name_len == 0)
        return false;
    memcpy(name, chain->rest, name_len);
    name[name_len] = '\0';
    chain->rest += name_len;
    chain->rest += *chain->rest == ' ';
    *len = wirename_of(name, &chain->name);
    *target = chain->name.octets;
    return true;
}

/* Decides a query name and the targets behind it. */
static inline const char *decided(const struct xnm_policy *policy, const char *names,
                                  uint16_t qtype, uint16_t qclass, struct xnm_decision *decision)
{
    struct text_chain chain = {.rest = names};
    struct xnm_question question = {.qtype = qtype, .qclass = qclass};
    struct xnm_wirename qname;

    next_of_text_chain(&chain, &question.qname, &question.qname_len);
    qname = chain.name;
    question.qname = qname.octets;
    bool matched =
        xnm_policy_decide_answer(policy, &question, next_of_text_chain, &chain, decision);
    assert_int_equal(matched, decision->answer || decision->log_count > 0);
    return decision_text(policy, decision);
}

#endif
