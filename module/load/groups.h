/* SPDX-License-Identifier: BSD-3-Clause */
/* Gives a policy its groups of clients, and reads the files that they name. */
#ifndef XNM_MODULE_LOAD_GROUPS_H
#define XNM_MODULE_LOAD_GROUPS_H

#include "module/load/reading.h"

/* Gives the builder all groups, with what is in their files, unless no lists are read. A file with
 * an error, or without an address, leaves in force what it held before; if it held nothing, its
 * good lines are taken. It then counts as a bad list. Only reading->no_memory and a stop end the
 * reading of the policy, and lack of room in the budget, which is reported: false. */
bool xnm_groups_read(struct xnm_reading *reading);

#endif
