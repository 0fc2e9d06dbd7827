/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiled policies whose sections are longer or shorter than what they hold, or hold too much; and
 * memory that ends while one is read. */
#include "module/base/diagnostics.h"
#include "module/rule/rule.h"
#include "module/rule/rules.h"
#include "tests/unit/vectors.h"

#include "module/base/address.h"
#include "module/rule/audience.h"
#include "tests/unit/compiledtext.h"
#include "tests/unit/nomemory.h"

#define RULES "rules"
#define TAGS "tags"
#define ANSWERS "answers"
#define CONDITIONS "conditions"
#define NAMES "names"
#define TABLES "tables"
#define SECTIONS "sections"
#define CLIENTS "groups or audiences"
#define MODIFIED "nxdomain zones l\n+ .a.example / denied=b.example important type=1"

static struct xnm_compiled_span *span_of(struct xnm_arena *compiled, xnm_compiled_section section)
{
    return &((struct xnm_compiled_head *)(void *)compiled->octets)->sections[section];
}

/* --- one octet more --- */

static struct incomplete {
    const char *name, *text;
    xnm_compiled_section section;
    const char *holds; /* NULL: octets that nobody refers to are harmless */
} incompletes[] = {
    {"entries", COMPILED_TEXT, XNM_COMPILED_ENTRIES, NAMES},
    {"slots", COMPILED_TEXT, XNM_COMPILED_SLOTS, TABLES},
    {"a filter", COMPILED_TEXT, XNM_COMPILED_FILTER, TABLES},
    {"protected names", COMPILED_TEXT, XNM_COMPILED_NAMES, "protected names"},
    {"slots of labels", COMPILED_TEXT, XNM_COMPILED_NAME_SLOTS, TABLES},
    {"names that are exempt", COMPILED_TEXT, XNM_COMPILED_EXEMPT, TABLES},
    {"a filter of every label", COMPILED_TEXT, XNM_COMPILED_EVERY, TABLES},
    {"a filter of plain labels", COMPILED_TEXT, XNM_COMPILED_PLAIN, TABLES},
    {"slots of parts", COMPILED_TEXT, XNM_COMPILED_PART_SLOTS, TABLES},
    {"a filter of every part", COMPILED_TEXT, XNM_COMPILED_PART_EVERY, TABLES},
    {"a filter of plain parts", COMPILED_TEXT, XNM_COMPILED_PART_PLAIN, TABLES},
    {"conditions", COMPILED_TEXT, XNM_COMPILED_CONDITIONS, CONDITIONS},
    {"sources", COMPILED_TEXT, XNM_COMPILED_SOURCES, "names of files"},
    {"addresses", COMPILED_CLIENTS, XNM_COMPILED_RANGES, CLIENTS},
    {"texts", COMPILED_TEXT, XNM_COMPILED_TEXT, NULL},
    {"lines", COMPILED_TEXT, XNM_COMPILED_LINES, RULES},
    {"label rules", COMPILED_TEXT, XNM_COMPILED_LABEL_RULES, RULES},
    {"exceptions", COMPILED_TEXT, XNM_COMPILED_EXCEPTS, RULES},
    {"verdicts", COMPILED_TEXT, XNM_COMPILED_VERDICTS, ANSWERS},
    {"records", COMPILED_TEXT, XNM_COMPILED_RECORDS, ANSWERS},
    {"modifiers", MODIFIED, XNM_COMPILED_MODIFIERS, ANSWERS},
    {"tags", COMPILED_TEXT, XNM_COMPILED_TAGS, TAGS},
    {"groups", COMPILED_CLIENTS, XNM_COMPILED_CLIENT_SETS, CLIENTS},
    {"audiences", COMPILED_CLIENTS, XNM_COMPILED_AUDIENCES, CLIENTS},
};

static void test_incomplete(void **state)
{
    const struct incomplete *row = *state;
    struct xnm_arena compiled = compiled_of(policy_of(row->text, NULL, NULL));
    struct xnm_compiled_span *span = span_of(&compiled, row->section);

    if ((span->at + span->len) % XNM_COMPILED_ALIGN != 0)
        span->len++; /* it takes one of the zeros before the next one */
    else
        compiled = longer(compiled, row->section, 1);
    expect_holds(compiled, row->holds);
}

/* --- less, or something after the end --- */

static void no_filter(struct xnm_arena *compiled)
{
    span_of(compiled, XNM_COMPILED_FILTER)->len = 0;
}

static void no_label_filter(struct xnm_arena *compiled)
{
    span_of(compiled, XNM_COMPILED_EVERY)->len = 0;
}

/* A search for a name that is not exempt would not end. */
static void full_exempt(struct xnm_arena *compiled)
{
    uint32_t *places = section_of(compiled, XNM_COMPILED_EXEMPT);

    for (size_t i = 0; i < span_of(compiled, XNM_COMPILED_EXEMPT)->len / sizeof *places; i++)
        places[i] = XNM_LOOKALIKE_FIRST / XNM_LOOKALIKE_UNIT;
}

static void no_text(struct xnm_arena *compiled)
{
    span_of(compiled, XNM_COMPILED_TEXT)->len = 0;
}

static void no_end_of_text(struct xnm_arena *compiled)
{
    const struct xnm_compiled_span *text = span_of(compiled, XNM_COMPILED_TEXT);

    compiled->octets[text->at + text->len - 1] = 'a';
}

static void one_label_rule_less(struct xnm_arena *compiled)
{
    span_of(compiled, XNM_COMPILED_LABEL_RULES)->len -= sizeof(struct xnm_compiled_label_rule);
}

static void add_after_end(struct xnm_arena *compiled, size_t more)
{
    assert_non_null(xnm_arena_add(compiled, more));
    ((struct xnm_compiled_head *)(void *)compiled->octets)->size = compiled->len;
}

static void one_after_end(struct xnm_arena *compiled)
{
    add_after_end(compiled, 1);
}

static void unit_after_end(struct xnm_arena *compiled)
{
    add_after_end(compiled, XNM_COMPILED_ALIGN);
}

static struct cut {
    const char *name;
    void (*cut)(struct xnm_arena *compiled);
    const char *holds;
} cuts[] = {
    {"no filter", no_filter, TABLES},
    {"no filter of labels", no_label_filter, TABLES},
    {"a full table of exempt names", full_exempt, TABLES},
    {"no text", no_text, TAGS},
    {"text without an end", no_end_of_text, SECTIONS},
    {"a label rule less than lines have", one_label_rule_less, RULES},
    {"an octet after the end", one_after_end, SECTIONS},
    {"64 octets after the end", unit_after_end, SECTIONS},
};

static void test_cut(void **state)
{
    const struct cut *row = *state;
    struct xnm_arena compiled = compiled_of(policy_of(COMPILED_TEXT, NULL, NULL));

    row->cut(&compiled);
    expect_holds(compiled, row->holds);
}

/* A label rule that no line has. */
static void test_label_rule_more(void **state)
{
    (void)state;
    expect_holds(longer(compiled_of(policy_of(COMPILED_TEXT, NULL, NULL)), XNM_COMPILED_LABEL_RULES,
                        sizeof(struct xnm_compiled_label_rule)),
                 RULES);
}

/* --- too much --- */

static void test_many_tags(void **state)
{
    (void)state;
    for (size_t extra = 0; extra < 2; extra++) {
        size_t count = XNM_TAGS_MAX + extra;
        struct xnm_arena compiled =
            longer(compiled_of(policy_of("log name a.example tag=abc", NULL, NULL)),
                   XNM_COMPILED_TAGS, (count - 1) * sizeof(uint32_t));
        uint32_t *tags = section_of(&compiled, XNM_COMPILED_TAGS);
        for (size_t i = 1; i < count; i++)
            tags[i] = tags[0];
        expect_holds(compiled, extra ? TAGS : NULL);
    }
}

/* Each a group without an address. */
static void test_many_groups(void **state)
{
    (void)state;
    for (size_t extra = 0; extra < 2; extra++) {
        size_t count = XNM_CLIENT_SETS_MAX + extra;
        struct xnm_arena compiled =
            longer(compiled_of(policy_of("group kids 192.0.2.1\nlog name a.example client=kids",
                                         NULL, NULL)),
                   XNM_COMPILED_CLIENT_SETS, (count - 1) * sizeof(struct xnm_compiled_client_set));
        struct xnm_compiled_client_set *sets = section_of(&compiled, XNM_COMPILED_CLIENT_SETS);
        for (size_t i = 1; i < count; i++)
            sets[i] = (struct xnm_compiled_client_set){sets[0].group, XNM_COMPILED_NONE, {0}};
        expect_holds(compiled, extra ? CLIENTS : NULL);
    }
}

static void test_many_audiences(void **state)
{
    char text[32 * (XNM_AUDIENCES_MAX + 1)];
    size_t len = 0;

    (void)state;
    for (unsigned i = 0; i < XNM_AUDIENCES_MAX; i++)
        len += (size_t)sprintf(text + len, "log name a client=192.0.2.%u\n", i);
    text[len - 1] = '\0';
    struct xnm_arena compiled = compiled_of(policy_of(text, NULL, &xnm_diagnose_silently));
    expect_holds(copy_of(compiled.octets, compiled.len), NULL);
    expect_holds(longer(compiled, XNM_COMPILED_AUDIENCES, sizeof(struct xnm_compiled_audience)),
                 CLIENTS);
}

/* Whoever decides goes through the names of $denyallow=, each no longer than a name. */
static void test_long_denied(void **state)
{
    static const struct {
        size_t label, labels, names;
        const char *holds;
    } rows[] = {
        {49, 5, 1, NULL},
        {50, 5, 1, ANSWERS}, /* 256 octets with the root */
        {62, 1, XNM_DENIED_MAX / 64, NULL},
        {62, 1, XNM_DENIED_MAX / 64 + 1, ANSWERS},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t name = rows[i].labels * (rows[i].label + 1) + 1, len = rows[i].names * name;
        struct xnm_arena compiled = compiled_of(policy_of(MODIFIED, NULL, NULL));
        size_t before = span_of(&compiled, XNM_COMPILED_TEXT)->len;
        compiled = longer(compiled, XNM_COMPILED_TEXT, len + 1);
        uint8_t *text = (uint8_t *)section_of(&compiled, XNM_COMPILED_TEXT) + before;
        for (size_t n = 0; n < rows[i].names; n++, text += name)
            for (size_t at = 0; at + 1 < name; at++)
                text[at] = at % (rows[i].label + 1) == 0 ? (uint8_t)rows[i].label : 'a';
        struct xnm_compiled_modifiers *modifiers = section_of(&compiled, XNM_COMPILED_MODIFIERS);
        modifiers->denied_at = (uint32_t)before;
        modifiers->denied_len = (uint32_t)len;
        expect_holds(compiled, rows[i].holds);
    }
}

/* Room that nobody writes to takes no memory. */
static void test_long(void **state)
{
    struct xnm_arena compiled = compiled_of(policy_of("log name a.example", NULL, NULL));
    const char *why;

    (void)state;
    assert_true(xnm_arena_reserve(&compiled, XNM_LIST_SIZE_MAX));
    compiled.len = XNM_LIST_SIZE_MAX + 64UL;
    assert_null(policy_of_compiled(compiled, &why));
    assert_string_equal(why, "is too large: it has 1073741888 octets, expected at most 1073741824");
}

/* To read a file takes no longer than it is: what records and modifiers have is theirs alone. */
static void test_shared_octets(void **state)
{
    enum { LONG = 4096, TYPE_TXT = 16 };
    static const char *const texts[] = {
        "redirect name a.example 192.0.2.1\nredirect name b.example 192.0.2.2",
        "nxdomain zones l\n+ .a.example / denied=b.example\n+ .b.example / denied=c.example"};

    (void)state;
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        for (unsigned shared = 0; shared < 2; shared++) {
            struct xnm_arena compiled = longer(compiled_of(policy_of(texts[i], NULL, NULL)),
                                               XNM_COMPILED_TEXT, shared ? LONG : 2 * LONG);
            uint32_t end = (uint32_t)span_of(&compiled, XNM_COMPILED_TEXT)->len;
            struct xnm_compiled_record *records = section_of(&compiled, XNM_COMPILED_RECORDS);
            struct xnm_compiled_modifiers *modifiers =
                section_of(&compiled, XNM_COMPILED_MODIFIERS);
            for (unsigned n = 0; n < 2; n++) { /* empty strings; times the root */
                uint32_t at = end - LONG * (shared ? 1 : n + 1);
                if (i == 0)
                    records[n] = (struct xnm_compiled_record){
                        .type = TYPE_TXT, .rdata_len = LONG, .rdata_at = at};
                else
                    modifiers[n] =
                        (struct xnm_compiled_modifiers){.denied_at = at, .denied_len = LONG};
            }
            expect_holds(compiled, shared ? ANSWERS : NULL);
        }
    }
}

/* A search goes through all names that $denyallow= has at one place. */
static void test_many_denied(void **state)
{
    enum { LISTS = XNM_COMPILED_DENIED_MAX / XNM_DENIED_MAX };
    static char text[LISTS * 128];

    (void)state;
    for (unsigned extra = 0; extra < 2; extra++) {
        char *end = text;
        for (unsigned i = 0; i < LISTS; i++) /* the last one has a second entry */
            end += sprintf(
                end, "%snxdomain zones l%u\n+ .a.example / denied=b.example%s", i > 0 ? "\n" : "",
                i, extra && i == LISTS - 1 ? "\n+ .a.example / denied=b.example important" : "");
        struct xnm_arena compiled = longer(compiled_of(policy_of(text, NULL, NULL)),
                                           XNM_COMPILED_TEXT, (LISTS + extra) * XNM_DENIED_MAX);
        const struct xnm_compiled_head *head = (const void *)compiled.octets;
        struct xnm_compiled_modifiers *modifiers = section_of(&compiled, XNM_COMPILED_MODIFIERS);
        const size_t count = head->sections[XNM_COMPILED_MODIFIERS].len / sizeof *modifiers;
        assert_int_equal(count, LISTS + extra);
        for (size_t i = 0; i < count; i++) {
            modifiers[i].denied_len = XNM_DENIED_MAX; /* times the root */
            modifiers[i].denied_at =
                (uint32_t)(head->sections[XNM_COMPILED_TEXT].len - (i + 1) * XNM_DENIED_MAX);
        }
        expect_holds(compiled, extra ? TABLES : NULL);
    }
}

/* Occupied slots in a row, of which some are at the start of the table and some at its end. */
static void test_long_run(void **state)
{
    static const struct {
        size_t first, last;
        const char *holds;
    } rows[] = {
        {XNM_COMPILED_RUN_MAX, 0, NULL},
        {XNM_COMPILED_RUN_MAX + 1, 0, TABLES},
        {XNM_COMPILED_RUN_MAX - 7, 7, NULL},
        {XNM_COMPILED_RUN_MAX - 7, 8, TABLES},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t count = rows[i].first + 1 + rows[i].last;
        struct xnm_arena compiled = compiled_of(policy_of("log name a.example", NULL, NULL));
        struct xnm_compiled_span *span = span_of(&compiled, XNM_COMPILED_SLOTS);
        compiled = longer(compiled, XNM_COMPILED_SLOTS,
                          count * sizeof(struct xnm_policy_slot) - span->len);
        struct xnm_policy_slot *slots = section_of(&compiled, XNM_COMPILED_SLOTS);
        for (size_t at = 0; at < count; at++)
            slots[at].at = at == rows[i].first ? 0 : XNM_ENTRY_FIRST / XNM_ENTRY_UNIT;
        expect_holds(compiled, rows[i].holds);
    }
}

/* --- memory --- */

static struct hungry {
    const char *name, *first, *each;
    unsigned count;
} hungries[] = {
    {"a bit of everything", COMPILED_TEXT "\n", "", 1},
    {"clients", COMPILED_CLIENTS "\n", "", 1},
    {"records", "", "answer name n%u.example 1\n", 200},
    {"label rules", "", "log lookalike n%u.example\n", 100},
    {"modifiers", "nxdomain zones l\n", "+ n%u.example / denied=d%1$u.example\n", 100},
};

/* Nothing is left of a policy for which there was no memory, counters of rules included. */
static void test_no_memory(void **state)
{
    const struct hungry *row = *state;
    char text[4096 + 64 * 200];
    size_t len = (size_t)sprintf(text, "%s", row->first);
    unsigned long calls = 0;
    const char *why;

    for (unsigned i = 0; i < row->count; i++)
        len += (size_t)sprintf(text + len, row->each, i);
    text[len - 1] = '\0';
    struct xnm_arena compiled = compiled_of(policy_of(text, NULL, &xnm_diagnose_silently));
    do {
        struct xnm_arena copy = copy_of(compiled.octets, compiled.len);
        struct xnm_policy_settings settings = {.unicode = text_unicode(), .hits = xnm_hits_new()};
        struct xnm_policy *policy;
        calls_left = calls++;
        why = xnm_compiled_read(&settings, &copy, NULL, &policy);
        calls_left = ULONG_MAX;
        assert_true(why ? !policy : policy != NULL);
        if (why)
            assert_string_equal(why, "needs more memory than is available");
        xnm_policy_free(policy);
        xnm_hits_free(settings.hits);
    } while (why);
    assert_in_range(calls, 5, 1000);
    xnm_arena_free(&compiled);
}

int main(void)
{
    struct test_group group = {0};

    ADD_TESTS(&group, incompletes, name, test_incomplete);
    ADD_TESTS(&group, cuts, name, test_cut);
    add_test(&group, "a label rule more than lines have", test_label_rule_more, NULL);
    add_test(&group, "many tags", test_many_tags, NULL);
    add_test(&group, "many groups", test_many_groups, NULL);
    add_test(&group, "many audiences", test_many_audiences, NULL);
    add_test(&group, "long names of $denyallow=, and many", test_long_denied, NULL);
    add_test(&group, "a longer file than anybody reads", test_long, NULL);
    add_test(&group, "octets that several have", test_shared_octets, NULL);
    add_test(&group, "many names of $denyallow= in a row", test_many_denied, NULL);
    add_test(&group, "many slots in a row", test_long_run, NULL);
    ADD_TESTS(&group, hungries, name, test_no_memory);
    int failed = run_group("compiledsizes", &group);
    free(group.tests);
    return failed;
}
