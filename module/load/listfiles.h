/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the lists and RPZ zones of a policy, decides which entries of each are in force, and
 * reports where these differ from its file. */
#ifndef XNM_MODULE_LOAD_LISTFILES_H
#define XNM_MODULE_LOAD_LISTFILES_H

#include "module/load/reading.h"

/* Adds the lists of a rule, its own and that of except=, if it has any. `number` is the rule's
 * number in the builder; the rule must stay where it is. Returns false when out of memory. */
bool xnm_listfiles_add(struct xnm_reading *reading, const struct xnm_rule *rule, size_t number);

/* Reads all lists, and adds their entries, or their previous ones, to the policy. Call it once,
 * after the last rule: rules find room in the budget before any list. Only reading->no_memory and a
 * stop end the reading. */
void xnm_listfiles_read(struct xnm_reading *reading);

#endif
