/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads small files with one entry on each line: the addresses of a group of clients, and the words
 * of words=. Private to module/load. */
#ifndef XNM_MODULE_LOAD_LINEFILE_H
#define XNM_MODULE_LOAD_LINEFILE_H

#include "module/load/reading.h"

/* Adds all groups to the policy, with the addresses in their files, unless no lists are read. A
 * file with an error, or without an address, keeps in force the addresses it had before; if there
 * are none, its good lines are used. It then counts as a bad list. Returns false if the reading of
 * the policy ends: out of memory, stopped, or no room in the budget, which is reported. */
bool xnm_linefile_groups(struct xnm_reading *reading);

/* Reads the file of words of a look-alike rule, unless another rule has it, and writes the number
 * of its set in the builder's policy; 0 if the rule has no words=, or there are too many files.
 * Errors are reported, and stop nothing: the good lines are in force, or, if there are none, the
 * previous words. Returns false if the reading of the policy ends. */
bool xnm_linefile_words(struct xnm_reading *reading, const struct xnm_rule *rule, uint8_t *number);

#endif
