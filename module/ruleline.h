/* SPDX-License-Identifier: BSD-3-Clause */
/* A line of a rule file while it is read: private to rules.c, rulerecord.c and
 * ruleoption.c. */
#ifndef XNM_MODULE_RULELINE_H
#define XNM_MODULE_RULELINE_H

#include "module/ruletable.h"

/* The rule in hand, and where its reading stands. */
struct xnm_ruleline {
    struct xnm_textline text;
    const struct xnm_rules_options *options;
    struct xnm_rule rule;   /* owns what it points to until it is added to the rules */
    const char *pos;        /* what was read ends here */
    char *buffer;           /* XNM_RULE_LINE_MAX octets: the text of the last word with an escape */
    unsigned seen;          /* options of this line; bit n: option number n */
    const char *target_at;  /* where the target of cname stands */
    unsigned errors_before; /* text.errors when the line began */
};

/* Are there so many errors on the line that more would help nobody? */
bool xnm_ruleline_is_hopeless(const struct xnm_ruleline *line);

/* What a message repeats of the operator's text. */
enum { XNM_RULELINE_QUOTE_MAX = 120 };

/* Writes text so that a person can read it and a terminal does nothing else: characters of the
 * display set as they are, others as `\u{…}`; cut with "..." where dst does not hold it. Returns
 * dst. */
const char *xnm_ruleline_quote(const struct xnm_ruleline *line, const char *text, size_t len,
                               char dst[XNM_RULELINE_QUOTE_MAX]);

/* " (U+0430 at character 4)" for the first character of a word that is not ASCII, where keywords
 * are, or "". Returns dst. */
enum { XNM_RULELINE_STRANGER_MAX = 48 };
const char *xnm_ruleline_stranger(const char *text, size_t len,
                                  char dst[XNM_RULELINE_STRANGER_MAX]);

/* Reads a name that stands in a word from `offset` on. wildcard: as in xnm_rulename_read. Errors
 * and warnings are reported. */
bool xnm_ruleline_name(struct xnm_ruleline *line, const struct xnm_word *word, size_t offset,
                       struct xnm_wirename *name, bool *wildcard);

/* The next word, as xnm_textline_word; XNM_WORD_BAD, too, on a hopeless line and where a space of
 * another kind joins words, both reported. */
xnm_word_result xnm_ruleline_word(struct xnm_ruleline *line, struct xnm_word *word);

/* Add to the rule's records: an address of redirect; the target of cname; the record of answer,
 * whose type is `word` and whose RDATA is the rest of the line. Whatever is wrong is reported. */
void xnm_rulerecord_address(struct xnm_ruleline *line, const struct xnm_word *word);
void xnm_rulerecord_target(struct xnm_ruleline *line, const struct xnm_word *word);
void xnm_rulerecord_rdata(struct xnm_ruleline *line, const struct xnm_word *word);

/* Reads the option `word`, KEY=VALUE, into the rule, whose action and trigger are there. Whatever
 * is wrong with it is reported. */
void xnm_ruleoption_read(struct xnm_ruleline *line, const struct xnm_word *word);

/* Is a word KEY=VALUE? Returns the length of KEY; 0: it is not. */
size_t xnm_ruleoption_key(const struct xnm_word *word);

#endif
