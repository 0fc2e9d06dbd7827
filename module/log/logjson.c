/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes log lines as JSON: keys and types of the Elastic Common Schema, flat, ASCII only. */
#include "module/log/logline.h"

#include "core/idna/ulabel.h"
#include "core/names/display.h"
#include "core/text/hexadecimal.h"
#include "core/text/utf16.h"
#include "core/text/utf8char.h"
#include "module/rule/action.h"

#include <netinet/in.h>
#include <string.h>

#define ECS_VERSION "8.11.0"

enum { IDN_STATUS_MAX = sizeof ",\"idn.status\":\"restricted\"" };

static bool is_plain(char c)
{
    return c >= 0x20 && c < 0x7F && c != '"' && c != '\\';
}

/* Writes UTF-8 text as the inside of a JSON string (RFC 8259, section 7). U+FFFD replaces an octet
 * that is not UTF-8, which a file name may have. */
static char *put_escaped(char *dst, const char *text, size_t len)
{
    for (size_t at = 0; at < len;) {
        uint32_t cp;

        if (is_plain(text[at])) { /* almost all */
            *dst++ = text[at++];
            continue;
        }
        size_t octets = xn_utf8_read((const uint8_t *)text + at, len - at, &cp);
        at += octets > 0 ? octets : 1;
        if (octets == 0) {
            dst = xn_utf16_escape_unit(0xFFFD, dst);
        } else if (cp >= 0x7F || cp < 0x20) {
            dst = xn_utf16_escape(cp, dst);
        } else { /* a quotation mark or a backslash */
            *dst++ = '\\';
            *dst++ = (char)cp;
        }
    }
    return dst;
}

/* Members are written by inline functions, so that the compiler knows each key's length.
 *
 * Writes ,"key":"text". The text must need no escape. */
static inline char *put_member(char *dst, const char *key, const char *text)
{
    return xnm_format(
        xnm_format(xnm_format(xnm_format(xnm_format(dst, ",\""), key), "\":\""), text), "\"");
}

static inline char *put_number_member(char *dst, const char *key, uint64_t number)
{
    return xnm_format_number(xnm_format(xnm_format(xnm_format(dst, ",\""), key), "\":"), number);
}

/* --- members --- */

/* Writes client.ip, or client.address for a network of another length than log-client shows. The
 * port is left out with log-client: prefix, since both together would distinguish clients, and
 * beside a client that a forwarder names, since it is the forwarder's. */
static char *put_client(char *dst, const struct xnm_config *config, const struct xnm_reply *reply)
{
    bool is_whole = config->log_client == XNM_LOG_CLIENT_FULL;
    struct xnm_prefix client;

    if (!xnm_logline_client(config, reply, &client))
        return dst;
    size_t len = client.address.len;
    bool is_usual = client.bits == (is_whole ? 8 * len : xnm_format_prefix_len(len));
    dst =
        is_usual ? xnm_format(dst, ",\"client.ip\":\"") : xnm_format(dst, ",\"client.address\":\"");
    dst = xnm_format_client(dst, &client.address);
    if (!is_usual)
        dst = xnm_format_number(xnm_format(dst, "/"), client.bits);
    dst = xnm_format(dst, "\"");
    if (!is_whole || reply->subnet.address.len > 0)
        return dst;
    const struct sockaddr_in *in = (const struct sockaddr_in *)(const void *)reply->client;
    return put_number_member(dst, "client.port", ntohs(in->sin_port));
}

/* Whole texts, so that one copy of constant length writes all three members. */
#define TRANSPORT(network, unbound)                                                                \
    ",\"network.transport\":\"" network                                                            \
    "\",\"network.protocol\":\"dns\",\"unbound.transport\":\"" unbound "\""
static const char transports[][sizeof TRANSPORT("udp", "udp")] = {
    [XNM_TRANSPORT_UDP] = TRANSPORT("udp", "udp"), [XNM_TRANSPORT_TCP] = TRANSPORT("tcp", "tcp"),
    [XNM_TRANSPORT_DOT] = TRANSPORT("tcp", "dot"), [XNM_TRANSPORT_DOH] = TRANSPORT("tcp", "doh"),
    [XNM_TRANSPORT_DOQ] = TRANSPORT("udp", "doq"),
};

static inline char *put_transport(char *dst, xnm_transport transport)
{
    memcpy(dst, transports[transport], sizeof transports[transport]);
    return dst + sizeof transports[transport] - 1; /* all have the same length */
}

/* The parts that are already in the line. */
struct written {
    const char *name;   /* the name as text; NULL: it has an escape */
    const char *column; /* the name as JSON has it, and its length */
    size_t column_len;
};

/* Writes the name without its final dot, and a quotation mark; the root is ".". */
static char *put_name(char *dst, const struct xn_name *name, struct written *written)
{
    char text[XN_WIRE_TEXT_MAX];
    size_t len = xn_wire_to_text(name->wire, dst);
    if (name->label_count > 0 && len == xn_display_text_len(name)) { /* nearly always */
        written->name = dst;
        return xnm_format(dst + len - 1, "\"");
    }
    if (memchr(dst, '\\', len)) { /* the only one of its characters that JSON escapes */
        memcpy(text, dst, len);
        return xnm_format(put_escaped(dst, text, len - 1), "\"");
    }
    return xnm_format(dst + (len > 1 ? len - 1 : len), "\"");
}

static char *put_question_name(char *dst, const struct xn_name *name,
                               const struct xnm_namecache_entry *known, struct written *written)
{
    char *column = dst = xnm_format(dst, ",\"dns.question.name\":\"");

    if (xnm_namecache_has_text(known))
        return xnm_namecache_column(known, dst);
    dst = put_name(dst, name, written);
    written->column = column;
    written->column_len = (size_t)(dst - column);
    return dst;
}

/* No default, so that the compiler asks here whether a new action denies. */
static bool denies(xnm_action action)
{
    switch (action) {
    case XNM_NXDOMAIN:
    case XNM_NODATA:
    case XNM_REFUSE:
    case XNM_DROP:
        return true;
    case XNM_PASSTHRU:
    case XNM_REDIRECT:
    case XNM_CNAME:
    case XNM_ANSWER:
    case XNM_TCP_ONLY:
    case XNM_LOG:
    case XNM_ACTION_NONE:
    case XNM_ACTION_COUNT:
        break;
    }
    return false;
}

/* Returns whether the query was really refused, not only in log-only mode. */
static bool is_denied(const struct xnm_match *match)
{
    return match && !match->log_only && denies(match->action);
}

static char *put_event(char *dst, const struct xnm_config *config, const struct xnm_reply *reply)
{
    dst = xnm_format_time(xnm_format(dst, "{\"@timestamp\":\""), &reply->when);
    dst = xnm_format(dst, "\",\"ecs.version\":\"" ECS_VERSION "\",\"event.kind\":\"event\","
                          "\"event.category\":[\"network\"],\"event.type\":[\"protocol\"");
    if (is_denied(reply->match))
        dst = xnm_format(dst, ",\"denied\"");
    dst = xnm_format(dst, "],\"event.dataset\":\"unbound_idn.log\"");
    if (reply->elapsed_us != XNM_NO_TIME)
        dst = put_number_member(dst, "event.duration", reply->elapsed_us * 1000);
    dst = put_client(dst, config, reply);
    dst = put_transport(dst, reply->transport);
    if (reply->observed)
        return dst;
    return xnm_format(dst,
                      reply->cached ? ",\"unbound.cached\":true" : ",\"unbound.cached\":false");
}

/* Writes dns.header_flags, unbound.security and dns.ede.info_code, as far as they are known. */
static char *put_status(char *dst, const struct xnm_reply *reply)
{
    if (reply->has_flags && xnm_reply_has_usual_flags(reply)) {
        dst = xnm_format(dst, ",\"dns.header_flags\":[\"RD\",\"RA\"]");
    } else if (reply->has_flags) {
        char *list = xnm_format(dst, ",\"dns.header_flags\":["), *first = list + 1;
        char *end = xnm_logline_flags(first, reply, "\",\"", 0);

        *list = '"';
        dst = end == first ? xnm_format(list, "]") : xnm_format(end, "\"]");
    }
    if (reply->security != XNM_SECURITY_UNKNOWN)
        dst = put_member(dst, "unbound.security", xnm_logline_securities[reply->security]);
    return reply->error.is_there ? put_number_member(dst, "dns.ede.info_code", reply->error.code)
                                 : dst;
}

static char *put_dns(char *dst, const struct xnm_reply *reply, const struct xn_name *name,
                     const struct xnm_namecache_entry *known, struct written *written)
{
    dst = xnm_format(dst, ",\"dns.type\":\"answer\",\"dns.id\":\"");
    dst = xnm_format(xnm_format_number(dst, reply->id), "\"");
    dst = put_question_name(dst, name, known, written);
    dst = xnm_format(dst, ",\"dns.question.type\":\"");
    dst = xnm_format_mnemonic(dst, reply->type_name, "TYPE", reply->qtype);
    dst = xnm_format(dst, "\",\"dns.question.class\":\"");
    dst = xnm_format(xnm_format_class(dst, reply->class_name, reply->qclass), "\"");
    if (reply->rcode == XNM_NO_RCODE)
        return dst;
    dst = xnm_format(dst, ",\"dns.response_code\":\"");
    dst = xnm_format(xnm_format_rcode(dst, reply->rcode_name, (unsigned)reply->rcode), "\"");
    return put_status(dst, reply);
}

/* Writes a label without "xn--", or one that is not decoded: ASCII, whose escapes have a backslash.
 */
static char *put_label_text(char *dst, const struct xn_name *name, const struct xn_label *label,
                            const struct written *written)
{
    char text[4 * XN_WIRE_LABEL_MAX];

    if (written->name) {
        memcpy(dst, written->name + label->at - 1, label->len);
        return dst + label->len;
    }
    size_t len = xn_wire_label_to_text(name->wire + label->at, label->len, dst);
    if (!memchr(dst, '\\', len))
        return dst + len;
    memcpy(text, dst, len);
    return put_escaped(dst, text, len);
}

/* Writes an ASCII octet of a label of raw UTF-8, which may need an escape. */
static char *put_raw_ascii(char *dst, uint8_t octet)
{
    char text[4];
    size_t len = xn_wire_label_to_text(&octet, 1, text);

    return put_escaped(dst, text, len);
}

/* Writes what xn_display_label does. The ASCII of an A-label that it decodes is letters, digits and
 * hyphens. */
static char *put_displayed_label(char *dst, const struct xn_name *name,
                                 const struct xn_label *label, const struct written *written)
{
    const uint32_t *cps = name->code_points + label->cps_at, *end = cps + label->cps_len;

    if (!xn_display_is_decoded(label))
        return put_label_text(dst, name, label, written);
    while (cps < end) {
        uint32_t cp = *cps++;
        if (cp < 0x80 && label->raw) {
            dst = put_raw_ascii(dst, (uint8_t)cp);
        } else if (cp < 0x80) {
            *dst++ = (char)cp;
        } else if (xn_display_escapes(label, cp)) {
            *dst++ = '\\';
            dst += xn_hexadecimal_escape(cp, dst);
        } else {
            dst = xn_utf16_escape(cp, dst);
        }
    }
    return dst;
}

/* Writes what xn_display_name does. */
static char *put_unicode_name(char *dst, const struct xn_name *name, const struct written *written)
{
    dst = xnm_format(dst, ",\"dns.question.name_unicode\":\"");
    for (size_t i = 0; i < name->label_count; i++) {
        const struct xn_label *label = &name->labels[i];

        dst = put_displayed_label(dst, name, label, written);
        *dst++ = i + 1 < name->label_count ? '.' : '"';
    }
    return dst;
}

static char *put_scripts(char *dst, const struct xn_name *name)
{
    struct xn_scripts scripts = {0};

    for (size_t i = 0; i < name->label_count; i++)
        if (xn_display_is_decoded(&name->labels[i]))
            xn_ulabel_add_scripts(name->code_points + name->labels[i].cps_at,
                                  name->labels[i].cps_len, &scripts);
    dst = xnm_format(dst, ",\"idn.scripts\":[");
    for (size_t i = 0; i < scripts.count; i++) {
        dst = i > 0 ? xnm_format(dst, ",\"") : xnm_format(dst, "\"");
        dst = xnm_format(xnm_format_word(dst, scripts.codes[i]), "\"");
    }
    return xnm_format(dst, "]");
}

static char *put_reasons(char *dst, xn_reasons reasons)
{
    const char *before = "\"";

    dst = xnm_format(dst, ",\"reason\":[");
    for (unsigned left = reasons; left != 0; left &= left - 1) {
        const char *word = xn_reason_word(xn_reasons_worst((xn_reasons)left));
        dst = xnm_format(xnm_format_word(xnm_format_word(dst, before), word), "\"");
        before = ",\"";
    }
    return xnm_format(dst, "]}");
}

/* {"index":1,"a":"xn--…","u":"…","status":"ok","reason":[]} */
static char *put_label(char *dst, const struct xnm_config *config, const struct xn_name *name,
                       size_t index, const struct written *written)
{
    const struct xn_label *label = &name->labels[index];

    dst = xnm_format_number(xnm_format(dst, "{\"index\":"), index + 1);
    dst = put_label_text(xnm_format(dst, ",\"a\":\""), name, label, written);
    if (config->log_name != XNM_LOG_NAME_ASCII)
        dst = put_displayed_label(xnm_format(dst, "\",\"u\":\""), name, label, written);
    dst = xnm_format(dst, "\",\"status\":\"");
    dst = xnm_format_word(dst, xn_label_status_word(xn_reasons_status(label->reasons)));
    return put_reasons(xnm_format(dst, "\""), label->reasons);
}

static char *put_labels(char *dst, const struct xnm_config *config, const struct xn_name *name,
                        const struct written *written)
{
    const char *before = "";

    dst = xnm_format(dst, ",\"idn.labels\":[");
    for (size_t i = 0; i < name->label_count; i++) {
        if (!name->labels[i].ace && !name->labels[i].raw)
            continue;
        dst = put_label(xnm_format_word(dst, before), config, name, i, written);
        before = ",";
    }
    return xnm_format(dst, "]");
}

/* Returns the place after a member just written at dst; or dst, if the member ends too late: the
 * object still needs its brace. */
static char *if_it_fits(char *dst, char *end_of_member, const char *end)
{
    return end_of_member < end ? end_of_member : dst;
}

static char *put_text_member(char *dst, const char *key, const char *text, size_t len)
{
    dst = xnm_format(xnm_format(xnm_format(dst, ",\""), key), "\":\"");
    return xnm_format(put_escaped(dst, text, len), "\"");
}

/* "a,b" -> ,"tags":["a","b"] */
static char *put_tags(char *dst, const char *tags)
{
    dst = xnm_format(dst, ",\"tags\":[\"");
    for (const char *c = tags; *c; c++) {
        if (*c == ',')
            dst = xnm_format(dst, "\",\"");
        else
            *dst++ = *c;
    }
    return xnm_format(dst, "\"]");
}

/* The protected name is also in policy.match, after the trigger's word and a blank. */
static char *put_subject(char *dst, const struct xnm_config *config, const struct xnm_reply *reply,
                         const char *end)
{
    char subject[XNM_LOGLINE_SUBJECT_MAX];
    size_t len = xnm_logline_subject(reply, config->log_name != XNM_LOG_NAME_ASCII, subject);
    size_t before = strlen(xnm_trigger_word(reply->match->trigger)) + 1;

    if (len == 0)
        return dst;
    dst = if_it_fits(dst, put_text_member(dst, "policy.match", subject, len), end);
    if (!xnm_match_has_lookalike(reply->match))
        return dst;
    return if_it_fits(dst, put_text_member(dst, "idn.lookalike", subject + before, len - before),
                      end);
}

static char *put_target(char *dst, const struct xnm_match *match, const char *end)
{
    char target[XN_WIRE_TEXT_MAX];
    size_t len = xnm_match_target(match, target);

    return len > 0 ? if_it_fits(dst, put_text_member(dst, "policy.target", target, len), end) : dst;
}

static char *put_policy(char *dst, const struct xnm_config *config, const struct xnm_reply *reply,
                        const char *end)
{
    const struct xnm_match *match = reply->match;
    char rule[XNM_LOGLINE_RULE_MAX];
    size_t len = xnm_logline_rule(match, rule);

    dst = put_member(dst, "policy.action", xnm_action_word(match->action));
    dst = put_text_member(dst, "policy.rule", rule, len);
    dst = put_number_member(dst, "policy.line", match->line);
    if (xnm_match_has_lookalike(match))
        dst = put_member(dst, "policy.key", xnm_match_kind_word(match->match_kind));
    if (match->label > 0)
        dst = put_number_member(dst, "policy.label", match->label);
    if (match->group[0])
        dst = put_member(dst, "policy.group", match->group);
    if (match->tags[0])
        dst = put_tags(dst, match->tags);
    if (match->log_only)
        dst = put_member(dst, "policy.mode", reply->observed ? "observed" : "log-only");
    dst = put_subject(dst, config, reply, end);
    dst = put_target(dst, match, end);
    return if_it_fits(dst, put_text_member(dst, "policy.file", match->file, strlen(match->file)),
                      end);
}

/* Writes the members of a name with A-labels or raw UTF-8, and stores them in *known unless it is
 * NULL. If they do not end before `end`, the line has only idn.status, and nothing is stored. */
static char *put_fields(char *dst, const struct xnm_config *config, const struct xn_name *name,
                        struct xnm_namecache_entry *known, struct written *written, const char *end)
{
    char *status = xnm_format(dst, ",\"idn.status\":\""), *out;

    status = xnm_format_word(status, xn_label_status_word(xn_reasons_status(name->reasons)));
    out = status = xnm_format(status, "\"");
    if (config->log_name != XNM_LOG_NAME_ASCII && xn_display_is_plain(name->reasons))
        out = put_unicode_name(out, name, written);
    out = put_labels(put_scripts(out, name), config, name, written);
    if (out >= end)
        return status;
    if (known)
        xnm_namecache_store(known, written->column, written->column_len, dst, (size_t)(out - dst));
    return out;
}

/* Writes the members that put_fields() stored, or only idn.status if they do not fit. */
static char *put_known_fields(char *dst, const struct xnm_namecache_entry *known, const char *end)
{
    const char *fields = known->text + known->column_len;

    if (known->text_len - known->column_len < end - dst)
        return xnm_namecache_fields(known, dst);
    const char *value = fields + sizeof ",\"idn.status\":\"" - 1;
    size_t len = (size_t)(strchr(value, '"') + 1 - fields);
    memcpy(dst, fields, len);
    return dst + len;
}

/* The name has an escape, so raw UTF-8 may be in it. A function of its own, so that only such names
 * need a second struct xn_name on the stack. */
__attribute__((noinline)) static char *put_raw_fields(char *dst, const struct xnm_config *config,
                                                      const struct xn_name *name,
                                                      struct xnm_namecache_entry *known,
                                                      struct written *written, const char *end)
{
    struct xn_name raw = *name;

    if (!xn_name_decode_raw(config->show_emoji ? xn_reason_bit(XN_EMOJI) : 0, &raw) &&
        raw.ace_count == 0)
        return dst;
    return put_fields(dst, config, &raw, known, written, end);
}

char *xnm_logline_ede_member(char *dst, const struct xnm_reply_error *error)
{
    size_t len = xnm_logline_ede_len(error);

    if (len == 0)
        return dst;
    dst = xnm_format(dst, ",\"dns.ede.extra_text\":\"");
    return xnm_format(xnm_logline_escape(dst, (const char *)error->text, len, "\\"), "\"");
}

size_t xnm_logline_json(const struct xnm_config *config, const struct xnm_reply *reply,
                        const struct xn_name *name, struct xnm_namecache_entry *known, size_t limit,
                        char *dst)
{
    const char *end = dst + (limit < XNM_LOGLINE_JSON_MAX ? limit : XNM_LOGLINE_JSON_MAX);
    struct written written = {0};
    char *out = put_dns(put_event(dst, config, reply), reply, name, known, &written);

    if (reply->match)
        out = put_policy(out, config, reply, end - IDN_STATUS_MAX);
    if (reply->error.is_there)
        out = if_it_fits(out, xnm_logline_ede_member(out, &reply->error), end - IDN_STATUS_MAX);
    if (xnm_namecache_has_text(known)) {
        out = put_known_fields(out, known, end);
    } else if (!written.name && name->label_count > 0) {
        out = put_raw_fields(out, config, name, known, &written, end);
    } else if (name->ace_count > 0) {
        out = put_fields(out, config, name, known, &written, end);
    }
    *out++ = '}';
    return (size_t)(out - dst);
}
