/* SPDX-License-Identifier: BSD-3-Clause */
/* Asserts that a policy decides the names that were added to it. */
#ifndef XN_TESTS_FUZZ_DECISIONS_H
#define XN_TESTS_FUZZ_DECISIONS_H

#include "tests/fuzz/target.h"

#include "module/policy/policy.h"

/* Asserts that the name is decided or logged. For XNM_SCOPE_BELOW, asks for the wildcard below it,
 * which no other name of a zone can hide. */
static inline void expect_decided(const struct xnm_policy *policy, const struct xnm_wirename *name,
                                  xnm_scope scope, uint16_t qtype)
{
    size_t below = scope == XNM_SCOPE_BELOW ? 2 : 0, len = below + name->len;
    uint8_t *asked = malloc(len);
    struct xnm_question question = {.qname = asked, .qname_len = len, .qtype = qtype, .qclass = 1};
    struct xnm_decision decision;

    memcpy(asked, "\1*", below);
    memcpy(asked + below, name->octets, name->len);
    if (len <= XN_WIRE_NAME_MAX)
        assert_true(xnm_policy_decide(policy, &question, &decision));
    free(asked);
}

#endif
