/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/codec/codec.h"
#include "tools/codec/trace.h"
#include "tools/command/command.h"

static const char help[] =
    "Usage: unbound-idn encode [OPTION]... [NAME]...\n"
    "\n"
    "Prints each name as A-labels, one name on a line. Without NAME, reads names from\n"
    "standard input, one on a line. ASCII labels are only changed to lower case.\n"
    "\n"
    "  --strict      use UTS 46 ToASCII on the whole name, with all checks\n"
    "  --punycode    encode any text as RFC 3492 does: no name, no \"xn--\"\n"
    "  --trace       with --punycode: print the steps in the words of RFC 3492, 7.3\n"
    "  --codepoints  print code points: U+0062 U+00FC\n"
    "  --json        print one JSON object on a line\n"
    "\n"
    "With --punycode the input may be code points too: U+00FC U+0062.\n"
    "For a name that has no A-label form, the line is empty, and standard error says\n"
    "why.\n"
    "Exit status: 0 if all is fine, 1 if a label is invalid or could mislead, 2 for\n"
    "wrong usage.\n";

static const struct buffer *result(const struct conversion *conversion, bool exact)
{
    (void)exact;
    return &conversion->ascii;
}

/* A delta below 2^32 has at most ten digits, whatever the bias: each step of the inner loop of RFC
 * 3492, section 6.3, divides by base - t, at least 10. A basic code point takes one octet. */
enum { OCTETS_PER_CODE_POINT = 10 };

static xn_status convert(const uint32_t *input, size_t input_len, struct buffer *out,
                         struct xn_punycode_step *steps, size_t *step_count)
{
    size_t room = input_len * OCTETS_PER_CODE_POINT + 1;
    uint8_t *dst = (uint8_t *)buffer_reserve(out, room);

    return xn_punycode_encode_traced(input, input_len, dst, room, &out->len, steps, step_count);
}

int encode_main(int argc, char **argv)
{
    static const struct codec codec = {.name = "encode",
                                       .help = help,
                                       .strict = STRICT_TO_ASCII,
                                       .result = result,
                                       .convert = convert,
                                       .trace = trace_encoding};

    return codec_main(&codec, argc, argv);
}
