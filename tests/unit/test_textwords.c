/* SPDX-License-Identifier: BSD-3-Clause */
/* The words of a line, quoted tails among them. */
#include "tests/unit/vectors.h"

#include "module/textline.h"
#include "tests/unit/exact.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { REPORTS_MAX = 4096 };

static void collect(void *arg, xnm_severity severity, const struct xnm_place *place,
                    const char *message)
{
    char *reports = arg;

    snprintf(reports + strlen(reports), REPORTS_MAX - strlen(reports), "%s%u:%u: %s\n",
             severity == XNM_WARNING ? "warning " : "", place->line, place->column, message);
}

/* --- words --- */

static struct words {
    const char *line;
    const char *words; /* each as [text], or [text|bare octets] where a part of it is quoted */
    const char *report;
} rows[] = {
    {"", "", ""},
    {" \t ", "", ""},
    {"# a", "", ""},
    {" \t# a", "", ""},
    {"a", "[a]", ""},
    {" a \t b\t", "[a][b]", ""},
    {"a#b #c", "[a#b]", ""},
    {"a\t#c", "[a]", ""},
    {"\"a b\"", "[a b|0]", ""},
    {"\"\"", "[|0]", ""},
    {"\"a\" \"b\"\t#", "[a|0][b|0]", ""},
    {"\"# a\" # b", "[# a|0]", ""},
    {"\"\\\"\" \"\\\\\"", "[\"|0][\\|0]", ""},
    {"\"a\\\"b\\\\c\"", "[a\"b\\c|0]", ""},
    {"k=\"a b\"", "[k=a b|2]", ""},
    {"k=15:\"a b\" x", "[k=15:a b|5][x]", ""},
    {"k=\"\"", "[k=|2]", ""},
    {"k=\"a\\\"# b\" # c", "[k=a\"# b|2]", ""},
    {"k=a\"b", "[k=a\"b]", ""},
    {"a\"b c\"", "[a\"b][c\"]", ""},
    {"a\\\"b", "[a\\\"b]", ""},
    {"=\"a\"", "[=a|1]", ""},
    {"a:\"b\"", "[a:b|2]", ""},

    {"a \"b", "[a]", "1:3: this quote is not closed: expected a second '\"' on the line\n"},
    {"k=\"b", "", "1:3: this quote is not closed: expected a second '\"' on the line\n"},
    {"\"", "", "1:1: this quote is not closed: expected a second '\"' on the line\n"},
    {"\"a\\", "", "1:3: '\\' inside quotes stands before '\"' or '\\' only\n"},
    {"\"a\\b\"", "", "1:3: '\\' inside quotes stands before '\"' or '\\' only\n"},
    {"\"a\\\"", "", "1:1: this quote is not closed: expected a second '\"' on the line\n"},
    {"\"a\"b", "",
     "1:4: text follows the closing quote: expected white space or the end of the line\n"},
    {"x k=\"ä\"\"b\"", "[x]",
     "1:8: text follows the closing quote: expected white space or the end of the line\n"},
    {"\"a\"#", "",
     "1:4: text follows the closing quote: expected white space or the end of the line\n"},
};

/* Where each octet of a word's text stands: the same octet, or the `\` before it. */
static void expect_places(const struct xnm_word *word)
{
    for (size_t i = 0; i < word->len; i++) {
        const char *at = xnm_word_place(word, i);

        assert_in_range(at - word->at, 0, word->written_len - 1);
        assert_int_equal(word->quoted && i >= word->bare_len && *at == '\\' ? at[1] : *at,
                         word->text[i]);
    }
    const char *end = xnm_word_place(word, word->len);
    assert_int_equal(end - word->at, word->written_len - (word->quoted ? 1 : 0));
}

static void test_words(void **state)
{
    const struct words *row = *state;
    char reports[REPORTS_MAX] = "", words[256] = "";
    struct xnm_reporter reporter = {collect, reports};
    size_t len = strlen(row->line);
    char *text = exact_copy(row->line, len), *buffer = malloc(len);
    struct xnm_textline line;
    struct xnm_word word;
    xnm_word_result result;

    xnm_textline_open(&line, "f", text, len, &reporter);
    if (xnm_textline_next(&line)) {
        const char *pos = line.at;
        while ((result = xnm_textline_word(&line, &pos, buffer, &word)) == XNM_WORD_FOUND) {
            size_t at = strlen(words);
            snprintf(words + at, sizeof words - at, word.quoted ? "[%.*s|%zu]" : "[%.*s]",
                     (int)word.len, word.text, word.bare_len);
            if (!word.quoted)
                assert_int_equal(word.bare_len, word.len);
            expect_places(&word);
        }
        assert_int_equal(result, row->report[0] ? XNM_WORD_BAD : XNM_WORD_NONE);
    }
    assert_string_equal(words, row->words);
    assert_string_equal(reports, row->report);
    assert_int_equal(line.errors, row->report[0] ? 1 : 0);
    free(buffer);
    free(text);
}

int main(void)
{
    struct test_group group = {0};

    for (size_t i = 0; i < COUNT(rows); i++)
        add_test(&group, rows[i].line, test_words, &rows[i]);
    return run_group("textwords", &group);
}
