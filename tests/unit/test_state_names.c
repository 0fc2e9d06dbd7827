/* SPDX-License-Identifier: BSD-3-Clause */
/* A name with A-labels that a thread knows is logged and counted as the first time. */
#include "tests/unit/stateproc.h"

#include "module/policy/match.h"

#include <fcntl.h>

static struct xnm_state *open_with_conf(const char *lines)
{
    write_conf(lines);
    struct xnm_state *opened = open_state();
    assert_non_null(opened);
    return opened;
}

/* Four replies with one name, one with another, and one with an invalid name. */
static void give_some(void **state)
{
    struct xnm_state *opened = open_with_conf(*state);

    host_lines[0] = '\0';
    give_reply(opened, "www.xn--bcher-kva.example");
    for (int i = 0; i < 3; i++)
        give_reply(opened, "www.xn--bcher-kva.example");
    give_reply(opened, "www.example");
    give_reply(opened, "www.xn--bcher-kwa.example");
    xnm_state_close(opened);
}

static void test_text(void **state)
{
#define LINE                                                                                       \
    COLUMNS("www.xn--bcher-kva.example.")                                                          \
    " u=\"www.b\xC3\xBC"                                                                           \
    "cher.example\"\n"
    give_some(state);
    assert_memory_equal(host_lines, LINE LINE LINE LINE, sizeof LINE LINE LINE LINE - 1);
}

/* Names count in the metrics with the log or without it. */
static void test_metrics(void **state)
{
    give_some(state);
    assert_int_equal(metric("unbound_idn_names_total{status=\"ok\"}"), 4);
    assert_int_equal(metric("unbound_idn_names_total{status=\"invalid\"}") +
                         metric("unbound_idn_names_total{status=\"restricted\"}"),
                     1);
}

/* Makes a name of so many octets that are escaped, 1 to 250. Returns its length. */
static size_t odd_name(size_t octets, uint8_t *wire)
{
    size_t at = 0;

    for (size_t len; octets > 0; octets -= len) {
        len = octets < XN_WIRE_LABEL_MAX ? octets : XN_WIRE_LABEL_MAX;
        wire[at] = (uint8_t)len;
        memset(wire + at + 1, 1, len);
        at += 1 + len;
    }
    wire[at] = 0;
    return at + 1;
}

static void give_matched(struct xnm_state *opened, size_t octets)
{
    struct sockaddr_storage client = client_of("192.0.2.7");
    uint8_t wire[XN_WIRE_NAME_MAX];
    static struct xnm_match match;
    struct xnm_reply reply = {.client = &client,
                              .qname = wire,
                              .qname_len = wire_of("www.xn--bcher-kva.example", wire),
                              .type_name = "A",
                              .class_name = "IN",
                              .rcode_name = "NXDOMAIN",
                              .rcode = 3,
                              .match = &match};

    match.action = XNM_NXDOMAIN;
    match.trigger = XNM_TRIGGER_ZONE;
    match.name.len = (uint8_t)odd_name(250, match.name.octets);
    match.target.len = (uint8_t)odd_name(octets, match.target.octets);
    memset(match.file, 1, XNM_MATCH_FILE_MAX - 1);
    xnm_state_reply(opened, &reply);
}

/* Gives a matched reply to a new state, after another reply with that name if `known`. Returns its
 * line as a pipe gets it. Static storage, one for each value of `known`. */
static const char *matched_line(bool known, size_t octets)
{
    static char lines[2][1 << 16];
    int pipe = open(log_path, O_RDWR | O_NONBLOCK | O_CLOEXEC), before = dup(STDERR_FILENO);
    char *text = lines[known];
    ssize_t len;

    assert_true(pipe >= 0 && before >= 0);
    assert_int_equal(dup2(pipe, STDERR_FILENO), STDERR_FILENO);
    struct xnm_state *opened = open_with_conf("log: json\nlog-to: /dev/stderr\n");
    if (known)
        give_reply(opened, "www.xn--bcher-kva.example");
    give_matched(opened, octets);
    xnm_state_close(opened);
    assert_int_equal(dup2(before, STDERR_FILENO), STDERR_FILENO);
    close(before);
    len = read(pipe, text, sizeof lines[0] - 1);
    assert_true(len > 0);
    text[len] = '\0';
    close(pipe);
    return known ? strchr(text, '\n') + 1 : text;
}

/* Where the policy's members leave no room for all that is known of a name, the line has what it
 * has of an unknown name. */
TEST(test_no_room, "no room for what is known")
{
    assert_int_equal(mkfifo(log_path, 0600), 0);
    for (size_t octets = 1; octets <= 250; octets += 3) {
        const char *cold = matched_line(false, octets);
        assert_string_equal(matched_line(true, octets), cold);
    }
}

BEFORE_MAIN(tests)
{
    add_test("text", test_text, "log: text\n");
    add_test("metrics beside a log", test_metrics, "metrics-file: @/idn.prom\n");
    add_test("metrics alone", test_metrics, "log: none\nmetrics-file: @/idn.prom\n");
}

TEST_MAIN_IN_PROCESSES(NULL, NULL)
