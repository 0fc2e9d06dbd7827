/* SPDX-License-Identifier: BSD-3-Clause */
/* libidnpolicy: replies that a host reports, and messages for the host. */
#include "tests/unit/idnphandle.h"

#include "module/log/logline.h"

/* --- replies --- */

TEST(test_line, "lines")
{
    write_in("rules", every_action);
    struct idnp *idnp = open_handle("log-to: @/log\npolicy: @/rules\n");
    ask(idnp, "a.example");
    tell(idnp, "a.example", decision);
    ask(idnp, "www.example");
    tell(idnp, "www.example", decision);
    tell(idnp, "other.example", NULL);
    assert_int_equal(
        metric_of(idnp, "unbound_idn_replies_total{rcode=\"NOERROR\",transport=\"udp\"}"), 3);
    idnp_close(idnp);
    assert_string_equal(
        read_text(log_path),
        TIME COLUMNS("a.example.") " policy=refuse rule=rules:4 match=\"name a.example\"\n" TIME
            COLUMNS("www.example.") "\n" TIME COLUMNS("other.example.") "\n");
}

/* The same octets as the module's writer makes of the same reply, as text and as JSON. */
TEST(test_same_line, "the module's lines")
{
    static const char *const logs[] = {"text", "json"};
    static char expected[XNM_LOGLINE_MAX + 2];
    uint8_t wire[XN_WIRE_NAME_MAX];
    struct xn_unicode *unicode;
    struct xn_name name;
    struct sockaddr_storage client = client_of("2001:db8::7");

    assert_int_equal(xn_unicode_open(&unicode), XN_OK);
    write_in("rules", every_action);
    for (int json = 0; json < 2; json++) {
        char lines[128];
        snprintf(lines, sizeof lines, "log: %s\nlog-to: @/log\npolicy: @/rules\n", logs[json]);
        struct idnp *idnp = open_handle(lines);
        ask_for(idnp, "log.example", AAAA, 0);
        struct idnp_reply reply = {.size = sizeof reply,
                                   .qname = wire,
                                   .qname_len = (uint32_t)wire_of("xn--bcher-kva.example", wire),
                                   .qtype = AAAA,
                                   .qclass = IN,
                                   .rcode = 3,
                                   .id = 4711,
                                   .port = 5353,
                                   .transport = IDNP_TRANSPORT_DOT,
                                   .cached = 1,
                                   .elapsed_us = 1234567,
                                   .address = {0x20, 0x01, 0x0D, 0xB8, [15] = 7},
                                   .address_len = 16,
                                   .seconds = 1795211763,
                                   .nanoseconds = 214000};
        struct xnm_reply same = {.client = &client,
                                 .qname = wire,
                                 .qname_len = reply.qname_len,
                                 .qtype = AAAA,
                                 .qclass = IN,
                                 .type_name = "AAAA",
                                 .class_name = "IN",
                                 .rcode = 3,
                                 .rcode_name = "NXDOMAIN",
                                 .elapsed_us = 1234567,
                                 .cached = true,
                                 .id = 4711,
                                 .transport = XNM_TRANSPORT_DOT,
                                 .when = {1795211763, 214000},
                                 .match = &xnm_idnpdecision_memory(decision)->match};
        struct xn_name matched;
        ((struct sockaddr_in6 *)(void *)&client)->sin6_port = htons(5353);
        assert_int_equal(xn_name_read(unicode, wire, reply.qname_len, 0, &name), XN_OK);
        assert_int_equal(
            xn_name_read(unicode, same.match->name.octets, same.match->name.len, 0, &matched),
            XN_OK);
        same.match_name = &matched;
        const struct xnm_config *config = xnm_state_config(idnp->state);
        size_t len = json ? xnm_logline_json(config, &same, &name, NULL, SIZE_MAX, expected)
                          : xnm_logline_text(config, &same, &name, NULL, true, expected);
        expected[len] = '\n';
        expected[len + 1] = '\0';
        assert_int_equal(idnp_report(idnp, &reply, decision), 0);
        idnp_close(idnp);
        assert_string_equal(read_text(log_path), expected);
        assert_int_equal(remove(log_path), 0);
    }
    xn_unicode_close(unicode);
}

TEST(test_counted, "counters")
{
    struct idnp *idnp = open_with_rules("drop name d.example\n");
    uint8_t wire[XN_WIRE_NAME_MAX];
    struct idnp_reply reply = {.size = sizeof reply,
                               .qname = wire,
                               .qname_len = (uint32_t)wire_of("d.example", wire),
                               .rcode = IDNP_NO_RCODE};

    assert_int_equal(ask(idnp, "d.example"), IDNP_DROP);
    for (int i = 0; i < 3; i++)
        assert_int_equal(idnp_report(idnp, &reply, decision), 0);
    assert_int_equal(
        metric_of(idnp, "unbound_idn_policy_replies_total{action=\"drop\",mode=\"enforce\"}"), 3);
    assert_int_equal(*xnm_idnpdecision_memory(decision)->match.counters[0], 3);
    assert_int_equal(metric_of(idnp, "unbound_idn_policy_rules"), 1);
    static char text[65536];
    size_t len;
    do { /* until nothing was counted between the two calls */
        len = idnp_metrics(idnp, NULL, 0);
        assert_in_range(len, 1, sizeof text);
        memset(text, 'x', sizeof text);
    } while (idnp_metrics(idnp, text, len) != len);
    /* no room for the NUL: nothing */
    assert_int_equal(text[0], 'x');
    idnp_close(idnp);
}

/* --- a start without rules --- */

TEST(test_without_rules, "a start without rules")
{
    write_in("rules", "refus name a.example\n");
    struct idnp *without = try_handle("log: none\npolicy: @/rules\n", NULL);
    assert_non_null(without);
    assert_int_equal(ask(without, "a.example"), IDNP_LEAVE);
    assert_int_equal(idnp_message(without, open_errors, sizeof open_errors), IDNP_ERROR);
    assert_int_equal(idnp_message(without, open_errors, sizeof open_errors), IDNP_ERROR);
    assert_non_null(strstr(open_errors, "NO RULES ARE IN FORCE"));
    write_in("rules", "refuse name a.example\n");
    WAIT_FOR(ask(without, "a.example") == IDNP_ANSWER);
    idnp_close(without);
}

/* --- reloads --- */

/* With IDNP_RELOADS, a handle begins with the policy and the counters of the one before. */
TEST(test_reloads, "handles of a host that reloads")
{
    const struct idnp_options options = {.size = sizeof options, .flags = IDNP_RELOADS};
    static const char lines[] = "log: none\npolicy: @/rules\n";

    write_in("rules", "refuse name a.example\n");
    struct idnp *idnp = try_handle(lines, &options);
    assert_int_equal(ask(idnp, "a.example"), IDNP_ANSWER);
    tell(idnp, "a.example", decision);
    idnp_close(idnp);
    write_in("rules", "refus name b.example\n");
    idnp = try_handle(lines, &options);
    assert_non_null(strstr(open_errors, "in force before stay in force"));
    assert_int_equal(ask(idnp, "a.example"), IDNP_ANSWER);
    idnp_close(idnp);
    idnp = try_handle("no-such-key: 1\n", &options);
    assert_non_null(strstr(open_errors, "in force before stays in force"));
    assert_int_equal(ask(idnp, "a.example"), IDNP_ANSWER);
    assert_true(
        metric_of(idnp, "unbound_idn_policy_replies_total{action=\"refuse\",mode=\"enforce\"}") ==
        1);
    idnp_close(idnp);
    idnp = try_handle("no-such-key: 1\n", NULL); /* without the flag no policy is kept */
    assert_int_equal(ask(idnp, "a.example"), IDNP_LEAVE);
    idnp_close(idnp);
    idnp = try_handle("log: none\n", &options); /* none is left behind */
    idnp_close(idnp);
}

/* --- messages --- */

static atomic_uint severities[IDNP_LINE + 1];

static void take_message(void *arg, int32_t severity, const char *line, size_t len)
{
    assert_int_equal(strlen(line), len);
    assert_ptr_equal(arg, severities);
    severities[severity]++;
}

TEST(test_callback, "a callback")
{
    const struct idnp_options options = {
        .size = sizeof options, .log = take_message, .log_arg = severities};

    write_in("rules", every_action);
    assert_null(try_handle("policy: @/none\nrequired: yes\n", &options));
    assert_int_equal(severities[IDNP_ERROR], 1);
    struct idnp *idnp = try_handle("policy: @/rules\n", &options);
    assert_non_null(idnp);
    assert_int_equal(severities[IDNP_NOTICE], 1);
    for (int i = 0; i < 100; i++)
        tell(idnp, "a.example", NULL);
    WAIT_FOR(severities[IDNP_LINE] == 100);
    assert_int_equal(idnp_message(idnp, open_errors, sizeof open_errors), IDNP_NO_MESSAGE);
    idnp_close(idnp);
}

TEST(test_messages, "messages that wait")
{
    char line[256], small[10];
    uint64_t found = 0, lost = 0;
    int32_t severity;

    write_in("rules", "refuse name a.example\nrefuse name a.example\n");
    struct idnp *idnp = open_handle("policy: @/rules\n"); /* and its lines wait, too */
    assert_int_equal(idnp_message(idnp, NULL, 10), IDNP_NO_MESSAGE);
    assert_int_equal(idnp_message(idnp, line, 0), IDNP_NO_MESSAGE);
    assert_int_equal(idnp_message(idnp, line, sizeof line), IDNP_WARNING);
    assert_non_null(strstr(line, "/rules:2"));
    assert_int_equal(idnp_message(idnp, small, sizeof small), IDNP_NOTICE);
    assert_string_equal(small, "idn: poli");
    assert_int_equal(idnp_message(idnp, line, sizeof line), IDNP_NO_MESSAGE);
    assert_string_equal(line, "");
    for (uint64_t told = 3000; told <= 9000; told += 3000) {
        for (int i = 0; i < 3000; i++)
            tell(idnp, "a.example", NULL);
        WAIT_FOR(metric_of(idnp, LINES("written")) == told);
        while ((severity = idnp_message(idnp, line, sizeof line)) != IDNP_NO_MESSAGE) {
            unsigned count = 1;
            if (severity == IDNP_WARNING)
                assert_int_equal(sscanf(line, "idn: %u messages lost", &count), 1);
            else
                assert_string_equal(line, COLUMNS("a.example."));
            *(severity == IDNP_LINE ? &found : &lost) += count;
        }
        assert_int_equal(found + lost + idnp->messages.lost, told);
        assert_in_range(found, told / 3000 * (XNM_HANDLE_MESSAGES_MAX / sizeof line), told - 100);
    }
    assert_true(lost > 0);
    idnp_close(idnp);
}

TEST_MAIN_IN_PROCESSES(open_decision, close_decision)
