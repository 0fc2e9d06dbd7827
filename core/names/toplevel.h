/* SPDX-License-Identifier: BSD-3-Clause */
/* The top-level domain of a written name, for those who read a name label by label: whether a label
 * is shown may depend on it (XN_WHOLESCRIPT). Allocates nothing, except that ICU may. */
#ifndef XN_CORE_NAMES_TOPLEVEL_H
#define XN_CORE_NAMES_TOPLEVEL_H

#include "core/text/status.h"
#include "core/wire/size.h"

#include <stddef.h>
#include <stdint.h>

struct xn_name;
struct xn_unicode;

struct xn_toplevel {
    uint8_t len; /* 0: the name has no labels, or nobody has looked yet */
    uint8_t octets[XN_WIRE_LABEL_MAX];
};

/* Finds the last label of a name (UTF-8), as it is in the DNS. One that has no form there is taken
 * for a TLD of no script. */
void xn_toplevel_find(const struct xn_unicode *unicode, const uint8_t *text, size_t len,
                      struct xn_toplevel *tld);

/* Writes the TLD and the root after the label that wire holds: its length, 1 to 63, and its octets.
 * wire has room for XN_TOPLEVEL_WIRE_MAX octets. Returns the length of the name that this makes: in
 * it, xn_name_read finds in the label whatever it finds in its place in the name; the TLD itself,
 * twice, is no exception. */
enum { XN_TOPLEVEL_WIRE_MAX = 2 * (1 + XN_WIRE_LABEL_MAX) + 1 };
size_t xn_toplevel_append(const struct xn_toplevel *tld, uint8_t *wire);

/* Reads the label that wire holds, as above, into a name that has it first. It has the findings
 * that it has in its place in the name that text says; the TLD is looked for only if they depend on
 * it. Before the first label of a name is read, tld->len is 0; *tld is then kept for the others.
 * Returns XN_OK, or XN_BAD_WIRE if wire holds no label. */
XN_MUST_CHECK xn_status xn_toplevel_read(const struct xn_unicode *unicode, const uint8_t *text,
                                         size_t len, struct xn_toplevel *tld, uint8_t *wire,
                                         struct xn_name *name);

#endif
