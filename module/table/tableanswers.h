/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the answers of a table. Equal entries share one answer. */
#ifndef XNM_MODULE_TABLE_TABLEANSWERS_H
#define XNM_MODULE_TABLE_TABLEANSWERS_H

#include "module/base/hashset.h"
#include "module/table/table.h"

#define XNM_NO_ANSWER UINT32_MAX

/* Finds the answer with one more record than another. {0} is empty. All fields are private. */
struct xnm_table_answers {
    uint32_t *places;
    size_t place_count, used;
    struct xnm_hashset owned; /* records of owners that have many */
};
void xnm_table_answers_forget(struct xnm_table_answers *answers); /* it is empty afterwards */

/* Adds an answer without records. Returns its number; XNM_NO_ANSWER: no memory. */
uint32_t xnm_table_answers_add(struct xnm_table *table, uint32_t line, xnm_action action,
                               bool prefix);

/* Returns the answer for entries with these modifiers, which are copied, or an equal one among the
 * last XNM_TABLE_ANSWERS_RECENT. XNM_NO_ANSWER: no memory. */
enum { XNM_TABLE_ANSWERS_RECENT = 256 };
uint32_t xnm_table_answers_modified(struct xnm_table *table, const struct xnm_modifiers *modifiers);

/* Returns the answer with the records of `parent` and this one: `parent` itself if it has the
 * record already, or has the most records allowed. A new record is copied. XNM_NO_ANSWER: no
 * memory. Searches all records of `parent`; use it for the few records of one rule. */
uint32_t xnm_table_answers_with(struct xnm_table_answers *answers, struct xnm_table *table,
                                uint32_t parent, const struct xnm_record *record);

/* Does the same for all records of the answer `other`, of any number. `owner` is any number the
 * caller chooses; `parent` is the answer that earlier calls returned for it, or its first one. */
uint32_t xnm_table_answers_with_all_of(struct xnm_table_answers *answers, struct xnm_table *table,
                                       uint64_t owner, uint32_t parent, uint32_t other);

/* Completes the records of each used answer. No answer may be added afterwards. Returns false when
 * out of memory. */
bool xnm_table_answers_finish(struct xnm_table *table);

#endif
