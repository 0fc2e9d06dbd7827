/* SPDX-License-Identifier: BSD-3-Clause */

#include "core/lookalike/lookalike.h"
#include "module/base/diagnostics.h"
#include "module/rule/rule.h"
#include "tests/unit/listread.h"
#include "tests/unit/places.h"

#define HEAD "$TTL 60\nrpz.example. SOA ns. host. 1 2 3 4 5\n$ORIGIN rpz.example.\n"
static struct row {
    const char *name;
    const char *text;
    size_t len;
    const char *entries, *places; /* … of what is reported (places.h) */
    bool good;
} rows[] = {
    {"no record", OCTETS(HEAD), "", "", true},
    {"actions",
     OCTETS(HEAD "a.example CNAME .\nb.example CNAME *.\nc.example CNAME rpz-passthru.\n"
                 "d.example CNAME RPZ-Drop.\ne.example 7 CNAME rpz-tcp-only.\n"),
     "nxdomain exact a.example. ttl=60\nnodata exact b.example. ttl=60\n"
     "passthru exact c.example. ttl=60\ndrop exact d.example. ttl=60\n"
     "tcp-only exact e.example. ttl=7\n",
     "", true},
    {"wildcards", OCTETS(HEAD "*.a.example CNAME .\n*.b.example CNAME *.\nx.*.c.example CNAME .\n"),
     "nxdomain below a.example. ttl=60\nnodata below b.example. ttl=60\n"
     "nxdomain exact x.*.c.example. ttl=60\n",
     "", true},
    {"Unicode", OCTETS(HEAD "bücher.example CNAME .\n*.ПРИМЕР.рф CNAME *.пример.рф.\n"),
     "nxdomain exact xn--bcher-kva.example. ttl=60\n"
     "passthru below xn--e1afmkfd.xn--p1ai. ttl=60\n",
     "", true},
    {"PASSTHRU as old zones have it",
     OCTETS(HEAD "a.example CNAME a.example.\n*.b.example CNAME *.B.example.\n"
                 "*.c.example CNAME c.example.\nd.example CNAME *.d.example.\n"
                 "*.e.example CNAME x.e.example.\n"),
     "passthru exact a.example. ttl=60\npassthru below b.example. ttl=60\n"
     "cname below c.example. ttl=60 type=5 rdata=0163076578616d706c6500\n"
     "cname exact d.example. ttl=60 prefix type=5 rdata=0164076578616d706c6500\n"
     "cname below e.example. ttl=60 type=5 rdata=01780165076578616d706c6500\n",
     "", true},
    {"other CNAMEs", OCTETS(HEAD "a.example CNAME W.example.\n*.b.example CNAME *.w.\n"),
     "cname exact a.example. ttl=60 type=5 rdata=0177076578616d706c6500\n"
     "cname below b.example. ttl=60 prefix type=5 rdata=017700\n",
     "", true},
    {"data",
     OCTETS(HEAD "a.example A 192.0.2.1\n A 192.0.2.2\n 5 AAAA ::1\n*.b.example TXT ü\n"
                 "a.example MX 1 m.\n"),
     "answer exact a.example. ttl=60 type=1 rdata=c0000201\n"
     "answer exact a.example. ttl=60 type=1 rdata=c0000202\n"
     "answer exact a.example. ttl=5 type=28 rdata=00000000000000000000000000000001\n"
     "answer below b.example. ttl=60 type=16 rdata=02c3bc\n"
     "answer exact a.example. ttl=60 type=15 rdata=0001016d00\n",
     "", true},
    {"records left out without a message",
     OCTETS(HEAD "@ NS ns.\n@ NS ns2.\n@ DNSKEY 256 3 8 AAAA\n"
                 "a.example NSEC b.example. A\na.example DS 1 8 2 AAAA\n@ TYPE63 \\# 0\n"),
     "passthru none a.example. ttl=60\n", "", true},
    {"names without an action",
     OCTETS(HEAD "*.a DS 1 8 2 AAAA\na.b NSEC b.a. A\nhash NSEC3 1 0 1 - "
                 "0P9MHAVEQVM6T7VBL5LOP2U3T2RP3TOM A\na.b RRSIG NSEC 8 "
                 "2 60 20300101000000 20200101000000 1 a. AAAA\n"
                 "* NS ns.\nx.rpz-ip NS ns.\nx.rpz-nsip DS 1 8 2 AAAA\n"),
     "passthru none a. ttl=60\n", "8:1w", true},
    {"triggers of other kinds",
     OCTETS(HEAD "a.example CNAME .\n24.0.2.0.192.rpz-ip CNAME .\n32.1.2.0.192.RPZ-ip CNAME *.\n"
                 "32.1.2.0.192.rpz-client-ip CNAME .\nns.example.rpz-nsdname CNAME .\n"
                 "32.1.2.0.192.rpz-nsip A 192.0.2.1\nx.rpz-new CNAME .\nrpz-ip.example CNAME .\n"),
     "nxdomain exact a.example. ttl=60\nnxdomain exact rpz-ip.example. ttl=60\n",
     "7:1 5:1 8:1 9:1 10:1w", true},
    {"other records that are skipped",
     OCTETS(HEAD "@ TXT x\n@ A 192.0.2.1\na.example CNAME rpz-log.\nb.example CNAME a.rpz-drop.\n"
                 "c.example NS ns.\nd.example DNAME x.\n"),
     "passthru none a.example. ttl=60\npassthru none b.example. ttl=60\n"
     "passthru none c.example. ttl=60\npassthru none d.example. ttl=60\n",
     "6:1w 4:1w 8:1w", true},
    {"a final dot missing", OCTETS(HEAD "a.example CNAME rpz-drop\n"),
     "cname exact a.example. ttl=60 type=5 "
     "rdata=0872707a2d64726f700372707a076578616d706c6500\n",
     "4:1w", true},
    {"public suffixes",
     OCTETS(HEAD "com CNAME .\n*.рф CNAME rpz-passthru.\nco.uk A 192.0.2.1\n* CNAME .\n"
                 "x.co.uk CNAME .\n"),
     "passthru none co.uk. ttl=60\nnxdomain exact x.co.uk. ttl=60\n", "4:1 5:1 6:1 7:1", true},

    {"a CNAME twice", OCTETS(HEAD "a.example CNAME .\nb.example CNAME .\na.example CNAME .\n"),
     "nxdomain exact a.example. ttl=60\nnxdomain exact b.example. ttl=60\n"
     "nxdomain exact a.example. ttl=60\n",
     "", true},
    {"two CNAMEs", OCTETS(HEAD "a.example CNAME .\nb.example CNAME .\nA.example CNAME *.\n"),
     "nxdomain exact a.example. ttl=60\nnxdomain exact b.example. ttl=60\n", "6:1", false},
    {"a CNAME at a name, data below it",
     OCTETS(HEAD "a.example CNAME .\n*.a.example A 192.0.2.1\n"),
     "nxdomain exact a.example. ttl=60\nanswer below a.example. ttl=60 type=1 rdata=c0000201\n", "",
     true},
};

static struct list_result result;

TEST_ROWS(reads_zone, rows, name)
{
    const struct row *row = *state;
    const struct xnm_rule rule = {.trigger = XNM_TRIGGER_RPZ};

    list_read(&result, &rule, row->text, row->len, 0);
    assert_string_equal(places_of(result.reports), row->places);
    assert_string_equal(result.entries, row->entries);
    assert_int_equal(result.good, row->good);
}

/* The rule's origin, which the SOA must have too. */
TEST(takes_origin_of_rule, "origin= of the rule")
{
    static const char text[] = "@ 60 SOA ns. host. 1 2 3 4 5\na.example 60 CNAME .\n";
    static const char other[] = "x. 60 SOA ns. host. 1 2 3 4 5\na.example 60 CNAME .\n";
    struct xnm_wirename origin = {3, "\001r"};
    struct xnm_rule rule = {.trigger = XNM_TRIGGER_RPZ, .origin = &origin};

    list_read(&result, &rule, OCTETS(text), 0);
    assert_string_equal(result.reports, "");
    assert_string_equal(result.entries, "nxdomain exact a.example. ttl=60\n");
    list_read(&result, &rule, OCTETS(other), 0);
    assert_string_equal(
        result.reports,
        "E 1:1 this SOA record is not the zone's: expected it at the zone's origin\n");
    assert_false(result.good);
}

TEST(takes_suffixes, "suffixes=yes")
{
    static const char text[] = HEAD "com CNAME .\n* CNAME .\nx.rpz-ip CNAME .\na.example NS x.\n";
    struct xnm_rule rule = {.trigger = XNM_TRIGGER_RPZ};

    list_read(&result, &rule, OCTETS(text), 0);
    assert_int_equal(result.counts.entries, 0);
    assert_int_equal(result.counts.suffixes, 2);
    assert_int_equal(result.counts.skipped, 2);
    assert_int_equal(result.counts.bad, 0);
    rule.suffixes = true;
    list_read(&result, &rule, OCTETS(text), 0);
    assert_string_equal(result.entries, "nxdomain exact com. ttl=60\nnxdomain below . ttl=60\n"
                                        "passthru none a.example. ttl=60\n");
    assert_int_equal(result.counts.entries, 2);
    list_read(&result, &rule, OCTETS(text), 1);
    assert_string_equal(result.entries, "nxdomain exact com. ttl=60\n");
    assert_false(result.good);
}

/* Triggers that skip= names are skipped without a report. */
TEST(skips_triggers, "skip= of the rule")
{
    static const char text[] = HEAD "x.rpz-ip CNAME .\ny.rpz-ip CNAME .\nx.rpz-nsip CNAME .\n";
    struct xnm_rule rule = {.trigger = XNM_TRIGGER_RPZ};

    list_read(&result, &rule, OCTETS(text), 0);
    assert_int_equal(result.counts.unmet, 1 << XNM_UNMET_IP | 1 << XNM_UNMET_NSIP);
    rule.skip = 1 << XNM_UNMET_IP | 1 << XNM_UNMET_NSDNAME;
    list_read(&result, &rule, OCTETS(text), 0);
    assert_string_equal(
        result.reports,
        "E 6:1 skipped, but the rule has no skip=nsip: rpz-nsip triggers (on a name server's "
        "address)\n");
    assert_int_equal(result.counts.unmet, 1 << XNM_UNMET_NSIP);
    assert_int_equal(result.counts.skipped, 3);
    rule.skip |= 1 << XNM_UNMET_NSIP;
    list_read(&result, &rule, OCTETS(text), 0);
    assert_string_equal(result.reports, "");
    assert_int_equal(result.counts.unmet, 0);
    assert_int_equal(result.counts.skipped, 3);
}

/* However many names lie between a name's CNAME and its other record. */
TEST(finds_conflicts_far_apart, "a conflict of records that are far apart")
{
    enum { NAMES = 20000 };
    struct xnm_rule rule = {.trigger = XNM_TRIGGER_RPZ};
    char *text = malloc(NAMES * 40), report[128];
    size_t len = 0;

    len = (size_t)sprintf(text, HEAD "first.example A 192.0.2.1\n");
    for (unsigned n = 0; n < NAMES; n++)
        len += (size_t)sprintf(text + len, "n%u.rpz-ip CNAME .\n", n);
    for (unsigned n = 0; n < 3000; n++)
        len += (size_t)sprintf(text + len, "m%u CNAME .\n", n);
    len += (size_t)sprintf(text + len, "first.example CNAME .\n");
    list_read(&result, &rule, text, len, 0);
    snprintf(report, sizeof report,
             "E %d:1 this name has another record at line 4:", 4 + NAMES + 3000 + 1);
    assert_non_null(strstr(result.reports, report));
    assert_int_equal(result.counts.suffixes, 3000);
    assert_false(result.good);
    free(text);
}

TEST(limits_errors, "more errors than are reported")
{
    static const struct xnm_rule rule = {.trigger = XNM_TRIGGER_RPZ};
    char text[2048] = HEAD;

    for (unsigned n = 0; n < 21; n++)
        strcat(text, "a. CNAME .\n");
    list_read(&result, &rule, text, strlen(text), 0);
    assert_null(strstr(result.reports, "E 24:"));
    assert_string_equal(strstr(result.reports, "E 0:0"),
                        "E 0:0 21 errors, so the zone is refused: the first 20 are listed above\n");
}

/* --- lists of protected names --- */

static struct protected_row {
    const char *name;
    const char *text;
    size_t len;
    const char *entries, *places; /* … of what is reported (places.h) */
} protected_rows[] = {
    {"plain names", OCTETS("paypal.com\nGoogle.co.uk.\r\n\n# c\n! c\n bücher.example # x\n"),
     "zone paypal.com.\nzone google.co.uk.\nzone xn--bcher-kva.example.\n", ""},
    {"A-labels", OCTETS("xn--bcher-kva.example\nxn--a.example\nxn--_.example"),
     "zone xn--bcher-kva.example.\nzone xn--a.example.\nzone xn--_.example.\n", ""},
    {"names with all below them", OCTETS(".a.example\n||b.example^\n.bücher.example\n||例え.jp^"),
     "zone a.example.\nzone b.example.\nzone xn--bcher-kva.example.\nzone xn--r8jz45g.jp.\n", ""},
    {"a hosts file", OCTETS("0.0.0.0 a.example b.example\n::1 c.example # d\n"),
     "zone a.example.\nzone b.example.\nzone c.example.\n", ""},
    {"wildcards",
     OCTETS("*.a.example\n||*.b.example^\n*。c.example\n0.0.0.0 *.d.example e.example"),
     "zone e.example.\n", "1:1 2:3 3:1 4:9"},
    {"min= after names",
     OCTETS("a.example min=1\nb.example\nbücher.example\tmin=6  # c\n.c.example min=4 \r\n"
            "||d.example^ min=2\n0.0.0.0 e.example f.example min=3\ng.example"),
     "zone a.example. min=1\nzone b.example.\nzone xn--bcher-kva.example. min=6\n"
     "zone c.example. min=4\nzone d.example. min=2\nzone e.example. min=3\n"
     "zone f.example. min=3\nzone g.example.\n",
     ""},
};

static const struct xnm_rule protect = {
    .action = XNM_NXDOMAIN, .trigger = XNM_TRIGGER_LOOKALIKES, .protection = {.min = 1}};

TEST_ROWS(reads_protected_names, protected_rows, name)
{
    const struct protected_row *row = *state;

    list_read(&result, &protect, row->text, row->len, 0);
    assert_string_equal(places_of(result.reports), row->places);
    assert_string_equal(result.entries, row->entries);
    assert_int_equal(result.good, !strstr(result.reports, "expected a list of names"));
    assert_int_equal(result.counts.short_names, 0);
}

/* --- names that nothing can look like --- */

static struct short_row {
    const char *name, *list;
    struct xnm_protection protection;
    size_t short_names;
} short_rows[] = {
    {"every name is long enough for 1", "a.b\nxn--a.b\n", {.min = 1}, 0},
    {"one label is enough", "abcd.b\na.abcd\nabc.def\nxn--bcher-kva.b\n", {.min = 4}, 1},
    {"characters count, not octets", "bücher.b\nпример.рф\nübe.b", {.min = 6}, 1},
    {"a top-level domain counts", "abc.museum\nabc.co.uk\nabc.испытание", {.min = 4}, 1},
    {"with tld=any none does",
     "abc.museum\na.abcd.co.uk\nabcd.a.co.uk\nb.abc.co.uk",
     {.min = 4, .any_tld = true},
     2},
    {"with label=any one label does",
     "abc.museum\na.abcd.co.uk\nabcd.a.co.uk\nb.abc.co.uk\nabcd.c",
     {.min = 4, .any_label = true},
     3},
    {"its own min= decides",
     "abc.def min=3\nabc.def min=4\nabcd.def\nabcd.def min=5\nabc.def",
     {.min = 4},
     3},
};

TEST_ROWS(counts_short_names, short_rows, name)
{
    const struct short_row *row = *state;
    struct xnm_rule rule = protect;
    char expected[256] = "";

    rule.protection = row->protection;
    list_read(&result, &rule, row->list, strlen(row->list), 0);
    assert_int_equal(result.counts.short_names, row->short_names);
    if (row->short_names > 0)
        snprintf(expected, sizeof expected,
                 "W 0:0 %zu protected name%s without a compared label that is as long as min= "
                 "says (by default 4 characters), so nothing can look like %s\n",
                 row->short_names, row->short_names == 1 ? "" : "s",
                 row->short_names == 1 ? "it" : "them");
    assert_string_equal(result.reports, expected);
    assert_int_equal(result.counts.bad + result.counts.skipped + result.counts.suffixes, 0);
    rule.trigger = XNM_TRIGGER_ZONES;
    list_read(&result, &rule, row->list, strlen(row->list), 0);
    assert_int_equal(result.counts.short_names, 0);
    assert_string_equal(places_of(result.reports), strstr(row->list, "min=") ? "1:9 2:9 4:10" : "");
}

TEST_MAIN_WITH_UNICODE(list_unicode)
