/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiled policies whose checksum and places are right, and that say what no rule can: refused, so
 * that nobody who decides or writes a log line has to ask. */
#include "module/base/diagnostics.h"
#include "module/rule/rule.h"
#include "tests/unit/vectors.h"

#include "module/build/verdicts.h"
#include "tests/unit/compiledtext.h"

#define LONG_TTL UINT32_C(0x80000000)
enum { TEXT_MAX = 4096 /* PATH_MAX: no name of a file is so long */ };
enum { TYPE_NS = 2, TYPE_CNAME = 5 };

/* --- what is forged --- */

/* Has the texts of all lines be this one, which stands where the first line's file does. */
static void set_text(struct xnm_arena *compiled, const char *text)
{
    const struct xnm_compiled_line *line = section_of(compiled, XNM_COMPILED_LINES);

    strcpy((char *)section_of(compiled, XNM_COMPILED_TEXT) + line->subject, text);
}

static void forge_subject(struct xnm_arena *compiled)
{
    set_text(compiled, "in\nCy");
}

static void forge_escape(struct xnm_arena *compiled)
{
    set_text(compiled, "\033[31m");
}

static void forge_ede_text(struct xnm_arena *compiled)
{
    const struct xnm_compiled_line *line = section_of(compiled, XNM_COMPILED_LINES);

    strcpy((char *)section_of(compiled, XNM_COMPILED_TEXT) + line->ede_text, "\033[m");
}

static void set_tag(struct xnm_arena *compiled, const char *tag)
{
    const uint32_t *at = section_of(compiled, XNM_COMPILED_TAGS);

    strcpy((char *)section_of(compiled, XNM_COMPILED_TEXT) + *at, tag);
}

static void forge_two_tags(struct xnm_arena *compiled)
{
    set_tag(compiled, "a,b");
}

static void forge_empty_tag(struct xnm_arena *compiled)
{
    set_tag(compiled, "");
}

static void forge_record_ttl(struct xnm_arena *compiled)
{
    ((struct xnm_compiled_record *)section_of(compiled, XNM_COMPILED_RECORDS))->ttl = LONG_TTL;
}

static void forge_line_ttl(struct xnm_arena *compiled)
{
    ((struct xnm_compiled_line *)section_of(compiled, XNM_COMPILED_LINES))->ttl = LONG_TTL;
}

static void forge_verdict_ttl(struct xnm_arena *compiled)
{
    ((struct xnm_compiled_verdict *)section_of(compiled, XNM_COMPILED_VERDICTS))->ttl = LONG_TTL;
}

static void forge_log(struct xnm_arena *compiled)
{
    ((struct xnm_compiled_verdict *)section_of(compiled, XNM_COMPILED_VERDICTS))->action = XNM_LOG;
}

static void forge_no_log(struct xnm_arena *compiled)
{
    ((struct xnm_compiled_verdict *)section_of(compiled, XNM_COMPILED_VERDICTS))->action =
        XNM_NXDOMAIN;
}

static void forge_order(struct xnm_arena *compiled)
{
    uint32_t *lines = section_of(compiled, XNM_COMPILED_CONDITIONS);

    lines[1] = lines[0];
}

static void forge_owner(struct xnm_arena *compiled)
{
    struct xnm_compiled_label_rule *label_rules = section_of(compiled, XNM_COMPILED_LABEL_RULES);

    label_rules[1].verdict = label_rules[0].verdict;
}

static void forge_action(struct xnm_arena *compiled)
{
    ((struct xnm_compiled_verdict *)section_of(compiled, XNM_COMPILED_VERDICTS))->action = XNM_DROP;
}

static struct xnm_compiled_verdict *verdict_with_record(struct xnm_arena *compiled)
{
    struct xnm_compiled_verdict *verdicts = section_of(compiled, XNM_COMPILED_VERDICTS);

    while (verdicts->record_count == 0)
        verdicts++;
    return verdicts;
}

/* An alias to the root, which is the NUL after all texts. */
static void make_alias(struct xnm_arena *compiled)
{
    const struct xnm_compiled_head *head = (const void *)compiled->octets;
    struct xnm_compiled_record *record = section_of(compiled, XNM_COMPILED_RECORDS);

    *record = (struct xnm_compiled_record){.type = TYPE_CNAME,
                                           .rdata_len = 1,
                                           .rdata_at =
                                               (uint32_t)head->sections[XNM_COMPILED_TEXT].len - 1};
    ((struct xnm_compiled_line *)section_of(compiled, XNM_COMPILED_LINES))->action = XNM_CNAME;
    verdict_with_record(compiled)->action = XNM_CNAME;
}

static void forge_no_alias(struct xnm_arena *compiled)
{
    make_alias(compiled);
    verdict_with_record(compiled)->record_count = 0;
}

/* A record of the same form. */
static void forge_no_cname(struct xnm_arena *compiled)
{
    make_alias(compiled);
    ((struct xnm_compiled_record *)section_of(compiled, XNM_COMPILED_RECORDS))->type = TYPE_NS;
}

/* Has a name that is exempt begin inside the first one. */
static void forge_exempt(struct xnm_arena *compiled)
{
    *(uint32_t *)section_of(compiled, XNM_COMPILED_EXEMPT) =
        XNM_LOOKALIKE_FIRST / XNM_LOOKALIKE_UNIT + 1;
}

/* Has both lines say one thing. */
static void forge_shared(struct xnm_arena *compiled)
{
    struct xnm_compiled_line *lines = section_of(compiled, XNM_COMPILED_LINES);

    lines[1].label_rule = lines[0].label_rule;
}

/* Has the first name be of the last answer's line. */
static void forge_last_answer(struct xnm_arena *compiled)
{
    const struct xnm_compiled_head *head = (const void *)compiled->octets;
    uint8_t *entries = section_of(compiled, XNM_COMPILED_ENTRIES);
    size_t last =
        head->sections[XNM_COMPILED_VERDICTS].len / sizeof(struct xnm_compiled_verdict) - 1;

    ((struct xnm_policy_entry *)(void *)(entries + XNM_ENTRY_FIRST))->verdict_scope = (uint32_t)last
                                                                                      << 2;
}

/* The same of protected names, and the last line. */
static void forge_last_line(struct xnm_arena *compiled)
{
    const struct xnm_compiled_head *head = (const void *)compiled->octets;
    uint8_t *names = section_of(compiled, XNM_COMPILED_NAMES);
    size_t last = head->sections[XNM_COMPILED_LINES].len / sizeof(struct xnm_compiled_line) - 1;

    ((struct xnm_protected_name *)(void *)(names + XNM_LOOKALIKE_FIRST))->line = last & 7;
}

/* The second line never decides, so nothing is known of what it would say. */
static void forge_shadowed_name(struct xnm_arena *compiled)
{
    uint8_t *names = section_of(compiled, XNM_COMPILED_NAMES);

    ((struct xnm_protected_name *)(void *)(names + XNM_LOOKALIKE_FIRST))->line = 1;
}

static void forge_shadowed_condition(struct xnm_arena *compiled)
{
    *(uint32_t *)section_of(compiled, XNM_COMPILED_CONDITIONS) = 1;
}

/* --- modifiers of a list's entries --- */

static struct xnm_compiled_modifiers *modifiers_in(struct xnm_arena *compiled)
{
    return section_of(compiled, XNM_COMPILED_MODIFIERS);
}

static void forge_strength(struct xnm_arena *compiled)
{
    modifiers_in(compiled)->strength = (XNM_STRENGTH_EXEMPT | XNM_STRENGTH_IMPORTANT) + 1;
}

static void forge_type_count(struct xnm_arena *compiled)
{
    modifiers_in(compiled)->type_count = XNM_RULE_TYPES_MAX + 1;
}

static void forge_no_types(struct xnm_arena *compiled)
{
    modifiers_in(compiled)->type_count = 0;
}

static void forge_denied_place(struct xnm_arena *compiled)
{
    modifiers_in(compiled)->denied_at = UINT32_MAX;
}

static void forge_denied_end(struct xnm_arena *compiled)
{
    const struct xnm_compiled_head *head = (const void *)compiled->octets;
    struct xnm_compiled_modifiers *modifiers = modifiers_in(compiled);

    modifiers->denied_at = (uint32_t)head->sections[XNM_COMPILED_TEXT].len - 1;
    modifiers->denied_len = 2;
}

static void forge_denied_cut(struct xnm_arena *compiled)
{
    modifiers_in(compiled)->denied_len--;
}

static void forge_denied_after(struct xnm_arena *compiled)
{
    const struct xnm_compiled_modifiers *modifiers = modifiers_in(compiled);

    *((uint8_t *)section_of(compiled, XNM_COMPILED_TEXT) + modifiers->denied_at) = 40;
}

static void forge_denied_label(struct xnm_arena *compiled)
{
    const struct xnm_compiled_modifiers *modifiers = modifiers_in(compiled);

    *((uint8_t *)section_of(compiled, XNM_COMPILED_TEXT) + modifiers->denied_at) =
        XN_WIRE_LABEL_MAX + 1;
}

static void forge_verdict_modifiers(struct xnm_arena *compiled)
{
    const struct xnm_compiled_head *head = (const void *)compiled->octets;
    struct xnm_compiled_verdict *verdicts = section_of(compiled, XNM_COMPILED_VERDICTS);

    while (verdicts->modifiers == XNM_COMPILED_NONE)
        verdicts++;
    verdicts->modifiers = (uint32_t)(head->sections[XNM_COMPILED_MODIFIERS].len /
                                     sizeof(struct xnm_compiled_modifiers));
}

/* --- clients --- */

static void forge_group(struct xnm_arena *compiled)
{
    const struct xnm_compiled_client_set *set = section_of(compiled, XNM_COMPILED_CLIENT_SETS);

    strcpy((char *)section_of(compiled, XNM_COMPILED_TEXT) + set->group, "k!");
}

static void forge_group_place(struct xnm_arena *compiled)
{
    ((struct xnm_compiled_client_set *)section_of(compiled, XNM_COMPILED_CLIENT_SETS))->group =
        XNM_COMPILED_NONE - 1;
}

static void forge_path_place(struct xnm_arena *compiled)
{
    ((struct xnm_compiled_client_set *)section_of(compiled, XNM_COMPILED_CLIENT_SETS))->path =
        XNM_COMPILED_NONE - 1;
}

static void forge_client_place(struct xnm_arena *compiled)
{
    ((struct xnm_compiled_audience *)section_of(compiled, XNM_COMPILED_AUDIENCES))->client =
        XNM_COMPILED_NONE - 1;
}

static void forge_when_place(struct xnm_arena *compiled)
{
    ((struct xnm_compiled_audience *)section_of(compiled, XNM_COMPILED_AUDIENCES))->when =
        XNM_COMPILED_NONE - 1;
}

static void forge_when(struct xnm_arena *compiled)
{
    const struct xnm_compiled_audience *audience = section_of(compiled, XNM_COMPILED_AUDIENCES);

    strcpy((char *)section_of(compiled, XNM_COMPILED_TEXT) + audience->when, "Sax");
}

static void forge_same_audience(struct xnm_arena *compiled)
{
    struct xnm_compiled_audience *audiences = section_of(compiled, XNM_COMPILED_AUDIENCES);

    audiences[1] = audiences[0];
}

static void forge_line_audience(struct xnm_arena *compiled)
{
    ((struct xnm_compiled_line *)section_of(compiled, XNM_COMPILED_LINES))->audience = 3;
}

static void forge_nothing(struct xnm_arena *compiled)
{
    (void)compiled;
}

#define RULES "rules"
#define TAGS "tags"
#define ANSWERS "answers"
#define CONDITIONS "conditions"
#define NAMES "names"
#define CLIENTS "groups or audiences"
#define MODIFIED                                                                                   \
    "nxdomain zones l\n+ .a.example / denied=b.example denied=c.example important type=1"
#define FOR_SOME                                                                                   \
    "group kids file=f 192.0.2.0/24\nlog name a.example client=kids when=Sat\n"                    \
    "log name b.example client=kids when=Sun"
#define TWICE(rule) rule "\n" rule
static struct forgery {
    const char *name, *text;
    void (*forge)(struct xnm_arena *compiled);
    const char *holds; /* NULL: it is taken */
} forgeries[] = {
    {"nothing", "log script in Cyrl", forge_nothing, NULL},
    {"a condition with a line feed", "log script in Cyrl", forge_subject, RULES},
    {"a condition with an escape", "log script in Cyrl", forge_escape, RULES},
    {"a text of an answer with an escape", "nodata name a.example ede=15:abc", forge_ede_text,
     RULES},
    {"a tag that is two", "log name a.example tag=abc", forge_two_tags, TAGS},
    {"an empty tag", "log name a.example tag=abc", forge_empty_tag, TAGS},
    {"a record's TTL", "answer name a.example 1", forge_record_ttl, ANSWERS},
    {"a line's TTL", "nxdomain name a.example", forge_line_ttl, RULES},
    {"a verdict's TTL", "nxdomain name a.example", forge_verdict_ttl, ANSWERS},
    {"log, and it decides", "nxdomain name a.example", forge_log, ANSWERS},
    {"nxdomain, and it only logs", "log name a.example", forge_no_log, ANSWERS},
    {"a condition twice", "log invalid\nlog emoji", forge_order, CONDITIONS},
    {"an answer of another action", "nxdomain name a.example", forge_action, ANSWERS},
    {"an alias", "answer name a.example 1", make_alias, NULL},
    {"an alias without a record", "answer name a.example 1", forge_no_alias, ANSWERS},
    {"an alias with another record", "answer name a.example 1", forge_no_cname, ANSWERS},
    {"a place that is no exempt name", "log lookalike a.de", forge_exempt, "tables"},
    {"names of a list behind another's",
     "log names l\n+ a.example\n+ b.example\nlog names m\n+ c.example", forge_last_answer, NAMES},
    {"a name that a look-alike's rule says", "log name a.example\nlog lookalike b.de",
     forge_last_answer, NAMES},
    {"protected names behind another's", "log lookalikes l\n+ a.de\n+ b.de\nlog lookalike c.de",
     forge_last_line, "protected names"},
    {"two lines with one condition", "log invalid\nlog emoji", forge_shared, RULES},
    {"look-alikes that never decide", TWICE("nxdomain lookalike a.de"), forge_nothing, NULL},
    {"conditions that never decide", TWICE("nxdomain invalid"), forge_nothing, NULL},
    {"… and one does", TWICE("nxdomain lookalike a.de"), forge_shadowed_name, "protected names"},
    {"… and the other does", TWICE("nxdomain invalid"), forge_shadowed_condition, CONDITIONS},
    {"modifiers", MODIFIED, forge_nothing, NULL},
    {"… of no such strength", MODIFIED, forge_strength, ANSWERS},
    {"… of too many types", MODIFIED, forge_type_count, ANSWERS},
    {"… nodata of none", MODIFIED, forge_no_types, ANSWERS},
    {"… names behind all texts", MODIFIED, forge_denied_place, ANSWERS},
    {"… names that go beyond them", MODIFIED, forge_denied_end, ANSWERS},
    {"… a name without its end", MODIFIED, forge_denied_cut, ANSWERS},
    {"… a label that goes beyond it", MODIFIED, forge_denied_after, ANSWERS},
    {"… a label of 64 octets", MODIFIED, forge_denied_label, ANSWERS},
    {"… that nobody has", MODIFIED, forge_verdict_modifiers, ANSWERS},
    {"rules for some", FOR_SOME, forge_nothing, NULL},
    {"a group that is no name", FOR_SOME, forge_group, CLIENTS},
    {"a group behind all texts", FOR_SOME, forge_group_place, CLIENTS},
    {"its file behind all texts", FOR_SOME, forge_path_place, CLIENTS},
    {"clients behind all texts", FOR_SOME, forge_client_place, CLIENTS},
    {"times behind all texts", FOR_SOME, forge_when_place, CLIENTS},
    {"no time", FOR_SOME, forge_when, CLIENTS},
    {"the same clients and times twice", FOR_SOME, forge_same_audience, CLIENTS},
    {"clients that no rule knows", FOR_SOME, forge_line_audience, RULES},
    {"another line's verdict", "log invalid\nlog emoji", forge_owner, RULES},
};

static void test_forgery(void **state)
{
    const struct forgery *row = *state;
    struct xnm_arena compiled = compiled_of(policy_of(row->text, NULL, &xnm_diagnose_silently));

    row->forge(&compiled);
    expect_holds(compiled, row->holds);
}

/* --- what grows --- */

/* Whoever answers goes through all of them. */
static void test_many_records(void **state)
{
    (void)state;
    for (unsigned extra = 0; extra < 2; extra++) {
        size_t count = XNM_VERDICT_RECORDS_MAX + extra;
        struct xnm_arena compiled = compiled_of(policy_of("answer name a.example 1", NULL, NULL));
        compiled = longer(compiled, XNM_COMPILED_RECORDS,
                          (count - 1) * sizeof(struct xnm_compiled_record));
        const struct xnm_compiled_record *record = section_of(&compiled, XNM_COMPILED_RECORDS);
        compiled = longer(compiled, XNM_COMPILED_TEXT, (count - 1) * record->rdata_len);
        struct xnm_compiled_record *records = section_of(&compiled, XNM_COMPILED_RECORDS);
        for (size_t i = 1; i < count; i++)
            records[i] = records[0];
        verdict_with_record(&compiled)->record_count = (uint32_t)count;
        expect_holds(compiled, extra ? ANSWERS : NULL);
    }
}

/* Each query looks at all conditions. */
static void test_many_conditions(void **state)
{
    (void)state;
    for (unsigned extra = 0; extra < 2; extra++) {
        uint32_t count = XNM_CONDITIONS_MAX + extra;
        struct xnm_arena compiled = compiled_of(policy_of("log invalid", NULL, NULL));
        compiled =
            longer(compiled, XNM_COMPILED_LINES, (count - 1) * sizeof(struct xnm_compiled_line));
        compiled = longer(compiled, XNM_COMPILED_LABEL_RULES,
                          (count - 1) * sizeof(struct xnm_compiled_label_rule));
        compiled = longer(compiled, XNM_COMPILED_VERDICTS,
                          (count - 1) * sizeof(struct xnm_compiled_verdict));
        compiled = longer(compiled, XNM_COMPILED_CONDITIONS, (count - 1) * sizeof(uint32_t));
        struct xnm_compiled_line *lines = section_of(&compiled, XNM_COMPILED_LINES);
        struct xnm_compiled_label_rule *label_rules =
            section_of(&compiled, XNM_COMPILED_LABEL_RULES);
        struct xnm_compiled_verdict *verdicts = section_of(&compiled, XNM_COMPILED_VERDICTS);
        uint32_t *conditions = section_of(&compiled, XNM_COMPILED_CONDITIONS);
        for (uint32_t i = 0; i < count; i++) {
            lines[i] = lines[0];
            label_rules[i] = label_rules[0];
            verdicts[i] = verdicts[0];
            lines[i].label_rule = label_rules[i].verdict = verdicts[i].line = conditions[i] = i;
        }
        expect_holds(compiled, extra ? CONDITIONS : NULL);
    }
}

/* Each query looks at what each list says of its name. */
static void test_many_lists(void **state)
{
    (void)state;
    for (unsigned extra = 0; extra < 2; extra++) {
        uint32_t count = XNM_LISTS_MAX + extra;
        struct xnm_arena compiled = compiled_of(policy_of("drop names l\n+ a.example", NULL, NULL));
        compiled =
            longer(compiled, XNM_COMPILED_LINES, (count - 1) * sizeof(struct xnm_compiled_line));
        struct xnm_compiled_line *lines = section_of(&compiled, XNM_COMPILED_LINES);
        for (uint32_t i = 1; i < count; i++)
            lines[i] = lines[0];
        expect_holds(compiled, extra ? RULES : NULL);
    }
}

static const struct long_text {
    const char *text;
    xnm_compiled_section section; /* `at` in it: where the text is */
    size_t at, max;
    const char *holds; /* if it is one octet longer */
} long_texts[] = {
    /* whoever shows a rule's file goes through its name */
    {"nxdomain name a.example", XNM_COMPILED_LINES, offsetof(struct xnm_compiled_line, file),
     TEXT_MAX - 1, RULES},
    {"nodata name a.example ede=15:abc", XNM_COMPILED_LINES,
     offsetof(struct xnm_compiled_line, ede_text), XNM_RULE_EDE_TEXT_MAX, RULES},
    {"log name a.example tag=abc", XNM_COMPILED_TAGS, 0, XNM_RULE_TAG_MAX, TAGS},
};

static void test_long_text(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * sizeof long_texts / sizeof *long_texts; i++) {
        const struct long_text *row = &long_texts[i / 2];
        struct xnm_arena compiled = compiled_of(policy_of(row->text, NULL, NULL));
        const struct xnm_compiled_head *head = (const void *)compiled.octets;
        size_t before = head->sections[XNM_COMPILED_TEXT].len, len = row->max + i % 2;
        compiled = longer(compiled, XNM_COMPILED_TEXT, len + 1);
        memset((char *)section_of(&compiled, XNM_COMPILED_TEXT) + before, 'a', len);
        *(uint32_t *)(void *)((char *)section_of(&compiled, row->section) + row->at) =
            (uint32_t)before;
        expect_holds(compiled, i % 2 ? row->holds : NULL);
    }
}

int main(void)
{
    struct test_group group = {0};

    ADD_TESTS(&group, forgeries, name, test_forgery);
    add_test(&group, "many records", test_many_records, NULL);
    add_test(&group, "many conditions", test_many_conditions, NULL);
    add_test(&group, "many lists", test_many_lists, NULL);
    add_test(&group, "texts as long as they may be, and longer", test_long_text, NULL);
    int failed = run_group("compiledforged", &group);
    free(group.tests);
    return failed;
}
