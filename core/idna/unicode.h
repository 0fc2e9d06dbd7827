/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens ICU, and returns the Unicode version of this library. A handle never changes once it is
 * open, and any number of threads may use it at a time. xn_unicode_close must not run at the same
 * time as other calls with the handle. */
#ifndef XN_CORE_IDNA_UNICODE_H
#define XN_CORE_IDNA_UNICODE_H

#include "core/text/status.h"

#ifdef __cplusplus
extern "C" {
#endif

struct xn_unicode;

/* Opens ICU's data: takes 1 ms, allocates, and opens no file. Returns XN_OK, and the caller owns
 * *unicode. Otherwise *unicode is NULL, and the result is XN_UNICODE_DATA, XN_NO_MEMORY, or
 * XN_UNICODE_VERSION if ICU has another Unicode version than the tables of this library, which were
 * made from the ICU that it was built with. */
XN_MUST_CHECK xn_status xn_unicode_open(struct xn_unicode **unicode);
void xn_unicode_close(struct xn_unicode *unicode); /* NULL is allowed */

/* Writes why xn_unicode_open failed: the text of xn_status_text, or for XN_UNICODE_VERSION both
 * versions and the remedy. dst has room for XN_UNICODE_FAULT_MAX octets. Returns dst, which holds
 * one English sentence for people, without a full stop, with a NUL. */
enum { XN_UNICODE_FAULT_MAX = 192 };
const char *xn_unicode_fault(xn_status status, char dst[XN_UNICODE_FAULT_MAX]);

/* Returns the Unicode version of the tables of this library, such as "15.0", in static storage. */
const char *xn_unicode_version(void);

#ifdef __cplusplus
}
#endif

#endif
