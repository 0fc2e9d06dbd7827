/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides which variant of core/punycode/decode.c, core/punycode/encode.c and core/text/utf8run.c
 * runs: the generic one, or one for recent x86-64 processors. */
#ifndef XN_CORE_TEXT_CPU_H
#define XN_CORE_TEXT_CPU_H

#include <stdbool.h>

#ifdef __x86_64__
#define XN_HASWELL __attribute__((target("avx2,bmi,bmi2,popcnt")))
#endif

/* Returns whether the processor has the instructions that XN_HASWELL names and runs them fast.
 * False if the environment has XN_CPU=generic, so that tests reach every variant. Call it once,
 * from a constructor: it queries the processor each time. */
bool xn_cpu_is_haswell(void);

#endif
