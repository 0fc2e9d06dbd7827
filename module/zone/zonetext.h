/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts tokens of zone files, which may be Unicode, to the printable ASCII that ldns reads. */
#ifndef XNM_MODULE_ZONE_ZONETEXT_H
#define XNM_MODULE_ZONE_ZONETEXT_H

#include "core/wire/size.h"
#include "module/zone/token.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct xn_unicode;

/* Octets of a name as text, without the NUL: four for each octet in wire format, more than any name
 * needs. */
enum { XNM_ZONETEXT_NAME_MAX = 4 * XN_WIRE_NAME_MAX };

/* Writes a name and a NUL to dst, which has room for XNM_ZONETEXT_NAME_MAX + 1 octets. ASCII stays
 * as it is; a label in Unicode becomes its A-label (core/names/presentation.h). *absolute: a dot
 * ends the name. Returns false with the reason in *fault. */
bool xnm_zonetext_name(const struct xn_unicode *unicode, const struct xnm_zonetoken *token,
                       char *dst, bool *absolute, struct xnm_zonefault *fault);

/* Sets *fault to the first label that is empty or too long of a name in ASCII that
 * xnm_zonetext_name accepted and ldns rejected. Returns false if there is none. */
bool xnm_zonetext_bad_label(const struct xn_unicode *unicode, const struct xnm_zonetoken *token,
                            struct xnm_zonefault *fault);

/* Appends a text and a NUL to dst: octets that are not printable ASCII become `\DDD`; escapes stay
 * as they are. *dst_len is the length before and after, below dst_cap. Returns false with the
 * reason in *fault; a text of more than octets_max octets (an escape counts as one) is a fault
 * too. */
bool xnm_zonetext_string(const struct xnm_zonetoken *token, size_t octets_max, char *dst,
                         size_t dst_cap, size_t *dst_len, struct xnm_zonefault *fault);

/* Does the same with a word, which may have only printable ASCII without quotes and escapes. */
bool xnm_zonetext_word(const struct xnm_zonetoken *token, char *dst, size_t dst_cap,
                       size_t *dst_len, struct xnm_zonefault *fault);

#endif
