/* SPDX-License-Identifier: BSD-3-Clause */
/* Warns about names that are valid but may not be what was meant. Host-free. */
#ifndef XNM_MODULE_NAME_WARNING_H
#define XNM_MODULE_NAME_WARNING_H

#include "module/name/read.h"

/* Reports each of these at most once for the name, at its first place:
 * - a label that begins with "xn--" and is not an A-label;
 * - ß, ς or a joiner, with which the name is another one than with what IDNA2003 made of them.
 * text is the name as written, without a wildcard; `at` is its offset in what the caller read; name
 * is the result of reading it. */
void xnm_namewarning_report(const struct xn_unicode *unicode, const uint8_t *text, size_t len,
                            size_t at, const struct xnm_wirename *name,
                            xnm_rulename_diagnose *report, void *arg);

#endif
