/* SPDX-License-Identifier: BSD-3-Clause */
/* Explains to an operator why a label cannot be in the DNS, once it is known that it cannot
 * (module/name/namereader.c). Host-free. */
#ifndef XNM_MODULE_NAME_NAMEFAULT_H
#define XNM_MODULE_NAME_NAMEFAULT_H

#include "core/idna/finding.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct xn_unicode;

enum { XNM_CHARACTER_MAX = 144, XNM_NAMEFAULT_MAX = 512 }; /* with the NUL */

/* Writes "U+00AD SOFT HYPHEN", or, for a printable character, "U+00DF LATIN SMALL LETTER
 * SHARP S 'ß'", with a NUL to dst: at most XNM_CHARACTER_MAX octets. Returns dst. */
const char *xnm_namefault_character(uint32_t cp, char *dst);

/* Describes the fault of a written label: one that xn_written_to_alabel refuses for these
 * reasons, or an ASCII label with an octet that is neither plain nor part of an escape
 * (core/names/presentation.h). `wildcard`: the name could have begun with `*`. Writes one line with
 * a NUL to message: at most XNM_NAMEFAULT_MAX octets. Returns the fault's offset in the
 * label. */
size_t xnm_namefault_find(const struct xn_unicode *unicode, const uint8_t *label, size_t len,
                          xn_reasons reasons, bool wildcard, char *message);

#endif
