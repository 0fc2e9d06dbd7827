/* SPDX-License-Identifier: BSD-3-Clause */
/* The keys of idn.conf about reasons: structured-errors, error-contact, error-organization and
 * error-language. */
#ifndef XNM_MODULE_CONFIG_WHYKEYS_H
#define XNM_MODULE_CONFIG_WHYKEYS_H

#include "module/rule/why.h"

/* Reads the value of the key. Returns whether it is valid; if not, *fault is an error with the
 * expected form, to follow the quoted value, and *at is its octet. */
enum { XNM_WHYKEYS_FAULT_MAX = 200 };
bool xnm_whykeys_take(struct xnm_why_settings *why, const char *key, const char *text, size_t len,
                      size_t *at, char fault[XNM_WHYKEYS_FAULT_MAX]);

#endif
