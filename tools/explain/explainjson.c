/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what `explain` found as JSON. */
#include "tools/codec/convert.h"
#include "tools/explain/explain.h"

#include "core/text/utf8char.h"

#include <string.h>

/* Adds a text as a string, after `key` as it is. */
static void add_text(struct buffer *out, const char *key, const void *text, size_t len)
{
    buffer_text(out, key);
    buffer_json(out, text, len);
}

/* Adds the exact form of a label: the Unicode of a valid A-label; else its form in the DNS, or what
 * was written. */
static void add_unicode(const struct explained_label *label, struct buffer *out)
{
    uint8_t text[XN_ULABEL_MAX * XN_UTF8_MAX];
    size_t len = 0;

    if (label->wire[0] == 0) {
        add_text(out, ",\"u\":", label->written, label->written_len);
    } else if (!label->idn || xn_reasons_status(label->reasons) == XN_LABEL_INVALID) {
        add_text(out, ",\"u\":", label->ascii, label->ascii_len);
    } else {
        for (size_t i = 0; i < label->code_point_count; i++)
            len += xn_utf8_write(label->code_points[i], text + len);
        add_text(out, ",\"u\":", text, len);
    }
}

static void add_scripts(const struct explained_label *label, struct buffer *out)
{
    buffer_text(out, ",\"scripts\":[");
    for (size_t i = 0; i < label->scripts.count; i++)
        buffer_format(out, "%s\"%s\"", i > 0 ? "," : "", label->scripts.codes[i]);
    buffer_format(out, "],\"level\":\"%s\",\"conditions\":[", xn_level_word(label->level));
}

static void add_conditions(const struct explained_label *label, struct buffer *out)
{
    for (size_t i = 0; i < label->condition_count; i++)
        buffer_format(out, "%s\"%s\"", i > 0 ? "," : "", xnm_trigger_word(label->conditions[i]));
    buffer_text(out, "]");
}

static void add_label(const struct explained_label *label, struct buffer *out)
{
    buffer_text(out, label->number > 1 ? "," : "");
    add_text(out, "{\"a\":", label->ascii, label->ascii_len);
    add_unicode(label, out);
    buffer_format(out, ",\"status\":\"%s\",\"reason\":",
                  xn_label_status_word(xn_reasons_status(label->reasons)));
    convert_reasons(out, label->reasons);
    add_scripts(label, out);
    add_conditions(label, out);
    add_text(out, ",\"exact\":", label->exact.octets, label->exact.len);
    add_text(out, ",\"strict\":", label->strict.octets, label->strict.len);
    buffer_text(out, "}");
}

static void add_labels(const struct explain_policy *policy, const struct explained_name *name,
                       struct buffer *out)
{
    struct explained_label label = {0};

    buffer_text(out, ",\"labels\":[");
    while (explain_next_label(policy->unicode, name, &label))
        add_label(&label, out);
    buffer_text(out, "]");
}

static void add_tags(const struct explain_policy *policy, const struct explained_name *name,
                     struct buffer *out)
{
    uint64_t tags = name->asked && name->decision.any ? name->decision.decision.tags : 0;
    const char *before = "";

    buffer_text(out, ",\"tags\":[");
    for (unsigned number = 0; tags != 0; number++, tags >>= 1) {
        if (!(tags & 1))
            continue;
        const char *tag = xnm_policy_tag(policy->policy, number);
        buffer_text(out, before);
        buffer_json(out, tag, strlen(tag));
        before = ",";
    }
    buffer_text(out, "]");
}

/* Adds how the decision depends on the client and the time. */
static void add_varies(const struct explained_name *name, struct buffer *out)
{
    const struct xnm_decision *made = &name->decision.decision;
    bool varies = name->asked && made->specific_decision;

    buffer_format(out, ",\"varies\":%s",
                  !varies                 ? "null"
                  : made->specific_answer ? "\"answer\""
                                          : "\"log\"");
}

/* Adds the extended error for a client that asks for structured ones: JSON as it is sent. */
static void add_error(const struct explained_error *error, struct buffer *out)
{
    if (!error->any)
        return;
    buffer_format(out, ",\"structured\":{\"ede\":%d,\"text\":", error->code);
    if (error->is_json)
        buffer_add(out, error->text, error->len);
    else
        buffer_json(out, error->text, error->len);
    buffer_text(out, "}");
}

/* The key that found a look-alike, and why in words. */
static void add_imitation(const struct explained_decision *decision, struct buffer *out)
{
    struct buffer why = {0};

    explain_add_imitation(decision, &why);
    buffer_format(out, ",\"key\":\"%s\"", xnm_match_kind_word(decision->match.match_kind));
    add_text(out, ",\"why\":", why.data, why.len);
    buffer_free(&why);
}

static void add_decision(const struct explained_name *name, struct buffer *out)
{
    const struct explained_decision *decision = &name->decision;
    const struct xnm_match *match = &decision->match;

    if (!name->asked || !decision->any) {
        buffer_text(out, ",\"decision\":null");
        return;
    }
    buffer_format(out, ",\"decision\":{\"action\":\"%s\"", xnm_action_word(match->action));
    add_text(out, ",\"match\":", decision->subject, decision->subject_len);
    if (xnm_match_has_lookalike(match))
        add_imitation(decision, out);
    if (match->label > 0)
        buffer_format(out, ",\"label\":%u", match->label);
    add_text(out, ",\"file\":", decision->rule->file, strlen(decision->rule->file));
    buffer_format(out, ",\"line\":%u", decision->rule->line);
    if (decision->rule->client)
        buffer_format(out, ",\"client\":\"%s\"", decision->rule->client);
    if (decision->rule->when)
        buffer_format(out, ",\"when\":\"%s\"", decision->rule->when);
    if (match->group[0])
        buffer_format(out, ",\"group\":\"%s\"", match->group);
    add_error(&decision->error, out);
    buffer_text(out, match->log_only ? ",\"mode\":\"log-only\"}" : "}");
}

/* Adds how the answer of --host's resolver differs from the rule's. */
static void add_host(const struct explain_policy *policy, const struct explained_name *name,
                     struct buffer *out)
{
    static const char *const instead[] = {[EXPLAIN_AS_RULED] = "null",
                                          [EXPLAIN_REFUSED] = "\"refused\"",
                                          [EXPLAIN_ALIAS_ALONE] = "\"alias\""};
    const struct xnm_policy_rule *rule = name->decision.left_out;

    if (!policy->host.word || !name->asked) {
        buffer_text(out, ",\"with\":null");
        return;
    }
    buffer_format(out, ",\"with\":{\"host\":\"%s\",\"instead\":%s,\"left_out\":", policy->host.word,
                  instead[name->decision.instead]);
    if (rule) {
        buffer_format(out, "{\"action\":\"%s\"", xnm_action_word(rule->action));
        add_text(out, ",\"file\":", rule->file, strlen(rule->file));
        buffer_format(out, ",\"line\":%u}}", rule->line);
    } else {
        buffer_text(out, "null}");
    }
}

void explain_as_json(const struct explain_policy *policy, const struct explained_name *name,
                     struct buffer *out)
{
    const struct conversion *conversion = &name->conversion;

    convert_json(out, name->input, name->input_len, &name->host, conversion);
    if (name->ask.len > 0)
        add_text(out, ",\"ask\":", name->ask.data, name->ask.len);
    else
        buffer_text(out, ",\"ask\":null");
    buffer_format(out, ",\"status\":\"%s\",\"reason\":", xn_label_status_word(name->status));
    if (conversion->fault)
        buffer_format(out, "[\"%s\"]", conversion->fault->word);
    else
        convert_reasons(out, name->reasons);
    add_labels(policy, name, out);
    add_tags(policy, name, out);
    add_varies(name, out);
    add_decision(name, out);
    add_host(policy, name, out);
    buffer_text(out, "}\n");
}
