/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads hexadecimal digits of escapes, in either case. */
#ifndef XN_TOOLS_TEXT_HEXDIGIT_H
#define XN_TOOLS_TEXT_HEXDIGIT_H

#include <stdint.h>

/* Returns the value of a digit, 0 to 15, or HEXDIGIT_NONE. */
enum { HEXDIGIT_NONE = 16 };
static inline uint32_t hexdigit(uint8_t octet)
{
    uint8_t letter = (uint8_t)((octet | 0x20) - 'a');

    if ((uint8_t)(octet - '0') < 10)
        return (uint32_t)(octet - '0');
    return letter < 6 ? letter + 10u : HEXDIGIT_NONE;
}

#endif
