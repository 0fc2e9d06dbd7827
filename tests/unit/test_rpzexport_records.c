/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests which records and rules a response policy zone can express. */
#include "module/rule/rule.h"
#include "tests/unit/wirenames.h"
#include "tools/rules/rpzexport.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { ORIGIN_LEN = 13 };

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
        if ((rpzexport_record_fault(&record) == NULL) != cases[i].good)
            fail_msg("case %zu", i);
    }
}

/* --- rules --- */

static void test_refusals(void **state)
{
    static const uint8_t target[] = "\002ab", odd[] = "\001*\001b",
                         reserved[] = "\001a\010rpz-drop";
    struct xnm_record records[] = {{5, sizeof target, 60, (uint8_t *)(uintptr_t)target},
                                   {5, sizeof odd, 60, (uint8_t *)(uintptr_t)odd},
                                   {5, sizeof reserved, 60, (uint8_t *)(uintptr_t)reserved},
                                   {2, sizeof target, 60, (uint8_t *)(uintptr_t)target},
                                   {43, sizeof target, 60, (uint8_t *)(uintptr_t)target},
                                   {16, RPZEXPORT_RDATA_MAX + 1, 60, NULL},
                                   {16, RPZEXPORT_RDATA_MAX, 60, NULL}};
    static const struct {
        const char *name;
        xnm_action action;
        xnm_trigger trigger;
        xnm_scope scope;
        int record; /* -1: none */
        unsigned types;
        bool good;
    } cases[] = {
        {"x", XNM_NXDOMAIN, XNM_TRIGGER_NAME, XNM_SCOPE_EXACT, -1, 0, true},
        {"x", XNM_NODATA, XNM_TRIGGER_ZONE, XNM_SCOPE_ZONE, -1, 1, false},
        {"x", XNM_REFUSE, XNM_TRIGGER_NAME, XNM_SCOPE_EXACT, -1, 0, false},
        {"x", XNM_LOG, XNM_TRIGGER_NAME, XNM_SCOPE_EXACT, -1, 0, false},
        {"x", XNM_NXDOMAIN, XNM_TRIGGER_LOOKALIKE, XNM_SCOPE_ZONE, -1, 0, false},
        {"", XNM_NXDOMAIN, XNM_TRIGGER_LOOKALIKES, XNM_SCOPE_ZONE, -1, 0, false},
        {"", XNM_NXDOMAIN, XNM_TRIGGER_INVALID, XNM_SCOPE_EXACT, -1, 0, false},
        {"", XNM_NXDOMAIN, XNM_TRIGGER_BIDI, XNM_SCOPE_EXACT, -1, 0, false},
        {"", XNM_NXDOMAIN, XNM_TRIGGER_NAME, XNM_SCOPE_EXACT, -1, 0, false},
        {"", XNM_NXDOMAIN, XNM_TRIGGER_NAME, XNM_SCOPE_BELOW, -1, 0, true},
        {"", XNM_NXDOMAIN, XNM_TRIGGER_ZONE, XNM_SCOPE_ZONE, -1, 0, true},
        {"", XNM_NXDOMAIN, XNM_TRIGGER_ZONES, XNM_SCOPE_EXACT, -1, 0, true},
        {"", XNM_REFUSE, XNM_TRIGGER_ZONES, XNM_SCOPE_EXACT, -1, 0, false},
        {"", XNM_ACTION_NONE, XNM_TRIGGER_RPZ, XNM_SCOPE_EXACT, -1, 0, true},
        {"rpz-ip", XNM_DROP, XNM_TRIGGER_ZONE, XNM_SCOPE_ZONE, -1, 0, false},
        {"a.rpz-x", XNM_DROP, XNM_TRIGGER_ZONE, XNM_SCOPE_ZONE, -1, 0, false},
        {"rpz-ip.x", XNM_DROP, XNM_TRIGGER_ZONE, XNM_SCOPE_ZONE, -1, 0, true},
        {"*.x", XNM_DROP, XNM_TRIGGER_NAME, XNM_SCOPE_BELOW, -1, 0, false},
        {"x", XNM_CNAME, XNM_TRIGGER_NAME, XNM_SCOPE_EXACT, 0, 0, true},
        {"x", XNM_CNAME, XNM_TRIGGER_NAME, XNM_SCOPE_EXACT, 1, 0, false},
        {"x", XNM_CNAME, XNM_TRIGGER_NAME, XNM_SCOPE_EXACT, 2, 0, false},
        {"x", XNM_ANSWER, XNM_TRIGGER_NAME, XNM_SCOPE_EXACT, 3, 0, false},
        {"x", XNM_ANSWER, XNM_TRIGGER_NAME, XNM_SCOPE_EXACT, 4, 0, false},
        {"x", XNM_ANSWER, XNM_TRIGGER_NAME, XNM_SCOPE_EXACT, 5, 0, false},
        {"x", XNM_ANSWER, XNM_TRIGGER_NAME, XNM_SCOPE_EXACT, 6, 0, true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct xnm_rule rule = {.action = cases[i].action,
                                .trigger = cases[i].trigger,
                                .scope = cases[i].scope,
                                .type_count = (uint8_t)cases[i].types};
        rule.name.len = (uint8_t)wire_of(cases[i].name, rule.name.octets);
        if (cases[i].record >= 0) {
            rule.records = &records[cases[i].record];
            rule.record_count = 1;
        }
        if ((rpzexport_refusal(&rule, ORIGIN_LEN) == NULL) != cases[i].good)
            fail_msg("case %zu", i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_records),
                                       cmocka_unit_test(test_refusals)};

    return cmocka_run_group_tests_name("rpzexport_records", tests, NULL, NULL);
}
