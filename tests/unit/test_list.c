/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/vectors.h"

#include <xxhash.h>

#include "module/base/diagnostics.h"
#include "module/list/list.h"
#include "module/list/reader.h"
#include "module/rule/rule.h"
#include "tests/unit/exact.h"
#include "tests/unit/listread.h"
#include "tests/unit/places.h"

#define OCTETS_OF(text) text, strlen(text)

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

    {OCTETS("a.example$important\n/ad[sv]/\n/ads.gif\n@@/x/\n@@a.example\n||\n||^\n@@"), "", "",
     "8:1w 2:1w 1:1w"},
    {OCTETS(".\n*\n*.\n||.^\n||*^\n..\n"), "", "", "1:1w"},
    {OCTETS("192.0.2.1\n2001:db8::1\n||192.0.2.1^\n192.0.2.255.\n１.2.3.4\nfe80::1%eth0"), "", "",
     "1:1w"},

    /* doubtful, bad */
    {OCTETS("straße.example\n xn--zz--.example # x\n中国.example\nيوم.1.example\n@ü.example\n"
            "ü.example.."),
     "exact xn--strae-oqa.example.\nexact xn--zz--.example.\nexact xn--fiqs8s.example.\n"
     "exact xn--hhbff.1.example.\n",
     NULL, "5:1 6:11"},
    {OCTETS("zone a.example\nzone\tb.example IN {\nzone.example\nzone\n"), "exact zone.example.\n",
     NULL, "1:6 2:1 4:1"},

    /* public suffixes */
    {OCTETS("COM.\nrf.рф\nxn--p1ai\n*.co.uk\n||de^\n.fr\nunknown-tld"), "exact rf.xn--p1ai.\n",
     NULL, "1:1 3:1 4:1 5:3 6:2 7:1"},
    {OCTETS("router\n192.0.2.1 nas\n*.local-net\n||home^"), "", "", "1:1 2:11 3:1 4:3"},
    {OCTETS("foo.ck\nwww.ck\na.foo.ck\nfoo.unknown-tld\n公司.cn\nxn--55qx5d.cn\nx.公司.cn\ngithub."
            "io\nx_y.ck"),
     "exact www.ck.\nexact a.foo.ck.\nexact foo.unknown-tld.\nexact x.xn--55qx5d.cn.\nexact "
     "github.io.\n",
     NULL, "1:1 5:1 6:1 9:1"},
    {OCTETS("pvt.k12.ma.us\nx.pvt.k12.ma.us\ncity.kobe.jp\nx.kobe.jp\nkobe.jp"),
     "exact x.pvt.k12.ma.us.\nexact city.kobe.jp.\n", NULL, "1:1 4:1 5:1"},
};

static struct list_result result;

static void read_text(xnm_trigger trigger, const char *text, size_t len, size_t entries_max)
{
    const struct xnm_rule rule = {.trigger = trigger, .action = XNM_NXDOMAIN};

    list_read(&result, &rule, text, len, entries_max);
}

static bool take(void *arg, const struct xnm_list_entry *entry)
{
    (void)arg, (void)entry;
    return true;
}

/* Sets only the counts of the result, so a list may be of any size. */
static void read_quietly(const char *text, size_t len)
{
    const struct xnm_rule rule = {.action = XNM_NXDOMAIN, .trigger = XNM_TRIGGER_ZONES};
    const struct xnm_list_options options = {
        .unicode = list_unicode, .diagnostics = &xnm_diagnostics_ignored, .entry = take};
    char *exact = exact_copy(text, len);

    assert_true(xnm_list_read(&options, &rule, "list", exact, len, &result.counts));
    free(exact);
}

static size_t count_lines(const char *text)
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

TEST_NUMBERED_ROWS(reads_row, rows)
{
    const struct row *row = *state;
    char zones[4096];

    read_text(XNM_TRIGGER_NAMES, row->text, row->len, 0);
    assert_string_equal(places_of(result.reports), row->places);
    assert_string_equal(result.entries, row->names);
    assert_int_equal(result.counts.entries, count_lines(row->names) - list_bare(row->names));
    assert_int_equal(result.counts.skipped + result.counts.bad + result.counts.suffixes,
                     list_reported(result.reports));
    assert_true(result.good);

    if (row->zones)
        strcpy(zones, row->zones);
    else
        as_zones(row->names, zones);
    read_text(XNM_TRIGGER_ZONES, row->text, row->len, 0);
    assert_string_equal(places_of(result.reports), row->places);
    assert_string_equal(result.entries, zones);
}

TEST(takes_suffixes, "suffixes=yes")
{
    static const char text[] = "com\n*.рф\nco.uk\n.\nlocalhost\n";
    const struct xnm_rule rule = {
        .trigger = XNM_TRIGGER_ZONES, .action = XNM_NXDOMAIN, .suffixes = true};

    list_read(&result, &rule, OCTETS(text), 0);
    assert_string_equal(result.entries, "zone com.\nzone xn--p1ai.\nzone co.uk.\n");
    assert_int_equal(result.counts.suffixes, 0);
    assert_int_equal(result.counts.skipped, 2);
}

/* The function that takes entries may reject further ones, in the middle of a line too. */
TEST(stops_at_entry, "no more entries are taken")
{
    static const char *const texts[] = {"a.example\n0.0.0.0 b.example c.example\nd.example",
                                        "||a.example^$denyallow=b.example|c.example"};

    for (size_t i = 0; i < COUNT(texts); i++) {
        read_text(XNM_TRIGGER_ZONES, OCTETS_OF(texts[i]), 2);
        assert_int_equal(count_lines(result.entries), 2);
        assert_false(result.good);
        read_text(XNM_TRIGGER_ZONES, OCTETS_OF(texts[i]), 5);
        assert_true(result.good);
    }
}

/* The first 20 mistakes of each kind are reported, and if there are more, their number. */
TEST(limits_reports, "20 mistakes of each kind, and 21")
{
    static const char lines[] = "a..b\ncom\n@@x\nxn--a.example\n";
    char text[21 * sizeof lines] = "";

    for (size_t n = 0; n < 20; n++)
        strcat(text, lines);
    read_text(XNM_TRIGGER_NAMES, OCTETS_OF(text), 0);
    assert_int_equal(count_lines(result.reports), 2 * 20 + 1);
    assert_null(strstr(result.reports, "0:0"));
    strcat(text, lines);
    read_text(XNM_TRIGGER_NAMES, OCTETS_OF(text), 0);
    assert_int_equal(count_lines(result.reports), 2 * 20 + 3);
    assert_string_equal(
        strstr(result.reports, "E 0:0"),
        "E 0:0 21 bad entries in all, left out: the first 20 are listed above\n"
        "E 0:0 21 public suffixes in all, left out: the first 20 are listed above\n");
    assert_non_null(strstr(result.reports, "W 3:1 skipped: a filter whose pattern is more than a "
                                           "name, 21 in all, the first one here\n"));
    assert_int_equal(result.counts.bad, 21);
    assert_int_equal(result.counts.suffixes, 21);
    assert_int_equal(result.counts.skipped, 21);
    assert_int_equal(result.counts.entries, 21);
}

/* A name has at most 255 octets in wire format, which the dot at its end does not lengthen. */
TEST(measures_names, "the longest name and label")
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
    char text[300];

    for (size_t i = 0; i < COUNT(ends); i++) {
        memset(text, 'a', sizeof text);
        text[63] = text[127] = text[191] = '.';
        strcpy(text + 3 * 64 + ends[i].last, ends[i].end);
        read_text(XNM_TRIGGER_NAMES, OCTETS_OF(text), 0);
        assert_int_equal(result.counts.entries, ends[i].reports[0] == '\0');
        assert_non_null(strstr(result.reports, ends[i].reports));
    }
}

/* A plain name is read in a shorter way; with an ideographic full stop for a dot it is not. */
TEST(reads_plain_names_alike, "plain names, with and without an ideographic full stop")
{
    static const char octets[] = "abcxyz019-.AZ.";
    struct list_result *other = malloc(sizeof *other);
    uint64_t seed = 5;

    for (unsigned n = 0; n < 20000; n++) {
        const struct xnm_rule rule = {.trigger = n % 2 ? XNM_TRIGGER_NAMES : XNM_TRIGGER_ZONES,
                                      .action = XNM_NXDOMAIN};
        char plain[300], written[300];
        size_t len = 1 + list_random(&seed, n % 16 == 0 ? 256 : 20), dot = 0;

        for (size_t i = 0; i < len; i++)
            plain[i] = octets[list_random(&seed, sizeof octets - 1)];
        plain[len++] = '.'; /* a name without a dot has none to replace */
        while (plain[dot] != '.')
            dot++;
        if (dot == 0) /* `.x` means more */
            continue;
        int written_len = snprintf(written, sizeof written, "%.*s。%.*s", (int)dot, plain,
                                   (int)(len - dot - 1), plain + dot + 1);
        list_read(&result, &rule, plain, len, 0);
        list_read(other, &rule, written, (size_t)written_len, 0);
        assert_string_equal(result.entries, other->entries);
        assert_string_equal(result.reports, other->reports);
        assert_memory_equal(&result.counts, &other->counts, sizeof result.counts);
    }
    free(other);
}

/* --- hostile files --- */

TEST(survives_long_lines, "lines of up to a mebibyte")
{
    static const char *const pieces[] = {"a",        "a.", ".", "*",  "||", "^",  "$", " ",
                                         "0.0.0.0 ", "::", "ü", "\\", "#",  " #", "/", "\xFF"};
    size_t cap = 1 << 20;
    char *text = malloc(cap);

    for (size_t i = 0; i < COUNT(pieces); i++) {
        size_t len = strlen(pieces[i]);
        for (size_t at = 0; at < cap; at++)
            text[at] = pieces[i][at % len];
        for (size_t size = cap; size > 1000; size = size > 65536 ? 65536 : size / 2) {
            read_text(XNM_TRIGGER_NAMES, text, size, 0);
            assert_true(result.good);
            assert_int_equal(result.counts.entries, 0);
        }
    }
    memset(text, '\0', cap);
    read_text(XNM_TRIGGER_NAMES, text, cap, 0);
    assert_string_equal(result.reports,
                        "E 1:1 this line has more than 65536 octets: expected a name\n");
    free(text);
}

TEST(takes_nothing_of_web_page, "a web page that does not begin as one")
{
    static const char page[] = "404 Not Found\n<html>\n<head><title>404 Not Found</title></head>\n"
                               "<body bgcolor=\"white\">\n<center><h1>Not Found</h1></center>\n"
                               "<a href=\"https://www.example.com/\">www.example.com</a>\n"
                               "  color: red;\n}\n<hr>nginx\nHome\n&nbsp;\n</html>\n";

    read_text(XNM_TRIGGER_ZONES, OCTETS(page), 0);
    assert_string_equal(result.entries, "");
    assert_int_equal(result.counts.bad + result.counts.suffixes, count_lines(page));
}

/* If time grew with the square of a line's length, these would take an hour. */
TEST(reads_long_lines_in_time, "words full of `#`, and a long line of a hosts file")
{
    enum { LINES = 1000, LINE = 65000 };
    char *text = malloc(LINES * (LINE + 2));
    size_t len = 0;

    for (unsigned line = 0; line < LINES; line++) {
        for (size_t at = 0; at < LINE; at++)
            text[len++] = at % 2 ? '#' : 'a';
        text[len++] = '\n';
    }
    read_quietly(text, len);
    assert_int_equal(result.counts.bad, LINES);
    len = (size_t)sprintf(text, "::");
    while (len < LINE)
        len += (size_t)sprintf(text + len, " a.b");
    read_quietly(text, len);
    assert_int_equal(result.counts.entries, (len - 2) / 4);
    free(text);
}

/* --- modifiers --- */

#define TOO_MANY                                                                                   \
    "skipped: a filter with too many types or names in its modifiers, or one too many with "       \
    "others\n"

/* An exempted name passes, like every other name of such a list. */
TEST(drops_strength_for_passthru, "filters in a list of passthru rules")
{
    static const char text[] = "@@||a.example^\n||b.example^$important\n||d.example^$dnstype=A\n";
    const struct xnm_rule rule = {.action = XNM_PASSTHRU, .trigger = XNM_TRIGGER_ZONES};

    list_read(&result, &rule, OCTETS(text), 0);
    assert_string_equal(result.entries, "zone a.example.\nzone b.example.\n"
                                        "zone d.example. types=1\n");
    assert_string_equal(result.reports, "");
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

TEST(limits_denied_names, "as many denied names as an entry has, and one more")
{
    static char text[2 * XNM_DENIED_MAX];
    enum { OCTETS_OF_ONE = 3 * 58 + 56 + 5, FIT = XNM_DENIED_MAX / OCTETS_OF_ONE };
    char entry[64];

    put_denied(text, FIT);
    read_text(XNM_TRIGGER_ZONES, OCTETS_OF(text), 0);
    snprintf(entry, sizeof entry, "zone a.example. denied=%d\n", FIT * OCTETS_OF_ONE);
    assert_non_null(strstr(result.entries, entry));
    assert_string_equal(result.reports, "");
    put_denied(text, FIT + 1);
    read_text(XNM_TRIGGER_ZONES, OCTETS_OF(text), 0);
    assert_string_equal(result.entries, "");
    assert_string_equal(result.reports, "W 1:1 " TOO_MANY);
}

TEST(limits_types, "as many types as an entry has, and one more")
{
    static char text[64 + 16 * XNM_RULE_TYPES_MAX];

    for (unsigned extra = 0; extra < 2; extra++) {
        char *at = text + sprintf(text, "||a.example^$dnstype=");
        for (unsigned i = 0; i < XNM_RULE_TYPES_MAX + extra; i++)
            at += sprintf(at, "%sTYPE%u", i > 0 ? "|" : "", 1000 + i);
        read_text(XNM_TRIGGER_ZONES, OCTETS_OF(text), 0);
        assert_int_equal(count_lines(result.entries), 1 - extra);
        assert_string_equal(result.reports, extra ? "W 1:1 " TOO_MANY : "");
    }
}

/* Entries that differ in nothing but their names are one variant, which a list has many of. */
TEST(limits_variants, "as many variants as a list has, and one more")
{
    static char text[64 * (XNM_MODIFIERS_MAX + 2)];
    unsigned count = 0;

    for (char *at = text; count <= XNM_MODIFIERS_MAX; count++)
        at += sprintf(at, "||a%u.example^$dnstype=TYPE%u\n", count, 1000 + count);
    sprintf(text + strlen(text), "||b.example^$dnstype=TYPE1000\n||c.example^\n");
    read_text(XNM_TRIGGER_ZONES, OCTETS_OF(text), 0);
    assert_int_equal(count_lines(result.entries), XNM_MODIFIERS_MAX + 2);
    assert_non_null(strstr(result.entries, "zone a255.example. types=1255\n"));
    assert_null(strstr(result.entries, "zone a256.example."));
    assert_non_null(strstr(result.entries, "zone b.example. types=1000\nzone c.example.\n"));
    assert_string_equal(result.reports, "W 257:3 " TOO_MANY);
}

/* A query may have to be compared with all names that a list's filters deny. */
TEST(limits_denied_names_of_list, "names that many filters deny")
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
    read_quietly(text, len);
    free(text);
    assert_int_equal(result.counts.entries, 4 * XNM_DENIED_MAX / (3 * NAMES));
    assert_int_equal(result.counts.skipped, FILTERS - result.counts.entries);
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

static bool append_number(void *arg, const struct xnm_list_entry *entry)
{
    char *numbers = arg;

    if (entry->scope != XNM_SCOPE_NONE)
        sprintf(numbers + strlen(numbers), " %u", entry->modifiers ? entry->modifiers->number : 0);
    return true;
}

TEST(numbers_sets_of_modifiers, "the numbers of sets of modifiers")
{
    static const char text[] = "||a.example^$important\n||b.example^\n@@||c.example^\n"
                               "||d.example^$denyallow=e.example\n@@||f.example^\n"
                               "||g.example^$important\n||h.example^$denyallow=e.example\n";
    char numbers[64] = "";
    const struct xnm_list_options options = {.unicode = list_unicode,
                                             .diagnostics = &xnm_diagnostics_ignored,
                                             .entry = append_number,
                                             .arg = numbers};
    const struct xnm_rule rule = {.trigger = XNM_TRIGGER_ZONES, .action = XNM_REFUSE};
    struct xnm_list_counts counts;

    assert_true(xnm_list_read(&options, &rule, "list", text, strlen(text), &counts));
    assert_string_equal(numbers, " 1 0 2 3 2 1 3");
}

/* Sets of modifiers that have the same hash without a seed are still distinguished. */
TEST(distinguishes_equal_hashes, "modifiers of one hash")
{
    enum { LABEL = 30, NAME = LABEL + 2, MORE = 300 };
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
        for (unsigned at = 1; at <= LABEL; at++)
            len += (size_t)sprintf(text + len, "\\%03u", name[at]);
        text[len++] = '\n';
    }
    read_quietly(text, len);
    free(text);
    assert_int_equal(result.counts.entries, XNM_MODIFIERS_MAX);
    assert_int_equal(result.counts.skipped, MORE - XNM_MODIFIERS_MAX);
}

TEST_MAIN_WITH_UNICODE(list_unicode)
