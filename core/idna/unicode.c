/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/idna/unicode.h"

#include "core/idna/icu.h"
#include "core/idna/property.h"
#include "core/idna/traits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unicode/uchar.h>
#include <unicode/uversion.h>

/* The tables are made with the ICU whose headers the library is compiled with. */
const char *xn_unicode_version(void)
{
    return U_UNICODE_VERSION;
}

static bool has_version_of_tables(void)
{
    UVersionInfo version;

    u_getUnicodeVersion(version);
    return memcmp(version, xn_traits_unicode_version, sizeof version) == 0;
}

const char *xn_unicode_fault(xn_status status, char dst[XN_UNICODE_FAULT_MAX])
{
    UVersionInfo version;
    char text[U_MAX_VERSION_STRING_LENGTH];

    if (status != XN_UNICODE_VERSION) {
        snprintf(dst, XN_UNICODE_FAULT_MAX, "%s", xn_status_text(status));
        return dst;
    }
    u_getUnicodeVersion(version);
    u_versionToString(version, text);
    snprintf(dst, XN_UNICODE_FAULT_MAX,
             "ICU has Unicode %s, but unbound-idn was built with the tables of Unicode %s: rebuild "
             "it with the headers of this ICU",
             text, xn_unicode_version());
    return dst;
}

static void open_uts46(struct xn_unicode *u, UErrorCode *error)
{
    static const uint32_t options =
        UIDNA_NONTRANSITIONAL_TO_UNICODE | UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ;

    for (int i = 0; i < XN_ICU_VARIANTS; i++)
        u->uts46[i] =
            uidna_openUTS46(options | (i & XN_ICU_STD3 ? UIDNA_USE_STD3_RULES : 0) |
                                (i & XN_ICU_TRANSITIONAL ? 0 : UIDNA_NONTRANSITIONAL_TO_ASCII),
                            error);
    u->idna = u->uts46[XN_ICU_STD3];
}

/* ICU loads some of its data when it is first asked. If it had no memory for that, the data is
 * empty for the life of the process, without an error: no character is an emoji, and none a virama.
 */
static bool is_complete(void)
{
    enum { VIRAMA = 9 };

    return xn_unicode_is_emoji(0x1F600) && u_getCombiningClass(0x94D) == VIRAMA;
}

xn_status xn_unicode_open(struct xn_unicode **unicode)
{
    UErrorCode error = U_ZERO_ERROR;

    *unicode = NULL;
    if (!has_version_of_tables())
        return XN_UNICODE_VERSION;
    struct xn_unicode *u = calloc(1, sizeof *u);
    if (!u)
        return XN_NO_MEMORY;
    open_uts46(u, &error);
    if (U_SUCCESS(error) && is_complete()) {
        *unicode = u;
        return XN_OK;
    }
    xn_unicode_close(u);
    return U_SUCCESS(error) || error == U_MEMORY_ALLOCATION_ERROR ? XN_NO_MEMORY : XN_UNICODE_DATA;
}

void xn_unicode_close(struct xn_unicode *unicode)
{
    if (!unicode)
        return;
    for (int i = 0; i < XN_ICU_VARIANTS; i++)
        uidna_close(unicode->uts46[i]);
    free(unicode);
}
