/* SPDX-License-Identifier: BSD-3-Clause */
/* ICU's handles and error bits: core/idna/unicode.c and core/idna/uts46.c share them. */
#ifndef XN_CORE_IDNA_ICU_H
#define XN_CORE_IDNA_ICU_H

#include "core/idna/unicode.h"

#include <unicode/uidna.h>
#include <unicode/uset.h>
#include <unicode/uspoof.h>

/* ICU's tests of hyphens, Bidi, joiners and lengths change no result, and are always on. These two
 * options do. */
enum { XN_ICU_STD3 = 1, XN_ICU_TRANSITIONAL = 2, XN_ICU_VARIANTS = 4 };

struct xn_unicode {
    UIDNA *uts46[XN_ICU_VARIANTS]; /* by a sum of options */
    const UIDNA *idna;             /* the one of them with the options of UTS 46's test file */
    USpoofChecker *level;          /* finds the restriction level */
    USpoofChecker *marks;          /* finds the same mark twice in a row */
    USet *allowed;                 /* characters of Identifier_Status Allowed */
    bool same_unicode;             /* the table of traits has the Unicode version of this ICU */
};

/* Returns the reasons that ICU's error bits (UIDNA_ERROR_...) stand for. */
xn_reasons xn_icu_reasons(uint32_t errors);

/* Does the same for a name that ICU has mapped (UTF-8). */
xn_reasons xn_icu_reasons_of_mapping(uint32_t errors, const void *mapped, int32_t len);

#endif
