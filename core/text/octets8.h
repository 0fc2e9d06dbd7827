/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads eight octets as one integer, in the byte order of the machine. */
#ifndef XN_CORE_TEXT_OCTETS8_H
#define XN_CORE_TEXT_OCTETS8_H

#include <stdint.h>
#include <string.h>

enum { XN_OCTETS8 = 8 };

static inline uint64_t xn_octets8_load(const uint8_t *octets)
{
    uint64_t loaded;

    memcpy(&loaded, octets, sizeof loaded);
    return loaded;
}

#endif
