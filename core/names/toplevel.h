/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the top-level domain of a written name, for callers that read a name label by label:
 * whether a label is shown may depend on it (XN_WHOLESCRIPT). Allocates nothing, except that ICU
 * may. */
#ifndef XN_CORE_NAMES_TOPLEVEL_H
#define XN_CORE_NAMES_TOPLEVEL_H

#include "core/text/status.h"
#include "core/wire/size.h"

#include <stddef.h>
#include <stdint.h>

struct xn_name;
struct xn_unicode;

struct xn_toplevel {
    uint8_t len; /* 0: the name has no labels, or was not read yet */
    uint8_t octets[XN_WIRE_LABEL_MAX];
};

/* Finds the last label of a name (UTF-8), in its form in the DNS. If it has none, *tld is a TLD of
 * no script. */
void xn_toplevel_find(const struct xn_unicode *unicode, const uint8_t *text, size_t len,
                      struct xn_toplevel *tld);

/* Writes the TLD and the root after the label that wire holds: its length, 1 to 63, and its octets.
 * wire has room for XN_TOPLEVEL_WIRE_MAX octets. Returns the length of the resulting name. In
 * it, xn_name_read finds the same in the label as in the whole name, even if the label is the TLD
 * itself. */
enum { XN_TOPLEVEL_WIRE_MAX = 2 * (1 + XN_WIRE_LABEL_MAX) + 1 };
size_t xn_toplevel_append(const struct xn_toplevel *tld, uint8_t *wire);

/* Reads the label that wire holds, as above, as the first label of *name, with the findings that it
 * has in the name `text`. Finds the TLD only if they depend on it. The caller sets tld->len to 0
 * before it reads the first label of a name, and passes the same *tld for the others. Returns
 * XN_OK, or XN_BAD_WIRE if wire holds no label. */
XN_MUST_CHECK xn_status xn_toplevel_read(const struct xn_unicode *unicode, const uint8_t *text,
                                         size_t len, struct xn_toplevel *tld, uint8_t *wire,
                                         struct xn_name *name);

#endif
