/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads published lists of names, lists of protected names and RPZ zone files into entries.
 * Host-free. */
#ifndef XNM_MODULE_LIST_LIST_H
#define XNM_MODULE_LIST_LIST_H

#include "module/list/listtally.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads the text of a list (rule->trigger XNM_TRIGGER_NAMES, ZONES or LOOKALIKES, whose entries
 * have XNM_SCOPE_ZONE) or of an RPZ zone file (XNM_TRIGGER_RPZ), `file`, for the rule. A bad line
 * of a list is reported as an error and left out; a skipped one is reported as a warning; the first
 * 20 of each kind, then their number in one line. Good names get no warnings. Public suffixes
 * (libpsl's ICANN section) and other single labels are errors, and left out, unless rule->suffixes
 * is set, which lists of protected names never have. One warning has the number of protected names
 * that nothing can look like. Returns false if the whole file is refused, which is reported: an RPZ
 * zone with an error, or a file that is neither a list nor a zone (a web page, a compressed file);
 * entry() may have been called before. Also returns false if entry() did, and after the line at
 * which *stop was set. *counts is set in every case. */
bool xnm_list_read(const struct xnm_list_options *options, const struct xnm_rule *rule,
                   const char *file, const char *text, size_t len, struct xnm_list_counts *counts);

/* Returns whether a list that had `before` entries, and now has `entries`, lost more of them than
 * the rule's shrink= allows. */
bool xnm_list_has_shrunk(const struct xnm_rule *rule, size_t before, size_t entries);

#endif
