/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/logline.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

_Static_assert((XN_WIRE_NAME_MAX - 1) / 5 <= 50,
               "no more A-labels than XNM_LOGLINE_IDN_MAX counts: each takes 5 octets");

/* Writers: each puts something at dst and returns the place behind it. */

static char *put(char *dst, const char *text)
{
    size_t len = strlen(text);
    memcpy(dst, text, len);
    return dst + len;
}

static char *put_number(char *dst, uint64_t number)
{
    char digits[20];
    size_t len = 0;

    do
        digits[len++] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    while (len > 0)
        *dst++ = digits[--len];
    return dst;
}

static char *put_padded(char *dst, uint64_t number, int width)
{
    for (int i = width - 1; i >= 0; i--, number /= 10)
        dst[i] = (char)('0' + number % 10);
    return dst + width;
}

static char *put_mnemonic(char *dst, const char *mnemonic, const char *generic, unsigned number)
{
    return mnemonic ? put(dst, mnemonic) : put_number(put(dst, generic), number);
}

/* --- columns --- */

/* RFC 4632 and RFC 4291 prefixes that no longer name one household: log-client: prefix. */
enum { PREFIX_OCTETS_V4 = 3, PREFIX_OCTETS_V6 = 7 };

/* The address's octets into dst, which has room for 16. Returns their number: 4, 16, or 0 for what
 * is no address. An IPv4-mapped address (RFC 4291, section 2.5.5.2) is an IPv4 client's. */
static size_t read_address(const struct sockaddr_storage *client, uint8_t *dst)
{
    static const uint8_t mapped[12] = {[10] = 0xFF, [11] = 0xFF};

    if (client->ss_family == AF_INET) {
        memcpy(dst, &((const struct sockaddr_in *)(const void *)client)->sin_addr, 4);
        return 4;
    }
    if (client->ss_family != AF_INET6)
        return 0;
    memcpy(dst, &((const struct sockaddr_in6 *)(const void *)client)->sin6_addr, 16);
    if (memcmp(dst, mapped, sizeof mapped) != 0)
        return 16;
    memmove(dst, dst + sizeof mapped, 4);
    return 4;
}

static char *put_client(char *dst, const struct sockaddr_storage *client, int log_client)
{
    uint8_t address[16];
    size_t len = read_address(client, address);
    size_t prefix = len == 4 ? PREFIX_OCTETS_V4 : PREFIX_OCTETS_V6;

    if (log_client == XNM_LOG_CLIENT_NONE || len == 0)
        return put(dst, "-");
    if (log_client == XNM_LOG_CLIENT_PREFIX)
        memset(address + prefix, 0, len - prefix);
    if (!inet_ntop(len == 4 ? AF_INET : AF_INET6, address, dst, INET6_ADDRSTRLEN))
        return put(dst, "-");
    dst += strlen(dst);
    return log_client == XNM_LOG_CLIENT_PREFIX ? put(dst, len == 4 ? "/24" : "/56") : dst;
}

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

static char *put_columns(char *dst, const struct xnm_config *config, const struct xnm_reply *reply,
                         const struct xn_name *name)
{
    dst = put_client(dst, reply->client, config->log_client);
    *dst++ = ' ';
    dst = put_name(dst, config, name);
    *dst++ = ' ';
    dst = put_mnemonic(dst, reply->type_name, "TYPE", reply->qtype);
    *dst++ = ' ';
    dst = put_mnemonic(dst, reply->class_name, "CLASS", reply->qclass);
    *dst++ = ' ';
    if (reply->rcode == XNM_NO_RCODE)
        *dst++ = '-';
    else
        dst = put_mnemonic(dst, reply->rcode_name, "RCODE", (unsigned)reply->rcode);
    *dst++ = ' ';
    dst = put_number(dst, reply->elapsed_us / 1000000);
    *dst++ = '.';
    dst = put_padded(dst, reply->elapsed_us % 1000000, 6);
    return put(dst, reply->cached ? " 1 -" : " 0 -");
}

/* --- fields --- */

/* The display form needs no further escape inside the quotes (core/display.h), and its "word" is a
 * safe one. */
static char *put_unicode(char *dst, const struct xnm_config *config, const struct xn_name *name)
{
    dst = put(dst, " u=\"");
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
            dst = put(put(dst, before), xn_label_status_word(status));
            *dst++ = '(';
        }
        any = true;
        dst = put_number(dst, i + 1);
        *dst++ = ':';
        dst = put(dst, xn_reason_word(xn_reasons_worst(reasons)));
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

size_t xnm_logline_time(const struct timespec *when, char *dst)
{
    struct tm utc;
    char *out = dst;

    gmtime_r(&when->tv_sec, &utc);
    out = put_padded(out, (uint64_t)utc.tm_year + 1900, 4);
    *out++ = '-';
    out = put_padded(out, (uint64_t)utc.tm_mon + 1, 2);
    *out++ = '-';
    out = put_padded(out, (uint64_t)utc.tm_mday, 2);
    *out++ = 'T';
    out = put_padded(out, (uint64_t)utc.tm_hour, 2);
    *out++ = ':';
    out = put_padded(out, (uint64_t)utc.tm_min, 2);
    *out++ = ':';
    out = put_padded(out, (uint64_t)utc.tm_sec, 2);
    *out++ = '.';
    out = put_padded(out, (uint64_t)when->tv_nsec / 1000, 6);
    out = put(out, "Z ");
    return (size_t)(out - dst);
}

size_t xnm_logline_text(const struct xnm_config *config, const struct xnm_reply *reply,
                        const struct xn_name *name, char *dst)
{
    char *out = put_columns(dst, config, reply, name);

    if (config->log_name != XNM_LOG_NAME_ASCII && !shows_unicode_in_place(config, name) &&
        xn_display_differs(name))
        out = put_unicode(out, config, name);
    if (name->reasons != 0)
        out = put_findings(out, name);
    return (size_t)(out - dst);
}
