/* SPDX-License-Identifier: BSD-3-Clause */
/* libidnpolicy: clients that a forwarder names by EDNS Client Subnet. */
#include "tests/unit/dnsmessage.h"
#include "tests/unit/idnphandle.h"

enum { SUBNET = 8, QUESTION_LEN = 12 + 11 + 4 };

static const char rules[] = "group kids 192.0.2.0/24\nrefuse zone a.example client=kids\n";
#define FORWARDED "policy: @/rules\nclient-subnet-from: 198.51.100.53\n"

static const struct row {
    const char *name;
    uint8_t last; /* octet of the address 198.51.100.x that asks */
    uint8_t data[9];
    uint32_t len; /* 0: no option */
    bool is_kid;
    const char *logged;
} rows[] = {
    {"a forwarder that names a kid", 53, {0, 1, 32, 0, 192, 0, 2, 7}, 8, true, "192.0.2.7"},
    {"… the kids' network", 53, {0, 1, 24, 0, 192, 0, 2}, 7, true, "192.0.2.0/24"},
    {"… a larger network", 53, {0, 1, 23, 0, 192, 0, 2}, 7, false, "192.0.2.0/23"},
    {"… somebody else", 53, {0, 1, 32, 0, 203, 0, 113, 7}, 8, false, "203.0.113.7"},
    {"… an octet too many", 53, {0, 1, 32, 0, 192, 0, 2, 7, 0}, 9, false, "198.51.100.53"},
    {"… nobody", 53, {0, 1, 0, 0}, 4, false, "198.51.100.53"},
    {"… without the option", 53, {0}, 0, false, "198.51.100.53"},
    {"a stranger that names a kid", 54, {0, 1, 32, 0, 192, 0, 2, 7}, 8, false, "198.51.100.54"},
};

static struct idnp *open_rules(const char *lines)
{
    write_in("rules", rules);
    return open_handle(lines);
}

/* On the heap, so that a sanitizer sees each octet that is read too far. NULL: no option. */
static uint8_t *subnet_of(const struct row *row)
{
    uint8_t *data = row->len > 0 ? malloc(row->len) : NULL;

    if (data)
        memcpy(data, row->data, row->len);
    return data;
}

static int32_t decide_question(struct idnp *idnp, const struct row *row)
{
    uint8_t wire[XN_WIRE_NAME_MAX], *data = subnet_of(row);
    const struct idnp_question question = {.size = sizeof question,
                                           .qname = wire,
                                           .qname_len = (uint32_t)wire_of("a.example", wire),
                                           .qtype = A,
                                           .qclass = IN,
                                           .address = {198, 51, 100, row->last},
                                           .address_len = 4,
                                           .subnet = data,
                                           .subnet_len = row->len};
    int32_t result = idnp_decide(idnp, &question, decision);

    free(data);
    return result;
}

static struct dns query, answer;
static uint8_t reply[65535];

/* An option that nothing reads stands before it. */
static void put_query(const struct row *row)
{
    begin_dns(&query, RD, "a.example", A);
    put_edns(&query, 1232, false);
    query.len -= 2;
    put_u16(&query, 6 + (row->len > 0 ? 4 + row->len : 0));
    put_u16(&query, 10);
    put_u16(&query, 2);
    put_u16(&query, SUBNET);
    if (row->len == 0)
        return;
    put_u16(&query, SUBNET);
    put_u16(&query, row->len);
    memcpy(query.octets + query.len, row->data, row->len);
    query.len += row->len;
}

/* With the query, or with an answer and the option's data. */
static int32_t decide_message(struct idnp *idnp, const struct row *row, bool with_query)
{
    uint8_t *data = with_query ? NULL : subnet_of(row);
    struct idnp_exchange exchange = {.size = sizeof exchange,
                                     .query = with_query ? query.octets : NULL,
                                     .query_len = (uint32_t)query.len,
                                     .answer = with_query ? NULL : answer.octets,
                                     .answer_len = (uint32_t)answer.len,
                                     .reply = reply,
                                     .reply_cap = sizeof reply,
                                     .address = {198, 51, 100, row->last},
                                     .address_len = 4,
                                     .subnet = data,
                                     .subnet_len = row->len};
    int32_t result = idnp_decide_message(idnp, &exchange, decision);

    free(data);
    return result;
}

static void test_deciding(void **state)
{
    struct idnp *idnp = open_rules("log: none\n" FORWARDED);

    (void)state;
    assert_int_equal(idnp_wants_subnet(idnp), 1);
    begin_dns(&answer, QR | RD | RA, "a.example", A);
    for (size_t i = 0; i < 3 * COUNT(rows); i++) {
        const struct row *row = &rows[i % COUNT(rows)];
        int32_t wanted = row->is_kid ? IDNP_ANSWER : IDNP_LEAVE;
        put_query(row);
        const int32_t results[] = {decide_question(idnp, row), decide_message(idnp, row, true),
                                   decide_message(idnp, row, false)};
        for (size_t way = 0; way < COUNT(results); way++)
            if (results[way] != wanted)
                fail_msg("%s, way %zu: %d", row->name, way, (int)results[way]);
    }
    idnp_close(idnp);
}

static void test_without_the_key(void **state)
{
    struct idnp *idnp = open_rules("log: none\npolicy: @/rules\n");

    (void)state;
    assert_int_equal(idnp_wants_subnet(idnp), 0);
    assert_int_equal(idnp_wants_subnet(NULL), 0);
    put_query(&rows[0]);
    assert_int_equal(decide_question(idnp, &rows[0]), IDNP_LEAVE);
    assert_int_equal(decide_message(idnp, &rows[0], true), IDNP_LEAVE);
    idnp_close(idnp);
}

static void test_logging(void **state)
{
    struct idnp *idnp = open_rules("log-to: @/log\n" FORWARDED);
    uint8_t wire[XN_WIRE_NAME_MAX];
    char expected[4096] = "";

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        uint8_t *data = subnet_of(&rows[i]);
        const struct idnp_reply told = {.size = sizeof told,
                                        .qname = wire,
                                        .qname_len = (uint32_t)wire_of("b.example", wire),
                                        .qtype = A,
                                        .qclass = IN,
                                        .address = {198, 51, 100, rows[i].last},
                                        .address_len = 4,
                                        .seconds = 1795211763,
                                        .subnet = data,
                                        .subnet_len = rows[i].len};
        assert_int_equal(idnp_report(idnp, &told, NULL), 0);
        snprintf(expected + strlen(expected), sizeof expected - strlen(expected),
                 "2026-11-20T21:56:03.000000Z %s b.example. A IN NOERROR 0.000000 0 -\n",
                 rows[i].logged);
        free(data);
    }
    idnp_close(idnp);
    assert_string_equal(read_text(log_path), expected);
}

WITH_VERDICT(deciding)
WITH_VERDICT(without_the_key)
WITH_VERDICT(logging)

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        {"questions and messages", alone_deciding, NULL, NULL, NULL},
        {"without client-subnet-from", alone_without_the_key, NULL, NULL, NULL},
        {"the log", alone_logging, NULL, NULL, NULL},
    };

    return run_in_processes("idnp subnet", tests, COUNT(tests), argc, argv);
}
