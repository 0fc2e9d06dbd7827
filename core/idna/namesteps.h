/* SPDX-License-Identifier: BSD-3-Clause */
/* The two steps of xn_name_read, for callers that may know a name before its A-labels are decoded.
 */
#ifndef XN_CORE_IDNA_NAMESTEPS_H
#define XN_CORE_IDNA_NAMESTEPS_H

#include "core/idna/name.h"

/* Finds the labels of a wire name and decodes none: cps_len and the reasons of each label are 0.
 * Returns XN_OK, or XN_BAD_WIRE when xn_name_read does; *name is then unspecified. */
XN_MUST_CHECK xn_status xn_name_split(const uint8_t *wire, size_t wire_len, struct xn_name *name);

/* Decodes the A-labels of a name that xn_name_split has read; the name is then what xn_name_read
 * makes of it. `ignored` is a set of display reasons, as for xn_name_read. */
void xn_name_decode(const struct xn_unicode *unicode, xn_reasons ignored, struct xn_name *name);

#endif
