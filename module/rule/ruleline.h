/* SPDX-License-Identifier: BSD-3-Clause */
/* A line of a rule file while it is read. Private to the parser of rule files (module/rule). */
#ifndef XNM_MODULE_RULE_RULELINE_H
#define XNM_MODULE_RULE_RULELINE_H

#include "module/rule/ruletable.h"

/* The rule being read, and how far reading has come. */
struct xnm_ruleline {
    struct xnm_textline text;
    const struct xnm_rules_options *options;
    struct xnm_rule rule;   /* owns what it points to until it is added to the rules */
    const char *pos;        /* the end of the text that has been read */
    char *buffer;           /* XNM_RULE_LINE_MAX octets: the text of the last word with an escape */
    const char *subject_at; /* where the trigger's subject begins */
    const char *target_at;  /* where the target of cname is */
    const char *option_at[XNM_OPTION_COUNT]; /* where the options are; NULL: not on this line */
    unsigned errors_before;                  /* text.errors at the start of the line */
};

/* A message repeats at most this many octets of the operator's text, with the NUL. */
enum { XNM_RULELINE_QUOTE_MAX = 120 };

/* Writes text so that a person can read it and it has no effect on a terminal: characters of the
 * display set as they are, others as `\u{…}`; a text too long for dst is cut and ends with "...".
 * Returns dst. */
const char *xnm_ruleline_quote(const char *text, size_t len, char dst[XNM_RULELINE_QUOTE_MAX]);

/* Writes " (U+0430 at character 4)" for the first non-ASCII character of a word that should be a
 * keyword; "" if there is none. Returns dst. */
enum { XNM_RULELINE_STRANGER_MAX = 48 };
const char *xnm_ruleline_stranger(const char *text, size_t len,
                                  char dst[XNM_RULELINE_STRANGER_MAX]);

/* Reports that the first `len` octets of a word, with `equals` after them ("=" or ""), are not
 * `what` ("an action"). Suggests `near`, or `expected` if that is NULL. */
void xnm_ruleline_unknown(struct xnm_ruleline *line, const struct xnm_word *word, size_t len,
                          const char *equals, const char *what, const char *near,
                          const char *expected);

/* A word or a part of one: the value of an option, an item between commas. */
struct xnm_ruleline_part {
    const struct xnm_word *word;
    const char *text; /* in the word's text */
    size_t len;
};

/* Return the place in the line of a part's octet at `offset`, and whether a part is this text. */
const char *xnm_ruleline_place(const struct xnm_ruleline_part *part, size_t offset);
bool xnm_ruleline_is(const struct xnm_ruleline_part *part, const char *text);

/* Reports an error at the place of the octet at `offset`: the quoted part, then the formatted
 * message. */
void xnm_ruleline_refuse(struct xnm_ruleline *line, const struct xnm_ruleline_part *part,
                         size_t offset, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Calls `item` for each part between the commas of a part, empty ones included, until the line has
 * too many errors. */
void xnm_ruleline_split(struct xnm_ruleline *line, const struct xnm_ruleline_part *part,
                        void (*item)(struct xnm_ruleline *line,
                                     const struct xnm_ruleline_part *part));

/* Reads a name, and reports its errors and warnings. wildcard: as in xnm_rulename_read. Returns
 * whether there was no error. */
bool xnm_ruleline_name(struct xnm_ruleline *line, const struct xnm_ruleline_part *part,
                       struct xnm_wirename *name, bool *wildcard);

/* Returns the path of a file as the rule has it, in the rule file's folder if it is relative, and
 * writes its column. The caller owns it. NULL: it is empty, a URL, or there is no memory, which was
 * reported. `remedy` ends the message about a URL. */
char *xnm_ruleline_path(struct xnm_ruleline *line, const char *at, const char *text, size_t len,
                        const char *remedy, unsigned *column);

/* Reads the next word as xnm_textline_word does. Also returns XNM_WORD_BAD, and reports it, if the
 * line has too many errors or a space of another kind joins words. */
xnm_word_result xnm_ruleline_word(struct xnm_ruleline *line, struct xnm_word *word);

/* Reads the next word as the trigger's subject, and sets subject_at to where that is or should be.
 * XNM_WORD_NONE: there is no word, or an option comes next, which is not read; it was reported that
 * the trigger needs `what`. */
xnm_word_result xnm_ruleline_subject(struct xnm_ruleline *line, const char *what,
                                     struct xnm_word *word);

/* Add to the rule's records: an address of redirect; the target of cname; the record of answer,
 * whose type is `word` and whose RDATA is the rest of the line. Errors are reported. */
void xnm_rulerecord_address(struct xnm_ruleline *line, const struct xnm_word *word);
void xnm_rulerecord_target(struct xnm_ruleline *line, const struct xnm_word *word);
void xnm_rulerecord_rdata(struct xnm_ruleline *line, const struct xnm_word *word);

/* Reports, once the line is read, that the target of cname is a name that the rule's own name or
 * zone covers. */
void xnm_rulerecord_finish(struct xnm_ruleline *line);

/* Reads the option `word`, KEY=VALUE, into the rule, whose action and trigger are known. Errors are
 * reported. */
void xnm_ruleoption_read(struct xnm_ruleline *line, const struct xnm_word *word);

/* Returns the length of KEY if a word is KEY=VALUE, else 0. */
size_t xnm_ruleoption_key(const struct xnm_word *word);

/* Returns whether the value is a tag. If not, that is reported. */
bool xnm_ruleoption_tag(struct xnm_ruleline *line, const struct xnm_ruleline_part *value);

/* Reports options that exclude each other, once the line is read. */
void xnm_ruleoption_finish(struct xnm_ruleline *line);

/* Look-alikes: the first checks that the rule's name, which was read with `wildcard`, can be
 * protected; the second completes the rule's protection at the end of the line. Errors are
 * reported. */
void xnm_rulelookalike_name(struct xnm_ruleline *line, bool wildcard);
void xnm_rulelookalike_finish(struct xnm_ruleline *line);

/* Read the value of an option. Errors are reported. */
typedef void xnm_ruleoption_reader(struct xnm_ruleline *line,
                                   const struct xnm_ruleline_part *value);
xnm_ruleoption_reader xnm_rulelookalike_min, xnm_rulelookalike_words;

/* Read the words after script and script-level, from `word` on, and the value of except=. Errors
 * are reported. Return false if the rest of the line cannot be understood. */
bool xnm_rulecondition_scripts(struct xnm_ruleline *line, const struct xnm_word *word);
bool xnm_rulecondition_level(struct xnm_ruleline *line, const struct xnm_word *word);
xnm_ruleoption_reader xnm_rulecondition_except;

/* Copies the text of an option's value from octet `start` on. NULL: it is empty, or an error was
 * reported: it is too long, has an invisible character, or there is no memory. */
char *xnm_rulewhy_text(struct xnm_ruleline *line, const struct xnm_ruleline_part *value,
                       size_t start, const char *option);

struct xnm_rules;

/* Reasons. Read the values of why= and sub-error=; report options that are invalid with the rule's
 * ede=, once the line is read; read a line that begins with `tag`, at `keyword`; free the tags of
 * the rules. */
xnm_ruleoption_reader xnm_rulewhy_why, xnm_rulewhy_sub_error;
void xnm_rulewhy_finish(struct xnm_ruleline *line);
void xnm_ruletag_read(struct xnm_ruleline *line, const struct xnm_word *keyword,
                      struct xnm_rules *rules);
void xnm_ruletag_free(struct xnm_rules *rules);

/* Groups. Read a line that begins with `group`, at `keyword`; the values of client= and when=;
 * warn, once the line is read, if a rule with client= or when= keeps all answers out of the cache,
 * because it is about every name and does more than log or exempt. */
void xnm_rulegroup_read(struct xnm_ruleline *line, const struct xnm_word *keyword,
                        struct xnm_rules *rules);
xnm_ruleoption_reader xnm_rulegroup_client, xnm_rulegroup_when;
void xnm_rulegroup_finish(struct xnm_ruleline *line);

#endif
