/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks what depends on the neighbours of a character in a label: the contexts of joiners and
 * punctuation (RFC 5892, appendix A), and whether marks compose or are too many. Allocates nothing
 * and keeps no state. Code points are Unicode scalar values. The time is linear in the length. */
#ifndef XN_CORE_IDNA_CONTEXT_H
#define XN_CORE_IDNA_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns whether, in a label, each U+00B7 is between two l, each U+0375 before a Greek character,
 * each U+05F3 and U+05F4 after a Hebrew character, and U+30FB in a label with Hiragana, Katakana or
 * Han. True for a label without these characters (appendix A.3 to A.7). */
bool xn_context_is_kept(const uint32_t *label, size_t len);

/* Returns the index of the first joiner in a label that is neither after a virama nor a U+200C
 * between two characters that it keeps from joining (appendix A.1 and A.2), or len. */
size_t xn_context_find_joiner(const uint32_t *label, size_t len);

/* Returns whether a label without code points that UTS 46 maps is in NFC. `traits`, here and below,
 * has the word of core/idna/traits.h for each code point. */
bool xn_context_is_composed(const uint32_t *label, const uint32_t *traits, size_t len);

/* Returns whether a label has more than XN_MARKS_MAX nonspacing marks in a row, or in its canonical
 * decomposition the same mark twice in a row of them (UTS 39, section 5.4). */
bool xn_context_has_odd_marks(const uint32_t *label, const uint32_t *traits, size_t len);

#endif
