/* SPDX-License-Identifier: BSD-3-Clause */
/* libidnpolicy: whole messages. */
#include "tests/unit/idnpmessage.h"

/* --- questions --- */

static const struct scene {
    const char *name;
    unsigned flags, qtype;
    bool edns;
    uint32_t udp;
    int32_t result;
    const char *reply; /* NULL: none */
} scenes[] = {
    {"www.example", RD, A, true, IDNP_UDP, IDNP_LEAVE, NULL},
    {"a.example", RD, A, true, IDNP_UDP, IDNP_ANSWER, "REFUSED qr rd ra\nedns 1232\n"},
    {"A.eXample", 0, A, false, 0, IDNP_ANSWER, "REFUSED qr ra\n"},
    {"x.nx.example", RD | CD | AD, A, true, 0, IDNP_ANSWER,
     "NXDOMAIN qr rd ra cd\nauthority nx.example. 77 IN SOA ns.test. nobody.test. 1 3600 900 "
     "604800 77\nedns 1232 ede 17 \"bl\u00F6d\"\n"},
    {"d.example", RD, A, true, IDNP_UDP, IDNP_DROP, NULL},
    {"d.example", RD, A, true, 0, IDNP_ANSWER, "REFUSED qr rd ra\nedns 1232\n"},
    {"r.example", RD, A, true, IDNP_UDP, IDNP_ANSWER,
     "NOERROR qr rd ra\nanswer r.example. 60 IN A 192.0.2.1\nanswer r.example. 60 IN A "
     "192.0.2.2\nedns 1232 ede 4 \"\"\n"},
    {"r.example", RD, ANY, false, IDNP_UDP, IDNP_ANSWER,
     "NOERROR qr rd ra\nanswer r.example. 60 IN A 192.0.2.1\nanswer r.example. 60 IN A "
     "192.0.2.2\nanswer r.example. 60 IN AAAA 2001:db8::1\n"},
    {"c.example", RD, A, false, IDNP_UDP, IDNP_ANSWER,
     "NOERROR qr rd ra\nanswer c.example. 60 IN CNAME t.example.\n"},
    {"tcp.example", RD, A, true, IDNP_UDP, IDNP_TRUNCATE, "NOERROR qr tc rd ra\nedns 1232\n"},
    {"tcp.example", RD, A, true, 0, IDNP_LEAVE, NULL},
    {"log.example", RD, A, true, 0, IDNP_LEAVE, NULL},
};

static void test_questions(void **state)
{
    (void)state;
    open_all();
    for (size_t i = 0; i < COUNT(scenes); i++) {
        const struct scene *scene = &scenes[i];
        begin_dns(&query, scene->flags, scene->name, scene->qtype);
        if (scene->edns)
            put_edns(&query, 4096, false);
        assert_int_equal(decide_with(NULL, scene->udp), scene->result);
        if (scene->reply)
            expect_reply(scene->reply);
        else
            assert_int_equal(exchange.reply_len, 0);
    }
    idnp_close(idnp);
}

/* --- queries that are none --- */

static void expect_bad_query(void)
{
    assert_int_equal(decide_with(NULL, IDNP_UDP), IDNP_BAD_MESSAGE);
    assert_int_equal(exchange.reply_len, 0);
}

static void test_bad_queries(void **state)
{
    (void)state;
    open_all();
    begin_query("a.example");
    for (size_t len = query.len; query.len > 0;) {
        query.len--;
        expect_bad_query();
        assert_true(len > query.len);
    }
    begin_query("a.example");
    query.octets[2] |= QR >> 8;
    expect_bad_query();
    begin_query("a.example");
    query.octets[2] |= 0x20; /* NOTIFY */
    expect_bad_query();
    begin_query("a.example");
    query.octets[5] = 2;
    expect_bad_query();
    begin_query("a.example");
    query.octets[5] = 0;
    expect_bad_query();
    begin_query("a.example");
    put_edns(&query, 1232, false);
    put_edns(&query, 1232, false);
    expect_bad_query();
    begin_query("a.example");
    put_edns(&query, 1232, false);
    query.octets[query.len - 5] = 1; /* its version */
    expect_bad_query();
    begin_query("a.example");
    put_edns(&query, 1232, false);
    query.octets[query.len - 1] = 1; /* its length */
    expect_bad_query();
    query.len = 12;
    put_u16(&query, 0xC00C); /* a name that is itself */
    put_u16(&query, A);
    put_u16(&query, IN);
    expect_bad_query();
    begin_query("a.example");
    exchange.size = offsetof(struct idnp_exchange, subnet) - 1;
    assert_int_equal(idnp_decide_message(idnp, &exchange, decision), IDNP_BAD_ARGUMENT);
    assert_int_equal(idnp_decide_message(idnp, NULL, decision), IDNP_BAD_ARGUMENT);
    assert_int_equal(idnp_decide_message(NULL, &exchange, decision), IDNP_BAD_ARGUMENT);
    assert_int_equal(idnp_decide_message(idnp, &exchange, NULL), IDNP_BAD_ARGUMENT);
    idnp_close(idnp);
}

/* --- answers --- */

static void test_chains(void **state)
{
    (void)state;
    open_all();
    begin_answer();
    put_a(&answer, ANSWER, "");
    assert_int_equal(decide_with(&answer, IDNP_UDP), IDNP_LEAVE);
    assert_int_equal(exchange.reply_len, 0);

    begin_answer(); /* and its order is not the chain's */
    put_a(&answer, ANSWER, "end.test");
    put_alias(&answer, "x.nx.example", CNAME, "end.test");
    put_alias(&answer, "other.test", CNAME, "a.example");
    put_alias(&answer, "m.test", CNAME, "X.nx.example");
    put_alias(&answer, "", CNAME, "m.test");
    assert_int_equal(decide_with(&answer, IDNP_UDP), IDNP_ANSWER);
    assert_int_equal(decision->target_count, 2);
    expect_reply("NXDOMAIN qr rd ra\nanswer q.example. 300 IN CNAME m.test.\n"
                 "answer m.test. 300 IN CNAME X.nx.example.\n"
                 "authority nx.example. 77 IN SOA ns.test. nobody.test. 1 3600 900 604800 77\n"
                 "edns 1232 do ede 17 \"bl\u00F6d\"\n");

    begin_answer();
    put_alias(&answer, "example", DNAME, "nx.example"); /* without its CNAME */
    assert_int_equal(decide_with(&answer, IDNP_UDP), IDNP_ANSWER);
    expect_reply("NXDOMAIN qr rd ra\nanswer example. 300 IN DNAME nx.example.\n"
                 "answer q.example. 300 IN CNAME q.nx.example.\n"
                 "authority nx.example. 77 IN SOA ns.test. nobody.test. 1 3600 900 604800 77\n"
                 "edns 1232 do ede 17 \"bl\u00F6d\"\n");

    begin_answer(); /* a loop */
    put_alias(&answer, "", CNAME, "q.example");
    assert_int_equal(decide_with(&answer, IDNP_UDP), IDNP_LEAVE);

    begin_answer();
    put_alias(&answer, "", CNAME, "a.example");
    assert_int_equal(decide_with(&answer, IDNP_UDP), IDNP_ANSWER);
    expect_reply("REFUSED qr rd ra\nedns 1232 do\n");
    answer.octets[3] |= 2; /* SERVFAIL: the policy's answer all the same */
    assert_int_equal(decide_with(&answer, IDNP_UDP), IDNP_ANSWER);

    begin_answer();
    put_alias(&answer, "", CNAME, "tcp.example");
    assert_int_equal(decide_with(&answer, IDNP_UDP), IDNP_TRUNCATE);
    expect_reply("NOERROR qr tc rd ra\nedns 1232 do\n");
    assert_int_equal(decide_with(&answer, 0), IDNP_LEAVE);
    idnp_close(idnp);
}

/* Without a query, the answer's question stands for it. */
static void test_without_query(void **state)
{
    (void)state;
    open_all();
    begin_answer();
    put_alias(&answer, "", CNAME, "x.nx.example");
    assert_int_equal(decide_without(&answer, IDNP_UDP), IDNP_ANSWER);
    expect_reply("NXDOMAIN qr rd ra\nanswer q.example. 300 IN CNAME x.nx.example.\n"
                 "authority nx.example. 77 IN SOA ns.test. nobody.test. 1 3600 900 604800 77\n");
    put_edns(&answer, 1232, true);
    assert_int_equal(decide_without(&answer, IDNP_UDP), IDNP_ANSWER);
    expect_reply("NXDOMAIN qr rd ra\nanswer q.example. 300 IN CNAME x.nx.example.\n"
                 "authority nx.example. 77 IN SOA ns.test. nobody.test. 1 3600 900 604800 77\n"
                 "edns 1232 do ede 17 \"bl\u00F6d\"\n");
    put_edns(&answer, 1232, true); /* a second one */
    assert_int_equal(decide_without(&answer, IDNP_UDP), IDNP_BAD_MESSAGE);
    begin_answer();
    put_a(&answer, ANSWER, "");
    assert_int_equal(decide_without(&answer, IDNP_UDP), IDNP_LEAVE);
    assert_int_equal(exchange.reply_len, 0);
    put_a(&answer, ADDITIONAL, "a.example");
    assert_int_equal(decide_without(&answer, IDNP_UDP), IDNP_LEAVE);
    assert_true(exchange.reply_len > 0);
    answer.len--;
    assert_int_equal(decide_without(&answer, IDNP_UDP), IDNP_BAD_MESSAGE);
    begin_dns(&answer, RD, "q.example", A); /* no response */
    assert_int_equal(decide_without(&answer, 0), IDNP_BAD_MESSAGE);
    assert_int_equal(decide_without(NULL, 0), IDNP_BAD_MESSAGE);
    idnp_close(idnp);
}

/* Over UDP the reply may be as long as the answer, or 512 octets. */
static void test_room_without_query(void **state)
{
    char rule[1024] = "answer name long.example TXT ";

    (void)state;
    for (int i = 0; i < 4; i++)
        sprintf(rule + strlen(rule), "\"%0200d\" ", i);
    strcat(rule, "\n");
    idnp = open_with_rules(rule);
    for (int padding = 0; padding < 2; padding++) {
        begin_dns(&answer, QR | RD | RA, "q.example", TXT);
        put_alias(&answer, "", CNAME, "long.example");
        for (int i = 0; i < 60 * padding; i++)
            put_a(&answer, AUTHORITY, "q.example");
        assert_int_equal(decide_without(&answer, 0), IDNP_ANSWER);
        assert_int_equal(reply[2] & 2, 0);
        assert_int_equal(decide_without(&answer, IDNP_UDP), IDNP_ANSWER);
        assert_int_equal(reply[2] & 2, padding ? 0 : 2);
    }
    idnp_close(idnp);
}

static void test_long_chains(void **state)
{
    char from[32] = "q.example", to[32];

    (void)state;
    open_all();
    begin_answer();
    for (int i = 0; i < 32; i++, strcpy(from, to)) {
        snprintf(to, sizeof to, "l%d.test", i);
        put_alias(&answer, from, CNAME, to);
    }
    assert_int_equal(decide_with(&answer, IDNP_UDP), IDNP_LEAVE);
    put_alias(&answer, from, CNAME, "a.example");
    assert_int_equal(decide_with(&answer, IDNP_UDP), IDNP_BAD_MESSAGE);
    begin_answer();
    for (int i = 0; i < 65; i++)
        put_alias(&answer, "other.test", CNAME, "a.test");
    assert_int_equal(decide_with(&answer, IDNP_UDP), IDNP_BAD_MESSAGE);
    for (int others = 62; others < 64; others++) { /* and a DNAME without its CNAME */
        begin_answer();
        for (int i = 0; i < others; i++)
            put_alias(&answer, "other.test", CNAME, "a.test");
        put_alias(&answer, "example", DNAME, "nx.example");
        assert_int_equal(decide_with(&answer, IDNP_UDP),
                         others == 62 ? IDNP_ANSWER : IDNP_BAD_MESSAGE);
    }
    idnp_close(idnp);
}

/* Some clients follow the one alias, some the other. */
static void test_forks(void **state)
{
    static const char *const later[] = {"s.x.test", "allowed.test"};

    (void)state;
    open_all();
    begin_answer(); /* a CNAME beside its DNAME, in any case: RFC 6672, section 3.1 */
    put_alias(&answer, "example", DNAME, "allowed.test");
    put_alias(&answer, "", CNAME, "Q.allowed.TEST");
    assert_int_equal(decide_with(&answer, IDNP_UDP), IDNP_LEAVE);
    begin_answer(); /* and one that is not made of it */
    put_alias(&answer, "example", DNAME, "nx.example");
    put_alias(&answer, "", CNAME, "allowed.test");
    assert_int_equal(decide_with(&answer, IDNP_UDP), IDNP_BAD_MESSAGE);
    for (size_t i = 0; i < 2; i++) { /* further on, below the same DNAME */
        begin_answer();
        put_alias(&answer, "example", DNAME, "x.test");
        put_alias(&answer, "", CNAME, "q.x.test");
        put_alias(&answer, "q.x.test", CNAME, "s.example");
        put_alias(&answer, "s.example", CNAME, later[i]);
        assert_int_equal(decide_with(&answer, IDNP_UDP), i == 0 ? IDNP_LEAVE : IDNP_BAD_MESSAGE);
    }
    begin_answer(); /* two DNAMEs above it: nothing is below a DNAME but what it makes */
    put_alias(&answer, "", DNAME, "nx.example");
    put_alias(&answer, "example", DNAME, "allowed.test");
    assert_int_equal(decide_with(&answer, IDNP_UDP), IDNP_LEAVE);
    begin_dns(&answer, QR | RD | RA, "q.q.example", A);
    begin_query("q.q.example");
    put_alias(&answer, "q.example", DNAME, "allowed.test");
    put_alias(&answer, "example", DNAME, "nx.example");
    assert_int_equal(decide_with(&answer, IDNP_UDP), IDNP_BAD_MESSAGE);
    begin_answer(); /* two aliases of one name: RFC 2181, section 10.1 */
    put_alias(&answer, "", CNAME, "m.test");
    put_alias(&answer, "m.test", CNAME, "allowed.test");
    put_alias(&answer, "m.test", CNAME, "a.example");
    assert_int_equal(decide_with(&answer, IDNP_UDP), IDNP_BAD_MESSAGE);
    idnp_close(idnp);
}

/* Records of the answer section that neither the question nor an alias leads to. */
static void test_strangers(void **state)
{
    static const char *const owners[] = {"a.example", "x.nx.example", "q.example", "allowed.test"};

    (void)state;
    open_all();
    for (size_t i = 0; i < 4; i++) {
        int32_t wanted = i < 2 ? IDNP_BAD_MESSAGE : IDNP_LEAVE;
        for (int chains = 0; chains < 2; chains++) {
            begin_answer();
            if (chains)
                put_alias(&answer, "", CNAME, "m.test");
            put_a(&answer, ANSWER, chains ? "m.test" : "");
            put_a(&answer, ANSWER, owners[i]);
            assert_int_equal(decide_with(&answer, IDNP_UDP), wanted);
        }
    }
    begin_answer();
    put_alias(&answer, "a.example", CNAME, "allowed.test");
    assert_int_equal(decide_with(&answer, IDNP_UDP), IDNP_BAD_MESSAGE);
    begin_answer();
    put_a(&answer, ANSWER, "");
    for (int i = 0; i < 64; i++)
        put_a(&answer, ANSWER, "allowed.test");
    assert_int_equal(decide_with(&answer, 0), IDNP_LEAVE);
    put_a(&answer, ANSWER, "allowed.test");
    assert_int_equal(decide_with(&answer, 0), IDNP_BAD_MESSAGE);
    begin_answer();
    put_alias(&answer, "example", DNAME, "a.example"); /* it makes no record of that name */
    put_alias(&answer, "", CNAME, "q.a.example");
    put_a(&answer, ANSWER, "q.a.example");
    assert_int_equal(decide_with(&answer, IDNP_UDP), IDNP_LEAVE);
    put_a(&answer, ANSWER, "a.example");
    assert_int_equal(decide_with(&answer, IDNP_UDP), IDNP_BAD_MESSAGE);
    idnp_close(idnp);
}

static void test_bad_answers(void **state)
{
    (void)state;
    open_all();
    begin_answer();
    put_alias(&answer, "", CNAME, "www.a.test");
    put_a(&answer, ANSWER, "www.a.test");
    for (size_t len = answer.len; answer.len > 0;) {
        answer.len--;
        assert_int_equal(decide_with(&answer, 0), IDNP_BAD_MESSAGE);
        assert_true(len > answer.len);
    }
    begin_dns(&answer, RD, "q.example", A); /* no response */
    assert_int_equal(decide_with(&answer, 0), IDNP_BAD_MESSAGE);
    begin_dns(&answer, QR, "p.example", A);
    assert_int_equal(decide_with(&answer, 0), IDNP_BAD_MESSAGE);
    begin_dns(&answer, QR, "q.example", AAAA);
    assert_int_equal(decide_with(&answer, 0), IDNP_BAD_MESSAGE);
    begin_answer(); /* an alias's target that is followed by something */
    put_octets(&answer, ANSWER, "", CNAME, "\1a\0\0", 4);
    assert_int_equal(decide_with(&answer, 0), IDNP_BAD_MESSAGE);
    begin_answer();
    put_octets(&answer, ANSWER, "", CNAME, "\1a", 2);
    assert_int_equal(decide_with(&answer, 0), IDNP_BAD_MESSAGE);
    idnp_close(idnp);
}

/* --- an alias's target --- */

static void test_target(void **state)
{
    static const uint8_t soa[] = "\2ns\xC0\x0C\3who\300\14\0\0\0\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0";

    (void)state;
    open_all();
    begin_target(AD);
    put_alias(&target, "", CNAME, "u.example");
    put_a(&target, ANSWER, "u.example");
    put_octets(&target, AUTHORITY, "", SOA, soa, sizeof soa); /* the NUL is its last octet */
    put_a(&target, ADDITIONAL, "x.example");
    assert_int_equal(exchange_with(NULL, &target, IDNP_UDP, sizeof reply), IDNP_ANSWER);
    assert_null(decision->follow);
    expect_reply("NOERROR qr rd ra\nanswer c.example. 60 IN CNAME t.example.\n"
                 "answer t.example. 300 IN CNAME u.example.\nanswer u.example. 300 IN A 192.0.2.9\n"
                 "authority t.example. 300 IN SOA ns.t.example. who.t.example. 1 2 3 4 0\n");
    begin_target(3);
    assert_int_equal(exchange_with(NULL, &target, IDNP_UDP, sizeof reply), IDNP_ANSWER);
    expect_reply("NXDOMAIN qr rd ra\nanswer c.example. 60 IN CNAME t.example.\n");
    assert_int_equal(decision->rcode, 3);
    begin_target(2);
    assert_int_equal(exchange_with(NULL, &target, IDNP_UDP, sizeof reply), IDNP_ANSWER);
    expect_reply("SERVFAIL qr rd ra\n");
    begin_target(TC);
    assert_int_equal(exchange_with(NULL, &target, IDNP_UDP, sizeof reply), IDNP_ANSWER);
    expect_reply("NOERROR qr tc rd ra\n");
    begin_dns(&target, QR, "u.example", A);
    assert_int_equal(exchange_with(NULL, &target, IDNP_UDP, sizeof reply), IDNP_BAD_MESSAGE);
    begin_target(0);
    put_octets(&target, ANSWER, "", 33, "\0\1\0\2\0\3\xFF", 7); /* SRV with no name */
    assert_int_equal(exchange_with(NULL, &target, IDNP_UDP, sizeof reply), IDNP_BAD_MESSAGE);
    assert_int_equal(exchange.reply_len, 0);
    idnp_close(idnp);
}

/* --- room --- */

static void test_room(void **state)
{
    static char rules[4096];
    size_t len = 0;

    (void)state;
    for (int i = 1; i <= 64; i++)
        len += (size_t)snprintf(rules + len, sizeof rules - len, "%s192.0.2.%d ",
                                i == 1 ? "redirect " : "", i);
    snprintf(rules + len, sizeof rules - len, "name r.example\n");
    write_in("rules", rules);
    idnp = open_handle(SETTINGS);
    begin_query("r.example");
    assert_int_equal(decide_with(NULL, IDNP_UDP), IDNP_ANSWER);
    expect_reply("NOERROR qr tc rd ra\n");
    put_edns(&query, 1000, false);
    assert_int_equal(decide_with(NULL, IDNP_UDP), IDNP_ANSWER);
    expect_reply("NOERROR qr tc rd ra\nedns 1232 ede 4 \"\"\n");
    assert_int_equal(decide_with(NULL, 0), IDNP_ANSWER);
    assert_int_equal(exchange.reply_len, 12 + 15 + 64 * 16 + 11 + 6);
    assert_int_equal(exchange_with(NULL, NULL, 0, exchange.reply_len), IDNP_ANSWER);
    size_t whole = exchange.reply_len;
    assert_int_equal(exchange_with(NULL, NULL, 0, whole - 1), IDNP_NO_ROOM);
    assert_int_equal(exchange.reply_len, 0);
    begin_query("r.example");
    put_edns(&query, 4096, false);
    assert_int_equal(exchange_with(NULL, NULL, IDNP_UDP, whole - 1), IDNP_ANSWER);
    expect_reply("NOERROR qr tc rd ra\nedns 1232 ede 4 \"\"\n");
    for (size_t cap = 0; cap < 12 + 15 + 11 + 6; cap++)
        assert_int_equal(exchange_with(NULL, NULL, IDNP_UDP, cap), IDNP_NO_ROOM);
    assert_int_equal(exchange_with(NULL, NULL, IDNP_UDP, 12 + 15 + 11 + 6), IDNP_ANSWER);
    idnp_close(idnp);
}

WITH_VERDICT(questions)
WITH_VERDICT(bad_queries)
WITH_VERDICT(chains)
WITH_VERDICT(without_query)
WITH_VERDICT(room_without_query)
WITH_VERDICT(long_chains)
WITH_VERDICT(forks)
WITH_VERDICT(strangers)
WITH_VERDICT(bad_answers)
WITH_VERDICT(target)
WITH_VERDICT(room)

int main(int argc, char **argv)
{
    static const struct CMUnitTest rows[] = {
        {"questions", alone_questions, NULL, NULL, NULL},
        {"queries that are none", alone_bad_queries, NULL, NULL, NULL},
        {"alias chains", alone_chains, NULL, NULL, NULL},
        {"answers without a query", alone_without_query, NULL, NULL, NULL},
        {"their room", alone_room_without_query, NULL, NULL, NULL},
        {"chains that are too long", alone_long_chains, NULL, NULL, NULL},
        {"aliases that fork", alone_forks, NULL, NULL, NULL},
        {"records that nothing leads to", alone_strangers, NULL, NULL, NULL},
        {"answers that are none", alone_bad_answers, NULL, NULL, NULL},
        {"an alias's target", alone_target, NULL, NULL, NULL},
        {"room for the reply", alone_room, NULL, NULL, NULL},
    };

    return run_in_processes("idnp_message", rows, COUNT(rows), argc, argv);
}
