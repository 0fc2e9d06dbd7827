/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/base/diagnostics.h"
#include "tests/unit/vectors.h"

#include "module/zone/token.h"
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
    xnm_diagnostics_text(place, message, at, 1100);
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
    {"the longest TTLs",
     OCTETS("$TTL 1w2d3h4M5S\na 0 A 1.2.3.4\na 3550w A 1.2.3.4\na 2147483647 A 1.2.3.4"), "r",
     "2 a.r. 0 TYPE1 01020304\n3 a.r. 2147040000 TYPE1 01020304\n4 a.r. 2147483647 TYPE1 "
     "01020304\n",
     ""},
    {"longer TTLs",
     OCTETS("a 3551w A 1.2.3.4\na 2147483647s1s A 1.2.3.4\na 1hh A 1.2.3.4\na 1h-1 A 1.2.3.4"), "r",
     "", "1:3 2:3 3:3 4:3"},
    {"numbers of a SOA record",
     OCTETS("r. SOA a. b. 4294967295 3550w 3 4 5\nr. SOA a. b. 4294967296 2 3 4 5\nr. SOA a. b. -1 "
            "2 3 4 5\n"
            "r. SOA a. b. 1 3551w 3 4 5\nr. SOA a. b. 1 2x 3 4 5"),
     "r", "1 r. 5 TYPE6 016100016200ffffffff7ff93b00000000030000000400000005\n",
     "2:14 3:14 4:16 5:16"},
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
    {"NUL in comments", OCTETS("a CNAME . ; \0\n;\0\xFF\nb CNAME ."), "r",
     "1 a.r. 3600 TYPE5 00\n3 b.r. 3600 TYPE5 00\n", ""},
};

TEST_ROWS(reads_zone, zones, name)
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

TEST_ROWS(survives_long_text, hostiles, name)
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

/* --- long entries --- */

/* An entry that is longer than any record: a stop could not be noticed before its end. The text is
 * `before`, so many times `filling`, and `after`; with one filling less than makes it too long it
 * is good. */
static struct long_entry {
    const char *name, *before, *filling, *after;
    size_t spared; /* octets of `before` and `after` that do not count */
    unsigned records, line;
} long_entries[] = {
    {"blanks", "a A 192.0.2.1", " ", "\nb A 192.0.2.2\n", 15, 2, 1},
    {"blanks before a record", "a A 192.0.2.1\n", " ", "A 192.0.2.2", 14, 2, 2},
    {"one word", "a TXT ", "x", "\n", 1, 0, 1},
    {"a quote that is not closed", "a TXT \"", "x", "\n", 1, 0, 1},
    {"a comment", ";", ";", "\na A 192.0.2.1\n", 15, 1, 1},
    {"lines", "a A 192.0.2.1\n\nb A ( 192.0.2.2", ";\n", ")\nc A 192.0.2.3", 30, 3, 3},
    {"a last line without an end", "a A 192.0.2.1 ", ";", "", 0, 1, 1},
};

static bool read_long(struct dump *dump, const struct long_entry *row, size_t fillings)
{
    const size_t filling = strlen(row->filling);
    char *text = malloc(strlen(row->before) + fillings * filling + strlen(row->after) + 1);
    char *end = stpcpy(text, row->before);

    for (size_t i = 0; i < fillings; i++)
        end = stpcpy(end, row->filling);
    end = stpcpy(end, row->after);
    bool good = read_zone(dump, text, (size_t)(end - text), ".");
    free(text);
    return good;
}

TEST_ROWS(refuses_long_entry, long_entries, name)
{
    const struct long_entry *row = *state;
    size_t counted = strlen(row->before) + strlen(row->after) - row->spared;
    size_t fit = (XNM_ZONE_ENTRY_MAX - counted) / strlen(row->filling);
    struct dump *dump = calloc(1, sizeof *dump);
    char expected[256];

    assert_int_equal(read_long(dump, row, fit), row->records > 0);
    assert_int_equal(dump->count, row->records);
    assert_null(strstr(dump->reports, "this entry has more than"));
    assert_false(read_long(dump, row, fit + 1));
    snprintf(expected, sizeof expected,
             "z:%u:1: this entry has more than 1048576 octets, comments included: expected one "
             "record, which has at most 65535 octets of data\n",
             row->line);
    assert_string_equal(dump->reports, expected);
    free(dump);
}

TEST(stops_at_entry, "no more records are taken")
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

TEST_ROWS(finds_origin, origins, name)
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

TEST_MAIN_WITH_UNICODE(unicode)
