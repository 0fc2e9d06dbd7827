/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps labels by UTS 46 (nontransitional; STD3, Bidi, ContextJ and hyphen tests), and finds which
 * of their characters it rejects. A label (UTF-8) may have any length, and may be NULL if that is
 * 0. Any thread may call these functions, with one handle for all; ICU may allocate. Private: not
 * part of libxn's interface. */
#ifndef XN_CORE_IDNA_MAPPING_H
#define XN_CORE_IDNA_MAPPING_H

#include "core/idna/finding.h"

#include <stddef.h>
#include <stdint.h>

struct xn_unicode;

/* Maps a label (UTF-8) by UTS 46, section 4, and writes its A-label, or plain ASCII if the mapping
 * leaves only that, to dst, which has room for 63 octets. Returns 0, or the reasons why
 * the label has no A-label, and *dst_len is then 0: those of xn_ulabel_check_valid, XN_PUNYCODE if
 * the label is mapped to "xn--" without Punycode, XN_TOO_LONG and XN_EMPTY. XN_DISALLOWED includes
 * malformed UTF-8, and characters that the mapping would silently drop (U+00AD, U+200B and the
 * like), except U+FE0E and U+FE0F after an emoji; a digit is an emoji only before U+20E3. Time is
 * bounded: a label over XN_PRESENTATION_LABEL_MAX octets is XN_TOO_LONG without being read, and one
 * over XN_PRESENTATION_LABEL_LONG that is much too long gets no other reason. */
enum { XN_PRESENTATION_LABEL_MAX = 1024, XN_PRESENTATION_LABEL_LONG = 4 * 63 };
xn_reasons xn_unicode_map_label(const struct xn_unicode *unicode, const uint8_t *label, size_t len,
                                uint8_t *dst, size_t *dst_len);

/* --- for messages about written names, while rules are loaded; never on a query's path --- */

typedef enum {
    XN_CHARACTER_ALLOWED, /* allowed, unless it is out of place: a hyphen, joiner or leading mark */
    XN_CHARACTER_DROPPED, /* xn_unicode_map_label rejects it because UTS 46 drops it */
    XN_CHARACTER_REFUSED  /* UTS 46 with STD3 allows it in no label */
} xn_character;

/* Returns whether xn_unicode_map_label accepts a character. Of the rest of the label, only the
 * characters before it (0 at the start) and after it (0 at the end) matter. */
xn_character xn_unicode_judge_character(const struct xn_unicode *unicode, uint32_t cp,
                                        uint32_t before, uint32_t after);

/* Returns the length of the A-label that UTS 46 makes of a label (UTF-8), if it is longer than 63
 * octets. Returns 0 if it is not, or if that is unknown, as for a label over
 * XN_PRESENTATION_LABEL_MAX octets. */
size_t xn_unicode_alabel_overlength(const struct xn_unicode *unicode, const uint8_t *label,
                                    size_t len);

/* Tests the Bidi rule (RFC 5893, section 2), which every label of a name must satisfy if one label
 * is right-to-left. Returns the index of the first code point that breaks it, or len. */
size_t xn_unicode_bidi_fault(const uint32_t *label, size_t len);

#endif
