/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/vectors.h"

#include "tests/unit/exact.h"
#include "tests/unit/jsonline.h"
#include "tests/unit/wirenames.h"

/* The tokens of a reply to a question for an address. */
#define TOKENS .type_name = "A", .class_name = "IN", .rcode_name = "NOERROR"

enum { EMOJI = 1 << XN_EMOJI };

static struct xn_unicode *unicode;

/* --- writing one --- */

/* The line of a wire name in a buffer of its size. */
static struct line line_of_wire(const struct xnm_config *config, struct xnm_reply reply,
                                const uint8_t *wire, size_t wire_len, xn_reasons ignored)
{
    uint8_t *qname = exact_copy(wire, wire_len);
    struct xn_name *name = malloc(sizeof *name);

    assert_int_equal(xn_name_read(unicode, qname, wire_len, ignored, name), XN_OK);
    reply.qname = qname;
    reply.qname_len = wire_len;
    struct line line = line_of(config, &reply, name, XNM_LOGLINE_JSON_MAX);
    free(name);
    free(qname);
    return line;
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

static const struct timespec when = {1795211763, 214000};

/* --- names --- */

enum { ASCII = XNM_LOG_NAME_ASCII, SHOW_EMOJI = 8 };

#define BUECHER_MEMBERS(names)                                                                     \
    "{'dns.question.name': 'www.xn--bcher-kva.example'," names " 'idn.status': 'ok',"              \
    " 'idn.scripts': ['Latn'], 'idn.labels': [{'index': 2, 'a': 'xn--bcher-kva',"
#define OK_AND_END "'status': 'ok', 'reason': []}]}"
#define BUECHER                                                                                    \
    BUECHER_MEMBERS("'dns.question.name_unicode': 'www.b\\u00FCcher.example',")                    \
    "'u': 'b\\u00FCcher'," OK_AND_END

static struct name {
    const char *name;
    const char *qname;
    const char *changes;
    int options;
} names[] = {
    {"no A-label", "www.example", "{}", 0},
    {"the root", "", "{'dns.question.name': '.'}", 0},
    {"capitals", "WWW.Example", "{}", 0},
    {"an A-label", "www.xn--bcher-kva.example", BUECHER, 0},
    {"an A-label in capitals", "WWW.XN--BCHER-KVA.EXAMPLE", BUECHER, 0},
    {"log-name: ascii", "www.xn--bcher-kva.example", BUECHER_MEMBERS("") OK_AND_END, ASCII},
    {"log-name: ascii, no A-label", "www.example", "{}", ASCII},
    {"a restricted label", "xn--pypal-4ve.com",
     "{'dns.question.name': 'xn--pypal-4ve.com', 'idn.status': 'restricted',"
     " 'idn.scripts': ['Latn', 'Cyrl'], 'idn.labels': [{'index': 1, 'a': 'xn--pypal-4ve',"
     " 'u': 'p\\\\u{430}ypal', 'status': 'restricted', 'reason': ['script-mix']}]}",
     0},
    {"raw UTF-8", "b\xC3\xBC.Example",
     "{'dns.question.name': 'b\\\\195\\\\188.example', 'dns.question.name_unicode':"
     " 'b\\u00FC.example', 'idn.status': 'invalid', 'idn.scripts': ['Latn'], 'idn.labels':"
     " [{'index': 1, 'a': 'b\\\\195\\\\188', 'u': 'b\\u00FC', 'status': 'invalid', 'reason':"
     " ['raw-utf8']}]}",
     0},
    {"log-name: ascii, raw UTF-8", "b\xC3\xBC",
     "{'dns.question.name': 'b\\\\195\\\\188', 'idn.status': 'invalid', 'idn.scripts': ['Latn'],"
     " 'idn.labels': [{'index': 1, 'a': 'b\\\\195\\\\188', 'status': 'invalid', 'reason':"
     " ['raw-utf8']}]}",
     ASCII},
    {"raw UTF-8 that could mislead, beside an A-label", "xn--bcher-kva.p\xD0\xB0ypal",
     "{'dns.question.name': 'xn--bcher-kva.p\\\\208\\\\176ypal', 'idn.status': 'invalid',"
     " 'idn.scripts': ['Latn', 'Cyrl'], 'idn.labels': [{'index': 1, 'a': 'xn--bcher-kva',"
     " 'u': 'b\\u00FCcher', 'status': 'ok', 'reason': []}, {'index': 2,"
     " 'a': 'p\\\\208\\\\176ypal', 'u': 'p\\\\u{430}ypal', 'status': 'invalid',"
     " 'reason': ['raw-utf8', 'script-mix']}]}",
     0},
    {"raw UTF-8 with a control, quotes and an override", "\x1B\"\\\xE2\x80\xAE.\xC3\xBC\xFF",
     "{'dns.question.name': '\\\\027\\\\034\\\\092\\\\226\\\\128\\\\174.\\\\195\\\\188\\\\255',"
     " 'idn.status': 'invalid', 'idn.scripts': [], 'idn.labels': [{'index': 1,"
     " 'a': '\\\\027\\\\034\\\\092\\\\226\\\\128\\\\174', 'u': '\\\\027\\\\034\\\\092\\\\u{202E}',"
     " 'status': 'invalid', 'reason': ['raw-utf8', 'disallowed']}]}",
     0},
    {"an invalid label", "xn--31m-dda.example",
     "{'dns.question.name': 'xn--31m-dda.example', 'idn.status': 'invalid', 'idn.scripts': [],"
     " 'idn.labels': [{'index': 1, 'a': 'xn--31m-dda', 'u': 'xn--31m-dda', 'status': 'invalid',"
     " 'reason': ['disallowed']}]}",
     0},
    {"log-name: ascii, an invalid label", "xn--31m-dda.example",
     "{'dns.question.name': 'xn--31m-dda.example', 'idn.status': 'invalid', 'idn.scripts': [],"
     " 'idn.labels': [{'index': 1, 'a': 'xn--31m-dda', 'status': 'invalid',"
     " 'reason': ['disallowed']}]}",
     ASCII},
    {"a good and a restricted label", "xn--bcher-kva.a.xn--e28h",
     "{'dns.question.name': 'xn--bcher-kva.a.xn--e28h', 'idn.status': 'restricted',"
     " 'idn.scripts': ['Latn'], 'idn.labels': [{'index': 1, 'a': 'xn--bcher-kva',"
     " 'u': 'b\\u00FCcher', 'status': 'ok', 'reason': []}, {'index': 3, 'a': 'xn--e28h',"
     " 'u': '\\\\u{1F600}', 'status': 'restricted', 'reason': ['emoji']}]}",
     0},
    {"a good, a restricted and an invalid label", "xn--fiqs8s.xn--e28h.xn--",
     "{'dns.question.name': 'xn--fiqs8s.xn--e28h.xn--', 'idn.status': 'invalid',"
     " 'idn.scripts': ['Hani'], 'idn.labels': [{'index': 1, 'a': 'xn--fiqs8s',"
     " 'u': '\\u4E2D\\u56FD', 'status': 'ok', 'reason': []}, {'index': 2, 'a': 'xn--e28h',"
     " 'u': '\\\\u{1F600}', 'status': 'restricted', 'reason': ['emoji']}, {'index': 3,"
     " 'a': 'xn--', 'u': 'xn--', 'status': 'invalid', 'reason': ['ascii-only']}]}",
     0},
    {"scripts of good and restricted labels alone", "xn--a-ubb.xn--80adxhks",
     "{'dns.question.name': 'xn--a-ubb.xn--80adxhks', 'idn.status': 'invalid',"
     " 'idn.scripts': ['Cyrl'], 'idn.labels': [{'index': 1, 'a': 'xn--a-ubb', 'u': 'xn--a-ubb',"
     " 'status': 'invalid', 'reason': ['leading-mark']}, {'index': 2, 'a': 'xn--80adxhks',"
     " 'u': '\\u043C\\u043E\\u0441\\u043A\\u0432\\u0430', 'status': 'ok', 'reason': []}]}",
     0},
    {"scripts once each, in their order", "xn--80adxhks.xn--bcher-kva.xn--e1afmkfd",
     "{'dns.question.name': 'xn--80adxhks.xn--bcher-kva.xn--e1afmkfd', 'idn.status': 'ok',"
     " 'dns.question.name_unicode': '\\u043C\\u043E\\u0441\\u043A\\u0432\\u0430.b\\u00FCcher"
     ".\\u043F\\u0440\\u0438\\u043C\\u0435\\u0440', 'idn.scripts': ['Cyrl', 'Latn'],"
     " 'idn.labels': [{'index': 1, 'a': 'xn--80adxhks', 'status': 'ok', 'reason': [],"
     " 'u': '\\u043C\\u043E\\u0441\\u043A\\u0432\\u0430'}, {'index': 2, 'a': 'xn--bcher-kva',"
     " 'u': 'b\\u00FCcher', 'status': 'ok', 'reason': []}, {'index': 3, 'a': 'xn--e1afmkfd',"
     " 'u': '\\u043F\\u0440\\u0438\\u043C\\u0435\\u0440', 'status': 'ok', 'reason': []}]}",
     0},
    {"many reasons, worst first", "xn----aa",
     "{'dns.question.name': 'xn----aa', 'idn.status': 'invalid', 'idn.scripts': [],"
     " 'idn.labels': [{'index': 1, 'a': 'xn----aa', 'u': 'xn----aa', 'status': 'invalid',"
     " 'reason': ['disallowed', 'hyphen']}]}",
     0},
    {"odd octets", "a b\t.\"\\\x1B.\x7F\x80\xFF",
     "{'dns.question.name': 'a\\\\032b\\\\009.\\\\034\\\\092\\\\027.\\\\127\\\\128\\\\255'}", 0},
    {"odd octets beside an A-label", "\"\\.xn--fiqs8s",
     "{'dns.question.name': '\\\\034\\\\092.xn--fiqs8s', 'idn.status': 'ok',"
     " 'dns.question.name_unicode': '\\\\034\\\\092.\\u4E2D\\u56FD', 'idn.scripts': ['Hani'],"
     " 'idn.labels': [{'index': 2, 'a': 'xn--fiqs8s', 'u': '\\u4E2D\\u56FD'," OK_AND_END,
     0},
    {"odd octets in an A-label", "xn--\xFF-a",
     "{'dns.question.name': 'xn--\\\\255-a', 'idn.status': 'invalid', 'idn.scripts': [],"
     " 'idn.labels': [{'index': 1, 'a': 'xn--\\\\255-a', 'u': 'xn--\\\\255-a',"
     " 'status': 'invalid', 'reason': ['punycode']}]}",
     0},
    {"a surrogate pair", "xn--j50i",
     "{'dns.question.name': 'xn--j50i', 'idn.status': 'ok', 'idn.scripts': ['Hani'],"
     " 'dns.question.name_unicode': '\\uD840\\uDC00', 'idn.labels': [{'index': 1, 'a': 'xn--j50i',"
     " 'u': '\\uD840\\uDC00'," OK_AND_END,
     0},
    {"show-emoji", "xn--e28h",
     "{'dns.question.name': 'xn--e28h', 'idn.status': 'ok', 'idn.scripts': [],"
     " 'dns.question.name_unicode': '\\uD83D\\uDE00', 'idn.labels': [{'index': 1,"
     " 'a': 'xn--e28h', 'u': '\\uD83D\\uDE00'," OK_AND_END,
     SHOW_EMOJI},
    {"joiners", "xn--11b2ezcw70k",
     "{'dns.question.name': 'xn--11b2ezcw70k', 'idn.status': 'ok', 'idn.scripts': ['Deva'],"
     " 'dns.question.name_unicode': '\\u0915\\u094D\\\\u{200D}\\u0937', 'idn.labels': [{"
     " 'index': 1, 'a': 'xn--11b2ezcw70k', 'u': '\\u0915\\u094D\\\\u{200D}\\u0937'," OK_AND_END,
     0},
};

TEST_ROWS(test_name, names, name)
{
    const struct name *row = *state;
    struct sockaddr_storage client = client_of("192.0.2.7");
    struct xnm_reply reply = {TOKENS, .client = &client, .elapsed_us = 214, .id = 4711,
                              .when = when};
    struct xnm_config config = {.log_name = row->options & ASCII};
    uint8_t wire[XN_WIRE_NAME_MAX];

    ((struct sockaddr_in *)(void *)&client)->sin_port = htons(5353);
    struct line line = line_of_wire(&config, reply, wire, wire_of(row->qname, wire),
                                    row->options & SHOW_EMOJI ? EMOJI : 0);
    expect(&line, row->changes);
    free_line(&line);
}

/* --- replies --- */

#define REPLY TOKENS, .id = 4711, .elapsed_us = 214
enum { FULL = XNM_LOG_CLIENT_FULL, PREFIX = XNM_LOG_CLIENT_PREFIX, NONE = XNM_LOG_CLIENT_NONE };

static struct replied {
    const char *name;
    const char *changes;
    const char *client;
    uint8_t log_client;
    struct xnm_reply reply;
} replies[] = {
    {"log-client: full", "{}", "192.0.2.7", FULL, {REPLY}},
    {"log-client: full, IPv6",
     "{'client.ip': '2001:db8:1:2fff:a:b:c:7'}",
     "2001:db8:1:2fff:a:b:c:7",
     FULL,
     {REPLY}},
    {"log-client: full, IPv4 in IPv6", "{}", "::ffff:192.0.2.7", FULL, {REPLY}},
    {"log-client: full, no address",
     "{'client.ip': null, 'client.port': null}",
     "no address",
     FULL,
     {REPLY}},
    {"log-client: prefix",
     "{'client.ip': '192.0.2.0', 'client.port': null}",
     "192.0.2.7",
     PREFIX,
     {REPLY}},
    {"log-client: prefix, IPv6",
     "{'client.ip': '2001:db8:1:2f00::', 'client.port': null}",
     "2001:db8:1:2fff:a:b:c:7",
     PREFIX,
     {REPLY}},
    {"log-client: prefix, IPv4 in IPv6",
     "{'client.ip': '192.0.2.0', 'client.port': null}",
     "::ffff:192.0.2.7",
     PREFIX,
     {REPLY}},
    {"log-client: prefix, no address",
     "{'client.ip': null, 'client.port': null}",
     "no address",
     PREFIX,
     {REPLY}},
    {"log-client: none", "{'client.ip': null, 'client.port': null}", "192.0.2.7", NONE, {REPLY}},
    {"log-client: none, IPv6",
     "{'client.ip': null, 'client.port': null}",
     "2001:db8::7",
     NONE,
     {REPLY}},
    {"a client that a forwarder names",
     "{'client.ip': '203.0.113.7', 'client.port': null}",
     "192.0.2.7",
     FULL,
     {REPLY, .subnet = {{4, {203, 0, 113, 7}}, 32}}},
    {"a network that a forwarder names",
     "{'client.ip': null, 'client.port': null, 'client.address': '203.0.113.0/24'}",
     "192.0.2.7",
     FULL,
     {REPLY, .subnet = {{4, {203, 0, 113}}, 24}}},
    {"log-client: prefix, of a client that a forwarder names",
     "{'client.ip': '203.0.113.0', 'client.port': null}",
     "192.0.2.7",
     PREFIX,
     {REPLY, .subnet = {{4, {203, 0, 113, 7}}, 32}}},
    {"log-client: prefix, of a larger network that a forwarder names",
     "{'client.ip': null, 'client.port': null, 'client.address': '203.0.0.0/16'}",
     "192.0.2.7",
     PREFIX,
     {REPLY, .subnet = {{4, {203}}, 16}}},
    {"log-client: none, of a client that a forwarder names",
     "{'client.ip': null, 'client.port': null}",
     "192.0.2.7",
     NONE,
     {REPLY, .subnet = {{4, {203, 0, 113, 7}}, 32}}},
    {"over UDP", "{}", "192.0.2.7", FULL, {REPLY, .transport = XNM_TRANSPORT_UDP}},
    {"over TCP",
     "{'network.transport': 'tcp', 'unbound.transport': 'tcp'}",
     "192.0.2.7",
     FULL,
     {REPLY, .transport = XNM_TRANSPORT_TCP}},
    {"over TLS",
     "{'network.transport': 'tcp', 'unbound.transport': 'dot'}",
     "192.0.2.7",
     FULL,
     {REPLY, .transport = XNM_TRANSPORT_DOT}},
    {"over HTTPS",
     "{'network.transport': 'tcp', 'unbound.transport': 'doh'}",
     "192.0.2.7",
     FULL,
     {REPLY, .transport = XNM_TRANSPORT_DOH}},
    {"over QUIC",
     "{'network.transport': 'udp', 'unbound.transport': 'doq'}",
     "192.0.2.7",
     FULL,
     {REPLY, .transport = XNM_TRANSPORT_DOQ}},
    {"from the cache", "{'unbound.cached': true}", "192.0.2.7", FULL, {REPLY, .cached = true}},
    {"another program's", "{'unbound.cached': null}", "192.0.2.7", FULL, {REPLY, .observed = true}},
    {"nobody knows how long it took",
     "{'event.duration': null}",
     "192.0.2.7",
     FULL,
     {TOKENS, .id = 4711, .elapsed_us = XNM_NO_TIME}},
    {"mnemonics",
     "{'dns.question.type': 'MX', 'dns.question.class': 'CH', 'dns.response_code': 'REFUSED'}",
     "192.0.2.7",
     FULL,
     {.type_name = "MX",
      .class_name = "CH",
      .rcode = 5,
      .rcode_name = "REFUSED",
      .id = 4711,
      .elapsed_us = 214}},
    {"no mnemonics",
     "{'dns.question.type': 'TYPE65280', 'dns.question.class': 'CLASS42',"
     " 'dns.response_code': 'RCODE22'}",
     "192.0.2.7",
     FULL,
     {.qtype = 65280, .qclass = 42, .rcode = 22, .id = 4711, .elapsed_us = 214}},
    {"a drop",
     "{'dns.response_code': null}",
     "192.0.2.7",
     FULL,
     {.type_name = "A", .class_name = "IN", .rcode = XNM_NO_RCODE, .id = 4711, .elapsed_us = 214}},
    {"no time and id 0",
     "{'event.duration': 0, 'dns.id': '0'}",
     "192.0.2.7",
     FULL,
     {TOKENS, .id = 0, .elapsed_us = 0}},
    {"minutes and id 65535",
     "{'event.duration': 4294967296000, 'dns.id': '65535'}",
     "192.0.2.7",
     FULL,
     {TOKENS, .id = 65535, .elapsed_us = 4294967296}},
};

TEST_ROWS(test_reply, replies, name)
{
    const struct replied *row = *state;
    struct sockaddr_storage client = client_of(row->client);
    struct xnm_config config = {.log_client = row->log_client};
    struct xnm_reply reply = row->reply;
    uint8_t wire[XN_WIRE_NAME_MAX];

    if (client.ss_family == AF_INET6)
        ((struct sockaddr_in6 *)(void *)&client)->sin6_port = htons(5353);
    else
        ((struct sockaddr_in *)(void *)&client)->sin_port = htons(5353);
    reply.client = &client;
    reply.when = when;
    struct line line = line_of_wire(&config, reply, wire, wire_of("www.example", wire), 0);
    expect(&line, row->changes);
    free_line(&line);
}

/* The largest numbers, as written: a JSON library could round them. */
TEST(test_numbers, "numbers as written")
{
    struct sockaddr_storage client = client_of("192.0.2.7");
    struct xnm_config config = {.log_name = XNM_LOG_NAME_BOTH};
    struct xnm_reply reply = {REPLY, .client = &client, .when = when};
    uint8_t wire[XN_WIRE_NAME_MAX];
    size_t wire_len = wire_of("www.example", wire);

    reply.elapsed_us = INT64_MAX / 1000;
    ((struct sockaddr_in *)(void *)&client)->sin_port = htons(65535);
    struct line line = line_of_wire(&config, reply, wire, wire_len, 0);
    assert_non_null(strstr(line.text, "\"event.duration\":9223372036854775000,"));
    assert_non_null(strstr(line.text, "\"client.port\":65535,"));
    free_line(&line);
}

/* Surrogates are written out, in capitals: a decoder shows neither. */
TEST(test_surrogates, "surrogates as written")
{
    struct sockaddr_storage client = client_of("192.0.2.7");
    struct xnm_config config = {.log_name = XNM_LOG_NAME_BOTH};
    struct xnm_reply reply = {REPLY, .client = &client, .when = when};
    uint8_t wire[XN_WIRE_NAME_MAX];

    struct line line = line_of_wire(&config, reply, wire, wire_of("xn--j50i", wire), 0);
    assert_non_null(strstr(line.text, "\"dns.question.name_unicode\":\"\\uD840\\uDC00\""));
    assert_non_null(strstr(line.text, "\"u\":\"\\uD840\\uDC00\""));
    free_line(&line);
}

TEST_MAIN_WITH_UNICODE(unicode)
