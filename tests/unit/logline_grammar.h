/* SPDX-License-Identifier: BSD-3-Clause */
/* The grammar of a text line as the tests know it, written independently of the code that writes
 * lines. */
#ifndef XN_TESTS_UNIT_LOGLINE_GRAMMAR_H
#define XN_TESTS_UNIT_LOGLINE_GRAMMAR_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

#define LOGLINE_UPPER "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define LOGLINE_LOWER "abcdefghijklmnopqrstuvwxyz"
#define LOGLINE_DIGIT "0123456789"

static inline bool is_forbidden(UChar32 cp)
{
    const uint32_t types = U_GC_CC_MASK | U_GC_CF_MASK | U_GC_CS_MASK | U_GC_CO_MASK |
                           U_GC_CN_MASK | U_GC_ZL_MASK | U_GC_ZP_MASK | U_GC_ZS_MASK;

    if (cp == ' ')
        return false;
    return (U_MASK(u_charType(cp)) & types) || u_hasBinaryProperty(cp, UCHAR_BIDI_CONTROL) ||
           u_hasBinaryProperty(cp, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) || cp == 0x2800;
}

/* UTF-8 of visible characters and U+0020 alone. */
static inline void check_characters(const char *line, int32_t len)
{
    for (int32_t at = 0; at < len;) {
        UChar32 cp;
        U8_NEXT((const uint8_t *)line, at, len, cp);
        if (cp < 0)
            fail_msg("not UTF-8 before octet %d: %s", at, line);
        if (is_forbidden(cp))
            fail_msg("U+%04X in: %s", (unsigned)cp, line);
    }
}

/* `\DDD` or `\u{X…}`. Returns its last octet. */
static inline const char *check_escape(const char *at)
{
    if (at[1] == 'u') {
        size_t digits = strspn(at + 3, "0123456789ABCDEF");
        assert_true(at[2] == '{' && digits >= 1 && digits <= 6 && at[3 + digits] == '}');
        return at + 3 + digits;
    }
    assert_int_equal(strspn(at + 1, "0123456789") < 3, 0);
    return at + 3;
}

/* A name, in its column or in quotes. Returns what ends it. */
static inline const char *check_name(const char *at, char end)
{
    const char *start = at;

    for (; *at != end; at++) {
        if ((uint8_t)*at <= ' ' || *at == '"')
            fail_msg("no end of the name: %s", start);
        if (*at == '\\')
            at = check_escape(at);
    }
    assert_true(at > start);
    return at;
}

/* A value in quotes, blanks and `\"` and `\\` in it too. Returns the last quote. */
static inline const char *check_quoted(const char *at)
{
    for (; *at != '"'; at++) {
        if ((uint8_t)*at < ' ')
            fail_msg("no end of the value: %s", at);
        if (*at == '\\')
            at = at[1] == '"' || at[1] == '\\' ? at + 1 : check_escape(at);
    }
    return at;
}

static inline const char *check_word(const char *at, const char *octets)
{
    size_t len = strspn(at, octets);

    if (len == 0)
        fail_msg("none of '%s' at: %s", octets, at);
    return at + len;
}

static inline const char *check_octet(const char *at, char octet)
{
    if (*at != octet)
        fail_msg("no '%c' at: %s", octet, at);
    return at + 1;
}

/* The grammar of unbound-module-idn(8): eight columns, then fields. */
static inline void check_line(const char *line)
{
    const char *at = check_octet(check_word(line, "0123456789abcdef.:/-"), ' ');

    at = check_octet(check_name(at, ' '), ' ');
    for (int i = 0; i < 3; i++)
        at = check_octet(check_word(at, LOGLINE_UPPER LOGLINE_DIGIT "-"), ' ');
    if (*at == '-') { /* not known */
        at++;
    } else {
        at = check_octet(check_word(at, LOGLINE_DIGIT), '.');
        assert_int_equal(strspn(at, LOGLINE_DIGIT), 6);
        at += 6;
    }
    at = check_octet(check_word(check_octet(at, ' '), "01-"), ' ');
    at = check_octet(at, '-');
    while (*at) {
        bool is_name = strncmp(at, " u=", 3) == 0;
        at = check_octet(check_word(check_octet(at, ' '), LOGLINE_LOWER LOGLINE_DIGIT "-"), '=');
        if (*at == '"')
            at = (is_name ? check_name(at + 1, '"') : check_quoted(at + 1)) + 1;
        else
            at = check_word(at, LOGLINE_UPPER LOGLINE_LOWER LOGLINE_DIGIT "._:/()+,-");
    }
}

#endif
