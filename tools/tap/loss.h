/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the answers that the resolver has counted with those that frames have told of: senders
 * drop frames without a word. */
#ifndef XN_TOOLS_TAP_LOSS_H
#define XN_TOOLS_TAP_LOSS_H

#include "tools/tap/reply.h"

struct tap_loss;

struct tap_loss_options {
    const char *command; /* of a shell, that prints the resolver's counter */
    unsigned seconds;    /* from one look at it to the next */
    struct tap_replies *replies;
    void (*say)(void *arg, const char *line);
    void *arg;
};

enum {
    TAP_LOSS_PATIENCE_S = 10, /* for the command */
    TAP_LOSS_SETTLE_MS = 3000 /* for frames that are under way: senders collect them for a second */
};

/* Starts a thread that looks at once, and then again and again. NULL: no memory, or no thread. The
 * caller owns it; what the options point to must outlive it. */
struct tap_loss *tap_loss_open(const struct tap_loss_options *options);

/* Stops the thread. Waits for a command that is running, TAP_LOSS_PATIENCE_S at most. The counts
 * can be read until the second call, which follows. NULL is fine. */
void tap_loss_stop(struct tap_loss *loss);
void tap_loss_free(struct tap_loss *loss);

struct tap_loss_counts {
    uint64_t answers; /* that the resolver has counted since the first look */
    uint64_t missing; /* of them, in no frame: at least */
    uint64_t looks, failures;
};

/* Any thread may call it. */
struct tap_loss_counts tap_loss_counts(const struct tap_loss *loss);

#endif
