/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a name as an operator writes it, in Unicode, A-labels or both, into wire format, and
 * reports errors and warnings. */
#ifndef XNM_MODULE_NAME_RULENAME_H
#define XNM_MODULE_NAME_RULENAME_H

#include "module/name/namereader.h"

/* Reads a name, split at the four dots of UTS 46, label by label (core/names/presentation.h). One
 * final dot is accepted; "." is the root. If `wildcard` is not NULL, `*` may be the whole first
 * label: *wildcard is set if it is there, and *name is the part after it. Returns whether there was
 * no error. Warnings (ß, ς or a joiner, with which IDNA2003 made another name; an xn-- label that
 * is not an A-label) do not count as errors, and only names without errors get them. Reports the
 * first error of each bad label, of eight labels at most. report may be NULL: nothing is reported,
 * and no time is spent on it. */
bool xnm_rulename_read(const struct xn_unicode *unicode, const char *text, size_t len,
                       struct xnm_wirename *name, bool *wildcard, xnm_rulename_diagnose *report,
                       void *arg);

#endif
