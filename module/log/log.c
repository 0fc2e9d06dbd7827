/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/log/log.h"

#include "core/idna/name.h"
#include "module/log/loganswers.h"
#include "module/log/logline.h"
#include "module/log/logwriter.h"

/* Returns the reasons that do not count in other names than the qname. */
static xn_reasons waived(const struct xnm_log *log)
{
    return log->config->show_emoji ? xn_reason_bit(XN_EMOJI) : 0;
}

static xn_reasons waived_in_qname(const struct xnm_log *log)
{
    return waived(log) | (log->is_checked ? xn_reason_bit(XN_WHOLESCRIPT) : 0);
}

struct xnm_namecache_entry *xnm_log_read(const struct xnm_log *log, const struct xnm_reply *reply,
                                         bool is_logged, struct xn_name *name)
{
    struct xnm_namecache_entry *known =
        xnm_namecache_find(2 * log->owner + log->is_checked, reply->qname, reply->qname_len);

    if (known && known->has_reasons && (known->has_text || !is_logged)) {
        name->reasons = known->reasons;
        return known;
    }
    xn_name_decode(log->unicode, waived_in_qname(log), name);
    if (!known)
        return NULL;
    known->reasons = name->reasons;
    known->has_reasons = true;
    return known;
}

static bool has_answers(const struct xnm_log *log, const struct xnm_reply *reply)
{
    return log->config->log_answers != XNM_LOG_ANSWERS_NO && reply->next_answer;
}

/* Not inlined, since a line of JSON may be seven times as long, and pages of the frame would be
 * touched in vain. Both have room for the line feed. */
__attribute__((noinline)) static void log_json(const struct xnm_log *log,
                                               const struct xnm_reply *reply,
                                               const struct xn_name *name,
                                               struct xnm_namecache_entry *known)
{
    char line[XNM_LOGLINE_JSON_MAX + XNM_LOGANSWERS_ROOM];
    size_t max = xnm_logwriter_line_max(log->writer);
    size_t len = xnm_logline_json(log->config, reply, name, known, max, line);

    if (has_answers(log, reply)) { /* before the brace */
        len += xnm_loganswers_json(log->config, reply, max - len, line + len - 1);
        line[len - 1] = '}';
    }
    xnm_logwriter_write(log->writer, line, len);
}

__attribute__((noinline)) static void log_text(const struct xnm_log *log,
                                               const struct xnm_reply *reply,
                                               const struct xn_name *name,
                                               struct xnm_namecache_entry *known)
{
    char line[XNM_LOGLINE_TEXT_MAX + XNM_LOGANSWERS_ROOM];
    size_t len = xnm_logline_text(log->config, reply, name, known,
                                  xnm_logwriter_needs_time(log->writer), line);

    if (has_answers(log, reply)) {
        const struct xnm_loganswers_names names = {log->unicode, waived(log)};
        len +=
            xnm_loganswers_text(log->config, &names, reply, XNM_LOGLINE_TEXT_MAX - len, line + len);
    }
    xnm_logwriter_write(log->writer, line, len);
}

static void log_reply(const struct xnm_log *log, const struct xnm_reply *reply,
                      const struct xn_name *name, struct xnm_namecache_entry *known)
{
    if (log->config->log == XNM_LOG_JSON)
        log_json(log, reply, name, known);
    else
        log_text(log, reply, name, known);
}

/* Returns the label that looks like a protected name, if it is an A-label; else NULL. */
static struct xn_label *imitation_of(const struct xnm_match *match, struct xn_name *name)
{
    if (!xnm_trigger_is_lookalike(match->trigger) || match->target.len > 0 || match->label == 0 ||
        match->label > name->label_count)
        return NULL;
    struct xn_label *label = &name->labels[match->label - 1];
    return label->ace ? label : NULL;
}

/* A matched rule's name is only read for the log. An imitation is written with escapes, whatever
 * its letters; the next line for its name may be another rule's, so that its text is not cached. */
__attribute__((noinline)) static void log_matched_reply(const struct xnm_log *log,
                                                        const struct xnm_reply *reply,
                                                        struct xn_name *name,
                                                        struct xnm_namecache_entry *known)
{
    struct xnm_reply logged = *reply;
    struct xn_name matched;

    bool is_read = xn_name_read(log->unicode, reply->match->name.octets, reply->match->name.len,
                                waived(log), &matched) == XN_OK;

    if (xnm_match_refuses(reply->match))
        logged.security = XNM_SECURITY_UNKNOWN; /* the policy's answers are not validated */
    struct xn_label *imitation = imitation_of(reply->match, name);
    if (imitation) {
        if (known)
            xn_name_decode(log->unicode, waived(log), name);
        imitation->reasons |= xn_reason_bit(XN_LOOKALIKE);
        name->reasons |= xn_reason_bit(XN_LOOKALIKE);
        known = NULL;
    }
    logged.match_name = is_read ? &matched : NULL; /* the caller has not set it */
    log_reply(log, &logged, name, known);
}

void xnm_log_reply(const struct xnm_log *log, const struct xnm_reply *reply, struct xn_name *name,
                   struct xnm_namecache_entry *known)
{
    if (reply->match)
        log_matched_reply(log, reply, name, known);
    else
        log_reply(log, reply, name, known);
}
