/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads names from a log back to wire format. */
#ifndef XN_TOOLS_LOGS_LOGNAME_H
#define XN_TOOLS_LOGS_LOGNAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads a name without its final dot ("." is the root), with `\DDD` and other escapes of RFC 1035,
 * section 5.1. Octets that are not ASCII stand for themselves. wire has room for XN_WIRE_NAME_MAX
 * octets and gets lower-case ASCII. *idn is whether a label begins with "xn--". Returns the
 * length of the wire name, or 0 if the text is not a DNS name. */
size_t logs_name_read(const char *text, size_t len, uint8_t *wire, bool *idn);

#endif
