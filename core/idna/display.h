/* SPDX-License-Identifier: BSD-3-Clause */
/* How a name is shown to people: Unicode where nobody can be misled, escapes elsewhere. Whatever is
 * in the name, the text has no control, bidi (but for XN_DISPLAY_ISOLATES), invisible, blank or
 * separator character in it, no `"`, and no `\` but in `\DDD` (an octet of a label without "xn--")
 * and `\u{…}` (a code point in upper-case hexadecimal). */
#ifndef XN_CORE_IDNA_DISPLAY_H
#define XN_CORE_IDNA_DISPLAY_H

#include "core/idna/name.h"

#include <assert.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Wrap each right-to-left label in U+2068 (FSI) and U+2069 (PDI), so that the labels keep their
 * order on a bidi terminal. */
enum { XN_DISPLAY_ISOLATES = 1 };

enum {
    XN_DISPLAY_ISOLATES_LEN = 2 * 3, /* FSI and PDI in UTF-8 */
    /* A label: ten octets for each code point, `\u{10FFFF}` (UTF-8 and `\DDD` take four). */
    XN_DISPLAY_LABEL_MAX = 10 * XN_ULABEL_MAX + XN_DISPLAY_ISOLATES_LEN,
    /* A name: the same for its code points, isolates and a dot for each label. */
    XN_DISPLAY_NAME_MAX =
        10 * XN_NAME_CODE_POINTS_MAX + XN_WIRE_LABELS_MAX * (XN_DISPLAY_ISOLATES_LEN + 1)
};
static_assert(4 * (int)XN_WIRE_LABEL_MAX <= (int)XN_DISPLAY_LABEL_MAX,
              "a label of escaped octets fits");
static_assert((int)XN_WIRE_TEXT_MAX <= (int)XN_DISPLAY_NAME_MAX, "a name of escaped octets fits");

/* Writes one label of a name that xn_name_read read, which makes no label longer than the room
 * here: without "xn--" as xn_wire_label_to_text does; an invalid one so too, as the A-label it
 * claims to be; a restricted one with `\u{…}` for all that is not ASCII; any other in UTF-8, with
 * `\u{…}` for joiners. dst has room for XN_DISPLAY_LABEL_MAX octets; no NUL. Returns how many were
 * written. */
size_t xn_display_label(const struct xn_name *name, const struct xn_label *label, int flags,
                        char *dst);

/* Writes the whole name so, labels joined by dots and without a final one (the root is "."). dst
 * has room for XN_DISPLAY_NAME_MAX octets; no NUL. Returns how many were written. */
size_t xn_display_name(const struct xn_name *name, int flags, char *dst);

/* The same for a name with a label, of which xn_wire_to_text made `text` without an escape, which
 * is when it has xn_display_text_len octets: what is not decoded is copied from there. */
size_t xn_display_name_by_text(const struct xn_name *name, int flags, const char *text, char *dst);

static inline size_t xn_display_text_len(const struct xn_name *name)
{
    if (name->label_count == 0) /* the root */
        return 0;
    const struct xn_label *last = &name->labels[name->label_count - 1];
    return (size_t)last->at + last->len;
}

/* Does xn_display_label write a label in code points, and one of these as an escape? */
static inline bool xn_display_is_decoded(const struct xn_label *label)
{
    return label->ace && xn_reasons_status(label->reasons) != XN_LABEL_INVALID;
}

static inline bool xn_display_escapes(const struct xn_label *label, uint32_t cp)
{
    return cp >= 0x80 && (label->reasons != 0 || xn_unicode_is_joiner(cp));
}

/* Writes `\u{430}`: as many digits as the code point needs. dst has room for XN_DISPLAY_ESCAPE_MAX
 * octets, one more than the longest has, and they are written to. Returns how many count; 0 above
 * U+10FFFF: nothing is written then. */
enum { XN_DISPLAY_ESCAPE_MAX = 3 + 8 };
static_assert(10 * XN_ULABEL_MAX + 1 <= (int)XN_DISPLAY_LABEL_MAX &&
                  10 * XN_NAME_CODE_POINTS_MAX + 1 <= (int)XN_DISPLAY_NAME_MAX,
              "room behind the last escape");
size_t xn_display_escape(uint32_t cp, char *dst);

/* Would xn_display_name write a label otherwise than xn_wire_to_text? */
bool xn_display_differs(const struct xn_name *name);

#ifdef __cplusplus
}
#endif

#endif
