/* SPDX-License-Identifier: BSD-3-Clause */
/* The grammar of rule files as tables: the actions, triggers and options, and their valid
 * combinations. The parser, its messages and the test of the manual's table read them. */
#ifndef XNM_MODULE_RULE_RULETABLE_H
#define XNM_MODULE_RULE_RULETABLE_H

#include "module/file/textline.h"
#include "module/rule/rule.h"

typedef enum {
    XNM_OPTION_TYPE,
    XNM_OPTION_TTL,
    XNM_OPTION_EDE,
    XNM_OPTION_WHY,
    XNM_OPTION_SUB_ERROR,
    XNM_OPTION_TAG,
    XNM_OPTION_SUFFIXES,
    XNM_OPTION_SHRINK,
    XNM_OPTION_MODE,
    XNM_OPTION_ORIGIN,
    XNM_OPTION_SKIP,
    XNM_OPTION_ACTION,
    XNM_OPTION_EXPIRE,
    XNM_OPTION_URL,
    XNM_OPTION_KEY,
    XNM_OPTION_TLD,
    XNM_OPTION_LABEL,
    XNM_OPTION_ASCII,
    XNM_OPTION_MIN,
    XNM_OPTION_NEAR,
    XNM_OPTION_WITHIN,
    XNM_OPTION_WORDS,
    XNM_OPTION_ELSEWHERE,
    XNM_OPTION_EXCEPT,
    XNM_OPTION_CLIENT, /* this and the following options are valid on every rule */
    XNM_OPTION_WHEN,
    XNM_OPTION_COUNT
} xnm_option;

/* The words between an action and its trigger. */
typedef enum {
    XNM_ARGUMENT_NONE,
    XNM_ARGUMENT_ADDRESSES, /* one IP address or more */
    XNM_ARGUMENT_TARGET     /* one name */
} xnm_argument;

/* The words after a trigger. */
typedef enum {
    XNM_SUBJECT_NONE,
    XNM_SUBJECT_NAME,
    XNM_SUBJECT_PATH,
    XNM_SUBJECT_SCRIPTS, /* `in` or `not-in`, and a list of scripts */
    XNM_SUBJECT_LEVEL    /* a restriction level */
} xnm_subject;

xnm_argument xnm_ruletable_argument(xnm_action action);
/* Returns whether the line ends with a record type and RDATA. */
bool xnm_ruletable_has_rdata(xnm_action action);
xnm_subject xnm_ruletable_subject(xnm_trigger trigger);
/* Returns the option's word, such as "type" or "ttl". */
const char *xnm_option_word(xnm_option option);

bool xnm_ruletable_trigger_goes(xnm_trigger trigger, xnm_action action);
bool xnm_ruletable_option_goes(xnm_option option, xnm_action action, xnm_trigger trigger);
/* Returns whether an option is valid with the action, if the trigger allows it. */
bool xnm_ruletable_option_has(xnm_option option, xnm_action action);
/* Return advice for a message that is better than a list of the valid actions or triggers; NULL:
 * there is none. */
const char *xnm_ruletable_hint(xnm_option option, xnm_action action);
const char *xnm_ruletable_trigger_hint(xnm_trigger trigger);

/* Find a word. Return whether there is one. The word "rpz" has XNM_ACTION_NONE. */
bool xnm_ruletable_find_action(const struct xnm_word *word, xnm_action *action);
/* Returns whether the word is "group", the first word of a line about a group. */
bool xnm_ruletable_is_group(const struct xnm_word *word);
/* Returns whether the word is "tag", the first word of a line about a tag. */
bool xnm_ruletable_is_tag(const struct xnm_word *word);
bool xnm_ruletable_find_trigger(const struct xnm_word *word, xnm_trigger *trigger);
bool xnm_ruletable_find_option(const char *text, size_t len, xnm_option *option);

/* Return the known word that an unknown one may be misspelt for; NULL: there is no such word. An
 * option has no `=`. */
const char *xnm_ruletable_near_action(const struct xnm_word *word);
const char *xnm_ruletable_near_trigger(xnm_action action, const struct xnm_word *word);
const char *xnm_ruletable_near_option(xnm_action action, xnm_trigger trigger, const char *text,
                                      size_t len);

/* Write lists of words for messages, "a, b and c" or "a, b or c", to dst. Return dst. The list of
 * actions has "group" and "tag", too. */
enum { XNM_RULETABLE_LIST_MAX = 240 };
const char *xnm_ruletable_list_actions(char dst[XNM_RULETABLE_LIST_MAX]);
const char *xnm_ruletable_list_triggers(xnm_action action, char dst[XNM_RULETABLE_LIST_MAX]);
/* The list of options has their `=`. "" if there are none. */
const char *xnm_ruletable_list_options(xnm_action action, xnm_trigger trigger,
                                       char dst[XNM_RULETABLE_LIST_MAX]);
/* Lists the triggers that an option is valid with if `action` has the option, else the actions. */
const char *xnm_ruletable_list_users(xnm_option option, xnm_action action,
                                     char dst[XNM_RULETABLE_LIST_MAX]);

#endif
