/* SPDX-License-Identifier: BSD-3-Clause */
/* The extended error for a client that asks for structured ones (Structured Error Data for Filtered
 * DNS, draft-ietf-dnsop-structured-dns-error): an info code, and as EXTRA-TEXT an object of I-JSON
 * (RFC 7493) with the reason. */
#ifndef XNM_MODULE_ANSWER_STRUCTURED_H
#define XNM_MODULE_ANSWER_STRUCTURED_H

#include "module/policy/policy.h"

/* Octets of the longest option data. Its texts have at most 600 (of names), 100, 255 and 35 octets,
 * and none has a character of which an escape makes more than two. */
enum { XNM_STRUCTURED_MAX = 4096 };

/* Writes the data of the EDE option, info code and text, in at most `room` octets. The decision has
 * an answer. What does not fit is left out: first the justification and the organization with their
 * language, then all of the text, then the option. The info code is the answer's, except for
 * Forged Answer, which such a client must not get: it becomes Blocked if there is a reason to give,
 * and else there is no option. The text is JSON with Blocked, Censored and Filtered, and only if it
 * has a contact, a justification or a sub-error; with other codes it is the text of ede=. Returns
 * the octets written; 0: no option. */
size_t xnm_structured_write(const struct xnm_why_settings *settings,
                            const struct xnm_decision *decision, uint8_t *dst, size_t room);

/* Returns whether the text of such a client's extended error is JSON: with Blocked, Censored and
 * Filtered. */
bool xnm_structured_has_json(int code);

#endif
