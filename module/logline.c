/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/logline.h"

#include "module/put.h"

static int display_flags(const struct xnm_config *config)
{
    return config->bidi_isolates ? XN_DISPLAY_ISOLATES : 0;
}

/* log-name: unicode puts the Unicode name in the column if nobody can be misled by it. */
static bool shows_unicode_in_place(const struct xnm_config *config, const struct xn_name *name)
{
    return config->log_name == XNM_LOG_NAME_UNICODE && name->ace_count > 0 && name->reasons == 0;
}

static char *put_name(char *dst, const struct xnm_config *config, const struct xn_name *name)
{
    if (!shows_unicode_in_place(config, name))
        return dst + xn_wire_to_text(name->wire, dst);
    dst += xn_display_name(name, display_flags(config), dst);
    *dst++ = '.';
    return dst;
}

/* "192.0.2.7", "192.0.2.0/24" or "-" */
static char *put_client(char *dst, const struct sockaddr_storage *client, int log_client)
{
    bool prefix = log_client == XNM_LOG_CLIENT_PREFIX;
    unsigned prefix_len;
    char *end = dst;

    if (log_client != XNM_LOG_CLIENT_NONE)
        end = xnm_put_address(dst, client, prefix ? XNM_ADDRESS_PREFIX : XNM_ADDRESS_WHOLE,
                              &prefix_len);
    if (end == dst)
        return xnm_put(dst, "-");
    return prefix ? xnm_put_number(xnm_put(end, "/"), prefix_len) : end;
}

static char *put_columns(char *dst, const struct xnm_config *config, const struct xnm_reply *reply,
                         const struct xn_name *name)
{
    dst = put_client(dst, reply->client, config->log_client);
    *dst++ = ' ';
    dst = put_name(dst, config, name);
    *dst++ = ' ';
    dst = xnm_put_mnemonic(dst, reply->type_name, "TYPE", reply->qtype);
    *dst++ = ' ';
    dst = xnm_put_mnemonic(dst, reply->class_name, "CLASS", reply->qclass);
    *dst++ = ' ';
    if (reply->rcode == XNM_NO_RCODE)
        *dst++ = '-';
    else
        dst = xnm_put_mnemonic(dst, reply->rcode_name, "RCODE", (unsigned)reply->rcode);
    *dst++ = ' ';
    dst = xnm_put_number(dst, reply->elapsed_us / 1000000);
    *dst++ = '.';
    dst = xnm_put_padded(dst, reply->elapsed_us % 1000000, 6);
    return xnm_put(dst, reply->cached ? " 1 -" : " 0 -");
}

/* --- fields --- */

/* The display form needs no further escape inside the quotes (core/display.h), and its "word" is a
 * safe one. */
static char *put_unicode(char *dst, const struct xnm_config *config, const struct xn_name *name)
{
    dst = xnm_put(dst, " u=\"");
    dst += xn_display_name(name, display_flags(config), dst);
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
            dst = xnm_put(xnm_put(dst, before), xn_label_status_word(status));
            *dst++ = '(';
        }
        any = true;
        dst = xnm_put_number(dst, i + 1);
        *dst++ = ':';
        dst = xnm_put(dst, xn_reason_word(xn_reasons_worst(reasons)));
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

bool xnm_logline_wanted(const struct xnm_config *config, const struct xn_name *name)
{
    return config->log != XNM_LOG_NONE &&
           (config->log_names == XNM_LOG_NAMES_ALL || name->ace_count > 0);
}

size_t xnm_logline_text(const struct xnm_config *config, const struct xnm_reply *reply,
                        const struct xn_name *name, bool with_time, char *dst)
{
    char *out = dst;

    if (with_time) {
        out = xnm_put_time(out, &reply->when);
        *out++ = ' ';
    }
    out = put_columns(out, config, reply, name);
    if (config->log_name != XNM_LOG_NAME_ASCII && !shows_unicode_in_place(config, name) &&
        xn_display_differs(name))
        out = put_unicode(out, config, name);
    if (name->reasons != 0)
        out = put_findings(out, name);
    return (size_t)(out - dst);
}
