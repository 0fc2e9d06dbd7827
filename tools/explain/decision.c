/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the sentences about the rule that decides: what it does, where it is, and why it
 * matches. */
#include "tools/explain/explain.h"

#include "core/idna/property.h"
#include "tools/text/fold.h"

#include <string.h>

enum { RULE_INDENT = 3 }; /* of the lines about the deciding rule */

static void add_place(struct buffer *line, const struct xnm_policy_rule *rule)
{
    buffer_visible(line, rule->file, strlen(rule->file));
    buffer_format(line, ":%u", rule->line);
}

/* "name *.пример.example": the log's words, for the match of a rule itself. */
static void add_rule(const struct explain_policy *policy, const struct xnm_policy_rule *rule,
                     struct buffer *line)
{
    struct conversion subject = {0};

    buffer_text(line, xnm_trigger_word(rule->trigger));
    if (rule->trigger == XNM_TRIGGER_NAME || rule->trigger == XNM_TRIGGER_ZONE ||
        rule->trigger == XNM_TRIGGER_LOOKALIKE)
        convert_name(policy->unicode,
                     &(const struct host){.name = rule->subject, .len = strlen(rule->subject)},
                     &subject);
    else
        buffer_visible(&subject.display, rule->subject, strlen(rule->subject));
    buffer_text(line, subject.display.len > 0 ? " " : "");
    buffer_add(line, subject.display.data, subject.display.len);
    conversion_free(&subject);
}

/* Adds the log rules that matched, except the one that the decision is about. */
static void add_logs(const struct explain_policy *policy, const struct explained_decision *decision,
                     struct buffer *out)
{
    const struct xnm_decision *made = &decision->decision;
    struct buffer line = {0};

    for (unsigned i = made->answer ? 0 : 1; i < made->log_count; i++) {
        buffer_text(&line, "also log: ");
        add_rule(policy, made->logs[i].rule, &line);
        fold_line(out, RULE_INDENT, &line);
        add_place(&line, made->logs[i].rule);
        fold_line(out, RULE_INDENT, &line);
    }
    buffer_free(&line);
}

/* Adds the clients and the times of the rule. */
static void add_limits(struct buffer *line, const struct xnm_policy_rule *rule)
{
    if (rule->client)
        buffer_format(line, " client=%s", rule->client);
    if (rule->when)
        buffer_format(line, " when=%s", rule->when);
}

static void add_tags(const struct explain_policy *policy, uint64_t tags, struct buffer *out)
{
    struct buffer line = {0};

    for (unsigned number = 0; number < XNM_TAGS_MAX; number++) {
        if (!(tags >> number & 1))
            continue;
        const char *tag = xnm_policy_tag(policy->policy, number);
        buffer_text(&line, line.len > 0 ? ", " : "tags ");
        buffer_visible(&line, tag, strlen(tag));
    }
    if (line.len > 0)
        fold_line(out, RULE_INDENT, &line);
    buffer_free(&line);
}

static void add_match(const struct explained_decision *decision, struct buffer *line)
{
    const struct xnm_match *match = &decision->match;

    buffer_visible(line, decision->subject, decision->subject_len);
    if (xnm_match_has_lookalike(match))
        buffer_format(line, ", %s%s", xnm_match_kind_word(match->match_kind),
                      match->match_kind <= XNM_MATCH_KIND_STRICT ? " key" : "");
    if (match->label > 0)
        buffer_format(line, ", label %u", match->label);
}

/* Returns the client's answer, in words that follow "the client gets ". */
static const char *gets(const struct explained_decision *decision)
{
    if (!decision->any || decision->match.log_only)
        return "the answer as it is";
    if (decision->instead == EXPLAIN_REFUSED)
        return "REFUSED: this host cannot drop a query";
    if (decision->instead == EXPLAIN_ALIAS_ALONE)
        return "the alias alone, without its target's records";
    switch (decision->match.action) {
    case XNM_NXDOMAIN:
        return "NXDOMAIN";
    case XNM_NODATA:
        return "NOERROR without records";
    case XNM_REFUSE:
        return "REFUSED";
    case XNM_DROP:
        return "nothing over UDP, otherwise REFUSED";
    case XNM_REDIRECT:
    case XNM_ANSWER:
        return "the rule's records";
    case XNM_CNAME:
        return "the alias and its target's records";
    case XNM_TCP_ONLY:
        return "a truncated answer over UDP, otherwise the answer as it is";
    case XNM_PASSTHRU:
    case XNM_LOG:
    case XNM_ACTION_NONE:
    case XNM_ACTION_COUNT:
        break;
    }
    return "the answer as it is";
}

/* Adds the host, and the rules that it leaves out. */
static void add_host(const struct explain_policy *policy, const struct explained_decision *decision,
                     struct buffer *out)
{
    const struct xnm_policy_rule *left_out = decision->left_out;
    struct buffer line = {0};

    if (!policy->host.word)
        return;
    buffer_format(&line, "with %s the client gets %s", policy->host.word, gets(decision));
    fold_line(out, RULE_INDENT, &line);
    if (left_out) {
        buffer_format(&line, "%s leaves out a rule that would decide: %s, ", policy->host.word,
                      xnm_action_word(left_out->action));
        add_place(&line, left_out);
        add_limits(&line, left_out);
        fold_line(out, RULE_INDENT, &line);
    }
    buffer_free(&line);
}

/* Adds the extended error for a client that asks for structured ones. The text is not folded, so
 * that it can be copied. */
static void add_error(const struct explained_error *error, struct buffer *out)
{
    if (!error->any)
        return;
    fold_indent(out, RULE_INDENT);
    buffer_format(out, "structured error %d%s", error->code, error->len > 0 ? " " : "");
    buffer_visible(out, error->text, error->len);
    buffer_text(out, "\n");
}

static void add_decision(const struct explain_policy *policy,
                         const struct explained_decision *decision, struct buffer *out)
{
    struct buffer line = {0};

    buffer_text(&line, "=> ");
    if (decision->any && decision->match.log_only)
        buffer_text(&line, "log-only, otherwise ");
    buffer_text(&line, decision->any ? xnm_action_word(decision->match.action)
                                     : "no rule matches a query");
    if (!decision->any || policy->type_given) {
        buffer_text(&line, " for ");
        buffer_visible(&line, policy->type_word, strlen(policy->type_word));
    }
    if (decision->any) {
        buffer_text(&line, ": ");
        add_match(decision, &line);
    }
    fold_words(out, line.data, line.len, RULE_INDENT);
    line.len = 0;
    if (decision->any) {
        add_place(&line, decision->rule);
        add_limits(&line, decision->rule);
        fold_line(out, RULE_INDENT, &line);
        add_logs(policy, decision, out);
        add_tags(policy, decision->decision.tags, out);
        add_error(&decision->error, out);
    }
    if (decision->decision.specific_decision && policy->client.address.len == 0)
        buffer_text(&line, "rules with client= or when= also match: give the client with --client, "
                           "the time with --time");
    else if (decision->decision.specific_decision)
        buffer_format(&line, "another client, or another time, may have another %s",
                      decision->decision.specific_answer ? "answer" : "log line");
    if (decision->decision.specific_decision)
        fold_line(out, RULE_INDENT, &line);
    buffer_free(&line);
    add_host(policy, decision, out);
}

void explain_add_answer(const struct explain_policy *policy, const struct explained_name *name,
                        struct buffer *out)
{
    struct buffer line = {0};

    if (name->conversion.fault)
        buffer_format(&line, "=> invalid: the %s %s", name->host.within ? "host" : "name",
                      name->conversion.fault->text);
    else if (name->reasons)
        buffer_format(&line, "=> invalid: the name %s",
                      xn_reason_text(xn_reasons_worst(name->reasons)));
    else if (name->asked)
        add_decision(policy, &name->decision, out);
    else if (policy->policy)
        buffer_text(&line, "=> no query can have such a name");
    else if (policy->configured)
        buffer_text(&line, "=> the configuration names no rule file");
    if (line.len > 0)
        fold_words(out, line.data, line.len, RULE_INDENT);
    buffer_free(&line);
}

/* --- the sentence at the top --- */

/* Returns the effect of a rule on a name; in log-only mode, the effect that it would have. */
static const char *deed(xnm_action action, bool log_only)
{
    switch (action) {
    case XNM_PASSTHRU:
        return log_only ? "would let it pass" : "lets it pass";
    case XNM_REDIRECT:
    case XNM_CNAME:
    case XNM_ANSWER:
        return log_only ? "would answer it" : "answers it";
    case XNM_TCP_ONLY:
        return log_only ? "would allow it over TCP only" : "allows it over TCP only";
    case XNM_LOG:
        return "only logs it";
    default:
        return log_only ? "would refuse it" : "refuses it";
    }
}

/* Adds the name of the first character of a label that is not ASCII. */
static void add_stranger(const struct explain_policy *policy, const struct explained_name *name,
                         struct buffer *line)
{
    struct explained_label label = {0};
    char text[XN_CHARACTER_NAME_MAX];

    while (explain_next_label(policy->unicode, name, &label)) {
        if (label.number != name->decision.match.label)
            continue;
        for (size_t i = 0; i < label.code_point_count; i++) {
            if (label.code_points[i] < 0x80)
                continue;
            xn_unicode_character_name(label.code_points[i], text);
            buffer_format(line, " (it has %s)", text);
            return;
        }
    }
}

static void add_raw(const struct buffer *ask, struct buffer *out)
{
    struct buffer line = {0};

    buffer_text(&line, "asked as raw UTF-8: no resolver finds it; ");
    buffer_text(&line, ask->len > 0 ? "ask " : "it has no name in A-labels");
    buffer_add(&line, ask->data, ask->len);
    fold_words(out, line.data, line.len, RULE_INDENT);
    buffer_free(&line);
}

void explain_add_sentence(const struct explain_policy *policy, const struct explained_name *name,
                          struct buffer *out)
{
    const struct explained_decision *decision = &name->decision;
    struct buffer line = {0};

    if (name->raw)
        add_raw(&name->ask, out);
    if (!name->asked || !decision->any)
        return;
    if (xnm_match_has_lookalike(&decision->match)) {
        explain_add_imitation(decision, &line);
        add_stranger(policy, name, &line);
    } else {
        buffer_text(&line, "matches ");
        buffer_visible(&line, decision->subject, decision->subject_len);
    }
    buffer_text(&line, "; ");
    add_place(&line, decision->rule);
    buffer_format(&line, " %s (%s)", deed(decision->match.action, decision->match.log_only),
                  xnm_action_word(decision->match.action));
    fold_words(out, line.data, line.len, RULE_INDENT);
    buffer_free(&line);
}
