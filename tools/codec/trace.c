/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/codec/trace.h"

#include <stdlib.h>
#include <string.h>

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

void trace_decoding(const struct codepoints *string, const struct xn_punycode_notes *notes,
                    const struct codepoints *result, struct buffer *out)
{
    size_t len = count_literals(string->cps, string->len);
    uint32_t *extended = buffer_zeros(len + notes->step_count + 1, sizeof *extended);

    (void)result;
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

    buffer_text(out, "basic code points (");
    for (size_t i = 0; i < string->len; i++)
        if (string->cps[i] < 0x80)
            buffer_format(out, "%s%04X", count++ > 0 ? ", " : "", (unsigned)string->cps[i]);
    buffer_text(out, ")");
    if (result) {
        buffer_text(out, " are copied to literal portion: \"");
        add_input(out, result->cps, count + 1);
        buffer_text(out, "\"");
    }
}

static bool has_basic(const uint32_t *input, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (input[i] < 0x80)
            return true;
    return false;
}

void trace_encoding(const struct codepoints *string, const struct xn_punycode_notes *notes,
                    const struct codepoints *result, struct buffer *out)
{
    buffer_text(out, "bias is 72\ninput is:\n");
    add_string(out, string->cps, string->len, SIZE_MAX);
    buffer_text(out, "\n");
    if (has_basic(string->cps, string->len))
        add_basic_code_points(out, string, result);
    else
        buffer_text(out, "there are no basic code points, so no literal portion");
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
