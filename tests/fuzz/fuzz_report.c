/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole logs, as `unbound-idn report` counts them, to the page that it writes: HTML of our own
 * elements and attributes alone, each closed, with no character outside of ASCII that hides or
 * moves others; and the counts that any log keeps; and to JSON. The first octet of an input says
 * whether clients are shown. */
#include "tests/fuzz/target.h"

#include "tests/unit/logline_grammar.h"
#include "tools/report/report.h"

#include <ctype.h>
#include <jansson.h>
#include <time.h>

__attribute__((constructor)) static void read_times_as_utc(void)
{
    setenv("TZ", "UTC", 1);
    tzset();
}

/* --- the page --- */

static const char elements[] =
    " html head title style body main header nav a h1 h2 p dl dt dd div section figure figcaption "
    "span "
    "svg desc g rect table caption thead tbody tr th td bdi code small b ul li footer ";
static const char void_elements[] = " meta wbr ";
static const char attributes[] =
    " lang dir charset http-equiv content name class id scope style title role aria-hidden "
    "aria-label aria-labelledby href viewBox preserveAspectRatio x y width height ";

/* A page that is read, and its elements that are open. */
struct reading {
    const char *at, *end;
    struct logs_span open[32];
    unsigned depth;
};

static bool is_one_of(const char *words, struct logs_span word)
{
    char wanted[64];

    assert_in_range(word.len, 1, sizeof wanted - 3);
    snprintf(wanted, sizeof wanted, " %.*s ", (int)word.len, word.at);
    return strstr(words, wanted) != NULL;
}

static bool take(struct reading *reading, char octet)
{
    bool there = reading->at < reading->end && *reading->at == octet;

    reading->at += there;
    return there;
}

static struct logs_span take_word(struct reading *reading)
{
    struct logs_span word = {reading->at, 0};

    while (reading->at < reading->end && (isalnum((uint8_t)*reading->at) || *reading->at == '-'))
        reading->at++;
    word.len = (size_t)(reading->at - word.at);
    return word;
}

/* Reads text between elements, or in quotes: no octet begins markup, except a reference's. */
static void expect_text(struct reading *reading, char end)
{
    const char *begin = reading->at;

    while (reading->at < reading->end && *reading->at != end) {
        assert_true(*reading->at != '<' && *reading->at != '>' && *reading->at != '\0');
        if (*reading->at++ == '&') {
            reading->at += *reading->at == '#';
            assert_true(take_word(reading).len > 0);
            assert_true(reading->at < reading->end && *reading->at == ';');
        }
    }
    for (const char *line = begin; line < reading->at; line++) {
        const char *feed = memchr(line, '\n', (size_t)(reading->at - line));
        const char *line_end = feed ? feed : reading->at;
        check_characters(line, (int32_t)(line_end - line));
        line = line_end;
    }
}

static void expect_attributes(struct reading *reading)
{
    while (take(reading, ' ')) {
        assert_true(is_one_of(attributes, take_word(reading)));
        assert_true(take(reading, '=') && take(reading, '"'));
        expect_text(reading, '"');
        assert_true(take(reading, '"'));
    }
    assert_true(take(reading, '>'));
}

/* From after a `<`. */
static void expect_element(struct reading *reading)
{
    bool closes = take(reading, '/');
    struct logs_span name = take_word(reading);

    if (closes) {
        assert_true(reading->depth > 0);
        const struct logs_span *opened = &reading->open[--reading->depth];
        expect_octets(name.at, name.len, opened->at, opened->len);
        assert_true(take(reading, '>'));
        return;
    }
    expect_attributes(reading);
    if (is_one_of(void_elements, name))
        return;
    assert_true(is_one_of(elements, name));
    assert_in_range(reading->depth, 0, 31);
    reading->open[reading->depth++] = name;
    if (is_one_of(" style ", name)) { /* a constant, in which `>` combines selectors */
        reading->at = memmem(reading->at, (size_t)(reading->end - reading->at), "</style>", 8);
        assert_non_null(reading->at);
    }
}

static void expect_page(const struct buffer *page)
{
    static const char doctype[] = "<!DOCTYPE html>\n";
    struct reading reading = {.at = page->data, .end = page->data + page->len};

    assert_in_range(page->len, sizeof doctype, SIZE_MAX);
    expect_octets(page->data, sizeof doctype - 1, doctype, sizeof doctype - 1);
    reading.at += sizeof doctype - 1;
    while (reading.at < reading.end) {
        expect_text(&reading, '<');
        if (take(&reading, '<'))
            expect_element(&reading);
    }
    assert_int_equal(reading.depth, 0);
}

static void expect_json(const struct buffer *text)
{
    json_t *object =
        json_loadb(text->data, text->len, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, NULL);

    assert_non_null(object);
    json_decref(object);
}

/* --- the log --- */

/* Returns how many of its lines are replies. */
static uint64_t count_lines(struct report *report, const uint8_t *data, size_t size)
{
    static struct logs_line line;
    struct logs_clock clock = {.now = 1795300000};
    const uint8_t *at;
    uint64_t replies = 0;

    while (size > 0) {
        size_t len = take_line(&data, &size, &at);
        char *text = exact_copy(at, len);
        replies += logs_line_read(&clock, text, len, &line) && report_count(report, &line);
        free(text);
    }
    return replies;
}

static void expect_counts(const struct report *report, uint64_t replies)
{
    uint64_t timed = 0;

    assert_int_equal(report->replies, replies);
    assert_in_range(report->idn, 0, replies);
    assert_in_range(report->ruled, 0, replies);
    assert_in_range(report->changed, 0, report->ruled);
    assert_in_range(report->lookalike, 0, report->ruled);
    for (size_t i = 0; i < report->timeline.len; i++)
        timed += report->timeline.values[i][COUNT_ALL];
    assert_int_equal(timed + report->untimed, replies);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct report report = {0};
    struct buffer page = {0};
    bool with_clients = take_octet(&data, &size) & 1;

    report_open(&report, target_unicode(), NULL, with_clients);
    expect_counts(&report, count_lines(&report, data, size));
    report_write_page(&report, &page);
    expect_page(&page);
    buffer_free(&page);
    report_write_json(&report, &page);
    expect_json(&page);
    buffer_free(&page);
    report_close(&report);
    return 0;
}
