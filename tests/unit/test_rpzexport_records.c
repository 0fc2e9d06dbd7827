/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/rpzexport.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* One that a resolver refuses would keep the whole zone from it. BIND 9.18.49, NSD 4.6 and Knot DNS
 * 3.2 were asked. */
static void test_records(void **state)
{
    static const struct {
        uint16_t type;
        const char *rdata;
        size_t len;
        bool good;
    } cases[] = {
        {1, "\1\2\3\4", 4, true},
        {16, "", 1, true},
        {12, "", 1, true},
        {65280, "", 0, true},
        {65279, "", 0, false},
        {65535, "", 0, false},
        {2, "", 1, false},                  /* NS */
        {3, "", 1, false},                  /* MD */
        {42, "\0\1", 2, false},             /* APL */
        {55, "\4", 1, false},               /* HIP */
        {262, "\1", 1, false},              /* WALLET */
        {35, "\0\0\0\0\1S\0\0\0", 9, true}, /* NAPTR */
        {35, "\0\0\0\0\0\0\1x\0", 9, false},
        {44, "\1\1xxxxxxxxxxxxxxxxxxxx", 22, true}, /* SSHFP */
        {44, "\1\2xxxxxxxxxxxxxxxxxxxx", 22, false},
        {44, "\1\1", 2, false},
        {44, "\1\2xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", 34, true},
        {52, "\3\1\1x", 4, true}, /* TLSA */
        {52, "\3\1\1", 3, false},
        {257, "\0\5issuex", 8, true}, /* CAA */
        {257, "\0\5ISSUEx", 8, false},
        {257, "\0\0", 2, false},
        {65, "\0\1\0", 3, true},                         /* HTTPS */
        {65, "\0\1\1x\0\0\1\0\3\2h2\0\2\0\0", 16, true}, /* alpn, no-default-alpn */
        {65, "\0\1\0\0\1\0\3\5h2", 10, false},
        {65, "\0\1\0\0\1\0\1\0", 8, false},
        {65, "\0\1\0\0\1\0\0", 7, false},
        {65, "\0\1\0\0\2\0\0", 7, false},
        {65, "\0\1\0\0\0\0\2\0\3", 9, false}, /* mandatory */
        {64, "\0\1\0\0\7\0\1/", 8, false},    /* dohpath */
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct xnm_record record = {.type = cases[i].type,
                                          .rdata_len = (uint16_t)cases[i].len,
                                          .rdata = (uint8_t *)(uintptr_t)cases[i].rdata};
        if ((xnm_rpzexport_record_fault(&record) == NULL) != cases[i].good)
            fail_msg("case %zu", i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_records)};

    return cmocka_run_group_tests_name("rpzexport_records", tests, NULL, NULL);
}
