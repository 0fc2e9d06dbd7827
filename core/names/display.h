/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes names for people: in Unicode where that cannot mislead, with escapes elsewhere. Whatever
 * the name holds, the text has no control, bidi, invisible, blank or separator character and no
 * `"`. A `\` begins one of two escapes: `\DDD` (an octet of a label without "xn--") or `\u{…}` (a
 * code point in upper-case hexadecimal). Private: not part of libxn's interface. */
#ifndef XN_CORE_NAMES_DISPLAY_H
#define XN_CORE_NAMES_DISPLAY_H

#include "core/idna/name.h"
#include "core/idna/property.h"

#include <assert.h>

enum {
    /* Octets of a label: ten for each code point, `\u{10FFFF}` (UTF-8 and `\DDD` take four), and
       one that the last escape may overwrite. */
    XN_DISPLAY_LABEL_MAX = 10 * XN_ULABEL_MAX + 1,
    /* Octets of a name: ten for each code point, and a dot for each label. */
    XN_DISPLAY_NAME_MAX = 10 * XN_NAME_CODE_POINTS_MAX + XN_WIRE_LABELS_MAX
};
static_assert(4 * (int)XN_WIRE_LABEL_MAX <= (int)XN_DISPLAY_LABEL_MAX,
              "a label of escaped octets fits");
static_assert((int)XN_WIRE_TEXT_MAX <= (int)XN_DISPLAY_NAME_MAX, "a name of escaped octets fits");

/* Writes one label of a name that xn_name_read read:
 * - a label without "xn--", and an invalid one, as xn_wire_label_to_text writes it;
 * - a restricted label with `\u{…}` for each code point that is not ASCII;
 * - a label that xn_name_decode_raw decoded as if it were an A-label, but with `\u{…}` if it would
 *   be invalid, too; its ASCII then as xn_wire_label_to_text writes it;
 * - any other label in UTF-8, with `\u{…}` for joiners.
 * dst has room for XN_DISPLAY_LABEL_MAX octets. No NUL is written. Returns the number of octets
 * written. */
size_t xn_display_label(const struct xn_name *name, const struct xn_label *label, char *dst);

/* Writes a whole name in the same way, with dots between labels and none at the end (the root is
 * "."). dst has room for XN_DISPLAY_NAME_MAX octets. No NUL is written. Returns the number of
 * octets written. */
size_t xn_display_name(const struct xn_name *name, char *dst);

/* Does the same for a name with at least one label, faster: labels that are not decoded are copied
 * from `text`, which xn_wire_to_text wrote without an escape. It wrote none if it returned
 * xn_display_text_len. */
size_t xn_display_name_by_text(const struct xn_name *name, const char *text, char *dst);

static inline size_t xn_display_text_len(const struct xn_name *name)
{
    if (name->label_count == 0) /* the root */
        return 0;
    const struct xn_label *last = &name->labels[name->label_count - 1];
    return (size_t)last->at + last->len;
}

/* Returns whether xn_display_label writes the code points of a label, not its octets. */
static inline bool xn_display_is_decoded(const struct xn_label *label)
{
    return label->raw || (label->ace && xn_reasons_status(label->reasons) != XN_LABEL_INVALID);
}

/* Returns whether all of these reasons allow to show a label as it is. */
static inline bool xn_display_is_plain(xn_reasons reasons)
{
    return (reasons & ~xn_reason_bit(XN_RAW_UTF8)) == 0;
}

/* Returns whether xn_display_label escapes a code point of such a label. */
static inline bool xn_display_escapes(const struct xn_label *label, uint32_t cp)
{
    return cp >= 0x80 && (!xn_display_is_plain(label->reasons) || xn_unicode_is_joiner(cp));
}

/* Octets that xn_hexadecimal_escape (core/text/hexadecimal.h) may overwrite: one more than the
 * longest escape. */
enum { XN_DISPLAY_ESCAPE_MAX = 3 + 8 };
static_assert(10 * XN_ULABEL_MAX + 1 <= (int)XN_DISPLAY_LABEL_MAX &&
                  10 * XN_NAME_CODE_POINTS_MAX + 1 <= (int)XN_DISPLAY_NAME_MAX,
              "room after the last escape");

/* Returns whether xn_display_name writes any label differently from xn_wire_to_text. */
bool xn_display_differs(const struct xn_name *name);

#endif
