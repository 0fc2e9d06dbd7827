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

static void add_digits(struct buffer *out, const uint32_t *input,
                       const struct xn_punycode_step *step)
{
    buffer_text(out, "\"");
    add_input(out, input + step->digits_at, step->digits_len);
    buffer_text(out, "\"");
}

/* Returns the number of octets before the last delimiter, or 0 if there is none. */
static size_t count_literals(const uint32_t *input, size_t len)
{
    while (len > 0 && input[len - 1] != '-')
        len--;
    return len > 0 ? len - 1 : 0;
}

void trace_decoding(const uint32_t *input, size_t input_len, const struct xn_punycode_step *steps,
                    size_t step_count, const struct buffer *result, struct buffer *out)
{
    size_t len = count_literals(input, input_len);
    uint32_t *string = malloc((len + step_count + 1) * sizeof *string);

    (void)result;
    if (!string)
        buffer_out_of_memory();
    buffer_text(out, "n is 128, i is 0, bias is 72\ninput is \"");
    add_input(out, input, input_len);
    if (len == 0) {
        buffer_text(out, "\"\nthere is no delimiter, so extended string starts empty");
    } else {
        buffer_text(out, "\"\nliteral portion is \"");
        add_input(out, input, len + 1);
        buffer_text(out, "\", so extended string starts as:\n");
        memcpy(string, input, len * sizeof *string);
        add_string(out, string, len, SIZE_MAX);
    }
    for (size_t i = 0; i < step_count; i++) {
        buffer_text(out, "\ndelta ");
        add_digits(out, input, &steps[i]);
        buffer_format(out, " decodes to %u\nbias becomes %u\n", (unsigned)steps[i].delta,
                      (unsigned)steps[i].bias);
        memmove(string + steps[i].index + 1, string + steps[i].index,
                (len - steps[i].index) * sizeof *string);
        string[steps[i].index] = steps[i].code_point;
        add_string(out, string, ++len, steps[i].index);
    }
    free(string);
}

static void add_basic_code_points(struct buffer *out, const uint32_t *input, size_t len)
{
    size_t count = 0;
    struct buffer literals = {0};

    buffer_text(out, "basic code points (");
    for (size_t i = 0; i < len; i++) {
        if (input[i] >= 0x80)
            continue;
        buffer_format(out, "%s%04X", count++ > 0 ? ", " : "", (unsigned)input[i]);
        add_input(&literals, &input[i], 1);
    }
    buffer_text(out, ") are copied to literal portion: \"");
    buffer_add(out, literals.data, literals.len);
    buffer_text(out, "-\"");
    buffer_free(&literals);
}

static bool has_basic(const uint32_t *input, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (input[i] < 0x80)
            return true;
    return false;
}

void trace_encoding(const uint32_t *input, size_t input_len, const struct xn_punycode_step *steps,
                    size_t step_count, const struct buffer *result, struct buffer *out)
{
    buffer_text(out, "bias is 72\ninput is:\n");
    add_string(out, input, input_len, SIZE_MAX);
    buffer_text(out, "\n");
    if (has_basic(input, input_len))
        add_basic_code_points(out, input, input_len);
    else
        buffer_text(out, "there are no basic code points, so no literal portion");
    for (size_t i = 0; i < step_count && result; i++) {
        buffer_format(out, "\nnext code point to insert is %04X\nneeded delta is %u, encodes as \"",
                      (unsigned)steps[i].code_point, (unsigned)steps[i].delta);
        buffer_add(out, result->data + steps[i].digits_at, steps[i].digits_len);
        buffer_format(out, "\"\nbias becomes %u", (unsigned)steps[i].bias);
    }
    if (result) {
        buffer_text(out, "\noutput is \"");
        buffer_visible(out, result->data, result->len);
        buffer_text(out, "\"");
    }
}
