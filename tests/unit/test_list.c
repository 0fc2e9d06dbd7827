/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/vectors.h"

#include <xxhash.h>

#include "module/base/diagnostics.h"
#include "module/list/list.h"
#include "module/list/listtally.h"
#include "module/list/reader.h"
#include "module/list/rpzfile.h"
#include "module/rule/rule.h"
#include "tests/unit/exact.h"
#include "tests/unit/listread.h"
#include "tests/unit/places.h"

static struct row {
    const char *text;
    size_t len;
    /* Entries; zones NULL: the same as in `names`, but zone for exact. */
    const char *names, *zones;
    const char *places; /* of what is reported (places.h) */
} rows[] = {
    /* plain names */
    {OCTETS(""), "", "", ""},
    {OCTETS("a.example"), "exact a.example.\n", "zone a.example.\n", ""},
    {OCTETS("a.example\nb.example\n"), "exact a.example.\nexact b.example.\n", NULL, ""},
    {OCTETS("a.example\r\nb.example.\r\n"), "exact a.example.\nexact b.example.\n", NULL, ""},
    {OCTETS("\357\273\277a.example"), "exact a.example.\n", NULL, ""},
    {OCTETS("A.eXample\n_dmarc.r3---sn-x.example"),
     "exact a.example.\nexact _dmarc.r3---sn-x.example.\n", NULL, ""},
    {OCTETS(" \t a.example \t \n"), "exact a.example.\n", NULL, ""},
    {OCTETS("bücher.de\nПРИМЕР.рф\n例え。jp"),
     "exact xn--bcher-kva.de.\nexact xn--e1afmkfd.xn--p1ai.\nexact xn--r8jz45g.jp.\n", NULL, ""},
    {OCTETS("xn--bcher-kva.example"), "exact xn--bcher-kva.example.\n", NULL, ""},
    {OCTETS("123.example\n1.2.3.4.example\n1.2.3.256\n1.2.3\n1.2.3.4.5\n1.2.3.1000"),
     "exact 123.example.\nexact 1.2.3.4.example.\nexact 1.2.3.256.\nexact 1.2.3.\nexact "
     "1.2.3.4.5.\nexact 1.2.3.1000.\n",
     NULL, ""},
    /* comments */
    {OCTETS("# a.example\n  # b\n#\n! c\n!\n\n \t \n[Adblock Plus 2.0]\n## d\n"), "", "", ""},
    {OCTETS("a.example # c.example\nb.example\t#"), "exact a.example.\nexact b.example.\n", NULL,
     ""},
    {OCTETS("# Latin-1: \xFC and NUL \0\na.example # \xFC"), "exact a.example.\n", NULL, ""},
    /* scopes */
    {OCTETS(".a.example\n*.b.example\n||c.example^\n||*.d.example^\n||e.example\n||f.example^|"),
     "zone a.example.\nbelow b.example.\nzone c.example.\nbelow d.example.\nzone e.example.\n"
     "zone f.example.\n",
     "zone a.example.\nzone b.example.\nzone c.example.\nbelow d.example.\nzone e.example.\n"
     "zone f.example.\n",
     ""},
    {OCTETS("*.bücher.example\n||*.пример.рф^ # x\n*。c.example\n|g.example^\n|h.example|"),
     "below xn--bcher-kva.example.\nbelow xn--e1afmkfd.xn--p1ai.\nbelow c.example.\n"
     "exact g.example.\nexact h.example.\n",
     "zone xn--bcher-kva.example.\nbelow xn--e1afmkfd.xn--p1ai.\nzone c.example.\n"
     "exact g.example.\nexact h.example.\n",
     ""},

    /* hosts files */
    {OCTETS("0.0.0.0 a.example\n127.0.0.1\tb.example  c.example # d\n::1 d.example\n"),
     "exact a.example.\nexact b.example.\nexact c.example.\nexact d.example.\n", NULL, ""},
    {OCTETS("0.0.0.0 ü.example a..b 0.0.0.0 c.example\r\n"),
     "exact xn--tda.example.\nexact c.example.\n", NULL, "1:21 1:24w"},
    {OCTETS("127.0.0.1 localhost localhost.localdomain local\n255.255.255.255 broadcasthost\n"
            "fe80::1%lo0 localhost\n::1 ip6-localhost ip6-x LOCALHOST6"),
     "", "", "1:11w"},
    {OCTETS("foo.localhost\nip6-x.example\nlocal.example\nlocalhost.example"),
     "exact foo.localhost.\nexact ip6-x.example.\nexact local.example.\nexact localhost.example.\n",
     NULL, ""},

    /* DNS filter syntax */
    {OCTETS("@@||a.example^\n||b.example^$important\n@@||c.example^$important\n@@|d.example^\n"
            "@@||com^"),
     "zone a.example. strength=1 exempts\nzone b.example. strength=2\n"
     "zone c.example. strength=3 exempts\nexact d.example. strength=1 exempts\n"
     "zone com. strength=1 exempts\n",
     "zone a.example. strength=1 exempts\nzone b.example. strength=2\n"
     "zone c.example. strength=3 exempts\nexact d.example. strength=1 exempts\n"
     "zone com. strength=1 exempts\n",
     ""},
    {OCTETS("||a.example^$dnstype=A|aaaa\n||b.example^$dnstype=~TYPE65\n||c.example^$dnstype=~A|"
            "TXT|~MX\n"
            "||d.example^$dnstype=BOGUS\n||e.example^$dnstype=A,important"),
     "zone a.example. types=1,28\nzone b.example. types=~65\nzone c.example. types=16\n"
     "zone e.example. strength=2 types=1\n",
     NULL, "4:22"},
    {OCTETS(
         "||a.example^$denyallow=b.a.example|ü.example\n||c.example^$denyallow=a..b\n"
         "||d.example^$denyallow=*.e.example\n*$denyallow=com|net\n||*^$denyallow=com\n|||\n||^|"),
     "zone a.example. denied=30\nnone b.a.example.\nnone xn--tda.example.\n", NULL,
     "2:26 4:1w 3:1w"},
    {OCTETS("||a.example^$client='Frank\\'s, laptop'\n||b.example^$ctag=x\n"
            "||c.example^$dnsrewrite=NOERROR;A;192.0.2.1\n||d.example^$badfilter\n"
            "||e.example^$third-party,important\n||f.example^$"),
     "", "", "1:1w 3:1w 4:1w 5:1w"},

    /* servers' configurations */
    {OCTETS("address=/a.example/0.0.0.0\nserver=/b.example/\nLOCAL=/ü.example/#\n"
            "server:\n  local-zone: \"a.example\" always_nxdomain\n"
            "local-data: \"a.example A 0.0.0.0\"\nzone \"a.example\" { type master; };\n"
            "zone\tb.example IN {\n};\nzone.example\nzone\n"),
     "exact zone.example.\n", NULL, "1:1 2:1 3:1 4:1 5:3 6:1 7:1 8:1 9:1 11:1"},

    /* skipped */
    {OCTETS("a.example$important\n/ad[sv]/\n/ads.gif\n@@/x/\n@@a.example\n||\n||^\n@@"), "", "",
     "8:1w 2:1w 1:1w"},
    {OCTETS(" a.example##.ad\nü.example#@#.ad div\na.example#?#x > y\n|http://a.example\n"
            "||a*b.example^\n||a.example/x^\na.example^\n|a.example\n##.ad\n###ad\n#@#.ad\n"
            "#### x\n## x"),
     "", "", "1:2w 4:1w 5:1w"},
    {OCTETS(".\n*\n*.\n||.^\n||*^\n..\n"), "", "", "1:1w"},
    {OCTETS("192.0.2.1\n2001:db8::1\n||192.0.2.1^\n192.0.2.255.\n１.2.3.4\nfe80::1%eth0"), "", "",
     "1:1w"},

    /* doubtful, bad */
    {OCTETS("straße.example\n xn--zz--.example # x\n中国.example\nيوم.1.example\n@ü.example\n"
            "ü.example.."),
     "exact xn--strae-oqa.example.\nexact xn--zz--.example.\nexact xn--fiqs8s.example.\n"
     "exact xn--hhbff.1.example.\n",
     NULL, "5:1 6:11"},
    {OCTETS("http://a.example/\na.example/x\n10.0.0.0/8\na.example:53\n"), "", "",
     "1:1 2:1 3:1 4:1"},
    {OCTETS("a.example b.example\nü.example CNAME .\na.example 0.0.0.0"), "", "", "1:11 2:11 3:11"},

    /* public suffixes */
    {OCTETS("com\nCOM.\nrf.рф\nрф\nxn--p1ai\nco.uk\n*.co.uk\n||de^\n.fr\nunknown-tld"),
     "exact rf.xn--p1ai.\n", NULL, "1:1 2:1 4:1 5:1 6:1 7:1 8:3 9:2 10:1"},
    {OCTETS("router\n192.0.2.1 nas\n*.local-net\n||home^"), "", "", "1:1 2:11 3:1 4:3"},
    {OCTETS("foo.ck\nwww.ck\na.foo.ck\nfoo.unknown-tld\n公司.cn\nxn--55qx5d.cn\nx.公司.cn\ngithub."
            "io\nx_y.ck"),
     "exact www.ck.\nexact a.foo.ck.\nexact foo.unknown-tld.\nexact x.xn--55qx5d.cn.\nexact "
     "github.io.\n",
     NULL, "1:1 5:1 6:1 9:1"},
    {OCTETS("pvt.k12.ma.us\nx.pvt.k12.ma.us\ncity.kobe.jp\nx.kobe.jp\nkobe.jp"),
     "exact x.pvt.k12.ma.us.\nexact city.kobe.jp.\n", NULL, "1:1 4:1 5:1"},

    /* what is no list */
    {OCTETS("\n <!DOCTYPE html>\n<p>\nexample.com\n"), "", "", "2:2"},
    {OCTETS("\xFF\xFE"
            "a\0.\0b\0"),
     "", "", "1:1"},
    {OCTETS("\x1F\x8B\x08\na.example\n"), "", "", "1:1"},
};

static struct xnm_rule rule_of(xnm_trigger trigger)
{
    return (struct xnm_rule){.trigger = trigger, .action = XNM_NXDOMAIN};
}

static size_t lines_of(const char *text)
{
    size_t lines = 0;

    for (; (text = strchr(text, '\n')); text++)
        lines++;
    return lines;
}

/* "exact a.\n" -> "zone a.\n" */
static void as_zones(const char *names, char *zones)
{
    zones[0] = '\0';
    for (size_t len; *names != '\0'; names += len) {
        len = strcspn(names, "\n") + 1;
        bool exact = strncmp(names, "exact ", 6) == 0;
        strcat(zones, exact ? "zone " : "");
        strncat(zones, names + (exact ? 6 : 0), len - (exact ? 6 : 0));
    }
}

TEST_NUMBERED_ROWS(reads_a_row, rows)
{
    const struct row *row = *state;
    struct list_result *result = malloc(sizeof *result);
    struct xnm_rule rule = rule_of(XNM_TRIGGER_NAMES);
    char zones[4096];

    list_read(result, &rule, row->text, row->len, 0);
    assert_string_equal(places_of(result->reports), row->places);
    assert_string_equal(result->entries, row->names);
    assert_int_equal(result->counts.entries, lines_of(row->names) - list_bare(row->names));
    assert_int_equal(result->counts.skipped + result->counts.bad + result->counts.suffixes,
                     list_reported(result->reports));
    assert_int_equal(result->good, !strstr(result->reports, "expected a list of names"));

    if (row->zones)
        strcpy(zones, row->zones);
    else
        as_zones(row->names, zones);
    rule.trigger = XNM_TRIGGER_ZONES;
    list_read(result, &rule, row->text, row->len, 0);
    assert_string_equal(places_of(result->reports), row->places);
    assert_string_equal(result->entries, zones);
    free(result);
}

TEST(means_suffixes, "means suffixes")
{
    static const char text[] = "com\n*.рф\nco.uk\n.\nlocalhost\n";
    struct list_result *result = malloc(sizeof *result);
    struct xnm_rule rule = rule_of(XNM_TRIGGER_ZONES);

    rule.suffixes = true;
    list_read(result, &rule, OCTETS(text), 0);
    assert_string_equal(result->entries, "zone com.\nzone xn--p1ai.\nzone co.uk.\n");
    assert_int_equal(result->counts.suffixes, 0);
    assert_int_equal(result->counts.skipped, 2);
    free(result);
}

TEST(stops, "stops")
{
    static const char text[] = "a.example\n0.0.0.0 b.example c.example\nd.example";
    struct list_result *result = malloc(sizeof *result);
    struct xnm_rule rule = rule_of(XNM_TRIGGER_NAMES);

    list_read(result, &rule, OCTETS(text), 2);
    assert_string_equal(result->entries, "exact a.example.\nexact b.example.\n");
    assert_false(result->good);
    assert_int_equal(result->counts.entries, 2);
    list_read(result, &rule, OCTETS(text), 5);
    assert_true(result->good);
    free(result);
}

/* Twenty mistakes get a message each; the last message gives their number. */
TEST(limits_what_it_says, "limits what it says")
{
    static const char lines[] = "a..b\ncom\n@@x\nxn--a.example\n";
    struct list_result *result = malloc(sizeof *result);
    struct xnm_rule rule = rule_of(XNM_TRIGGER_NAMES);
    size_t len = sizeof lines - 1;
    char *text = malloc(25 * len);

    for (size_t n = 0; n < 25; n++)
        memcpy(text + n * len, lines, len);
    list_read(result, &rule, text, 20 * len, 0);
    assert_int_equal(lines_of(result->reports), 2 * 20 + 1);
    assert_null(strstr(result->reports, "0:0"));
    list_read(result, &rule, text, 25 * len, 0);
    assert_int_equal(lines_of(result->reports), 2 * 20 + 3);
    assert_string_equal(
        strstr(result->reports, "E 0:0"),
        "E 0:0 25 bad entries in all, left out: the first 20 are listed above\n"
        "E 0:0 25 public suffixes in all, left out: the first 20 are listed above\n");
    assert_non_null(strstr(result->reports, "W 3:1 skipped: a filter whose pattern is more than a "
                                            "name, 25 in all, the first one here\n"));
    assert_int_equal(result->counts.bad, 25);
    assert_int_equal(result->counts.suffixes, 25);
    assert_int_equal(result->counts.skipped, 25);
    assert_int_equal(result->counts.entries, 25);
    free(text);
    free(result);
}

/* Labels of 63 and 64 octets, names of 255 and 256, with and without the final dot. */
TEST(measures_names, "measures names")
{
    struct list_result *result = malloc(sizeof *result);
    struct xnm_rule rule = rule_of(XNM_TRIGGER_NAMES);
    char text[512];

    for (int last = 59; last <= 64; last++) {
        for (int dot = 0; dot < 2; dot++) {
            memset(text, 'a', sizeof text);
            text[63] = text[127] = text[191] = '.';
            size_t len = 192 + (size_t)last;
            text[len] = '.';
            list_read(result, &rule, text, len + (size_t)dot, 0);
            assert_int_equal(result->counts.entries, last <= 61);
            assert_int_equal(result->counts.bad, last > 61);
        }
    }
    memset(text, 'a', sizeof text);
    memcpy(text + 63, ".example", 8);
    list_read(result, &rule, text, 71, 0);
    assert_int_equal(result->counts.entries, 1);
    memcpy(text + 63, "a.example", 9);
    list_read(result, &rule, text, 72, 0);
    assert_int_equal(result->counts.bad, 1);
    free(result);
}

/* A plain name says the same with an ideographic full stop for a dot, or with a full-width letter,
 * which only the slow way can read. */
TEST(reads_plain_names_as_others, "reads plain names as others")
{
    static const char octets[] = "abcxyz019-.AZ.";
    struct list_result *fast = malloc(sizeof *fast), *slow = malloc(sizeof *slow);
    uint64_t seed = 5;

    for (unsigned n = 0; n < 20000; n++) {
        struct xnm_rule rule = rule_of(n % 2 ? XNM_TRIGGER_NAMES : XNM_TRIGGER_ZONES);
        char plain[300], other[300];
        size_t len = 1 + list_random(&seed, n % 16 == 0 ? 256 : 20), other_len = 0, dot = 0;

        for (size_t i = 0; i < len; i++)
            plain[i] = octets[list_random(&seed, sizeof octets - 1)];
        plain[len++] = '.'; /* a name without a dot has none to replace */
        while (plain[dot] != '.')
            dot++;
        memcpy(other, plain, dot);
        memcpy(other + dot, "。", 3);
        memcpy(other + dot + 3, plain + dot + 1, len - dot - 1);
        other_len = len + 2;
        if (dot == 0) /* `.x` means more */
            continue;
        list_read(fast, &rule, plain, len, 0);
        list_read(slow, &rule, other, other_len, 0);
        assert_string_equal(fast->entries, slow->entries);
        assert_string_equal(fast->reports, slow->reports);
        assert_memory_equal(&fast->counts, &slow->counts, sizeof fast->counts);
    }
    free(fast);
    free(slow);
}

/* --- hostile files --- */

TEST(survives_long_lines, "survives long lines")
{
    static const char *const pieces[] = {"a",        "a.", ".", "*",  "||", "^",  "$", " ",
                                         "0.0.0.0 ", "::", "ü", "\\", "#",  " #", "/", "\xFF"};
    struct list_result *result = malloc(sizeof *result);
    struct xnm_rule rule = rule_of(XNM_TRIGGER_NAMES);
    size_t cap = 1 << 20;
    char *text = malloc(cap);

    for (size_t i = 0; i < COUNT(pieces); i++) {
        size_t len = strlen(pieces[i]);
        for (size_t at = 0; at < cap; at++)
            text[at] = pieces[i][at % len];
        for (size_t size = cap; size > 1000; size = size > 65536 ? 65536 : size / 2) {
            list_read(result, &rule, text, size, 0);
            assert_true(result->good);
            assert_int_equal(result->counts.entries, 0);
        }
    }
    memset(text, '\0', cap);
    list_read(result, &rule, text, cap, 0);
    assert_string_equal(result->reports,
                        "E 1:1 this line has more than 65536 octets: expected a name\n");
    free(text);
    free(result);
}

TEST(takes_nothing_of_a_web_page, "takes nothing of a web page")
{
    static const char page[] = "404 Not Found\n<html>\n<head><title>404 Not Found</title></head>\n"
                               "<body bgcolor=\"white\">\n<center><h1>Not Found</h1></center>\n"
                               "<a href=\"https://www.example.com/\">www.example.com</a>\n"
                               "  color: red;\n}\n<hr>nginx\nHome\n&nbsp;\n</html>\n";
    struct list_result *result = malloc(sizeof *result);
    struct xnm_rule rule = rule_of(XNM_TRIGGER_ZONES);

    list_read(result, &rule, OCTETS(page), 0);
    assert_string_equal(result->entries, "");
    assert_int_equal(result->counts.bad + result->counts.suffixes, lines_of(page));
    free(result);
}

TEST(survives_octets, "survives octets")
{
    struct list_result *result = malloc(sizeof *result);
    struct xnm_rule rule = rule_of(XNM_TRIGGER_NAMES);
    uint64_t seed = 7;
    char text[2000];

    for (unsigned n = 0; n < 300; n++) {
        for (size_t i = 0; i < sizeof text; i++)
            text[i] = (char)list_random(&seed, 256);
        text[0] = '\x7F'; /* an ELF file */
        list_read(result, &rule, text, sizeof text, 0);
        assert_string_equal(result->entries, "");
        assert_true(result->counts.bad + result->counts.skipped > 0);
    }
    free(result);
}

TEST(survives_mutants, "survives mutants")
{
    struct list_result *result = malloc(sizeof *result);
    uint64_t seed = 11;
    char text[4096];

    for (unsigned n = 0; n < 20000; n++) {
        const struct row *row = &rows[list_random(&seed, COUNT(rows))];
        struct xnm_rule rule = rule_of(n % 2 ? XNM_TRIGGER_NAMES : XNM_TRIGGER_ZONES);

        rule.suffixes = n % 4 < 2;
        memcpy(text, row->text, row->len);
        size_t len = list_mutate(&seed, text, row->len, sizeof text);
        list_read(result, &rule, text, len, 0);
        assert_int_equal(result->counts.entries,
                         lines_of(result->entries) - list_bare(result->entries));
        assert_null(strstr(result->entries, " .\n"));
        if (!rule.suffixes)
            assert_null(strstr(result->entries, " com.\n"));
    }
    free(result);
}

/* --- limits --- */

static struct list_result result;

static void read_text(const char *text)
{
    const struct xnm_rule rule = {.action = XNM_NXDOMAIN, .trigger = XNM_TRIGGER_NAMES};

    list_read(&result, &rule, text, strlen(text), 0);
}

/* A name has at most 255 octets in wire format, which the dot at its end does not lengthen. */
TEST(test_longest_name, "the longest name")
{
    static const struct {
        unsigned last; /* characters of the last of four labels */
        const char *end, *reports;
    } ends[] = {
        {61, "", ""},
        {61, ".", ""},
        {62, "", "name is longer than 255 octets in wire format"},
        {62, ".", "name is longer than 255 octets in wire format"},
        {64, "", "label is 64 octets: expected at most 63"},
    };

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char text[300];
        memset(text, 'a', 3 * 64 + ends[i].last);
        text[63] = text[127] = text[191] = '.';
        strcpy(text + 3 * 64 + ends[i].last, ends[i].end);
        read_text(text);
        assert_int_equal(result.counts.entries, ends[i].reports[0] == '\0');
        assert_non_null(strstr(result.reports, ends[i].reports));
    }
    read_text("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"); /* 64 */
    assert_string_equal(result.reports, "E 1:1 label is 64 octets: expected at most 63\n");
}

/* A list of names may have a name `zone` with text after it. */
TEST(test_no_zone, "the word zone without one")
{
    read_text("zone a.example\nb.example\n");
    assert_string_equal(result.entries, "exact b.example.\n");
    assert_string_equal(result.reports, "E 1:6 text follows the name: expected one name a line, or "
                                        "an address and its names\n");
}

/* The function that takes entries may reject further ones in the middle of a line. */
TEST(test_no_more, "no more entries in the middle of a line")
{
    static const struct xnm_rule rule = {.action = XNM_NXDOMAIN, .trigger = XNM_TRIGGER_ZONES};
    static const char *const texts[] = {"0.0.0.0 a.example b.example",
                                        "||a.example^$denyallow=b.example|c.example"};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        list_read(&result, &rule, texts[i], strlen(texts[i]), 1);
        assert_false(result.good);
        assert_memory_equal(result.entries, "zone a.example.", 15);
        assert_ptr_equal(strchr(result.entries, '\n') + 1, result.entries + result.entries_len);
    }
}

/* The number of bad entries is reported if not all of them are. */
TEST(test_many_bad, "as many bad entries as are told, and one more")
{
    for (unsigned extra = 0; extra < 2; extra++) {
        unsigned bad = XNM_LIST_TALLY_REPORTED_MAX + extra, lines = 0;
        char text[1024] = "";
        for (unsigned i = 0; i < bad; i++)
            strcat(text, "a b c\n");
        read_text(text);
        assert_int_equal(result.counts.bad, bad);
        for (const char *at = result.reports; (at = strchr(at, '\n')); at++)
            lines++;
        assert_int_equal(lines, XNM_LIST_TALLY_REPORTED_MAX + extra);
        assert_int_equal(strstr(result.reports, "E 0:0 21 bad entries in all") != NULL, extra);
    }
}

/* An answer may hold some types; only a zone has the others. */
TEST(test_data, "types of data")
{
    static const uint16_t data[] = {1, 5, 16, 65280}, no_data[] = {2, 6, 39, 43, 46, 47, 63};

    for (size_t i = 0; i < sizeof data / sizeof *data; i++)
        assert_true(xnm_rpzfile_is_data(data[i]));
    for (size_t i = 0; i < sizeof no_data / sizeof *no_data; i++)
        assert_false(xnm_rpzfile_is_data(no_data[i]));
}

/* --- modifiers --- */

static void read_with_action(xnm_action action, const char *text, size_t entries_max)
{
    const struct xnm_rule rule = {.action = action, .trigger = XNM_TRIGGER_ZONES};

    list_read(&result, &rule, text, strlen(text), entries_max);
}

/* An exempted name passes, like every other name of such a list. */
TEST(test_passthru, "in a list of passthru rules")
{
    static const char text[] = "@@||a.example^\n||b.example^$important\n||d.example^$dnstype=A\n";

    read_with_action(XNM_PASSTHRU, text, 0);
    assert_string_equal(result.entries, "zone a.example.\nzone b.example.\n"
                                        "zone d.example. types=1\n");
    assert_string_equal(result.reports, "");
    read_with_action(XNM_NXDOMAIN, text, 0);
    assert_string_equal(result.entries,
                        "zone a.example. strength=1 exempts\nzone b.example. strength=2\n"
                        "zone d.example. types=1\n");
}

/* The names of one filter, each of 240 octets. */
static void put_denied(char *text, unsigned count)
{
    static const char label[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    size_t len = (size_t)sprintf(text, "||a.example^$denyallow=");

    for (unsigned i = 0; i < count; i++)
        len += (size_t)sprintf(text + len, "%s%s.%s.%s.%s%03u.com", i > 0 ? "|" : "", label, label,
                               label, label + 5, i);
    sprintf(text + len, "\n");
}

static unsigned count_lines(const char *text)
{
    unsigned lines = 0;

    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

TEST(test_denied, "as many names as an entry denies, one more, and some")
{
    static char text[2 * XNM_DENIED_MAX];
    enum { OCTETS_OF_ONE = 3 * 58 + 56 + 5, FIT = XNM_DENIED_MAX / OCTETS_OF_ONE };
    char entry[64];

    put_denied(text, FIT);
    read_with_action(XNM_NXDOMAIN, text, 0);
    snprintf(entry, sizeof entry, "zone a.example. denied=%d\n", FIT * OCTETS_OF_ONE);
    assert_non_null(strstr(result.entries, entry));
    assert_string_equal(result.reports, "");
    read_with_action(XNM_NXDOMAIN, text, 3);
    assert_false(result.good);
    assert_int_equal(count_lines(result.entries), 3);
    put_denied(text, FIT + 1);
    read_with_action(XNM_NXDOMAIN, text, 0);
    assert_string_equal(result.entries, "");
    assert_string_equal(result.reports,
                        "W 1:1 skipped: a filter with too many types or names in its modifiers, or "
                        "one too many with others\n");
}

/* Entries that differ in nothing but their names are one variant, which a list has many of. */
TEST(test_variants, "as many variants as a list may have, and one more")
{
    static char text[64 * (XNM_LIST_VARIANTS_MAX + 2)];
    unsigned count = 0;

    for (char *at = text; count <= XNM_LIST_VARIANTS_MAX; count++)
        at += sprintf(at, "||a%u.example^$dnstype=TYPE%u\n", count, 1000 + count);
    sprintf(text + strlen(text), "||b.example^$dnstype=TYPE1000\n||c.example^\n");
    read_with_action(XNM_NXDOMAIN, text, 0);
    assert_int_equal(count_lines(result.entries), XNM_LIST_VARIANTS_MAX + 2);
    assert_non_null(strstr(result.entries, "zone a255.example. types=1255\n"));
    assert_null(strstr(result.entries, "zone a256.example."));
    assert_non_null(strstr(result.entries, "zone b.example. types=1000\nzone c.example.\n"));
    assert_string_equal(result.reports,
                        "W 257:3 skipped: a filter with too many types or names in its modifiers, "
                        "or one too many with others\n");
}

TEST(test_types, "as many types as an entry has, and one more")
{
    static char text[64 + 16 * XNM_RULE_TYPES_MAX];

    for (unsigned extra = 0; extra < 2; extra++) {
        char *at = text + sprintf(text, "||a.example^$dnstype=");
        for (unsigned i = 0; i < XNM_RULE_TYPES_MAX + extra; i++)
            at += sprintf(at, "%sTYPE%u", i > 0 ? "|" : "", 1000 + i);
        sprintf(at, "\n");
        read_with_action(XNM_NXDOMAIN, text, 0);
        assert_int_equal(count_lines(result.entries), 1 - extra);
        assert_int_equal(count_lines(result.reports), extra);
    }
}

/* --- slow lists --- */

static bool take(void *arg, const struct xnm_list_entry *entry)
{
    (void)arg, (void)entry;
    return true;
}

static struct xnm_list_counts read_hostile(const char *text, size_t len)
{
    const struct xnm_rule rule = {.action = XNM_NXDOMAIN, .trigger = XNM_TRIGGER_ZONES};
    const struct xnm_list_options options = {
        .unicode = list_unicode, .diagnostics = &xnm_diagnose_silently, .entry = take};
    struct xnm_list_counts counts;
    char *exact = exact_copy(text, len);

    assert_true(xnm_list_read(&options, &rule, "list", exact, len, &counts));
    free(exact);
    return counts;
}

/* --- long lines --- */

/* If time grew with the square of a line's length, these would take an hour. */
static struct long_line {
    const char *name;
    const char *head, *unit, *tail; /* of a line; the unit is repeated up to so many octets */
    size_t len;
    unsigned lines;
    size_t bad, skipped, entries;
} long_lines[] = {
    {"words full of `#`", "a", "#a", "\n", 65000, 1000, 1000, 0, 0},
    {"names in a line of a hosts file", "::", " a.example", "\n", 65000, 1, 0, 0, 6500},
};

TEST_ROWS(test_long_line, long_lines, name)
{
    const struct long_line *row = *state;
    size_t unit = strlen(row->unit), len = 0;
    char *text = malloc(row->lines * (row->len + 100));

    for (unsigned line = 0; line < row->lines; line++) {
        len += (size_t)sprintf(text + len, "%s", row->head);
        for (size_t end = len + row->len; len < end; len += unit)
            memcpy(text + len, row->unit, unit);
        len += (size_t)sprintf(text + len, "%s", row->tail);
    }
    const struct xnm_list_counts counts = read_hostile(text, len);
    free(text);
    assert_int_equal(counts.bad, row->bad);
    assert_int_equal(counts.skipped, row->skipped);
    assert_int_equal(counts.entries, row->entries);
}

/* --- sets of modifiers --- */

enum { VARIANTS_MAX = 256, MORE = 300, ALL_DENIED_MAX = 4 * XNM_DENIED_MAX };

static size_t put_octets(char *text, const uint8_t *octets, size_t count)
{
    for (size_t i = 0; i < count; i++)
        sprintf(text + 4 * i, "\\%03u", octets[i]);
    return 4 * count;
}

/* Returns the first eight octets that make XXH3, with this seed, overlook the next eight: one
 * factor of a product is then 0. */
static uint64_t blind_octets(uint64_t seed)
{
    const uint64_t secret = 0xBE4BA423396CFEB8; /* the first octets of XXH3's own */

    return secret + seed;
}

/* Returns whether the octets can be a label's length and the label's first octets, and no reader
 * changes them. */
static bool can_begin_name(uint64_t octets, uint8_t len)
{
    if ((uint8_t)octets != len)
        return false;
    for (unsigned shift = 8; shift < 64; shift += 8)
        if ((uint8_t)(octets >> shift) >= 'A' && (uint8_t)(octets >> shift) <= 'Z')
            return false;
    return true;
}

/* Sets of modifiers that have the same hash without a seed are still distinguished. */
TEST(test_equal_hashes, "modifiers of one hash")
{
    enum { LABEL = 30, NAME = LABEL + 2 };
    struct xnm_modifiers plain = {
        .strength = XNM_STRENGTH_IMPORTANT, .denied_len = NAME, .type_count = 1, .types = {1000}};
    char *text = malloc((size_t)MORE * 256);
    uint8_t name[NAME] = {0};
    uint64_t blind;
    size_t len = 0;

    while (!can_begin_name(blind = blind_octets(XXH3_64bits(&plain, sizeof plain)), LABEL))
        plain.types[0]++;
    memcpy(name, &blind, sizeof blind);
    for (unsigned i = 0; i < MORE; i++) {
        name[sizeof blind] = (uint8_t)('a' + i % 26);
        name[sizeof blind + 1] = (uint8_t)('a' + i / 26);
        len += (size_t)sprintf(text + len,
                               "||a.example^$important,dnstype=TYPE%u,denyallow=", plain.types[0]);
        len += put_octets(text + len, name + 1, LABEL);
        text[len++] = '\n';
    }
    const struct xnm_list_counts counts = read_hostile(text, len);
    free(text);
    assert_int_equal(counts.entries, VARIANTS_MAX);
    assert_int_equal(counts.skipped, MORE - VARIANTS_MAX);
}

/* A query may have to be compared with all names that a list's filters deny. */
TEST(test_many_denied, "names that many filters deny")
{
    enum { NAMES = XNM_DENIED_MAX / 3, FILTERS = 10, LINE_MAX_HERE = 2 * NAMES + 64 };
    char *text = malloc((size_t)FILTERS * LINE_MAX_HERE);
    size_t len = 0;

    for (unsigned i = 0; i < FILTERS; i++) {
        len += (size_t)sprintf(text + len, "||a%u.example^$denyallow=%c", i, 'a' + i);
        for (unsigned name = 1; name < NAMES; name++)
            len += (size_t)sprintf(text + len, "|b");
        text[len++] = '\n';
    }
    const struct xnm_list_counts counts = read_hostile(text, len);
    free(text);
    assert_int_equal(counts.entries, ALL_DENIED_MAX / (3 * NAMES));
    assert_int_equal(counts.skipped, FILTERS - counts.entries);
}

TEST_MAIN_WITH_UNICODE(list_unicode)
