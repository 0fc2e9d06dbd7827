/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the lists and RPZ zones of a policy: decides what is in force of each, and reports where
 * that is not what its file says. */
#ifndef XNM_MODULE_LOAD_LISTFILES_H
#define XNM_MODULE_LOAD_LISTFILES_H

#include "module/load/reading.h"

/* Adds the lists of a rule that the builder has, by the rule's number there: its own, and that of
 * except=. The rule may have none; it must stay where it is. Returns false when out of memory. */
bool xnm_listfiles_add(struct xnm_reading *reading, const struct xnm_rule *rule, size_t number);

/* Reads all lists, and gives the builder their entries, or those that they held before. Call it
 * once, after the last rule: rules find room in the budget before any list. Only
 * reading->no_memory and a stop end the reading. */
void xnm_listfiles_read(struct xnm_reading *reading);

#endif
