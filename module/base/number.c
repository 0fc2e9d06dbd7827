/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/base/number.h"

bool xnm_number_read(const char *text, size_t len, uint32_t max, uint32_t *number)
{
    uint64_t value = 0;

    for (size_t i = 0; i < len; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        value = 10 * value + (uint64_t)(text[i] - '0');
        if (value > max)
            return false;
    }
    if (len > 0)
        *number = (uint32_t)value;
    return len > 0;
}
