/* SPDX-License-Identifier: BSD-3-Clause */
/* Where punctuation may stand in a label (RFC 5892, appendix A.3 to A.7). Nothing is allocated. */
#ifndef XN_CORE_IDNA_CONTEXT_H
#define XN_CORE_IDNA_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Stands each U+00B7 of a label between two l, each U+0375 before a Greek character, each U+05F3
 * and U+05F4 behind a Hebrew one, and U+30FB in company of Hiragana, Katakana or Han? True of a
 * label that has none of them. Code points are Unicode scalar values; time grows with len. */
bool xn_context_is_kept(const uint32_t *label, size_t len);

#endif
