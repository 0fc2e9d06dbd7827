/* SPDX-License-Identifier: BSD-3-Clause */
/* libidnpolicy: what an answer has besides its answer section. */
#include "tests/unit/idnpmessage.h"

static void test_additional(void **state)
{
    (void)state;
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
static void test_authority(void **state)
{
    static const char soa[] = "\2ns\300\14\0\0\0\0\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0\5";
    static const char signature[] = "\0\1\10\2\0\0\0\5\0\0\0\2\0\0\0\1\0\1\0\0";

    (void)state;
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

WITH_VERDICT(additional)
WITH_VERDICT(authority)

int main(int argc, char **argv)
{
    static const struct CMUnitTest rows[] = {
        {"additional sections", alone_additional, NULL, NULL, NULL},
        {"authority sections", alone_authority, NULL, NULL, NULL},
    };

    return run_in_processes("idnp_sections", rows, COUNT(rows), argc, argv);
}
