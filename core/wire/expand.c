/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/wire/expand.h"

#include "core/wire/size.h"

#include <string.h>

enum { POINTER = 0xC0 };

size_t xn_wire_expand(const uint8_t *message, size_t len, size_t *at, uint8_t *dst)
{
    size_t start = *at, from = start, after = 0, out = 0;

    for (unsigned jumps = 0; from < len;) {
        size_t octet = message[from];

        if (octet >= POINTER) {
            if (len - from < 2 || ++jumps > XN_WIRE_JUMPS_MAX)
                return 0;
            size_t to = (octet & 0x3F) << 8 | message[from + 1];
            if (to < XN_WIRE_HEADER_LEN || to >= start)
                return 0;
            if (after == 0)
                after = from + 2;
            from = start = to;
            continue;
        }
        /* A label, with at least the root after it, or the root. */
        if (octet > XN_WIRE_LABEL_MAX || octet >= len - from ||
            out + octet + 1 + (octet > 0) > XN_WIRE_NAME_MAX)
            return 0;
        memcpy(dst + out, message + from, octet + 1);
        out += octet + 1;
        from += octet + 1;
        if (octet == 0) {
            *at = after > 0 ? after : from;
            return out;
        }
    }
    return 0;
}
