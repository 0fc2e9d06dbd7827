/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks and maps labels by UTS 46 (nontransitional; STD3, Bidi, ContextJ and hyphen tests) and
 * UTS 39. Needs ICU. What is asked of single characters is in core/idna/property.h, which this
 * header includes.
 *
 * A handle is opened once, never changes afterwards and serves any number of threads at a time.
 * Only xn_unicode_open and xn_unicode_close may not run at the same time as other calls on the
 * handle. Code points given to these functions are Unicode scalar values (no surrogates, at most
 * U+10FFFF); for others the results are meaningless but harmless. A pointer to no elements may be
 * NULL. A label of code points may have any length, in time that grows with it, unless a function
 * says otherwise. */
#ifndef XN_CORE_IDNA_UNICODE_H
#define XN_CORE_IDNA_UNICODE_H

#include "core/idna/finding.h"
#include "core/idna/level.h"
#include "core/idna/property.h"
#include "core/text/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct xn_unicode;

/* Opens ICU's data: takes 2 ms and some allocations, and opens no file. Returns XN_OK, and the
 * caller owns *unicode; or XN_UNICODE_DATA or XN_NO_MEMORY, and *unicode is NULL. */
XN_MUST_CHECK xn_status xn_unicode_open(struct xn_unicode **unicode);
void xn_unicode_close(struct xn_unicode *unicode); /* NULL is fine */

/* Returns how often ICU had no memory to check or map a label since the process began. The reasons
 * returned then may be worse than the label deserves: do not cache them. */
unsigned xn_unicode_lacks(void);

/* Returns why the code points of a label, at least one of them not ASCII, are not a U-label: those
 * of XN_NOT_CANONICAL, XN_DISALLOWED, XN_BIDI, XN_CONTEXTJ, XN_LEADING_MARK and XN_HYPHEN that
 * apply (UTS 46, section 4.1). If none applies, returns XN_PUNCTUATION for a middle dot or the like
 * out of its context (RFC 5892, appendix A.3 to A.7); the label is valid then. The Bidi rule is
 * tested within the label. Of a label that UTS 46 would change, it may say
 * XN_NOT_CANONICAL alone. This function and the next two return only XN_TOO_LONG for more than
 * XN_ULABEL_MAX code points, and only XN_EMPTY for none (xn_unicode_check_display: 0). */
xn_reasons xn_unicode_check_ulabel(const struct xn_unicode *unicode, const uint32_t *label,
                                   size_t len);

/* Returns why a U-label (for which the function above found no invalid reason) is not shown as it
 * is: those of XN_CHARSET, XN_SCRIPT_MIX, XN_PUNCTUATION, XN_EMOJI, XN_WHOLESCRIPT and XN_DIGITS
 * that apply, as if it had no TLD. Joiners are left out of the tests: in a U-label they are valid
 * in their context, but UTS 39, section 5.2, would find them outside the Allowed set.
 *
 * The display set is ASCII, and UTS 39's Allowed characters (Recommended and Inclusion) without
 * U+0338, U+058A, U+2010, U+2019, U+2027, U+30A0, U+02BB and U+02BC, which look like ASCII
 * punctuation or strike through a letter, without U+0138, and without the Latin letters beyond
 * U+017F that are in no main exemplar set of CLDR. */
xn_reasons xn_unicode_check_display(const struct xn_unicode *unicode, const uint32_t *label,
                                    size_t len);

/* Checks both: returns the invalid reasons alone if there are any, else all reasons that
 * xn_unicode_check_ulabel and xn_unicode_check_display find. */
xn_reasons xn_unicode_check_label(const struct xn_unicode *unicode, const uint32_t *label,
                                  size_t len);

/* Maps a label (UTF-8) by UTS 46, section 4, and writes its A-label, or plain ASCII if the mapping
 * leaves only that, to dst, which has room for 63 octets. Returns the reasons why it cannot, and
 * *dst_len is then 0: those of xn_unicode_check_ulabel, XN_PUNYCODE if the label is mapped to
 * "xn--" without Punycode, XN_TOO_LONG and XN_EMPTY. XN_DISALLOWED includes malformed UTF-8, and
 * characters that the mapping would silently drop (U+00AD, U+200B and the like), except U+FE0E and
 * U+FE0F after an emoji; a digit is an emoji only before U+20E3. Time is bounded: a label over
 * XN_PRESENTATION_LABEL_MAX octets is XN_TOO_LONG unseen, and one over XN_PRESENTATION_LABEL_LONG
 * that is much too long gets no other reason. */
enum { XN_PRESENTATION_LABEL_MAX = 1024, XN_PRESENTATION_LABEL_LONG = 4 * 63 };
xn_reasons xn_unicode_map_label(const struct xn_unicode *unicode, const uint8_t *label, size_t len,
                                uint8_t *dst, size_t *dst_len);

/* Scripts by ISO 15924 code, such as "Cyrl", each once, in order of appearance. The codes are in
 * static storage. */
enum { XN_SCRIPTS_MAX = 32 };
struct xn_scripts {
    size_t count;
    const char *codes[XN_SCRIPTS_MAX];
};

/* Adds the scripts (Unicode's property Script, without Common and Inherited) of a label's code
 * points. Scripts for which there is no room are left out. */
void xn_unicode_add_scripts(const uint32_t *label, size_t len, struct xn_scripts *scripts);

/* Returns whether a label contains a right-to-left character (Bidi class R, AL or AN; RFC 5893,
 * section 2). */
bool xn_unicode_is_rtl(const uint32_t *label, size_t len);

/* --- what core/lookalike/script.h builds on --- */

/* Returns how far a label's scripts are mixed, whether or not its characters are Allowed. It is
 * XN_LEVEL_UNRESTRICTED only for more than XN_ULABEL_MAX code points, or if ICU fails. */
xn_level xn_unicode_mix(const struct xn_unicode *unicode, const uint32_t *label, size_t len);

/* Copies a label without its joiners to dst, which has room for len code points. Returns how many
 * are left. */
size_t xn_unicode_drop_joiners(const uint32_t *label, size_t len, uint32_t *dst);

/* Returns whether the Identifier_Status (UTS 39, section 3.1) of a character is Allowed. */
bool xn_unicode_is_allowed(const struct xn_unicode *unicode, uint32_t cp);

/* --- for messages about written names, while rules are loaded; never on a query's path --- */

typedef enum {
    XN_CHARACTER_ALLOWED, /* allowed, unless it is out of place: a hyphen, joiner or leading mark */
    XN_CHARACTER_DROPPED, /* xn_unicode_map_label refuses it because UTS 46 drops it */
    XN_CHARACTER_REFUSED  /* UTS 46 with STD3 allows it in no label */
} xn_character;

/* Tells whether xn_unicode_map_label accepts a character. Of the rest of the label, only the
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

/* Returns the index of the first joiner outside the contexts of RFC 5892, appendix A.1 and A.2, or
 * len. Always returns len for more than XN_ULABEL_MAX code points. */
size_t xn_unicode_joiner_fault(const struct xn_unicode *unicode, const uint32_t *label, size_t len);

/* Writes a label (UTF-8) in simplified Chinese characters, or in traditional ones if that changes
 * nothing, with ICU's transliterators. Returns the number of octets written, or 0 if neither
 * changes the label, dst_cap is too small, the label has more than XN_PRESENTATION_LABEL_MAX
 * octets, or it is not UTF-8. ICU allocates: the first call takes 17 ms and 4 MB, which ICU keeps,
 * later ones 25 us. */
size_t xn_unicode_other_han(const uint8_t *label, size_t len, uint8_t *dst, size_t dst_cap);

#ifdef __cplusplus
}
#endif

#endif
