/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a whole wire name, label by label: decodes the A-labels and collects findings. The result
 * is a struct of about 3 kB that the caller owns. Allocates nothing. Private: not part of libxn's
 * interface. */
#ifndef XN_CORE_IDNA_NAME_H
#define XN_CORE_IDNA_NAME_H

#include "core/idna/finding.h"
#include "core/idna/unicode.h"
#include "core/wire/walk.h"

/* The most code points that all A-labels of a name have together: one for each octet of Punycode.
 * The root label takes an octet of the name, and each label takes five for its length and prefix,
 * so the fewest labels hold the most: four, of 63, 63, 63 and 61 octets. */
enum { XN_NAME_CODE_POINTS_MAX = XN_WIRE_NAME_MAX - 1 - 4 * (1 + 4) };

struct xn_label {
    uint8_t at;      /* offset of its first octet in the wire name */
    uint8_t len;     /* octets */
    uint8_t cps_at;  /* its code points in xn_name.code_points */
    uint8_t cps_len; /* 0 if there is no "xn--", or what follows is not Punycode or encodes no more
                        than ASCII */
    bool ace;        /* begins with "xn--", in upper or lower case */
    bool raw;        /* raw UTF-8, which xn_name_decode_raw has decoded */
    xn_reasons reasons; /* 0 for a label without "xn--" that is not raw */
};

struct xn_name {
    const uint8_t *wire; /* not owned: must outlive this struct */
    uint8_t label_count; /* without the root's; labels[0] is the leftmost */
    uint8_t ace_count;   /* labels that begin with "xn--" */
    xn_reasons reasons;  /* the reasons of all labels */
    struct xn_label labels[XN_WIRE_LABELS_MAX];
    /* Room for the longest label, wherever the last one begins. */
    uint32_t code_points[(int)XN_NAME_CODE_POINTS_MAX + XN_ULABEL_MAX];
};

/* Reads a wire name. `ignored` is a set of display reasons to leave out of the findings (such as
 * XN_EMOJI, to allow emoji); 0 leaves out none. Returns XN_OK, or XN_BAD_WIRE when xn_wire_open
 * does; *name is then unspecified. */
XN_MUST_CHECK xn_status xn_name_read(const struct xn_unicode *unicode, const uint8_t *wire,
                                     size_t wire_len, xn_reasons ignored, struct xn_name *name);

/* --- the two steps, for callers that may know a name before its A-labels are decoded --- */

/* Finds the labels of a wire name and decodes none: cps_len and the reasons of each label are 0.
 * Returns XN_OK, or XN_BAD_WIRE when xn_name_read does; *name is then unspecified. */
XN_MUST_CHECK xn_status xn_name_split(const uint8_t *wire, size_t wire_len, struct xn_name *name);

/* Decodes the A-labels of a name that xn_name_split has read; the name is then what xn_name_read
 * makes of it. `ignored` is a set of display reasons, as for xn_name_read. */
void xn_name_decode(const struct xn_unicode *unicode, xn_reasons ignored, struct xn_name *name);

/* --- raw UTF-8 --- */

/* Decodes the labels without "xn--" that are UTF-8 and not ASCII alone, of a name that xn_name_read
 * has read, or xn_name_split if it has no A-label. Such a label is then `raw`, has its code points,
 * with ASCII letters in lower case, and the reasons XN_RAW_UTF8 and those of xn_ulabel_check, as if
 * it had no TLD; `ignored` is a set of display reasons, as for xn_name_read. A label that is not
 * UTF-8 stays as it is. Returns whether there is a raw label. */
bool xn_name_decode_raw(xn_reasons ignored, struct xn_name *name);

#endif
