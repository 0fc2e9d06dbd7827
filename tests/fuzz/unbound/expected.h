/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks replies by the rules of the target's policy, by the reference matcher. If XN_TRACE is set
 * in the environment, each message is printed. */
#ifndef XN_TESTS_FUZZ_UNBOUND_EXPECTED_H
#define XN_TESTS_FUZZ_UNBOUND_EXPECTED_H

#include "tests/fuzz/unbound/world.h"

/* The file of the rules. The text lives until the program ends. */
const char *expected_rules(void);

/* Fails an assertion if the message has what a rule refuses to this client. */
void expect_reply(const uint8_t *message, size_t len, struct client client);

/* Prints an event and its message, if it has one, to the trace. */
void trace(const char *what, const uint8_t *message, size_t len);

#endif
