/* SPDX-License-Identifier: BSD-3-Clause */
/* libidnpolicy: rules for some clients and times, for questions and whole messages. */
#include "tests/unit/dnsmessage.h"
#include "tests/unit/idnphandle.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <time.h>

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
    const char *client, *name; /* client "": nobody is known */
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
static void test_questions(void **state)
{
    struct idnp *idnp = open_rules("");

    (void)state;
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
    assert_int_equal(decision->client_specific, 0); /* nobody gets another answer */
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

static void test_messages(void **state)
{
    struct idnp *idnp = open_rules("");
    struct client kid = address_of("192.0.2.9"), other = address_of("198.51.100.9");

    (void)state;
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

static void test_no_clients(void **state)
{
    const struct idnp_options options = {.size = sizeof options, .flags = IDNP_NO_CLIENTS};
    static const char lines[] = "log: none\npolicy: @/rules\n";

    (void)state;
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
static void test_no_transport(void **state)
{
    const struct idnp_options options = {.size = sizeof options, .flags = IDNP_NO_TRANSPORT};
    static const char lines[] = "log: none\npolicy: @/rules\n";

    (void)state;
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

WITH_VERDICT(questions)
WITH_VERDICT(messages)
WITH_VERDICT(no_clients)
WITH_VERDICT(no_transport)

int main(int argc, char **argv)
{
    static const struct CMUnitTest rows_of_tests[] = {
        {"questions", alone_questions, NULL, NULL, NULL},
        {"messages", alone_messages, NULL, NULL, NULL},
        {"hosts that cannot hold client=", alone_no_clients, NULL, NULL, NULL},
        {"hosts that do not know the transport", alone_no_transport, NULL, NULL, NULL},
    };

    return run_in_processes("idnp clients", rows_of_tests, COUNT(rows_of_tests), argc, argv);
}
