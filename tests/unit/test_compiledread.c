/* SPDX-License-Identifier: BSD-3-Clause */
/* A policy that was written and read again decides as before; and whatever was read says nothing
 * that could do harm. */
#include "module/base/diagnostics.h"
#include "tests/unit/vectors.h"

#include "module/answer/response.h"
#include "module/build/names.h"
#include "module/policy/match.h"
#include "tests/unit/compiledtext.h"
#include "tests/unit/exact.h"
#include "tests/unit/nomemory.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(at, len) ((void)(at), (void)(len))
#define ASAN_UNPOISON_MEMORY_REGION(at, len) ((void)(at), (void)(len))
#endif

enum { A = 1, TXT = 16, AAAA = 28, IN = 1 };
static const uint16_t types[] = {A, TXT, AAAA};
enum { TYPES = sizeof types / sizeof *types };

static struct xnm_policy *read_good(struct xnm_arena compiled)
{
    const char *why;
    struct xnm_policy *policy = policy_of_compiled(compiled, &why);

    if (why)
        fail_msg("%s", why);
    return policy;
}

static void expect_same_rules(const struct xnm_policy *a, const struct xnm_policy *b)
{
    assert_int_equal(xnm_policy_rule_count(a), xnm_policy_rule_count(b));
    assert_int_equal(xnm_policy_entry_count(a), xnm_policy_entry_count(b));
    assert_int_equal(xnm_policy_quiet(a), xnm_policy_quiet(b));
    assert_int_equal(xnm_policy_changes_answers(a), xnm_policy_changes_answers(b));
    for (size_t i = 0; i < xnm_policy_rule_count(a); i++) {
        const struct xnm_policy_rule *x = xnm_policy_rule(a, i), *y = xnm_policy_rule(b, i);
        assert_string_equal(x->file, y->file);
        assert_string_equal(x->subject, y->subject);
        assert_int_equal(x->line, y->line);
        assert_int_equal(x->action, y->action);
        assert_int_equal(x->trigger, y->trigger);
        assert_int_equal(x->entry_count, y->entry_count);
        assert_int_equal(x->tag, y->tag);
        assert_ptr_equal(x->hits, y->hits); /* they go on counting */
    }
}

static void expect_same_answer(const struct xnm_decision *a, const struct xnm_decision *b)
{
    if (!a->verdict)
        return;
    assert_int_equal(a->verdict->ttl, b->verdict->ttl);
    assert_int_equal(a->verdict->ede, b->verdict->ede);
    assert_string_equal(ede_text_of(a->verdict), ede_text_of(b->verdict));
    assert_int_equal(a->verdict->prefix, b->verdict->prefix);
    assert_int_equal(a->verdict->record_count, b->verdict->record_count);
    for (size_t i = 0; i < a->verdict->record_count; i++) {
        const struct xnm_record *x = &a->verdict->records[i], *y = &b->verdict->records[i];
        assert_int_equal(x->type, y->type);
        assert_int_equal(x->ttl, y->ttl);
        assert_int_equal(x->rdata_len, y->rdata_len);
        assert_memory_equal(x->rdata, y->rdata, x->rdata_len);
    }
}

static void expect_same_decisions(const struct xnm_policy *a, const struct xnm_policy *b)
{
    struct xnm_decision x, y;

    for (unsigned i = 0; i < COMPILED_NAMES * TYPES; i++) {
        const char *name = compiled_names[i / TYPES];
        char *expected = strdup(decided(a, name, types[i % TYPES], IN, &x));
        assert_string_equal(decided(b, name, types[i % TYPES], IN, &y), expected);
        expect_same_answer(&x, &y);
        free(expected);
    }
}

/* --- there and back --- */

static const struct {
    const char *name, *text;
} texts[] = {
    {"nothing", ""},
    {"everything", "nxdomain zone ."},
    {"a log rule", "log name a.example"},
    {"an empty list", "nxdomain names list"},
    {"a zone", "rpz rpz zone\n+ *.example answer 1\n+ x.y.a.example drop\n+ r.example none"},
    {"look-alikes alone", "log lookalike paypal.com"},
    {"conditions alone", "log invalid"},
    {"a bit of everything", COMPILED_TEXT},
};

static void test_there_and_back(void **state)
{
    const char *text = *state;
    struct xnm_policy *before = policy_of(text, NULL, NULL);
    struct xnm_arena compiled = compiled_of(policy_of(text, NULL, NULL));
    size_t len = compiled.len;
    struct xnm_policy *policy = read_good(compiled);

    expect_same_rules(before, policy);
    expect_same_decisions(before, policy);
    assert_int_equal(xnm_policy_settings(policy)->ttl, 60);
    assert_true(xnm_policy_memory(policy) <= len + len / 2 + 65536);
    xnm_policy_free(before);
    xnm_policy_free(policy);
}

/* It has other tables by then, and goes on deciding. */
static void test_still_decides(void **state)
{
    struct xnm_policy *before = policy_of(COMPILED_TEXT, NULL, NULL);
    struct xnm_policy *policy = policy_of(COMPILED_TEXT, NULL, NULL);
    const struct xnm_sources none = {0};
    struct xnm_arena compiled;
    const char *source;

    (void)state;
    assert_null(xnm_compiled_write(policy, &none, &compiled, &source));
    expect_same_decisions(before, policy);
    xnm_arena_free(&compiled);
    xnm_policy_free(before);
    xnm_policy_free(policy);
}

/* Whatever seed each was built with. */
static void test_same_octets(void **state)
{
    struct xnm_arena a = compiled_of(policy_of(COMPILED_TEXT, NULL, NULL));
    struct xnm_arena b = compiled_of(policy_of(COMPILED_TEXT, NULL, NULL));

    (void)state;
    assert_int_equal(a.len, b.len);
    assert_memory_equal(a.octets, b.octets, a.len);
    xnm_arena_free(&a);
    xnm_arena_free(&b);
}

/* Whoever changes how a compiled policy lies, or what stands in it for the same rules, changes its
 * format, and then this. The head says which Unicode there is, and is left out. */
static void test_format(void **state)
{
    struct xnm_arena compiled = compiled_of(
        policy_of("nxdomain zone x.example\nredirect name r.example 1 2\nlog names l tag=t\n"
                  "+ .one.test\nrefuse zones m\n+ *.two.test\nlog invalid",
                  NULL, NULL));
    uint8_t hash[XNM_COMPILED_HASH];
    char text[2 * XNM_COMPILED_HASH + 1];

    (void)state;
    xnm_compiled_hash(compiled.octets + sizeof(struct xnm_compiled_head),
                      compiled.len - sizeof(struct xnm_compiled_head), hash);
    for (size_t i = 0; i < sizeof hash; i++)
        sprintf(text + 2 * i, "%02x", hash[i]);
    assert_int_equal(XNM_COMPILED_FORMAT, 7);
    assert_string_equal(text, "cbc65048b74607c64737f83431301688");
    xnm_arena_free(&compiled);
}

/* A lost list keeps its old entries even if they were compiled. */
static void test_keeps_list(void **state)
{
    struct xnm_policy *compiled = read_good(compiled_of(policy_of(COMPILED_TEXT, NULL, NULL)));
    struct xnm_policy *policy =
        policy_of("refuse zones list\nkeep\nrpz rpz zone\nkeep\n"
                  "log lookalikes protected key=strict tld=any ascii=safe\nkeep",
                  compiled, NULL);
    struct xnm_decision decision;

    (void)state;
    xnm_policy_free(compiled);
    assert_string_equal(decided(policy, "b.two.test", A, IN, &decision), "refuse:1 .two.test");
    assert_string_equal(decided(policy, "i.test", A, IN, &decision), "answer:3 i.test");
    assert_int_equal(decision.verdict->record_count, 2);
    decided(policy, "g\u043E\u043Egle.org", A, IN, &decision);
    assert_int_equal(decision.log_count, 1);
    xnm_policy_free(policy);
}

/* --- damage --- */

/* All that is done with a policy: nothing of it may look outside. */
static void use(const struct xnm_policy *policy)
{
    static struct xnm_response response;
    struct xnm_decision decision;
    struct xnm_match match;
    struct xnm_policy_names names;
    char subject[XNM_MATCH_SUBJECT_MAX];
    const uint8_t *name;
    size_t len;

    for (unsigned i = 0; i < COMPILED_NAMES * TYPES; i++) {
        struct xnm_wirename qname;
        struct text_chain chain = {.rest = compiled_names[i / TYPES]};
        struct xnm_question question = {.qtype = types[i % TYPES], .qclass = IN};
        next_of_text_chain(&chain, &question.qname, &question.qname_len);
        qname = chain.name;
        question.qname = qname.octets;
        if (!xnm_policy_decide_answer(policy, &question, next_of_text_chain, &chain, &decision))
            continue;
        xnm_match_from(policy, &decision, false, &match);
        xnm_match_subject(&match, subject);
        if (decision.verdict && decision.verdict->action != XNM_LOG)
            xnm_response_make(xnm_policy_settings(policy), &decision, &question,
                              &(struct xnm_alias_chain){.count = 0}, &response);
    }
    assert_true(xnm_policy_names_open(&names, policy));
    while (xnm_policy_names_next(&names, &name, &len))
        continue;
    xnm_policy_names_free(&names);
}

static void keep_all(const struct xnm_policy *policy)
{
    struct xnm_policy *kept =
        policy_of("refuse zones list\nkeep\nrpz rpz zone\nkeep\nlog lookalikes protected\nkeep",
                  policy, &xnm_diagnose_silently);

    assert_non_null(kept);
    xnm_policy_free(kept);
}

/* Reads octets that somebody spoilt. True: they were taken. */
static bool try(const uint8_t *octets, size_t len)
{
    struct xnm_arena copy = copy_of(octets, len);
    uint8_t *end = copy.octets + len;
    size_t room = (len / 4096 + 1) * 4096 - len;
    const char *why;

    ASAN_POISON_MEMORY_REGION(end, room);
    struct xnm_policy *policy = policy_of_compiled(copy, &why);
    if (policy) {
        use(policy);
        keep_all(policy);
    }
    ASAN_UNPOISON_MEMORY_REGION(end, room);
    xnm_policy_free(policy);
    return policy != NULL;
}

static void test_every_octet(void **state)
{
    struct xnm_arena compiled = compiled_of(policy_of(COMPILED_TEXT, NULL, NULL));

    (void)state;
    for (size_t at = 0; at < compiled.len; at++)
        for (unsigned bit = 0; bit < 8; bit++) {
            compiled.octets[at] ^= (uint8_t)(1 << bit);
            assert_false(try(compiled.octets, compiled.len));
            compiled.octets[at] ^= (uint8_t)(1 << bit);
        }
    assert_true(try(compiled.octets, compiled.len));
    xnm_arena_free(&compiled);
}

/* Octets between sections, tags of slots and filters may say anything: some are taken. */
static void test_every_octet_with_checksum(void **state)
{
    static const uint8_t flips[] = {0x01, 0x04, 0x80, 0xFF};
    struct xnm_arena compiled = compiled_of(policy_of(COMPILED_TEXT, NULL, NULL));
    size_t taken = 0, refused = 0;

    (void)state;
    for (size_t at = XNM_COMPILED_HASHED; at < compiled.len; at++)
        for (size_t i = 0; i < sizeof flips; i++) {
            compiled.octets[at] ^= flips[i];
            fix_checksum(compiled.octets, compiled.len);
            *(try(compiled.octets, compiled.len) ? &taken : &refused) += 1;
            compiled.octets[at] ^= flips[i];
        }
    assert_true(taken > compiled.len / 4);
    assert_true(refused > compiled.len / 4);
    xnm_arena_free(&compiled);
}

/* Several at a time, near each other and far apart. */
static void test_random_octets_with_checksum(void **state)
{
    struct xnm_arena compiled = compiled_of(policy_of(COMPILED_TEXT, NULL, NULL));
    uint64_t seed = 11;

    (void)state;
    for (unsigned round = 0; round < 3000; round++) {
        uint8_t *spoilt = exact_copy(compiled.octets, compiled.len);
        uint32_t span = 1 + below(&seed, (uint32_t)(compiled.len - XNM_COMPILED_HASHED));
        uint32_t from = XNM_COMPILED_HASHED +
                        below(&seed, (uint32_t)(compiled.len - XNM_COMPILED_HASHED - span) + 1);
        for (uint32_t flips = 1 + below(&seed, 8); flips > 0; flips--)
            spoilt[from + below(&seed, span)] = (uint8_t)below(&seed, round % 2 ? 256 : 4);
        fix_checksum(spoilt, compiled.len);
        try(spoilt, compiled.len);
        free(spoilt);
    }
    xnm_arena_free(&compiled);
}

static void test_every_length(void **state)
{
    struct xnm_arena compiled = compiled_of(policy_of(COMPILED_TEXT, NULL, NULL));
    struct xnm_compiled_head *head = (struct xnm_compiled_head *)(void *)compiled.octets;

    (void)state;
    for (size_t len = 0; len < compiled.len; len++) {
        assert_false(try(compiled.octets, len));
        if (len < sizeof *head)
            continue;
        head->size = len;
        fix_checksum(compiled.octets, len);
        assert_false(try(compiled.octets, len));
        head->size = compiled.len;
        fix_checksum(compiled.octets, compiled.len);
    }
    xnm_arena_free(&compiled);
}

/* --- what is said --- */

struct spoilt {
    const char *name;
    size_t at;
    uint8_t flip;
    bool with_checksum;
    const char *expected; /* the beginning */
};

#define HEAD(field) offsetof(struct xnm_compiled_head, field)
#define AS_WRITTEN ": expected the file as 'unbound-idn compile' wrote it"
#define AGAIN "; compile it again with this version of unbound-idn"
static struct spoilt spoilts[] = {
    {"magic", 3, 1, false,
     "is not a compiled policy: expected a file that 'unbound-idn compile' wrote"},
    {"order", HEAD(order), 1, false,
     "was compiled on a machine with another byte order: compile it on a machine like this one"},
    {"format", HEAD(format), 7, false, "has format 0: expected 7" AGAIN},
    {"size", HEAD(size), 1, false, "is damaged: it has "},
    {"checksum", HEAD(hash), 1, false, "is damaged: its checksum does not match" AS_WRITTEN},
    {"contents", HEAD(seed), 1, false, "is damaged: its checksum does not match" AS_WRITTEN},
    {"unicode", HEAD(unicode), 1, true, "was compiled with Unicode 0"},
    {"look-alikes", HEAD(lookalike), 1, true,
     "was compiled with another table of look-alikes: compile it again with this version of "
     "unbound-idn"},
    {"sections", HEAD(sections[XNM_COMPILED_TEXT].at), 1, true,
     "is damaged: invalid sections" AS_WRITTEN},
    {"rules", HEAD(sections[XNM_COMPILED_LINES].len), 1, true,
     "is damaged: invalid rules" AS_WRITTEN},
    {"tags", HEAD(sections[XNM_COMPILED_TAGS].len), 1, true, "is damaged: invalid tags" AS_WRITTEN},
};

static void test_message(void **state)
{
    const struct spoilt *row = *state;
    struct xnm_arena compiled = compiled_of(policy_of(COMPILED_TEXT, NULL, NULL));
    const char *why;

    compiled.octets[row->at] ^= row->flip;
    if (row->with_checksum)
        fix_checksum(compiled.octets, compiled.len);
    assert_null(policy_of_compiled(compiled, &why));
    if (strncmp(why, row->expected, strlen(row->expected)) != 0)
        fail_msg("%s", why);
}

static void test_short(void **state)
{
    struct xnm_arena compiled = compiled_of(policy_of("log name a.example", NULL, NULL));
    const char *why;

    (void)state;
    assert_null(policy_of_compiled(copy_of(compiled.octets, 40), &why));
    assert_string_equal(why, "is damaged: it ends after 40 octets" AS_WRITTEN);
    xnm_arena_free(&compiled);
}

/* --- names that stand in one place --- */

static char *many_lists(unsigned count)
{
    char *text = malloc(count * 32 + 1), *at = text;

    for (unsigned i = 0; i < count; i++)
        at += sprintf(at, "%srefuse zones l%u\n+ a.example", i > 0 ? "\n" : "", i);
    return text;
}

static void test_too_many_in_a_place(void **state)
{
    char *fit = many_lists(XNM_COMPILED_RUN_MAX), *more = many_lists(XNM_COMPILED_RUN_MAX + 1);
    struct xnm_policy *policy = policy_of(more, NULL, NULL);
    const struct xnm_sources none = {0};
    struct xnm_arena compiled;
    const char *source;

    (void)state;
    const char *why = xnm_compiled_write(policy, &none, &compiled, &source);
    assert_non_null(why);
    assert_non_null(strstr(why, "more than 4096 of its entries have one place"));
    assert_null(compiled.octets);
    xnm_policy_free(policy);
    xnm_policy_free(read_good(compiled_of(policy_of(fit, NULL, NULL))));
    free(fit);
    free(more);
}

/* A table that is full has no end, and one nearly full none soon enough. */
static void test_full_table(void **state)
{
    struct xnm_arena compiled = compiled_of(policy_of(COMPILED_TEXT, NULL, NULL));
    struct xnm_compiled_head *head = (struct xnm_compiled_head *)(void *)compiled.octets;
    const struct xnm_compiled_span *span = &head->sections[XNM_COMPILED_SLOTS];
    struct xnm_policy_slot *slots = (struct xnm_policy_slot *)(void *)(compiled.octets + span->at);

    (void)state;
    for (size_t i = 0; i < span->len / sizeof *slots; i++)
        slots[i].at = XNM_ENTRY_FIRST / XNM_ENTRY_UNIT;
    fix_checksum(compiled.octets, compiled.len);
    assert_false(try(compiled.octets, compiled.len));
    slots[0].at = 0;
    fix_checksum(compiled.octets, compiled.len);
    assert_true(try(compiled.octets, compiled.len));
    xnm_arena_free(&compiled);
}

/* --- memory --- */

static void test_no_memory(void **state)
{
    struct xnm_arena compiled = compiled_of(policy_of(COMPILED_TEXT, NULL, NULL));
    struct xnm_policy *policy = NULL;
    const char *why;

    (void)state;
    for (unsigned long calls = 0; !policy; calls++) {
        struct xnm_arena copy = copy_of(compiled.octets, compiled.len);
        calls_left = calls;
        policy = policy_of_compiled(copy, &why);
        calls_left = ULONG_MAX;
        if (!policy)
            assert_string_equal(why, "needs more memory than is available");
        assert_true(calls < 100);
    }
    use(policy);
    xnm_policy_free(policy);
    xnm_arena_free(&compiled);
}

static void test_no_memory_to_write(void **state)
{
    const struct xnm_sources none = {0};
    struct xnm_arena compiled = {0};
    const char *source;

    (void)state;
    for (unsigned long calls = 0; !compiled.octets; calls++) {
        struct xnm_policy *policy = policy_of(COMPILED_TEXT, NULL, NULL);
        calls_left = calls;
        const char *why = xnm_compiled_write(policy, &none, &compiled, &source);
        calls_left = ULONG_MAX;
        assert_string_equal(why ? why : "", compiled.octets ? "" : "out of memory");
        xnm_policy_free(policy);
        assert_true(calls < 100);
    }
    xnm_policy_free(read_good(compiled));
}

int main(void)
{
    struct test_group group = {0};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        add_test(&group, texts[i].name, test_there_and_back, (void *)(uintptr_t)texts[i].text);
    add_test(&group, "it still decides", test_still_decides, NULL);
    add_test(&group, "the same octets", test_same_octets, NULL);
    add_test(&group, "the format", test_format, NULL);
    add_test(&group, "lists are kept", test_keeps_list, NULL);
    ADD_TESTS(&group, spoilts, name, test_message);
    add_test(&group, "40 octets", test_short, NULL);
    add_test(&group, "too many in a place", test_too_many_in_a_place, NULL);
    add_test(&group, "a full table", test_full_table, NULL);
    add_test(&group, "every length", test_every_length, NULL);
    add_test(&group, "every octet", test_every_octet, NULL);
    add_test(&group, "every octet, and the checksum fits", test_every_octet_with_checksum, NULL);
    add_test(&group, "random octets, and the checksum fits", test_random_octets_with_checksum,
             NULL);
    add_test(&group, "no memory", test_no_memory, NULL);
    add_test(&group, "no memory to write", test_no_memory_to_write, NULL);
    int failed = run_group("compiledread", &group);
    free(group.tests);
    return failed;
}
