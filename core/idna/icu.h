/* SPDX-License-Identifier: BSD-3-Clause */
/* ICU's handles and error bits: the files of core/idna/ that ask ICU about labels share them. */
#ifndef XN_CORE_IDNA_ICU_H
#define XN_CORE_IDNA_ICU_H

#include "core/idna/finding.h"

#include <stddef.h>
#include <stdint.h>

#include <unicode/uidna.h>

/* ICU's tests of hyphens, Bidi, joiners and lengths change no result, and are always on. These two
 * options do. */
enum { XN_ICU_STD3 = 1, XN_ICU_TRANSITIONAL = 2, XN_ICU_VARIANTS = 4 };

struct xn_unicode {
    UIDNA *uts46[XN_ICU_VARIANTS]; /* by a sum of options */
    const UIDNA *idna;             /* the one of them with the options of UTS 46's test file */
};

/* Returns the reasons for ICU's error bits (UIDNA_ERROR_...) about a name that ICU has mapped
 * (UTF-8).
 */
xn_reasons xn_icu_reasons_of_mapping(uint32_t errors, const void *mapped, int32_t len);

/* Maps a label like xn_unicode_map_label (core/idna/mapping.h), but without the table. */
xn_reasons xn_icu_map_label(const struct xn_unicode *unicode, const uint8_t *label, size_t len,
                            uint8_t *dst, size_t *dst_len);

#endif
