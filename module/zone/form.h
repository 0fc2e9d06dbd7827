/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks the form of a record's fields: of their text before ldns reads it, and of wire format
 * afterwards. A text without a length ends with a NUL. */
#ifndef XNM_MODULE_ZONE_FORM_H
#define XNM_MODULE_ZONE_FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Return whether a text is a decimal number of at most 255, 65535 or 4294967295. */
bool xnm_zoneform_number8(const char *text);
bool xnm_zoneform_number16(const char *text);
bool xnm_zoneform_number32(const char *text);

/* Returns whether a text is a number of at most 255, or a word that begins with a letter. */
bool xnm_zoneform_mnemonic8(const char *text);

/* Return whether a text is a number of seconds, or numbers with units as in 1h30m (w, d, h, m, s in
 * either case); at most 2147483647 (RFC 2181, section 8). */
bool xnm_zoneform_ttl(const char *text, size_t len, uint32_t *seconds);
bool xnm_zoneform_period(const char *text);

bool xnm_zoneform_hex(const char *text); /* whole octets, at least one; ldns checks the digits */

/* Returns whether a text is one key and value of SVCB or HTTPS. Checks only what ldns does not:
 * that it is one, the range of a port, and the length and number of addresses. */
bool xnm_zoneform_svcparam(const char *text);

/* Returns whether octets are SvcParams in wire format (RFC 9460, section 2.2): complete, in order,
 * no key twice, and each value as long as its key requires. */
bool xnm_zoneform_svcparams_wire(const uint8_t *octets, size_t len);

#endif
