/* SPDX-License-Identifier: BSD-3-Clause */
/* Fetches one list: asks the server, judges what comes as the engine would, and replaces the list's
 * file only by what is good. */
#ifndef XN_TOOLS_FETCH_RENEW_H
#define XN_TOOLS_FETCH_RENEW_H

#include "tools/fetch/note.h"

struct xn_unicode;
struct xnm_rule;

/* Fetches the list of a rule that has a url=, and says in one line how that went: on standard
 * output if the list is now what the server has, else on standard error. Returns which it was.
 * *note, to be freed in both cases, is what there is to say of the list. */
bool renew_list(const struct transfer_options *options, const struct xn_unicode *unicode,
                const struct xnm_rule *rule, struct note *note);

#endif
