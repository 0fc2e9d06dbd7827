/* SPDX-License-Identifier: BSD-3-Clause */
/* The limits of names and labels, for buffers (RFC 1035, section 2.3.4). */
#ifndef XN_CORE_WIRE_SIZE_H
#define XN_CORE_WIRE_SIZE_H

#include <assert.h>

enum {
    XN_WIRE_LABEL_MAX = 63,   /* octets of a label, without its length octet */
    XN_WIRE_NAME_MAX = 255,   /* octets of a name, with every length octet and the root's */
    XN_WIRE_LABELS_MAX = 127, /* labels of a name without the root: each has at least two octets */
    /* Octets of a name as text: `\DDD` for each octet of a label, and a dot for each label. The
     * longest labels give the longest text: three of 63 octets and one of 61 fill a name. */
    XN_WIRE_TEXT_MAX = 3 * (4 * 63 + 1) + (4 * 61 + 1)
};
static_assert(3 * (63 + 1) + (61 + 1) + 1 == XN_WIRE_NAME_MAX,
              "the longest text is that of a name of 255 octets");

/* Code points in a U-label: each takes at least one of the 59 octets that an A-label has after
 * "xn--". */
enum { XN_ULABEL_MAX = 63 - 4 };

#endif
