/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of names, protected ones too, and RPZ zone files, as others make them -> entries.
 * Host-free. */
#ifndef XNM_MODULE_LIST_LIST_H
#define XNM_MODULE_LIST_LIST_H

#include "module/list/tally.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads the text of a list (rule->trigger XNM_TRIGGER_NAMES, ZONES or LOOKALIKES, whose entries
 * have XNM_SCOPE_ZONE) or of an RPZ zone file (XNM_TRIGGER_RPZ), `file`, as the rule asks. A bad
 * line of a list is reported as an error and left out; a skipped one as a warning; of each kind the
 * first 20, then their number in one line. Nothing is said of names that are taken. Public suffixes
 * (libpsl's ICANN section) and other single labels are errors, and left out, unless rule->suffixes,
 * which lists of protected names never have. Of protected names that nothing can look like the
 * number is said, as a warning. Returns false where the file is refused whole, which is reported:
 * an RPZ zone with an error, or what is no list and no zone at all (a web page, a compressed file).
 * entry() may have been called by then. Returns false, too, where entry() did, and behind the line
 * at which *stop was found to be set. *counts is set whatever is returned. */
bool xnm_list_read(const struct xnm_list_options *options, const struct xnm_rule *rule,
                   const char *file, const char *text, size_t len, struct xnm_list_counts *counts);

#endif
