/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads names from a log back to wire format. */
#ifndef XN_TOOLS_LOGS_NAME_H
#define XN_TOOLS_LOGS_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct xn_unicode;

/* Reads a name without its final dot ("." is the root): A-labels and `\DDD`, or Unicode as
 * `log-name: unicode` writes it, with `\u{200C}` and isolates. wire has room for XN_WIRE_NAME_MAX
 * octets and gets lower-case ASCII. *idn tells whether a label begins with "xn--". Returns the
 * length of the wire name, or 0 if the text is not a DNS name. */
size_t report_name_read(const struct xn_unicode *unicode, const char *text, size_t len,
                        uint8_t *wire, bool *idn);

#endif
