/* SPDX-License-Identifier: BSD-3-Clause */
/* libidnpolicy: whole messages. */
#include "tests/unit/dnsmessage.h"
#include "tests/unit/exact.h"
#include "tests/unit/idnphandle.h"

static struct dns query, answer, target;
static uint8_t reply[65535];
static struct idnp_exchange exchange;
static struct idnp *idnp;

/* From buffers that end where the messages do. */
static int32_t exchange_with(const struct dns *from, const struct dns *follow, uint32_t flags,
                             size_t cap)
{
    uint8_t *asked = query.len > 0 ? exact_copy(query.octets, query.len) : NULL;
    uint8_t *answered = from ? exact_copy(from->octets, from->len) : NULL;
    uint8_t *followed = follow ? exact_copy(follow->octets, follow->len) : NULL;
    uint8_t *out = malloc(cap);

    exchange = (struct idnp_exchange){.size = sizeof exchange,
                                      .flags = flags,
                                      .query = asked,
                                      .answer = answered,
                                      .target = followed,
                                      .reply = out,
                                      .query_len = (uint32_t)query.len,
                                      .answer_len = from ? (uint32_t)from->len : 0,
                                      .target_len = follow ? (uint32_t)follow->len : 0,
                                      .reply_cap = (uint32_t)cap};
    int32_t result = idnp_decide_message(idnp, &exchange, decision);
    assert_int_equal(decision->result, result);
    memcpy(reply, out, exchange.reply_len);
    free(asked);
    free(answered);
    free(followed);
    free(out);
    return result;
}

static int32_t decide_with(const struct dns *from, uint32_t flags)
{
    return exchange_with(from, NULL, flags, sizeof reply);
}

static int32_t decide_without(const struct dns *from, uint32_t flags)
{
    struct dns asked = query;

    query.len = 0; /* nothing of it is given */
    int32_t result = exchange_with(from, NULL, flags, sizeof reply);
    query = asked;
    return result;
}

static void expect_reply(const char *expected)
{
    assert_string_equal(show_dns(reply, exchange.reply_len), expected);
    assert_int_equal(reply[0] << 8 | reply[1], 4711);
    assert_memory_equal(reply + 12, query.octets + 12, strlen((char *)query.octets + 12) + 5);
}

#define SETTINGS "log: none\npolicy: @/rules\npolicy-soa: ns.test nobody.test\n"

static void open_all(void)
{
    write_in("rules", every_action);
    idnp = open_handle(SETTINGS);
}

static void begin_query(const char *name)
{
    begin_dns(&query, RD, name, A);
}

static void begin_answer(void)
{
    begin_dns(&answer, QR | RD | RA | AD, "q.example", A);
    begin_query("q.example");
    put_edns(&query, 1232, true);
}

static void begin_target(unsigned flags)
{
    begin_query("c.example");
    begin_dns(&target, QR | RD | RA | flags, "t.example", A);
}

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

TEST(test_questions, "questions")
{
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

TEST(test_bad_queries, "queries that are none")
{
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

TEST(test_chains, "alias chains")
{
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
TEST(test_without_query, "answers without a query")
{
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
TEST(test_room_without_query, "their room")
{
    char rule[1024] = "answer name long.example TXT ";

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

TEST(test_long_chains, "chains that are too long")
{
    char from[32] = "q.example", to[32];

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
TEST(test_forks, "aliases that fork")
{
    static const char *const later[] = {"s.x.test", "allowed.test"};

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
TEST(test_strangers, "records that nothing leads to")
{
    static const char *const owners[] = {"a.example", "x.nx.example", "q.example", "allowed.test"};

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

TEST(test_bad_answers, "answers that are none")
{
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

TEST(test_target, "an alias's target")
{
    static const uint8_t soa[] = "\2ns\xC0\x0C\3who\300\14\0\0\0\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0";

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

TEST(test_room, "room for the reply")
{
    static char rules[4096];
    size_t len = 0;

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

/* --- sections --- */

TEST(test_additional, "additional sections")
{
    open_all();
    begin_answer();
    put_a(&answer, ANSWER, "");
    put_a(&answer, ADDITIONAL, "ns.test");
    put_a(&answer, ADDITIONAL, "a.example");
    put_a(&answer, ADDITIONAL, "log.example");
    put_edns(&answer, 1400, true);
    put_a(&answer, ADDITIONAL, "x.nx.example");
    assert_int_equal(decide_with(&answer, IDNP_UDP), IDNP_LEAVE);
    expect_reply("NOERROR qr rd ra ad\nanswer q.example. 300 IN A 192.0.2.9\n"
                 "additional ns.test. 300 IN A 192.0.2.9\n"
                 "additional log.example. 300 IN A 192.0.2.9\nedns 1400 do\n");
    assert_int_equal(exchange_with(&answer, NULL, IDNP_UDP, answer.len - 1), IDNP_NO_ROOM);
    begin_answer();
    put_a(&answer, ADDITIONAL, "ns.test");
    put_edns(&answer, 1400, true);
    assert_int_equal(decide_with(&answer, IDNP_UDP), IDNP_LEAVE);
    assert_int_equal(exchange.reply_len, 0);
    for (int i = 0; i < 64; i++) /* more than are decided */
        put_a(&answer, ADDITIONAL, "ns.test");
    assert_int_equal(decide_with(&answer, IDNP_UDP), IDNP_LEAVE);
    expect_reply("NOERROR qr rd ra ad\nedns 1400 do\n");
    idnp_close(idnp);
    write_in("rules", every_action);
    idnp = open_handle(SETTINGS "policy-mode: log-only\n");
    begin_answer();
    put_a(&answer, ADDITIONAL, "a.example");
    assert_int_equal(decide_with(&answer, IDNP_UDP), IDNP_LEAVE);
    assert_int_equal(exchange.reply_len, 0);
    idnp_close(idnp);
}

/* A server may put any data into the authority section: what is not of its types is additional. */
TEST(test_authority, "authority sections")
{
    static const char soa[] = "\2ns\300\14\0\0\0\0\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0\5";
    static const char signature[] = "\0\1\10\2\0\0\0\5\0\0\0\2\0\0\0\1\0\1\0\0";

    open_all();
    begin_answer();
    put_a(&answer, ANSWER, "");
    put_octets(&answer, AUTHORITY, "a.example", 65, "\0\1\0\0\4\0\4\300\0\2\11", 11);
    put_octets(&answer, AUTHORITY, "a.example", 6, soa, sizeof soa - 1);
    put_octets(&answer, AUTHORITY, "a.example", 46, signature, sizeof signature - 1);
    put_octets(&answer, AUTHORITY, "log.example", 16, "\1x", 2);
    put_octets(&answer, AUTHORITY, "x.nx.example", 16, "\1x", 2);
    put_a(&answer, ADDITIONAL, "a.example");
    put_edns(&answer, 1400, true);
    assert_int_equal(decide_with(&answer, IDNP_UDP), IDNP_LEAVE);
    expect_reply("NOERROR qr rd ra ad\nanswer q.example. 300 IN A 192.0.2.9\n"
                 "authority a.example. 300 IN SOA ns.q.example. . 1 2 3 4 5\n"
                 "authority log.example. 300 IN TXT \"x\"\nedns 1400 do\n");
    begin_answer();
    put_octets(&answer, AUTHORITY, "a.example", 2, "\300\14", 2);
    put_octets(&answer, AUTHORITY, "log.example", 16, "\1x", 2);
    assert_int_equal(decide_with(&answer, IDNP_UDP), IDNP_LEAVE);
    assert_int_equal(exchange.reply_len, 0);
    put_octets(&answer, AUTHORITY, "a.example", 16, "\1x", 2);
    assert_int_equal(decide_with(&answer, IDNP_UDP), IDNP_LEAVE);
    expect_reply("NOERROR qr rd ra ad\nauthority a.example. 300 IN NS q.example.\n"
                 "authority log.example. 300 IN TXT \"x\"\n");
    begin_answer();
    for (int i = 0; i < 40; i++) /* none of which fits without compression; OPT does */
        put_octets(&answer, AUTHORITY, "", 6, soa, sizeof soa - 1);
    put_octets(&answer, AUTHORITY, "", 16, "\1x", 2);
    put_edns(&answer, 1400, true);
    put_a(&answer, ADDITIONAL, "a.example");
    assert_int_equal(decide_with(&answer, IDNP_UDP), IDNP_LEAVE);
    assert_int_equal(reply[9], 41);
    assert_int_equal(reply[11], 1);
    for (int i = 0; i < 65; i++)
        put_a(&answer, ADDITIONAL, "ns.test");
    assert_int_equal(decide_with(&answer, IDNP_UDP), IDNP_LEAVE);
    assert_int_equal(reply[9], 40);
    assert_int_equal(reply[11], 1);
    begin_answer(); /* whatever grows */
    put_octets(&answer, AUTHORITY, "a.example", 16, "\1x", 2);
    for (int i = 0; i < 40; i++)
        put_octets(&answer, AUTHORITY, "", 6, soa, sizeof soa - 1);
    put_edns(&answer, 1400, true);
    assert_int_equal(decide_with(&answer, IDNP_UDP), IDNP_LEAVE);
    assert_in_range(reply[9], 20, 39);
    assert_int_equal(reply[11], 1);
    assert_in_range(exchange.reply_len, answer.len - 100, answer.len);
    begin_query("c.example");
    begin_target(0);
    put_octets(&target, AUTHORITY, "t.example", 6, soa, sizeof soa - 1);
    put_octets(&target, AUTHORITY, "a.example", 16, "\1x", 2);
    assert_int_equal(exchange_with(NULL, &target, IDNP_UDP, sizeof reply), IDNP_ANSWER);
    expect_reply("NOERROR qr rd ra\nanswer c.example. 60 IN CNAME t.example.\n"
                 "authority t.example. 300 IN SOA ns.t.example. . 1 2 3 4 5\n");
    idnp_close(idnp);
}

/* --- structured errors --- */

#define REASONS                                                                                    \
    "log: none\npolicy: @/rules\nstructured-errors: 65001\nerror-contact: tel:110\n"               \
    "error-organization: Us\n"
#define BRIEF "{\"c\":[\"tel:110\"],\"s\":4}"
#define WHOLE "{\"c\":[\"tel:110\"],\"j\":\"why\",\"s\":4,\"o\":\"Us\",\"l\":\"en\"}"

static const char rules[] = "refuse name a.example why=why sub-error=spyware\n"
                            "redirect 192.0.2.1 name r.example\n"
                            "tcp-only name tcp.example\n";

static void open_these(void)
{
    write_in("rules", rules);
    idnp = open_handle(REASONS);
}

/* Adds an OPT record with one option. */
static void put_option(struct dns *dns, unsigned size, unsigned code, unsigned len)
{
    put_edns(dns, size, false);
    dns->octets[dns->len - 1] = (uint8_t)(4 + len);
    put_u16(dns, code);
    put_u16(dns, len);
    memset(dns->octets + dns->len, 0xFD, len); /* ignored, though it looks like the code */
    dns->len += len;
}

TEST(test_decision, "decisions")
{
    open_these();
    assert_int_equal(ask_for(idnp, "a.example", A, IDNP_UDP), IDNP_ANSWER);
    assert_int_equal(decision->ede, 15);
    assert_string_equal(decision->ede_text, "");
    assert_int_equal(decision->structured_code, 65001);
    assert_int_equal(decision->structured_ede, 15);
    assert_string_equal(decision->structured_text, WHOLE);
    assert_string_equal(decision->structured_brief, BRIEF);
    assert_int_equal(ask_for(idnp, "r.example", A, IDNP_UDP), IDNP_ANSWER);
    assert_int_equal(decision->ede, 4);
    assert_int_equal(decision->structured_ede, -1);
    assert_string_equal(decision->structured_text, "");
    assert_string_equal(decision->structured_brief, "");
    assert_int_equal(ask_for(idnp, "other.example", A, IDNP_UDP), IDNP_LEAVE);
    assert_int_equal(decision->structured_code, 65001);
    assert_int_equal(decision->structured_ede, -1);
    idnp_close(idnp);
    idnp = open_with_rules(rules);
    assert_int_equal(ask_for(idnp, "a.example", A, IDNP_UDP), IDNP_ANSWER);
    assert_int_equal(decision->structured_code, 0);
    assert_int_equal(decision->structured_ede, -1);
    assert_string_equal(decision->structured_text, "");
    idnp_close(idnp);
}

static const struct structured_scene {
    const char *name;
    unsigned code, len;
    const char *reply;
} structured_scenes[] = {
    {"a.example", 65001, 0, "REFUSED qr rd ra\nedns 1232 ede 15 \"" WHOLE "\"\n"},
    {"a.example", 65001, 4, "REFUSED qr rd ra\nedns 1232 ede 15 \"" WHOLE "\"\n"},
    {"a.example", 65002, 4, "REFUSED qr rd ra\nedns 1232 ede 15 \"\"\n"},
    {"r.example", 65001, 0, "NOERROR qr rd ra\nanswer r.example. 60 IN A 192.0.2.1\nedns 1232\n"},
    {"r.example", 65002, 0,
     "NOERROR qr rd ra\nanswer r.example. 60 IN A 192.0.2.1\nedns 1232 ede 4 \"\"\n"},
    {"tcp.example", 65001, 0, "NOERROR qr tc rd ra\nedns 1232\n"},
};

TEST(test_messages, "messages")
{
    open_these();
    for (size_t i = 0; i < COUNT(structured_scenes); i++) {
        begin_query(structured_scenes[i].name);
        put_option(&query, 1232, structured_scenes[i].code, structured_scenes[i].len);
        assert_true(decide_with(NULL, IDNP_UDP) > IDNP_LEAVE);
        expect_reply(structured_scenes[i].reply);
    }
    begin_query("a.example");
    assert_int_equal(decide_with(NULL, IDNP_UDP), IDNP_ANSWER);
    expect_reply("REFUSED qr rd ra\n");
    idnp_close(idnp);
}

/* An option that says that it is longer than its record is none. */
TEST(test_broken_option, "a broken option")
{
    open_these();
    begin_query("a.example");
    put_option(&query, 1232, 65001, 0);
    query.octets[query.len - 1] = 1;
    assert_int_equal(decide_with(NULL, IDNP_UDP), IDNP_ANSWER);
    expect_reply("REFUSED qr rd ra\nedns 1232 ede 15 \"\"\n");
    idnp_close(idnp);
}

/* The reply has room for all, for the brief text, for none; never is it without its code. */
TEST(test_structured_room, "room for the text")
{
    size_t least = 12 + 15 + 11 + 4 + 2;
    char expected[200];

    open_these();
    begin_query("a.example");
    put_option(&query, 1232, 65001, 0);
    for (size_t cap = 0; cap <= least + strlen(WHOLE); cap++) {
        const char *text = cap == least + strlen(WHOLE)   ? WHOLE
                           : cap >= least + strlen(BRIEF) ? BRIEF
                                                          : "";
        int32_t result = exchange_with(NULL, NULL, IDNP_UDP, cap);
        assert_int_equal(result, cap < least ? IDNP_NO_ROOM : IDNP_ANSWER);
        snprintf(expected, sizeof expected, "REFUSED qr rd ra\nedns 1232 ede 15 \"%s\"\n", text);
        if (cap >= least)
            expect_reply(expected);
    }
    idnp_close(idnp);
}

/* Without a query the host says whether the client asks. */
TEST(test_structured_without_query, "answers without a query")
{
    open_these();
    begin_answer();
    put_alias(&answer, "", CNAME, "a.example");
    put_edns(&answer, 1232, false);
    assert_int_equal(decide_without(&answer, IDNP_UDP | IDNP_STRUCTURED), IDNP_ANSWER);
    expect_reply("REFUSED qr rd ra\nedns 1232 ede 15 \"" WHOLE "\"\n");
    assert_int_equal(decide_without(&answer, IDNP_UDP), IDNP_ANSWER);
    expect_reply("REFUSED qr rd ra\nedns 1232 ede 15 \"\"\n");
    idnp_close(idnp);
}

TEST_MAIN_IN_PROCESSES(open_decision, close_decision)
