/* SPDX-License-Identifier: BSD-3-Clause */
/* What a person should know of a written name that is a name: warnings. Host-free. */
#ifndef XNM_MODULE_NAME_WARNING_H
#define XNM_MODULE_NAME_WARNING_H

#include "module/name/read.h"

/* Reports, each at most once for the name and at its first place:
 * - a label that begins with "xn--" and is no A-label;
 * - another spelling that looks alike, or means the same, and is another name: ß and ss, σ and ς, a
 *   dotless i, joiners, simplified and traditional Chinese; Arabic and Persian letters in one
 *   label;
 * - punctuation outside the contexts of RFC 5892, appendix A.3 to A.7;
 * - a label that breaks the Bidi rule (RFC 5893) because another one is right-to-left.
 * text is the name as it was written, without a wildcard, at the offset `at` of what the caller
 * read; name is what was made of it. */
void xnm_namewarning_report(const struct xn_unicode *unicode, const uint8_t *text, size_t len,
                            size_t at, const struct xnm_wirename *name,
                            xnm_rulename_diagnose *report, void *arg);

#endif
