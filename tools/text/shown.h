/* SPDX-License-Identifier: BSD-3-Clause */
/* Text that the log shows, read back. */
#ifndef XN_TOOLS_TEXT_SHOWN_H
#define XN_TOOLS_TEXT_SHOWN_H

#include <stddef.h>

/* Copies text with the characters that `\u{430}` stands for, where they are neither ASCII nor dots:
 * so that what was copied from a log line is the name that it shows. `\\` and `\.` begin no such
 * escape, and stay as they are. dst has room for len octets, and may be text. Returns how many were
 * written. */
size_t shown_read(const char *text, size_t len, char *dst);

#endif
