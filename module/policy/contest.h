/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists with modifiers: whom an entry is about, and which entry decides in a list with exemptions
 * or important entries. */
#ifndef XNM_MODULE_POLICY_CONTEST_H
#define XNM_MODULE_POLICY_CONTEST_H

#include "module/policy/data.h"
#include "module/policy/qname.h"

/* Is an entry with these modifiers about a name, and about a question for it? No type (0) is one
 * that an entry with types is about. */
bool xnm_modifiers_hold(const struct xnm_modifiers *modifiers, const struct xnm_question *question,
                        const struct xnm_qname *name);

/* Returns the entry of a list that decides a name (`below`: all that is below it) in the list: of
 * the strongest the longest, where an exact match is longer than a zone. NULL: none, or an
 * exemption. It looks at all of the list's entries that match. */
const struct xnm_policy_entry *xnm_contest_winner(const struct xnm_policy *policy, uint32_t line,
                                                  const struct xnm_question *question,
                                                  const struct xnm_qname *name, bool below);

#endif
