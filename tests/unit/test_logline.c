/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole lines of both formats: of rows, of the longest names, and of random ones. */
#include "tests/unit/vectors.h"

#include "core/names/display.h"
#include "tests/unit/exact.h"
#include "tests/unit/jsonline.h"
#include "tests/unit/wirenames.h"

#define BUECHER                                                                                    \
    "b\xC3\xBC"                                                                                    \
    "cher"
#define DEVANAGARI_KA "\xE0\xA4\x95\xE0\xA5\x8D"
#define DEVANAGARI_SSA "\xE0\xA4\xB7"
#define ALEF_BET "\xD7\x90\xD7\x91"
#define GRIN "\xF0\x9F\x98\x80"
#define X4(label) label label label label
/* The tokens of a reply to a question for an address. */
#define TOKENS .type_name = "A", .class_name = "IN", .rcode_name = "NOERROR"

/* Options of a row that differ from the defaults. */
enum { ASCII = XNM_LOG_NAME_ASCII, SHOW_EMOJI = 8 };

enum {
    EMOJI = 1 << XN_EMOJI,
    PIPE_LINE_MAX = 4095,
    HOST_LINE_MAX = 10000 /* of Unbound's log, which would cut at 10,239 */
};

static struct xn_unicode *unicode;
static const struct timespec when = {1795211763, 214000};
#define TIME "2026-11-20T21:56:03.000214Z "

/* --- writing one --- */

/* Reads the name, which the reply then has. The caller frees the result. */
static struct xn_name *read_name(struct xnm_reply *reply, const uint8_t *wire, size_t wire_len,
                                 xn_reasons ignored)
{
    struct xn_name *name = malloc(sizeof *name);

    reply->qname = wire;
    reply->qname_len = wire_len;
    reply->when = when;
    assert_int_equal(xn_name_read(unicode, wire, wire_len, ignored, name), XN_OK);
    return name;
}

/* The text line of a name, checked, with a NUL after it. The caller frees it. The line with its
 * time has the same after the time, and so has one that is made of a known name. */
static char *text_of(const struct xnm_config *config, const struct xnm_reply *reply,
                     const struct xn_name *name)
{
    char *timed = malloc(XNM_LOGLINE_TEXT_MAX);
    char *dst = malloc(XNM_LOGLINE_TEXT_MAX - XNM_FORMAT_TIME_LEN - 1);
    size_t len = xnm_logline_text(config, reply, name, NULL, false, dst);
    struct xnm_namecache_entry known = {0};

    for (int time = 0; time < 2; time++) { /* the second time by what the first one kept */
        size_t timed_len =
            xnm_logline_text(config, reply, known.has_text ? NULL : name, &known, true, timed);
        assert_int_equal(timed_len, XNM_FORMAT_TIME_LEN + 1 + len);
        assert_memory_equal(timed, TIME, XNM_FORMAT_TIME_LEN + 1);
        assert_memory_equal(timed + XNM_FORMAT_TIME_LEN + 1, dst, len);
    }
    char *line = strndup(dst, len);
    assert_int_equal(strlen(line), len);
    free(dst);
    free(timed);
    check_characters(line, (int32_t)len);
    check_line(line);
    return line;
}

/* Both lines of a name. */
struct both {
    char *text;
    struct line json;
};

/* From a buffer of the name's size. */
static struct both lines_of(const struct xnm_config *config, struct xnm_reply reply,
                            const char *qname, xn_reasons ignored)
{
    uint8_t wire[XN_WIRE_NAME_MAX];
    size_t len = wire_of(qname, wire);
    uint8_t *exact = exact_copy(wire, len);
    struct xn_name *name = read_name(&reply, exact, len, ignored);
    struct both lines = {text_of(config, &reply, name),
                         line_of(config, &reply, name, XNM_LOGLINE_JSON_MAX)};

    free(name);
    free(exact);
    return lines;
}

static void free_lines(struct both *lines)
{
    free(lines->text);
    free_line(&lines->json);
}

/* --- whole lines --- */

/* That of www.example, from which rows differ. */
static const char common[] =
    "{'@timestamp': '2026-11-20T21:56:03.000214Z', 'ecs.version': '8.11.0',"
    " 'event.kind': 'event', 'event.category': ['network'],"
    " 'event.type': ['protocol'], 'event.dataset': 'unbound_idn.log',"
    " 'event.duration': 214000, 'client.ip': '192.0.2.7',"
    " 'client.port': 5353, 'network.transport': 'udp',"
    " 'network.protocol': 'dns', 'unbound.transport': 'udp',"
    " 'unbound.cached': false, 'dns.type': 'answer', 'dns.id': '4711',"
    " 'dns.question.name': 'www.example', 'dns.question.type': 'A',"
    " 'dns.question.class': 'IN', 'dns.response_code': 'NOERROR'}";

/* JSON with ' for ", so that rows can be read. */
static json_t *quoted_json(const char *text)
{
    json_error_t error;
    char *copy = strdup(text);

    for (char *c = copy; *c; c++)
        if (*c == '\'')
            *c = '"';
    json_t *object = json_loads(copy, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &error);
    if (!object)
        fail_msg("%s: %s", error.text, copy);
    free(copy);
    return object;
}

/* The line has what `common` has, changed as the row says: null stands for a key that is absent. */
static void expect(const struct line *line, const char *changes)
{
    json_t *expected = quoted_json(common), *changed = quoted_json(changes), *value;
    const char *key;

    json_object_foreach(changed, key, value)
    {
        if (json_is_null(value))
            assert_int_equal(json_object_del(expected, key), 0);
        else
            json_object_set(expected, key, value);
    }
    json_object_foreach(expected, key, value)
    {
        if (!json_equal(value, json_object_get(line->object, key)))
            fail_msg("%s is not %s in: %s", key, json_dumps(value, JSON_ENCODE_ANY), line->text);
    }
    assert_int_equal(json_object_size(expected), json_object_size(line->object));
    json_decref(changed);
    json_decref(expected);
}

/* --- names --- */

static struct name {
    const char *name;
    const char *qname;
    const char *column;
    const char *fields;
    int options;
    const char *members; /* NULL: not compared */
} names[] = {
    {"no A-label", "WWW.Example", "www.example.", "", 0, "{}"},
    {"the root", "", ".", "", 0, "{'dns.question.name': '.'}"},
    {"an A-label in capitals", "WWW.XN--BCHER-KVA.Example", "www.xn--bcher-kva.example.",
     " u=\"www." BUECHER ".example\"", 0,
     "{'dns.question.name': 'www.xn--bcher-kva.example',"
     " 'dns.question.name_unicode': 'www.b\\u00FCcher.example', 'idn.status': 'ok',"
     " 'idn.scripts': ['Latn'], 'idn.labels': [{'index': 2, 'a': 'xn--bcher-kva',"
     " 'u': 'b\\u00FCcher', 'status': 'ok', 'reason': []}]}"},
    {"log-name: ascii", "www.xn--bcher-kva.example", "www.xn--bcher-kva.example.", "", ASCII,
     "{'dns.question.name': 'www.xn--bcher-kva.example', 'idn.status': 'ok',"
     " 'idn.scripts': ['Latn'], 'idn.labels': [{'index': 2, 'a': 'xn--bcher-kva',"
     " 'status': 'ok', 'reason': []}]}"},
    {"log-name: ascii, raw UTF-8", "\xC3\xBC", "\\195\\188.", " idn=invalid(1:raw-utf8)", ASCII,
     "{'dns.question.name': '\\\\195\\\\188', 'idn.status': 'invalid', 'idn.scripts': ['Latn'],"
     " 'idn.labels': [{'index': 1, 'a': '\\\\195\\\\188', 'status': 'invalid',"
     " 'reason': ['raw-utf8']}]}"},
    {"a restricted label", "xn--pypal-4ve.com", "xn--pypal-4ve.com.",
     " u=\"p\\u{430}ypal.com\" idn=restricted(1:script-mix)", 0,
     "{'dns.question.name': 'xn--pypal-4ve.com', 'idn.status': 'restricted',"
     " 'idn.scripts': ['Latn', 'Cyrl'], 'idn.labels': [{'index': 1, 'a': 'xn--pypal-4ve',"
     " 'u': 'p\\\\u{430}ypal', 'status': 'restricted', 'reason': ['script-mix']}]}"},
    {"a good, a restricted and an invalid label", "xn--fiqs8s.xn--e28h.xn--",
     "xn--fiqs8s.xn--e28h.xn--.",
     " u=\"\u4E2D\u56FD.\\u{1F600}.xn--\" idn=invalid(3:ascii-only),restricted(2:emoji)", 0,
     "{'dns.question.name': 'xn--fiqs8s.xn--e28h.xn--', 'idn.status': 'invalid',"
     " 'idn.scripts': ['Hani'], 'idn.labels': [{'index': 1, 'a': 'xn--fiqs8s',"
     " 'u': '\\u4E2D\\u56FD', 'status': 'ok', 'reason': []}, {'index': 2, 'a': 'xn--e28h',"
     " 'u': '\\\\u{1F600}', 'status': 'restricted', 'reason': ['emoji']}, {'index': 3,"
     " 'a': 'xn--', 'u': 'xn--', 'status': 'invalid', 'reason': ['ascii-only']}]}"},
    {"the worst first, and all of one status", "xn--pypal-4ve.xn--31m-dda.xn--0.a.xn--e28h",
     "xn--pypal-4ve.xn--31m-dda.xn--0.a.xn--e28h.",
     " u=\"p\\u{430}ypal.xn--31m-dda.xn--0.a.\\u{1F600}\" "
     "idn=invalid(2:disallowed,3:punycode),restricted(1:script-mix,5:emoji)",
     0, NULL},
    {"scripts once each, in their order", "xn--80adxhks.xn--bcher-kva.xn--e1afmkfd",
     "xn--80adxhks.xn--bcher-kva.xn--e1afmkfd.",
     " u=\"\u043C\u043E\u0441\u043A\u0432\u0430." BUECHER ".\u043F\u0440\u0438\u043C\u0435\u0440\"",
     0,
     "{'dns.question.name': 'xn--80adxhks.xn--bcher-kva.xn--e1afmkfd', 'idn.status': 'ok',"
     " 'dns.question.name_unicode': '\\u043C\\u043E\\u0441\\u043A\\u0432\\u0430.b\\u00FCcher"
     ".\\u043F\\u0440\\u0438\\u043C\\u0435\\u0440', 'idn.scripts': ['Cyrl', 'Latn'],"
     " 'idn.labels': [{'index': 1, 'a': 'xn--80adxhks', 'status': 'ok', 'reason': [],"
     " 'u': '\\u043C\\u043E\\u0441\\u043A\\u0432\\u0430'}, {'index': 2, 'a': 'xn--bcher-kva',"
     " 'u': 'b\\u00FCcher', 'status': 'ok', 'reason': []}, {'index': 3, 'a': 'xn--e1afmkfd',"
     " 'u': '\\u043F\\u0440\\u0438\\u043C\\u0435\\u0440', 'status': 'ok', 'reason': []}]}"},
    {"two reasons of a label", "xn----aa", "xn----aa.", " idn=invalid(1:disallowed)", 0,
     "{'dns.question.name': 'xn----aa', 'idn.status': 'invalid', 'idn.scripts': [],"
     " 'idn.labels': [{'index': 1, 'a': 'xn----aa', 'u': 'xn----aa', 'status': 'invalid',"
     " 'reason': ['disallowed', 'hyphen']}]}"},
    {"a dead script", "xn--2n7c", "xn--2n7c.", " u=\"\\u{10000}\" idn=restricted(1:charset)", 0,
     NULL},
    {"joiners", "xn--11b2ezcw70k.xn--11b2ezcs70k", "xn--11b2ezcw70k.xn--11b2ezcs70k.",
     " u=\"" DEVANAGARI_KA "\\u{200D}" DEVANAGARI_SSA "." DEVANAGARI_KA "\\u{200C}" DEVANAGARI_SSA
     "\"",
     0, NULL},
    {"right to left", "xn--4dbc.example", "xn--4dbc.example.", " u=\"" ALEF_BET ".example\"", 0,
     NULL},
    {"show-emoji", "xn--e28h.example", "xn--e28h.example.", " u=\"" GRIN ".example\"", SHOW_EMOJI,
     NULL},
    {"show-emoji: a blank symbol", "xn--bf1h", "xn--bf1h.",
     " u=\"\\u{1D159}\" idn=restricted(1:charset)", SHOW_EMOJI, NULL},
    {"odd octets", "a b\t.\"\\\x1B.\x7F\x80\xFF", "a\\032b\\009.\\034\\092\\027.\\127\\128\\255.",
     "", 0,
     "{'dns.question.name': 'a\\\\032b\\\\009.\\\\034\\\\092\\\\027.\\\\127\\\\128\\\\255'}"},
    {"odd octets beside an A-label", "a b.\"\\.xn--bcher-kva", "a\\032b.\\034\\092.xn--bcher-kva.",
     " u=\"a\\032b.\\034\\092." BUECHER "\"", 0, NULL},
    {"odd octets in an A-label", "xn--\xFF-a.xn--a b-kva", "xn--\\255-a.xn--a\\032b-kva.",
     " idn=invalid(1:punycode,2:disallowed)", 0, NULL},
    {"raw UTF-8, ASCII capitals",
     "B\xC3\xBC"
     "CHER",
     "b\\195\\188cher.", " u=\"" BUECHER "\" idn=invalid(1:raw-utf8)", 0, NULL},
    {"raw UTF-8 in capitals",
     "\xC3\x9C"
     "ber",
     "\\195\\156ber.", " u=\"\\u{DC}ber\" idn=invalid(1:raw-utf8)", 0, NULL},
    {"raw UTF-8 that could mislead, beside an A-label", "xn--bcher-kva.p\xD0\xB0ypal",
     "xn--bcher-kva.p\\208\\176ypal.", " u=\"" BUECHER ".p\\u{430}ypal\" idn=invalid(2:raw-utf8)",
     0,
     "{'dns.question.name': 'xn--bcher-kva.p\\\\208\\\\176ypal', 'idn.status': 'invalid',"
     " 'idn.scripts': ['Latn', 'Cyrl'], 'idn.labels': [{'index': 1, 'a': 'xn--bcher-kva',"
     " 'u': 'b\\u00FCcher', 'status': 'ok', 'reason': []}, {'index': 2,"
     " 'a': 'p\\\\208\\\\176ypal', 'u': 'p\\\\u{430}ypal', 'status': 'invalid',"
     " 'reason': ['raw-utf8', 'script-mix']}]}"},
    {"raw UTF-8 with controls, quotes and a blank", "\xC3\xBC\x1B[31m\"\\ \n\x7F",
     "\\195\\188\\027[31m\\034\\092\\032\\010\\127.",
     " u=\"\\u{FC}\\027[31m\\034\\092\\032\\010\\127\" idn=invalid(1:raw-utf8)", 0, NULL},
    {"raw UTF-8: C1 controls, overrides, separators, invisible characters, a tag",
     "\xC2\x9B.\xE2\x80\xAE.\xE2\x80\xA8.\xE2\x80\x8B.\xF3\xA0\x81\x81",
     "\\194\\155.\\226\\128\\174.\\226\\128\\168.\\226\\128\\139.\\243\\160\\129\\129.",
     " u=\"\\u{9B}.\\u{202E}.\\u{2028}.\\u{200B}.\\u{E0041}\" "
     "idn=invalid(1:raw-utf8,2:raw-utf8,3:raw-utf8,4:raw-utf8,5:raw-utf8)",
     0, NULL},
    {"not UTF-8: cut, overlong, a surrogate, above U+10FFFF",
     "\xC3.\xC0\x80.\xED\xA0\x80.\xF4\x90\x80\x80",
     "\\195.\\192\\128.\\237\\160\\128.\\244\\144\\128\\128.", "", 0, NULL},
    {"not UTF-8 beside raw UTF-8", "\xC3\xBC\xFF.\xC3\xBC", "\\195\\188\\255.\\195\\188.",
     " u=\"\\195\\188\\255.\xC3\xBC\" idn=invalid(2:raw-utf8)", 0, NULL},
    {"raw UTF-8 behind \"xn--\"", "xn--\xC3\xBC", "xn--\\195\\188.", " idn=invalid(1:punycode)", 0,
     NULL},
    {"show-emoji: raw UTF-8", GRIN, "\\240\\159\\152\\128.",
     " u=\"" GRIN "\" idn=invalid(1:raw-utf8)", SHOW_EMOJI, NULL},
    {"raw UTF-8, a joiner", DEVANAGARI_KA "\xE2\x80\x8D" DEVANAGARI_SSA,
     "\\224\\164\\149\\224\\165\\141\\226\\128\\141\\224\\164\\183.",
     " u=\"" DEVANAGARI_KA "\\u{200D}" DEVANAGARI_SSA "\" idn=invalid(1:raw-utf8)", 0, NULL},
};

/* Returns the client with a port, which only JSON shows. */
static struct sockaddr_storage port_of(const char *client, uint16_t port)
{
    struct sockaddr_storage address = client_of(client);

    if (address.ss_family == AF_INET6)
        ((struct sockaddr_in6 *)(void *)&address)->sin6_port = htons(port);
    else
        ((struct sockaddr_in *)(void *)&address)->sin_port = htons(port);
    return address;
}

#define REPLY TOKENS, .id = 4711, .elapsed_us = 214

TEST_ROWS(writes_names, names, name)
{
    const struct name *row = *state;
    struct sockaddr_storage client = port_of("192.0.2.7", 5353);
    struct xnm_config config = {.log_name = row->options & ASCII,
                                .show_emoji = (row->options & SHOW_EMOJI) != 0};
    char expected[1024];

    struct both lines = lines_of(&config, (struct xnm_reply){REPLY, .client = &client}, row->qname,
                                 row->options & SHOW_EMOJI ? EMOJI : 0);
    snprintf(expected, sizeof expected, "192.0.2.7 %s A IN NOERROR 0.000214 0 -%s", row->column,
             row->fields);
    assert_string_equal(lines.text, expected);
    if (row->members)
        expect(&lines.json, row->members);
    free_lines(&lines);
}

/* --- clients --- */

enum { FULL = XNM_LOG_CLIENT_FULL, PREFIX = XNM_LOG_CLIENT_PREFIX, NONE = XNM_LOG_CLIENT_NONE };
#define NO_IP "{'client.ip': null, 'client.port': null}"
#define IP(text) "{'client.ip': '" text "', 'client.port': null}"
#define NETWORK(text) "{'client.ip': null, 'client.port': null, 'client.address': '" text "'}"

static struct client {
    uint8_t log_client;
    const char *client, *subnet; /* NULL: no forwarder names one */
    const char *column, *members;
} clients[] = {
    {FULL, "192.0.2.7", NULL, "192.0.2.7", "{}"},
    {FULL, "2001:db8:1:2fff::7", NULL, "2001:db8:1:2fff::7", "{'client.ip': '2001:db8:1:2fff::7'}"},
    {FULL, "::ffff:192.0.2.7", NULL, "192.0.2.7", "{}"},
    {FULL, "no address", NULL, "-", NO_IP},
    {FULL, "192.0.2.7", "203.0.113.7", "203.0.113.7", IP("203.0.113.7")},
    {FULL, "192.0.2.7", "203.0.113.0/24", "203.0.113.0/24", NETWORK("203.0.113.0/24")},
    {PREFIX, "192.0.2.255", NULL, "192.0.2.0/24", IP("192.0.2.0")},
    {PREFIX, "2001:db8:1:2fff:a:b:c:7", NULL, "2001:db8:1:2f00::/56", IP("2001:db8:1:2f00::")},
    {PREFIX, "::ffff:192.0.2.7", NULL, "192.0.2.0/24", IP("192.0.2.0")},
    {PREFIX, "192.0.2.7", "203.0.113.7", "203.0.113.0/24", IP("203.0.113.0")},
    {PREFIX, "192.0.2.7", "203.0.0.0/16", "203.0.0.0/16", NETWORK("203.0.0.0/16")},
    {PREFIX, "192.0.2.7", "2001:db8:1:203::7", "2001:db8:1:200::/56", IP("2001:db8:1:200::")},
    {NONE, "192.0.2.7", NULL, "-", NO_IP},
    {NONE, "192.0.2.7", "203.0.113.7", "-", NO_IP},
};

TEST_NUMBERED_ROWS(writes_clients, clients)
{
    const struct client *row = *state;
    struct xnm_config config = {.log_client = row->log_client};
    struct sockaddr_storage client = port_of(row->client, 5353);
    struct xnm_reply reply = {REPLY, .client = &client};
    char expected[128];

    if (row->subnet)
        assert_null(xnm_prefix_read(row->subnet, strlen(row->subnet), &reply.subnet));
    struct both lines = lines_of(&config, reply, "www.example", 0);
    snprintf(expected, sizeof expected, "%s www.example. A IN NOERROR 0.000214 0 -", row->column);
    assert_string_equal(lines.text, expected);
    expect(&lines.json, row->members);
    free_lines(&lines);
}

/* --- the other columns --- */

#define WWW "192.0.2.7 www.example. "

static struct replied {
    const char *line, *members;
    struct xnm_reply reply;
} replies[] = {
    {WWW "A IN NOERROR 0.000214 0 -",
     "{'network.transport': 'tcp', 'unbound.transport': 'tcp'}",
     {REPLY, .transport = XNM_TRANSPORT_TCP}},
    {WWW "A IN NOERROR 0.000214 0 -",
     "{'network.transport': 'tcp', 'unbound.transport': 'dot'}",
     {REPLY, .transport = XNM_TRANSPORT_DOT}},
    {WWW "A IN NOERROR 0.000214 0 -",
     "{'network.transport': 'tcp', 'unbound.transport': 'doh'}",
     {REPLY, .transport = XNM_TRANSPORT_DOH}},
    {WWW "A IN NOERROR 0.000214 0 -",
     "{'unbound.transport': 'doq'}",
     {REPLY, .transport = XNM_TRANSPORT_DOQ}},
    {WWW "A IN NOERROR 0.000214 1 -", "{'unbound.cached': true}", {REPLY, .cached = true}},
    {WWW "A IN NOERROR 0.000214 - -", "{'unbound.cached': null}", {REPLY, .observed = true}},
    {WWW "A IN NOERROR - 0 -",
     "{'event.duration': null}",
     {TOKENS, .id = 4711, .elapsed_us = XNM_NO_TIME}},
    {WWW "MX CH REFUSED 0.000000 0 -",
     "{'dns.question.type': 'MX', 'dns.question.class': 'CH', 'dns.response_code': 'REFUSED',"
     " 'event.duration': 0, 'dns.id': '0'}",
     {.type_name = "MX", .class_name = "CH", .rcode = 5, .rcode_name = "REFUSED"}},
    {WWW "TYPE65280 CLASS42 RCODE22 59.999999 0 -",
     "{'dns.question.type': 'TYPE65280', 'dns.question.class': 'CLASS42',"
     " 'dns.response_code': 'RCODE22', 'event.duration': 59999999000, 'dns.id': '65535'}",
     {.qtype = 65280, .qclass = 42, .rcode = 22, .id = 65535, .elapsed_us = 59999999}},
    {WWW "A IN - 0.000214 0 -", "{'dns.response_code': null}", {REPLY, .rcode = XNM_NO_RCODE}},
};

TEST_NUMBERED_ROWS(writes_replies, replies)
{
    const struct replied *row = *state;
    struct sockaddr_storage client = port_of("192.0.2.7", 5353);
    struct xnm_config config = {.log_name = XNM_LOG_NAME_BOTH};
    struct xnm_reply reply = row->reply;

    reply.client = &client;
    struct both lines = lines_of(&config, reply, "www.example", 0);
    assert_string_equal(lines.text, row->line);
    expect(&lines.json, row->members);
    free_lines(&lines);
}

/* A JSON library could round the largest numbers, and shows neither surrogates nor their case. */
TEST(writes_numbers_and_surrogates, "numbers and surrogates as written")
{
    struct sockaddr_storage client = port_of("192.0.2.7", 65535);
    struct xnm_config config = {.log_name = XNM_LOG_NAME_BOTH};
    struct xnm_reply reply = {TOKENS, .client = &client, .elapsed_us = INT64_MAX / 1000};

    struct both lines = lines_of(&config, reply, "xn--j50i", 0);
    assert_non_null(strstr(lines.text, " 9223372036.854775 "));
    assert_non_null(strstr(lines.json.text, "\"event.duration\":9223372036854775000,"));
    assert_non_null(strstr(lines.json.text, "\"client.port\":65535,"));
    assert_non_null(strstr(lines.json.text, "\"dns.question.name_unicode\":\"\\uD840\\uDC00\""));
    assert_non_null(strstr(lines.json.text, "\"u\":\"\\uD840\\uDC00\""));
    free_lines(&lines);
}

/* --- the longest lines --- */

/* Short labels that cost most octets of JSON for each of theirs were found by trying every label of
 * up to nine octets. */
static struct longest longests[] = {
    {"42 labels with one reason", AS_IT_IS, 5, "xn--a"},
    {"28 labels with two reasons, one of them longest", AS_IT_IS, 8, "xn--04bf"},
    {"28 labels with three restricted reasons", AS_IT_IS, 8, "xn--rlfb"},
    {"31 labels that begin with a hyphen", AS_IT_IS, 7, "xn----a"},
    {"labels with a hyphen and a mark", AS_IT_IS, 8, "xn--bcbb"},
    {"labels that are not NFC", AS_IT_IS, 7, "xn--hba"},
    {"50 labels of a bare prefix", 0, 4, NULL},
    {"four labels of U+10FFFF", 0x10FFFF, 63, NULL},
    {"four labels of U+10000", 0x10000, 63, NULL},
    {"four labels of an emoji", 0x1F600, 63, NULL},
    {"four labels of a letter of two surrogates", 0x20000, 63, NULL},
    {"four labels of a letter from right to left", 0x5D0, 63, NULL},
    {"four labels of joiners", 0x200D, 63, NULL},
    {"short labels of a letter of two surrogates", 0x20000, 9, NULL},
    {"middling labels of a letter of two surrogates", 0x20000, 24, NULL},
    {"short labels of U+10FFFF", 0x10FFFF, 8, NULL},
    {"short labels of an emoji", 0x1F600, 8, NULL},
    {"short labels of a Cyrillic letter", 0x430, 7, NULL},
    {"short labels of a letter from right to left", 0x5D0, 7, NULL},
    {"short labels that map to another", 0xC4, 7, NULL},
    {"a letter each of many scripts", EACH_SCRIPT, 63, NULL},
    {"labels of many scripts", MIXED_SCRIPT, 63, NULL},
    {"four labels of octets that are escaped", ESCAPED, 63, NULL},
    {"127 labels of an octet that is escaped", ESCAPED, 1, NULL},
    {"four A-labels of octets that are escaped", AS_IT_IS, 63,
     "xn--\"\"\"\"\"\"\"\"\"\"\"" X4("\\\\\\\\\\\\") X4("\xFF\xFF\xFF\xFF\xFF\xFF")},
    RAW_LONGESTS,
};

/* Members that a line has together or not at all, and which a name without A-labels has not. */
static const char *const optional[] = {"dns.question.name_unicode", "idn.scripts", "idn.labels"};

/* Octets of the optional members in the line, with their commas and keys. */
static size_t optional_len(const struct line *whole)
{
    const char *status = strstr(whole->text, ",\"idn.status\":\"");
    const char *behind = status ? strchr(status + 15, ',') : NULL;

    return behind ? strlen(behind) - 1 : 0; /* nothing but a brace is behind them */
}

/* The line has the optional members if they fit into this limit, and all others. */
static void check_limit(const struct xnm_config *config, const struct xnm_reply *reply,
                        const struct xn_name *name, const struct line *whole, size_t limit)
{
    if (limit < XNM_LOGLINE_SHORT_MAX)
        return;
    struct line line = line_of(config, reply, name, limit);
    json_t *expected = json_copy(whole->object);
    size_t short_len = whole->len - optional_len(whole);

    assert_true(short_len <= XNM_LOGLINE_SHORT_MAX);
    for (size_t i = 0; i < COUNT(optional) && whole->len > limit; i++)
        json_object_del(expected, optional[i]);
    assert_int_equal(line.len, whole->len > limit ? short_len : whole->len);
    assert_true(json_equal(line.object, expected));
    json_decref(expected);
    free_line(&line);
}

static size_t longest_len;  /* of all lines so far */
static unsigned cut_counts; /* lines that are longer than the least limit */

/* Whole; in what a pipe and Unbound's log take; and with just enough, just too little. */
static void check_longest(const struct xnm_config *config, const struct xnm_reply *reply,
                          const struct xn_name *name)
{
    struct line whole = line_of(config, reply, name, XNM_LOGLINE_JSON_MAX);

    if (name->ace_count > 0)
        assert_int_equal(json_array_size(json_object_get(whole.object, "idn.labels")),
                         name->ace_count);
    check_limit(config, reply, name, &whole, XNM_LOGLINE_SHORT_MAX);
    check_limit(config, reply, name, &whole, PIPE_LINE_MAX);
    check_limit(config, reply, name, &whole, HOST_LINE_MAX);
    check_limit(config, reply, name, &whole, whole.len);
    check_limit(config, reply, name, &whole, whole.len - 1);
    longest_len = whole.len > longest_len ? whole.len : longest_len;
    cut_counts += whole.len > XNM_LOGLINE_SHORT_MAX;
    free_line(&whole);
}

/* Each field is tested while all others have their longest values. */
TEST_ROWS(writes_longest_names, longests, name)
{
    const struct longest *row = *state;
    struct sockaddr_storage client = port_of("2001:db8:1111:2222:3333:4444:5555:6666", 65535);
    uint8_t wire[XN_WIRE_NAME_MAX];
    size_t len = put_longest(row, wire);
    uint8_t *qname = exact_copy(wire, len);
    struct xnm_reply reply = {.client = &client,
                              .qtype = 65535,
                              .qclass = 65535,
                              .rcode = INT32_MAX,
                              .elapsed_us = UINT64_MAX / 1000,
                              .id = 65535};

    assert_true(len > XN_WIRE_NAME_MAX - 9);
    for (unsigned i = 0; i < 4; i++) {
        struct xnm_config config = {.log_name = (uint8_t)(i / 2)};
        struct xn_name *name = read_name(&reply, qname, len, i % 2 ? EMOJI : 0);
        free(text_of(&config, &reply, name));
        check_longest(&config, &reply, name);
        free(name);
    }
    free(qname);
}

/* If this fails, the rows above no longer reach what they are there for. */
TEST(reached_limits, "lines were longer than limits")
{
    print_message("# the longest line has %zu octets\n", longest_len);
    assert_true(longest_len > PIPE_LINE_MAX);
    assert_true(cut_counts >= 10);
}

/* --- any name --- */

static const char *string_of(const struct line *line, const char *key)
{
    return json_string_value(json_object_get(line->object, key));
}

/* Against what the text line is made of; xn_name_decode_raw has read the name. */
static void check_members(const struct line *line, const struct xnm_config *config,
                          const struct xnm_reply *reply, const struct xn_name *name)
{
    bool ascii = config->log_name == XNM_LOG_NAME_ASCII;
    xn_reasons raw = xn_reason_bit(XN_RAW_UTF8);
    bool plain = name->ace_count == 0 && !(name->reasons & raw);
    char text[XN_DISPLAY_NAME_MAX + 1];
    size_t len = xn_wire_to_text(reply->qname, text);

    text[len > 1 ? len - 1 : len] = '\0';
    assert_string_equal(string_of(line, "dns.question.name"), text);
    assert_int_equal(!string_of(line, "idn.status"), plain);
    assert_int_equal(!json_object_get(line->object, "idn.scripts"), plain);
    assert_int_equal(!json_object_get(line->object, "idn.labels"), plain);
    assert_int_equal(!string_of(line, "dns.question.name_unicode"),
                     plain || (name->reasons & ~raw) || ascii);
    assert_int_equal(!string_of(line, "dns.response_code"), reply->rcode == XNM_NO_RCODE);
    if (plain)
        return;
    assert_string_equal(string_of(line, "idn.status"),
                        xn_label_status_word(xn_reasons_status(name->reasons)));
    if (string_of(line, "dns.question.name_unicode")) {
        text[xn_display_name(name, text)] = '\0';
        assert_string_equal(string_of(line, "dns.question.name_unicode"), text);
    }
}

/* An object for each A-label or raw label, in their order. */
static void check_labels(const json_t *labels, const struct xnm_config *config,
                         const struct xn_name *name)
{
    char text[XN_DISPLAY_LABEL_MAX + 1];
    size_t found = 0;

    for (size_t i = 0; i < name->label_count; i++) {
        const struct xn_label *label = &name->labels[i];
        const json_t *object = json_array_get(labels, found);

        if (!label->ace && !label->raw)
            continue;
        found++;
        assert_int_equal((int)json_number_value(json_object_get(object, "index")), i + 1);
        text[xn_wire_label_to_text(name->wire + label->at, label->len, text)] = '\0';
        assert_string_equal(json_string_value(json_object_get(object, "a")), text);
        assert_string_equal(json_string_value(json_object_get(object, "status")),
                            xn_label_status_word(xn_reasons_status(label->reasons)));
        assert_int_equal(json_array_size(json_object_get(object, "reason")),
                         __builtin_popcount(label->reasons));
        if (config->log_name == XNM_LOG_NAME_ASCII) {
            assert_null(json_object_get(object, "u"));
            continue;
        }
        text[xn_display_label(name, label, text)] = '\0';
        assert_string_equal(json_string_value(json_object_get(object, "u")), text);
    }
    assert_int_equal(json_array_size(labels), found);
}

TEST(writes_random_names, "20,000 random names")
{
    static const char *const addresses[] = {"192.0.2.7", "2001:db8:1:2fff::7", "neither"};
    uint64_t seed = 20261121;

    for (int i = 0; i < 20000; i++) {
        struct xnm_config config = {.log_name = (uint8_t)below(&seed, 2),
                                    .log_client = (uint8_t)below(&seed, 3)};
        struct sockaddr_storage client = client_of(addresses[below(&seed, 3)]);
        uint8_t wire[XN_WIRE_NAME_MAX];
        size_t len = i % 2 ? random_raw_name(&seed, wire) : random_name(&seed, wire);
        uint8_t *qname = exact_copy(wire, len);
        struct xnm_reply reply = {.client = &client,
                                  .qtype = (uint16_t)below(&seed, 65536),
                                  .rcode = (int)below(&seed, 24) - 1,
                                  .transport = (xnm_transport)below(&seed, 5),
                                  .elapsed_us = below(&seed, UINT32_MAX)};
        struct xn_name *name = read_name(&reply, qname, len, below(&seed, 2) ? EMOJI : 0);
        struct line line = line_of(&config, &reply, name, XNM_LOGLINE_JSON_MAX);

        free(text_of(&config, &reply, name));
        xn_name_decode_raw(0, name);
        check_members(&line, &config, &reply, name);
        check_labels(json_object_get(line.object, "idn.labels"), &config, name);
        free_line(&line);
        free(name);
        free(qname);
    }
}

/* Each code point as a label of its own, an A-label or raw, in names that are as long as they can
 * be. */
static void check_each(bool is_raw)
{
    struct sockaddr_storage client = client_of("192.0.2.7");
    struct xnm_reply reply = {.client = &client};
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
            struct xn_name *name = read_name(&reply, wire, len + 1, EMOJI);
            free(text_of(&config, &reply, name));
            free(name);
            len = 0;
        }
    }
}

TEST(writes_each_code_point, "each code point in a label")
{
    check_each(false);
    check_each(true);
}

TEST_MAIN_WITH_UNICODE(unicode)
