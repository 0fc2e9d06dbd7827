/* SPDX-License-Identifier: BSD-3-Clause */
/* A line of a rule file while it is read: private to rules.c and to rulerecord.c, ruleoption.c,
 * rulelookalike.c, rulecondition.c and rulealias.c. */
#ifndef XNM_MODULE_RULE_LINE_H
#define XNM_MODULE_RULE_LINE_H

#include "module/rule/table.h"

/* The rule in hand, and where its reading stands. */
struct xnm_ruleline {
    struct xnm_textline text;
    const struct xnm_rules_options *options;
    struct xnm_rule rule;   /* owns what it points to until it is added to the rules */
    const char *pos;        /* what was read ends here */
    char *buffer;           /* XNM_RULE_LINE_MAX octets: the text of the last word with an escape */
    const char *subject_at; /* where what stands behind the trigger begins */
    const char *target_at;  /* where the target of cname stands */
    const char *option_at[XNM_OPTION_COUNT]; /* where the options stand; NULL: not on this line */
    unsigned errors_before;                  /* text.errors when the line began */
};

/* What a message repeats of the operator's text. */
enum { XNM_RULELINE_QUOTE_MAX = 120 };

/* Writes text so that a person can read it and a terminal does nothing else: characters of the
 * display set as they are, others as `\u{…}`; cut with "..." where dst does not hold it. Returns
 * dst. */
const char *xnm_ruleline_quote(const char *text, size_t len, char dst[XNM_RULELINE_QUOTE_MAX]);

/* " (U+0430 at character 4)" for the first character of a word that is not ASCII, where keywords
 * are, or "". Returns dst. */
enum { XNM_RULELINE_STRANGER_MAX = 48 };
const char *xnm_ruleline_stranger(const char *text, size_t len,
                                  char dst[XNM_RULELINE_STRANGER_MAX]);

/* A word, or what of it is looked at: the value of an option, an item between commas. */
struct xnm_ruleline_part {
    const struct xnm_word *word;
    const char *text; /* in the word's text */
    size_t len;
};

/* Where in the line a part's octet at `offset` stands. Does a part say just that? */
const char *xnm_ruleline_place(const struct xnm_ruleline_part *part, size_t offset);
bool xnm_ruleline_says(const struct xnm_ruleline_part *part, const char *text);

/* Reports an error at that place: the quoted part, and behind it what the format makes. */
void xnm_ruleline_refuse(struct xnm_ruleline *line, const struct xnm_ruleline_part *part,
                         size_t offset, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Calls `item` for each part between the commas of a part, empty ones too, until there are so
 * many errors on the line that more would help nobody: then it is hopeless. */
void xnm_ruleline_split(struct xnm_ruleline *line, const struct xnm_ruleline_part *part,
                        void (*item)(struct xnm_ruleline *line,
                                     const struct xnm_ruleline_part *part));

/* Reads a name. wildcard: as in xnm_rulename_read. Errors and warnings are reported. */
bool xnm_ruleline_name(struct xnm_ruleline *line, const struct xnm_ruleline_part *part,
                       struct xnm_wirename *name, bool *wildcard);

/* The next word, as xnm_textline_word; XNM_WORD_BAD, too, on a hopeless line and where a space of
 * another kind joins words, both reported. */
xnm_word_result xnm_ruleline_word(struct xnm_ruleline *line, struct xnm_word *word);

/* The next word, which is to stand behind the trigger. XNM_WORD_NONE: there is none, or an option
 * comes, which is still to be read; it was reported that the trigger needs `what`.
 * subject_at is where the word stands, or should. */
xnm_word_result xnm_ruleline_subject(struct xnm_ruleline *line, const char *what,
                                     struct xnm_word *word);

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

/* Look-alikes: is the rule's name, which was read with `wildcard`, one that can be protected? And
 * at the line's end: completes the rule's protection. Whatever is wrong is reported. */
void xnm_rulelookalike_name(struct xnm_ruleline *line, bool wildcard);
void xnm_rulelookalike_finish(struct xnm_ruleline *line);

/* The values of key=, tld=, label=, ascii= and min=. */
typedef void xnm_ruleoption_reader(struct xnm_ruleline *line,
                                   const struct xnm_ruleline_part *value);
xnm_ruleoption_reader xnm_rulelookalike_key, xnm_rulelookalike_tld, xnm_rulelookalike_label,
    xnm_rulelookalike_ascii, xnm_rulelookalike_min;

/* Conditions: what stands behind script, and behind script-level, from `word` on; the value of
 * except=. Whatever is wrong is reported. False: the rest of the line cannot be understood. */
bool xnm_rulecondition_scripts(struct xnm_ruleline *line, const struct xnm_word *word);
bool xnm_rulecondition_level(struct xnm_ruleline *line, const struct xnm_word *word);
xnm_ruleoption_reader xnm_rulecondition_except;

/* At the line's end: does its alias lead to a name that the rule is about? That is reported; not of
 * a rule with a file, whose names are not known yet. */
void xnm_rulealias_check(struct xnm_ruleline *line);

#endif
