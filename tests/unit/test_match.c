/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/vectors.h"

#include "module/policy/match.h"
#include "module/rule/counters.h"
#include "tests/unit/policytext.h"

enum { A = 1, IN = 1 };

/* --- what a log line says of names --- */

static struct match_row {
    const char *name;
    const char *policy, *names;
    bool log_only;
    const char
        *expected; /* action, trigger and name, tags, "log-only", number of counters, target */
} matches[] = {
    {"a name", "nxdomain name a.example", "a.example", false, "nxdomain 1 [name a.example] [] 1"},
    {"a zone", "drop zone xn--80aodfsg.example", "b.xn--80aodfsg.example", false,
     "drop 1 [zone xn--80aodfsg.example] [] 1"},
    {"an RPZ entry", "rpz rpz l\n+ *.a.example drop", "b.a.example", false,
     "drop 1 [rpz *.a.example] [] 1"},
    {"odd octets", "refuse name a\"b\xFF.example", "a\"b\xFF.example", false,
     "refuse 1 [name a\\034b\\255.example] [] 1"},
    {"a target's entry", "nxdomain name t.example", "a.example t.example", false,
     "nxdomain 1 [name t.example] [] 1 @t.example"},
    {"all of a target, in lower case", "nxdomain zone example", "a.test X.t.eXample u.example",
     false, "nxdomain 1 [zone example] [] 1 @x.t.example"},
    {"the root as a target", "refuse name .", "a.example .", false, "refuse 1 [name .] [] 1 @."},
    {"describes the query name beside a logged target",
     "nxdomain name a.example\nlog name t.example tag=t", "a.example t.example", false,
     "nxdomain 1 [name a.example] [] 1"},
    {"describes a target that log rules match", "log zone t.example tag=t", "a.example w.t.example",
     false, "log 1 [zone t.example] [t] 1 @w.t.example"},
    {"log-only", "nxdomain name a.example", "a.example", true,
     "nxdomain 1 [name a.example] [] log-only 1"},
    {"passthru is never log-only", "passthru name a.example", "a.example", true,
     "passthru 1 [name a.example] [] 1"},
    {"log rules alone", "log zone example tag=w\nlog name a.example tag=v", "a.example", true,
     "log 1 [zone example] [w,v] 2"},
    {"a rule and log rules", "nxdomain zone example\nlog zone . tag=w\nlog zone example",
     "a.example", false, "nxdomain 1 [zone example] [w] 3"},
    {"the same log rule twice counts once", "log zone example tag=w\nlog zone example tag=w",
     "a.example", false, "log 1 [zone example] [w] 1"},
};

static const char *match_text(const struct xnm_match *match)
{
    static char text[4096];
    char *subject = malloc(XNM_MATCH_SUBJECT_MAX), *target = malloc(XN_WIRE_TEXT_MAX);
    size_t len = xnm_match_subject(match, subject), target_len = xnm_match_target(match, target);

    assert_true(len <= XNM_MATCH_SUBJECT_MAX && target_len <= XN_WIRE_TEXT_MAX);
    snprintf(text, sizeof text, "%s %u [%.*s] [%s] %s%u%s%.*s", xnm_action_word(match->action),
             match->line, (int)len, subject, match->tags, match->log_only ? "log-only " : "",
             match->counter_count, target_len > 0 ? " @" : "", (int)target_len, target);
    free(subject);
    free(target);
    return text;
}

TEST_ROWS(test_match, matches, name)
{
    const struct match_row *row = *state;
    struct xnm_policy *policy = policy_of(row->policy, NULL, NULL);
    struct xnm_decision decision;
    struct xnm_match match;

    decided(policy, row->names, A, IN, &decision);
    xnm_match_from(policy, &decision, row->log_only, &match);
    xnm_policy_free(policy); /* a match outlives it */
    assert_string_equal(match_text(&match), row->expected);
    assert_string_equal(match.file, "rules");
    xnm_match_count(&match);
}

TEST(test_longest_subject, "the longest name")
{
    struct xnm_match match = {.trigger = XNM_TRIGGER_ZONES, .wildcard = true};
    const struct longest row = {.cp = ESCAPED, .label_len = 63};

    match.name.len = (uint8_t)put_longest(&row, match.name.octets);
    assert_int_equal(match.name.len, XN_WIRE_NAME_MAX);
    assert_true(strlen(match_text(&match)) > XN_WIRE_TEXT_MAX);
    match.target = match.name;
    assert_true(strlen(match_text(&match)) > 2 * (XN_WIRE_TEXT_MAX - 2));
}

/* A label `*` is not the `*.` of a rule. */
static struct star_row {
    const char *name;
    bool wildcard;
    const char *expected; /* match= */
} stars[] = {
    {"*.example", false, "zone \\042.example"},
    {"*.example", true, "zone *.\\042.example"},
    {"*", false, "zone \\042"},
    {"a.*.example", false, "zone a.*.example"},
    {"*a.example", false, "zone *a.example"},
    {"example", true, "zone *.example"},
};

TEST_ROWS(test_star, stars, expected)
{
    const struct star_row *row = *state;
    struct xnm_match match = {.trigger = XNM_TRIGGER_ZONE, .wildcard = row->wildcard};
    char subject[XNM_MATCH_SUBJECT_MAX];

    wirename_of(row->name, &match.name);
    size_t len = xnm_match_subject(&match, subject);
    assert_int_equal(len, strlen(row->expected));
    assert_memory_equal(subject, row->expected, len);
}

/* --- of look-alikes and conditions --- */

static struct why_row {
    const char *name;
    xnm_trigger trigger;
    const char *subject;   /* of the rule */
    const char *protected; /* NULL: none */
    xnm_match_kind match_kind;
    unsigned label;
    const char *expected; /* [match=] key label, as in the log */
} whys[] = {
    {"a look-alike", XNM_TRIGGER_LOOKALIKE, "paypal.com", "paypal.com", XNM_MATCH_KIND_EXACT, 1,
     "[lookalike paypal.com] exact 1"},
    {"of a list", XNM_TRIGGER_LOOKALIKES, "/etc/list", "xn--bcher-kva.example",
     XNM_MATCH_KIND_STRICT, 127, "[lookalikes xn--bcher-kva.example] strict 127"},
    {"of an odd name", XNM_TRIGGER_LOOKALIKE, "", "a\"b\xFF.example", XNM_MATCH_KIND_EXACT, 2,
     "[lookalike a\\034b\\255.example] exact 2"},
    {"a look-alike whose name is gone", XNM_TRIGGER_LOOKALIKES, "/etc/list", NULL,
     XNM_MATCH_KIND_STRICT, 3, "[] - 0"},
    {"a condition", XNM_TRIGGER_INVALID, "", NULL, XNM_MATCH_KIND_EXACT, 1, "[invalid] - 1"},
    {"a condition of two words", XNM_TRIGGER_SCRIPT_LEVEL, "moderate", NULL, XNM_MATCH_KIND_EXACT,
     4, "[script-level moderate] - 4"},
    {"a condition with a list", XNM_TRIGGER_SCRIPT, "not-in Latn,Cyrl", NULL, XNM_MATCH_KIND_EXACT,
     2, "[script not-in Latn,Cyrl] - 2"},
    {"a condition beside what another rule found", XNM_TRIGGER_EMOJI, "", "paypal.com",
     XNM_MATCH_KIND_STRICT, 1, "[emoji] - 1"},
    {"a condition whose label is gone", XNM_TRIGGER_SCRIPT, "in Grek", NULL, XNM_MATCH_KIND_EXACT,
     0, "[] - 0"},
    {"a name beside what another rule found", XNM_TRIGGER_ZONE, "x.example", "paypal.com",
     XNM_MATCH_KIND_STRICT, 3, "[zone xn--pypal-4ve.com] - 0"},
};

static struct xnm_protected_name *protected_name(const char *text)
{
    struct xnm_wirename wire;
    size_t len = wirename_of(text, &wire);
    struct xnm_protected_name *name = malloc(sizeof *name + len);

    name->len = (uint8_t)len;
    memcpy(name->octets, wire.octets, len);
    return name;
}

/* The match of a decision made by hand, about xn--pypal-4ve.com, says why. */
TEST_ROWS(test_why, whys, name)
{
    const struct why_row *row = *state;
    struct xnm_protected_name *protected = row->protected ? protected_name(row->protected) : NULL;
    struct xnm_policy_rule rule = {.file = "rules", .trigger = row->trigger, .tag = -1};
    struct xnm_policy_answer answer = {.rule = &rule, .action = XNM_LOG};
    struct xnm_decision decision = {.logs = {answer},
                                    .log_count = 1,
                                    .lookalike = protected,
                                    .match_kind = row->match_kind,
                                    .label = row->label};
    struct xnm_match match;
    char text[2048], subject[XNM_MATCH_SUBJECT_MAX];

    rule.subject = row->subject;
    memset(&match, 0xFF, sizeof match);
    wirename_of("xn--pypal-4ve.com", &decision.name);
    xnm_match_from(NULL, &decision, false, &match);
    free(protected);
    snprintf(text, sizeof text, "[%.*s] %s %u", (int)xnm_match_subject(&match, subject), subject,
             xnm_match_has_lookalike(&match) ? xnm_match_kind_word(match.match_kind) : "-",
             match.label);
    assert_string_equal(text, row->expected);
    assert_int_equal(xnm_match_target(&match, text), 0);
}

TEST(test_longest_words, "the longest words")
{
    struct xnm_match match = {.trigger = XNM_TRIGGER_SCRIPT_LEVEL, .label = 1};
    char *dst = malloc(XNM_MATCH_SUBJECT_MAX);

    for (xnm_trigger trigger = XNM_TRIGGER_NAME; trigger < XNM_TRIGGER_COUNT; trigger++)
        assert_true(strlen(xnm_trigger_word(trigger)) + strlen(" *.") <= XNM_MATCH_WORD_MAX);
    memset(match.subject, 'w', sizeof match.subject - 1);
    assert_int_equal(xnm_match_subject(&match, dst), 13 + XNM_RULE_SUBJECT_MAX - 1);
    assert_memory_equal(dst, "script-level w", 14);
    free(dst);
}

/* --- files and tags that find no room --- */

static struct file_row {
    const char *name;
    size_t folder_len, base_len;
    size_t expected_len; /* of match.file */
} files[] = {
    {"a short path", 4, 10, 15},
    {"a path that just has room", 100, 26, 127},
    {"of a path that has none its base", 100, 27, 27},
    {"a base that is too long is cut", 10, 200, 127},
};

TEST_ROWS(test_file, files, name)
{
    const struct file_row *row = *state;
    char path[512];
    struct xnm_policy_rule rule = {.file = path, .line = 1};
    struct xnm_policy_answer answer = {.rule = &rule, .action = XNM_DROP};
    struct xnm_decision decision = {.answer = &answer};
    struct xnm_match match;

    memset(path, 'd', row->folder_len);
    path[row->folder_len] = '/';
    memset(path + row->folder_len + 1, 'b', row->base_len);
    path[row->folder_len + 1 + row->base_len] = '\0';
    xnm_match_from(NULL, &decision, false, &match);
    assert_int_equal(strlen(match.file), row->expected_len);
    assert_int_equal(xnm_match_base(&match)[0], 'b');
    assert_null(strchr(xnm_match_base(&match), '/'));
}

/* 64 tags of 32 characters: 7 of them and their commas are 230, one more would be 263. */
TEST(test_tags_that_find_room, "tags as many as find room")
{
    char text[64 * 100] = "", *at = text;
    struct xnm_decision decision;
    struct xnm_match match;

    for (unsigned i = 0; i < XNM_TAGS_MAX; i++)
        at += sprintf(at, "log zone example tag=%02u%.*s\n", i, i == 40 ? 5 : 30,
                      "abcdefghijklmnopqrstuvwxyzabcdefghijklm");
    struct xnm_policy *policy = policy_of(text, NULL, NULL);
    decided(policy, "a.example", A, IN, &decision);
    xnm_match_from(policy, &decision, false, &match);
    xnm_policy_free(policy);
    assert_int_equal(strlen(match.tags), 7 * 33 - 1 + 8);
    assert_memory_equal(match.tags, "00abc", 5);
    assert_string_equal(match.tags + 7 * 33 - 1, ",40abcde");
    assert_int_equal(match.counter_count, XNM_DECISION_LOGS_MAX);
}

/* --- counters --- */

static _Atomic uint64_t *hits_of_number(uint32_t number)
{
    uint8_t key[XNM_COUNTERS_KEY] = {0};

    memcpy(key, &number, sizeof number);
    return xnm_counters_take(text_counters(), key);
}

TEST(test_hits, "counters by key")
{
    _Atomic uint64_t *counters[1000];

    for (uint32_t i = 0; i < COUNT(counters); i++) {
        counters[i] = hits_of_number(i);
        assert_int_equal(*counters[i], 0);
        *counters[i] = i + 1;
    }
    for (uint32_t i = 0; i < COUNT(counters); i++) {
        assert_ptr_equal(hits_of_number(i), counters[i]);
        assert_int_equal(*counters[i], i + 1);
        xnm_counters_leave(text_counters(), counters[i]);
    }
}

/* Counters of rules that are gone are found again, until there are more than 100,000 younger ones:
 * then the oldest becomes another rule's. One with a user stays. */
TEST(test_hits_that_were_left, "counters of rules that are gone")
{
    enum { FIRST = 1000000 };
    _Atomic uint64_t *used = hits_of_number(FIRST), *oldest = hits_of_number(FIRST + 1);
    uint32_t number = FIRST + 2;

    *used = 7;
    assert_ptr_equal(hits_of_number(FIRST), used);
    xnm_counters_leave(text_counters(), used); /* it has a user more */
    *oldest = 8;
    xnm_counters_leave(text_counters(), oldest);
    for (; number < FIRST + 2 + XNM_COUNTERS_IDLE_MAX; number++)
        xnm_counters_leave(text_counters(), hits_of_number(number));
    assert_ptr_equal(hits_of_number(FIRST + 1), oldest);
    assert_int_equal(*oldest, 8);
    xnm_counters_leave(text_counters(), oldest); /* the youngest now */
    for (unsigned more = 0; more < XNM_COUNTERS_IDLE_MAX; more++, number++)
        xnm_counters_leave(text_counters(), hits_of_number(number));
    assert_ptr_equal(hits_of_number(number), oldest);
    assert_int_equal(*oldest, 0);
    assert_ptr_not_equal(hits_of_number(FIRST + 1), oldest);
    assert_ptr_equal(hits_of_number(FIRST), used);
    assert_int_equal(*used, 7);
}

static uint64_t hits_of_line(const char *text, size_t n)
{
    struct xnm_policy *policy = policy_of(text, NULL, NULL);
    uint64_t hits = *xnm_policy_rule(policy, n)->counter;

    xnm_policy_free(policy);
    return hits;
}

/* A rule that has moved keeps its counter; the counter of a changed rule begins at zero. */
TEST(test_hits_over_reloads, "counters over reloads")
{
    struct xnm_policy *policy = policy_of("nxdomain zone moved.example", NULL, NULL);
    struct xnm_decision decision;
    struct xnm_match match;

    decided(policy, "moved.example", A, IN, &decision);
    xnm_match_from(policy, &decision, false, &match);
    xnm_policy_free(policy);
    xnm_match_count(&match);
    xnm_match_count(&match);
    assert_int_equal(hits_of_line("drop name b\n\nnxdomain zone moved.example", 1), 2);
    assert_int_equal(hits_of_line("drop zone moved.example", 0), 0);
    assert_int_equal(hits_of_line("nxdomain name moved.example", 0), 0);
    assert_int_equal(hits_of_line("nxdomain zone moved.example type=1", 0), 0);
    assert_int_equal(hits_of_line("nxdomain name *.moved.example", 0), 0);
}

TEST_MAIN
