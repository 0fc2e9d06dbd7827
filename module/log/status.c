/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/log/status.h"

#include "core/names/display.h"
#include "core/text/utf8char.h"
#include "module/base/format.h"
#include "module/log/line.h"

/* Writes the flags, most of which are the usual ones. */
static char *put_flags(char *dst, const struct xnm_reply *reply)
{
    static const struct {
        uint16_t bit;
        char word[6];
    } flags[] = {{XNM_FLAG_AA, "\"AA\","}, {XNM_FLAG_TC, "\"TC\","}, {XNM_FLAG_RD, "\"RD\","},
                 {XNM_FLAG_RA, "\"RA\","}, {XNM_FLAG_AD, "\"AD\","}, {XNM_FLAG_CD, "\"CD\","}};
    char *list = dst = xnm_format(dst, ",\"dns.header_flags\":[");

    if (xnm_reply_has_usual_flags(reply))
        return xnm_format(dst, "\"RD\",\"RA\"]");
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        if (reply->flags & flags[i].bit)
            dst = xnm_format(dst, flags[i].word);
    }
    if (reply->dnssec_ok)
        dst = xnm_format(dst, "\"DO\",");
    return xnm_format(dst == list ? dst : dst - 1, "]"); /* the comma is overwritten */
}

static const char *const securities[] = {
    [XNM_SECURITY_BOGUS] = ",\"unbound.security\":\"bogus\"",
    [XNM_SECURITY_INDETERMINATE] = ",\"unbound.security\":\"indeterminate\"",
    [XNM_SECURITY_INSECURE] = ",\"unbound.security\":\"insecure\"",
    [XNM_SECURITY_SECURE] = ",\"unbound.security\":\"secure\""};

char *xnm_status_json(char *dst, const struct xnm_reply *reply)
{
    if (reply->has_flags)
        dst = put_flags(dst, reply);
    if (reply->security != XNM_SECURITY_UNKNOWN)
        dst = xnm_format(dst, securities[reply->security]);
    if (reply->error.is_there)
        dst = xnm_format_number(xnm_format(dst, ",\"dns.ede.info_code\":"), reply->error.code);
    return dst;
}

char *xnm_status_ede_text(char *dst, const struct xnm_reply_error *error)
{
    size_t len = xnm_logline_ede_len(error);

    if (len == 0)
        return dst;
    dst = xnm_format(dst, ",\"dns.ede.extra_text\":\"");
    for (size_t at = 0; at < len;) {
        uint32_t cp;
        size_t octets = xn_utf8_read(error->text + at, len - at, &cp);

        at += octets > 0 ? octets : 1;
        if (octets == 1 && cp >= 0x20 && cp < 0x7F) {
            if (cp == '"' || cp == '\\')
                *dst++ = '\\';
            *dst++ = (char)cp;
        } else { /* `\\u{…}`: the backslash is JSON's, too */
            *dst++ = '\\';
            dst += xn_display_escape(octets > 0 ? cp : 0xFFFD, dst);
        }
    }
    return xnm_format(dst, "\"");
}
