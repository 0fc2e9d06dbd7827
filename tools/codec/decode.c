/* SPDX-License-Identifier: BSD-3-Clause */
/* `decode`: its options, and names in Unicode. */
#include "tools/codec/codec.h"
#include "tools/codec/trace.h"
#include "tools/command/command.h"

#include <stdlib.h>

static const char help[] =
    "Usage: unbound-idn decode [OPTION]... [NAME]...\n"
    "\n"
    "Prints each name in Unicode, one name on a line, as the resolver's log shows it:\n"
    "labels that are not A-labels stay as they are, and characters that could mislead\n"
    "are escaped. Without NAME, reads names from standard input, one on a line. If\n"
    "NAME is a URL, its host is decoded.\n"
    "\n"
    "  --punycode    decode any text as RFC 3492 does: no name, no \"xn--\"\n"
    "  --trace       with --punycode: print the steps in the words of RFC 3492, 7.2\n"
    "  --json        print one JSON object on a line: \"unicode\" is exact, \"display\"\n"
    "                is safe to show\n"
    "\n"
    "Exit status: 0 if all is fine, 1 if a label is invalid or could mislead, 2 for\n"
    "wrong usage.\n";

static const struct buffer *result(const struct conversion *conversion)
{
    return &conversion->display;
}

/* Punycode is ASCII: any other code point becomes 0xFF, which the decoder refuses. */
static uint8_t *to_octets(const struct codepoints *string)
{
    uint8_t *octets = buffer_zeros(string->len + 1, 1);

    for (size_t i = 0; i < string->len; i++)
        octets[i] = string->cps[i] < 0x80 ? (uint8_t)string->cps[i] : 0xFF;
    return octets;
}

static xn_status convert(const struct codepoints *string, struct codepoints *result,
                         struct xn_punycode_notes *notes)
{
    uint8_t *octets = to_octets(string);
    xn_status status = xn_punycode_decode_traced(octets, string->len, result->cps, string->len,
                                                 &result->len, notes);

    free(octets);
    return status;
}

int decode_main(int argc, char **argv)
{
    static const struct codec codec = {.name = "decode",
                                       .help = help,
                                       .result = result,
                                       .procedure = {1, convert, trace_decoding}};

    return codec_main(&codec, argc, argv);
}
