/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/report/rules.h"

#include "module/base/rrtype.h"
#include "module/log/logline.h"
#include "module/zone/zonefile.h"
#include "tools/check/policyread.h"
#include "tools/text/buffer.h"

#include <stdlib.h>
#include <string.h>

struct report_rules {
    const struct xn_unicode *unicode;
    struct xnm_policy *policy; /* owned */
    struct xnm_match match;    /* of the line at hand, for its spans */
    char place[XNM_LOGLINE_RULE_MAX], subject[XNM_LOGLINE_SUBJECT_MAX];
};

struct report_rules *report_rules_open(const struct xn_unicode *unicode, const char *file)
{
    struct policyread read = {.how = {.unicode = unicode, .diagnostics = &policyread_errors}};
    const struct xnm_place place = {.file = file};

    if (!policyread_any(&read, file))
        return NULL;
    if (!read.files.policy) {
        policyread_say(&place, "this configuration names no rule file");
        return NULL;
    }
    struct report_rules *rules = buffer_zeros(1, sizeof *rules);
    rules->unicode = unicode;
    rules->policy = read.files.policy;
    return rules;
}

void report_rules_close(struct report_rules *rules)
{
    if (rules)
        xnm_policy_free(rules->policy);
    free(rules);
}

static void write_match(struct report_rules *rules, struct logs_line *line)
{
    const struct xnm_match *match = &rules->match;
    struct xnm_reply reply = {.match = match};
    struct xn_name name;

    if (match->name.len > 0 &&
        xn_name_read(rules->unicode, match->name.octets, match->name.len, 0, &name) == XN_OK)
        reply.match_name = &name;
    line->action = logs_span_of(xnm_action_word(match->action));
    line->rule = (struct logs_span){rules->place, xnm_logline_rule(match, rules->place)};
    line->match =
        (struct logs_span){rules->subject, xnm_logline_subject(&reply, true, rules->subject)};
    if (xnm_match_has_lookalike(match))
        line->key = logs_span_of(xnm_match_kind_word(match->match_kind));
    if (match->log_only)
        line->mode = logs_span_of("log-only");
    if (match->tags[0])
        line->tags = logs_span_of(match->tags);
}

void report_rules_decide(struct report_rules *rules, const uint8_t *wire, size_t wire_len,
                         struct logs_line *line)
{
    struct xnm_prefix prefix;
    bool known = line->client.at && !xnm_prefix_read(line->client.at, line->client.len, &prefix);
    const struct xnm_question question = {
        .qname = wire,
        .qname_len = wire_len,
        .qtype = line->type.at ? xnm_zonefile_type(line->type.at, line->type.len) : 0,
        .qclass = XNM_CLASS_IN,
        .client = known ? &prefix : NULL,
        .time = line->time == LOGS_NO_TIME ? 0 : (time_t)line->time};
    const struct logs_span none = {0};
    struct xnm_decision decision;

    line->action = line->rule = line->match = line->key = line->target = line->mode = line->tags =
        none;
    bool is_internet =
        !line->class.at || logs_is_word(line->class, "IN") || logs_is_word(line->class, "ANY");
    if (wire_len == 0 || !is_internet || !xnm_policy_decide(rules->policy, &question, &decision))
        return;
    xnm_match_from(rules->policy, &decision, false, &rules->match);
    write_match(rules, line);
}
