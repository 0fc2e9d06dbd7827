/* SPDX-License-Identifier: BSD-3-Clause */
/* The questions that the table of traits is asked about labels, wrapped by the Makefile: it answers
 * only while it is `vouching`, so that each label can be asked about with it and without. */
#ifndef XN_TESTS_UNIT_TRAITSWRAP_H
#define XN_TESTS_UNIT_TRAITSWRAP_H

#include "core/idna/traits.h"

static bool vouching = true;

bool __real_xn_traits_map_label(const uint8_t *label, size_t len, uint8_t *dst, size_t *dst_len);
bool __wrap_xn_traits_map_label(const uint8_t *label, size_t len, uint8_t *dst, size_t *dst_len);

bool __wrap_xn_traits_map_label(const uint8_t *label, size_t len, uint8_t *dst, size_t *dst_len)
{
    return vouching && __real_xn_traits_map_label(label, len, dst, dst_len);
}

#define WRAP(name, result)                                                                         \
    bool __real_##name(const uint32_t *label, size_t len, result *found);                          \
    bool __wrap_##name(const uint32_t *label, size_t len, result *found);                          \
    bool __wrap_##name(const uint32_t *label, size_t len, result *found)                           \
    {                                                                                              \
        return vouching && __real_##name(label, len, found);                                       \
    }
WRAP(xn_traits_check_ulabel, xn_reasons)
WRAP(xn_traits_check_display, xn_reasons)
WRAP(xn_traits_check_label, xn_reasons)
WRAP(xn_traits_mix, xn_level)

#endif
