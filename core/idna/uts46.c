/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/idna/uts46.h"

#include "core/idna/icu.h"
#include "core/text/utf8.h"

/* Returns the errors of ICU that these flags allow. */
static uint32_t errors_allowed(int flags)
{
    static const struct {
        int flag;
        uint32_t errors;
    } table[] = {
        {XN_UTS46_HYPHENS,
         UIDNA_ERROR_LEADING_HYPHEN | UIDNA_ERROR_TRAILING_HYPHEN | UIDNA_ERROR_HYPHEN_3_4},
        {XN_UTS46_BIDI, UIDNA_ERROR_BIDI},
        {XN_UTS46_JOINERS, UIDNA_ERROR_CONTEXTJ},
        {XN_UTS46_DNS_LENGTH,
         UIDNA_ERROR_EMPTY_LABEL | UIDNA_ERROR_LABEL_TOO_LONG | UIDNA_ERROR_DOMAIN_NAME_TOO_LONG},
    };
    uint32_t allowed = 0;

    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!(flags & table[i].flag))
            allowed |= table[i].errors;
    return allowed;
}

static const UIDNA *find_variant(const struct xn_unicode *unicode, int flags)
{
    return unicode->uts46[(flags & XN_UTS46_STD3 ? XN_ICU_STD3 : 0) +
                          (flags & XN_UTS46_TRANSITIONAL ? XN_ICU_TRANSITIONAL : 0)];
}

static xn_status convert(bool to_ascii, const struct xn_unicode *unicode, const char *name,
                         size_t len, int flags, char *dst, size_t dst_cap, size_t *dst_len,
                         xn_reasons *reasons)
{
    UErrorCode error = U_ZERO_ERROR;
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;

    *dst_len = *reasons = 0;
    if (dst_cap == 0)
        return XN_NO_SPACE;
    dst[0] = '\0';
    if (!xn_utf8_is_valid((const uint8_t *)name, len))
        return XN_BAD_UTF8;
    if (len > XN_STRICT_NAME_MAX) {
        *reasons = xn_reason_bit(XN_TOO_LONG);
        return XN_OK;
    }
    int32_t out = (to_ascii ? uidna_nameToASCII_UTF8 : uidna_nameToUnicodeUTF8)(
        find_variant(unicode, flags), len > 0 ? name : "", (int32_t)len, dst,
        dst_cap < INT32_MAX ? (int32_t)dst_cap : INT32_MAX, &info, &error);
    if (U_FAILURE(error))
        return error == U_BUFFER_OVERFLOW_ERROR ? XN_NO_SPACE : XN_NO_MEMORY;
    if ((size_t)out == dst_cap) /* no room for the NUL, which ICU otherwise writes */
        return XN_NO_SPACE;
    *reasons = xn_icu_reasons_of_mapping(info.errors & ~errors_allowed(flags), dst, out);
    if (to_ascii && (flags & (XN_UTS46_DNS_LENGTH | XN_UTS46_ROOT_DOT)) == XN_UTS46_DNS_LENGTH &&
        out > 0 && dst[out - 1] == '.')
        *reasons |= xn_reason_bit(XN_EMPTY); /* a root label, which ICU allows */
    *dst_len = (size_t)out;
    return XN_OK;
}

xn_status xn_uts46_to_ascii(const struct xn_unicode *unicode, const char *name, size_t len,
                            int flags, char *dst, size_t dst_cap, size_t *dst_len,
                            xn_reasons *reasons)
{
    return convert(true, unicode, name, len, flags, dst, dst_cap, dst_len, reasons);
}

xn_status xn_uts46_to_unicode(const struct xn_unicode *unicode, const char *name, size_t len,
                              int flags, char *dst, size_t dst_cap, size_t *dst_len,
                              xn_reasons *reasons)
{
    return convert(false, unicode, name, len, flags, dst, dst_cap, dst_len, reasons);
}
