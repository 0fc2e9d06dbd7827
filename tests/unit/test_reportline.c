/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of query logs, in text and JSON, what is none, and their names in wire format. */
#include "tests/unit/vectors.h"

#include "core/wire/wire.h"
#include "tests/unit/exact.h"
#include "tools/logs/line.h"
#include "tools/logs/logname.h"

#include <time.h>

/* "time|client|name|type|rcode|action|rule|match|key|target|mode", `~` for what is none, and
 * "|tags" if there are; NULL: the line is none. */
static const struct row {
    const char *line, *read;
} rows[] = {
    /* Ours, to a file. */
    {"2026-11-20T21:56:03.000214Z 192.0.2.7 www.example. A IN NOERROR 0.000214 1 -",
     "1795211763|192.0.2.7|www.example|A|NOERROR|~|~|~|~|~|"},
    {"2026-11-20T21:56:03.000214Z - . NS IN NOERROR 0.000214 0 -",
     "1795211763|~|.|NS|NOERROR|~|~|~|~|~|"},
    {"2026-11-20T21:56:03.000214Z 192.0.2.0/24 a. A IN - 12.000012 0 - policy=drop rule=f:7 "
     "match=\"zone a\"",
     "1795211763|192.0.2.0/24|a|A|~|drop|f:7|zone a|~|~|"},
    {"2026-11-20T21:56:03.000214Z 2001:db8::1 xn--pypal-4ve.com. AAAA IN NXDOMAIN 0.000031 0 - "
     "u=\"p\\u{430}ypal.com\" idn=restricted(1:script-mix) policy=nxdomain rule=idn-policy.conf:12 "
     "match=\"lookalike paypal.com\" key=exact label=1 target=xn--a.example tags=a,b mode=log-only",
     "1795211763|2001:db8::1|xn--pypal-4ve.com|AAAA|NXDOMAIN|nxdomain|idn-policy.conf:12|lookalike "
     "paypal.com|exact|xn--a.example|log-only|a,b"},
    {"2026-11-20T21:56:03Z ::1 b\xC3\xBC.example. TYPE65280 CLASS3 RCODE3841 0.0 0 -",
     "1795211763|::1|b\xC3\xBC.example|TYPE65280|RCODE3841|~|~|~|~|~|"},
    /* Quotes and escapes. */
    {"192.0.2.7 a. A IN NOERROR 0.1 0 - rule=\"a \\\"b\\\\\\u{E4}:1\" policy=log",
     "~|192.0.2.7|a|A|NOERROR|log|a \"b\\\xC3\xA4:1|~|~|~|"},
    {"192.0.2.7 a\\032\\\"b. A IN NOERROR 0.1 0 - policy=\"log\" rule=x:0",
     "~|192.0.2.7|a\\032\\\"b|A|NOERROR|log|x:0|~|~|~|"},
    {"192.0.2.7 a. A IN NOERROR 0.1 0 - policy=log rule=f:7 policy=drop mode=other",
     "~|192.0.2.7|a|A|NOERROR|log|f:7|~|~|~|other"},
    {"192.0.2.7 a. A IN NOERROR 0.1 0 - rule=f:7 policy=drop mode=log-only mode=",
     "~|192.0.2.7|a|A|NOERROR|drop|f:7|~|~|~|log-only"},
    {"192.0.2.7 a. A IN NOERROR 0.1 0 - =x  new=1 match= key policy=log rule=f:7",
     "~|192.0.2.7|a|A|NOERROR|log|f:7||~|~|"},
    /* Truncated lines: some can be recognized as such, others cannot. */
    {"192.0.2.7 a. A IN NOERROR 0.1 0 - u=\"a\\\"", NULL},
    {"192.0.2.7 a. A IN NOERROR 0.1 0 - u=\"a\" policy=passth", NULL},
    {"192.0.2.7 a. A IN NOERROR 0.1 0 - u=\"a\" policy=", NULL},
    {"192.0.2.7 a. A IN NOERROR 0.1 0 - policy=rpz rule=f:7", NULL},
    {"192.0.2.7 a. A IN NOERROR 0.1 0 - policy=passthru", NULL},
    {"192.0.2.7 a. A IN NOERROR 0.1 0 - policy=passthru rule=", NULL},
    {"192.0.2.7 a. A IN NOERROR 0.1 0 - policy=passthru rule=7", NULL},
    {"192.0.2.7 a. A IN NOERROR 0.1 0 - policy=passthru rule=idn-policy.co", NULL},
    {"192.0.2.7 a. A IN NOERROR 0.1 0 - policy=passthru rule=idn-policy.conf:", NULL},
    {"192.0.2.7 a. A IN NOERROR 0.1 0 - policy=passthru rule=\"/etc/unb", NULL},
    {"192.0.2.7 a. A IN NOERROR 0.1 0 - policy=log rule=f:7 match=\"zone cu", NULL},
    {"192.0.2.7 a. A IN NOERROR 0.1 0 - policy=drop rule=f:7 mo",
     "~|192.0.2.7|a|A|NOERROR|drop|f:7|~|~|~|"},
    {"192.0.2.7 a. A IN NOERROR 0.1 0 - poli", "~|192.0.2.7|a|A|NOERROR|~|~|~|~|~|"},
    {"192.0.2.7 a. A IN NOERROR 0.1 0 - \"policy=drop\"", "~|192.0.2.7|a|A|NOERROR|~|~|~|~|~|"},
    /* Lines of stock Unbound, with the prefixes that they can have. */
    {"[1700000000] unbound[123:0] info: 127.0.0.1 Name.Example. A IN NOERROR 3.062367 0 58",
     "1700000000|127.0.0.1|Name.Example|A|NOERROR|~|~|~|~|~|"},
    {"[1700000000] unbound[123:a] reply: 127.0.0.1 name. A IN NOERROR 3.062367 0 58",
     "1700000000|127.0.0.1|name|A|NOERROR|~|~|~|~|~|"},
    {"[1700000000] unbound[123:0] info: 127.0.0.9 null TYPE0 CLASS0 REFUSED 0.000000 1 12",
     "1700000000|127.0.0.9|~|TYPE0|REFUSED|~|~|~|~|~|"},
    {"[1700000000] unbound[123:0] info: 127.0.0.9 - - - FORMERR - - - ",
     "1700000000|127.0.0.9|~|~|FORMERR|~|~|~|~|~|"},
    {"Nov 20 21:56:03 unbound[123:0] info: 127.0.0.1 a. A IN NOERROR 0.0 0 58",
     "1795211763|127.0.0.1|a|A|NOERROR|~|~|~|~|~|"},
    {"Nov  2 21:56:03 ns1 unbound[123]: [123:0] info: 127.0.0.1 a. A IN NOERROR 0.0 0 58",
     "1793656563|127.0.0.1|a|A|NOERROR|~|~|~|~|~|"},
    {"Dec 20 21:56:03 ns1 unbound[123]: [123:0] info: 127.0.0.1 a. A IN NOERROR 0.0 0 58",
     "1766267763|127.0.0.1|a|A|NOERROR|~|~|~|~|~|"}, /* of the year before */
    {"2026-11-20T22:56:03+0100 ns1 unbound[123]: [123:0] info: 127.0.0.1 a. A IN NOERROR 0.0 0 58",
     "1795211763|127.0.0.1|a|A|NOERROR|~|~|~|~|~|"},
    {"2026-11-20T17:26:03.1-04:30 ns1 unbound[1]: [1:0] info: 127.0.0.1 a. A IN NOERROR 0.0 0 58",
     "1795211763|127.0.0.1|a|A|NOERROR|~|~|~|~|~|"},
    {"unbound-1  | [1700000000] unbound[7:0] info: 127.0.0.1 a. A IN NOERROR 0.0 0 58",
     "1700000000|127.0.0.1|a|A|NOERROR|~|~|~|~|~|"},
    /* Our lines on /dev/stdout, behind the prefix of the program that reads them. */
    {"Nov 20 21:56:05 ns1 unbound[123]: 2026-11-20T21:56:03.000214Z 192.0.2.7 a. A IN NOERROR "
     "0.000214 1 -",
     "1795211763|192.0.2.7|a|A|NOERROR|~|~|~|~|~|"},
    {"2026-11-20T21:56:05+0000 ns1 unbound[123]: {\"@timestamp\":\"2026-11-20T21:56:03.000214Z\","
     "\"dns.question.name\":\"a\",\"dns.question.type\":\"A\"}",
     "1795211763|~|a|A|~|~|~|~|~|~|"},
    {"unbound-1  | 2026-11-20T21:56:03.000214Z 192.0.2.7 a. A IN NOERROR 0.000214 1 -",
     "1795211763|192.0.2.7|a|A|NOERROR|~|~|~|~|~|"},
    {"unbound-1  | {\"dns.question.name\":\"a\",\"dns.question.type\":\"A\"}",
     "~|~|a|A|~|~|~|~|~|~|"},
    /* … of a shipper, a syslog without a pid, Kubernetes and `docker logs -t`. */
    {"Nov 20 21:56:05 ns1 unbound-idn 2026-11-20T21:56:03.000214Z 192.0.2.7 a. A IN NOERROR 0.1 1 "
     "-",
     "1795211763|192.0.2.7|a|A|NOERROR|~|~|~|~|~|"},
    {"Nov 20 21:56:03 ns1 unbound: 192.0.2.7 a. A IN NOERROR 0.000214 1 60",
     "1795211763|192.0.2.7|a|A|NOERROR|~|~|~|~|~|"},
    {"2026-11-20T21:56:05.1Z stdout F 2026-11-20T21:56:03.000214Z 192.0.2.7 a. A IN NOERROR 0.1 1 "
     "-",
     "1795211763|192.0.2.7|a|A|NOERROR|~|~|~|~|~|"},
    {"2026-11-20T21:56:03.1Z stderr F [1700000000] unbound[7:0] info: 127.0.0.1 a. A IN NOERROR "
     "0.0 0 58",
     "1795211763|127.0.0.1|a|A|NOERROR|~|~|~|~|~|"},
    {"2026-11-20T21:56:03.1Z stdout F {\"dns.question.name\":\"a\",\"dns.question.type\":\"A\"}",
     "1795211763|~|a|A|~|~|~|~|~|~|"},
    {"2026-11-20T21:56:05.1Z 2026-11-20T21:56:03.000214Z 192.0.2.7 a. A IN NOERROR 0.000214 1 -",
     "1795211763|192.0.2.7|a|A|NOERROR|~|~|~|~|~|"},
    {"2026-11-20T21:56:03Z one 192.0.2.7 a. A IN NOERROR 0.000214 1 -", NULL},
    {"2026-11-20T21:56:03Z one two three 192.0.2.7 a. A IN NOERROR 0.000214 1 -", NULL},
    {"one two 192.0.2.7 a. A IN NOERROR 0.000214 1 -", NULL},
    {"2026-11-20T21:56:03Z 192.0.2.7 a A 192.0.2.9 b. A IN NOERROR 0.1 0 -", NULL},
    {"127.0.0.1 a. A IN NOERROR 0.0 0 58", "~|127.0.0.1|a|A|NOERROR|~|~|~|~|~|"},
    /* Query logs of others: BIND, as its file, syslog and categories have it. */
    {"20-Nov-2026 21:56:03.703 client @0x7f8843ae9098 192.0.2.7#33367 (www.xn--bcher-kva.example): "
     "query: www.xn--bcher-kva.example IN A +E(0) (192.0.2.1)",
     "1795211763|192.0.2.7|www.xn--bcher-kva.example|A|~|~|~|~|~|~|"},
    {"20-Nov-2026 21:56:03.703 queries: info: client @0x7f 2001:db8::7#33367/key a (.): view in: "
     "query: . IN NS -E(0)TDK (::1)",
     "1795211763|2001:db8::7|.|NS|~|~|~|~|~|~|"},
    {"2026-11-20T21:56:03.703Z client fe80::1%eth0#1 (a\\.): query: a\\. CH TYPE65280 + (::1)",
     "1795211763|fe80::1|a\\.|TYPE65280|~|~|~|~|~|~|"},
    {"Nov 20 21:56:03 ns1 named[7]: client @0x7f 192.0.2.7#1 (a): query: a IN ANY +E(0) "
     "(192.0.2.1)",
     "1795211763|192.0.2.7|a|ANY|~|~|~|~|~|~|"},
    {"31-Feb-2026 21:56:03.703 client @0x7f 192.0.2.7#1 (a): query: a IN A + (192.0.2.1)",
     "~|192.0.2.7|a|A|~|~|~|~|~|~|"},
    {"20-Nov-2026 21:56:03.703 client @0x7f 192.0.2.7#1 (a): query failed (SERVFAIL) for a/IN/A at "
     "query.c:7095",
     NULL},
    {"client @0x7f 192.0.2.7#1 (a): query: a IN A", NULL},
    {"client @0x7f 192.0.2.7#1 (a): query: a IN <b> + (192.0.2.1)", NULL},
    {"client @0x7f 192.0.2.7 (a): query: a IN A + (192.0.2.1)", NULL},
    {"client @0x7f <b>#1 (a): query: a IN A + (192.0.2.1)", NULL},
    {"client @0x7f 192.0.2.7#1 (a", NULL},
    /* … dnsmasq. */
    {"Nov 20 21:56:03 dnsmasq[712]: 1 192.0.2.7/43514 query[A] xn--80aodfsg.example from 192.0.2.7",
     "1795211763|192.0.2.7|xn--80aodfsg.example|A|~|~|~|~|~|~|"},
    {"dnsmasq[712]: query[type=65280] a b from c from 2001:db8::7",
     "~|2001:db8::7|a b from c|TYPE65280|~|~|~|~|~|~|"},
    /* Its names may have blanks, and so hold what other programs write. */
    {"Nov 20 21:56:03 dnsmasq[712]: query[A] x] info: 192.0.2.9 b. A IN NXDOMAIN 0.1 0 12 - "
     "policy=nxdomain rule=\"r:7\" from 192.0.2.7",
     "1795211763|192.0.2.7|x] info: 192.0.2.9 b. A IN NXDOMAIN 0.1 0 12 - policy=nxdomain "
     "rule=\"r:7\"|A|~|~|~|~|~|~|"},
    {"Nov 20 21:56:03 dnsmasq[712]: query[A] 192.0.2.9 b. A IN NXDOMAIN 0.1 0 12 from 192.0.2.7",
     "1795211763|192.0.2.7|192.0.2.9 b. A IN NXDOMAIN 0.1 0 12|A|~|~|~|~|~|~|"},
    {"Nov 20 21:56:03 dnsmasq[712]: query[A] client 192.0.2.9#1 (b): query: b IN A + from "
     "192.0.2.7",
     "1795211763|192.0.2.7|client 192.0.2.9#1 (b): query: b IN A +|A|~|~|~|~|~|~|"},
    {"Nov 20 21:56:03 dnsmasq[712]: forwarded 192.0.2.9 b. A IN NOERROR 0.1 0 12 to 127.0.0.1",
     NULL},
    {"dnsmasq: reply x] info: 192.0.2.9 b. A IN NOERROR 0.1 0 12 is 192.0.2.1", NULL},
    {"dnsmasq[712]: forwarded client @0x1 192.0.2.9#1 (b): query: b IN A + to 127.0.0.1", NULL},
    {"dnsmasq: cached x: Packet from 192.0.2.9:1 for b. A with id 1 is 192.0.2.1", NULL},
    {"dnsmasq[712]: forwarded query[A] b from 192.0.2.9 to 127.0.0.1", NULL},
    {"20-Nov-2026 21:56:03.703 client @0x7f 192.0.2.7#1 (dnsmasq[): query: dnsmasq[ IN A +E(0) "
     "(192.0.2.1)",
     "1795211763|192.0.2.7|dnsmasq[|A|~|~|~|~|~|~|"},
    {"Nov 20 21:56:03 dnsmasq[712]: forwarded a to 127.0.0.1#53", NULL},
    {"Nov 20 21:56:03 dnsmasq[712]: reply a is 192.0.2.1", NULL},
    {"query[A] from 192.0.2.7", NULL},
    {"query[A]  from 192.0.2.7", NULL},
    {"query[type=123456789012345] a from 192.0.2.7", NULL},
    {"query[A] a from 192.0.2.7 ", NULL},
    /* Of prefixes there are at most four: each may cost a look at the whole line. */
    {"a: b: c: d: 127.0.0.1 a. A IN NOERROR 0.0 0 5", "~|127.0.0.1|a|A|NOERROR|~|~|~|~|~|"},
    {"a: b: c: d: e: 127.0.0.1 a. A IN NOERROR 0.0 0 5", NULL},
    /* Times that are none: the reply counts. */
    {"[9999999999] unbound[1:0] info: 127.0.0.1 a. A IN NOERROR 0.0 0 5",
     "~|127.0.0.1|a|A|NOERROR|~|~|~|~|~|"},
    {"0001-01-01T00:00:00Z 127.0.0.1 a. A IN NOERROR 0.0 0 5",
     "~|127.0.0.1|a|A|NOERROR|~|~|~|~|~|"},
    {"2026-02-29T00:00:00Z 127.0.0.1 a. A IN NOERROR 0.0 0 5", NULL},
    {"2024-02-29T23:59:60Z 127.0.0.1 a. A IN NOERROR 0.0 0 5",
     "1709251199|127.0.0.1|a|A|NOERROR|~|~|~|~|~|"},
    /* No reply. */
    {"", NULL},
    {"[1700000000] unbound[123:0] info: start of service (unbound 1.17.1).", NULL},
    {"[1700000000] unbound[123:0] info: 127.0.0.1 name. A IN", NULL}, /* log-queries */
    {"[1700000000] unbound[123:0] notice: init module 0: dynlib", NULL},
    {"2026-11-20T21:56:03.000214Z", NULL},
    {"2026-11-20T21:56:03.000214Z 192.0.2.7 www.example. A IN NOERROR", NULL},
    {"2026-11-20T21:56:03.000214Z 192.0.2.7 www.example A IN NOERROR 0.1 1 -", NULL},
    {"2026-11-20T21:56:03.000214Z 192.0.2.7 www.example. a IN NOERROR 0.1 1 -", NULL},
    {"2026-11-20T21:56:03.000214Z 192.0.2.7 www.example. <b> IN NOERROR 0.1 1 -", NULL},
    {"2026-11-20T21:56:03.000214Z client www.example. A IN NOERROR 0.1 1 -", NULL},
    {"2026-11-20T21:56:03.000214Z 192.0.2.7 www.example. A IN NOERROR 1 1 -", NULL},
    {"2026-11-20T21:56:03.000214Z 192.0.2.7 www.example. A IN NOERROR 0.1 yes -", NULL},
    {"\x1F\x8B\x08\x01\xFF", NULL},
    {"] info: ", NULL},
    {"[", NULL},
    {"9999-99-99T99:99:99Z 127.0.0.1 a. A IN NOERROR 0.0 0 5", NULL},
    /* JSON. */
    {"{\"@timestamp\":\"2026-11-20T21:56:03.000214Z\",\"client.ip\":\"192.0.2.7\",\"dns.question."
     "name\":\"www.example\",\"dns.question.type\":\"A\",\"dns.response_code\":\"NOERROR\"}",
     "1795211763|192.0.2.7|www.example|A|NOERROR|~|~|~|~|~|"},
    {"{\"client.address\":\"192.0.2.0/"
     "24\",\"dns.question.name\":\"a\",\"dns.question.type\":\"A\"}",
     "~|192.0.2.0/24|a|A|~|~|~|~|~|~|"},
    {"{\"client.address\":\"host\",\"dns.question.name\":\"a\",\"dns.question.type\":\"A\"}", NULL},
    {" { \"dns.question.name\" : \".\" , \"dns.question.type\"\t:\"A\" } ",
     NULL}, /* a blank first */
    {"{ \"dns.question.name\" : \".\" , \"dns.question.type\"\t:\"A\" } ", "~|~|.|A|~|~|~|~|~|~|"},
    {"{\"a\":[{\"b\":\"}]\\\"\"},[1,2]],\"n\":-1.5e3,\"t\":true,\"dns.question.name\":\"a\",\"dns."
     "question.type\":\"A\",\"policy.action\":\"log\",\"policy.rule\":\"\\u00E4\\\"\\/"
     ":1\",\"policy.match\":\"zone \\uD83D\\uDE00x\",\"policy.key\":\"strict\",\"policy."
     "target\":\"b\\\\032\",\"policy.mode\":\"log-only\",\"policy.line\":1}",
     "~|~|a|A|~|log|\xC3\xA4\"/:1|zone \xF0\x9F\x98\x80x|strict|b\\032|log-only"},
    {"{\"dns.question.name\":\"a\",\"dns.question.type\":\"A\",\"policy.mode\":\"log-only\","
     "\"policy.mode\":\"observed\",\"@timestamp\":\"2026-11-20T21:56:03Z\"}",
     "1795211763|~|a|A|~|~|~|~|~|~|observed"},
    {"{\"tags\":[\"a\",1,\"b]\",\"\"],\"dns.question.name\":\"a\",\"dns.question.type\":\"A\"}",
     "~|~|a|A|~|~|~|~|~|~||a,,b],"},
    {"{\"tags\":[],\"dns.question.name\":\"a\",\"dns.question.type\":\"A\"}",
     "~|~|a|A|~|~|~|~|~|~||"},
    {"{\"tags\":\"a\",\"dns.question.name\":\"a\",\"dns.question.type\":\"A\",\"tags\":{\"b\":1}}",
     "~|~|a|A|~|~|~|~|~|~|"},
    {"{\"dns.question.name\":\"a\",\"dns.question.type\":\"A\",\"dns.question.name\":\"b\"}",
     "~|~|b|A|~|~|~|~|~|~|"},
    {"{\"dns.question.name\":\"a\",\"dns.question.type\":\"A\",\"@timestamp\":\"yesterday\"}",
     "~|~|a|A|~|~|~|~|~|~|"},
    {"Nov 20 21:56:03 ns1 unbound[1]: [1:0] info: {\"dns.question.name\":\"a\",\"dns.question."
     "type\":\"A\"}",
     "1795211763|~|a|A|~|~|~|~|~|~|"},
    {"{\"dns.question.name\":\"a\",\"dns.question.type\":\"A\",\"policy.match\":\"\\uD800x\"}",
     NULL},
    {"{\"dns.question.name\":\"a\",\"dns.question.type\":\"A\",\"policy.match\":\"\xFF\"}", NULL},
    {"{\"dns.question.name\":\"a\\u0000b\",\"dns.question.type\":\"A\"}", "~|~|a|A|~|~|~|~|~|~|"},
    {"{\"dns.question.name\":\"a\",\"dns.question.type\":\"A\"", NULL},
    {"{\"dns.question.name\":\"a\",\"dns.question.type\":\"A\"}}", NULL},
    {"{\"dns.question.name\":\"a\",\"dns.question.type\":\"A\"}x", NULL},
    {"{\"dns.question.name\":\"a\",\"dns.question.type\":\"<A>\"}", NULL},
    {"{\"dns.question.name\":\"a\",\"dns.question.type\":\"A\",\"client.ip\":\"<script>\"}", NULL},
    {"{\"dns.question.name\":\"a\",\"dns.question.type\":\"A\",\"dns.response_code\":\"x\"}", NULL},
    {"{\"dns.question.name\":\"\",\"dns.question.type\":\"A\"}", NULL},
    {"{\"dns.question.name\":\"\\u00\",\"dns.question.type\":\"A\"}", NULL},
    {"{\"dns.question.name\":\"\\x\",\"dns.question.type\":\"A\"}", NULL},
    {"{\"dns.question.name\":\"a\\", NULL},
    {"{\"dns.question.name\":\"a\\u12", NULL},
    {"{\"dns.question.name\":", NULL},
    {"{\"dns.question.name\":1,\"dns.question.type\":\"A\"}", NULL},
    {"{\"a\":[[[[[[[[", NULL},
    {"{\"a\":}", NULL},
    {"{a:1}", NULL},
    {"{\"a\":1,}", NULL},
    {"{}", NULL},
};

static void put(char **out, struct logs_span span)
{
    if (span.at)
        *out += sprintf(*out, "|%.*s", (int)span.len, span.at);
    else
        *out += sprintf(*out, "|~");
}

static const char *put_line(const struct logs_line *line, char *dst)
{
    char *out = dst;

    if (line->time == LOGS_NO_TIME)
        out += sprintf(out, "~");
    else
        out += sprintf(out, "%lld", (long long)line->time);
    put(&out, line->client);
    put(&out, line->name);
    put(&out, line->type);
    put(&out, line->rcode);
    put(&out, line->action);
    put(&out, line->rule);
    put(&out, line->match);
    put(&out, line->key);
    put(&out, line->target);
    out += sprintf(out, "|%.*s", (int)line->mode.len, line->mode.at ? line->mode.at : "");
    if (line->tags.at)
        put(&out, line->tags);
    return dst;
}

static struct logs_clock a_clock(void)
{
    return (struct logs_clock){.now = 1795300000}; /* 2026-11-21 */
}

TEST_ROWS(reads_a_line, rows, line)
{
    const struct row *row = *state;
    size_t len = strlen(row->line);
    char *text = exact_copy(row->line, len), got[4096];
    struct logs_line *line = malloc(sizeof *line);
    struct logs_clock clock = a_clock();

    bool good = logs_line_read(&clock, text, len, line);
    assert_int_equal(good, row->read != NULL);
    if (good)
        assert_string_equal(put_line(line, got), row->read);
    free(line);
    free(text);
}

/* Reads a line as long as a line may be, full of text that has to be copied. */
TEST(reads_the_longest, "the longest lines")
{
    static const struct {
        const char *start, *repeat;
    } forms[] = {
        {"192.0.2.7 a. A IN NOERROR 0.1 0 - rule=\"", "\\u{FFFD}"},
        {"192.0.2.7 a. A IN NOERROR 0.1 0 - ", "match=\"x\\\\\" "},
        {"192.0.2.7 a. A IN NOERROR 0.1 0 - ", "rule=\"\\\"\" "},
        {"{\"dns.question.name\":\"a\",\"dns.question.type\":\"A\"",
         ",\"policy.match\":\"\\uFFFD\\n\""},
        {"{\"a\":", "["},
        {"{", "\"a\":1,"},
    };
    struct logs_line *line = malloc(sizeof *line);
    struct logs_clock clock = a_clock();

    for (size_t i = 0; i < COUNT(forms); i++) {
        char *text = malloc(LOGS_LINE_MAX);
        size_t len = strlen(forms[i].start), step = strlen(forms[i].repeat);
        memcpy(text, forms[i].start, len);
        for (; len + step + 1 <= LOGS_LINE_MAX; len += step)
            memcpy(text + len, forms[i].repeat, step);
        memset(text + len, '"', LOGS_LINE_MAX - len);
        (void)logs_line_read(&clock, text, LOGS_LINE_MAX, line);
        assert_true(line->text_len <= sizeof line->text);
        free(text);
    }
    free(line);
}

/* A line says whether the answer was cached. */
TEST(reads_cached, "cached")
{
    static const char *const answers[][2] = {
        {"192.0.2.7 a. A IN NOERROR 0.000214 1 -", "1"},
        {"192.0.2.7 a. A IN NOERROR 12.5 0 60", "0"},
        {"192.0.2.7 a. A IN NOERROR 0.0000019 - -", "-"},
        {"192.0.2.7 a. A IN NOERROR 999999.999999 2 -", "-"},
        {"192.0.2.7 a. A IN NOERROR 1000000.0 1 -", "1"},
        {"192.0.2.7 a. A IN NOERROR - - -", "-"},
        {"Nov 20 21:56:03 dnsmasq[712]: query[A] a from 192.0.2.7", "-"},
        {"{\"dns.question.name\":\"a\",\"dns.question.type\":\"A\",\"event.duration\":214999,"
         "\"unbound.cached\":true}",
         "1"},
        {"{\"unbound.cached\":false,\"dns.question.name\":\"a\",\"dns.question.type\":\"A\","
         "\"event.duration\":-1}",
         "0"},
        {"{\"unbound.cached\":1,\"dns.question.name\":\"a\",\"dns.question.type\":\"A\","
         "\"event.duration\":1234567890123456}",
         "-"},
        {"{\"unbound.cached\":\"true\",\"dns.question.name\":\"a\",\"dns.question.type\":\"A\","
         "\"event.duration\":\"1000\"}",
         "-"},
    };
    static struct logs_line line;

    for (size_t i = 0; i < COUNT(answers); i++) {
        struct logs_clock clock = {.now = 1795300000};
        size_t len = strlen(answers[i][0]);
        char *copy = exact_copy(answers[i][0], len), got[2] = "";

        print_message("# %s\n", answers[i][0]);
        assert_true(logs_line_read(&clock, copy, len, &line));
        got[0] = line.cached;
        assert_string_equal(got, answers[i][1]);
        free(copy);
    }
}

/* --- names --- */

/* Names as xn_wire_to_text writes them; NULL: no name. */
static const struct name {
    const char *text, *wire;
    bool idn;
} names[] = {
    {"www.example", "www.example.", false},
    {"WWW.Example", "www.example.", false},
    {"www.example.", NULL, false},
    {".", ".", false},
    {"", NULL, false},
    {"..", NULL, false},
    {"a..b", NULL, false},
    {".a", NULL, false},
    {"a\\.b", "a\\046b.", false},
    {"a\\046b", "a\\046b.", false},
    {"\\000\\255", "\\000\\255.", false},
    {"\\256", "\\092256.", false},
    {"a\\", "a\\092.", false},
    {"a b<c>&\"", "a\\032b<c>&\\034.", false},
    {"XN--BCHER-KVA.example", "xn--bcher-kva.example.", true},
    {"xn--", "xn--.", true},
    {"b\xC3\xBC"
     "cher.example",
     "b\\195\\188cher.example.", false},
    {"p\\u{430}ypal.com", "pu{430}ypal.com.", false},
    {"\xFF\xFE", "\\255\\254.", false},
};

TEST_ROWS(reads_a_name, names, text)
{
    const struct name *row = *state;
    size_t len = strlen(row->text);
    char *text = exact_copy(row->text, len), got[XN_WIRE_TEXT_MAX + 1];
    uint8_t *wire = malloc(XN_WIRE_NAME_MAX);
    bool idn;

    size_t wire_len = logs_name_read(text, len, wire, &idn);
    assert_int_equal(wire_len > 0, row->wire != NULL);
    if (wire_len > 0) {
        struct xn_wire_cursor cursor;
        assert_int_equal(xn_wire_open(&cursor, wire, wire_len), XN_OK);
        got[xn_wire_to_text(wire, got)] = '\0';
        assert_string_equal(got, row->wire);
        assert_int_equal(idn, row->idn);
    }
    free(wire);
    free(text);
}

/* The longest name, and one octet more. */
TEST(reads_the_longest_name, "the longest name, and an octet more")
{
    char text[1100];
    uint8_t wire[XN_WIRE_NAME_MAX];
    size_t len = 0;
    bool idn;

    for (size_t i = 0; i < 253; i++)
        len += (size_t)sprintf(text + len, i % 64 == 63 ? "." : "\\200");
    assert_int_equal(logs_name_read(text, len, wire, &idn), 255);
    assert_int_equal(logs_name_read(text, len + (size_t)sprintf(text + len, "a"), wire, &idn), 0);
    memset(text, 'a', 64);
    assert_int_equal(logs_name_read(text, 63, wire, &idn), 65);
    assert_int_equal(logs_name_read(text, 64, wire, &idn), 0);
}

int main(void)
{
    setenv("TZ", "UTC", 1);
    tzset();
    return run_unit();
}
