/* SPDX-License-Identifier: BSD-3-Clause */
/* Names as tests write them: each label that is not ASCII becomes "xn--" and its Punycode. */
#ifndef XN_TESTS_UNIT_NAMETEXT_H
#define XN_TESTS_UNIT_NAMETEXT_H

#include "core/text/utf8.h"
#include "module/name/rulename.h"
#include "tests/unit/wirenames.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define TEXT_ROOT "." /* the root's name */

/* The code points of a label; 0: it is no UTF-8, or ASCII alone. */
static inline size_t read_label(const char *text, size_t len, uint32_t *cps)
{
    size_t count = 0;
    bool plain = true;

    for (size_t at = 0, read; at < len; at += read, count++) {
        read = xn_utf8_read((const uint8_t *)text + at, len - at, &cps[count]);
        if (read == 0)
            return 0;
        plain &= cps[count] < 0x80;
    }
    return plain ? 0 : count;
}

/* Writes the name with A-labels. */
enum { TEXT_NAME_MAX = 1024 };
static inline void put_ascii(const char *text, char dst[TEXT_NAME_MAX])
{
    while (*text) {
        size_t len = strcspn(text, ".");
        uint32_t cps[256];
        size_t count = read_label(text, len, cps);
        if (count == 0)
            dst = (char *)memcpy(dst, text, len) + len;
        else
            dst += put_a_label(cps, count, (uint8_t *)dst, XN_WIRE_LABEL_MAX);
        text += len;
        while (*text == '.')
            *dst++ = *text++;
    }
    *dst = '\0';
}

/* The same in static storage. */
static inline const char *ascii_of(const char *text)
{
    static char ascii[TEXT_NAME_MAX];

    put_ascii(text, ascii);
    return ascii;
}

static inline size_t wirename_of(const char *text, struct xnm_wirename *name)
{
    char ascii[TEXT_NAME_MAX];

    put_ascii(strcmp(text, TEXT_ROOT) == 0 ? "" : text, ascii);
    name->len = (uint8_t)wire_of(ascii, name->octets);
    return name->len;
}

#endif
