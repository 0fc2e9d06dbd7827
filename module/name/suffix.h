/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks up public suffixes (publicsuffix.org) in the list of the installed libpsl. If that is the
 * version that the filter was made for (suffixfilter.h), that is asked for only one in a hundred
 * names that are no suffixes. Takes no lock. */
#ifndef XNM_MODULE_NAME_SUFFIX_H
#define XNM_MODULE_NAME_SUFFIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns whether a wire-format name in lower case (A-labels, not Unicode) is one below which a
 * registry sells names: the root, any single label, or a rule of the list's ICANN section ("co.uk",
 * and by
 * "*.ck" any "x.ck"). A name of more labels in a top-level domain that the list does not know is
 * not one. About 0.2 us. */
bool xnm_suffix_is_public(const uint8_t *name, size_t len);

/* Returns whether the name is a rule of the list's ICANN section. "router" is not: it may be a
 * top-level domain newer than the list, or a machine's own name, and xnm_suffix_is_public takes it
 * only as a single label. */
bool xnm_suffix_is_listed(const uint8_t *name, size_t len);

/* Returns the offset, in a wire-format name in lower case, of the longest public suffix that it
 * ends with: 0 if the name is one itself. For a top-level domain that the list does not know, this
 * is the last label. Takes a few probes of the list whatever the name: about 0.5 us. */
size_t xnm_suffix_find(const uint8_t *name, size_t len);

#endif
