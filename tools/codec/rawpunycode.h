/* SPDX-License-Identifier: BSD-3-Clause */
/* --punycode: RFC 3492's own operation, without names and prefixes. */
#ifndef XN_TOOLS_CODEC_RAWPUNYCODE_H
#define XN_TOOLS_CODEC_RAWPUNYCODE_H

#include "tools/command/input.h"

#include <stdbool.h>

/* Encodes or decodes each argument or line. With `trace`, prints the steps in the words of RFC
 * 3492, sections 7.2 and 7.3. Returns the exit status. */
int rawpunycode_run(bool encodes, bool trace, struct input *input);

#endif
