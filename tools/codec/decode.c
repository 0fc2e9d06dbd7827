/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/codec/codec.h"
#include "tools/codec/trace.h"
#include "tools/command/command.h"

#include "core/text/utf8.h"

#include <stdlib.h>

static const char help[] =
    "Usage: unbound-idn decode [OPTION]... [NAME]...\n"
    "\n"
    "Prints each name in Unicode, one name on a line, as the resolver's log shows it:\n"
    "labels that are not A-labels stay as they are, and characters that could mislead\n"
    "are escaped. Without NAME, reads names from standard input, one on a line.\n"
    "\n"
    "  --strict      use UTS 46 ToUnicode on the whole name, with all checks\n"
    "  --punycode    decode as RFC 3492 does: no name, no \"xn--\"\n"
    "  --trace       with --punycode: print the steps in the words of RFC 3492, 7.2\n"
    "  --codepoints  print the exact code points: U+0062 U+00FC\n"
    "  --json        print one JSON object on a line: \"unicode\" is exact, \"display\"\n"
    "                is safe to show\n"
    "\n"
    "Exit status: 0 if all is fine, 1 if a label is invalid or could mislead, 2 for\n"
    "wrong usage.\n";

static const struct buffer *result(const struct conversion *conversion, bool exact)
{
    return exact ? &conversion->unicode : &conversion->display;
}

/* Punycode is ASCII: any other code point becomes 0xFF, which the decoder refuses. */
static uint8_t *to_octets(const uint32_t *input, size_t input_len)
{
    uint8_t *octets = malloc(input_len + 1);

    for (size_t i = 0; octets && i < input_len; i++)
        octets[i] = input[i] < 0x80 ? (uint8_t)input[i] : 0xFF;
    return octets;
}

static xn_status add_utf8(const uint32_t *cps, size_t len, struct buffer *out)
{
    char *dst = buffer_reserve(out, len * XN_UTF8_MAX + 1);

    return xn_utf8_encode(cps, len, (uint8_t *)dst, len * XN_UTF8_MAX, &out->len);
}

static xn_status convert(const uint32_t *input, size_t input_len, struct buffer *out,
                         struct xn_punycode_step *steps, size_t *step_count)
{
    uint8_t *octets = to_octets(input, input_len);
    uint32_t *cps = malloc((input_len + 1) * sizeof *cps);
    size_t cps_len;
    xn_status status = octets && cps ? XN_OK : XN_NO_MEMORY;

    if (status == XN_OK)
        status = xn_punycode_decode_traced(octets, input_len, cps, input_len, &cps_len, steps,
                                           step_count);
    if (status == XN_OK)
        status = add_utf8(cps, cps_len, out);
    free(cps);
    free(octets);
    return status;
}

int decode_main(int argc, char **argv)
{
    static const struct codec codec = {.name = "decode",
                                       .help = help,
                                       .strict = STRICT_TO_UNICODE,
                                       .result = result,
                                       .convert = convert,
                                       .trace = trace_decoding};

    return codec_main(&codec, argc, argv);
}
