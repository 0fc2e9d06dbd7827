/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiled policies that an input changes, and every use of what is taken of them. An input is the
 * number of a seed, and changes of eight octets each: which section (or the head), what to do,
 * where, and with what. */
#ifndef XN_TESTS_FUZZ_COMPILED_H
#define XN_TESTS_FUZZ_COMPILED_H

#include "tests/fuzz/target.h"

#include "module/answer/response.h"
#include "module/base/diagnostics.h"
#include "module/build/names.h"
#include "module/compiled/file.h"
#include "module/load/rpzexport.h"
#include "module/policy/match.h"
#include "tests/unit/compiledtext.h"

#include <sys/mman.h>
#include <unistd.h>

/* --- seeds --- */

/* Compiles a text, from a file that lives as long as the program. */
static inline struct xnm_arena compiled_seed(const char *text)
{
    static struct xnm_sources sources;
    enum { FD = 99 }; /* has the same name in each run */
    char path[] = "/proc/self/fd/99";

    if (sources.count == 0) {
        assert_int_equal(dup2(memfd_create("rules", 0), FD), FD);
        assert_int_equal(write(FD, "log zone .\n", 11), 11);
        const struct xnm_source source = {.path = path, .read = xnm_stamp_of(path)};
        assert_true(xnm_sources_keep(&sources, &source));
    }
    return compiled_from(&sources, policy_of(text, NULL, &xnm_diagnose_silently));
}

/* --- changes --- */

struct change {
    uint8_t section, how;
    uint16_t at;
    uint32_t value;
};

/* Returns the part of a section that a change may reach: all from its first octet on, or the
 * checked part of the head. */
static inline uint8_t *part_of(const struct xnm_arena *compiled, uint8_t section, size_t *len)
{
    const struct xnm_compiled_head *head = (const void *)compiled->octets;
    unsigned number = section % (XNM_COMPILED_SECTIONS + 1);

    if (number == XNM_COMPILED_SECTIONS) {
        *len = sizeof *head - XNM_COMPILED_HASHED;
        return compiled->octets + XNM_COMPILED_HASHED;
    }
    const struct xnm_compiled_span *span = &head->sections[number];
    bool inside = span->at <= compiled->len && span->len <= compiled->len - span->at;
    *len = inside ? span->len : 0;
    return compiled->octets + (inside ? span->at : 0);
}

static inline void put_number(uint8_t *to, uint32_t value, bool add)
{
    uint32_t before;

    memcpy(&before, to, sizeof before);
    value = add ? before + value : value;
    memcpy(to, &value, sizeof value);
}

/* An octet, or what stands at a multiple of four: a number, one of the same section, or 4 to 512
 * octets of it, such as a whole key, line or verdict. */
static inline void change_octets(uint8_t *part, size_t len, const struct change *change)
{
    size_t number = len < 4 ? 0 : change->at % (len / 4) * 4;
    size_t other = len < 4 ? 0 : change->value % (len / 4) * 4;
    size_t copied = (size_t)4 << change->how / 6 % 8;
    size_t left = len - (number > other ? number : other);

    if (len < 4 || change->how % 6 == 0)
        part[change->at % len] = (uint8_t)change->value;
    else if (change->how % 6 == 1)
        part[change->at % len] ^= (uint8_t)(1 << change->value % 8);
    else if (change->how % 6 >= 4)
        memmove(part + number, part + other, change->how % 6 == 4 && copied < left ? copied : left);
    else
        put_number(part + number, change->value, change->how % 6 == 3);
}

/* Longer or shorter by so many units of four octets. */
static inline void change_length(struct xnm_arena *compiled, const struct change *change)
{
    struct xnm_compiled_head *head = (void *)compiled->octets;

    head->sections[change->section % XNM_COMPILED_SECTIONS].len += 4ULL * change->at - (1 << 17);
}

/* Changes one number at the start of the file, or the file's length. */
static inline void change_kind(struct xnm_arena *compiled, const struct change *change)
{
    struct xnm_compiled_head *head = (void *)compiled->octets;

    switch (change->section % 5) {
    case 0:
        head->order = change->value;
        break;
    case 1:
        head->format = change->value;
        break;
    case 2:
        head->size = change->value;
        break;
    case 3:
        head->magic[change->at % sizeof head->magic] = (char)change->value;
        break;
    default:
        compiled->len = change->value % (compiled->len + 1);
        break;
    }
}

/* CHANGE_ALONE: of octets, and nobody makes a checksum for them. */
enum { CHANGE_LENGTH = 0xF8, CHANGE_KIND = 0xF0, CHANGE_ALONE = 0xE8 };

static inline void apply(struct xnm_arena *compiled, const struct change *change)
{
    size_t len;
    uint8_t *part = part_of(compiled, change->section, &len);

    if (change->how >= CHANGE_LENGTH)
        change_length(compiled, change);
    else if (change->how >= CHANGE_KIND)
        change_kind(compiled, change);
    else if (len > 0)
        change_octets(part, len, change);
}

static inline struct change random_change(unsigned *seed)
{
    return (struct change){.section = (uint8_t)rand_r(seed),
                           .how = (uint8_t)rand_r(seed),
                           .at = (uint16_t)(rand_r(seed) >> rand_r(seed) % 16),
                           .value = (uint32_t)rand_r(seed) >> rand_r(seed) % 31};
}

/* LLVMFuzzerCustomMutator, for inputs of so many numbers and changes: adds one change, alters one,
 * or takes one out, so that the others keep their meaning. */
static inline size_t mutate_changes(size_t numbers, uint8_t *data, size_t size, size_t room,
                                    unsigned seed)
{
    const struct change change = random_change(&seed);
    size_t count = size > numbers ? (size - numbers) / sizeof change : 0;
    size_t which = (size_t)rand_r(&seed) % (count + 1);
    size_t end = numbers + count * sizeof change;
    uint8_t *to = data + numbers + which * sizeof change;
    int what = rand_r(&seed) % 4;

    if (room < end + sizeof change)
        return size;
    if (size < numbers || rand_r(&seed) % 8 == 0)
        data[(size_t)rand_r(&seed) % numbers] = (uint8_t)rand_r(&seed);
    if (what == 0 && which < count) {
        memmove(to, to + sizeof change, (size_t)(data + end - to) - sizeof change);
        return end - sizeof change;
    }
    if (what == 1 && which < count) { /* another value, or another place, too */
        size_t kept =
            rand_r(&seed) % 2 == 0 ? offsetof(struct change, at) : offsetof(struct change, value);
        memcpy(to + kept, (const uint8_t *)&change + kept, sizeof change - kept);
        return end;
    }
    memmove(to + sizeof change, to, (size_t)(data + end - to));
    memcpy(to, &change, sizeof change);
    return end + sizeof change;
}

/* Returns whether somebody made a checksum for what came out. */
static inline bool apply_all(struct xnm_arena *compiled, const uint8_t *data, size_t size)
{
    bool checked = true;

    for (struct change change;
         size >= sizeof change && compiled->len >= sizeof(struct xnm_compiled_head);
         size -= sizeof change) {
        memcpy(&change, data, sizeof change);
        data += sizeof change;
        apply(compiled, &change);
        checked &= change.how < CHANGE_ALONE || change.how >= CHANGE_LENGTH;
    }
    if (checked)
        fix_checksum(compiled->octets, compiled->len);
    return checked;
}

/* --- use --- */

static inline void expect_line(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        assert_true((uint8_t)text[i] >= ' ' && text[i] != 0x7F);
}

static inline void expect_response(const struct xnm_policy *policy,
                                   const struct xnm_decision *decision,
                                   const struct xnm_question *question)
{
    static struct xnm_response response;
    uint8_t ede[2 + XNM_RULE_EDE_TEXT_MAX];

    assert_in_range(decision->verdict->action, XNM_ACTION_NONE + 1, XNM_ACTION_COUNT - 1);
    assert_int_not_equal(decision->verdict->action, XNM_LOG);
    assert_in_range(decision->verdict->ttl, 0, INT32_MAX);
    assert_in_range(xnm_response_ede(decision->verdict, ede), 0, sizeof ede);
    if (decision->verdict->action == XNM_PASSTHRU)
        return;
    xnm_response_make(xnm_policy_settings(policy), decision, question,
                      &(struct xnm_alias_chain){.count = 0}, &response);
    for (unsigned i = 0; i < response.record_count; i++) {
        const struct xnm_record *record = &response.records[i];
        assert_in_range(record->ttl, 0, INT32_MAX);
        free(exact_copy(record->rdata, record->rdata_len));
    }
}

static inline void expect_match(const struct xnm_policy *policy,
                                const struct xnm_decision *decision)
{
    char subject[XNM_MATCH_SUBJECT_MAX];
    struct xnm_match match;

    xnm_match_from(policy, decision, false, &match);
    expect_line(subject, xnm_match_subject(&match, subject));
    expect_line(match.tags, strlen(match.tags));
    assert_in_range(match.hit_count, 1, 1 + XNM_DECISION_LOGS_MAX);
    xnm_match_count(&match);
}

/* The clients that ask, after one without an address; they all ask at noon on a Monday. */
static const struct xnm_client fuzz_clients[] = {
    {.len = 4, .octets = {192, 0, 2, 7}},
    {.len = 4, .octets = {198, 51, 100, 129}},
    {.len = 16, .octets = {0x20, 0x01, 0x0d, 0xb8, 0, 1, [15] = 1}},
};
enum { FUZZ_CLIENTS = 1 + sizeof fuzz_clients / sizeof *fuzz_clients, FUZZ_TIME = 1795435200 };

static inline bool decide_for(const struct xnm_policy *policy, const char *names, uint16_t qtype,
                              unsigned asker, struct xnm_decision *decision)
{
    struct text_chain chain = {.rest = names};
    struct xnm_question question = {.qtype = qtype,
                                    .qclass = 1,
                                    .client = asker > 0 ? &fuzz_clients[asker - 1] : NULL,
                                    .time = FUZZ_TIME};

    next_of_text_chain(&chain, &question.qname, &question.qname_len);
    const struct xnm_wirename qname = chain.name;
    question.qname = qname.octets;
    xnm_policy_decide_below(policy, &question, decision);
    if (!xnm_policy_decide_answer(policy, &question, next_of_text_chain, &chain, decision))
        return false;
    expect_match(policy, decision);
    if (decision->verdict)
        expect_response(policy, decision, &question);
    return true;
}

/* A decision that is said to be everybody's is. */
static inline void decide(const struct xnm_policy *policy, const char *names, uint16_t qtype)
{
    unsigned askers = xnm_policy_has_audiences(policy) ? FUZZ_CLIENTS : 1;
    struct xnm_decision first, other;
    bool matched = decide_for(policy, names, qtype, 0, &first);

    for (unsigned asker = 1; asker < askers; asker++) {
        bool matches = decide_for(policy, names, qtype, asker, &other);
        assert_true(other.varies || !other.personal);
        if (!first.varies) {
            assert_int_equal(matches, matched);
            assert_ptr_equal(other.verdict, first.verdict);
            assert_int_equal(other.log_count, first.log_count);
        }
        if (!first.personal && xnm_decision_changes_answer(&first))
            assert_ptr_equal(other.verdict, first.verdict);
        else if (!first.personal)
            assert_false(xnm_decision_changes_answer(&other));
    }
}

static inline bool take_owner(void *arg, const struct xnm_rpzowner *owner)
{
    *(size_t *)arg += owner->name_len;
    return true;
}

static inline void leave_out(void *arg, const struct xnm_rpzowner *owner, const char *why)
{
    *(size_t *)arg += owner->name_len + strlen(why);
}

static inline void expect_rules(const struct xnm_policy *policy)
{
    size_t octets = 0;

    for (size_t i = 0; i < xnm_policy_rule_count(policy); i++) {
        const struct xnm_policy_rule *rule = xnm_policy_rule(policy, i);
        octets += strlen(rule->file) + strlen(rule->subject);
        assert_in_range(rule->action, XNM_ACTION_NONE, XNM_ACTION_COUNT - 1);
        assert_in_range(rule->trigger, XNM_TRIGGER_NAME, XNM_TRIGGER_COUNT - 1);
        assert_non_null(rule->hits);
        assert_true(rule->tag < 0 || xnm_policy_tag(policy, (unsigned)rule->tag));
    }
    const struct xnm_rpzexport how = {.policy = policy,
                                      .origin_len = 1,
                                      .owner = take_owner,
                                      .left_out = leave_out,
                                      .arg = &octets};
    assert_true(xnm_rpzexport(&how));
}

/* `check` compares the files from which a policy was compiled. */
static inline void expect_sources(const struct xnm_policy *policy)
{
    const struct xnm_compiled_bounds bounds = {.files = 4, .octets = 1 << 16};
    const struct xnm_compiled_age age =
        xnm_compiled_age(policy, "/", (struct timespec){0}, &bounds);
    char quoted[512];
    size_t count;
    const char *first = xnm_compiled_first_source(policy, &count);

    xnm_quote(first, strlen(first), quoted, sizeof quoted);
    expect_line(quoted, strlen(quoted));
    assert_false(age.all && count > bounds.files);
    if (!age.stale)
        return;
    assert_in_range(age.stale - (const char *)policy->compiled.octets, 1, policy->compiled.len);
    xnm_quote(age.stale, strlen(age.stale), quoted, sizeof quoted);
    expect_line(quoted, strlen(quoted));
}

/* Answers, log lines and a zone file of it. */
static inline void use(const struct xnm_policy *policy)
{
    static const uint16_t types[] = {1, 16, 28, 255};

    setenv("TZ", "UTC0", 1);

    for (size_t i = 0; i < COMPILED_NAMES; i++)
        for (size_t type = 0; type < sizeof types / sizeof *types; type++)
            decide(policy, compiled_names[i], types[type]);
    expect_rules(policy);
    if (policy->compiled.len > 0)
        expect_sources(policy);
}

#endif
