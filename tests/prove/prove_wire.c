/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of core/wire.c with FIRST to LAST octets; all but xn_wire_to_text. That a name is a valid
 * one, where it has to be, is what the `admit` in core/wire.h says. */
#include "core/wire.h"
#include "tests/prove/any.h"

static xn_status status;
static bool found;
static size_t written;

static void any_octets(size_t length)
{
    uint8_t *src = EXACT(uint8_t, length), *dst = EXACT(uint8_t, length);
    struct xn_wire_cursor cursor;

    fill(src, length);
    status = xn_wire_open(&cursor, src, length);
    found = xn_wire_has_capitals(src, length);
    xn_wire_lower(dst, src, length);
    xn_wire_lower(src, src, length);
    free(src);
    free(dst);
}

static void name_of(size_t length)
{
    uint8_t *wire = EXACT(uint8_t, length);

    fill(wire, length);
    found = xn_wire_has_ace(wire, length);
    free(wire);
}

static void label_of(size_t length)
{
    uint8_t *label = EXACT(uint8_t, length);
    char *dst = EXACT(char, 4 * length);

    fill(label, length);
    written = xn_wire_label_to_text(label, length, dst);
    free(label);
    free(dst);
}

int main(void)
{
    /*@ loop unroll LAST + 1 - FIRST; */
    for (size_t length = FIRST; length <= LAST; length++) {
        any_octets(length);
        if (length >= 1 && length <= XN_WIRE_NAME_MAX)
            name_of(length);
        if (length <= XN_WIRE_LABEL_MAX)
            label_of(length);
    }
    return 0;
}
