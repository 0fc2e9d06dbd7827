/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/vectors.h"

#include "module/base/diagnostics.h"
#include "tests/unit/exact.h"

#define OCTETS(literal) literal, sizeof literal - 1
#define X10 "xxxxxxxxxx"

/* --- quoted text --- */

static struct quoted {
    const char *name;
    const char *text;
    size_t len;
    size_t dst_cap;
    const char *expected;
} quotes[] = {
    {"quote nothing", OCTETS(""), 80, ""},
    {"quote blanks and quotes", OCTETS("a b 'c' \"d\" \\e"), 80, "a b 'c' \"d\" \\e"},
    {"quote 1F, 20, 7E and 7F", OCTETS("\x1F\x20\x7E\x7F"), 80, "\\x1F ~\\x7F"},
    {"quote NUL", OCTETS("a\0b"), 80, "a\\x00b"},
    {"quote a tab and line ends", OCTETS("\t\r\n"), 80, "\\x09\\x0D\\x0A"},
    {"quote an escape sequence", OCTETS("\x1B]0;title\a"), 80, "\\x1B]0;title\\x07"},
    {"quote UTF-8",
     OCTETS("b\xC3\xBC"
            "cher"),
     80, "b\\xC3\\xBCcher"},
    {"quote a C1 control in UTF-8", OCTETS("\xC2\x9B"), 80, "\\xC2\\x9B"},

    {"quote into exact room", OCTETS("abcdefgh"), 9, "abcdefgh"},
    {"quote into exact room, an escape at the end", OCTETS("abcd\n"), 9, "abcd\\x0A"},
    {"quote into one octet too few", OCTETS("abcdefgh"), 8, "abcd..."},
    {"quote into one octet too few, an escape at the end", OCTETS("abcd\n"), 8, "abcd..."},
    {"quote into too little for one escape", OCTETS("\n\n"), 4, "..."},
    {"quote with whole escapes only", OCTETS("ab\n\n\n"), 10, "ab\\x0A..."},
    {"quote 100 octets into 80", OCTETS(X10 X10 X10 X10 X10 X10 X10 X10 X10 X10), 80,
     X10 X10 X10 X10 X10 X10 X10 "xxxxxx..."},
};

TEST_ROWS(quotes_text, quotes, name)
{
    const struct quoted *row = *state;
    char *text = exact_copy(row->text, row->len);
    char *dst = malloc(row->dst_cap);

    assert_ptr_equal(xnm_diagnostics_quote(text, row->len, dst, row->dst_cap), dst);
    assert_string_equal(dst, row->expected);
    free(text);
    free(dst);
}

/* For all octets and all sizes of the buffer, the text is printable, terminated and in bounds. */
TEST(quotes_into_each_room, "quote every octet into every room")
{
    char all[256];

    for (int octet = 0; octet < 256; octet++)
        all[octet] = (char)octet;
    for (size_t cap = 4; cap < 4 * sizeof all + 8; cap++) {
        char *text = exact_copy(all, sizeof all);
        char *dst = malloc(cap);
        xnm_diagnostics_quote(text, sizeof all, dst, cap);
        assert_true(strlen(dst) < cap);
        for (const char *c = dst; *c; c++)
            assert_true(*c >= ' ' && *c <= '~');
        free(text);
        free(dst);
    }
}

/* --- places --- */

static struct place {
    const char *name;
    struct xnm_place place;
    const char *message;
    size_t dst_cap;
    const char *expected;
} places[] = {
    {"place in a file", {"dir/idn.conf", 3, 7}, "no", 80, "dir/idn.conf:3:7: no"},
    {"place of a whole file", {"dir/idn.conf", 0, 0}, "no", 80, "dir/idn.conf: no"},
    {"place of a whole file, whatever the column", {"idn.conf", 0, 9}, "no", 80, "idn.conf: no"},
    {"the largest line and column",
     {"f", 4294967295u, 4294967295u},
     "no",
     80,
     "f:4294967295:4294967295: no"},
    {"place with percent signs", {"%s%n", 1, 1}, "%s%n", 80, "%s%n:1:1: %s%n"},
    {"place into exact room", {"f", 1, 1}, "no", 10, "f:1:1: no"},
    {"place into one octet too few", {"f", 1, 1}, "no", 9, "f:1:1: n"},
};

TEST_ROWS(writes_places, places, name)
{
    const struct place *row = *state;
    char *dst = malloc(row->dst_cap);

    assert_ptr_equal(xnm_diagnostics_text(&row->place, row->message, dst, row->dst_cap), dst);
    assert_string_equal(dst, row->expected);
    free(dst);
}

/* --- the diagnostics --- */

struct last_report {
    unsigned count;
    xnm_severity severity;
    const struct xnm_place *place;
    char message[2048];
};

static void keep_report(void *arg, xnm_severity severity, const struct xnm_place *place,
                        const char *message)
{
    struct last_report *last = arg;

    last->count++;
    last->severity = severity;
    last->place = place;
    snprintf(last->message, sizeof last->message, "%s", message);
}

TEST(passes_reports, "a report arrives as it was sent")
{
    struct last_report last = {0};
    struct xnm_diagnostics diagnostics = {keep_report, &last};
    struct xnm_place place = {"idn.conf", 1, 2};

    xnm_diagnostics_add(&diagnostics, XNM_WARNING, &place, "'%s' is not %d%%", "a", 7);
    assert_int_equal(last.count, 1);
    assert_int_equal(last.severity, XNM_WARNING);
    assert_ptr_equal(last.place, &place);
    assert_string_equal(last.message, "'a' is not 7%");
    xnm_diagnostics_add(&diagnostics, XNM_ERROR, &place, "b");
    assert_int_equal(last.count, 2);
    assert_int_equal(last.severity, XNM_ERROR);
}

TEST(cuts_reports, "a long report is cut")
{
    struct last_report last = {0};
    struct xnm_diagnostics diagnostics = {keep_report, &last};
    char text[1500];

    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    xnm_diagnostics_add(&diagnostics, XNM_ERROR, &(struct xnm_place){.file = "idn.conf"}, "%s",
                        text);
    assert_int_equal(last.count, 1);
    assert_in_range(strlen(last.message), 500, sizeof text - 1);
    assert_memory_equal(last.message, text, strlen(last.message));
}

TEST_MAIN
