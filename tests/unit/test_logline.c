/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/vectors.h"

#include "module/log/logline.h"
#include "tests/unit/exact.h"
#include "tests/unit/logline_grammar.h"
#include "tests/unit/wirenames.h"

#define BUECHER                                                                                    \
    "b\xC3\xBC"                                                                                    \
    "cher"
#define DEVANAGARI_KA "\xE0\xA4\x95\xE0\xA5\x8D"
#define DEVANAGARI_SSA "\xE0\xA4\xB7"
#define ALEF_BET "\xD7\x90\xD7\x91"
/* The tokens of a reply to a question for an address. */
#define TOKENS .type_name = "A", .class_name = "IN", .rcode_name = "NOERROR"
#define GRIN "\xF0\x9F\x98\x80"

enum { EMOJI = 1 << XN_EMOJI };

static struct xn_unicode *unicode;

/* --- writing one --- */

/* The line for a wire name, checked as above and with a NUL after it. The caller frees it. The line
 * with its time has the same after the time, and so has one that is made of a known name. */
static char *line_of(const struct xnm_config *config, struct xnm_reply reply, const uint8_t *wire,
                     size_t wire_len, xn_reasons ignored)
{
    uint8_t *qname = exact_copy(wire, wire_len);
    struct xn_name *name = malloc(sizeof *name);
    char *timed = malloc(XNM_LOGLINE_TEXT_MAX);
    char *dst = malloc(XNM_LOGLINE_TEXT_MAX - XNM_FORMAT_TIME_LEN - 1);

    assert_int_equal(xn_name_read(unicode, qname, wire_len, ignored, name), XN_OK);
    reply.qname = qname;
    reply.qname_len = wire_len;
    size_t len = xnm_logline_text(config, &reply, name, NULL, false, dst);
    struct xnm_namecache_entry known = {0};
    for (int time = 0; time < 2; time++) { /* the second time by what the first one kept */
        size_t timed_len =
            xnm_logline_text(config, &reply, known.has_text ? NULL : name, &known, true, timed);
        assert_int_equal(timed_len, XNM_FORMAT_TIME_LEN + 1 + len);
        assert_memory_equal(timed, "1970-01-01T00:00:00.000000Z ", XNM_FORMAT_TIME_LEN + 1);
        assert_memory_equal(timed + XNM_FORMAT_TIME_LEN + 1, dst, len);
    }
    char *line = strndup(dst, len);
    assert_int_equal(strlen(line), len);
    free(dst);
    free(timed);
    free(name);
    free(qname);
    check_characters(line, (int32_t)len);
    check_line(line);
    return line;
}

/* --- names --- */

/* Options of a row that differ from the defaults. */
enum { ASCII = XNM_LOG_NAME_ASCII, SHOW_EMOJI = 8 };

static struct name {
    const char *name;
    const char *qname;
    const char *column;
    const char *fields;
    int options;
} names[] = {
    {"an A-label", "www.xn--bcher-kva.example", "www.xn--bcher-kva.example.",
     " u=\"www." BUECHER ".example\"", 0},
    {"a restricted label", "xn--pypal-4ve.com", "xn--pypal-4ve.com.",
     " u=\"p\\u{430}ypal.com\" idn=restricted(1:script-mix)", 0},
    {"an invalid label", "xn--31m-dda.example", "xn--31m-dda.example.",
     " idn=invalid(1:disallowed)", 0},
    {"the root", "", ".", "", 0},
    {"no A-label", "www.example", "www.example.", "", 0},
    {"capitals", "WWW.XN--BCHER-KVA.Example", "www.xn--bcher-kva.example.",
     " u=\"www." BUECHER ".example\"", 0},
    {"a good and an invalid label", "xn--bcher-kva.xn--31m-dda", "xn--bcher-kva.xn--31m-dda.",
     " u=\"" BUECHER ".xn--31m-dda\" idn=invalid(2:disallowed)", 0},
    {"the worst first", "xn--pypal-4ve.xn--31m-dda.a.xn--e28h",
     "xn--pypal-4ve.xn--31m-dda.a.xn--e28h.",
     " u=\"p\\u{430}ypal.xn--31m-dda.a.\\u{1F600}\" "
     "idn=invalid(2:disallowed),restricted(1:script-mix,4:emoji)",
     0},
    {"two invalid labels", "xn--.xn--0.example", "xn--.xn--0.example.",
     " idn=invalid(1:ascii-only,2:punycode)", 0},
    {"not NFC", "xn--e-xbb", "xn--e-xbb.", " idn=invalid(1:not-canonical)", 0},
    {"both directions", "xn--ab-wld", "xn--ab-wld.", " idn=invalid(1:bidi)", 0},
    {"a joiner behind a Latin letter", "xn--a-ugn", "xn--a-ugn.", " idn=invalid(1:contextj)", 0},
    {"a leading mark", "xn--a-ubb", "xn--a-ubb.", " idn=invalid(1:leading-mark)", 0},
    {"a leading hyphen", "xn----bga", "xn----bga.", " idn=invalid(1:hyphen)", 0},
    {"a dead script", "xn--2n7c", "xn--2n7c.", " u=\"\\u{10000}\" idn=restricted(1:charset)", 0},
    {"joiners", "xn--11b2ezcw70k.xn--11b2ezcs70k", "xn--11b2ezcw70k.xn--11b2ezcs70k.",
     " u=\"" DEVANAGARI_KA "\\u{200D}" DEVANAGARI_SSA "." DEVANAGARI_KA "\\u{200C}" DEVANAGARI_SSA
     "\"",
     0},
    {"odd octets", "a b\t.\"\\\x1B.\x7F\x80\xFF", "a\\032b\\009.\\034\\092\\027.\\127\\128\\255.",
     "", 0},
    {"odd octets beside an A-label", "a b.\"\\.xn--bcher-kva", "a\\032b.\\034\\092.xn--bcher-kva.",
     " u=\"a\\032b.\\034\\092." BUECHER "\"", 0},
    {"odd octets in an A-label", "xn--\xFF-a.xn--a b-kva", "xn--\\255-a.xn--a\\032b-kva.",
     " idn=invalid(1:punycode,2:disallowed)", 0},
    {"raw UTF-8", "www." BUECHER ".Example", "www.b\\195\\188cher.example.",
     " u=\"www." BUECHER ".example\" idn=invalid(2:raw-utf8)", 0},
    {"raw UTF-8, ASCII capitals",
     "B\xC3\xBC"
     "CHER",
     "b\\195\\188cher.", " u=\"" BUECHER "\" idn=invalid(1:raw-utf8)", 0},
    {"raw UTF-8 in capitals",
     "\xC3\x9C"
     "ber",
     "\\195\\156ber.", " u=\"\\u{DC}ber\" idn=invalid(1:raw-utf8)", 0},
    {"raw UTF-8 that could mislead", "p\xD0\xB0ypal.com", "p\\208\\176ypal.com.",
     " u=\"p\\u{430}ypal.com\" idn=invalid(1:raw-utf8)", 0},
    {"raw UTF-8 with controls, quotes and a blank", "\xC3\xBC\x1B[31m\"\\ \n\x7F",
     "\\195\\188\\027[31m\\034\\092\\032\\010\\127.",
     " u=\"\\u{FC}\\027[31m\\034\\092\\032\\010\\127\" idn=invalid(1:raw-utf8)", 0},
    {"raw UTF-8: C1 controls, overrides, separators, invisible characters, a tag",
     "\xC2\x9B.\xE2\x80\xAE.\xE2\x80\xA8.\xE2\x80\x8B.\xF3\xA0\x81\x81",
     "\\194\\155.\\226\\128\\174.\\226\\128\\168.\\226\\128\\139.\\243\\160\\129\\129.",
     " u=\"\\u{9B}.\\u{202E}.\\u{2028}.\\u{200B}.\\u{E0041}\" "
     "idn=invalid(1:raw-utf8,2:raw-utf8,3:raw-utf8,4:raw-utf8,5:raw-utf8)",
     0},
    {"not UTF-8: cut, overlong, a surrogate, above U+10FFFF",
     "\xC3.\xC0\x80.\xED\xA0\x80.\xF4\x90\x80\x80",
     "\\195.\\192\\128.\\237\\160\\128.\\244\\144\\128\\128.", "", 0},
    {"not UTF-8 beside raw UTF-8", "\xC3\xBC\xFF.\xC3\xBC", "\\195\\188\\255.\\195\\188.",
     " u=\"\\195\\188\\255.\xC3\xBC\" idn=invalid(2:raw-utf8)", 0},
    {"raw UTF-8 beside A-labels", "xn--bcher-kva.\xC3\xBC.xn--pypal-4ve.xn--0",
     "xn--bcher-kva.\\195\\188.xn--pypal-4ve.xn--0.",
     " u=\"" BUECHER ".\xC3\xBC.p\\u{430}ypal.xn--0\" "
     "idn=invalid(2:raw-utf8,4:punycode),restricted(3:script-mix)",
     0},
    {"raw UTF-8 behind \"xn--\"", "xn--\xC3\xBC", "xn--\\195\\188.", " idn=invalid(1:punycode)", 0},
    {"raw UTF-8 beside an A-label", "xn--bcher-kva.\xC3\xBC", "xn--bcher-kva.\\195\\188.",
     " u=\"" BUECHER ".\xC3\xBC\" idn=invalid(2:raw-utf8)", 0},
    {"an A-label that is shown, and one that is not", "xn--bcher-kva.xn--31m-dda",
     "xn--bcher-kva.xn--31m-dda.", " u=\"" BUECHER ".xn--31m-dda\" idn=invalid(2:disallowed)", 0},
    {"log-name: ascii, raw UTF-8", "\xC3\xBC", "\\195\\188.", " idn=invalid(1:raw-utf8)", ASCII},
    {"raw UTF-8, an emoji", GRIN, "\\240\\159\\152\\128.",
     " u=\"\\u{1F600}\" idn=invalid(1:raw-utf8)", 0},
    {"show-emoji: raw UTF-8", GRIN, "\\240\\159\\152\\128.",
     " u=\"" GRIN "\" idn=invalid(1:raw-utf8)", SHOW_EMOJI},
    {"raw UTF-8 from right to left", ALEF_BET, "\\215\\144\\215\\145.",
     " u=\"" ALEF_BET "\" idn=invalid(1:raw-utf8)", 0},
    {"raw UTF-8, a joiner", DEVANAGARI_KA "\xE2\x80\x8D" DEVANAGARI_SSA,
     "\\224\\164\\149\\224\\165\\141\\226\\128\\141\\224\\164\\183.",
     " u=\"" DEVANAGARI_KA "\\u{200D}" DEVANAGARI_SSA "\" idn=invalid(1:raw-utf8)", 0},
    {"an emoji", "xn--e28h.example", "xn--e28h.example.",
     " u=\"\\u{1F600}.example\" idn=restricted(1:emoji)", 0},
    {"show-emoji", "xn--e28h.example", "xn--e28h.example.", " u=\"" GRIN ".example\"", SHOW_EMOJI},
    {"show-emoji: a blank symbol", "xn--bf1h", "xn--bf1h.",
     " u=\"\\u{1D159}\" idn=restricted(1:charset)", SHOW_EMOJI},
    {"right to left", "xn--4dbc.example", "xn--4dbc.example.", " u=\"" ALEF_BET ".example\"", 0},
    {"log-name: ascii", "www.xn--bcher-kva.example", "www.xn--bcher-kva.example.", "", ASCII},
    {"log-name: ascii, restricted", "xn--pypal-4ve.com", "xn--pypal-4ve.com.",
     " idn=restricted(1:script-mix)", ASCII},
};

TEST_ROWS(test_name, names, name)
{
    const struct name *row = *state;
    struct sockaddr_storage client = client_of("192.0.2.7");
    struct xnm_reply reply = {TOKENS, .client = &client, .elapsed_us = 214, .cached = true};
    struct xnm_config config = {.log_name = row->options & ASCII,
                                .show_emoji = (row->options & SHOW_EMOJI) != 0};
    uint8_t wire[XN_WIRE_NAME_MAX];
    char expected[1024];

    char *line = line_of(&config, reply, wire, wire_of(row->qname, wire),
                         row->options & SHOW_EMOJI ? EMOJI : 0);
    snprintf(expected, sizeof expected, "192.0.2.7 %s A IN NOERROR 0.000214 1 -%s", row->column,
             row->fields);
    assert_string_equal(line, expected);
    free(line);
}

/* --- the other columns --- */

static struct columns {
    const char *line; /* of fallen.example */
    const char *client;
    int log_client;
    struct xnm_reply reply;
} columns[] = {
    {"192.0.2.7 fallen.example. A IN - 0.000012 0 -",
     "192.0.2.7",
     XNM_LOG_CLIENT_FULL,
     {.type_name = "A", .class_name = "IN", .rcode = XNM_NO_RCODE, .elapsed_us = 12}},
    {"0.0.0.0 fallen.example. MX CH REFUSED 0.000000 1 -",
     "0.0.0.0",
     XNM_LOG_CLIENT_FULL,
     {.type_name = "MX", .class_name = "CH", .rcode = 5, .rcode_name = "REFUSED", .cached = true}},
    {"192.0.2.0/24 fallen.example. A IN NOERROR 0.000000 0 -",
     "192.0.2.255",
     XNM_LOG_CLIENT_PREFIX,
     {TOKENS}},
    {"- fallen.example. A IN NOERROR 0.000000 0 -", "192.0.2.7", XNM_LOG_CLIENT_NONE, {TOKENS}},
    {"2001:db8:1:2fff::7 fallen.example. A IN NOERROR 0.000000 0 -",
     "2001:db8:1:2fff::7",
     XNM_LOG_CLIENT_FULL,
     {TOKENS}},
    {"2001:db8:1:2f00::/56 fallen.example. A IN NOERROR 0.000000 0 -",
     "2001:db8:1:2fff:a:b:c:7",
     XNM_LOG_CLIENT_PREFIX,
     {TOKENS}},
    {"- fallen.example. A IN NOERROR 0.000000 0 -", "2001:db8::7", XNM_LOG_CLIENT_NONE, {TOKENS}},
    {"192.0.2.7 fallen.example. A IN NOERROR 0.000000 0 -",
     "::ffff:192.0.2.7",
     XNM_LOG_CLIENT_FULL,
     {TOKENS}},
    {"192.0.2.0/24 fallen.example. A IN NOERROR 0.000000 0 -",
     "::ffff:192.0.2.7",
     XNM_LOG_CLIENT_PREFIX,
     {TOKENS}},
    {"- fallen.example. A IN NOERROR 0.000000 0 -", "no address", XNM_LOG_CLIENT_FULL, {TOKENS}},
    {"192.0.2.7 fallen.example. TYPE65280 CLASS42 RCODE22 0.000000 0 -",
     "192.0.2.7",
     XNM_LOG_CLIENT_FULL,
     {.qtype = 65280, .qclass = 42, .rcode = 22}},
    {"192.0.2.7 fallen.example. TYPE0 CLASS65535 RCODE0 0.000000 0 -",
     "192.0.2.7",
     XNM_LOG_CLIENT_FULL,
     {.qclass = 65535}},
    {"192.0.2.7 fallen.example. A IN NOERROR 0.000001 0 -",
     "192.0.2.7",
     XNM_LOG_CLIENT_FULL,
     {TOKENS, .elapsed_us = 1}},
    {"192.0.2.7 fallen.example. A IN NOERROR 59.999999 0 -",
     "192.0.2.7",
     XNM_LOG_CLIENT_FULL,
     {TOKENS, .elapsed_us = 59999999}},
    {"192.0.2.7 fallen.example. A IN NOERROR 18446744073709.551614 0 -",
     "192.0.2.7",
     XNM_LOG_CLIENT_FULL,
     {TOKENS, .elapsed_us = UINT64_MAX - 1}},
    {"192.0.2.7 fallen.example. A IN NOERROR - 1 -",
     "192.0.2.7",
     XNM_LOG_CLIENT_FULL,
     {TOKENS, .elapsed_us = XNM_NO_TIME, .cached = true}},
    {"192.0.2.7 fallen.example. A IN NOERROR 0.000001 - -",
     "192.0.2.7",
     XNM_LOG_CLIENT_FULL,
     {TOKENS, .elapsed_us = 1, .observed = true}},
    {"203.0.113.7 fallen.example. A IN NOERROR 0.000001 - -",
     "192.0.2.7",
     XNM_LOG_CLIENT_FULL,
     {TOKENS, .elapsed_us = 1, .observed = true, .subnet = {{4, {203, 0, 113, 7}}, 32}}},
    {"203.0.113.0/24 fallen.example. A IN NOERROR 0.000001 - -",
     "192.0.2.7",
     XNM_LOG_CLIENT_FULL,
     {TOKENS, .elapsed_us = 1, .observed = true, .subnet = {{4, {203, 0, 113}}, 24}}},
    {"203.0.113.0/24 fallen.example. A IN NOERROR 0.000001 - -",
     "192.0.2.7",
     XNM_LOG_CLIENT_PREFIX,
     {TOKENS, .elapsed_us = 1, .observed = true, .subnet = {{4, {203, 0, 113, 7}}, 32}}},
    {"203.0.0.0/16 fallen.example. A IN NOERROR 0.000001 - -",
     "192.0.2.7",
     XNM_LOG_CLIENT_PREFIX,
     {TOKENS, .elapsed_us = 1, .observed = true, .subnet = {{4, {203}}, 16}}},
    {"2001:db8:1:200::/56 fallen.example. A IN NOERROR 0.000001 - -",
     "192.0.2.7",
     XNM_LOG_CLIENT_PREFIX,
     {TOKENS, .elapsed_us = 1, .observed = true,
      .subnet = {{16, {0x20, 1, 0xd, 0xb8, 0, 1, 2, 3, [15] = 7}}, 128}}},
    {"- fallen.example. A IN NOERROR 0.000001 - -",
     "192.0.2.7",
     XNM_LOG_CLIENT_NONE,
     {TOKENS, .elapsed_us = 1, .observed = true, .subnet = {{4, {203, 0, 113, 7}}, 32}}},
};

TEST_ROWS(test_columns, columns, line)
{
    const struct columns *row = *state;
    struct xnm_config config = {.log_client = (uint8_t)row->log_client};
    struct sockaddr_storage client = client_of(row->client);
    struct xnm_reply reply = row->reply;
    uint8_t wire[XN_WIRE_NAME_MAX];

    reply.client = &client;
    char *line = line_of(&config, reply, wire, wire_of("fallen.example", wire), 0);
    assert_string_equal(line, row->line);
    free(line);
}

/* --- log and log-names --- */

static struct wish {
    const char *name;
    const char *qname;
    uint8_t log, log_names;
    bool wanted, matched;
} wishes[] = {
    {"log-names: all wants any name", "www.example", XNM_LOG_TEXT, XNM_LOG_NAMES_ALL, true, false},
    {"log-names: all wants the root", "", XNM_LOG_TEXT, XNM_LOG_NAMES_ALL, true, false},
    {"log-names: idn wants an A-label", "a.xn--bcher-kva.b", XNM_LOG_TEXT, XNM_LOG_NAMES_IDN, true,
     false},
    {"log-names: idn wants an invalid A-label", "XN--0", XNM_LOG_TEXT, XNM_LOG_NAMES_IDN, true,
     false},
    {"log-names: idn does not want ASCII", "axn--a", XNM_LOG_TEXT, XNM_LOG_NAMES_IDN, false, false},
    {"log-names: idn does not want the root", "", XNM_LOG_TEXT, XNM_LOG_NAMES_IDN, false, false},
    {"log: json wants any name", "www.example", XNM_LOG_JSON, XNM_LOG_NAMES_ALL, true, false},
    {"log: json and log-names: idn want an A-label", "xn--0", XNM_LOG_JSON, XNM_LOG_NAMES_IDN, true,
     false},
    {"log: json and log-names: idn do not want ASCII", "a", XNM_LOG_JSON, XNM_LOG_NAMES_IDN, false,
     false},
    {"log-names: policy does not want a name without a rule", "xn--bcher-kva", XNM_LOG_TEXT,
     XNM_LOG_NAMES_POLICY, false, false},
    {"log-names: policy wants one with a rule", "a", XNM_LOG_TEXT, XNM_LOG_NAMES_POLICY, true,
     true},
    {"log-names: idn does not want ASCII with a rule", "a", XNM_LOG_TEXT, XNM_LOG_NAMES_IDN, false,
     true},
    {"log: none wants nothing", "xn--bcher-kva", XNM_LOG_NONE, XNM_LOG_NAMES_ALL, false, false},
    {"log: none and log-names: idn want nothing", "xn--bcher-kva", XNM_LOG_NONE, XNM_LOG_NAMES_IDN,
     false, false},
};

TEST_ROWS(test_wish, wishes, name)
{
    const struct wish *row = *state;
    struct xnm_config config = {.log = row->log, .log_names = row->log_names};
    const struct xnm_match match = {.action = XNM_LOG};
    uint8_t wire[XN_WIRE_NAME_MAX];
    const struct xnm_reply reply = {.qname = wire,
                                    .qname_len = wire_of(row->qname, wire),
                                    .match = row->matched ? &match : NULL};

    assert_int_equal(xnm_logline_wanted(&config, &reply), row->wanted);
}

/* --- the longest lines --- */

static struct longest longests[] = {
    {"four labels of U+10FFFF", 0x10FFFF, 63, NULL},
    {"four labels of U+10000", 0x10000, 63, NULL},
    {"four labels of an emoji", 0x1F600, 63, NULL},
    {"four labels of U+20000", 0x20000, 63, NULL},
    {"four labels of a letter from right to left", 0x5D0, 63, NULL},
    {"short labels of U+10FFFF", 0x10FFFF, 8, NULL},
    {"short labels of an emoji", 0x1F600, 8, NULL},
    {"short labels of a Cyrillic letter", 0x430, 7, NULL},
    {"short labels of a letter from right to left", 0x5D0, 7, NULL},
    {"short labels that map to another", 0xC4, 7, NULL},
    {"50 labels of a bare prefix", 0, 4, NULL},
    {"four labels of octets that are escaped", ESCAPED, 63, NULL},
    {"127 labels of an octet that is escaped", ESCAPED, 1, NULL},
    RAW_LONGESTS,
};

TEST_ROWS(test_longest, longests, name)
{
    const struct longest *row = *state;
    struct sockaddr_storage client = client_of("2001:db8:1111:2222:3333:4444:5555:6666");
    struct xnm_reply reply = {.client = &client,
                              .qtype = 65535,
                              .qclass = 65535,
                              .rcode = INT32_MAX,
                              .elapsed_us = UINT64_MAX - 1};
    uint8_t wire[XN_WIRE_NAME_MAX];
    size_t len = put_longest(row, wire);

    for (unsigned i = 0; i < 4; i++) {
        struct xnm_config config = {.log_name = i & 1};
        free(line_of(&config, reply, wire, len, i & 2 ? EMOJI : 0));
    }
}

/* --- any line --- */

TEST(test_random, "200,000 random names")
{
    uint64_t seed = 20261120;

    for (int i = 0; i < 200000; i++) {
        static const char *const clients[] = {"192.0.2.7", "2001:db8:1:2fff::7", "neither"};
        struct xnm_config config = {.log_name = (uint8_t)below(&seed, 2),
                                    .log_client = (uint8_t)below(&seed, 3)};
        struct sockaddr_storage client = client_of(clients[below(&seed, 3)]);
        struct xnm_reply reply = {.client = &client,
                                  .qtype = (uint16_t)below(&seed, 65536),
                                  .rcode = (int)below(&seed, 24) - 1,
                                  .elapsed_us =
                                      (uint64_t)below(&seed, UINT32_MAX) * below(&seed, 99)};
        uint8_t wire[XN_WIRE_NAME_MAX];
        size_t len = i % 2 ? random_raw_name(&seed, wire) : random_name(&seed, wire);

        free(line_of(&config, reply, wire, len, below(&seed, 2) ? EMOJI : 0));
    }
}

/* Each code point as a label of its own, an A-label or raw, in names that are as long as they can
 * be. */
static void check_each_code_point(bool is_raw)
{
    struct sockaddr_storage client = client_of("192.0.2.7");
    struct xnm_reply reply = {.client = &client, .rcode = 0};
    struct xnm_config config = {.log_name = XNM_LOG_NAME_BOTH};
    uint8_t wire[XN_WIRE_NAME_MAX];
    size_t len = 0;

    for (uint32_t cp = 0x80; cp <= 0x10FFFF; cp++) {
        if (cp >= 0xD800 && cp <= 0xDFFF)
            continue;
        wire[len] = (uint8_t)(is_raw ? xn_utf8_put(cp, wire + len + 1)
                                     : put_a_label(&cp, 1, wire + len + 1, 16));
        len += (size_t)wire[len] + 1;
        if (len > XN_WIRE_NAME_MAX - 18 || cp == 0x10FFFF) {
            wire[len] = 0;
            free(line_of(&config, reply, wire, len + 1, EMOJI));
            len = 0;
        }
    }
}

TEST(test_each_code_point, "each code point in a label")
{
    check_each_code_point(false);
    check_each_code_point(true);
}

TEST_MAIN_WITH_UNICODE(unicode)
