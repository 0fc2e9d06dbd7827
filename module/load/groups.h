/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds the groups of clients to a policy, and reads the files that they name. */
#ifndef XNM_MODULE_LOAD_GROUPS_H
#define XNM_MODULE_LOAD_GROUPS_H

#include "module/load/reading.h"

/* Adds all groups to the policy, with the addresses in their files, unless no lists are read. A
 * file with an error, or without an address, keeps in force the addresses it had before; if there
 * are none, its good lines are used. It then counts as a bad list. Returns false if the reading of
 * the policy ends: out of memory, stopped, or no room in the budget, which is reported. */
bool xnm_groups_read(struct xnm_reading *reading);

#endif
