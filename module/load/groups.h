/* SPDX-License-Identifier: BSD-3-Clause */
/* Gives a policy its groups of clients, and reads the files that they name. */
#ifndef XNM_MODULE_LOAD_GROUPS_H
#define XNM_MODULE_LOAD_GROUPS_H

#include "module/load/lists.h"
#include "module/rule/rules.h"

/* Gives the lists' builder all groups, with or without what is in their `files`. A file with an
 * error, or without an address, leaves in force what it held before; if it held nothing, its good
 * lines are taken. It then counts as a bad list. Only reading->no_memory and reading->stop end the
 * reading of the policy, and lack of room in the budget, which is reported: false. */
bool xnm_groups_read(struct xnm_lists *lists, const struct xnm_rules *rules, bool files);

#endif
