/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks decoded labels by UTS 46 (nontransitional; STD3, Bidi, ContextJ and hyphen tests) and
 * UTS 39, with the table of core/idna/traits.h. ICU is asked about single characters and pairs at
 * most, so the time is linear in the length of a label, which may be any; a label of no code points
 * may be NULL. The results are ICU's, except that a label which UTS 46 would change is
 * XN_NOT_CANONICAL alone. Code points are Unicode scalar values (no surrogates, at most U+10FFFF);
 * for others the results are meaningless but harmless. These functions allocate nothing and keep no
 * state, so any thread may call them. Private: not part of libxn's interface. */
#ifndef XN_CORE_IDNA_ULABEL_H
#define XN_CORE_IDNA_ULABEL_H

#include "core/idna/finding.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns why the code points of a label, at least one of them not ASCII, are not a U-label: those
 * of XN_NOT_CANONICAL, XN_DISALLOWED, XN_BIDI, XN_CONTEXTJ, XN_LEADING_MARK and XN_HYPHEN that
 * apply (UTS 46, section 4.1). If none applies, returns XN_PUNCTUATION for a middle dot or the like
 * out of its context (RFC 5892, appendix A.3 to A.7); the label is valid then. The Bidi rule is
 * tested within the label. This function and the next two return only XN_TOO_LONG for more than
 * XN_ULABEL_MAX code points, and only XN_EMPTY for none (xn_ulabel_check_display: 0). */
xn_reasons xn_ulabel_check_valid(const uint32_t *label, size_t len);

/* Returns why a U-label (for which the function above found no invalid reason) is not shown as it
 * is: those of XN_CHARSET, XN_SCRIPT_MIX, XN_PUNCTUATION, XN_EMOJI, XN_WHOLESCRIPT and XN_DIGITS
 * that apply, as if it had no TLD. Joiners are left out of the tests: in a U-label they are valid
 * in their context, but UTS 39, section 5.2, would find them outside the Allowed set.
 *
 * The display set (core/idna/finding.h) leaves out characters that look like ASCII punctuation or
 * strike through a letter. */
xn_reasons xn_ulabel_check_display(const uint32_t *label, size_t len);

/* Checks both: returns only the invalid reasons if there are any, else all reasons that
 * xn_ulabel_check_valid and xn_ulabel_check_display find. */
xn_reasons xn_ulabel_check(const uint32_t *label, size_t len);

/* How far a label mixes scripts (UTS 39, section 5.2). */
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

/* Returns how far a label's scripts are mixed, whether or not its characters are Allowed. It is
 * XN_LEVEL_UNRESTRICTED only for more than XN_ULABEL_MAX code points. */
xn_level xn_ulabel_mix(const uint32_t *label, size_t len);

/* Writes the A-label that xn_unicode_map_label (core/idna/mapping.h) makes of a label (UTF-8)
 * without a fault. dst has room for 63 octets. Returns false if ICU must map the label; the
 * contents of dst are then unspecified, and *dst_len is unchanged. */
bool xn_ulabel_map(const uint8_t *label, size_t len, uint8_t *dst, size_t *dst_len);

/* Copies a label without its joiners to dst, which has room for len code points. Returns how many
 * are left. */
size_t xn_ulabel_drop_joiners(const uint32_t *label, size_t len, uint32_t *dst);

/* Scripts by ISO 15924 code, such as "Cyrl", each once, in order of appearance. The codes are in
 * static storage. */
enum { XN_SCRIPTS_MAX = 32 };
struct xn_scripts {
    size_t count;
    const char *codes[XN_SCRIPTS_MAX];
};

/* Adds the scripts (Unicode's property Script, without Common and Inherited) of a label's code
 * points. Scripts for which there is no room are left out. */
void xn_ulabel_add_scripts(const uint32_t *label, size_t len, struct xn_scripts *scripts);

#endif
