/* SPDX-License-Identifier: BSD-3-Clause */
/* A name as an operator writes it, Unicode or A-labels or both -> wire format, with every error and
 * warning a person needs. Host-free. */
#ifndef XNM_MODULE_NAME_RULENAME_H
#define XNM_MODULE_NAME_RULENAME_H

#include "module/name/read.h"

/* Reads a written name: split at the four dots of UTS 46, each label by itself
 * (core/idna/presentation.h); one final dot is accepted; `*` may be the whole first label if
 * `wildcard` is given, and then *wildcard says whether it was there and *name is what stands behind
 * it. "." is the root. Returns whether there was no error; warnings (another spelling that is
 * another name, an xn-- label that is no A-label) do not count, and are looked for in names alone.
 * Of each bad label the first error is reported, up to eight. report may be NULL: nothing is said,
 * and no time is spent on it. */
bool xnm_rulename_read(const struct xn_unicode *unicode, const char *text, size_t len,
                       struct xnm_wirename *name, bool *wildcard, xnm_rulename_diagnose *report,
                       void *arg);

#endif
