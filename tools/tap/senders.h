/* SPDX-License-Identifier: BSD-3-Clause */
/* Serves the connected senders: one loop reads their frames, and waits for nothing else. */
#ifndef XN_TOOLS_TAP_SENDERS_H
#define XN_TOOLS_TAP_SENDERS_H

#include "tools/tap/socket.h"

#include <stdatomic.h>
#include <stdint.h>

struct tap;
struct tap_senders;

/* Opens the loop for `tap`, whose state may be opened later, and for listening sockets; both are
 * borrowed. Returns NULL, with errno, if that fails. The caller owns it. */
struct tap_senders *tap_senders_open(struct tap *tap, const struct tap_socket *sockets,
                                     size_t socket_count);
void tap_senders_close(struct tap_senders *senders); /* NULL is fine */

/* Reads frames until one of the blocked signals is pending at `signals`, a signalfd. Returns the
 * signal's number; 0, with errno, if that fails. */
int tap_senders_run(struct tap_senders *senders, int signals);

/* Reads what senders have sent already, for a second at most, and accepts no further sender. */
void tap_senders_drain(struct tap_senders *senders);

/* Returns the numbers of senders that are connected, that ever were, and that were dropped because
 * of their data. Any thread may call it. */
struct tap_senders_counts {
    uint64_t connected, accepted, dropped;
};
struct tap_senders_counts tap_senders_counts(const struct tap_senders *senders);

#endif
