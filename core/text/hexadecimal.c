/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/text/hexadecimal.h"

#include "core/text/tabulate.h"

#define DIGIT(n) (char)((n) < 10 ? '0' + (n) : 'A' + (n)-10)
#define PAIR(n)                                                                                    \
    {                                                                                              \
        DIGIT((n) / 16), DIGIT((n) % 16)                                                           \
    }
const char xn_hexadecimal_pairs[256][2] = {OF_256(PAIR, 0)};
