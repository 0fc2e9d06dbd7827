/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads names as the log shows them, with `\u{…}` escapes. */
#ifndef XN_TOOLS_TEXT_SHOWN_H
#define XN_TOOLS_TEXT_SHOWN_H

#include <stddef.h>

/* Copies text and replaces each escape such as `\u{430}` by its character, unless that is ASCII or
 * a dot. So a name copied from a log line is the name that the line shows. `\\` and `\.` begin no
 * such escape and are kept. dst has room for len octets, and may be text. Returns the number of
 * octets written. */
size_t shown_read(const char *text, size_t len, char *dst);

#endif
