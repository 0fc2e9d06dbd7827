/* SPDX-License-Identifier: BSD-3-Clause */
/* Tokens of zone files, in Unicode too -> the printable ASCII that ldns reads. */
#ifndef XNM_MODULE_ZONE_TEXT_H
#define XNM_MODULE_ZONE_TEXT_H

#include "core/idna/unicode.h"
#include "core/wire/wire.h"
#include "module/zone/token.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Octets of a name, without the NUL: four for each of a wire name's are more than any needs. */
enum { XNM_ZONETEXT_NAME_MAX = 4 * XN_WIRE_NAME_MAX };

/* Writes a name, ended by a NUL, to dst, which has room for one octet more than a name: ASCII as it
 * is, a label in Unicode as its A-label (core/idna/presentation.h). *absolute: a dot ends it.
 * False: *fault says why. */
bool xnm_zonetext_name(const struct xn_unicode *unicode, const struct xnm_zonetoken *token,
                       char *dst, bool *absolute, struct xnm_zonefault *fault);

/* Of a name of ASCII that xnm_zonetext_name took and ldns did not: sets *fault to its first label
 * that is empty or too long, and returns whether there is one. */
bool xnm_zonetext_bad_label(const struct xn_unicode *unicode, const struct xnm_zonetoken *token,
                            struct xnm_zonefault *fault);

/* Adds a text to dst, ended by a NUL: octets that are not printable ASCII become `\DDD`; escapes
 * are left as they are. *dst_len is what is there already, below dst_cap. False: *fault says why;
 * over so many octets of text (escapes count one) is a fault too. */
bool xnm_zonetext_string(const struct xnm_zonetoken *token, size_t octets_max, char *dst,
                         size_t dst_cap, size_t *dst_len, struct xnm_zonefault *fault);

/* Adds a word that cannot be anything but printable ASCII without quotes, likewise. */
bool xnm_zonetext_word(const struct xnm_zonetoken *token, char *dst, size_t dst_cap,
                       size_t *dst_len, struct xnm_zonefault *fault);

#endif
