/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/text/cpu.h"

#include <stdlib.h>
#include <string.h>

bool xn_cpu_is_haswell(void)
{
#ifdef __x86_64__
    const char *asked = getenv("XN_CPU");

    if (asked && strcmp(asked, "generic") == 0)
        return false;
    __builtin_cpu_init();
    /* AMD processors before Zen 3 have pdep, but take some hundred cycles for it. */
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") &&
           !__builtin_cpu_is("znver1") && !__builtin_cpu_is("znver2");
#else
    return false;
#endif
}
