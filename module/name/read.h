/* SPDX-License-Identifier: BSD-3-Clause */
/* A name as an operator writes it -> wire format, with every error and without warnings. */
#ifndef XNM_MODULE_NAME_READ_H
#define XNM_MODULE_NAME_READ_H

#include "core/idna/unicode.h"
#include "module/base/diagnostics.h"
#include "module/base/record.h"

#include <stdbool.h>
#include <stddef.h>

/* Called for each thing there is to say. `at` is an offset in octets in the text. message is one
 * line without a final stop, valid for the call alone. */
typedef void xnm_rulename_diagnose(void *arg, xnm_severity severity, size_t at,
                                   const char *message);

/* What a reading takes, and what it found besides the name. */
struct xnm_nameread {
    bool takes_wildcard; /* given: `*` may be the whole first label */
    bool wildcard;       /* it was there */
    size_t at, len;      /* octets of the text that are the name, without the wildcard */
    bool remarkable; /* a label may be worth a warning: it is not plain ASCII, or begins "xn--" */
};

/* Reads a name as xnm_rulename_read does (module/name/rulename.h), and reports no warning. *read is
 * complete where there is no error. */
bool xnm_nameread(const struct xn_unicode *unicode, const char *text, size_t len,
                  struct xnm_wirename *name, struct xnm_nameread *read,
                  xnm_rulename_diagnose *report, void *arg);

#endif
