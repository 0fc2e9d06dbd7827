/* SPDX-License-Identifier: BSD-3-Clause */
/* A whole wire name, label by label: which are A-labels, what they stand for and what is to be said
 * of them. Nothing is allocated: a struct of about 2 kB that the caller owns holds everything. */
#ifndef XN_CORE_IDNA_NAME_H
#define XN_CORE_IDNA_NAME_H

#include "core/idna/unicode.h"
#include "core/wire/wire.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Code points of all A-labels of a name together: at most the octets of their Punycode, which is
 * what the name has less its root label and, for each, the length octet and the prefix. With one
 * label of n octets more there are five octets less: four labels of 63, 63, 63 and 61 octets hold
 * the most. */
enum { XN_NAME_CODE_POINTS_MAX = XN_WIRE_NAME_MAX - 1 - 4 * (1 + 4) };

struct xn_label {
    uint8_t at;      /* offset of its first octet in the wire name */
    uint8_t len;     /* octets */
    uint8_t cps_at;  /* its code points in xn_name.code_points */
    uint8_t cps_len; /* 0 if it has no "xn--", or nothing behind it that is Punycode for more than
                        ASCII */
    bool ace;        /* begins with "xn--", in any case */
    xn_reasons reasons; /* 0 for a label without "xn--" */
};

struct xn_name {
    const uint8_t *wire; /* not owned: must outlive this struct */
    uint8_t label_count; /* without the root's; labels[0] is the leftmost */
    uint8_t ace_count;   /* of them begin with "xn--" */
    xn_reasons reasons;  /* of all labels */
    struct xn_label labels[XN_WIRE_LABELS_MAX];
    /* With room for the longest label wherever the last one begins. */
    uint32_t code_points[(int)XN_NAME_CODE_POINTS_MAX + XN_ULABEL_MAX];
};

/* Reads a wire name. `ignored` is a set of display reasons (XN_EMOJI, say, where emoji may be
 * shown) that are left out of the findings; 0 for none. Returns XN_OK; XN_BAD_WIRE as xn_wire_open,
 * and *name is unspecified. */
XN_MUST_CHECK xn_status xn_name_read(const struct xn_unicode *unicode, const uint8_t *wire,
                                     size_t wire_len, xn_reasons ignored, struct xn_name *name);

#ifdef __cplusplus
}
#endif

#endif
