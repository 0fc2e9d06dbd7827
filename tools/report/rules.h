/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides the names of a log again, by rules that the log need not know. */
#ifndef XN_TOOLS_REPORT_RULES_H
#define XN_TOOLS_REPORT_RULES_H

#include "tools/logs/line.h"

struct xn_unicode;
struct report_rules;

/* Reads a rule file or a configuration. NULL: the module would refuse it, or it
 * has no rules; why is on standard error. The caller owns it. */
struct report_rules *report_rules_open(const struct xn_unicode *unicode, const char *file);
void report_rules_close(struct report_rules *rules); /* NULL is fine */

/* Replaces what the line says of a rule by what these rules say of its name, class and type;
 * aliases are not in a log. wire_len may be 0: of
 * no question nothing is said. A line without a class is of IN, one without a type asks for none
 * that a rule may name. The mode is "observed" where an answer would have changed. The line's spans
 * are valid until the next call. */
void report_rules_decide(struct report_rules *rules, const uint8_t *wire, size_t wire_len,
                         struct logs_line *line);

#endif
