/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/rule/rule.h"
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

static void reads_a_row(void **state)
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

static void means_suffixes(void **state)
{
    static const char text[] = "com\n*.рф\nco.uk\n.\nlocalhost\n";
    struct list_result *result = malloc(sizeof *result);
    struct xnm_rule rule = rule_of(XNM_TRIGGER_ZONES);

    (void)state;
    rule.suffixes = true;
    list_read(result, &rule, OCTETS(text), 0);
    assert_string_equal(result->entries, "zone com.\nzone xn--p1ai.\nzone co.uk.\n");
    assert_int_equal(result->counts.suffixes, 0);
    assert_int_equal(result->counts.skipped, 2);
    free(result);
}

static void stops(void **state)
{
    static const char text[] = "a.example\n0.0.0.0 b.example c.example\nd.example";
    struct list_result *result = malloc(sizeof *result);
    struct xnm_rule rule = rule_of(XNM_TRIGGER_NAMES);

    (void)state;
    list_read(result, &rule, OCTETS(text), 2);
    assert_string_equal(result->entries, "exact a.example.\nexact b.example.\n");
    assert_false(result->good);
    assert_int_equal(result->counts.entries, 2);
    list_read(result, &rule, OCTETS(text), 5);
    assert_true(result->good);
    free(result);
}

/* Twenty mistakes get a message each; the last message gives their number. */
static void limits_what_it_says(void **state)
{
    static const char lines[] = "a..b\ncom\n@@x\nxn--a.example\n";
    struct list_result *result = malloc(sizeof *result);
    struct xnm_rule rule = rule_of(XNM_TRIGGER_NAMES);
    size_t len = sizeof lines - 1;
    char *text = malloc(25 * len);

    (void)state;
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
static void measures_names(void **state)
{
    struct list_result *result = malloc(sizeof *result);
    struct xnm_rule rule = rule_of(XNM_TRIGGER_NAMES);
    char text[512];

    (void)state;
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
static void reads_plain_names_as_others(void **state)
{
    static const char octets[] = "abcxyz019-.AZ.";
    struct list_result *fast = malloc(sizeof *fast), *slow = malloc(sizeof *slow);
    uint64_t seed = 5;

    (void)state;
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

static void survives_long_lines(void **state)
{
    static const char *const pieces[] = {"a",        "a.", ".", "*",  "||", "^",  "$", " ",
                                         "0.0.0.0 ", "::", "ü", "\\", "#",  " #", "/", "\xFF"};
    struct list_result *result = malloc(sizeof *result);
    struct xnm_rule rule = rule_of(XNM_TRIGGER_NAMES);
    size_t cap = 1 << 20;
    char *text = malloc(cap);

    (void)state;
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

static void takes_nothing_of_a_web_page(void **state)
{
    static const char page[] = "404 Not Found\n<html>\n<head><title>404 Not Found</title></head>\n"
                               "<body bgcolor=\"white\">\n<center><h1>Not Found</h1></center>\n"
                               "<a href=\"https://www.example.com/\">www.example.com</a>\n"
                               "  color: red;\n}\n<hr>nginx\nHome\n&nbsp;\n</html>\n";
    struct list_result *result = malloc(sizeof *result);
    struct xnm_rule rule = rule_of(XNM_TRIGGER_ZONES);

    (void)state;
    list_read(result, &rule, OCTETS(page), 0);
    assert_string_equal(result->entries, "");
    assert_int_equal(result->counts.bad + result->counts.suffixes, lines_of(page));
    free(result);
}

static void survives_octets(void **state)
{
    struct list_result *result = malloc(sizeof *result);
    struct xnm_rule rule = rule_of(XNM_TRIGGER_NAMES);
    uint64_t seed = 7;
    char text[2000];

    (void)state;
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

static void survives_mutants(void **state)
{
    struct list_result *result = malloc(sizeof *result);
    uint64_t seed = 11;
    char text[4096];

    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_suffixes),
        cmocka_unit_test(stops),
        cmocka_unit_test(limits_what_it_says),
        cmocka_unit_test(measures_names),
        cmocka_unit_test(reads_plain_names_as_others),
        cmocka_unit_test(survives_long_lines),
        cmocka_unit_test(takes_nothing_of_a_web_page),
        cmocka_unit_test(survives_octets),
        cmocka_unit_test(survives_mutants),
    };
    struct test_group group = {0};
    char(*names)[32] = calloc(COUNT(rows), sizeof *names);

    for (size_t i = 0; i < COUNT(rows); i++) {
        snprintf(names[i], sizeof names[i], "list %zu", i);
        add_test(&group, names[i], reads_a_row, &rows[i]);
    }
    for (size_t i = 0; i < COUNT(tests); i++)
        add_test(&group, tests[i].name, tests[i].test_func, NULL);
    int failed = _cmocka_run_group_tests("list", group.tests, group.count, list_open_unicode,
                                         list_close_unicode);
    free(group.tests);
    free(names);
    return failed;
}
