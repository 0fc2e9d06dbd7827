/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/idna/level.h"

const char *xn_level_word(xn_level level)
{
    static const char *const words[] = {"ascii",    "single",  "highly",
                                        "moderate", "minimal", "unrestricted"};

    return (unsigned)level < sizeof words / sizeof *words ? words[level] : "unknown";
}
