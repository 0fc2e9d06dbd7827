/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts that encode and decode share: options, the loop over the input, and output lines. */
#ifndef XN_TOOLS_CODEC_CODEC_H
#define XN_TOOLS_CODEC_CODEC_H

#include "tools/codec/convert.h"
#include "tools/codec/rfc3492.h"

/* One direction, encode or decode. */
struct codec {
    const char *name;
    const char *help;
    const struct buffer *(*result)(const struct conversion *conversion); /* for a name */
    struct rfc3492 procedure;                                            /* of --punycode */
};

int codec_main(const struct codec *codec, int argc, char **argv);

#endif
