/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls, with FIRST to LAST octets, the functions of core/wire/wire.c that do not walk over a name.
 * WP proves those that do. It assumes of the others what tests/prove/walks.h says: that they stay
 * inside their arguments, which are exactly that long here, and how much they write. */
#include "core/wire/wire.c"
#include "tests/prove/any.h"

static bool found;
static size_t written;

static void any_octets(size_t length)
{
    uint8_t *src = EXACT(uint8_t, length), *dst = EXACT(uint8_t, length);

    fill(src, length);
    found = xn_wire_has_capitals(src, length);
    if (length > XN_OCTETS16)
        found = has_hyphen_pair(src, length);
    xn_wire_lower(dst, src, length);
    xn_wire_lower(src, src, length);
    free(src);
    free(dst);
}

static void label_of(size_t length)
{
    uint8_t *label = EXACT(uint8_t, length);
    char *dst = EXACT(char, 4 * length);

    fill(label, length);
    found = xn_wire_has_ace_prefix(label, length);
    written = xn_wire_label_to_text(label, length, dst);
    /*@ assert written <= 4 * length; */
    free(label);
    free(dst);
}

static void sixteen(void)
{
    uint8_t *src = EXACT(uint8_t, XN_OCTETS16);
    char *dst = EXACT(char, XN_OCTETS16);
    struct plain_text *plain = EXACT(struct plain_text, 1);

    fill(src, XN_OCTETS16);
    fill(plain, sizeof *plain);
    sixteen_of_name(plain, src, Frama_C_unsigned_int_interval(0, XN_OCTETS16), dst);
    free(src);
    free(dst);
    free(plain);
}

int main(void)
{
    sixteen();
    /*@ loop unroll LAST + 1 - FIRST; */
    for (size_t length = FIRST; length <= LAST; length++) {
        any_octets(length);
        if (length <= XN_WIRE_LABEL_MAX)
            label_of(length);
    }
    return 0;
}
