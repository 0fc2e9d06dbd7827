/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/vectors.h"

#include "tools/filter/labelscan.h"

#include "tests/unit/exact.h"

#define B "xn--bcher-kva" /* bücher */
#define U                                                                                          \
    "b\xC3\xBC"                                                                                    \
    "cher"

#define B11 "bbbbbbbbbbb"
#define B55 B11 B11 B11 B11 B11

static struct xn_unicode *unicode;
static struct labelscan_seen seen[LABELSCAN_SEEN];

/* A text, and what is written for it; NULL: the same. */
static struct row {
    const char *name, *text, *shown;
} rows[] = {
    {"nothing", "", NULL},
    {"a label alone", B, U},
    {"in capitals", "XN--BCHER-KVA", U},
    {"in mixed case", "xN--BcHeR-kVa", U},
    {"a name", "www." B ".example.", "www." U ".example."},
    {"two labels", B "." B, U "." U},
    {"astral characters", "xn--j50ic", "\xF0\xA0\x80\x80\xF0\xA0\x80\x81"},
    {"63 octets", "xn--" B55 "-8yf", B55 "\xC3\xBC"},
    {"64 octets", "xn--" B55 "b-t2f", NULL},

    {"no A-label: too short", "xn--", NULL},
    {"no A-label: ASCII alone", "xn--go-", NULL},
    {"no A-label: a control character", "xn--31m-dda", NULL},
    {"no A-label: 64 octets", "xn--" B B B B "aaaaaaaa", NULL},
    {"restricted", "xn--pypal-4ve.com", NULL},
    {"emoji", "xn--e28h", NULL},
    {"a joiner", "xn--mgba3gch31f060k", NULL},
    {"beside a good one", "xn--pypal-4ve." B ".xn--31m-dda", "xn--pypal-4ve." U ".xn--31m-dda"},
    {"beginnings of it", "x xn xn- xn-x--x-n--", NULL},
    {"inside of it", "xn--xn--bcher-kva-x", NULL},

    /* text before it */
    {"behind a letter", "a" B, NULL},
    {"behind a digit", "0" B, NULL},
    {"behind a hyphen", "-" B, NULL},
    {"behind an underscore", "_" B, NULL},
    {"behind U+00FC", "\xC3\xBC" B, NULL},
    {"behind U+0301, a mark", "\xCC\x81" B, NULL},
    {"behind U+0664, a digit", "\xD9\xA4" B, NULL},
    {"behind U+200D, a joiner", "\xE2\x80\x8D" B, NULL},
    {"behind U+00AD, which UTS 46 drops", "\xC2\xAD" B, NULL},
    {"behind U+FEFF, a byte-order mark", "\xEF\xBB\xBF" B, "\xEF\xBB\xBF" U},
    {"behind U+FFFD, an octet in tshark's text", "\xEF\xBF\xBD" B, NULL},
    {"before U+FFFD", B "\xEF\xBF\xBD", NULL},
    {"behind U+201C, a quote", "\xE2\x80\x9C" B, "\xE2\x80\x9C" U},
    {"behind U+00A0, a space", "\xC2\xA0" B, "\xC2\xA0" U},
    {"behind U+3002, a dot", "\xE3\x80\x82" B, "\xE3\x80\x82" U},
    {"behind U+FF0E, a dot", "\xEF\xBC\x8E" B, "\xEF\xBC\x8E" U},
    {"behind U+2502, a line", "\xE2\x94\x82" B, "\xE2\x94\x82" U},
    {"behind U+1F512, a symbol", "\xF0\x9F\x94\x92" B, "\xF0\x9F\x94\x92" U},
    {"behind an octet of Latin-1", "\xFC" B, NULL},
    {"behind half a character", "\xE2\x80" B, NULL},
    {"behind a NUL's neighbour", "\x01" B "\x01", "\x01" U "\x01"},
    {"behind \\., a dot in the label", "a\\." B, NULL},
    {"behind \\032", "a\\032" B, NULL},
    {"behind a backslash", "a\\" B, NULL},
    {"behind two", "a\\\\" B, NULL},
    {"behind \\\\., a dot in the label, or not", "a\\\\." B, NULL},
    {"behind \\\\n", "a\\\\n" B, NULL},
    {"behind a line that ends in a backslash", "a\\\n" B, "a\\\n" U},
    {"behind \\n of JSON", "\"\\n" B "\"", "\"\\n" U "\""},
    {"behind \\t, \\r, \\b and \\f", "\\t" B "\\r" B "\\b" B "\\f" B,
     "\\t" U "\\r" U "\\b" U "\\f" U},
    {"behind \\a, which JSON has not", "\\a" B, NULL},
    {"behind \\u000a", "\\u000a" B, "\\u000a" U},
    {"behind \\u002E", "\\u002E" B, "\\u002E" U},
    {"behind \\u00fc", "\\u00fc" B, NULL},
    {"behind \\u0061", "\\u0061" B, NULL},
    {"behind \\u005c, a backslash", "\\u005c" B, NULL},
    {"behind \\u005c and a dot", "\\u005c." B, NULL},
    {"behind \\\\u002e", "\\\\u002e" B, NULL},
    {"behind \\ud83d\\udd12", "\\ud83d\\udd12" B, "\\ud83d\\udd12" U},
    {"behind \\ud835\\udc9c, a letter", "\\ud835\\udc9c" B, NULL},
    {"behind half of that", "\\udd12" B, NULL},
    {"behind \\u12", "\\u12" B, NULL},
    {"behind a quote", "\"" B "\"", "\"" U "\""},
    {"in JSON in JSON", "{\\\"a\\\":\\\"" B "\\\"}", "{\\\"a\\\":\\\"" U "\\\"}"},
    {"in JSON in JSON in JSON", "\\\\\\\"" B "\\\\\\\"", "\\\\\\\"" U "\\\\\\\""},
    {"in a URL in JSON", "https:\\/\\/" B "\\/", "https:\\/\\/" U "\\/"},
    {"in a URL in a URL", "?u=http%3A%2F%2F" B "%2F", "?u=http%3A%2F%2F" U "%2F"},
    {"behind %41", "%41" B, NULL},
    {"behind %2d", "%2d" B, NULL},
    {"behind %C3%BC", "%C3%BC" B, NULL},
    {"behind %5C%2E", "%5C%2E" B, NULL},
    {"behind %", "%" B, "%" U},
    {"behind a colour", "\x1B[31m" B "\x1B[0m", "\x1B[31m" U "\x1B[0m"},
    {"behind two colours", "\x1B[01;31m\x1B[K" B "\x1B[m", "\x1B[01;31m\x1B[K" U "\x1B[m"},
    {"behind no colour", "[31m" B, NULL},
    {"behind a colour in JSON", "\\u001b[36m" B "\\u001B[39m", "\\u001b[36m" U "\\u001B[39m"},
    {"behind a colour in rsyslog's file", "#033[36m" B "#033[0m", "#033[36m" U "#033[0m"},
    {"behind a tab in rsyslog's file", "1#011" B "#012" B "#015", "1#011" U "#012" U "#015"},
    {"behind another number", "#013" B " 011" B " \\#011" B, NULL},
    {"behind \\\\u001b[36m", "\\\\u001b[36m" B, NULL},
    {"behind ESC, which would take its first letter", "\x1Bxn--caf-dma \x1B xn--caf-dma", NULL},
    {"behind ESC, as JSON has it", "\\u001bxn--caf-dma", NULL},
    {"in an escape sequence", "\x1B[xn--caf-dma \x1B[1;xn--caf-dma \xC2\x9B?xn--caf-dma", NULL},
    {"behind what begins one in UTF-8", "\xC2\x9Bxn--caf-dma", NULL},
    {"behind one", "\x1B(B " B " \x1B[1;1H" B, "\x1B(B " U " \x1B[1;1H" U},
    {"behind ? of Unbound's log", "a?" B, NULL},
    {"behind ^A of tcpdump", "a^A" B, NULL},
    {"behind ^[ of tcpdump", "a^[" B, NULL},
    {"behind M-, of tcpdump", "aM-," B, NULL},
    {"behind ^", "^" B, "^" U},

    /* text behind it */
    {"before an umlaut", B "\xC3\xBC", NULL},
    {"before a mark", B "\xCC\x81", NULL},
    {"before a typographic quote", B "\xE2\x80\x9D.", U "\xE2\x80\x9D."},
    {"before an octet of Latin-1", B "\xFC.", NULL},
    {"before half a character", B "\xE2\x80\n", NULL},
    {"before half a character, at the end", B "\xE2\x80", NULL},
    {"before a surrogate in UTF-8", B "\xED\xA0\x80.", NULL},
    {"before \\032", B "\\032", NULL},
    {"before \\.", B "\\.", NULL},
    {"before \\x", B "\\x2e", NULL},
    {"before a backslash, at the end", B "\\", NULL},
    {"before a backslash and a line feed", B "\\\n", NULL},
    {"before \\n, \\t, \\r, \\b, \\f", B "\\n" B "\\t" B "\\r" B "\\b" B "\\f",
     U "\\n" U "\\t" U "\\r" U "\\b" U "\\f"},
    {"before \\u002e", B "\\u002eexample", U "\\u002eexample"},
    {"before \\u00FC", B "\\u00FC", NULL},
    {"before \\u201d", B "\\u201d", U "\\u201d"},
    {"before \\ud83d\\udd12", B "\\ud83d\\udd12", U "\\ud83d\\udd12"},
    {"before \\ud83d", B "\\ud83d ", NULL},
    {"before \\u00", B "\\u00", NULL},
    {"before two backslashes", B "\\\\", NULL},
    {"before two backslashes and a quote", B "\\\\\"", NULL},
    {"before five backslashes and a quote", B "\\\\\\\\\\\"", NULL},
    {"before seven backslashes and a quote", B "\\\\\\\\\\\\\\\"", U "\\\\\\\\\\\\\\\""},
    {"before eight backslashes and a quote", B "\\\\\\\\\\\\\\\\\"", NULL},
    {"before %2E", B "%2Eexample", U "%2Eexample"},
    {"before %41", B "%41", NULL},
    {"before %2541", B "%2541", NULL},
    {"behind %252F", "%252F" B, NULL},
    {"before %5c", B "%5c", NULL},
    {"before %C3", B "%C3%BC", NULL},
    {"before %", B "%", U "%"},
    {"before %2", B "%2", U "%2"},
    {"before ?", B "?", NULL},
    {"before U+2026, which may stand for the rest of it", B "\xE2\x80\xA6", NULL},
    {"before \\u2026", B "\\u2026", NULL},
    {"before three dots", B "... " B "...", NULL},
    {"before two dots", B ".. " B "..", U ".. " U ".."},
    {"behind dots", "\xE2\x80\xA6" B " ..." B, "\xE2\x80\xA6" U " ..." U},
    {"before ^A of tcpdump", B "^A", NULL},
    {"before ^ of an ad blocker", "||" B "^$important", "||" U "^$important"},
    {"between others", "(" B ")[" B "]{" B "}<" B ">|" B "|=" B ";" B ":" B "@" B "/" B "#" B "&" B,
     "(" U ")[" U "]{" U "}<" U ">|" U "|=" U ";" U ":" U "@" U "/" U "#" U "&" U},
};

/* --- a stream, as filter reads one --- */

struct written {
    uint8_t *octets;
    size_t len;
};

static void add(void *to, const uint8_t *octets, size_t len)
{
    struct written *written = to;

    assert_true(len > 0);
    written->octets = realloc(written->octets, written->len + len);
    assert_non_null(written->octets);
    memcpy(written->octets + written->len, octets, len);
    written->len += len;
}

/* Gives the text in pieces of so many octets, the first of first_len, and no octet more before each
 * than the header asks for. */
static struct written run(const struct labelscan *options, const char *text, size_t len,
                          size_t first_len, size_t piece_len)
{
    struct written written = {0};
    struct labelscan scan = *options;
    size_t from = 0;

    scan.unicode = unicode;
    scan.seen = seen;
    scan.write = add;
    scan.to = &written;
    for (size_t end = first_len;; end += piece_len) {
        size_t start = from > LABELSCAN_BEFORE ? from - LABELSCAN_BEFORE : 0;
        bool last = end >= len;
        end = last ? len : end;
        uint8_t *window = exact_copy(text + start, end - start);
        size_t next = start + labelscan_read(&scan, window, from - start, end - start, last);

        free(window);
        assert_true(next >= from && next <= end && end - next < LABELSCAN_AFTER);
        assert_null(end > next ? memchr(text + next, '\n', end - next) : NULL);
        from = next;
        if (last)
            break;
    }
    assert_int_equal(from, len);
    return written;
}

static void expect(const struct labelscan *options, const char *text, size_t len, size_t first_len,
                   size_t piece_len, const char *want, size_t want_len)
{
    struct written written = run(options, text, len, first_len, piece_len);

    if (written.len != want_len || (want_len > 0 && memcmp(written.octets, want, want_len) != 0))
        fail_msg("'%s', cut at %zu and each %zu: '%.*s', not '%s'", text, first_len, piece_len,
                 (int)written.len, written.octets ? (char *)written.octets : "", want);
    free(written.octets);
}

/* Whole, cut in two at each place, octet by octet, and with more before it than is kept and a few
 * blocks behind it. */
static void check(const struct labelscan *options, const struct row *row)
{
    const char *shown = row->shown ? row->shown : row->text;
    size_t len = strlen(row->text);

    for (size_t first = 0; first <= len; first++)
        expect(options, row->text, len, first, len + 1, shown, strlen(shown));
    for (size_t piece = 1; piece <= 5; piece++)
        expect(options, row->text, len, piece, piece, shown, strlen(shown));

    char long_text[2048], long_shown[2048];
    int long_len =
        snprintf(long_text, sizeof long_text, "%*s%s\n%*s", 700, " ", row->text, 200, "");
    int shown_len = snprintf(long_shown, sizeof long_shown, "%*s%s\n%*s", 700, " ", shown, 200, "");
    for (size_t piece = 1; piece <= 400; piece += 57)
        expect(options, long_text, (size_t)long_len, piece, piece, long_shown, (size_t)shown_len);
}

TEST_ROWS(filters_rows, rows, name)
{
    check(&(struct labelscan){0}, *state);
}

/* Names that tests/vectors/labels.tsv shows with an escape, or not at all, stay as they are. */
static void filters_vectors(void **state)
{
    const struct vector *vector = *state;
    const char *label = vector->fields[0], *shown = vector->fields[2];
    struct row row = {.text = label};

    if (strcmp(vector->fields[1], "-") == 0 && !strchr(shown, '\\'))
        row.shown = shown;
    check(&(struct labelscan){0}, &row);
}

/* An octet behind a label is the same to both that look for its end: octet by octet, where the text
 * is short, and block by block. */
TEST(finds_ends, "each octet behind a label")
{
    for (int octet = 0; octet < 256; octet++) {
        char text[100];
        int len = snprintf(text, sizeof text, B "%c.\n", octet);
        memset(text + len, ' ', sizeof text - (size_t)len);
        struct written alone = run(&(struct labelscan){0}, text, (size_t)len, (size_t)len, 1);
        struct written whole = run(&(struct labelscan){0}, text, sizeof text, sizeof text, 1);

        assert_int_equal(whole.len - alone.len, sizeof text - (size_t)len);
        assert_memory_equal(whole.octets, alone.octets, alone.len);
        free(alone.octets);
        free(whole.octets);
    }
}

/* More labels than are remembered, in two rounds: none is taken for another. */
TEST(remembers_labels, "labels that were seen")
{
    const int all = 36 * 36 * 36;
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";

    assert_true(all > LABELSCAN_SEEN);
    for (int i = 0; i < 2 * all; i++) {
        char text[16], shown[16];
        int one = letters[i / 36 / 36 % 36], two = letters[i / 36 % 36], three = letters[i % 36];

        snprintf(text, sizeof text, i % 5 == 0 ? "XN--%c%c%c-GOA" : "xn--%c%c%c-goa", one, two,
                 three);
        snprintf(shown, sizeof shown, "\xC3\xBC%c%c%c", one, two, three);
        expect(&(struct labelscan){0}, text, strlen(text), strlen(text), 1, shown, strlen(shown));
    }
}

/* 44 times U+00FC: what has no room among those that were seen is written all the same. */
TEST(filters_long_labels, "a label that is not remembered")
{
#define A11 "aaaaaaaaaaa"
#define U11 UE UE UE UE UE UE UE UE UE UE UE
#define UE "\xC3\xBC"
    static const char text[] = "xn--tda" A11 A11 A11 "aaaaaaaaaa", shown[] = U11 U11 U11 U11;

    assert_true(sizeof text + sizeof shown > sizeof seen[0].octets);
    for (int round = 0; round < 2; round++)
        expect(&(struct labelscan){0}, text, sizeof text - 1, sizeof text - 1, 1, shown,
               sizeof shown - 1);
}

BEFORE_MAIN(rows)
{
    add_vectors("tests/vectors/labels.tsv", "label", filters_vectors);
}

TEST_MAIN_WITH_UNICODE(unicode)
