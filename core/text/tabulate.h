/* SPDX-License-Identifier: BSD-3-Clause */
/* Macros with which the compiler fills tables: each applies a macro to consecutive numbers. */
#ifndef XN_CORE_TEXT_TABULATE_H
#define XN_CORE_TEXT_TABULATE_H

/* of(n), of(n + 1), … */
#define FOUR(of, n) of(n), of((n) + 1), of((n) + 2), of((n) + 3)
#define SIXTEEN(of, n) FOUR(of, n), FOUR(of, (n) + 4), FOUR(of, (n) + 8), FOUR(of, (n) + 12)
#define SIXTY_FOUR(of, n)                                                                          \
    SIXTEEN(of, n), SIXTEEN(of, (n) + 16), SIXTEEN(of, (n) + 32), SIXTEEN(of, (n) + 48)
#define OF_256(of, n)                                                                              \
    SIXTY_FOUR(of, n), SIXTY_FOUR(of, (n) + 64), SIXTY_FOUR(of, (n) + 128),                        \
        SIXTY_FOUR(of, (n) + 192)

#endif
