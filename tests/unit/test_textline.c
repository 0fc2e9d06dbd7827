/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines, words and places of text files. */
#include "tests/unit/vectors.h"

#include "module/file/textline.h"
#include "tests/unit/exact.h"

#define OCTETS(literal) literal, sizeof literal - 1
#define NO_UTF8(octet) "octet " octet " is not UTF-8: expected UTF-8 (is the file in Latin-1?)\n"

enum { REPORTS_MAX = 4096, ITEMS_MAX = 8 };

/* All reports, each as "file:line:column: message" on a line of its own; a warning begins with
 * "warning ". */
static char reports[REPORTS_MAX];

static void collect(void *arg, xnm_severity severity, const struct xnm_place *place,
                    const char *message)
{
    size_t len = strlen(reports);

    assert_ptr_equal(arg, reports);
    len += (size_t)snprintf(reports + len, sizeof reports - len, "%s",
                            severity == XNM_WARNING ? "warning " : "");
    xnm_diagnostics_text(place, message, reports + len, sizeof reports - len - 1);
    strcat(reports, "\n");
}

static const struct xnm_diagnostics diagnostics = {collect, reports};

static void open_text(struct xnm_textline *line, const char *text, size_t len)
{
    reports[0] = '\0';
    xnm_textline_open(line, "f", text, len, &diagnostics);
}

/* --- lines --- */

static struct walk {
    const char *name;
    const char *text;
    size_t len;
    const char *lines[ITEMS_MAX]; /* ends with NULL */
} walks[] = {
    {"no line", OCTETS(""), {NULL}},
    {"a byte-order mark alone", OCTETS("\xEF\xBB\xBF"), {NULL}},
    {"an empty line", OCTETS("\n"), {""}},
    {"a carriage return alone", OCTETS("\r"), {""}},
    {"CRLF alone", OCTETS("\r\n"), {""}},
    {"a line without its end", OCTETS("a"), {"a"}},
    {"a line", OCTETS("a\n"), {"a"}},
    {"lines", OCTETS("a\nb b\n\n\nc"), {"a", "b b", "", "", "c"}},
    {"CRLF", OCTETS("a\r\n\r\nb\r\n"), {"a", "", "b"}},
    {"CRLF without its last octet", OCTETS("a\r\nb\r"), {"a", "b"}},
    {"two carriage returns", OCTETS("a\r\r\nb\rc\n"), {"a\r", "b\rc"}},
    {"a byte-order mark",
     OCTETS("\xEF\xBB\xBF"
            "a\n\xEF\xBB\xBF"
            "b"),
     {"a", "\xEF\xBB\xBF"
           "b"}},
    {"part of a byte-order mark", OCTETS("\xEF\xBB"), {"\xEF\xBB"}},
};

TEST_ROWS(walks_lines, walks, name)
{
    const struct walk *row = *state;
    char *text = exact_copy(row->text, row->len);
    struct xnm_textline line;

    open_text(&line, text, row->len);
    for (unsigned i = 0; row->lines[i]; i++) {
        assert_true(xnm_textline_next(&line));
        assert_int_equal(line.number, i + 1);
        assert_int_equal(line.end - line.at, strlen(row->lines[i]));
        assert_memory_equal(line.at, row->lines[i], strlen(row->lines[i]));
    }
    assert_false(xnm_textline_next(&line));
    assert_false(xnm_textline_next(&line));
    free(text);
}

/* --- places --- */

static struct column {
    const char *name;
    const char *line;
    size_t offset; /* octets */
    unsigned column;
} columns[] = {
    {"the start", "abc", 0, 1},
    {"ASCII", "abc", 2, 3},
    {"the end", "abc", 3, 4},
    {"an empty line's end", "", 0, 1},
    {"a TAB is a character", "\ta", 1, 2},
    {"behind two octets", "\xC3\xA4x", 2, 2},
    {"behind two, three and four octets", "\xC3\xA4\xE6\x97\xA5\xF0\x9F\x98\x80x", 9, 4},
    {"behind a combining mark", "a\xCC\x88x", 3, 3},
    {"behind an octet that is none of UTF-8", "\xE4x", 1, 2},
    {"behind a character that is cut", "\xF0\x9F\x98", 3, 4},
    {"behind a surrogate", "\xED\xA0\x80x", 3, 4},
};

TEST_ROWS(counts_columns, columns, name)
{
    const struct column *row = *state;
    size_t len = strlen(row->line);
    char *text = exact_copy(row->line, len);
    struct xnm_textline line;

    open_text(&line, text, len);
    line.at = text; /* an empty text has no line */
    line.end = text + len;
    struct xnm_place place = xnm_textline_place(&line, line.at + row->offset);
    assert_string_equal(place.file, "f");
    assert_int_equal(place.column, row->column);
    free(text);
}

TEST(reports_errors, "errors and warnings")
{
    static const char text[] = "one\ntwo\n";
    struct xnm_textline line;

    open_text(&line, text, sizeof text - 1);
    assert_true(xnm_textline_next(&line) && xnm_textline_next(&line));
    xnm_textline_warning(&line, line.at, "%d%%", 7);
    assert_int_equal(line.errors, 0);
    xnm_textline_error(&line, line.end, "'%s'", "%n");
    xnm_textline_error(&line, line.at + 1, "x");
    assert_int_equal(line.errors, 2);
    assert_string_equal(reports, "warning f:2:1: 7%\nf:2:4: '%n'\nf:2:2: x\n");
}

/* --- what is text --- */

static struct characters {
    const char *name;
    const char *text;
    size_t len;
    const char *reports;
} characters[] = {
    {"nothing is text", OCTETS("\n"), ""},
    {"all of ASCII that draws something is text",
     OCTETS(" \t!\"#$%&'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~"), ""},
    {"Unicode is text", OCTETS("\xC2\xA0\xC3\xA4\xE2\x80\x8D\xEF\xBF\xBD\xF4\x8F\xBF\xBF"), ""},
    {"NUL", OCTETS("a\0b"),
     "f:1:2: control character U+0000: expected text (is the file in UTF-16?)\n"},
    {"U+001F", OCTETS("\x1F"), "f:1:1: control character U+001F: expected text\n"},
    {"U+007F", OCTETS("a\x7F"), "f:1:2: control character U+007F: expected text\n"},
    {"U+009F", OCTETS("\xC2\x9F"), "f:1:1: control character U+009F: expected text\n"},
    {"a carriage return in a line", OCTETS("a\rb\r\n"),
     "f:1:2: control character U+000D: expected text\n"},
    {"a continuation", OCTETS("\xC3\xA4\x80"), "f:1:2: " NO_UTF8("0x80")},
    {"an overlong NUL", OCTETS("\xC0\x80"), "f:1:1: " NO_UTF8("0xC0")},
    {"a surrogate", OCTETS("\xED\xBF\xBF"), "f:1:1: " NO_UTF8("0xED")},
    {"beyond U+10FFFF", OCTETS("\xF4\x90\x80\x80"), "f:1:1: " NO_UTF8("0xF4")},
    {"a character cut by the end", OCTETS("a\xF0\x9F\x98"), "f:1:2: " NO_UTF8("0xF0")},
    {"a character cut by the line end", OCTETS("\xE2\x80\n\xA8"), "f:1:1: " NO_UTF8("0xE2")},
    {"the first counts", OCTETS("\xFF\x01"), "f:1:1: " NO_UTF8("0xFF")},
};

TEST_ROWS(refuses_controls, characters, name)
{
    const struct characters *row = *state;
    char *text = exact_copy(row->text, row->len);
    struct xnm_textline line;

    open_text(&line, text, row->len);
    assert_true(xnm_textline_next(&line));
    assert_int_equal(xnm_textline_is_text(&line), row->reports[0] == '\0');
    assert_string_equal(reports, row->reports);
    assert_int_equal(line.errors, row->reports[0] != '\0');
    free(text);
}

/* --- blanks and comments --- */

static struct blanks {
    const char *text;
    size_t start, trimmed; /* octets: where blanks before it end, where those behind it begin */
    size_t word;           /* octets: where the first word at `start` ends */
} blanks[] = {
    {"", 0, 0, 0},       {" ", 1, 0, 1},     {"\t \t", 3, 0, 3},       {"a", 0, 1, 1},
    {"a b", 0, 3, 1},    {" a ", 1, 2, 2},   {"\t a b\t \t", 2, 5, 3}, {"\xC2\xA0 ", 0, 2, 2},
    {"\r\v\f", 0, 3, 3}, {"ab\tc", 0, 4, 2},
};

TEST(skips_blanks, "blanks before and behind")
{
    for (size_t i = 0; i < COUNT(blanks); i++) {
        size_t len = strlen(blanks[i].text);
        char *text = exact_copy(blanks[i].text, len);
        assert_int_equal(xnm_textline_skip_blanks(text, text + len) - text, blanks[i].start);
        assert_int_equal(xnm_textline_trim(text, text + len) - text, blanks[i].trimmed);
        assert_int_equal(xnm_textline_skip_word(text + blanks[i].start, text + len) - text,
                         blanks[i].word);
        free(text);
    }
}

static struct comment {
    const char *text;
    size_t from, at; /* octets; at: the length where there is none */
} comments[] = {
    {"", 0, 0},      {"#", 0, 0},        {"a", 0, 1},    {"a#", 0, 2},  {"a #b", 0, 2},
    {"a\t#b", 0, 2}, {"a#b #c", 0, 4},   {"# #", 0, 0},  {"# #", 1, 2}, {"##", 0, 0},
    {"##", 1, 2},    {"\"a #b\"", 0, 3}, {"a #b", 2, 2}, {"a#", 1, 2},
};

TEST(finds_comments, "comments")
{
    for (size_t i = 0; i < COUNT(comments); i++) {
        size_t len = strlen(comments[i].text);
        char *text = exact_copy(comments[i].text, len);
        const char *at = xnm_textline_comment(text, text + comments[i].from, text + len);
        assert_int_equal(at - text, comments[i].at);
        free(text);
    }
}

/* --- words --- */

#define UNCLOSED(place)                                                                            \
    "f:" place ": this quote is not closed: expected a second '\"' on the line\n"
#define BAD_ESCAPE(place) "f:" place ": '\\' inside quotes stands before '\"' or '\\' only\n"
#define FOLLOWED(place)                                                                            \
    "f:" place ": text follows the closing quote: expected white space or the end of the line\n"

/* Each word as what it means, with quotes around what was quoted of it, and the octets of the line
 * that it takes up. */
static struct words {
    const char *name;
    const char *line;
    const char *words[ITEMS_MAX]; /* ends with NULL */
    const char *reports;
} words[] = {
    {"no word", "", {NULL}, ""},
    {"blanks", " \t ", {NULL}, ""},
    {"a comment", "# a", {NULL}, ""},
    {"a comment behind blanks", " \t# a", {NULL}, ""},
    {"a word", "abc", {"abc 0-3"}, ""},
    {"words", "a bc\td", {"a 0-1", "bc 2-4", "d 5-6"}, ""},
    {"blanks around words", "\t a \t b ", {"a 2-3", "b 6-7"}, ""},
    {"a comment behind a word", "a #b", {"a 0-1"}, ""},
    {"a comment behind a tab", "a\t#b", {"a 0-1"}, ""},
    {"# in a word", "a#b c#", {"a#b 0-3", "c# 4-6"}, ""},
    {"a backslash in a word", "a\\\"b \\", {"a\\\"b 0-4", "\\ 5-6"}, ""},
    {"U+00A0 is no blank", "a\xC2\xA0z", {"a\xC2\xA0z 0-4"}, ""},
    {"quotes", "\"abc\"", {"\"abc\" 0-5"}, ""},
    {"empty quotes", "\"\"", {"\"\" 0-2"}, ""},
    {"empty quotes twice", "\"\" \"\"", {"\"\" 0-2", "\"\" 3-5"}, ""},
    {"quoted blanks and #", "\" # \" x", {"\" # \" 0-5", "x 6-7"}, ""},
    {"escapes", "\"\\\"a\\\\\"", {"\"\"a\\\" 0-7"}, ""},
    {"escapes alone", "\"\\\\\\\"\"", {"\"\\\"\" 0-6"}, ""},
    {"a comment behind quotes", "\"a\" #b", {"\"a\" 0-3"}, ""},
    {"a quote in a word", "a\"b\" c", {"a\"b\" 0-4", "c 5-6"}, ""},
    {"a blank behind a quote in a word", "a\"b c\"", {"a\"b 0-3", "c\" 4-6"}, ""},
    {"a quote in a word behind =", "t=a\"b", {"t=a\"b 0-5"}, ""},
    {"a quoted end behind =", "t=\"a b\" c", {"t=\"a b\" 0-7", "c 8-9"}, ""},
    {"a quoted end behind = alone", "=\"a\"", {"=\"a\" 0-4"}, ""},
    {"a quoted end behind :", "e=15:\"a \\\" b\"", {"e=15:\"a \" b\" 0-13"}, ""},
    {"a quoted end behind : alone", ":\"a\"", {":\"a\" 0-4"}, ""},
    {"a quoted end with a quote and #", "t=\"a\\\"# b\" # c", {"t=\"a\"# b\" 0-10"}, ""},
    {"an empty quoted end", "t=\"\"", {"t=\"\" 0-4"}, ""},
    {"= behind a quote in a word", "a\"=\"b c\"", {"a\"=\"b c\" 0-8"}, ""},

    {"a quote alone", "\"", {NULL}, UNCLOSED("1:1")},
    {"a quote that is not closed", "a \"b c", {"a 0-1"}, UNCLOSED("1:3")},
    {"a quote that an escape does not close", "\"a\\\"", {NULL}, UNCLOSED("1:1")},
    {"a quoted end that is not closed", "t=\"a", {NULL}, UNCLOSED("1:3")},
    {"another escape", "\"\xC3\xA4\\n\"", {NULL}, BAD_ESCAPE("1:3")},
    {"a backslash at the end", "\"a\\", {NULL}, BAD_ESCAPE("1:3")},
    {"text behind quotes", "\"a\"b", {NULL}, FOLLOWED("1:4")},
    {"a comment at quotes", "\"a\"#", {NULL}, FOLLOWED("1:4")},
    {"text behind a quoted end, behind another word and a letter of two octets",
     "x t=\"\xC3\xA4\"\"b\"",
     {"x 0-1"},
     FOLLOWED("1:8")},
    {"text behind a quoted end", "t=\"a\"b", {NULL}, FOLLOWED("1:6")},
};

static void describe(const struct xnm_word *word, const char *line, char *dst, size_t dst_cap)
{
    const char *quote = word->quoted ? "\"" : "";

    if (!word->quoted)
        assert_int_equal(word->unquoted_len, word->len);
    snprintf(dst, dst_cap, "%.*s%s%.*s%s %td-%td", (int)word->unquoted_len, word->text, quote,
             (int)(word->len - word->unquoted_len), word->text + word->unquoted_len, quote,
             word->at - line, word->at + word->written_len - line);
}

/* Each octet of a word stands where it is written, or behind a backslash there. */
static void expect_places(const struct xnm_word *word)
{
    const char *before = word->at - 1;

    for (size_t i = 0; i < word->len; i++) {
        const char *place = xnm_word_place(word, i);
        assert_true(place > before);
        assert_int_equal(word->quoted && i >= word->unquoted_len && *place == '\\' ? place[1]
                                                                                   : *place,
                         word->text[i]);
        before = place;
    }
    assert_ptr_equal(xnm_word_place(word, word->len),
                     word->at + word->written_len - (word->quoted ? 1 : 0));
}

TEST_ROWS(reads_words, words, name)
{
    const struct words *row = *state;
    size_t len = strlen(row->line);
    char *text = exact_copy(row->line, len), *buffer = exact_copy(row->line, len), found[64];
    const char *pos = text;
    struct xnm_textline line;
    struct xnm_word word;
    xnm_word_result result;

    open_text(&line, text, len);
    line.at = text; /* an empty text has no line */
    line.end = text + len;
    line.number = 1;
    for (size_t i = 0; row->words[i]; i++) {
        assert_int_equal(xnm_textline_word(&line, &pos, buffer, &word), XNM_WORD_FOUND);
        describe(&word, text, found, sizeof found);
        assert_string_equal(found, row->words[i]);
        assert_ptr_equal(pos, word.at + word.written_len);
        expect_places(&word);
    }
    result = xnm_textline_word(&line, &pos, buffer, &word);
    assert_string_equal(reports, row->reports);
    assert_int_equal(result, row->reports[0] ? XNM_WORD_BAD : XNM_WORD_NONE);
    assert_int_equal(line.errors, row->reports[0] ? 1 : 0);
    free(buffer);
    free(text);
}

TEST(compares_words, "a word is another text")
{
    const struct xnm_word word = {.text = "logs", .len = 3}, none = {.text = "a", .len = 0};

    assert_true(xnm_word_is(&word, "log"));
    assert_false(xnm_word_is(&word, "logs"));
    assert_false(xnm_word_is(&word, "lo"));
    assert_false(xnm_word_is(&word, "Log"));
    assert_false(xnm_word_is(&word, ""));
    assert_true(xnm_word_is(&none, ""));
}

/* --- paths --- */

static struct path {
    const char *file, *path, *resolved;
} paths[] = {
    {"/etc/idn.conf", "/a", "/a"},
    {"/etc/idn.conf", "a", "/etc/a"},
    {"/etc/idn.conf", "a/b", "/etc/a/b"},
    {"/etc/idn.conf", "./a", "/etc/./a"},
    {"/etc/idn.conf", "../a", "/etc/../a"},
    {"/idn.conf", "a", "/a"},
    {"idn.conf", "a", "a"},
    {"idn.conf", "/", "/"},
    {"./idn.conf", "a", "./a"},
    {"c/idn.conf", "", "c/"},
    {"c//idn.conf", "a", "c//a"},
};

TEST(resolves_paths, "paths")
{
    for (size_t i = 0; i < COUNT(paths); i++) {
        size_t len = strlen(paths[i].path);
        char *path = exact_copy(paths[i].path, len);
        char *resolved = xnm_textline_path(paths[i].file, path, len);
        assert_non_null(resolved);
        assert_string_equal(resolved, paths[i].resolved);
        free(resolved);
        free(path);
    }
}

TEST_MAIN
