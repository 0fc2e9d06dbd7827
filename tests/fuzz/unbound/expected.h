/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks replies and cached messages by the rules of the target's policy, by the
 * reference matcher. If XN_TRACE is set in the environment, each message is printed. */
#ifndef XN_TESTS_FUZZ_UNBOUND_EXPECTED_H
#define XN_TESTS_FUZZ_UNBOUND_EXPECTED_H

#include "tests/fuzz/unbound/world.h"

/* The file of the rules. The text lives until the program ends. */
const char *expected_rules(void);

/* Each fails an assertion if the message has what a rule refuses: to this client, or to anybody. */
void expect_reply(const uint8_t *message, size_t len, struct client client);
void expect_cached(const uint8_t *message, size_t len);

/* Prints what happens, and the message, if there is one, for whoever reads a trace. */
void trace(const char *what, const uint8_t *message, size_t len);

#endif
