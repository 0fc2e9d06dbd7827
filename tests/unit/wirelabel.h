/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts labels from the form that people see to the form in a wire name. */
#ifndef XN_TESTS_UNIT_WIRELABEL_H
#define XN_TESTS_UNIT_WIRELABEL_H

#include "core/punycode/punycode.h"
#include "core/text/utf8.h"
#include "core/wire/wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes code points to label, which has room for XN_WIRE_LABEL_MAX octets: as they are if they are
 * all ASCII, else as an A-label, valid or not. Returns its length; 0: it has none, or none so
 * short.
 */
static inline size_t wire_label_of(const uint32_t *cps, size_t count, uint8_t *label)
{
    size_t len = 0;
    bool ascii = true;

    for (size_t i = 0; i < count; i++)
        ascii &= cps[i] < 0x80;
    if (!ascii) {
        memcpy(label, "xn--", 4);
        if (xn_punycode_encode(cps, count, label + 4, XN_WIRE_LABEL_MAX - 4, &len) != XN_OK)
            return 0;
        return len + 4;
    }
    if (count > XN_WIRE_LABEL_MAX)
        return 0;
    for (size_t i = 0; i < count; i++)
        label[i] = (uint8_t)cps[i];
    return count;
}

/* The same of UTF-8; the end of the program if there is no such label. */
static inline size_t wire_label(const char *text, uint8_t *label)
{
    uint32_t cps[XN_WIRE_LABEL_MAX];
    size_t count, len = 0;

    if (xn_utf8_decode((const uint8_t *)text, strlen(text), cps, XN_WIRE_LABEL_MAX, &count, NULL) ==
        XN_OK)
        len = wire_label_of(cps, count, label);
    if (len == 0) {
        fprintf(stderr, "no label: %s\n", text);
        abort();
    }
    return len;
}

#endif
