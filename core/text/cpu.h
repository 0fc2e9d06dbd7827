/* SPDX-License-Identifier: BSD-3-Clause */
/* Which variant of core/punycode/decode.c, core/punycode/encode.c and core/text/utf8run.c runs. */
#ifndef XN_CORE_TEXT_CPU_H
#define XN_CORE_TEXT_CPU_H

#include <stdbool.h>

#ifdef __x86_64__
#define XN_HASWELL __attribute__((target("avx2,bmi,bmi2,popcnt")))
#endif

/* Has the processor what XN_HASWELL names, and is it fast? False too where XN_CPU=generic stands in
 * the environment, so that tests reach every variant. For constructors: asks each time. */
bool xn_cpu_is_haswell(void);

#endif
