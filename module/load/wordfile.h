/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the files of words that look-alike rules name by words=. Private to module/load. */
#ifndef XNM_MODULE_LOAD_WORDFILE_H
#define XNM_MODULE_LOAD_WORDFILE_H

#include "module/load/reading.h"

/* Reads the file of words of a rule, unless another rule has it, and writes the number of its set
 * in the builder's policy; 0 if the rule has no words=, or there are too many files. Errors are
 * reported, and stop nothing: the good lines are in force, or the previous words. Returns false if
 * the reading ends. */
bool xnm_wordfile_read(struct xnm_reading *reading, const struct xnm_rule *rule, uint8_t *number);

#endif
