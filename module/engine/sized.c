/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/engine/sized.h"

#include <string.h>

int32_t xnm_sized_read(void *dst, size_t ours, size_t least, const void *theirs)
{
    uint32_t size;

    if (!theirs)
        return IDNP_BAD_ARGUMENT;
    memcpy(&size, theirs, sizeof size);
    if (size < least || size > XNM_SIZED_MAX)
        return IDNP_BAD_ARGUMENT;
    for (size_t i = ours; i < size; i++) {
        if (((const uint8_t *)theirs)[i] != 0)
            return IDNP_TOO_NEW;
    }
    size_t common = size < ours ? size : ours;
    memcpy(dst, theirs, common);
    memset((uint8_t *)dst + common, 0, ours - common);
    return 0;
}
