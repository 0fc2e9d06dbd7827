/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes escapes. Not in core/names/display.c, which needs ICU: libxn-punycode has no ICU. */
#include "core/names/display.h"

#include "core/text/hexadecimal.h"

size_t xn_display_escape(uint32_t cp, char *dst)
{
    return cp <= 0x10FFFF ? xn_hexadecimal_escape(cp, dst) : 0;
}
