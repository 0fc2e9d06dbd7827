/* SPDX-License-Identifier: BSD-3-Clause */
/* Restriction levels tell how far a label mixes scripts (UTS 39, section 5.2). */
#ifndef XN_CORE_IDNA_LEVEL_H
#define XN_CORE_IDNA_LEVEL_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    XN_LEVEL_ASCII,
    XN_LEVEL_SINGLE,
    XN_LEVEL_HIGHLY,
    XN_LEVEL_MODERATE,
    XN_LEVEL_MINIMAL,
    XN_LEVEL_UNRESTRICTED
} xn_level; /* the more, the higher */

/* Returns "ascii", "single", "highly", "moderate", "minimal" or "unrestricted", or "unknown" for
 * any other value. Never NULL; static storage. */
const char *xn_level_word(xn_level level);

#ifdef __cplusplus
}
#endif

#endif
