/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/base/diagnostics.h"
#include "tests/unit/vectors.h"

#include "module/zone/zonefile.h"
#include "tests/unit/exact.h"
#include "tests/unit/places.h"
#include "tests/unit/wirenames.h"
#include "tests/unit/zonename.h"

#define OCTETS(literal) literal, sizeof literal - 1

enum { DUMP_MAX = 1 << 16 };

static struct xn_unicode *unicode;

/* --- reading --- */

/* Records as "line[:column] owner ttl TYPEnnn rdata\n", with the column unless it is 1, and what
 * was reported, as it is written to logs. */
struct dump {
    char records[DUMP_MAX], reports[DUMP_MAX];
    size_t records_len, reports_len;
    size_t count, stop_at;
};

static bool dump_entry(void *arg, const struct xnm_zonefile_entry *entry)
{
    struct dump *dump = arg;
    struct xn_wire_cursor cursor;
    char owner[XN_WIRE_TEXT_MAX + 1], *at = dump->records + dump->records_len;

    assert_int_equal(xn_wire_open(&cursor, entry->owner, entry->owner_len), XN_OK);
    owner[xn_wire_to_text(entry->owner, owner)] = '\0';
    if (dump->records_len + 1200 < DUMP_MAX) {
        int len = sprintf(at, "%u", entry->line);
        if (entry->column != 1)
            len += sprintf(at + len, ":%u", entry->column);
        len += sprintf(at + len, " %s %u TYPE%u ", owner, entry->ttl, entry->type);
        for (size_t i = 0; i < entry->rdata_len && i < 40; i++)
            len += sprintf(at + len, "%02x", entry->rdata[i]);
        len += sprintf(at + len, "\n");
        dump->records_len += (size_t)len;
    }
    return ++dump->count != dump->stop_at;
}

static void dump_report(void *arg, xnm_severity severity, const struct xnm_place *place,
                        const char *message)
{
    struct dump *dump = arg;
    char *at = dump->reports + dump->reports_len;

    assert_int_equal(severity, XNM_ERROR);
    assert_null(strchr(message, '\n'));
    if (dump->reports_len + 1200 > DUMP_MAX)
        return;
    xnm_diagnostic_text(place, message, at, 1100);
    strcat(at, "\n");
    dump->reports_len += strlen(at);
}

static bool read_zone(struct dump *dump, const char *text, size_t len, const char *origin)
{
    struct xnm_wirename name = {0, {0}};
    struct xnm_diagnostics diagnostics = {dump_report, dump};
    struct xnm_zonefile_options options = {unicode, &diagnostics, NULL, dump_entry, dump};
    char *exact = exact_copy(text, len);

    if (origin)
        assert_true(read_zone_name(unicode, origin, &name));
    dump->records_len = dump->reports_len = dump->count = 0;
    dump->records[0] = dump->reports[0] = '\0';
    bool good = xnm_zonefile_read(&options, "z", exact, len, &name);
    free(exact);
    return good;
}

/* --- files --- */

#define SOA "$TTL 9\nr. SOA a. b. 1 2 3 4 5\n"
#define SOA_RECORD                                                                                 \
    "2 r. 9 TYPE6 01610001620000000001000000020000000300000004000000"                              \
    "05\n"

static struct zone {
    const char *name;
    const char *text;
    size_t len;
    const char *origin; /* NULL: not known */
    const char *records;
    const char *places; /* of errors (places.h) */
} zones[] = {
    {"nothing", OCTETS(""), "r", "", ""},
    {"blank lines and comments", OCTETS("\n \n\t; x\n; \"(\n\r\n   "), "r", "", ""},
    {"a record", OCTETS("a CNAME .\n"), "r", "1 a.r. 3600 TYPE5 00\n", ""},
    {"no last line end", OCTETS("a CNAME ."), "r", "1 a.r. 3600 TYPE5 00\n", ""},
    {"CRLF", OCTETS("a CNAME .\r\nb CNAME .\r\n"), "r",
     "1 a.r. 3600 TYPE5 00\n2 b.r. 3600 TYPE5 00\n", ""},
    {"CR at the end of the text", OCTETS("a CNAME .\r"), "r", "1 a.r. 3600 TYPE5 00\n", ""},
    {"a byte-order mark",
     OCTETS("\xEF\xBB\xBF"
            "a CNAME ."),
     "r", "1 a.r. 3600 TYPE5 00\n", ""},
    {"absolute, relative and @", OCTETS("a.b. A 1.2.3.4\nc A 1.2.3.4\n@ A 1.2.3.4"), "r",
     "1 a.b. 3600 TYPE1 01020304\n2 c.r. 3600 TYPE1 01020304\n3 r. 3600 TYPE1 01020304\n", ""},
    {"names in data", OCTETS("a CNAME b\na CNAME b.\na CNAME @"), "r",
     "1 a.r. 3600 TYPE5 0162017200\n2 a.r. 3600 TYPE5 016200\n3 a.r. 3600 TYPE5 017200\n", ""},
    {"an escaped @ and $", OCTETS("\\@ CNAME .\n\\$a CNAME ."), "r",
     "1 @.r. 3600 TYPE5 00\n2 $a.r. 3600 TYPE5 00\n", ""},
    {"the root as the origin", OCTETS("a CNAME b\n@ CNAME ."), ".",
     "1 a. 3600 TYPE5 016200\n2 . 3600 TYPE5 00\n", ""},
    {"Unicode", OCTETS("*.казино.example CNAME шлюз。\nбб CNAME *.бб"), "r",
     "1 *.xn--80aodfsg.example.r. 3600 TYPE5 0c786e2d2d6731616832627a6100\n"
     "2 xn--90aa.r. 3600 TYPE5 012a08786e2d2d39306161017200\n",
     ""},
    {"RPZ's names", OCTETS("32.2.0.0.10.rpz-ip CNAME rpz-drop.\n_x CNAME *."), "r",
     "1 32.2.0.0.10.rpz-ip.r. 3600 TYPE5 087270"
     "7a2d64726f7000\n2 _x.r. 3600 TYPE5 012a00\n",
     ""},
    {"the owner before", OCTETS("a A 1.2.3.4\n A 1.2.3.5\n\tTXT x\n\nb A 1.2.3.6\n A 1.2.3.7"), "r",
     "1 a.r. 3600 TYPE1 01020304\n2:2 a.r. 3600 TYPE1 01020305\n3:2 a.r. 3600 TYPE16 0178\n"
     "5 b.r. 3600 TYPE1 01020306\n6:2 b.r. 3600 TYPE1 01020307\n",
     ""},
    {"TTL and class",
     OCTETS("a 1 IN A 1.2.3.4\na IN 2 A 1.2.3.4\na 1h30m A 1.2.3.4\na in A 1.2.3.4\n"
            "a CLASS1 5 TYPE1 \\# 4 01020304"),
     "r",
     "1 a.r. 1 TYPE1 01020304\n2 a.r. 2 TYPE1 01020304\n3 a.r. 5400 TYPE1 01020304\n"
     "4 a.r. 5400 TYPE1 01020304\n5 a.r. 5 TYPE1 01020304\n",
     ""},
    {"$TTL", OCTETS("a 1 A 1.2.3.4\n$TTL 1w\na A 1.2.3.4\na 2 A 1.2.3.4\na A 1.2.3.4"), "r",
     "1 a.r. 1 TYPE1 01020304\n3 a.r. 604800 TYPE1 01020304\n4 a.r. 2 TYPE1 01020304\n"
     "5 a.r. 604800 TYPE1 01020304\n",
     ""},
    {"no TTL: the SOA's minimum", OCTETS("r. SOA a. b. 1 2 3 4 77\na A 1.2.3.4"), NULL,
     "1 r. 77 TYPE6 0161000162000000000100000002000000030000000400"
     "00004d\n"
     "2 a.r. 77 TYPE1 01020304\n",
     ""},
    {"the SOA's owner is the origin", OCTETS(SOA "a CNAME ."), NULL,
     SOA_RECORD "3 a.r. 9 TYPE5 00\n", ""},
    {"$ORIGIN", OCTETS("$ORIGIN r.\na CNAME .\n$origin s\na CNAME .\n$ORIGIN .\na CNAME ."), NULL,
     "2 a.r. 3600 TYPE5 00\n4 a.s.r. 3600 TYPE5 00\n6 a. 3600 TYPE5 00\n", ""},
    {"$ORIGIN in Unicode", OCTETS("$ORIGIN бб.\na CNAME ."), NULL, "2 a.xn--90aa. 3600 TYPE5 00\n",
     ""},
    {"parentheses", OCTETS("a TXT ( \"x\" ; ) \"(\n\n  y\n) z\nb (CNAME) (.)\nc CNAME\n"), "r",
     "1 a.r. 3600 TYPE16 01780179017a\n5 b.r. 3600 TYPE5 00\n", "6:8"},
    {"parentheses first", OCTETS("( a\n CNAME . )\n ( A\n 1.2.3.4 )\n(;x\n\n бб\nCNAME .)"), "r",
     "1:3 a.r. 3600 TYPE5 00\n3:4 a.r. 3600 TYPE1 01020304\n7:2 xn--90aa.r. 3600 TYPE5 00\n", ""},
    {"the line of a record is its first", OCTETS("\n\na (\n\n CNAME .\n\n)\nb CNAME ."), "r",
     "3 a.r. 3600 TYPE5 00\n8 b.r. 3600 TYPE5 00\n", ""},
    {"semicolons in quotes and escaped", OCTETS("a TXT \"x;y\" x\\;y ;z"), "r",
     "1 a.r. 3600 TYPE16 03783b7903783b79\n", ""},
    {"a signed zone",
     OCTETS("a 5 RRSIG A 8 2 60 20260101000000 20250101000000 1 r. AQID\n"
            "a NSEC b A RRSIG\na NSEC3 1 0 1 ab 00000000 A\na NSEC3PARAM 1 0 1 -"),
     "r", "1 a.r. 5 TYPE46 \n2 a.r. 5 TYPE47 \n3 a.r. 5 TYPE50 \n4 a.r. 5 TYPE51 \n", ""},

    {"no origin", OCTETS("a CNAME .\n@ CNAME .\nb. CNAME c"), NULL, "", "1:1 2:1 3:10"},
    {"no owner", OCTETS(" CNAME ."), "r", "", "1:2"},
    {"a bad owner is told once", OCTETS("a..b A 1.2.3.4\n A 1.2.3.5\n FOO\nb FOO"), "r", "",
     "1:3 4:3"},
    {"columns count characters", OCTETS("бб 1 MX шлюз шлюз"), "r", "", "1:9"},
    {"a place in a later line", OCTETS("a TXT ( б\n б\n  a\\300 )\nb CNAME a..b"), "r", "",
     "3:4 4:11"},
    {"no type", OCTETS("a\nb 5\nc IN\nd \"A\""), "r", "", "1:2 2:4 3:5 4:4"},
    {"no data type", OCTETS("a ANY x\nb AXFR x\nc IN IN A 1.2.3.4\nd 1 2 A 1.2.3.4"), "r", "",
     "1:3 2:3 3:6 4:5"},
    {"other classes",
     OCTETS("a CH A 1.2.3.4\na HS 5 A 1.2.3.4\na CLASS3 TXT a\na 5 NONE A 1.2.3.4\n"
            "a CS A 1.2.3.4"),
     "r", "", "1:3 2:3 3:3 4:5 5:3"},
    {"bad TTLs", OCTETS("a 2147483648 A 1.2.3.4\na 1x A 1.2.3.4\n$TTL\n$TTL h\n$TTL 1 2"), "r", "",
     "1:3 2:3 3:5 4:6 5:8"},
    {"directives",
     OCTETS("$INCLUDE a\n$GENERATE 1-2 a$ CNAME .\n$FOO\n$ORIGIN\n$ORIGIN a..b\n"
            "$ORIGIN a b"),
     "r", "", "1:1 2:1 3:1 4:8 5:11 6:11"},
    {"a quoted owner", OCTETS("\"a\" CNAME .\n\"\" CNAME ."), "r", "", "1:1 2:1"},
    {"quotes", OCTETS("a TXT \"x\nb TXT \"x\"y\nc TXT x\"y\nd TXT ( \"x\n y )\ne CNAME ."), "r", "",
     "1:7 2:10 3:8 4:9"},
    {"unbalanced parentheses", OCTETS("a A 1.2.3.4 )\nb A ) 1.2.3.4\nc A ( 1.2.3.4\nd A 1.2.3.4"),
     "r", "", "1:13 2:5 4:1 3:5"},
    {"control characters", OCTETS("a\0b CNAME .\na CNAME \x1B.\na\rb CNAME .\na TXT \"\x7F\""), "r",
     "", "1:2 2:9 3:2 4:8"},
    {"NUL in comments", OCTETS("a CNAME . ; \0\n;\0\xFF\nb CNAME ."), "r",
     "1 a.r. 3600 TYPE5 00\n3 b.r. 3600 TYPE5 00\n", ""},
    {"too long with the origin",
     OCTETS("abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz."
            "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz."
            "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz."
            "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz CNAME ."),
     "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz", "", "1:1"},
};

TEST_ROWS(test_zone, zones, name)
{
    const struct zone *row = *state;
    struct dump *dump = calloc(1, sizeof *dump);

    bool good = read_zone(dump, row->text, row->len, row->origin);
    assert_string_equal(places_of(dump->reports), row->places);
    assert_string_equal(dump->records, row->records);
    assert_int_equal(good, row->places[0] == '\0');
    free(dump);
}

/* --- many --- */

/* Text of `start` and so many times `line`. */
static char *repeat(const char *start, const char *line, size_t count, size_t *len)
{
    size_t start_len = strlen(start), line_len = strlen(line);
    char *text = malloc(start_len + count * line_len + 1);

    *len = start_len + count * line_len;
    memcpy(text, start, start_len);
    for (size_t i = 0; i < count; i++)
        memcpy(text + start_len + i * line_len, line, line_len);
    return text;
}

static size_t count_lines(const char *text)
{
    size_t count = 0;

    for (; *text; text++)
        count += *text == '\n';
    return count;
}

TEST(test_many_errors, "many errors")
{
    static const struct {
        size_t errors, told;
        const char *last;
    } rows[] = {{20, 20, "z:20:3: "},
                {21, 21, "z: 21 errors in all, of which the first 20 are shown\n"},
                {1000, 21, "z: 1000 errors in all, of which the first 20 are shown\n"}};
    struct dump *dump = calloc(1, sizeof *dump);

    for (size_t i = 0; i < COUNT(rows); i++) {
        size_t len;
        char *text = repeat("", "a FOO\n", rows[i].errors, &len);
        assert_false(read_zone(dump, text, len, "r"));
        assert_int_equal(count_lines(dump->reports), rows[i].told);
        assert_non_null(strstr(dump->reports, rows[i].last));
        free(text);
    }
    free(dump);
}

static struct hostile {
    const char *name;
    const char *start, *line;
    size_t count;
    size_t errors;
} hostiles[] = {
    {"100,000 parentheses", "a A ", "(", 100000, 1},
    {"100,000 parentheses that close", "a A ", ")", 100000, 100000},
    {"100,000 nested lines", "", "(\n", 100000, 1},
    {"100,000 empty parentheses", "", "()", 100000, 1},
    {"a line of 1 MB", "", "a", 1000000, 1},
    {"a line of 1 MB in dots", "", "a.", 500000, 1},
    {"a line of 1 MB in quotes", "a TXT \"", "x", 1000000, 1},
    {"a line of 1 MB of quotes", "a TXT ", "\"", 1000001, 1},
    {"a line of 1 MB of backslashes", "a TXT ", "\\", 1000001, 1},
    {"a line of 1 MB of NUL", "\x01", "\x02", 1000000, 1},
    {"100,000 errors", "", "x\n", 100000, 100000},
    {"1 MB of blanks", "", " ", 1000000, 0},
    {"1 MB of comments", ";", ";", 1000000, 0},
    {"1 MB of carriage returns", "", "\r", 1000000, 1},
};

TEST_ROWS(test_hostile, hostiles, name)
{
    const struct hostile *row = *state;
    struct dump *dump = calloc(1, sizeof *dump);
    size_t len;
    char *text = repeat(row->start, row->line, row->count, &len);

    assert_int_equal(read_zone(dump, text, len, "r"), row->errors == 0);
    assert_int_equal(count_lines(dump->reports), row->errors > 20 ? 21 : row->errors);
    free(text);
    free(dump);
}

TEST(test_stop, "the sink stops it")
{
    struct dump *dump = calloc(1, sizeof *dump);
    size_t len;
    char *text = repeat(SOA, "a CNAME .\n", 10, &len);

    dump->stop_at = 3;
    assert_true(read_zone(dump, text, len, NULL));
    assert_int_equal(dump->count, 3);
    dump->stop_at = 0;
    assert_true(read_zone(dump, text, len, NULL));
    assert_int_equal(dump->count, 11);
    free(text);
    free(dump);
}

/* --- the origin --- */

static struct origin {
    const char *name;
    const char *text;
    const char *expected; /* NULL: none */
} origins[] = {
    {"origin: the SOA's owner", "; x\n" SOA, "r"},
    {"origin: in Unicode", "бб. SOA a. b. 1 2 3 4 5", "xn--90aa"},
    {"origin: behind $ORIGIN", "$ORIGIN r.\n@ SOA a b 1 2 3 4 5", "r"},
    {"origin: relative to $ORIGIN", "$ORIGIN r.\nx SOA a b 1 2 3 4 5", "x.r"},
    {"origin: the root", ". SOA a b 1 2 3 4 5", "."},
    {"origin: behind other records", "a. CNAME .\n" SOA, "r"},
    {"origin: in spite of errors behind it", SOA "x FOO", "r"},
    {"no origin: nothing", "", NULL},
    {"no origin: no SOA", "a. CNAME .", NULL},
    {"no origin: relative", "@ SOA a. b. 1 2 3 4 5", NULL},
    {"no origin: a bad SOA", "r. SOA a. b. 1 2 3 4", NULL},
    {"no origin: an error before it", "x FOO\n" SOA, NULL},
};

TEST_ROWS(test_origin, origins, name)
{
    const struct origin *row = *state;
    const struct xnm_zonefile_options options = {.unicode = unicode};
    char *text = exact_copy(row->text, strlen(row->text));
    struct xnm_wirename origin = {99, {0}}, expected = {0, {0}};

    if (row->expected)
        assert_true(read_zone_name(unicode, row->expected, &expected));
    assert_true(xnm_zonefile_origin(&options, text, strlen(row->text), &origin) == !!row->expected);
    assert_int_equal(origin.len, expected.len);
    assert_memory_equal(origin.octets, expected.octets, expected.len);
    free(text);
}

/* --- mutations --- */

static size_t random_below(size_t limit)
{
    static uint64_t seed = 0x9E3779B97F4A7C15;

    return below(&seed, (uint32_t)limit);
}

static const char mutant[] = SOA
    "a CNAME .\n*.казино 5 IN CNAME *.шлюз.\n( b IN 5 TXT ( \"x;y\" \\065 б ; c\n \"\" ) )\n"
    " AAAA 2001:db8::1\n A \\# 4 (c0 00\t02 01)\n MX 10 例え。jp。\r\n$ORIGIN x\\.y\n$TTL 1h30m\n"
    "c HTTPS 1 . alpn=\"h2,h3\" port=1 ipv4hint=1.2.3.4 ipv6hint=::1,::2 mandatory=alpn ech=AQID\n"
    "d NAPTR 100 10 \"u\" \"\" \"!^.*$!\" .\ne CAA 0 issue \"a\"\nf TLSA 3 1 1 abcd ef\n"
    "g RRSIG A 8 2 60 20260101000000 20250101000000 1 r. AQID\nh NSEC b A RRSIG TYPE65280\n"
    "i NSEC3 1 0 1 ab 00000000 A\nj DNSKEY 256 3 8 AQID\nk NID \\# 10 000a00144fffff20ee64\n"
    "l EUI64 \\# 8 00005eef1000002a\nm URI 1 1 \"http://б/\"\nn SVCB 0 x key65000=\"a b\\255\"\n"
    "o CERT \\# 8 0001000108010203\np LOC \\# 16 00000000000000000000000000000000\n";

/* Some octets changed, taken away, or put in from elsewhere. */
static size_t mutate(char *text, size_t len, size_t cap)
{
    static const char odd[] = "\0\n\r\t \"\\();$@.*#=,-0919azAZ\x7F\x80\xC3\xD0\xE2\xF0\xFF";

    for (size_t n = 1 + random_below(6); n > 0; n--) {
        size_t at = random_below(len), run = 1 + random_below(12), from = random_below(len);

        run = at + run > len ? len - at : run;
        run = from + run > len ? len - from : run;
        switch (random_below(4)) {
        case 0:
            text[at] = odd[random_below(sizeof odd)];
            break;
        case 1:
            text[at] = (char)random_below(256);
            break;
        case 2:
            memmove(text + at, text + from, run);
            break;
        default:
            if (len + run <= cap) {
                memmove(text + at + run, text + at, len - at);
                len += run;
            }
        }
    }
    return len;
}

/* Every text is read or refused, and every record is well-formed. */
TEST(test_mutations, "20,000 mutated zones")
{
    enum { MUTANTS = 20000 };
    struct dump *dump = calloc(1, sizeof *dump);
    size_t good = 0, records = 0;

    assert_true(read_zone(dump, mutant, sizeof mutant - 1, NULL));
    assert_int_equal(dump->count, 21);
    for (size_t i = 0; i < MUTANTS; i++) {
        char text[sizeof mutant + 128];
        memcpy(text, mutant, sizeof mutant);
        size_t len = mutate(text, sizeof mutant - 1, sizeof text);
        bool read = read_zone(dump, text, random_below(8) ? len : random_below(len), NULL);
        assert_int_equal(read, dump->reports_len == 0);
        good += read;
        records += dump->count;
    }
    assert_in_range(good, MUTANTS / 100, MUTANTS - MUTANTS / 100);
    assert_true(records > MUTANTS);
    free(dump);
}

TEST_MAIN_WITH_UNICODE(unicode)
