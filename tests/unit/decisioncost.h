/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the cost of a decision, for bounds on the cost that strangers can cause. */
#ifndef XN_TESTS_UNIT_DECISIONCOST_H
#define XN_TESTS_UNIT_DECISIONCOST_H

#include "tests/unit/cputime.h"
#include "tests/unit/policytext.h"
#include "tests/unit/wirenames.h"

/* Returns the processor time of the fastest of 20 decisions about a question for A of the name, as
 * nametext.h has it, in seconds. */
static inline double decision_cost(const struct xnm_policy *policy, const char *name)
{
    uint8_t wire[XN_WIRE_NAME_MAX];
    const struct xnm_question question = {
        .qname = wire, .qname_len = wire_of(ascii_of(name), wire), .qtype = 1, .qclass = 1};
    double fastest = 0;

    for (unsigned i = 0; i < 20; i++) {
        struct xnm_decision decision;
        double start = cpu_seconds();
        xnm_policy_decide(policy, &question, &decision);
        double taken = cpu_seconds() - start;
        fastest = i == 0 || taken < fastest ? taken : fastest;
    }
    return fastest;
}

#endif
