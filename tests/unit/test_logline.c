/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/vectors.h"

#include <arpa/inet.h>

#include "core/punycode.h"
#include "module/logline.h"
#include "tests/unit/exact.h"
#include "tests/unit/logline_grammar.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define BUECHER                                                                                    \
    "b\xC3\xBC"                                                                                    \
    "cher"
#define DEVANAGARI_KA "\xE0\xA4\x95\xE0\xA5\x8D"
#define DEVANAGARI_SSA "\xE0\xA4\xB7"
#define ALEF_BET "\xD7\x90\xD7\x91"
#define FSI "\xE2\x81\xA8"
#define PDI "\xE2\x81\xA9"
/* Of a reply to the question for an address. */
#define TOKENS .type_name = "A", .class_name = "IN", .rcode_name = "NOERROR"
#define GRIN "\xF0\x9F\x98\x80"

enum { LINE_MAX_LEN = XNM_LOGLINE_MAX - XNM_LOGLINE_TIME_LEN, EMOJI = 1 << XN_EMOJI };

static struct xn_unicode *unicode;

/* --- writing one --- */

static struct sockaddr_storage client_of(const char *text)
{
    struct sockaddr_storage client = {.ss_family = AF_INET};

    if (inet_pton(AF_INET, text, &((struct sockaddr_in *)(void *)&client)->sin_addr) == 1)
        return client;
    client.ss_family = AF_INET6;
    if (inet_pton(AF_INET6, text, &((struct sockaddr_in6 *)(void *)&client)->sin6_addr) != 1)
        client.ss_family = AF_UNIX;
    return client;
}

/* The line for a wire name, checked as above and with a NUL behind it. The caller frees it. */
static char *line_of(const struct xnm_config *config, struct xnm_reply reply, const uint8_t *wire,
                     size_t wire_len, xn_reasons ignored)
{
    uint8_t *qname = exact_copy(wire, wire_len);
    struct xn_name *name = malloc(sizeof *name);
    char *dst = malloc(LINE_MAX_LEN);

    assert_int_equal(xn_name_read(unicode, qname, wire_len, ignored, name), XN_OK);
    reply.qname = qname;
    reply.qname_len = wire_len;
    size_t len = xnm_logline_text(config, &reply, name, dst);
    assert_true(len <= LINE_MAX_LEN);
    char *line = strndup(dst, len);
    assert_int_equal(strlen(line), len);
    free(dst);
    free(name);
    free(qname);
    check_characters(line, (int32_t)len, config->bidi_isolates);
    check_line(line);
    return line;
}

/* "www.example" in wire format, whatever octets are in it. Returns its length. */
static size_t wire_of(const char *text, uint8_t *wire)
{
    size_t out = 0;

    while (*text) {
        size_t len = strcspn(text, ".");
        wire[out++] = (uint8_t)len;
        memcpy(wire + out, text, len);
        out += len;
        text += len + (text[len] == '.');
    }
    wire[out++] = 0;
    return out;
}

/* --- names --- */

/* What a row wants other than the defaults. */
enum { UNICODE = XNM_LOG_NAME_UNICODE, ASCII = XNM_LOG_NAME_ASCII, ISOLATES = 4, SHOW_EMOJI = 8 };

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
    {"UTF-8 as it is", BUECHER, "b\\195\\188cher.", "", 0},
    {"an emoji", "xn--e28h.example", "xn--e28h.example.",
     " u=\"\\u{1F600}.example\" idn=restricted(1:emoji)", 0},
    {"show-emoji", "xn--e28h.example", "xn--e28h.example.", " u=\"" GRIN ".example\"", SHOW_EMOJI},
    {"show-emoji: a blank symbol", "xn--bf1h", "xn--bf1h.",
     " u=\"\\u{1D159}\" idn=restricted(1:charset)", SHOW_EMOJI},
    {"right to left", "xn--4dbc.example", "xn--4dbc.example.", " u=\"" ALEF_BET ".example\"", 0},
    {"bidi-isolates", "a.xn--4dbc.xn--bcher-kva", "a.xn--4dbc.xn--bcher-kva.",
     " u=\"a." FSI ALEF_BET PDI "." BUECHER "\"", ISOLATES},
    {"bidi-isolates: a restricted label", "xn--4dba58129a", "xn--4dba58129a.",
     " u=\"\\u{5D0}\\u{1F600}\\u{5D0}\" idn=restricted(1:emoji)", ISOLATES},
    {"log-name: unicode", "www.xn--bcher-kva.example", "www." BUECHER ".example.", "", UNICODE},
    {"log-name: unicode, restricted", "xn--pypal-4ve.com", "xn--pypal-4ve.com.",
     " u=\"p\\u{430}ypal.com\" idn=restricted(1:script-mix)", UNICODE},
    {"log-name: unicode, one label invalid", "xn--bcher-kva.xn--31m-dda",
     "xn--bcher-kva.xn--31m-dda.", " u=\"" BUECHER ".xn--31m-dda\" idn=invalid(2:disallowed)",
     UNICODE},
    {"log-name: unicode, no A-label", "www.example", "www.example.", "", UNICODE},
    {"log-name: unicode, the root", "", ".", "", UNICODE},
    {"log-name: unicode, a joiner", "xn--11b2ezcw70k", DEVANAGARI_KA "\\u{200D}" DEVANAGARI_SSA ".",
     "", UNICODE},
    {"log-name: unicode, isolates", "xn--4dbc.a", FSI ALEF_BET PDI ".a.", "", UNICODE | ISOLATES},
    {"log-name: unicode, show-emoji", "xn--e28h", GRIN ".", "", UNICODE | SHOW_EMOJI},
    {"log-name: ascii", "www.xn--bcher-kva.example", "www.xn--bcher-kva.example.", "", ASCII},
    {"log-name: ascii, restricted", "xn--pypal-4ve.com", "xn--pypal-4ve.com.",
     " idn=restricted(1:script-mix)", ASCII},
};

static void test_name(void **state)
{
    const struct name *row = *state;
    struct sockaddr_storage client = client_of("192.0.2.7");
    struct xnm_reply reply = {TOKENS, .client = &client, .elapsed_us = 214, .cached = true};
    struct xnm_config config = {.log_name = row->options & (UNICODE | ASCII),
                                .bidi_isolates = (row->options & ISOLATES) != 0};
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
    {"192.0.2.7 fallen.example. A IN NOERROR 18446744073709.551615 0 -",
     "192.0.2.7",
     XNM_LOG_CLIENT_FULL,
     {TOKENS, .elapsed_us = UINT64_MAX}},
};

static void test_columns(void **state)
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

/* --- time --- */

static struct moment {
    const char *text;
    struct timespec when;
} moments[] = {
    {"1970-01-01T00:00:00.000000Z ", {0, 999}},
    {"2000-02-29T12:00:00.000001Z ", {951825600, 1000}},
    {"2024-02-29T23:59:59.999999Z ", {1709251199, 999999999}},
    {"2026-11-20T21:56:03.000214Z ", {1795211763, 214000}},
    {"2038-01-19T03:14:08.100000Z ", {2147483648, 100000000}},
    {"2100-02-28T23:59:59.000000Z ", {4107542399, 0}},
    {"2100-03-01T00:00:00.000000Z ", {4107542400, 0}},
    {"2106-02-07T06:28:16.000000Z ", {4294967296, 0}},
    {"9999-12-31T23:59:59.999999Z ", {253402300799, 999999000}},
};

static void test_moment(void **state)
{
    const struct moment *row = *state;
    char *dst = malloc(XNM_LOGLINE_TIME_LEN);

    assert_int_equal(xnm_logline_time(&row->when, dst), XNM_LOGLINE_TIME_LEN);
    assert_memory_equal(dst, row->text, XNM_LOGLINE_TIME_LEN);
    free(dst);
}

/* --- log and log-names --- */

static struct wish {
    const char *name;
    const char *qname;
    uint8_t log, log_names;
    bool wanted;
} wishes[] = {
    {"log-names: all wants any name", "www.example", XNM_LOG_TEXT, XNM_LOG_NAMES_ALL, true},
    {"log-names: all wants the root", "", XNM_LOG_TEXT, XNM_LOG_NAMES_ALL, true},
    {"log-names: idn wants an A-label", "a.xn--bcher-kva.b", XNM_LOG_TEXT, XNM_LOG_NAMES_IDN, true},
    {"log-names: idn wants an invalid A-label", "XN--0", XNM_LOG_TEXT, XNM_LOG_NAMES_IDN, true},
    {"log-names: idn does not want ASCII", "axn--a", XNM_LOG_TEXT, XNM_LOG_NAMES_IDN, false},
    {"log-names: idn does not want the root", "", XNM_LOG_TEXT, XNM_LOG_NAMES_IDN, false},
    {"log: none wants nothing", "xn--bcher-kva", XNM_LOG_NONE, XNM_LOG_NAMES_ALL, false},
    {"log: none and log-names: idn want nothing", "xn--bcher-kva", XNM_LOG_NONE, XNM_LOG_NAMES_IDN,
     false},
};

static void test_wish(void **state)
{
    const struct wish *row = *state;
    struct xnm_config config = {.log = row->log, .log_names = row->log_names};
    uint8_t wire[XN_WIRE_NAME_MAX];
    struct xn_name name;

    assert_int_equal(xn_name_read(unicode, wire, wire_of(row->qname, wire), 0, &name), XN_OK);
    assert_int_equal(xnm_logline_wanted(&config, &name), row->wanted);
}

/* --- the longest lines --- */

/* Writes "xn--" and the Punycode of the code points. Returns 0 if it is longer than room. */
static size_t put_a_label(const uint32_t *cps, size_t count, uint8_t *dst, size_t room)
{
    size_t len;

    memcpy(dst, "xn--", 4);
    return xn_punycode_encode(cps, count, dst + 4, room - 4, &len) == XN_OK ? len + 4 : 0;
}

static struct longest {
    const char *name;
    uint32_t
        cp; /* of each label as many as there is room for; 0: "xn--" alone; NOT_ACE: octets FF */
    size_t label_len; /* of each label, or less */
} longests[] = {
#define NOT_ACE UINT32_MAX
    {"four labels of U+10FFFF", 0x10FFFF, 63},
    {"four labels of U+10000", 0x10000, 63},
    {"four labels of an emoji", 0x1F600, 63},
    {"four labels of U+20000", 0x20000, 63},
    {"four labels of a letter from right to left", 0x5D0, 63},
    {"short labels of U+10FFFF", 0x10FFFF, 8},
    {"short labels of an emoji", 0x1F600, 8},
    {"short labels of a Cyrillic letter", 0x430, 7},
    {"short labels of a letter from right to left", 0x5D0, 7},
    {"short labels that map to another", 0xC4, 7},
    {"50 labels of a bare prefix", 0, 4},
    {"four labels of octets that are escaped", NOT_ACE, 63},
    {"127 labels of an octet that is escaped", NOT_ACE, 1},
};

static size_t put_longest_label(const struct longest *row, size_t room, uint8_t *dst)
{
    uint32_t cps[XN_ULABEL_MAX];
    size_t count = 0;

    if (row->label_len < room)
        room = row->label_len;
    if (row->cp == NOT_ACE) {
        memset(dst, 0xFF, room);
        return room;
    }
    if (room < 4)
        return 0;
    while (row->cp && count < XN_ULABEL_MAX) {
        cps[count++] = row->cp;
        if (put_a_label(cps, count, dst, room) == 0 && count-- > 0)
            break;
    }
    return put_a_label(cps, count, dst, room);
}

static void test_longest(void **state)
{
    const struct longest *row = *state;
    struct sockaddr_storage client = client_of("2001:db8:1111:2222:3333:4444:5555:6666");
    struct xnm_reply reply = {.client = &client,
                              .qtype = 65535,
                              .qclass = 65535,
                              .rcode = INT32_MAX,
                              .elapsed_us = UINT64_MAX};
    uint8_t wire[XN_WIRE_NAME_MAX];
    size_t len = 0, added;

    while (XN_WIRE_NAME_MAX - 1 - len > 1 &&
           (added = put_longest_label(row, XN_WIRE_NAME_MAX - 2 - len, wire + len + 1)) > 0) {
        wire[len] = (uint8_t)added;
        len += added + 1;
    }
    wire[len++] = 0;
    for (unsigned i = 0; i < 12; i++) {
        struct xnm_config config = {.log_name = (uint8_t)(i / 4), .bidi_isolates = i & 1};
        free(line_of(&config, reply, wire, len, i & 2 ? EMOJI : 0));
    }
}

/* --- any line --- */

static uint64_t seed;

static uint32_t below(uint32_t bound) /* xorshift64* */
{
    seed ^= seed >> 12;
    seed ^= seed << 25;
    seed ^= seed >> 27;
    return (uint32_t)(seed * 0x2545F4914F6CDD1D >> 32) % bound;
}

/* Where the awkward characters are; half of all code points are taken from there. */
static uint32_t random_code_point(void)
{
    static const uint32_t blocks[] = {
        0x61,   0x80,   0x300,  0x340,  0x430,   0x5D0,   0x600,   0x640,   0x900,   0x1160,
        0x17B0, 0x1800, 0x2000, 0x2028, 0x2060,  0x2800,  0x3000,  0x3040,  0x3160,  0x4E00,
        0xFE00, 0xFEFF, 0xFFA0, 0xFFF0, 0x1D150, 0x1D170, 0x1F1E6, 0x1F600, 0xE0000, 0xE0100};
    uint32_t cp = below(2) ? blocks[below(COUNT(blocks))] + below(16) : below(0x110000);

    return cp >= 0xD800 && cp <= 0xDFFF ? 'a' : cp;
}

/* Octets, letters, an A-label, one with an octet changed, or "xn--" and letters. Returns its
 * length. */
static size_t random_label(uint8_t *dst, size_t room)
{
    uint32_t kind = below(5), cps[12];
    size_t len = 1 + below(room < 12 ? (uint32_t)room : below(8) ? 12 : (uint32_t)room);

    for (size_t i = 0; i < len; i++)
        dst[i] = kind == 0 ? (uint8_t)below(256)
                           : (uint8_t)(LOGLINE_LOWER LOGLINE_DIGIT "-X"[below(38)]);
    if (kind == 4 && len > 4)
        memcpy(dst, "xn--", 4);
    if ((kind != 2 && kind != 3) || room < 5)
        return len;
    size_t count = 1 + below(COUNT(cps));
    for (size_t i = 0; i < count; i++)
        cps[i] = i > 0 && below(2) ? cps[i - 1] + below(2) : random_code_point();
    size_t a_len = put_a_label(cps, count, dst, room);
    if (a_len > 0 && kind == 3)
        dst[below((uint32_t)a_len)] = (uint8_t)below(256);
    return a_len > 0 ? a_len : len;
}

static void test_random(void **state)
{
    (void)state;
    seed = 20261120;
    for (int i = 0; i < 200000; i++) {
        static const char *const clients[] = {"192.0.2.7", "2001:db8:1:2fff::7", "neither"};
        struct xnm_config config = {.log_name = (uint8_t)below(3),
                                    .log_client = (uint8_t)below(3),
                                    .bidi_isolates = (uint8_t)below(2)};
        struct sockaddr_storage client = client_of(clients[below(3)]);
        struct xnm_reply reply = {.client = &client,
                                  .qtype = (uint16_t)below(65536),
                                  .rcode = (int)below(24) - 1,
                                  .elapsed_us = (uint64_t)below(UINT32_MAX) * below(99)};
        uint8_t wire[XN_WIRE_NAME_MAX];
        size_t len = 0;

        while (len < 250 && below(6)) {
            size_t room = XN_WIRE_NAME_MAX - 2 - len;
            wire[len] = (uint8_t)random_label(wire + len + 1, room > 63 ? 63 : room);
            len += (size_t)wire[len] + 1;
        }
        wire[len++] = 0;
        free(line_of(&config, reply, wire, len, below(2) ? EMOJI : 0));
    }
}

/* Each code point as a label of its own, in names that are as long as they can be. */
static void test_each_code_point(void **state)
{
    struct sockaddr_storage client = client_of("192.0.2.7");
    struct xnm_reply reply = {.client = &client, .rcode = 0};
    struct xnm_config config = {.log_name = XNM_LOG_NAME_UNICODE};
    uint8_t wire[XN_WIRE_NAME_MAX];
    size_t len = 0;

    (void)state;
    for (uint32_t cp = 0x80; cp <= 0x10FFFF; cp++) {
        if (cp >= 0xD800 && cp <= 0xDFFF)
            continue;
        wire[len] = (uint8_t)put_a_label(&cp, 1, wire + len + 1, 16);
        len += (size_t)wire[len] + 1;
        if (len > XN_WIRE_NAME_MAX - 18 || cp == 0x10FFFF) {
            wire[len] = 0;
            free(line_of(&config, reply, wire, len + 1, EMOJI));
            len = 0;
        }
    }
}

int main(void)
{
    struct test_group group = {0};

    if (xn_unicode_open(&unicode) != XN_OK)
        return 1;
    for (size_t i = 0; i < COUNT(names); i++)
        add_test(&group, names[i].name, test_name, &names[i]);
    for (size_t i = 0; i < COUNT(columns); i++)
        add_test(&group, columns[i].line, test_columns, &columns[i]);
    for (size_t i = 0; i < COUNT(moments); i++)
        add_test(&group, moments[i].text, test_moment, &moments[i]);
    for (size_t i = 0; i < COUNT(wishes); i++)
        add_test(&group, wishes[i].name, test_wish, &wishes[i]);
    for (size_t i = 0; i < COUNT(longests); i++)
        add_test(&group, longests[i].name, test_longest, &longests[i]);
    add_test(&group, "200,000 random names", test_random, NULL);
    add_test(&group, "each code point in a label", test_each_code_point, NULL);
    int failed = run_group("logline", &group);
    xn_unicode_close(unicode);
    return failed;
}
