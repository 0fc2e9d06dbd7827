/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/log/logline.h"

#include "core/names/display.h"
#include "core/text/hexadecimal.h"
#include "core/text/utf8char.h"
#include "module/base/format.h"
#include "module/rule/action.h"

#include <stdio.h>
#include <string.h>

struct text {
    const char *at;
    size_t len;
};

static char *put_name(char *dst, const struct xn_name *name,
                      const struct xnm_namecache_entry *known)
{
    if (xnm_namecache_has_text(known))
        return xnm_namecache_column(known, dst);
    return dst + xn_wire_to_text(name->wire, dst);
}

bool xnm_logline_client(const struct xnm_config *config, const struct xnm_reply *reply,
                        struct xnm_prefix *client)
{
    struct xnm_client peer;

    if (config->log_client == XNM_LOG_CLIENT_NONE)
        return false;
    if (reply->subnet.address.len > 0)
        *client = reply->subnet;
    else if (xnm_client_of(reply->client, &peer))
        *client = xnm_prefix_whole(&peer);
    else
        return false;
    if (config->log_client == XNM_LOG_CLIENT_PREFIX)
        xnm_prefix_shorten(client, xnm_format_prefix_len(client->address.len));
    return true;
}

/* "192.0.2.7", "192.0.2.0/24" or "-" */
static char *put_client(char *dst, const struct xnm_config *config, const struct xnm_reply *reply)
{
    struct xnm_prefix client;

    if (!xnm_logline_client(config, reply, &client))
        return xnm_format(dst, "-");
    dst = xnm_format_client(dst, &client.address);
    return client.bits < 8 * client.address.len
               ? xnm_format_number(xnm_format(dst, "/"), client.bits)
               : dst;
}

static char *put_seconds(char *dst, uint64_t us)
{
    if (us < 1000000) /* nearly always */
        *dst++ = '0';
    else
        dst = xnm_format_number(dst, us / 1000000);
    *dst++ = '.';
    return xnm_format_six(dst, (unsigned)(us % 1000000));
}

/* Sets *named to the name's column. */
static char *put_columns(char *dst, const struct xnm_config *config, const struct xnm_reply *reply,
                         const struct xn_name *name, const struct xnm_namecache_entry *known,
                         struct text *named)
{
    dst = put_client(dst, config, reply);
    *dst++ = ' ';
    named->at = dst;
    dst = put_name(dst, name, known);
    named->len = (size_t)(dst - named->at);
    *dst++ = ' ';
    dst = xnm_format_mnemonic(dst, reply->type_name, "TYPE", reply->qtype);
    *dst++ = ' ';
    dst = xnm_format_class(dst, reply->class_name, reply->qclass);
    *dst++ = ' ';
    if (reply->rcode == XNM_NO_RCODE)
        *dst++ = '-';
    else
        dst = xnm_format_rcode(dst, reply->rcode_name, (unsigned)reply->rcode);
    *dst++ = ' ';
    if (reply->elapsed_us == XNM_NO_TIME)
        *dst++ = '-';
    else
        dst = put_seconds(dst, reply->elapsed_us);
    if (reply->observed)
        return xnm_format(dst, " - -");
    return xnm_format(dst, reply->cached ? " 1 -" : " 0 -");
}

/* --- fields --- */

/* The display form needs no escape inside the quotes (core/names/display.h). */
static char *put_unicode(char *dst, const struct xn_name *name, const struct text *named)
{
    dst = xnm_format(dst, " u=\"");
    dst += named->len == xn_display_text_len(name) ? xn_display_name_by_text(name, named->at, dst)
                                                   : xn_display_name(name, dst);
    *dst++ = '"';
    return dst;
}

static char *put_findings_of(char *dst, const struct xn_name *name, xn_label_status status,
                             const char *before)
{
    bool any = false;

    for (size_t i = 0; i < name->label_count; i++) {
        xn_reasons reasons = name->labels[i].reasons;

        if (reasons == 0 || xn_reasons_status(reasons) != status)
            continue;
        if (any) {
            *dst++ = ',';
        } else {
            dst = xnm_format(xnm_format(dst, before), xn_label_status_word(status));
            *dst++ = '(';
        }
        any = true;
        dst = xnm_format_number(dst, i + 1);
        *dst++ = ':';
        dst = xnm_format(dst, xn_reason_word(xn_reasons_worst(reasons)));
    }
    if (any)
        *dst++ = ')';
    return dst;
}

/* Worst first: idn=invalid(2:bidi),restricted(1:script-mix) */
static char *put_findings(char *dst, const struct xn_name *name)
{
    char *after = put_findings_of(dst, name, XN_LABEL_INVALID, " idn=");

    return put_findings_of(after, name, XN_LABEL_RESTRICTED, after == dst ? " idn=" : ",");
}

/* Writes u= and idn=, if the name has a Unicode form or a finding. */
static char *put_fields(char *dst, const struct xnm_config *config, const struct xn_name *name,
                        struct xnm_namecache_entry *known, const struct text *named)
{
    char *start = dst;

    if (config->log_name != XNM_LOG_NAME_ASCII && xn_display_differs(name))
        dst = put_unicode(dst, name, named);
    if (name->reasons != 0)
        dst = put_findings(dst, name);
    if (known)
        xnm_namecache_store(known, named->at, named->len, start, (size_t)(dst - start));
    return dst;
}

/* The name as text has an escape, so raw UTF-8 may be in it. A function of its own, so that only
 * such names need a second struct xn_name on the stack. */
__attribute__((noinline)) static char *put_raw_fields(char *dst, const struct xnm_config *config,
                                                      const struct xn_name *name,
                                                      struct xnm_namecache_entry *known,
                                                      const struct text *named)
{
    struct xn_name raw = *name;

    xn_name_decode_raw(config->show_emoji ? xn_reason_bit(XN_EMOJI) : 0, &raw);
    return put_fields(dst, config, &raw, known, named);
}

/* Nearly all names have neither an A-label nor an escape, and so no field. */
static char *put_name_fields(char *dst, const struct xnm_config *config, const struct xn_name *name,
                             struct xnm_namecache_entry *known, const struct text *named)
{
    bool is_plain = named->len == xn_display_text_len(name);

    if (is_plain && name->ace_count == 0)
        return dst;
    if (is_plain || name->label_count == 0)
        return put_fields(dst, config, name, known, named);
    return put_raw_fields(dst, config, name, known, named);
}

/* --- the policy --- */

static bool is_plain(char c)
{
    static const char marks[] = "._:/()+,-";

    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           memchr(marks, c, sizeof marks - 1) != NULL; /* not strchr(), which finds '\0' */
}

bool xnm_logline_is_plain(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (!is_plain(text[i]))
            return false;
    }
    return true;
}

char *xnm_logline_escape(char *dst, const char *text, size_t len, const char *before)
{
    for (size_t at = 0; at < len;) {
        uint32_t cp;
        size_t octets = xn_utf8_read((const uint8_t *)text + at, len - at, &cp);

        if (octets == 1 && cp >= 0x20 && cp < 0x7F) {
            if (cp == '"' || cp == '\\')
                *dst++ = '\\';
            *dst++ = (char)cp;
        } else {
            dst = xnm_format_word(dst, before);
            dst += xn_hexadecimal_escape(octets > 0 ? cp : 0xFFFD, dst);
        }
        at += octets > 0 ? octets : 1;
    }
    return dst;
}

/* Writes a value: without quotes if it is plain, else in double quotes with escapes. */
static char *put_value(char *dst, const char *text, size_t len)
{
    if (len > 0 && xnm_logline_is_plain(text, len)) {
        memcpy(dst, text, len);
        return dst + len;
    }
    *dst++ = '"';
    dst = xnm_logline_escape(dst, text, len, "");
    *dst++ = '"';
    return dst;
}

size_t xnm_logline_subject(const struct xnm_reply *reply, bool unicode, char *dst)
{
    const struct xnm_match *match = reply->match;
    char *out = dst;

    if (!unicode || !reply->match_name || match->name.len <= 1) /* the root has no Unicode form */
        return xnm_match_subject(match, dst);
    out = xnm_format(xnm_format(out, xnm_trigger_word(match->trigger)),
                     match->wildcard ? " *." : " ");
    return (size_t)(out - dst) +
           xnm_match_escape_star(out, xn_display_name(reply->match_name, out));
}

/* Writes a field whose value needs no escape inside quotes: a display form, a presentation form or
 * a condition's words. Writes nothing if there is no value, or it would not end before `end`. */
static char *put_if_it_fits(char *dst, const char *key, const char *value, size_t len,
                            const char *end)
{
    const char *quote = xnm_logline_is_plain(value, len) ? "" : "\"";

    if (len == 0 || strlen(key) + 2 * strlen(quote) + len > (size_t)(end - dst))
        return dst;
    dst = xnm_format(xnm_format(dst, key), quote);
    memcpy(dst, value, len);
    return xnm_format(dst + len, quote);
}

/* Writes match= in Unicode, else as A-labels, else not at all. */
static char *put_subject(char *dst, const struct xnm_config *config, const struct xnm_reply *reply,
                         const char *end)
{
    char subject[XNM_LOGLINE_SUBJECT_MAX], *behind = dst;

    if (config->log_name != XNM_LOG_NAME_ASCII)
        behind =
            put_if_it_fits(dst, " match=", subject, xnm_logline_subject(reply, true, subject), end);
    if (behind == dst)
        behind = put_if_it_fits(dst, " match=", subject, xnm_logline_subject(reply, false, subject),
                                end);
    return behind;
}

static char *put_target(char *dst, const struct xnm_match *match, const char *end)
{
    char target[XN_WIRE_TEXT_MAX];

    return put_if_it_fits(dst, " target=", target, xnm_match_target(match, target), end);
}

size_t xnm_logline_rule(const struct xnm_match *match, char *dst)
{
    const char *base = xnm_match_base(match);
    size_t len = strnlen(base, XNM_LOGLINE_FILE_MAX);

    memcpy(dst, base, len);
    dst[len] = ':';
    return (size_t)(xnm_format_number(dst + len + 1, match->line) - dst);
}

/* Writes the fields that only look-alikes and conditions have. */
static char *put_why(char *dst, const struct xnm_match *match)
{
    if (xnm_match_has_lookalike(match))
        dst = xnm_format(xnm_format(dst, " key="), xnm_match_kind_word(match->match_kind));
    if (match->label > 0)
        dst = xnm_format_number(xnm_format(dst, " label="), match->label);
    return dst;
}

static char *put_tags(char *dst, const struct xnm_match *match, bool observed)
{
    if (match->group[0])
        dst = xnm_format(xnm_format(dst, " group="), match->group);
    if (match->tags[0])
        dst = xnm_format(xnm_format(dst, " tags="), match->tags);
    if (!match->log_only)
        return dst;
    return xnm_format(dst, observed ? " mode=observed" : " mode=log-only");
}

/* match= and target= get the octets that other fields may leave. */
static char *put_policy(char *dst, const struct xnm_config *config, const struct xnm_reply *reply,
                        const char *end)
{
    const struct xnm_match *match = reply->match;
    const char *end_of_target = end - XNM_LOGLINE_TAGS_MAX;
    char rule[XNM_LOGLINE_RULE_MAX];
    size_t len = xnm_logline_rule(match, rule);

    dst = xnm_format(xnm_format(dst, " policy="), xnm_action_word(match->action));
    dst = put_value(xnm_format(dst, " rule="), rule, len);
    dst = put_subject(dst, config, reply, end_of_target - XNM_LOGLINE_WHY_MAX);
    dst = put_target(put_why(dst, match), match, end_of_target);
    return put_tags(dst, match, reply->observed);
}

/* --- the status of the reply --- */

char *xnm_logline_flags(char *dst, const struct xnm_reply *reply, const char *between, int case_bit)
{
    enum { DO = 1 << 16 }; /* above the bits of the header */
    static const struct {
        uint32_t bit;
        char word[2];
    } flags[] = {{XNM_FLAG_AA, "AA"}, {XNM_FLAG_TC, "TC"}, {XNM_FLAG_RD, "RD"}, {XNM_FLAG_RA, "RA"},
                 {XNM_FLAG_AD, "AD"}, {XNM_FLAG_CD, "CD"}, {DO, "DO"}};
    const uint32_t bits = reply->flags | (reply->dnssec_ok ? DO : 0);
    const char *start = dst;

    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        if (!(bits & flags[i].bit))
            continue;
        if (dst > start)
            dst = xnm_format_word(dst, between);
        *dst++ = (char)(flags[i].word[0] | case_bit);
        *dst++ = (char)(flags[i].word[1] | case_bit);
    }
    return dst;
}

__attribute__((noinline)) static char *put_flags(char *dst, const struct xnm_reply *reply)
{
    char *value = xnm_format(dst, " f="), *end = xnm_logline_flags(value, reply, ",", 0x20);

    return end == value ? xnm_format(value, "-") : end;
}

const char xnm_logline_securities[][14] = {[XNM_SECURITY_BOGUS] = "bogus",
                                           [XNM_SECURITY_INDETERMINATE] = "indeterminate",
                                           [XNM_SECURITY_INSECURE] = "insecure",
                                           [XNM_SECURITY_SECURE] = "secure"};

__attribute__((noinline)) static char *put_error(char *dst, const struct xnm_reply_error *error)
{
    return xnm_format_number(xnm_format(dst, " ede="), error->code);
}

/* Inline, since nearly all lines have one of the securities or nothing. */
static inline char *put_status(char *dst, const struct xnm_reply *reply)
{
    if (reply->has_flags && !xnm_reply_has_usual_flags(reply))
        dst = put_flags(dst, reply);
    if (reply->security != XNM_SECURITY_UNKNOWN)
        dst = xnm_format_word(xnm_format(dst, " sec="), xnm_logline_securities[reply->security]);
    return reply->error.is_there ? put_error(dst, &reply->error) : dst;
}

size_t xnm_logline_ede_len(const struct xnm_reply_error *error)
{
    size_t len = error->is_there ? error->text_len : 0;

    if (len <= XNM_LOGLINE_EDE_TEXT_MAX)
        return len;
    for (len = XNM_LOGLINE_EDE_TEXT_MAX; len > 0 && (error->text[len] & 0xC0) == 0x80;)
        len--;
    return len;
}

/* Writes ede-text= if it fits. Not inlined, since its frame is large. */
__attribute__((noinline)) static char *put_ede_text(char *dst, const struct xnm_reply_error *error,
                                                    const char *end)
{
    static const char key[] = " ede-text=";
    char value[XNM_LOGLINE_EDE_SHOWN_MAX + sizeof "\"\""];
    size_t text_len = xnm_logline_ede_len(error);

    if (text_len == 0)
        return dst;
    size_t len = (size_t)(put_value(value, (const char *)error->text, text_len) - value);
    if (sizeof key - 1 + len > (size_t)(end - dst))
        return dst;
    dst = xnm_format(dst, key);
    memcpy(dst, value, len);
    return dst + len;
}

/* --- the line --- */

size_t xnm_logline_text(const struct xnm_config *config, const struct xnm_reply *reply,
                        const struct xn_name *name, struct xnm_namecache_entry *known,
                        bool with_time, char *dst)
{
    struct text named;
    char *out = dst;

    if (with_time) {
        out = xnm_format_time(out, &reply->when);
        *out++ = ' ';
    }
    out = put_columns(out, config, reply, name, known, &named);
    if (xnm_namecache_has_text(known))
        out = xnm_namecache_fields(known, out);
    else
        out = put_name_fields(out, config, name, known, &named);
    if (reply->match)
        out = put_policy(out, config, reply, dst + XNM_LOGLINE_TEXT_MAX - XNM_LOGLINE_STATUS_MAX);
    out = put_status(out, reply);
    if (reply->error.is_there)
        out = put_ede_text(out, &reply->error, dst + XNM_LOGLINE_TEXT_MAX);
    return (size_t)(out - dst);
}
