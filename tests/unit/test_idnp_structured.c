/* SPDX-License-Identifier: BSD-3-Clause */
/* libidnpolicy: structured errors in decisions and in whole messages. */
#include "tests/unit/idnpmessage.h"

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

static void test_decision(void **state)
{
    (void)state;
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

static const struct scene {
    const char *name;
    unsigned code, len;
    const char *reply;
} scenes[] = {
    {"a.example", 65001, 0, "REFUSED qr rd ra\nedns 1232 ede 15 \"" WHOLE "\"\n"},
    {"a.example", 65001, 4, "REFUSED qr rd ra\nedns 1232 ede 15 \"" WHOLE "\"\n"},
    {"a.example", 65002, 4, "REFUSED qr rd ra\nedns 1232 ede 15 \"\"\n"},
    {"r.example", 65001, 0, "NOERROR qr rd ra\nanswer r.example. 60 IN A 192.0.2.1\nedns 1232\n"},
    {"r.example", 65002, 0,
     "NOERROR qr rd ra\nanswer r.example. 60 IN A 192.0.2.1\nedns 1232 ede 4 \"\"\n"},
    {"tcp.example", 65001, 0, "NOERROR qr tc rd ra\nedns 1232\n"},
};

static void test_messages(void **state)
{
    (void)state;
    open_these();
    for (size_t i = 0; i < COUNT(scenes); i++) {
        begin_query(scenes[i].name);
        put_option(&query, 1232, scenes[i].code, scenes[i].len);
        assert_true(decide_with(NULL, IDNP_UDP) > IDNP_LEAVE);
        expect_reply(scenes[i].reply);
    }
    begin_query("a.example");
    assert_int_equal(decide_with(NULL, IDNP_UDP), IDNP_ANSWER);
    expect_reply("REFUSED qr rd ra\n");
    idnp_close(idnp);
}

/* An option that says that it is longer than its record is none. */
static void test_broken_option(void **state)
{
    (void)state;
    open_these();
    begin_query("a.example");
    put_option(&query, 1232, 65001, 0);
    query.octets[query.len - 1] = 1;
    assert_int_equal(decide_with(NULL, IDNP_UDP), IDNP_ANSWER);
    expect_reply("REFUSED qr rd ra\nedns 1232 ede 15 \"\"\n");
    idnp_close(idnp);
}

/* The reply has room for all, for the brief text, for none; never is it without its code. */
static void test_room(void **state)
{
    size_t least = 12 + 15 + 11 + 4 + 2;
    char expected[200];

    (void)state;
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
static void test_without_query(void **state)
{
    (void)state;
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

WITH_VERDICT(decision)
WITH_VERDICT(messages)
WITH_VERDICT(broken_option)
WITH_VERDICT(room)
WITH_VERDICT(without_query)

int main(int argc, char **argv)
{
    static const struct CMUnitTest rows[] = {
        {"decisions", alone_decision, NULL, NULL, NULL},
        {"messages", alone_messages, NULL, NULL, NULL},
        {"a broken option", alone_broken_option, NULL, NULL, NULL},
        {"room for the text", alone_room, NULL, NULL, NULL},
        {"answers without a query", alone_without_query, NULL, NULL, NULL},
    };

    return run_in_processes("idnp_structured", rows, COUNT(rows), argc, argv);
}
