/* SPDX-License-Identifier: BSD-3-Clause */
/* Serves the connected senders: one loop reads their frames, and never waits for anything else. */
#ifndef XN_TOOLS_TAP_SENDERS_H
#define XN_TOOLS_TAP_SENDERS_H

#include "tools/tap/socket.h"

#include <stdatomic.h>
#include <stdint.h>

enum {
    TAP_SENDERS_MAX = 256, /* connected at once; more wait in the kernel until one leaves */
    TAP_PATIENCE_S = 30,   /* for a frame that has begun, and for START */
    TAP_DRAIN_MS = 1000,   /* at the end, for what has been sent */
    TAP_LINES_MAX = 10     /* messages about senders a minute; more are counted */
};

struct tap_senders;

struct tap_senders_options {
    const struct tap_socket *sockets; /* listening; borrowed */
    size_t socket_count;
    /* Takes a frame of a sender. Each sender has a number of its own. */
    void (*take)(void *arg, uint64_t sender, const uint8_t *frame, size_t len);
    /* Takes a line about a sender, without its end. */
    void (*say)(void *arg, const char *line);
    void *arg;
};

/* Opens the loop. NULL: it failed, and errno says why. The caller owns it. */
struct tap_senders *tap_senders_open(const struct tap_senders_options *options);
void tap_senders_close(struct tap_senders *senders); /* NULL is fine */

/* Reads frames until one of the blocked signals is pending at `signals`, a signalfd. Returns the
 * signal's number; 0: it failed, and errno says why. */
int tap_senders_run(struct tap_senders *senders, int signals);

/* Reads what senders have sent already, for a second at most, and accepts no further sender. */
void tap_senders_drain(struct tap_senders *senders);

/* Return the numbers of senders that are connected, that ever were, and that were dropped because
 * of their data. Any thread may call them. */
struct tap_senders_counts {
    uint64_t connected, accepted, dropped;
};
struct tap_senders_counts tap_senders_counts(const struct tap_senders *senders);

#endif
