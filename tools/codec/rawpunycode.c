/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/codec/rawpunycode.h"

#include "core/punycode/trace.h"
#include "core/text/utf8.h"
#include "tools/command/command.h"
#include "tools/text/buffer.h"

#include <stdlib.h>
#include <string.h>

enum {
    /* The time of RFC 3492's procedures grows with the square of the length. */
    STRING_MAX = 10000, /* octets */
    QUOTED_MAX = 64,    /* octets of an input that a message quotes */
    /* A delta below 2^32 has at most ten digits, whatever the bias: each step of the inner loop of
     * RFC 3492, section 6.3, divides by base - t, at least 10. A basic code point takes one octet.
     */
    OCTETS_PER_CODE_POINT = 10
};

/* A string of code points. For Punycode they are its octets. */
struct codepoints {
    uint32_t *cps; /* owned */
    size_t len;
};

struct run {
    bool encodes, trace;
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

/* --- the trace, in the words of RFC 3492, sections 7.2 and 7.3 --- */

/* Adds input as visible ASCII. */
static void add_input(struct buffer *out, const uint32_t *input, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        char octet = '\xFF'; /* for code points that are not ASCII and so not Punycode */

        if (input[i] < 0x80)
            octet = (char)input[i];
        buffer_visible(out, &octet, 1);
    }
}

/* Adds code points as "0033 5E74 * 0042", with an asterisk after the one at `marked`. */
static void add_string(struct buffer *out, const uint32_t *cps, size_t len, size_t marked)
{
    for (size_t i = 0; i < len; i++)
        buffer_format(out, "%s%04X%s", i > 0 ? " " : "", (unsigned)cps[i], i == marked ? " *" : "");
}

/* Adds the digits of a step, which are part of a Punycode string. */
static void add_digits(struct buffer *out, const struct codepoints *punycode,
                       const struct xn_punycode_step *step)
{
    buffer_text(out, "\"");
    add_input(out, punycode->cps + step->digits_at, step->digits_len);
    buffer_text(out, "\"");
}

/* Returns the number of octets before the last delimiter, or 0 if there is none. */
static size_t count_literals(const uint32_t *input, size_t len)
{
    while (len > 0 && input[len - 1] != '-')
        len--;
    return len > 0 ? len - 1 : 0;
}

static void trace_decoding(const struct codepoints *string, const struct xn_punycode_notes *notes,
                           struct buffer *out)
{
    size_t len = count_literals(string->cps, string->len);
    uint32_t *extended = buffer_zeros(len + notes->step_count + 1, sizeof *extended);

    buffer_text(out, "n is 128, i is 0, bias is 72\ninput is \"");
    add_input(out, string->cps, string->len);
    if (len == 0) {
        buffer_text(out, "\"\nthere is no delimiter, so extended string starts empty");
    } else {
        buffer_text(out, "\"\nliteral portion is \"");
        add_input(out, string->cps, len + 1);
        buffer_text(out, "\", so extended string starts as:\n");
        memcpy(extended, string->cps, len * sizeof *extended);
        add_string(out, extended, len, SIZE_MAX);
    }
    for (size_t i = 0; i < notes->step_count; i++) {
        buffer_text(out, "\ndelta ");
        add_digits(out, string, &notes->steps[i]);
        buffer_format(out, " decodes to %u\nbias becomes %u\n", (unsigned)notes->steps[i].delta,
                      (unsigned)notes->steps[i].bias);
        memmove(extended + notes->steps[i].index + 1, extended + notes->steps[i].index,
                (len - notes->steps[i].index) * sizeof *extended);
        extended[notes->steps[i].index] = notes->steps[i].code_point;
        add_string(out, extended, ++len, notes->steps[i].index);
    }
    free(extended);
}

static void add_basic_code_points(struct buffer *out, const struct codepoints *string,
                                  const struct codepoints *result)
{
    size_t count = 0;

    for (size_t i = 0; i < string->len; i++)
        if (string->cps[i] < 0x80)
            buffer_format(out, "%s%04X", count++ > 0 ? ", " : "basic code points (",
                          (unsigned)string->cps[i]);
    buffer_text(out, count > 0 ? ")" : "there are no basic code points, so no literal portion");
    if (count > 0 && result) {
        buffer_text(out, " are copied to literal portion: \"");
        add_input(out, result->cps, count + 1);
        buffer_text(out, "\"");
    }
}

/* result is NULL if the string was refused; the trace then ends with the last step before that. */
static void trace_encoding(const struct codepoints *string, const struct xn_punycode_notes *notes,
                           const struct codepoints *result, struct buffer *out)
{
    buffer_text(out, "bias is 72\ninput is:\n");
    add_string(out, string->cps, string->len, SIZE_MAX);
    buffer_text(out, "\n");
    add_basic_code_points(out, string, result);
    for (size_t i = 0; i < notes->step_count && result; i++) {
        buffer_format(out, "\nnext code point to insert is %04X\nneeded delta is %u, encodes as ",
                      (unsigned)notes->steps[i].code_point, (unsigned)notes->steps[i].delta);
        add_digits(out, result, &notes->steps[i]);
        buffer_format(out, "\nbias becomes %u", (unsigned)notes->steps[i].bias);
    }
    if (result) {
        buffer_text(out, "\noutput is \"");
        add_input(out, result->cps, result->len);
        buffer_text(out, "\"");
    }
}

/* --- a string --- */

static void add_text(const struct codepoints *string, struct buffer *out)
{
    char utf8[XN_UTF8_MAX];

    for (size_t i = 0; i < string->len; i++)
        buffer_visible(out, utf8, xn_utf8_write(string->cps[i], (uint8_t *)utf8));
}

/* Punycode is ASCII: any other code point becomes 0xFF, which the decoder refuses. */
static xn_status decode(const struct codepoints *string, struct codepoints *result,
                        struct xn_punycode_notes *notes)
{
    uint8_t *octets = buffer_zeros(string->len + 1, 1);

    for (size_t i = 0; i < string->len; i++)
        octets[i] = string->cps[i] < 0x80 ? (uint8_t)string->cps[i] : 0xFF;
    xn_status status = xn_punycode_decode_traced(octets, string->len, result->cps, string->len,
                                                 &result->len, notes);
    free(octets);
    return status;
}

static xn_status encode(const struct codepoints *string, struct codepoints *result,
                        struct xn_punycode_notes *notes)
{
    size_t room = string->len * OCTETS_PER_CODE_POINT + 1, len;
    uint8_t *octets = buffer_zeros(room, 1);
    xn_status status =
        xn_punycode_encode_traced(string->cps, string->len, octets, room, &len, notes);

    for (result->len = 0; result->len < len; result->len++)
        result->cps[result->len] = octets[result->len];
    free(octets);
    return status;
}

/* Adds what is made of a string, or its trace. */
static xn_status convert(struct run *run, const struct codepoints *string, size_t *bad_at)
{
    size_t room = string->len * OCTETS_PER_CODE_POINT + 1;
    struct codepoints result = {buffer_zeros(room, sizeof *result.cps), 0};
    struct xn_punycode_notes notes = {.steps = buffer_zeros(string->len + 1, sizeof *notes.steps)};
    xn_status status = (run->encodes ? encode : decode)(string, &result, &notes);

    *bad_at = notes.bad_at;
    if (run->trace && run->encodes)
        trace_encoding(string, &notes, status == XN_OK ? &result : NULL, &run->out);
    else if (run->trace)
        trace_decoding(string, &notes, &run->out);
    else if (status == XN_OK)
        add_text(&result, &run->out);
    free(notes.steps);
    free(result.cps);
    return status;
}

/* Converts an argument or a line, and says why nothing is made of it. Returns the exit status. */
static int run_string(void *arg, const char *text, size_t len)
{
    struct run *run = arg;
    size_t bad_at, column;

    if (len > STRING_MAX) {
        fputs("\n", stdout);
        return refuse(run, 0, text, len, "is longer than 10,000 octets");
    }
    struct codepoints string = {buffer_zeros(len + 1, sizeof *string.cps), 0};
    xn_status status =
        xn_utf8_decode((const uint8_t *)text, len, string.cps, len, &string.len, &bad_at);
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

int rawpunycode_run(bool encodes, bool trace, struct input *input)
{
    struct run run = {.encodes = encodes, .trace = trace, .input = input};
    int status = input_each(input, run_string, &run);

    buffer_free(&run.out);
    return status;
}
