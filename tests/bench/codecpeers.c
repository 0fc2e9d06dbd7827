/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/bench/codecpeers.h"

#include "core/idna/alabel.h"
#include "core/idna/mapping.h"
#include "core/idna/ulabel.h"
#include "core/idna/unicode.h"
#include "core/punycode/punycode.h"
#include "core/punycode/punylabel.h"
#include "core/text/utf8.h"
#include "core/wire/size.h"
#include "tests/bench/rfc3492.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unicode/uidna.h>
#include <unicode/ustring.h>
#include <unicode/uversion.h>

enum { ACE_PREFIX_LEN = 4 };

static struct xn_unicode *unicode;
static UIDNA *icu;

/* --- functions that no header of Debian's declares --- */

/* ICU's headers make "u_strFromPunycode_72" of it. */
#define TEXT_OF(name) #name
#define ICU_SYMBOL(name) TEXT_OF(name)

static int32_t (*icu_decode)(const UChar *src, int32_t len, UChar *dst, int32_t cap, UBool *flags,
                             UErrorCode *error);
static int32_t (*icu_encode)(const UChar *src, int32_t len, UChar *dst, int32_t cap,
                             const UBool *flags, UErrorCode *error);
static int (*idn2_decode)(size_t len, const char *src, size_t *dst_len, uint32_t *dst);
static int (*idn2_encode)(size_t len, const uint32_t *src, size_t *dst_len, char *dst);
static int (*idn2_to_unicode)(const char *src, char **dst, int flags);
static int (*idn2_to_ascii)(const char *src, char **dst, int flags);
static int (*idn_decode)(size_t len, const char *src, size_t *dst_len, uint32_t *dst,
                         unsigned char *flags);
static int (*idn_encode)(size_t len, const uint32_t *src, const unsigned char *flags,
                         size_t *dst_len, char *dst);
static int (*idn_to_unicode)(const char *src, char **dst, int flags);
static int (*idn_to_ascii)(const char *src, char **dst, int flags);

/* --- decoding what follows "xn--" to code points --- */

static size_t punycode_len(const struct bench_label *label)
{
    return (size_t)label->alabel_len - ACE_PREFIX_LEN;
}

static const char *punycode(const struct bench_label *label)
{
    return label->alabel + ACE_PREFIX_LEN;
}

static void xn_decode32(const struct bench_label *label, struct bench_result *result)
{
    result->good = xn_punycode_decode((const uint8_t *)punycode(label), punycode_len(label),
                                      result->as.cps, XN_ULABEL_MAX, &result->len) == XN_OK;
}

static void rfc_decode32(const struct bench_label *label, struct bench_result *result)
{
    result->good = rfc3492_decode((const uint8_t *)punycode(label), punycode_len(label),
                                  result->as.cps, XN_ULABEL_MAX, &result->len);
}

static void icu_decode16(const struct bench_label *label, struct bench_result *result)
{
    UErrorCode error = U_ZERO_ERROR;

    result->len = (size_t)icu_decode(label->punycode16, (int32_t)punycode_len(label),
                                     result->as.utf16, BENCH_UNITS, NULL, &error);
    result->good = U_SUCCESS(error);
}

static void idn2_decode32(const struct bench_label *label, struct bench_result *result)
{
    result->len = BENCH_UNITS;
    result->good =
        idn2_decode(punycode_len(label), punycode(label), &result->len, result->as.cps) == 0;
}

static void idn_decode32(const struct bench_label *label, struct bench_result *result)
{
    result->len = BENCH_UNITS;
    result->good =
        idn_decode(punycode_len(label), punycode(label), &result->len, result->as.cps, NULL) == 0;
}

/* --- the same to UTF-8 --- */

/* Writes the result as UTF-8, for peers that return code points: all use the same writer. */
static void rewrite(const uint32_t *cps, size_t len, struct bench_result *result)
{
    uint8_t *at = (uint8_t *)result->as.text;

    for (size_t i = 0; i < len; i++)
        at += xn_utf8_write(cps[i], at);
    result->len = (size_t)(at - (uint8_t *)result->as.text);
}

static void xn_decode8(const struct bench_label *label, struct bench_result *result)
{
    uint32_t cps[XN_ULABEL_MAX];
    size_t len;

    result->good = xn_punylabel_decode_text((const uint8_t *)punycode(label), punycode_len(label),
                                            cps, &len, (uint8_t *)result->as.text, &result->len);
}

static void rfc_decode8(const struct bench_label *label, struct bench_result *result)
{
    uint32_t cps[XN_ULABEL_MAX];
    size_t len;

    result->good = rfc3492_decode((const uint8_t *)punycode(label), punycode_len(label), cps,
                                  XN_ULABEL_MAX, &len);
    rewrite(cps, result->good ? len : 0, result);
}

static void icu_decode8(const struct bench_label *label, struct bench_result *result)
{
    UChar units[BENCH_UNITS];
    UErrorCode error = U_ZERO_ERROR;
    int32_t len = icu_decode(label->punycode16, (int32_t)punycode_len(label), units, BENCH_UNITS,
                             NULL, &error);
    int32_t out = 0;

    u_strToUTF8(result->as.text, BENCH_TEXT, &out, units, len, &error);
    result->len = (size_t)out;
    result->good = U_SUCCESS(error);
}

static void idn2_decode8(const struct bench_label *label, struct bench_result *result)
{
    uint32_t cps[BENCH_UNITS];
    size_t len = BENCH_UNITS;

    result->good = idn2_decode(punycode_len(label), punycode(label), &len, cps) == 0;
    rewrite(cps, result->good ? len : 0, result);
}

static void idn_decode8(const struct bench_label *label, struct bench_result *result)
{
    uint32_t cps[BENCH_UNITS];
    size_t len = BENCH_UNITS;

    result->good = idn_decode(punycode_len(label), punycode(label), &len, cps, NULL) == 0;
    rewrite(cps, result->good ? len : 0, result);
}

/* --- encoding --- */

static void xn_encode(const struct bench_label *label, struct bench_result *result)
{
    result->good = xn_punycode_encode(label->cps, label->cps_len, (uint8_t *)result->as.text,
                                      XN_ULABEL_MAX, &result->len) == XN_OK;
}

static void rfc_encode(const struct bench_label *label, struct bench_result *result)
{
    result->good = rfc3492_encode(label->cps, label->cps_len, (uint8_t *)result->as.text,
                                  XN_ULABEL_MAX, &result->len);
}

static void icu_encode16(const struct bench_label *label, struct bench_result *result)
{
    UErrorCode error = U_ZERO_ERROR;

    result->len = (size_t)icu_encode(label->utf16, (int32_t)label->utf16_len, result->as.utf16,
                                     BENCH_UNITS, NULL, &error);
    result->good = U_SUCCESS(error);
}

static void idn2_encode8(const struct bench_label *label, struct bench_result *result)
{
    result->len = BENCH_TEXT;
    result->good = idn2_encode(label->cps_len, label->cps, &result->len, result->as.text) == 0;
}

static void idn_encode8(const struct bench_label *label, struct bench_result *result)
{
    result->len = BENCH_TEXT;
    result->good = idn_encode(label->cps_len, label->cps, NULL, &result->len, result->as.text) == 0;
}

/* --- A-label -> U-label, validated --- */

static void xn_to_ulabel(const struct bench_label *label, struct bench_result *result)
{
    uint32_t cps[XN_ULABEL_MAX];
    size_t len;

    result->good = xn_alabel_decode_text((const uint8_t *)label->alabel, label->alabel_len, cps,
                                         &len, (uint8_t *)result->as.text, &result->len) == 0 &&
                   !(xn_ulabel_check_valid(cps, len) & XN_INVALID_REASONS);
}

static void icu_to_ulabel(const struct bench_label *label, struct bench_result *result)
{
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;
    UErrorCode error = U_ZERO_ERROR;

    result->len = (size_t)uidna_labelToUnicodeUTF8(icu, label->alabel, (int32_t)label->alabel_len,
                                                   result->as.text, BENCH_TEXT, &info, &error);
    result->good = U_SUCCESS(error) && info.errors == 0;
}

/* libidn2 and libidn return strings that the caller frees. */
static void take(int status, char *text, struct bench_result *result)
{
    result->good = status == 0;
    if (!result->good)
        return;
    result->len = strnlen(text, BENCH_TEXT);
    memcpy(result->as.text, text, result->len);
    free(text);
}

static void idn2_to_ulabel(const struct bench_label *label, struct bench_result *result)
{
    char *text = NULL;
    int status = idn2_to_unicode(label->alabel, &text, 0);

    take(status, text, result);
}

static void idn_to_ulabel(const struct bench_label *label, struct bench_result *result)
{
    char *text = NULL;
    int status = idn_to_unicode(label->alabel, &text, 0);

    take(status, text, result);
}

/* --- U-label -> A-label, mapped: small letters, then capitals --- */

static void xn_map(const char *text, size_t len, struct bench_result *result)
{
    result->good = xn_unicode_map_label(unicode, (const uint8_t *)text, len,
                                        (uint8_t *)result->as.text, &result->len) == 0;
}

static void icu_map(const char *text, size_t len, struct bench_result *result)
{
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;
    UErrorCode error = U_ZERO_ERROR;

    result->len = (size_t)uidna_labelToASCII_UTF8(icu, text, (int32_t)len, result->as.text,
                                                  BENCH_TEXT, &info, &error);
    result->good = U_SUCCESS(error) && info.errors == 0;
}

static void idn2_map(const char *text, struct bench_result *result)
{
    enum { NFC_INPUT = 1, NONTRANSITIONAL = 8 };
    char *out = NULL;
    int status = idn2_to_ascii(text, &out, NFC_INPUT | NONTRANSITIONAL);

    take(status, out, result);
}

static void idn_map(const char *text, struct bench_result *result)
{
    char *out = NULL;
    int status = idn_to_ascii(text, &out, 0);

    take(status, out, result);
}

static void xn_map_small(const struct bench_label *label, struct bench_result *result)
{
    xn_map(label->text, label->text_len, result);
}

static void icu_map_small(const struct bench_label *label, struct bench_result *result)
{
    icu_map(label->text, label->text_len, result);
}

static void idn2_map_small(const struct bench_label *label, struct bench_result *result)
{
    idn2_map(label->text, result);
}

static void idn_map_small(const struct bench_label *label, struct bench_result *result)
{
    idn_map(label->text, result);
}

static void xn_map_capitals(const struct bench_label *label, struct bench_result *result)
{
    xn_map(label->written, label->written_len, result);
}

static void icu_map_capitals(const struct bench_label *label, struct bench_result *result)
{
    icu_map(label->written, label->written_len, result);
}

static void idn2_map_capitals(const struct bench_label *label, struct bench_result *result)
{
    idn2_map(label->written, result);
}

static void idn_map_capitals(const struct bench_label *label, struct bench_result *result)
{
    idn_map(label->written, result);
}

/* --- the table --- */

static struct bench_operation operations[] = {
    {"decode to UTF-32",
     {{"libxn", xn_decode32, BENCH_CPS, true},
      {"RFC 3492", rfc_decode32, BENCH_CPS, true},
      {"ICU", icu_decode16, BENCH_UTF16, true},
      {"libidn2", idn2_decode32, BENCH_CPS, true},
      {"libidn", idn_decode32, BENCH_CPS, true}}},
    {"decode to UTF-8",
     {{"libxn", xn_decode8, BENCH_TEXT_OCTETS, true},
      {"RFC 3492", rfc_decode8, BENCH_TEXT_OCTETS, true},
      {"ICU", icu_decode8, BENCH_TEXT_OCTETS, true},
      {"libidn2", idn2_decode8, BENCH_TEXT_OCTETS, true},
      {"libidn", idn_decode8, BENCH_TEXT_OCTETS, true}}},
    {"encode",
     {{"libxn", xn_encode, BENCH_TEXT_OCTETS, true},
      {"RFC 3492", rfc_encode, BENCH_TEXT_OCTETS, true},
      {"ICU", icu_encode16, BENCH_UTF16, true},
      {"libidn2", idn2_encode8, BENCH_TEXT_OCTETS, true},
      {"libidn", idn_encode8, BENCH_TEXT_OCTETS, true}}},
    {"A-label to U-label",
     {{"libxn", xn_to_ulabel, BENCH_TEXT_OCTETS, true},
      {"ICU", icu_to_ulabel, BENCH_TEXT_OCTETS, true},
      {"libidn2", idn2_to_ulabel, BENCH_TEXT_OCTETS, false},
      {"libidn", idn_to_ulabel, BENCH_TEXT_OCTETS, false}}},
    {"U-label to A-label",
     {{"libxn", xn_map_small, BENCH_TEXT_OCTETS, true},
      {"ICU", icu_map_small, BENCH_TEXT_OCTETS, true},
      {"libidn2", idn2_map_small, BENCH_TEXT_OCTETS, false},
      {"libidn", idn_map_small, BENCH_TEXT_OCTETS, false}}},
    {"capitals to A-label",
     {{"libxn", xn_map_capitals, BENCH_TEXT_OCTETS, true},
      {"ICU", icu_map_capitals, BENCH_TEXT_OCTETS, true},
      {"libidn2", idn2_map_capitals, BENCH_TEXT_OCTETS, false},
      {"libidn", idn_map_capitals, BENCH_TEXT_OCTETS, false}}},
    {.name = NULL},
};

const struct bench_operation *bench_operations(void)
{
    return operations;
}

/* A peer that does not have every function it needs is left out. */
static void leave_out(const char *name)
{
    for (struct bench_operation *operation = operations; operation->name; operation++)
        for (size_t i = 0; i < BENCH_PEERS && operation->peers[i].name; i++)
            if (strcmp(operation->peers[i].name, name) == 0)
                operation->peers[i].run = NULL;
    fprintf(stderr, "bench_codec: %s is not here\n", name);
}

static void *open_library(const char *folder, const char *name)
{
    char path[4096];
    void *library = NULL;

    if (folder) {
        snprintf(path, sizeof path, "%s/%s", folder, name);
        library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    }
    return library ? library : dlopen(name, RTLD_NOW | RTLD_GLOBAL);
}

/* ISO C has no conversion from what dlsym returns to a pointer to a function. */
static bool find(void *library, const char *name, void *function)
{
    void *symbol = library ? dlsym(library, name) : NULL;

    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

/* libidn2 before 2.3.5 has its Punycode under names of its own only. */
static bool find_versioned(void *library, const char *name, void *function)
{
    void *symbol = library ? dlvsym(library, name, "IDN2_0.0.0") : NULL;

    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

bool bench_peers_open(const char *folder)
{
    UErrorCode error = U_ZERO_ERROR;

    icu = uidna_openUTS46(UIDNA_NONTRANSITIONAL_TO_ASCII | UIDNA_NONTRANSITIONAL_TO_UNICODE |
                              UIDNA_USE_STD3_RULES | UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ,
                          &error);
    if (U_FAILURE(error) || xn_unicode_open(&unicode) != XN_OK)
        return false;

    void *self = dlopen(NULL, RTLD_NOW);
    if (!find(self, ICU_SYMBOL(u_strFromPunycode), (void *)&icu_decode) ||
        !find(self, ICU_SYMBOL(u_strToPunycode), (void *)&icu_encode))
        leave_out("ICU");

    open_library(folder, "libunistring.so.2");
    void *idn2 = open_library(folder, "libidn2.so.0"), *idn = open_library(folder, "libidn.so.12");
    if (!find_versioned(idn2, "_idn2_punycode_decode", (void *)&idn2_decode) ||
        !find_versioned(idn2, "_idn2_punycode_encode", (void *)&idn2_encode) ||
        !find(idn2, "idn2_to_unicode_8z8z", (void *)&idn2_to_unicode) ||
        !find(idn2, "idn2_to_ascii_8z", (void *)&idn2_to_ascii))
        leave_out("libidn2");
    if (!find(idn, "punycode_decode", (void *)&idn_decode) ||
        !find(idn, "punycode_encode", (void *)&idn_encode) ||
        !find(idn, "idna_to_unicode_8z8z", (void *)&idn_to_unicode) ||
        !find(idn, "idna_to_ascii_8z", (void *)&idn_to_ascii))
        leave_out("libidn");
    return true;
}

/* --- labels --- */

static bool is_ulabel(const UChar *units, int32_t len)
{
    UChar mapped[BENCH_UNITS];
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;
    UErrorCode error = U_ZERO_ERROR;
    int32_t mapped_len = uidna_labelToUnicode(icu, units, len, mapped, BENCH_UNITS, &info, &error);

    return U_SUCCESS(error) && info.errors == 0 && mapped_len == len &&
           u_memcmp(units, mapped, len) == 0;
}

/* Capitals where that is another way to write the same label, as is true of most. */
static void write_capitals(struct bench_forms *label)
{
    UChar units[BENCH_UNITS], mapped[BENCH_UNITS];
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;
    UErrorCode error = U_ZERO_ERROR;
    int32_t len =
        u_strToUpper(units, BENCH_UNITS, label->utf16, (int32_t)label->utf16_len, "", &error);
    int32_t mapped_len = uidna_labelToUnicode(icu, units, U_SUCCESS(error) ? len : 0, mapped,
                                              BENCH_UNITS, &info, &error);
    int32_t out = 0;

    if (U_FAILURE(error) || mapped_len != (int32_t)label->utf16_len ||
        u_memcmp(mapped, label->utf16, mapped_len) != 0) {
        u_memcpy(units, label->utf16, (int32_t)label->utf16_len);
        len = (int32_t)label->utf16_len;
    }
    error = U_ZERO_ERROR;
    u_strToUTF8(label->written, BENCH_TEXT, &out, units, len, &error);
    label->written_len = (size_t)out;
}

bool bench_label_make(const uint32_t *cps, size_t len, struct bench_forms *label)
{
    UErrorCode error = U_ZERO_ERROR;
    int32_t units = 0, out = 0;
    size_t encoded;

    memset(label, 0, sizeof *label);
    if (len == 0 || len > XN_ULABEL_MAX ||
        !rfc3492_encode(cps, len, (uint8_t *)label->alabel + ACE_PREFIX_LEN, XN_ULABEL_MAX,
                        &encoded) ||
        label->alabel[ACE_PREFIX_LEN + encoded - 1] == '-')
        return false;
    memcpy(label->alabel, "xn--", ACE_PREFIX_LEN);
    label->alabel_len = ACE_PREFIX_LEN + encoded;
    memcpy(label->cps, cps, len * sizeof *cps);
    label->cps_len = len;
    u_strFromUTF32(label->utf16, BENCH_UNITS, &units, (const UChar32 *)cps, (int32_t)len, &error);
    u_strToUTF8(label->text, BENCH_TEXT, &out, label->utf16, units, &error);
    label->utf16_len = (size_t)units;
    label->text_len = (size_t)out;
    u_charsToUChars(label->alabel + ACE_PREFIX_LEN, label->punycode16, (int32_t)encoded);
    write_capitals(label);
    return U_SUCCESS(error) && is_ulabel(label->utf16, units);
}
