/* SPDX-License-Identifier: BSD-3-Clause */
/* The library asked without its table of traits, as if the ICU in use had another Unicode version;
 * and what follows from that for the table. */
#ifndef XN_TESTS_UNIT_ICUTABLE_H
#define XN_TESTS_UNIT_ICUTABLE_H

#include "core/idna/icu.h"
#include "core/wire/size.h"

#include <stdlib.h>
#include <string.h>

#include <unicode/unorm2.h>
#include <unicode/ustring.h>

static inline void use_table(struct xn_unicode *unicode, bool use)
{
    unicode->same_unicode = use;
}

/* Does ICU disallow a code point, or what it maps it to? Remembers the answers. */
static inline bool is_disallowed_by_icu(struct xn_unicode *unicode, uint32_t cp)
{
    static uint8_t known[0x110000];
    const uint32_t label[] = {'x', cp};

    if (known[cp] == 0) {
        use_table(unicode, false);
        known[cp] =
            1 + (xn_unicode_check_ulabel(unicode, label, 2) == xn_reason_bit(XN_DISALLOWED));
        use_table(unicode, true);
    }
    return known[cp] > 1;
}

/* Does ICU normalize a label to another one? */
static inline bool is_changed_by_icu(const uint32_t *label, size_t len)
{
    UErrorCode error = U_ZERO_ERROR;
    const UNormalizer2 *uts46 = unorm2_getInstance(NULL, "uts46", UNORM2_COMPOSE, &error);
    UChar units[2 * XN_ULABEL_MAX];
    int32_t units_len;

    u_strFromUTF32(units, sizeof units / sizeof *units, &units_len, (const UChar32 *)label,
                   (int32_t)len, &error);
    bool same = unorm2_isNormalized(uts46, units, units_len, &error);
    if (U_FAILURE(error))
        abort();
    return !same;
}

/* Finds by ICU what the table finds in a label of any length. A label that UTS 46 changes has no
 * other reason; a disallowed code point counts as U+FFFD. */
static inline xn_reasons check_ulabel_by_icu(struct xn_unicode *unicode, const uint32_t *label,
                                             size_t len)
{
    uint32_t seen[XN_ULABEL_MAX];
    bool changed = false, fits = len > 0 && len <= XN_ULABEL_MAX;

    for (size_t i = 0; fits && i < len; i++) {
        seen[i] = is_disallowed_by_icu(unicode, label[i]) ? 0xFFFD : label[i];
        changed |= label[i] == '.';
    }
    use_table(unicode, false);
    xn_reasons reasons = xn_unicode_check_ulabel(unicode, fits ? seen : label, len);
    use_table(unicode, true);
    if (fits && len >= 4 && memcmp(label, U"xn--", 4 * sizeof *label) == 0)
        return xn_reason_bit(XN_HYPHEN);
    return fits && (changed || is_changed_by_icu(seen, len)) ? xn_reason_bit(XN_NOT_CANONICAL)
                                                             : reasons;
}

#endif
