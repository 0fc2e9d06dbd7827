/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of anybody's logs: no reply, or one whose words are in the line or in the record. An input
 * is read as a line, and as the name in one. */
#include "tests/fuzz/target.h"

#include "core/wire/wire.h"
#include "tests/unit/logline_grammar.h"
#include "tools/logs/line.h"
#include "tools/logs/logname.h"

#include <time.h>

__attribute__((constructor)) static void read_times_as_utc(void)
{
    setenv("TZ", "UTC", 1);
    tzset();
}

static void expect_span(const struct logs_line *line, struct logs_span span, const char *text,
                        size_t len)
{
    bool in_text = span.at >= text && span.at <= text + len;
    const char *end = in_text ? text + len : line->text + line->text_len;

    if (!span.at) {
        assert_int_equal(span.len, 0);
        return;
    }
    assert_true(in_text || (span.at >= line->text && span.at <= end));
    assert_true(span.len <= (size_t)(end - span.at));
}

/* A name is a wire name or none, and the text of that in a log's columns is read as the same. */
static void expect_name(const char *octets, size_t len)
{
    char *name = exact_copy(octets, len), *text = malloc(XN_WIRE_TEXT_MAX);
    uint8_t *wire = malloc(XN_WIRE_NAME_MAX), *again = malloc(XN_WIRE_NAME_MAX);
    struct xn_wire_cursor cursor;
    bool idn, idn_again;
    size_t wire_len = logs_name_read(name, len, wire, &idn);

    if (wire_len > 0) {
        assert_int_equal(xn_wire_open(&cursor, wire, wire_len), XN_OK);
        assert_int_equal(idn, xn_wire_has_ace(wire, wire_len));
        size_t text_len = xn_wire_to_text(wire, text);
        char *exact = exact_copy(text, text_len > 1 ? text_len - 1 : text_len);
        expect_octets(
            again, logs_name_read(exact, text_len > 1 ? text_len - 1 : text_len, again, &idn_again),
            wire, wire_len);
        free(exact);
    }
    free(again);
    free(wire);
    free(text);
    free(name);
}

static void expect_line(const struct logs_line *line, const char *text, size_t len)
{
    const struct logs_span spans[] = {line->name,   line->client, line->type,  line->rcode,
                                      line->action, line->rule,   line->match, line->key,
                                      line->target, line->mode,   line->tags};

    assert_true(line->text_len <= sizeof line->text);
    for (size_t i = 0; i < sizeof spans / sizeof *spans; i++)
        expect_span(line, spans[i], text, len);
    if (line->time != LOGS_NO_TIME)
        assert_true(line->time >= LOGS_TIME_MIN && line->time <= LOGS_TIME_MAX);
    if (line->type.at)
        assert_true(logs_is_mnemonic(line->type));
    if (line->class.at)
        assert_true(logs_is_mnemonic(line->class));
    if (line->rcode.at)
        assert_true(logs_is_mnemonic(line->rcode));
    if (line->client.at)
        assert_true(logs_is_address(line->client));
    if (line->name.at)
        expect_name(line->name.at, line->name.len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct logs_line line;
    struct logs_clock clock = {.now = 1795300000};
    char *text = exact_copy(data, size);

    if (size <= LOGS_LINE_MAX && logs_line_read(&clock, text, size, &line))
        expect_line(&line, text, size);
    expect_name(text, size);
    free(text);
    return 0;
}
