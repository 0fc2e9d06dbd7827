/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/codec/rfc3492.h"

#include "core/text/utf8.h"
#include "tools/command/command.h"

#include <stdlib.h>

enum {
    /* The time of RFC 3492's procedures grows with the square of the length. */
    STRING_MAX = 10000, /* octets */
    QUOTED_MAX = 64     /* octets of an input that a message quotes */
};

struct run {
    const struct rfc3492 *procedure;
    bool trace;
    struct input *input;
    struct buffer out;
};

/* --- refusals --- */

/* Returns the column of `at`, counted in characters. An octet that is not UTF-8 counts as one. */
static size_t column_of(const char *text, const char *at)
{
    size_t column = 1;
    uint32_t cp;

    for (size_t octets; text < at; text += octets ? octets : 1, column++)
        octets = xn_utf8_read((const uint8_t *)text, (size_t)(at - text), &cp);
    return column;
}

static const char *what_is_wrong(xn_status status)
{
    switch (status) {
    case XN_PUNY_NOT_BASIC:
        return "an octet above 0x7F stands before the last delimiter: expected ASCII";
    case XN_PUNY_LEADING_DELIMITER:
        return "a delimiter with nothing before it: expected no delimiter, or literals before it";
    case XN_PUNY_BAD_DIGIT:
        return "an octet that is not a Punycode digit: expected a letter or a decimal digit";
    case XN_PUNY_TRUNCATED:
        return "the input ends in the middle of a number: expected another digit";
    default:
        return xn_status_text(status);
    }
}

/* Says why a string is refused. Column 0: as a whole. */
static int refuse(const struct run *run, size_t column, const char *text, size_t len,
                  const char *what)
{
    struct buffer line = {0};

    if (run->input->argument_count > 1)
        buffer_format(&line, "argument %d: ", run->input->next);
    if (column > 0)
        buffer_format(&line, "column %zu: ", column);
    buffer_visible(&line, text, buffer_fitting(text, len, QUOTED_MAX));
    buffer_format(&line, "%s: %s\n", len > QUOTED_MAX ? "…" : "", what);
    input_complain(run->input);
    fwrite(line.data, 1, line.len, stderr);
    buffer_free(&line);
    return STATUS_FINDING;
}

/* --- a string --- */

static void add_text(const struct codepoints *string, struct buffer *out)
{
    char utf8[XN_UTF8_MAX];

    for (size_t i = 0; i < string->len; i++)
        buffer_visible(out, utf8, xn_utf8_write(string->cps[i], (uint8_t *)utf8));
}

/* Adds what is made of a string, or its trace. */
static xn_status convert(struct run *run, const struct codepoints *string, size_t *bad_at)
{
    const struct rfc3492 *procedure = run->procedure;
    struct codepoints result = {
        buffer_zeros(string->len * procedure->growth + 1, sizeof *result.cps), 0};
    struct xn_punycode_notes notes = {.steps = buffer_zeros(string->len + 1, sizeof *notes.steps)};
    xn_status status = procedure->convert(string, &result, &notes);

    *bad_at = notes.bad_at;
    if (run->trace)
        procedure->trace(string, &notes, status == XN_OK ? &result : NULL, &run->out);
    else if (status == XN_OK)
        add_text(&result, &run->out);
    free(notes.steps);
    free(result.cps);
    return status;
}

/* Converts an argument or a line, and says why nothing is made of it. Returns the exit status. */
static int run_string(struct run *run, const char *text, size_t len)
{
    struct codepoints string = {buffer_zeros(len + 1, sizeof *string.cps), 0};
    size_t bad_at;
    xn_status status =
        xn_utf8_decode((const uint8_t *)text, len, string.cps, len, &string.len, &bad_at);
    size_t column;

    if (status == XN_OK) {
        status = convert(run, &string, &bad_at);
        column = bad_at + 1; /* an octet of Punycode is a code point of the string */
    } else {
        column = column_of(text, text + bad_at);
    }
    buffer_text(&run->out, "\n");
    fwrite(run->out.data, 1, run->out.len, stdout);
    run->out.len = 0;
    free(string.cps);
    return status == XN_OK ? STATUS_FINE : refuse(run, column, text, len, what_is_wrong(status));
}

int rfc3492_run(const struct rfc3492 *procedure, bool trace, struct input *input)
{
    struct run run = {.procedure = procedure, .trace = trace, .input = input};
    const char *text;
    size_t len;
    int worst = STATUS_FINE, status;

    while (!ferror(stdout) && input_next(input, &text, &len)) {
        if (len <= STRING_MAX) {
            status = run_string(&run, text, len);
        } else {
            fputs("\n", stdout);
            status = refuse(&run, 0, text, len, "is longer than 10,000 octets");
        }
        worst = status > worst ? status : worst;
    }
    buffer_free(&run.out);
    return worst;
}
