/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the subjects of the triggers script and level, and the option except= of conditions. */
#include "core/wire/walk.h"
#include "module/rule/ruleline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof "not-in " + XNM_RULE_SCRIPTS_MAX * sizeof "Latn" <= XNM_RULE_SUBJECT_MAX,
               "the longest list of scripts is a subject");

/* --- script --- */

/* Returns whether the code is Common or Inherited, which every script includes. */
static bool is_common(const struct xnm_ruleline_part *part)
{
    static const char *const codes[] = {"zyyy", "zinh", "qaai"};
    char lower[sizeof "zyyy"];

    if (part->len != sizeof lower - 1)
        return false;
    xn_wire_lower((uint8_t *)lower, (const uint8_t *)part->text, sizeof lower - 1);
    lower[sizeof lower - 1] = '\0';
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (strcmp(lower, codes[i]) == 0)
            return true;
    return false;
}

/* Returns the number of scripts in the rule's subject, "in Latn,Cyrl". */
static size_t count_scripts(const char *subject)
{
    return strlen(strchr(subject, ' ')) / sizeof "Latn";
}

/* Appends a script to the rule's subject: "cYRL" becomes "Cyrl". */
static void note_script(struct xnm_rule *rule, const struct xnm_ruleline_part *part)
{
    size_t len = strlen(rule->subject);

    if (rule->subject[len - 1] != ' ')
        rule->subject[len++] = ',';
    xn_wire_lower((uint8_t *)rule->subject + len, (const uint8_t *)part->text, part->len);
    rule->subject[len] = (char)(rule->subject[len] - 'a' + 'A');
}

static void add_script(struct xnm_ruleline *line, const struct xnm_ruleline_part *part)
{
    struct xnm_condition *condition = &line->rule.condition;
    struct xn_script_set before = condition->scripts;

    if (part->len == 0)
        xnm_textline_error(&line->text, xnm_ruleline_place(part, 0),
                           "a script is missing: expected ISO 15924 codes such as Latn,Cyrl, "
                           "without white space");
    else if (is_common(part))
        xnm_ruleline_refuse(line, part, 0,
                            "is for characters that every script uses, which are ignored: "
                            "expected scripts such as Latn,Cyrl");
    else if (count_scripts(line->rule.subject) == XNM_RULE_SCRIPTS_MAX)
        xnm_textline_error(&line->text, xnm_ruleline_place(part, 0),
                           "too many scripts: expected %d at most", XNM_RULE_SCRIPTS_MAX);
    else if (!xn_script_set_add(&condition->scripts, part->text, part->len))
        xnm_ruleline_refuse(line, part, 0,
                            "is not a script: expected ISO 15924 codes such as Latn,Cyrl");
    else if (memcmp(&before, &condition->scripts, sizeof before) == 0)
        xnm_ruleline_refuse(line, part, 0,
                            "is among the scripts before it: expected each script once");
    else
        note_script(&line->rule, part);
}

bool xnm_rulecondition_scripts(struct xnm_ruleline *line, const struct xnm_word *word)
{
    static const char *const words[] = {"in", "not-in"};
    static const char needs[] = "ISO 15924 codes of scripts, such as Latn,Cyrl,";
    const struct xnm_ruleline_part first = {word, word->text, word->len};
    struct xnm_rule *rule = &line->rule;
    struct xnm_word list;

    rule->condition.outside = xnm_word_is(word, words[1]);
    if (word->quoted || !xnm_word_is(word, words[rule->condition.outside])) {
        xnm_ruleline_refuse(line, &first, 0,
                            "is not expected here: script takes in or not-in, without quotes, and "
                            "ISO 15924 codes such as Latn,Cyrl");
        return false;
    }
    snprintf(rule->subject, sizeof rule->subject, "%s ", words[rule->condition.outside]);
    xnm_word_result result = xnm_ruleline_subject(line, needs, &list);
    if (result == XNM_WORD_FOUND)
        xnm_ruleline_split(line, &(struct xnm_ruleline_part){&list, list.text, list.len},
                           add_script);
    return result != XNM_WORD_BAD;
}

/* --- script-level --- */

bool xnm_rulecondition_level(struct xnm_ruleline *line, const struct xnm_word *word)
{
    const struct xnm_ruleline_part part = {word, word->text, word->len};
    struct xnm_rule *rule = &line->rule;
    xn_level level = XN_LEVEL_HIGHLY;

    while (level < XN_LEVEL_MINIMAL && !xnm_word_is(word, xn_level_word(level)))
        level++;
    if (word->quoted || !xnm_word_is(word, xn_level_word(level))) {
        xnm_ruleline_refuse(line, &part, 0,
                            "is not a level: expected highly, moderate or minimal, without quotes");
        return true;
    }
    rule->condition.level = level;
    snprintf(rule->subject, sizeof rule->subject, "%s", xn_level_word(level));
    return true;
}

/* --- wholescript --- */

bool xnm_condition_excepts(const struct xnm_condition *condition, const uint8_t *tld, size_t len)
{
    for (size_t i = 0; i < condition->except_count; i++)
        if (condition->except[i].len == len && memcmp(condition->except[i].octets, tld, len) == 0)
            return true;
    return false;
}

static void add_except(struct xnm_ruleline *line, const struct xnm_ruleline_part *part)
{
    struct xnm_condition *condition = &line->rule.condition;
    struct xnm_wirename *name = &condition->except[condition->except_count];

    if (condition->except_count == XNM_RULE_EXCEPT_MAX)
        xnm_textline_error(&line->text, xnm_ruleline_place(part, 0),
                           "too many top-level domains: expected %d at most", XNM_RULE_EXCEPT_MAX);
    else if (part->len == 0)
        xnm_textline_error(&line->text, xnm_ruleline_place(part, 0),
                           "a top-level domain is missing: expected top-level domains such as "
                           "ru,рф, without white space");
    else if (!xnm_ruleline_name(line, part, name, NULL))
        return; /* the error was reported */
    else if (name->len == 1 || name->octets[0] + 2 != name->len)
        xnm_ruleline_refuse(line, part, 0,
                            "is not a top-level domain: expected one label, such as ru or рф");
    else if (xnm_condition_excepts(condition, name->octets, name->len))
        xnm_ruleline_refuse(line, part, 0,
                            "was already given: expected each top-level domain once");
    else
        condition->except_count++;
}

void xnm_rulecondition_except(struct xnm_ruleline *line, const struct xnm_ruleline_part *value)
{
    struct xnm_condition *condition = &line->rule.condition;

    condition->except = calloc(XNM_RULE_EXCEPT_MAX, sizeof *condition->except);
    if (!condition->except)
        xnm_textline_no_memory(&line->text, xnm_ruleline_place(value, 0));
    else
        xnm_ruleline_split(line, value, add_except);
}
