/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/rule/rule.h"
#include "tests/unit/vectors.h"

#include "module/answer/response.h"
#include "tests/unit/exact.h"

enum { A = 1, NS = 2, CNAME = 5, SOA = 6, MX = 15, TXT = 16, AAAA = 28, ANY = 255 };

#define WIRE(text)                                                                                 \
    {                                                                                              \
        sizeof(text), text                                                                         \
    }

static const struct xnm_policy_settings settings = {
    .ttl = 60, .soa_mname = WIRE("\2ns"), .soa_rname = WIRE("\1r")};
static uint8_t one[] = {192, 0, 2, 1}, two[] = {192, 0, 2, 2}, six[16] = {0x20, 1},
               alias[] = "\1t\1w";
static const struct xnm_record addresses[] = {
    {A, 4, 60, one}, {AAAA, 16, 60, six}, {A, 4, 30, two}};
static const struct xnm_record cname = {CNAME, sizeof alias, 90, alias};
static const struct xnm_aliaschain_link link = {(const uint8_t *)"\1q",    3, CNAME, 11,
                                                (const uint8_t *)"\1x\1z", 5};

static struct row {
    const char *what;
    xnm_action action;
    uint16_t qtype;
    bool chained, prefix;
    int rcode;
    size_t set_count;
    uint16_t types[3];
    size_t counts[3];
    bool has_soa, follow;
} rows[] = {
    {"nxdomain", XNM_NXDOMAIN, A, false, false, 3, 1, {SOA}, {1}, true, false},
    {"nodata", XNM_NODATA, A, false, false, 0, 1, {SOA}, {1}, true, false},
    {"refuse", XNM_REFUSE, A, false, false, 5, 0, {0}, {0}, false, false},
    {"redirect A", XNM_REDIRECT, A, false, false, 0, 1, {A}, {2}, false, false},
    {"redirect AAAA", XNM_REDIRECT, AAAA, false, false, 0, 1, {AAAA}, {1}, false, false},
    {"redirect ANY", XNM_REDIRECT, ANY, false, false, 0, 2, {A, AAAA}, {2, 1}, false, false},
    {"redirect MX", XNM_REDIRECT, MX, false, false, 0, 1, {SOA}, {1}, true, false},
    {"answer TXT", XNM_ANSWER, TXT, false, false, 0, 1, {SOA}, {1}, true, false},
    {"cname A", XNM_CNAME, A, false, false, 0, 1, {CNAME}, {1}, false, true},
    {"cname CNAME", XNM_CNAME, CNAME, false, false, 0, 1, {CNAME}, {1}, false, false},
    {"cname ANY", XNM_CNAME, ANY, false, false, 0, 1, {CNAME}, {1}, false, false},
    {"prefix cname", XNM_CNAME, A, false, true, 0, 1, {CNAME}, {1}, false, true},
    {"chained nxdomain", XNM_NXDOMAIN, A, true, false, 3, 2, {CNAME, SOA}, {1, 1}, true, false},
    {"chained refuse", XNM_REFUSE, A, true, false, 5, 0, {0}, {0}, false, false},
    {"chained redirect", XNM_REDIRECT, A, true, false, 0, 2, {CNAME, A}, {1, 2}, false, false},
    {"chained cname", XNM_CNAME, A, true, false, 0, 2, {CNAME, CNAME}, {1, 1}, false, true},
};

static void make(const struct row *row, const uint8_t *qname, size_t qname_len,
                 struct xnm_response *response)
{
    struct xnm_policy_answer answer = {.action = row->action, .ttl = 7, .prefix = row->prefix};
    struct xnm_decision decision = {.answer = &answer, .name = WIRE("\1z")};
    struct xnm_aliaschain chain = {.links = {link}, .count = row->chained};
    struct xnm_question question = {
        .qname = qname, .qname_len = qname_len, .qtype = row->qtype, .qclass = 1};

    answer.records = row->action == XNM_CNAME ? &cname : addresses;
    answer.record_count = row->action == XNM_CNAME ? 1 : 3;
    xnm_response_make(&settings, &decision, &question, &chain, response);
}

TEST_ROWS(test_row, rows, what)
{
    const struct row *row = *state;
    uint8_t *qname = exact_copy("\1q", 3);
    struct xnm_response response;

    memset(&response, 0xA5, sizeof response);
    make(row, qname, 3, &response);
    assert_int_equal(response.rcode, row->rcode);
    assert_int_equal(response.set_count, row->set_count);
    assert_int_equal(response.has_soa, row->has_soa);
    assert_int_equal(response.follow_alias, row->follow);
    for (size_t i = 0; i < response.set_count; i++) {
        assert_int_equal(response.sets[i].records->type, row->types[i]);
        assert_int_equal(response.sets[i].count, row->counts[i]);
    }
    if (row->set_count > 0) {
        const char *owner = row->has_soa ? "\1z" : row->chained ? "\1x\1z" : "\1q";
        const struct xnm_response_set *last = &response.sets[row->set_count - 1];
        assert_int_equal(last->owner_len, strlen(owner) + 1);
        assert_memory_equal(last->owner, owner, last->owner_len);
    }
    free(qname);
}

TEST(test_soa, "the SOA record")
{
    static const uint8_t expected[] =
        "\2ns\0\1r\0\0\0\0\1\0\0\x0E\x10\0\0\3\x84\0\x09\x3A\x80\0\0\0\7";
    struct xnm_response response;

    make(&rows[0], (const uint8_t *)"\1q\1z", 5, &response);
    const struct xnm_response_set *set = &response.sets[0];
    assert_int_equal(set->owner_len, 3);
    assert_memory_equal(set->owner, "\1z", 3);
    assert_int_equal(set->records->ttl, 7);
    assert_int_equal(set->records->rdata_len, sizeof expected - 1);
    assert_memory_equal(set->records->rdata, expected, sizeof expected - 1);
}

/* The record is at the name that the rule is about, even at the root; if that is not known, at the
 * name that was asked for. */
TEST(test_soa_owner, "whose SOA record it is")
{
    static const struct xnm_policy_answer answer = {.action = XNM_NXDOMAIN, .ttl = 7};
    const struct xnm_question question = {
        .qname = (const uint8_t *)"\1q", .qname_len = 3, .qtype = A, .qclass = 1};
    const struct xnm_aliaschain chain = {.count = 0};
    struct xnm_response response;

    for (uint8_t len = 0; len < 2; len++) {
        struct xnm_decision decision = {.answer = &answer, .name = {len, {0}}};
        xnm_response_make(&settings, &decision, &question, &chain, &response);
        assert_int_equal(response.sets[0].owner_len, len ? 1 : 3);
        assert_memory_equal(response.sets[0].owner, len ? "" : "\1q", len ? 1 : 3);
    }
}

/* A prefixed name has 255 octets at most. */
TEST(test_prefix, "prefixes")
{
    uint8_t qname[255] = {0};
    struct row row = {.action = XNM_CNAME, .qtype = A, .prefix = true};
    struct xnm_response response;

    for (size_t at = 0; at + 1 < 251; at += 2)
        memcpy(qname + at, "\1n", 2);
    make(&row, qname, 251, &response); /* 250 and 5 */
    assert_int_equal(response.alias.len, 255);
    assert_memory_equal(response.alias.octets, qname, 250);
    assert_memory_equal(response.alias.octets + 250, alias, 5);
    assert_int_equal(response.rcode, 0);
    qname[250] = 1;
    qname[251] = 'n';
    make(&row, qname, 253, &response);
    assert_int_equal(response.rcode, 6);
    assert_int_equal(response.set_count, 0);
    assert_false(response.follow_alias);
    make(&row, (const uint8_t *)"", 1, &response);
    assert_int_equal(response.alias.len, 5);
}

/* More records than have room are left out; those of a set have one type. */
TEST(test_many, "many records")
{
    enum { MANY = 2 * XNM_RESPONSE_RECORDS_MAX };
    static struct xnm_record many[MANY];
    struct xnm_policy_answer answer = {.action = XNM_ANSWER, .records = many, .record_count = MANY};
    struct xnm_decision decision = {.answer = &answer};
    struct xnm_question question = {
        .qname = (const uint8_t *)"", .qname_len = 1, .qtype = ANY, .qclass = 1};
    struct xnm_aliaschain chain = {.count = 0};
    struct xnm_response response;

    for (unsigned kinds = 1; kinds <= MANY; kinds *= 2) {
        size_t count = 0;

        for (unsigned i = 0; i < MANY; i++)
            many[i] = (struct xnm_record){(uint16_t)(300 + i % kinds), 4, 60, one};
        xnm_response_make(&settings, &decision, &question, &chain, &response);
        for (size_t i = 0; i < response.set_count; i++) {
            assert_in_range(response.sets[i].count, 1, MANY);
            for (size_t j = 0; j < response.sets[i].count; j++)
                assert_int_equal(response.sets[i].records[j].type, 300 + i);
            count += response.sets[i].count;
        }
        assert_int_equal(count, response.record_count);
        assert_in_range(count, 1, XNM_RESPONSE_RECORDS_MAX);
    }
}

/* Records that do not fit into a message are left out: among records that each fit alone, and for a
 * record that never fits. */
TEST(test_long, "long records")
{
    enum { MANY = XNM_RESPONSE_RECORDS_MAX };
    static uint8_t rdata[UINT16_MAX];
    static struct xnm_record many[MANY];
    struct xnm_policy_answer answer = {.action = XNM_ANSWER, .records = many, .record_count = MANY};
    struct xnm_decision decision = {.answer = &answer, .name = WIRE("\1z")};
    struct xnm_question question = {
        .qname = (const uint8_t *)"", .qname_len = 1, .qtype = ANY, .qclass = 1};
    struct xnm_aliaschain chain = {.count = 0};
    struct xnm_response response;

    for (unsigned kinds = 1; kinds <= 2; kinds++) {
        size_t octets = 0;

        for (unsigned i = 0; i < MANY; i++)
            many[i] = (struct xnm_record){(uint16_t)(TXT + i % kinds), 400, 60, rdata};
        many[1].rdata_len = UINT16_MAX;
        xnm_response_make(&settings, &decision, &question, &chain, &response);
        assert_int_equal(response.set_count, kinds);
        for (size_t i = 0; i < response.record_count; i++)
            octets += 12U + response.records[i].rdata_len;
        assert_in_range(octets, 63000, XNM_RESPONSE_OCTETS_MAX);
    }
    many[0] = many[1];
    answer.record_count = 1;
    xnm_response_make(&settings, &decision, &question, &chain, &response);
    assert_true(response.has_soa);
    assert_int_equal(response.set_count, 1);
}

TEST(test_ede, "extended errors")
{
    char text[XNM_RULE_EDE_TEXT_MAX + 2];
    uint8_t dst[XNM_EDE_OPTION_MAX];
    struct xnm_policy_answer answer = {.ede = 15};

    assert_int_equal(xnm_response_ede(&answer, dst), 2);
    assert_memory_equal(dst, "\0\x0F", 2);
    answer.ede = 0x1234;
    answer.ede_text = "\xC3\xA4";
    assert_int_equal(xnm_response_ede(&answer, dst), 4);
    assert_memory_equal(dst, "\x12\x34\xC3\xA4", 4);
    memset(text, 'x', sizeof text);
    text[XNM_RULE_EDE_TEXT_MAX] = '\0';
    answer.ede_text = text;
    assert_int_equal(xnm_response_ede(&answer, dst), XNM_EDE_OPTION_MAX);
    text[XNM_RULE_EDE_TEXT_MAX] = 'x';
    text[XNM_RULE_EDE_TEXT_MAX + 1] = '\0';
    assert_int_equal(xnm_response_ede(&answer, dst), 2);
    answer.ede = XNM_EDE_OFF;
    assert_int_equal(xnm_response_ede(&answer, dst), 0);
}

TEST_MAIN
