/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/zone/zonetext.h"

#include "core/names/presentation.h"

#include "core/names/written.h"
#include "module/name/namefault.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static bool is_printable(char c)
{
    return c > 0x20 && c < 0x7F;
}

static size_t escape_len(const char *at, const char *end)
{
    return xn_presentation_escape((const uint8_t *)at, (size_t)(end - at));
}

static bool bad_escape(const char *at, struct xnm_zonefault *fault)
{
    return xnm_zonefault_set(fault, at,
                             "this is not an escape: expected '\\' and three digits up to 255, or "
                             "'\\' and a printable ASCII character that is not a digit");
}

static bool bad_octet(const char *at, const char *expected, struct xnm_zonefault *fault)
{
    uint8_t octet = (uint8_t)*at;

    if (octet > 0x20 && octet < 0x7F)
        return xnm_zonefault_set(fault, at, "'%c' is not allowed here: expected %s", *at, expected);
    return xnm_zonefault_set(fault, at, "octet 0x%02X is not allowed here: expected %s", octet,
                             expected);
}

/* --- names --- */

static bool too_long(const char *at, struct xnm_zonefault *fault)
{
    return xnm_zonefault_set(fault, at,
                             "this name is too long: at most 255 octets, 63 for each label");
}

/* Copies the name, and sets *ascii to whether it is ASCII. */
static bool copy_name(const struct xnm_zonetoken *token, char *dst, bool *absolute, bool *ascii,
                      struct xnm_zonefault *fault)
{
    const char *end = token->at + token->len;
    uint8_t all = 0;

    *absolute = false;
    for (const char *at = token->at; at < end; at++) {
        *absolute = *at == '.';
        all |= (uint8_t)*at;
        if (*at == '\\') {
            if (escape_len(at, end) == 0)
                return bad_escape(at, fault);
            *dst++ = *at++;
        } else if ((!is_printable(*at) && !(*at & 0x80)) || *at == '"') {
            return bad_octet(at, "a domain name", fault);
        }
        *dst++ = *at;
    }
    *dst = '\0';
    *ascii = all < 0x80;
    return true;
}

/* Sets *fault to the fault of a label. A label of ASCII in a zone file may have any octets, so its
 * only fault is its length. */
static bool bad_label(const struct xn_unicode *unicode, const uint8_t *label, size_t len,
                      xn_reasons reasons, struct xnm_zonefault *fault)
{
    char message[XNM_NAMEFAULT_MAX];

    if ((reasons & xn_reason_bit(XN_TOO_LONG)) && xn_presentation_is_ascii(label, len))
        return xnm_zonefault_set(fault, (const char *)label,
                                 "label is %zu octets: expected at most 63",
                                 xn_presentation_octets(label, len));
    size_t at = xnm_namefault_find(unicode, label, len, reasons, true, message);
    return xnm_zonefault_set(fault, (const char *)label + at, "%s", message);
}

static bool add_label(const struct xn_unicode *unicode, const uint8_t *label, size_t len, char *dst,
                      size_t *dst_len, struct xnm_zonefault *fault)
{
    uint8_t ascii[XN_WRITTEN_ALABEL_MAX];
    size_t ascii_len;
    xn_reasons reasons;

    if (xn_written_to_alabel(unicode, label, len, ascii, &ascii_len, &reasons) != XN_OK ||
        ascii_len == 0)
        return bad_label(unicode, label, len, reasons, fault);
    if (*dst_len + ascii_len + 1 > XNM_ZONETEXT_NAME_MAX)
        return too_long((const char *)label, fault);
    memcpy(dst + *dst_len, ascii, ascii_len);
    *dst_len += ascii_len;
    dst[(*dst_len)++] = '.';
    return true;
}

static bool convert_name(const struct xn_unicode *unicode, const struct xnm_zonetoken *token,
                         char *dst, bool *absolute, struct xnm_zonefault *fault)
{
    const uint8_t *label, *end = (const uint8_t *)token->at + token->len;
    struct xn_presentation_cursor cursor;
    size_t len, dst_len = 0;

    xn_presentation_open(&cursor, (const uint8_t *)token->at, token->len);
    while (xn_presentation_next(&cursor, &label, &len)) {
        if (!add_label(unicode, label, len, dst, &dst_len, fault))
            return false;
        *absolute = label + len < end; /* one of the four dots follows it */
    }
    if (dst_len == 0) { /* only a full-width dot */
        dst[dst_len++] = '.';
        *absolute = true;
    }
    dst[*absolute ? dst_len : dst_len - 1] = '\0';
    return true;
}

bool xnm_zonetext_name(const struct xn_unicode *unicode, const struct xnm_zonetoken *token,
                       char *dst, bool *absolute, struct xnm_zonefault *fault)
{
    bool ascii = false;

    if (token->quoted)
        return xnm_zonefault_set(fault, token->at - 1, "a domain name is written without quotes");
    if (token->len > XNM_ZONETEXT_NAME_MAX)
        return too_long(token->at, fault);
    if (!copy_name(token, dst, absolute, &ascii, fault))
        return false;
    return ascii || convert_name(unicode, token, dst, absolute, fault);
}

bool xnm_zonetext_bad_label(const struct xn_unicode *unicode, const struct xnm_zonetoken *token,
                            struct xnm_zonefault *fault)
{
    char text[XNM_ZONETEXT_NAME_MAX + 1];
    bool absolute;

    return !convert_name(unicode, token, text, &absolute, fault);
}

/* --- texts --- */

static bool no_room(const char *at, struct xnm_zonefault *fault)
{
    return xnm_zonefault_set(fault, at,
                             "this field is too long: a record has at most 65535 octets");
}

/* Copies one octet, or an escape, from *at. */
static bool copy_octet(const char **at, const char *end, char **dst, struct xnm_zonefault *fault)
{
    size_t len = 1;

    if (**at == '\\' && end - *at > 1 && (*at)[1] & 0x80)
        ++*at; /* the backslash changes nothing before a letter */
    uint8_t octet = (uint8_t) * *at;
    if (octet == '\\') {
        len = escape_len(*at, end);
        if (len == 0)
            return bad_escape(*at, fault);
    }
    if (octet >= 0x80 || octet == '\t') {
        *dst += snprintf(*dst, 5, "\\%03u", octet);
    } else if (octet < 0x20 || octet == 0x7F) {
        return bad_octet(*at, "text without control characters", fault);
    } else {
        memcpy(*dst, *at, len);
        *dst += len;
    }
    *at += len;
    return true;
}

bool xnm_zonetext_string(const struct xnm_zonetoken *token, size_t octets_max, char *dst,
                         size_t dst_cap, size_t *dst_len, struct xnm_zonefault *fault)
{
    const char *at = token->at, *end = at + token->len;
    char *out = dst + *dst_len;
    size_t octets = 0;

    while (at < end) {
        if (*at == '"' && !token->quoted)
            return bad_octet(at, "quotes around the whole text, or '\\' before it", fault);
        if (++octets > octets_max)
            return xnm_zonefault_set(
                fault, at,
                "this text is too long: at most %zu octets; put more text into further strings",
                octets_max);
        if (dst_cap - (size_t)(out - dst) < 4 + 1)
            return no_room(at, fault);
        if (!copy_octet(&at, end, &out, fault))
            return false;
    }
    *out = '\0';
    *dst_len = (size_t)(out - dst);
    return true;
}

bool xnm_zonetext_word(const struct xnm_zonetoken *token, char *dst, size_t dst_cap,
                       size_t *dst_len, struct xnm_zonefault *fault)
{
    if (token->quoted)
        return xnm_zonefault_set(fault, token->at - 1, "this field is written without quotes");
    if (dst_cap - *dst_len < token->len + 1)
        return no_room(token->at, fault);
    for (size_t i = 0; i < token->len; i++)
        if (!is_printable(token->at[i]) || token->at[i] == '"' || token->at[i] == '\\')
            return bad_octet(token->at + i, "printable ASCII without quotes and escapes", fault);
    memcpy(dst + *dst_len, token->at, token->len);
    *dst_len += token->len;
    dst[*dst_len] = '\0';
    return true;
}
