/* SPDX-License-Identifier: BSD-3-Clause */
/* why= and sub-error=, on rules and on the lines of tags. */
#include "module/rule/why.h"

#include "core/idna/property.h"
#include "core/text/utf8char.h"
#include "module/rule/rulefile.h"
#include "module/rule/ruleline.h"

#include <stdlib.h>
#include <string.h>

const char *xnm_sub_error_word(xnm_sub_error number)
{
    static const char *const words[XNM_SUB_ERROR_COUNT] = {
        "", "malware", "phishing", "spam", "spyware", "network-policy", "dns-policy"};

    return words[number];
}

bool xnm_sub_error_goes(xnm_sub_error number, int ede)
{
    bool is_policy = number >= XNM_SUB_ERROR_NETWORK_POLICY;

    return ede != XNM_EDE_CENSORED && (ede != XNM_EDE_FILTERED || !is_policy);
}

bool xnm_why_goes(int ede)
{
    return ede == XNM_EDE_BLOCKED || ede == XNM_EDE_CENSORED || ede == XNM_EDE_FILTERED ||
           ede == XNM_EDE_FORGED || ede == XNM_EDE_DEFAULT;
}

size_t xnm_why_visible(const char *text, size_t len, uint32_t *cp)
{
    size_t at = 0, read;

    while (at < len && (read = xn_utf8_read((const uint8_t *)text + at, len - at, cp)) > 0 &&
           xn_unicode_is_visible(*cp))
        at += read;
    return at;
}

char *xnm_rulewhy_text(struct xnm_ruleline *line, const struct xnm_ruleline_part *value,
                       size_t start, const char *option)
{
    size_t len = value->len - start, good;
    uint32_t cp;

    if (len > XNM_RULE_EDE_TEXT_MAX) {
        xnm_textline_error(&line->text, xnm_ruleline_place(value, start),
                           "the text of %s= has %zu octets: expected %d at most", option, len,
                           XNM_RULE_EDE_TEXT_MAX);
        return NULL;
    }
    good = xnm_why_visible(value->text + start, len, &cp);
    if (good < len) { /* the line is UTF-8, so there is a whole character */
        xnm_textline_error(&line->text, xnm_ruleline_place(value, start + good),
                           "U+%04X in the text of %s= is invisible or changes how text is shown: "
                           "expected visible characters",
                           (unsigned)cp, option);
        return NULL;
    }
    char *text = len > 0 ? strndup(value->text + start, len) : NULL;
    if (len > 0 && !text)
        xnm_textline_no_memory(&line->text, xnm_ruleline_place(value, start));
    return text;
}

static void read_why(struct xnm_ruleline *line, const struct xnm_ruleline_part *value, char **why)
{
    if (value->len == 0)
        xnm_textline_error(&line->text, xnm_ruleline_place(value, 0),
                           "why= is empty: expected a sentence for the user in quotes");
    else
        *why = xnm_rulewhy_text(line, value, 0, "why");
}

static void read_sub_error(struct xnm_ruleline *line, const struct xnm_ruleline_part *value,
                           uint8_t *sub_error)
{
    uint8_t number = XNM_SUB_ERROR_NONE + 1;

    while (number < XNM_SUB_ERROR_COUNT && !xnm_ruleline_is(value, xnm_sub_error_word(number)))
        number++;
    if (number == XNM_SUB_ERROR_COUNT)
        xnm_ruleline_refuse(line, value, 0,
                            "is not a value of sub-error=: expected malware, phishing, spam, "
                            "spyware, network-policy or dns-policy");
    else
        *sub_error = number;
}

void xnm_rulewhy_why(struct xnm_ruleline *line, const struct xnm_ruleline_part *value)
{
    read_why(line, value, &line->rule.why);
}

void xnm_rulewhy_sub_error(struct xnm_ruleline *line, const struct xnm_ruleline_part *value)
{
    read_sub_error(line, value, &line->rule.sub_error);
}

void xnm_rulewhy_finish(struct xnm_ruleline *line)
{
    const struct xnm_rule *rule = &line->rule;
    const char *why_at = line->option_at[XNM_OPTION_WHY];
    const char *sub_error_at = line->option_at[XNM_OPTION_SUB_ERROR];
    const char *at = why_at ? why_at : sub_error_at;

    if (at && !xnm_why_goes(rule->ede))
        xnm_textline_error(&line->text, at,
                           "'%s=' does not go with this ede=: expected 15 (Blocked), 16 "
                           "(Censored) or 17 (Filtered)",
                           xnm_option_word(why_at ? XNM_OPTION_WHY : XNM_OPTION_SUB_ERROR));
    else if (sub_error_at && rule->ede == XNM_EDE_CENSORED)
        xnm_textline_error(&line->text, sub_error_at,
                           "'sub-error=' does not go with ede=16 (Censored): expected 15 "
                           "(Blocked) or 17 (Filtered)");
    else if (sub_error_at && !xnm_sub_error_goes(rule->sub_error, rule->ede))
        xnm_textline_error(&line->text, sub_error_at,
                           "'sub-error=%s' does not go with ede=17 (Filtered): expected 15 "
                           "(Blocked)",
                           xnm_sub_error_word(rule->sub_error));
}

/* --- tags --- */

static struct xnm_tag_reason *find_tag(const struct xnm_rules *rules, const char *tag)
{
    for (size_t i = 0; i < rules->tag_count; i++)
        if (strcmp(rules->tags[i].tag, tag) == 0)
            return &rules->tags[i];
    return NULL;
}

/* Reads one option into *reason. */
static void read_tag_option(struct xnm_ruleline *line, const struct xnm_word *word,
                            struct xnm_tag_reason *reason)
{
    size_t key_len = xnm_ruleoption_key(word);
    const struct xnm_ruleline_part key = {word, word->text, key_len ? key_len : word->len};
    const struct xnm_ruleline_part value = {word, word->text + key_len + 1,
                                            word->len - key_len - 1};
    bool is_why = key_len > 0 && xnm_ruleline_is(&key, "why");

    if (!is_why && !(key_len > 0 && xnm_ruleline_is(&key, "sub-error")))
        xnm_ruleline_refuse(line, &key, 0, "is not an option of tag: expected why= or sub-error=");
    else if (is_why ? reason->why != NULL : reason->sub_error != XNM_SUB_ERROR_NONE)
        xnm_ruleline_refuse(line, &key, 0, "was already given on this line: expected it once");
    else if (is_why)
        read_why(line, &value, &reason->why);
    else
        read_sub_error(line, &value, &reason->sub_error);
}

/* Adds *reason to the rules, or frees it and reports why not. */
static void keep_tag(struct xnm_ruleline *line, struct xnm_rules *rules, const char *at,
                     struct xnm_tag_reason *reason)
{
    const struct xnm_tag_reason *other = find_tag(rules, reason->tag);
    struct xnm_tag_reason *grown = NULL;

    if (other)
        xnm_textline_error(&line->text, at,
                           "tag %s already has a line (%s:%u): expected one for each tag",
                           reason->tag, other->file, other->line);
    else if (rules->tag_count == XNM_RULE_TAGS_MAX)
        xnm_textline_error(&line->text, at, "too many tags: expected %d at most",
                           XNM_RULE_TAGS_MAX);
    else if (!(grown = realloc(rules->tags, (rules->tag_count + 1) * sizeof *grown)))
        xnm_textline_no_memory(&line->text, at);
    if (!grown) {
        free(reason->why);
        return;
    }
    rules->tags = grown;
    grown[rules->tag_count++] = *reason;
}

void xnm_ruletag_read(struct xnm_ruleline *line, const struct xnm_word *keyword,
                      struct xnm_rules *rules)
{
    static const char needs[] = "a tag, and then why= or sub-error=";
    unsigned column = xnm_textline_place(&line->text, keyword->at).column, count = 0;
    struct xnm_tag_reason reason = {
        .file = line->rule.file, .line = line->rule.line, .column = column};
    struct xnm_word word;
    xnm_word_result result = xnm_ruleline_word(line, &word);
    const char *at = word.at;

    if (result == XNM_WORD_NONE)
        xnm_textline_error(&line->text, line->pos, "tag needs %s", needs);
    if (result != XNM_WORD_FOUND)
        return;
    const struct xnm_ruleline_part name = {&word, word.text, word.len};
    if (!xnm_ruleoption_tag(line, &name))
        return;
    memcpy(reason.tag, word.text, word.len);
    for (; (result = xnm_ruleline_word(line, &word)) == XNM_WORD_FOUND; count++)
        read_tag_option(line, &word, &reason);
    if (result == XNM_WORD_NONE && count == 0)
        xnm_textline_error(&line->text, line->pos, "tag needs %s", needs);
    keep_tag(line, rules, at, &reason);
}

void xnm_ruletag_free(struct xnm_rules *rules)
{
    for (size_t i = 0; i < rules->tag_count; i++)
        free(rules->tags[i].why);
    free(rules->tags);
}

void xnm_rules_apply_tags(struct xnm_rules *rules, const struct xnm_diagnostics *diagnostics)
{
    for (size_t i = 0; i < rules->count; i++) {
        struct xnm_rule *rule = &rules->rules[i];
        struct xnm_tag_reason *reason = rule->tag ? find_tag(rules, rule->tag) : NULL;
        if (reason)
            reason->used = true;
        rule->tag_reason = reason;
    }
    for (size_t i = 0; i < rules->tag_count; i++) {
        const struct xnm_tag_reason *reason = &rules->tags[i];
        if (!reason->used)
            xnm_diagnostics_add(diagnostics, XNM_WARNING,
                                &(struct xnm_place){reason->file, reason->line, reason->column},
                                "no rule has the tag %s: this line does nothing", reason->tag);
    }
}
