/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/base/seed.h"

#include <sys/random.h>

uint64_t xnm_seed(const void *address)
{
    uint64_t seed;

    if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) != sizeof seed)
        seed = (uint64_t)(uintptr_t)address;
    return seed;
}
