/* SPDX-License-Identifier: BSD-3-Clause */
/* `encode`: its options, and names as A-labels. */
#include "tools/codec/codec.h"
#include "tools/codec/trace.h"
#include "tools/command/command.h"

#include <stdlib.h>

static const char help[] =
    "Usage: unbound-idn encode [OPTION]... [NAME]...\n"
    "\n"
    "Prints each name as A-labels, one name on a line. Without NAME, reads names from\n"
    "standard input, one on a line. ASCII labels are only changed to lower case. If\n"
    "NAME is a URL, its host is encoded.\n"
    "\n"
    "  --punycode    encode any text as RFC 3492 does: no name, no \"xn--\"\n"
    "  --trace       with --punycode: print the steps in the words of RFC 3492, 7.3\n"
    "  --json        print one JSON object on a line\n"
    "\n"
    "A name that has no A-label form gives an empty line and an error.\n"
    "Exit status: 0 if all is fine, 1 if a label is invalid or could mislead, 2 for\n"
    "wrong usage.\n";

static const struct buffer *result(const struct conversion *conversion)
{
    return &conversion->ascii;
}

/* A delta below 2^32 has at most ten digits, whatever the bias: each step of the inner loop of RFC
 * 3492, section 6.3, divides by base - t, at least 10. A basic code point takes one octet. */
enum { OCTETS_PER_CODE_POINT = 10 };

static xn_status convert(const struct codepoints *string, struct codepoints *result,
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

int encode_main(int argc, char **argv)
{
    static const struct codec codec = {
        .name = "encode",
        .help = help,
        .result = result,
        .procedure = {OCTETS_PER_CODE_POINT, convert, trace_encoding}};

    return codec_main(&codec, argc, argv);
}
