/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks where punctuation may stand in a label (RFC 5892, appendix A.3 to A.7). Allocates nothing
 * and keeps no state. */
#ifndef XN_CORE_IDNA_CONTEXT_H
#define XN_CORE_IDNA_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns whether, in a label, each U+00B7 is between two l, each U+0375 before a Greek character,
 * each U+05F3 and U+05F4 after a Hebrew character, and U+30FB in a label with Hiragana, Katakana or
 * Han. True for a label without these characters. Code points are Unicode scalar values. The time
 * is linear in len. */
bool xn_context_is_kept(const uint32_t *label, size_t len);

#endif
