/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes, for a JSON line, what a reply says besides its records. */
#ifndef XNM_MODULE_LOG_STATUS_H
#define XNM_MODULE_LOG_STATUS_H

#include "module/log/reply.h"

/* Writes dns.header_flags, unbound.security and dns.ede.info_code, as far as they are known.
 * Returns the position after them. */
char *xnm_status_json(char *dst, const struct xnm_reply *reply);

/* Writes dns.ede.extra_text, if the error has a text, with the octets that a line has of it
 * (xnm_logline_ede_len). Each character but visible ASCII and blanks is `\u{…}`, so that it is
 * harmless in whatever reads the JSON, and an octet that is not UTF-8 is U+FFFD. dst has room for
 * XNM_STATUS_EDE_MAX octets. Returns the position after the member. */
enum { XNM_STATUS_EDE_MAX = 40 + 9 * 128 };
char *xnm_status_ede_text(char *dst, const struct xnm_reply_error *error);

#endif
