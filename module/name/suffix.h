/* SPDX-License-Identifier: BSD-3-Clause */
/* Public suffixes (publicsuffix.org), as the libpsl at hand knows them. Host-free, lock-free. */
#ifndef XNM_MODULE_NAME_SUFFIX_H
#define XNM_MODULE_NAME_SUFFIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Is a wire-format name in lower case (A-labels, not Unicode) one below which a registry sells
 * names: the root, any single label, or a rule of the list's ICANN section ("co.uk", and by "*.ck"
 * any "x.ck")? A name in a top-level domain that the list does not know is none. About 0.2 us. */
bool xnm_suffix_is_public(const uint8_t *name, size_t len);

/* Is it a rule of the list's ICANN section? Not "router", which may be a top-level domain that is
 * newer than the list, or what a machine calls itself: that is public by its single label alone. */
bool xnm_suffix_is_listed(const uint8_t *name, size_t len);

/* The offset in a name, in lower case, of the longest public suffix that it ends with: 0 where it
 * is one itself. Of a name in a top-level domain that the list does not know that is the last
 * label. A few probes of the list whatever the name: about 0.5 us. */
size_t xnm_suffix_find(const uint8_t *name, size_t len);

#endif
