/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides the names of a log again, by rules that the log need not know. */
#ifndef XN_TOOLS_REPORT_RULES_H
#define XN_TOOLS_REPORT_RULES_H

#include "tools/logs/line.h"

struct xn_unicode;
struct report_rules;

/* Reads a rule file or a configuration. Returns NULL, after a message on standard error, if the
 * module would refuse it or it has no rules. The caller owns the result. */
struct report_rules *report_rules_open(const struct xn_unicode *unicode, const char *file);
void report_rules_close(struct report_rules *rules); /* NULL is fine */

/* Replaces the line's rule and action by those that these rules give its name, class and type; a
 * log has no aliases. If wire_len is 0, there was no question and no rule matches. A line without a
 * class is of IN; one without a type matches no rule that names types. The line's spans are valid
 * until the next call. */
void report_rules_decide(struct report_rules *rules, const uint8_t *wire, size_t wire_len,
                         struct logs_line *line);

#endif
