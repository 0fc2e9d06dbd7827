/* SPDX-License-Identifier: BSD-3-Clause */
/* libidnpolicy: rules for some clients and times, for questions and whole messages. */

#include <arpa/inet.h>
#include <time.h>

#include "tests/unit/dnsmessage.h"
#include "tests/unit/idnphandle.h"

enum { MONDAY_10 = 1795428000, MONDAY_20 = MONDAY_10 + 36000 }; /* UTC */

static const char rules[] = "group kids 192.0.2.0/24 2001:db8::/32\n"
                            "refuse zone a.example client=kids\n"
                            "redirect 192.0.2.80 name b.example client=192.0.2.7\n"
                            "nxdomain name all.example\n"
                            "passthru name all.example client=!kids\n"
                            "nodata name when.example when=Mon/08:00-16:00\n"
                            "log name log.example client=kids tag=x\n";

static const struct client {
    uint8_t address[16];
    uint32_t len;
} nobody;

static struct client address_of(const char *text)
{
    struct client client = {{0}, 0};

    if (inet_pton(AF_INET, text, client.address) == 1)
        client.len = 4;
    else if (inet_pton(AF_INET6, text, client.address) == 1)
        client.len = 16;
    return client;
}

static struct idnp *open_rules(const char *more)
{
    char lines[200];

    setenv("TZ", "UTC", 1);
    tzset();
    write_in("rules", rules);
    snprintf(lines, sizeof lines, "log: none\npolicy: @/rules\n%s", more);
    return open_handle(lines);
}

static int32_t ask_as(struct idnp *idnp, struct client client, const char *name, int64_t seconds)
{
    uint8_t wire[XN_WIRE_NAME_MAX];
    struct idnp_question question = {.size = sizeof question,
                                     .flags = IDNP_UDP,
                                     .qname = wire,
                                     .qname_len = (uint32_t)wire_of(name, wire),
                                     .qtype = A,
                                     .qclass = IN,
                                     .address_len = client.len,
                                     .seconds = seconds};

    memcpy(question.address, client.address, sizeof client.address);
    return idnp_decide(idnp, &question, decision);
}

static const struct row {
    const char *client, *name; /* client "": unknown */
    int64_t seconds;
    int32_t result;
    uint32_t matched, client_specific;
    const char *group;
} rows[] = {
    {"192.0.2.9", "x.a.example", 0, IDNP_ANSWER, 1, 1, "kids"},
    {"2001:db8::9", "a.example", 0, IDNP_ANSWER, 1, 1, "kids"},
    {"::ffff:192.0.2.9", "a.example", 0, IDNP_ANSWER, 1, 1, "kids"},
    {"198.51.100.9", "a.example", 0, IDNP_LEAVE, 0, 1, ""},
    {"", "a.example", 0, IDNP_LEAVE, 0, 1, ""},
    {"192.0.2.7", "b.example", 0, IDNP_ANSWER, 1, 1, ""},
    {"192.0.2.9", "b.example", 0, IDNP_LEAVE, 0, 1, ""},
    {"192.0.2.9", "all.example", 0, IDNP_ANSWER, 1, 1, ""},
    {"198.51.100.9", "all.example", 0, IDNP_LEAVE, 1, 1, ""},
    {"", "all.example", 0, IDNP_ANSWER, 1, 1, ""},
    {"", "when.example", MONDAY_10, IDNP_ANSWER, 1, 1, ""},
    {"192.0.2.9", "when.example", MONDAY_10, IDNP_ANSWER, 1, 1, ""},
    {"192.0.2.9", "when.example", MONDAY_20, IDNP_LEAVE, 0, 1, ""},
    {"192.0.2.9", "log.example", 0, IDNP_LEAVE, 1, 0, "kids"},
    {"198.51.100.9", "log.example", 0, IDNP_LEAVE, 0, 0, ""},
    {"192.0.2.9", "plain.example", 0, IDNP_LEAVE, 0, 0, ""},
};

static void expect_row(const struct row *row, int32_t result)
{
    if (result != row->result || decision->matched != row->matched ||
        decision->client_specific != row->client_specific ||
        strcmp(decision->group, row->group) != 0)
        fail_msg("'%s' asks for %s: result %d, matched %u, client_specific %u, group '%s'",
                 row->client, row->name, (int)result, (unsigned)decision->matched,
                 (unsigned)decision->client_specific, decision->group);
}

/* In turn, so that what is remembered of one client's question is another's. */
TEST(test_questions, "questions")
{
    struct idnp *idnp = open_rules("");

    for (int again = 0; again < 3; again++) {
        for (size_t i = 0; i < COUNT(rows); i++)
            expect_row(&rows[i],
                       ask_as(idnp, address_of(rows[i].client), rows[i].name, rows[i].seconds));
    }
    for (uint32_t len = 1; len < 20; len++) {
        struct client someone = {{0}, len};
        assert_int_equal(ask_as(idnp, someone, "a.example", 0) == IDNP_BAD_ARGUMENT,
                         len != 4 && len != 16);
    }
    idnp_close(idnp);
    idnp = open_rules("policy-mode: log-only\n");
    assert_int_equal(ask_as(idnp, address_of("192.0.2.9"), "a.example", 0), IDNP_LEAVE);
    assert_int_equal(decision->log_only, 1);
    assert_int_equal(decision->client_specific, 0); /* every client gets the same answer */
    idnp_close(idnp);
}

/* --- whole messages --- */

static struct dns query, answer;
static uint8_t reply[65535];
static struct idnp_exchange exchange;

static int32_t exchange_as(struct idnp *idnp, struct client client, int64_t seconds)
{
    exchange = (struct idnp_exchange){.size = sizeof exchange,
                                      .flags = IDNP_UDP,
                                      .query = query.octets,
                                      .answer = answer.len > 0 ? answer.octets : NULL,
                                      .reply = reply,
                                      .query_len = (uint32_t)query.len,
                                      .answer_len = (uint32_t)answer.len,
                                      .reply_cap = sizeof reply,
                                      .address_len = client.len,
                                      .seconds = seconds};
    memcpy(exchange.address, client.address, sizeof client.address);
    return idnp_decide_message(idnp, &exchange, decision);
}

static void begin(const char *name)
{
    begin_dns(&query, RD, name, A);
    begin_dns(&answer, QR | RD | RA, name, A);
}

TEST(test_messages, "messages")
{
    struct idnp *idnp = open_rules("");
    struct client kid = address_of("192.0.2.9"), other = address_of("198.51.100.9");

    for (size_t i = 0; i < COUNT(rows); i++) {
        begin(rows[i].name);
        answer.len = 0;
        expect_row(&rows[i], exchange_as(idnp, address_of(rows[i].client), rows[i].seconds));
    }
    begin("q.example"); /* an alias's target */
    put_alias(&answer, "q.example", CNAME, "a.example");
    put_a(&answer, ANSWER, "a.example");
    assert_int_equal(exchange_as(idnp, kid, 0), IDNP_ANSWER);
    assert_string_equal(show_dns(reply, exchange.reply_len), "REFUSED qr rd ra\n");
    assert_int_equal(decision->target_count, 1);
    assert_string_equal(decision->group, "kids");
    assert_int_equal(decision->client_specific, 1);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(exchange_as(idnp, i ? nobody : other, 0), IDNP_LEAVE);
        assert_int_equal(exchange.reply_len, 0);
        assert_int_equal(decision->client_specific, 1);
    }
    begin("q.example"); /* the additional section */
    put_a(&answer, ANSWER, "");
    put_a(&answer, ADDITIONAL, "a.example");
    assert_int_equal(exchange_as(idnp, kid, 0), IDNP_LEAVE);
    assert_string_equal(show_dns(reply, exchange.reply_len),
                        "NOERROR qr rd ra\nanswer q.example. 300 IN A 192.0.2.9\n");
    assert_int_equal(decision->client_specific, 1);
    assert_int_equal(exchange_as(idnp, other, 0), IDNP_LEAVE);
    assert_int_equal(exchange.reply_len, 0);
    assert_int_equal(decision->client_specific, 1);
    begin("q.example");
    put_a(&answer, ANSWER, "");
    put_a(&answer, ADDITIONAL, "when.example");
    assert_int_equal(exchange_as(idnp, other, MONDAY_10), IDNP_LEAVE);
    assert_true(exchange.reply_len > 0);
    assert_int_equal(exchange_as(idnp, other, MONDAY_20), IDNP_LEAVE);
    assert_int_equal(exchange.reply_len, 0);
    begin("q.example");
    put_a(&answer, ANSWER, "");
    assert_int_equal(exchange_as(idnp, kid, 0), IDNP_LEAVE);
    assert_int_equal(decision->client_specific, 0);
    kid.len = 5;
    assert_int_equal(exchange_as(idnp, kid, 0), IDNP_BAD_ARGUMENT);
    idnp_close(idnp);
}

/* --- hosts that cannot hold them --- */

TEST(test_no_clients, "hosts that cannot hold client=")
{
    const struct idnp_options options = {.size = sizeof options, .flags = IDNP_NO_CLIENTS};
    static const char lines[] = "log: none\npolicy: @/rules\n";

    write_in("rules", "refuse name a.example\n\nlog name b.example client=!192.0.2.7 tag=x\n");
    struct idnp *idnp = try_handle(lines, &options);
    assert_non_null(idnp);
    assert_non_null(strstr(open_errors, "/rules:3:1: left out: a rule with client=, which this "
                                        "resolver cannot apply as it is configured\n"));
    assert_int_equal(ask(idnp, "a.example"), IDNP_ANSWER); /* the others are in force */
    assert_int_equal(ask(idnp, "b.example"), IDNP_LEAVE);
    assert_int_equal(decision->matched, 0);
    write_in("rules", "refuse name a.example when=00:00-12:00,12:00-24:00\ngroup kids ::/0\n"
                      "refuse name b.example client=::/0\nrefuse name c.example\n");
    WAIT_FOR(ask(idnp, "c.example") == IDNP_ANSWER);
    assert_int_equal(ask(idnp, "a.example"), IDNP_ANSWER);
    assert_int_equal(ask(idnp, "b.example"), IDNP_LEAVE);
    idnp_close(idnp);
}

/* A host that does not know the transport can neither drop nor truncate. */
TEST(test_no_transport, "hosts that do not know the transport")
{
    const struct idnp_options options = {.size = sizeof options, .flags = IDNP_NO_TRANSPORT};
    static const char lines[] = "log: none\npolicy: @/rules\n";

    write_in("rules", "drop name a.example\ntcp-only name b.example\nrpz zone action=drop\n"
                      "rpz zone action=tcp-only\nrefuse name c.example client=::/0\n");
    write_in("zone", "$ORIGIN z.\n@ SOA a. b. 1 3600 60 86400 60\nx.example CNAME .\n");
    struct idnp *idnp = try_handle(lines, &options);
    assert_non_null(idnp);
    for (const char **said = (const char *[]){"/rules:1:1: this resolver cannot drop",
                                              "/rules:2:1: left out: tcp-only",
                                              "/rules:3:1: this resolver cannot drop",
                                              "/rules:4:1: left out: tcp-only", NULL};
         *said; said++)
        if (!strstr(open_errors, *said))
            fail_msg("%s is not in %s", *said, open_errors);
    assert_int_equal(ask_for(idnp, "a.example", A, 0), IDNP_ANSWER);
    assert_int_equal(decision->rcode, 5);
    assert_int_equal(ask(idnp, "b.example"), IDNP_LEAVE);
    assert_int_equal(ask(idnp, "x.example"), IDNP_DROP);
    idnp_close(idnp);
}

/* --- clients that a forwarder names by EDNS Client Subnet --- */

enum { SUBNET = 8, QUESTION_LEN = 12 + 11 + 4 };

static const char subnet_rules[] = "group kids 192.0.2.0/24\nrefuse zone a.example client=kids\n";
#define FORWARDED "policy: @/rules\nclient-subnet-from: 198.51.100.53\n"

static const struct subnet_row {
    const char *name;
    uint8_t last; /* octet of the address 198.51.100.x that asks */
    uint8_t data[9];
    uint32_t len; /* 0: no option */
    bool is_kid;
    const char *logged;
} subnet_rows[] = {
    {"a forwarder that names a kid", 53, {0, 1, 32, 0, 192, 0, 2, 7}, 8, true, "192.0.2.7"},
    {"… the kids' network", 53, {0, 1, 24, 0, 192, 0, 2}, 7, true, "192.0.2.0/24"},
    {"… a larger network", 53, {0, 1, 23, 0, 192, 0, 2}, 7, false, "192.0.2.0/23"},
    {"… somebody else", 53, {0, 1, 32, 0, 203, 0, 113, 7}, 8, false, "203.0.113.7"},
    {"… an octet too many", 53, {0, 1, 32, 0, 192, 0, 2, 7, 0}, 9, false, "198.51.100.53"},
    {"… nobody", 53, {0, 1, 0, 0}, 4, false, "198.51.100.53"},
    {"… without the option", 53, {0}, 0, false, "198.51.100.53"},
    {"a stranger that names a kid", 54, {0, 1, 32, 0, 192, 0, 2, 7}, 8, false, "198.51.100.54"},
};

static struct idnp *open_subnet_rules(const char *lines)
{
    write_in("rules", subnet_rules);
    return open_handle(lines);
}

/* On the heap, so that a sanitizer sees each octet that is read too far. NULL: no option. */
static uint8_t *subnet_of(const struct subnet_row *row)
{
    uint8_t *data = row->len > 0 ? malloc(row->len) : NULL;

    if (data)
        memcpy(data, row->data, row->len);
    return data;
}

static int32_t decide_question(struct idnp *idnp, const struct subnet_row *row)
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

/* Puts an option that nothing reads before the subnet option. */
static void put_query(const struct subnet_row *row)
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
static int32_t decide_message(struct idnp *idnp, const struct subnet_row *row, bool with_query)
{
    uint8_t *data = with_query ? NULL : subnet_of(row);
    struct idnp_exchange talk = {.size = sizeof talk,
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
    int32_t result = idnp_decide_message(idnp, &talk, decision);

    free(data);
    return result;
}

TEST(test_deciding, "questions and messages")
{
    struct idnp *idnp = open_subnet_rules("log: none\n" FORWARDED);

    assert_int_equal(idnp_wants_subnet(idnp), 1);
    begin_dns(&answer, QR | RD | RA, "a.example", A);
    for (size_t i = 0; i < 3 * COUNT(subnet_rows); i++) {
        const struct subnet_row *row = &subnet_rows[i % COUNT(subnet_rows)];
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

TEST(test_without_the_key, "without client-subnet-from")
{
    struct idnp *idnp = open_subnet_rules("log: none\npolicy: @/rules\n");

    assert_int_equal(idnp_wants_subnet(idnp), 0);
    assert_int_equal(idnp_wants_subnet(NULL), 0);
    put_query(&subnet_rows[0]);
    assert_int_equal(decide_question(idnp, &subnet_rows[0]), IDNP_LEAVE);
    assert_int_equal(decide_message(idnp, &subnet_rows[0], true), IDNP_LEAVE);
    idnp_close(idnp);
}

TEST(test_logging, "the log")
{
    struct idnp *idnp = open_subnet_rules("log-to: @/log\n" FORWARDED);
    uint8_t wire[XN_WIRE_NAME_MAX];
    char expected[4096] = "";

    for (size_t i = 0; i < COUNT(subnet_rows); i++) {
        uint8_t *data = subnet_of(&subnet_rows[i]);
        const struct idnp_reply told = {.size = sizeof told,
                                        .qname = wire,
                                        .qname_len = (uint32_t)wire_of("b.example", wire),
                                        .qtype = A,
                                        .qclass = IN,
                                        .address = {198, 51, 100, subnet_rows[i].last},
                                        .address_len = 4,
                                        .seconds = 1795211763,
                                        .subnet = data,
                                        .subnet_len = subnet_rows[i].len};
        assert_int_equal(idnp_report(idnp, &told, NULL), 0);
        snprintf(expected + strlen(expected), sizeof expected - strlen(expected),
                 "2026-11-20T21:56:03.000000Z %s b.example. A IN NOERROR 0.000000 0 -\n",
                 subnet_rows[i].logged);
        free(data);
    }
    idnp_close(idnp);
    assert_string_equal(read_text(log_path), expected);
}

TEST_MAIN_IN_PROCESSES(open_decision, close_decision)
