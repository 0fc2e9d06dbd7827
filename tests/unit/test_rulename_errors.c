/* SPDX-License-Identifier: BSD-3-Clause */
/* Written names that are none: what is said of them, and where. */
#include "tests/unit/nameread.h"

#define JAMO3 "\u1112\u1161\u11AB"
#define JAMO15 JAMO3 JAMO3 JAMO3 JAMO3 JAMO3
#define JAMO60 JAMO15 JAMO15 JAMO15 JAMO15
#define U16 "üüüüüüüüüüüüüüüü"
#define U80 U16 U16 U16 U16 U16

#define REFUSED(at, character) ERROR(at, character " is not allowed in a domain name: remove it")
#define INVISIBLE(at, character) ERROR(at, "invisible character " character ": remove it")
#define INSIDE(at, character)                                                                      \
    ERROR(at, "'" character                                                                        \
              "' cannot be used inside an internationalized label: expected letters, digits and "  \
              "hyphens")
#define ODD(at, character, number)                                                                 \
    ERROR(at, "'" character "' is not allowed in a domain name: remove it, or write '\\" number    \
              "' if that octet is meant")
#define BIDI(at, character)                                                                        \
    ERROR(at, "label mixes left-to-right and right-to-left text in a way that IDNA forbids, "      \
              "at " character ": write its A-label if there is such a name")
#define NO_ACE(at)                                                                                 \
    ERROR(at, "label begins with 'xn--' but is not an A-label: expected only ASCII after it, or "  \
              "the label in Unicode without it")
#define EMPTY(at) ERROR(at, "empty label: expected text on both sides of a dot")
#define STAR(at) ERROR(at, "'*' must be the whole first label: expected '*.' before the name")
#define NO_UTF8(at, octet)                                                                         \
    ERROR(at, "octet " octet " is not UTF-8: expected UTF-8 (is the file in Latin-1?)")

static struct written_row names[] = {
    {"a character that is not allowed",
     OCTETS("a\uFFFC"
            "b.com"),
     NONE, REFUSED(1, "U+FFFC OBJECT REPLACEMENT CHARACTER")},
    {"a character that is not allowed, in another label",
     OCTETS("www.a\uFFFC"
            "b.com"),
     NONE, REFUSED(5, "U+FFFC OBJECT REPLACEMENT CHARACTER")},
    {"a character that maps to a dot", OCTETS("a⒈b"), NONE,
     REFUSED(1, "U+2488 DIGIT ONE FULL STOP")},
    {"a private use character", OCTETS("a\uE000"), NONE,
     REFUSED(1, "U+E000 private use character")},
    {"an unassigned character", OCTETS("a\u0378"), NONE, REFUSED(1, "U+0378 unassigned character")},
    {"a replacement character", OCTETS("�.example"), NONE,
     REFUSED(0, "U+FFFD REPLACEMENT CHARACTER")},
    {"a right-to-left override", OCTETS("a\u202Eb.com"), NONE,
     INVISIBLE(1, "U+202E RIGHT-TO-LEFT OVERRIDE")},
    {"a line separator", OCTETS("a\u2028b"), NONE, REFUSED(1, "U+2028 LINE SEPARATOR")},
    {"soft hyphen", OCTETS("sof\u00ADt.com"), NONE, INVISIBLE(3, "U+00AD SOFT HYPHEN")},
    {"zero width space", OCTETS("a\u200Bb.com"), NONE, INVISIBLE(1, "U+200B ZERO WIDTH SPACE")},
    {"word joiner", OCTETS("\u2060ab.com"), NONE, INVISIBLE(0, "U+2060 WORD JOINER")},
    {"a presentation selector behind a letter", OCTETS("x\uFE0F.com"), NONE,
     INVISIBLE(1, "U+FE0F VARIATION SELECTOR-16")},
    {"a presentation selector behind a digit", OCTETS("1\uFE0F.com"), NONE,
     INVISIBLE(1, "U+FE0F VARIATION SELECTOR-16")},
    {"… behind a keycap", OCTETS("2\uFE0F\u20E31\uFE0Eü.com"), NONE,
     INVISIBLE(8, "U+FE0E VARIATION SELECTOR-15")},
    {"a byte-order mark", OCTETS("\uFEFFex.com"), NONE,
     INVISIBLE(0, "U+FEFF ZERO WIDTH NO-BREAK SPACE")},
    {"a name as the log shows it", OCTETS("www.p\\u{430}ypal.com"), NONE,
     ERROR(7, "not a domain name (contains '{'): expected the A-label, if it was copied from a log "
              "that shows a character as '\\u{430}'")},
    {"an underscore beside Unicode in a label", OCTETS("x_ü.com"), NONE, INSIDE(1, "_")},
    {"an exclamation mark in an internationalized label", OCTETS("ü!.com"), NONE, INSIDE(2, "!")},
    {"a fullwidth underscore", OCTETS("＿dmarc.com"), NONE,
     REFUSED(0, "U+FF3F FULLWIDTH LOW LINE")},
    {"an escape in an internationalized label", OCTETS("ü\\046.com"), NONE, INSIDE(2, "\\")},
    {"right-to-left behind left-to-right", OCTETS("aא.example"), NONE,
     BIDI(1, "U+05D0 HEBREW LETTER ALEF 'א'")},
    {"left-to-right behind right-to-left", OCTETS("אa.example"), NONE,
     BIDI(2, "U+0061 LATIN SMALL LETTER A 'a'")},
    {"a digit before right-to-left", OCTETS("1א.example"), NONE, BIDI(0, "U+0031 DIGIT ONE '1'")},
    {"European and Arabic digits", OCTETS("א1١.example"), NONE,
     BIDI(3, "U+0661 ARABIC-INDIC DIGIT ONE '١'")},
    {"a hyphen-like end", OCTETS("א٪.example"), NONE, BIDI(2, "U+066A ARABIC PERCENT SIGN")},
    {"ZWNJ between letters that do not join", OCTETS("a\u200Cü.com"), NONE,
     ERROR(1, "U+200C ZERO WIDTH NON-JOINER is only allowed after a virama or between joining "
              "letters: remove it")},
    {"ZWJ between letters that join", OCTETS("ب\u200Dب.com"), NONE,
     ERROR(2, "U+200D ZERO WIDTH JOINER is only allowed after a virama: remove it")},
    {"the second of two ZWNJ", OCTETS("بن\u200Cب-\u200Cب"), NONE,
     ERROR(10, "U+200C ZERO WIDTH NON-JOINER is only allowed after a virama or between joining "
               "letters: remove it")},
    {"two ZWJ, of which each would be fine alone", OCTETS("\u0915\u094D\u200D\u200D.com"), NONE,
     ERROR(0, "label has a joiner outside the contexts of RFC 5892")},
    {"ZWJ in a label with more characters written than read", OCTETS(JAMO60 "\u200D.com"), NONE,
     ERROR(180, "U+200D ZERO WIDTH JOINER is only allowed after a virama: remove it")},
    {"a mark at the start", OCTETS("\u0301a.com"), NONE,
     ERROR(0, "label begins with combining mark U+0301 COMBINING ACUTE ACCENT: expected a letter "
              "or a digit before it")},
    {"a mark at the start that is not shown", OCTETS("\u20D0a.com"), NONE,
     ERROR(0, "label begins with combining mark U+20D0 COMBINING LEFT HARPOON ABOVE: expected a "
              "letter or a digit before it")},
    {"a hyphen at the start", OCTETS("-ü.com"), NONE,
     ERROR(0, "hyphen at the start of an internationalized label: expected none there")},
    {"a hyphen at the end", OCTETS("ü-.com"), NONE,
     ERROR(2, "hyphen at the end of an internationalized label: expected none there")},
    {"hyphens in places 3 and 4", OCTETS("www.aü--b.com"), NONE,
     ERROR(7, "hyphen in the third and fourth place of an internationalized label: expected none "
              "there")},
    {"hyphens that come to places 3 and 4 when a mark joins its letter", OCTETS("a\u0301b--c.com"),
     NONE, ERROR(0, "label begins or ends with a hyphen, or has two in places 3 and 4")},
    {"a fullwidth hyphen at the end", OCTETS("ü－.com"), NONE,
     ERROR(2, "hyphen at the end of an internationalized label: expected none there")},
    {"a small hyphen at the end", OCTETS("ü﹣.com"), NONE,
     ERROR(2, "hyphen at the end of an internationalized label: expected none there")},
    {"'xn--' before Unicode", OCTETS("xn--ü.com"), NONE, NO_ACE(0)},
    {"fullwidth 'xn--' before nothing", OCTETS("ｘｎ－－abc-.com"), NONE, NO_ACE(0)},
    {"fullwidth 'xn--' before what is not allowed", OCTETS("ｘｎ－－31m-dda"), NONE, NO_ACE(0)},
    {"fullwidth 'xn--' before a mark", OCTETS("ｘｎ－－a-wbb"), NONE, NO_ACE(0)},
    {"fullwidth 'xn--' before a hyphen", OCTETS("ｘｎ－－--eha"), NONE, NO_ACE(0)},
    {"fullwidth 'xn--' before mixed directions", OCTETS("ｘｎ－－a-2hc"), NONE, NO_ACE(0)},
    {"fullwidth 'xn--' before a loose joiner", OCTETS("ｘｎ－－ab-j1t"), NONE, NO_ACE(0)},
    {"no more than 1024 octets are looked at",
     OCTETS(U80 U80 U80 U80 U80 U80 "üüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüü"), NONE,
     ERROR(0, "label is 1026 octets of UTF-8: expected at most 63 octets as an A-label")},
    {"as many of ASCII",
     OCTETS(L63 L63 L63 L63 L63 L63 L63 L63 L63 L63 L63 L63 L63 L63 L63 L63 "aaaaaaaaaaaaaaaaa"),
     NONE, ERROR(0, "label is 1025 octets: expected at most 63")},
    {"too long in ACE form", OCTETS(U80 ".com"), NONE,
     ERROR(0, "label is 86 octets as an A-label: expected at most 63")},
    {"64 octets that begin as an A-label does", OCTETS("xn--" A16 A16 A16 A4 A4 A4 ".com"), NONE,
     ERROR(0, "label is 64 octets: expected at most 63")},
    {"64 octets", OCTETS(L63 "a.com"), NONE, ERROR(0, "label is 64 octets: expected at most 63")},
    {"64 octets, one of them an escape", OCTETS(L63 "\\000.com"), NONE,
     ERROR(0, "label is 64 octets: expected at most 63")},
    {"256 octets",
     OCTETS(L63 "." L63 "." L63 ".bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"),
     NONE,
     ERROR(192,
           "name is longer than 255 octets in wire format: expected it to end before this label")},
    {"a wildcard of 257 octets",
     OCTETS("*." L63 "." L63 "." L63
            ".bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"),
     NONE,
     ERROR(194,
           "name is longer than 255 octets in wire format: expected it to end before this label")},
    {"128 labels", OCTETS(DOTTED_127 "a"), NONE,
     ERROR(254,
           "name is longer than 255 octets in wire format: expected it to end before this label")},
    {"nothing", OCTETS(""), NONE,
     ERROR(0, "empty name: expected a domain name, or '.' for the root")},
    {"an empty label", OCTETS("a..b"), NONE, EMPTY(2)},
    {"an empty label, ideographic", OCTETS("a。．b"), NONE, EMPTY(4)},
    {"an empty first label", OCTETS(".a"), NONE, EMPTY(0)},
    {"an empty last label", OCTETS("a.."), NONE, EMPTY(2)},
    {"empty labels alone", OCTETS(".."), NONE, EMPTY(0) EMPTY(1)},
    {"an empty label behind a wildcard", OCTETS("*..a"), NONE, EMPTY(2)},
    {"a URL", OCTETS("http://ü.com/"), NONE,
     ERROR(4,
           "not a domain name (contains ':'): expected the host name alone, without scheme or port")
         ERROR(13, "not a domain name (contains '/'): expected the host name alone, without scheme "
                   "or path")},
    {"a path behind ASCII", OCTETS("a.com/b"), NONE,
     ERROR(
         5,
         "not a domain name (contains '/'): expected the host name alone, without scheme or path")},
    {"a path behind Unicode", OCTETS("ü.com/b"), NONE,
     ERROR(
         6,
         "not a domain name (contains '/'): expected the host name alone, without scheme or path")},
    {"a space", OCTETS("a b.com"), NONE,
     ERROR(1, "not a domain name (contains ' '): expected the name alone, without spaces")},
    {"an ideographic space", OCTETS("a\u3000b.com"), NONE,
     ERROR(1, "not a domain name (contains U+3000 IDEOGRAPHIC SPACE): remove it")},
    {"a no-break space", OCTETS("a\u00A0b"), NONE, REFUSED(1, "U+00A0 NO-BREAK SPACE")},
    {"a mail address", OCTETS("user@ü.com"), NONE,
     ERROR(4, "not a domain name (contains '@'): expected the part after the '@'")},
    {"a port", OCTETS("a:53"), NONE,
     ERROR(
         1,
         "not a domain name (contains ':'): expected the host name alone, without scheme or port")},
    {"an IPv6 address", OCTETS("2001:db8::1"), NONE,
     ERROR(
         4,
         "not a domain name (contains ':'): expected the host name alone, without scheme or port")},
    {"a star in the middle", OCTETS("x.*.y"), NONE, STAR(2)},
    {"a star and more", OCTETS("*a.com"), NONE, STAR(0)},
    {"a star and Unicode", OCTETS("*ü.com"), NONE, STAR(0)},
    {"a second star", OCTETS("*.*.com"), NONE, STAR(2)},
    {"a star last", OCTETS("a.*"), NONE, STAR(2)},
    {"a backslash at the end", OCTETS("a.b\\"), NONE,
     ERROR(
         3,
         "'\\' begins no escape: expected three digits up to 255 after it, or an ASCII character")},
    {"an escape over 255", OCTETS("a\\256"), NONE,
     ERROR(
         1,
         "'\\' begins no escape: expected three digits up to 255 after it, or an ASCII character")},
    {"an escape of two digits", OCTETS("a\\12"), NONE,
     ERROR(
         1,
         "'\\' begins no escape: expected three digits up to 255 after it, or an ASCII character")},
    {"a backslash before Unicode", OCTETS("a.b\\ü"), NONE, INSIDE(3, "\\")},
    {"a quotation mark", OCTETS("a\"b"), NONE, ODD(1, "\"", "034")},
    {"a tab",
     OCTETS("a\x09"
            "b"),
     NONE, REFUSED(1, "U+0009 control character")},
    {"an escape character", OCTETS("a\x1B[2J"), NONE, REFUSED(1, "U+001B control character")},
    {"DEL", OCTETS("a\x7F"), NONE, REFUSED(1, "U+007F control character")},
    {"a comma", OCTETS("a,b"), NONE, ODD(1, ",", "044")},
    {"each bad label", OCTETS("a!.b\uFFFC.c_ü.d"), NONE,
     ODD(1, "!", "033") REFUSED(4, "U+FFFC OBJECT REPLACEMENT CHARACTER") INSIDE(9, "_")},
    {"8 bad labels are enough", OCTETS("!.!.!.!.!.!.!.!.!.!.!.!.!.!.!.!.!.!.!.!"), NONE,
     ODD(0, "!", "033") ODD(2, "!", "033") ODD(4, "!", "033") ODD(6, "!", "033") ODD(8, "!", "033")
         ODD(10, "!", "033") ODD(12, "!", "033") ODD(14, "!", "033")},
    {"Latin-1", OCTETS("caf\xE9.com"), NONE, NO_UTF8(3, "0xE9")},
    {"Latin-1 behind an underscore", OCTETS("_caf\xE9.com"), NONE, NO_UTF8(4, "0xE9")},
    {"cut UTF-8", OCTETS("a.\xE6\x97"), NONE, NO_UTF8(2, "0xE6")},
    {"a lone surrogate",
     OCTETS("a\xED\xA0\x80"
            "b"),
     NONE, NO_UTF8(1, "0xED")},
    {"an overlong dot",
     OCTETS("a\xC0\xAE"
            "b"),
     NONE, NO_UTF8(1, "0xC0")},
    {"above U+10FFFF", OCTETS("\xF4\x90\x80\x80"), NONE, NO_UTF8(0, "0xF4")},
    {"NUL",
     OCTETS("a\x00"
            "b"),
     NONE, REFUSED(1, "U+0000 control character")},
    {"NUL alone", OCTETS("\x00"), NONE, REFUSED(0, "U+0000 control character")},
};

static void expect_reports(const char *text, size_t len, const char *reports)
{
    char said[REPORTS_MAX] = "";
    struct xnm_wirename name;

    assert_false(xnm_rulename_read(unicode, text, len, &name, NULL, collect, said));
    assert_string_equal(said, reports);
}

static void test_no_wildcard(void **state)
{
    (void)state;
    expect_reports(OCTETS("*.a.example"),
                   ERROR(0, "'*' is not allowed here: expected a name without it"));
    expect_reports(OCTETS("*"), ERROR(0, "'*' is not allowed here: expected a name without it"));
    expect_reports(OCTETS("ü.a*"), ERROR(4, "'*' is not allowed here: expected a name without it"));
}

/* --- long ones --- */

/* `count` times the same. The caller frees it. */
static char *repeat(const char *unit, size_t unit_len, size_t count)
{
    char *text = malloc(unit_len * count);

    assert_non_null(text);
    for (size_t i = 0; i < count; i++)
        memcpy(text + i * unit_len, unit, unit_len);
    return text;
}

static void expect_of_many(const char *unit, size_t unit_len, size_t count, const char *reports)
{
    char *text = repeat(unit, unit_len, count);

    expect_reports(text, unit_len * count, reports);
    free(text);
}

static void test_one_label_of_64_kib(void **state)
{
    (void)state;
    expect_of_many(OCTETS("a"), 65536, ERROR(0, "label is 65536 octets: expected at most 63"));
    expect_of_many(OCTETS("/"), 65536, ERROR(0, "label is 65536 octets: expected at most 63"));
    expect_of_many(OCTETS("\\000"), 16384, ERROR(0, "label is 16384 octets: expected at most 63"));
    expect_of_many(OCTETS("\\"), 65537, ERROR(0, "label is 32769 octets: expected at most 63"));
    expect_of_many(OCTETS("\0"), 65536, ERROR(0, "label is 65536 octets: expected at most 63"));
    expect_of_many(
        OCTETS("ü"), 32768,
        ERROR(0, "label is 65536 octets of UTF-8: expected at most 63 octets as an A-label"));
    expect_of_many(
        OCTETS("\u200D"), 21845,
        ERROR(0, "label is 65535 octets of UTF-8: expected at most 63 octets as an A-label"));
    expect_of_many(
        OCTETS("\xFF"), 65536,
        ERROR(0, "label is 65536 octets of UTF-8: expected at most 63 octets as an A-label"));
}

#define TOO_LONG(at)                                                                               \
    ERROR(at, "name is longer than 255 octets in wire format: expected it to end before this "     \
              "label")

static void test_10000_labels(void **state)
{
    (void)state;
    expect_of_many(OCTETS("a."), 10000, TOO_LONG(254));
    expect_of_many(OCTETS("ü."), 10000, TOO_LONG(93));
    expect_of_many(OCTETS("."), 10000,
                   EMPTY(0) EMPTY(1) EMPTY(2) EMPTY(3) EMPTY(4) EMPTY(5) EMPTY(6) EMPTY(7));
    expect_of_many(OCTETS("。"), 10000,
                   EMPTY(0) EMPTY(3) EMPTY(6) EMPTY(9) EMPTY(12) EMPTY(15) EMPTY(18) EMPTY(21));
}

/* UTS 46 allows it from Unicode 15.1 on. */
static void test_not_equal_to(void **state)
{
    struct xnm_wirename name;

    (void)state;
    if (is_before_unicode(15.1))
        expect_reports(OCTETS("a≠b.com"), REFUSED(1, "U+2260 NOT EQUAL TO"));
    else
        assert_true(xnm_rulename_read(unicode, OCTETS("a≠b.com"), &name, NULL, NULL, NULL));
}

int main(void)
{
    static struct test_group group; /* static: no leak for a sanitizer to report */

    if (xn_unicode_open(&unicode) != XN_OK)
        return 1;
    ADD_TESTS(&group, names, name, test_written);
    add_test(&group, "a star where none may be", test_no_wildcard, NULL);
    add_test(&group, "a character of some versions of Unicode", test_not_equal_to, NULL);
    add_test(&group, "one label of 64 KiB", test_one_label_of_64_kib, NULL);
    add_test(&group, "10,000 labels", test_10000_labels, NULL);
    int failed = run_group("rulename_errors", &group);
    xn_unicode_close(unicode);
    return failed;
}
