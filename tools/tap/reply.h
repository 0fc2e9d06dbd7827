/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles a frame as the module handles a reply: decides it by the rules, counts it and logs it. */
#ifndef XN_TOOLS_TAP_REPLY_H
#define XN_TOOLS_TAP_REPLY_H

#include "module/run/state.h"

#include <stdatomic.h>
#include <stdio.h>

/* The result for one frame. */
typedef enum {
    TAP_REPLY,     /* a reply to a client: logged, if idn.conf wants a line */
    TAP_QUERY,     /* a client's query: its time is kept */
    TAP_OTHER,     /* not a client's, or of another opcode, such as NOTIFY */
    TAP_MALFORMED, /* not dnstap, or a reply without a readable question */
    TAP_KINDS
} tap_kind;

struct tap_replies;

/* Makes the memory for replies. NULL: no memory. The caller owns it. */
struct tap_replies *tap_replies_new(void);
void tap_replies_free(struct tap_replies *replies); /* NULL is fine */

/* Handles a frame. `sender` is the number of its sender. */
tap_kind tap_replies_take(struct tap_replies *replies, struct xnm_state *state, uint64_t sender,
                          const uint8_t *frame, size_t len);

/* Returns the number of frames of a kind so far. Any thread may call it. */
uint64_t tap_replies_count(const struct tap_replies *replies, tap_kind kind);

#endif
