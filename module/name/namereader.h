/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a name as an operator writes it into wire format, and reports every error, but no
 * warnings. */
#ifndef XNM_MODULE_NAME_NAMEREADER_H
#define XNM_MODULE_NAME_NAMEREADER_H

#include "module/base/diagnostics.h"
#include "module/base/record.h"

#include <stdbool.h>
#include <stddef.h>

struct xn_unicode;

/* Called for each error or warning. `at` is an offset in octets in the text. message is one line
 * without a full stop, valid only during the call. */
typedef void xnm_rulename_diagnose(void *arg, xnm_severity severity, size_t at,
                                   const char *message);

/* Which names the reader accepts, and what it has found besides the name. */
struct xnm_namereader {
    bool takes_wildcard; /* input: `*` may be the whole first label */
    bool wildcard;       /* the wildcard was there */
    size_t at, len;      /* the name's offset and length in the text, without the wildcard */
    bool remarkable; /* a label may deserve a warning: it is not plain ASCII, or begins with "xn--"
                      */
};

/* Reads a name as xnm_rulename_read does (module/name/rulename.h), but reports no warning. *read is
 * complete if there is no error. */
bool xnm_namereader_read(const struct xn_unicode *unicode, const char *text, size_t len,
                         struct xnm_wirename *name, struct xnm_namereader *read,
                         xnm_rulename_diagnose *report, void *arg);

#endif
