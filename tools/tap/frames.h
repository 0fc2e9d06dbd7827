/* SPDX-License-Identifier: BSD-3-Clause */
/* One stream of frames, as fstrm's manuals define them: data frames, and control frames that begin
 * and end the stream. The sender is not trusted. */
#ifndef XN_TOOLS_TAP_FRAMES_H
#define XN_TOOLS_TAP_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    /* Octets of a data frame: two DNS messages of 65,535, and what a resolver writes about itself.
     */
    TAP_FRAME_MAX = 1 << 18,
    TAP_CONTROL_MAX = 512 /* of a control frame, as libfstrm has it */
};

typedef enum {
    TAP_BEGINS, /* READY is expected, or START of a sender that waits for no answer */
    TAP_STARTS, /* READY was answered: START is expected */
    TAP_FLOWS,  /* data frames */
    TAP_ENDED   /* STOP was read; the rest is ignored */
} tap_phase;

/* All members are private except `phase`, `fault`, `answer` and `answer_len`. */
struct tap_frames {
    tap_phase phase;
    const char *fault;                       /* the error, or NULL */
    uint8_t answer[4 + 4 + TAP_CONTROL_MAX]; /* a control frame for the sender */
    size_t answer_len;
    bool is_answered; /* the sender began with READY, and waits for FINISH */
    uint8_t *octets;  /* owned */
    size_t cap, at, len;
};

/* Starts a stream. Returns false if there is no memory. */
bool tap_frames_open(struct tap_frames *frames);
void tap_frames_close(struct tap_frames *frames);

/* Returns where to read the stream's next octets to, and in *room how many: at least one if
 * tap_frames_next has returned TAP_MORE. NULL: no memory. */
uint8_t *tap_frames_room(struct tap_frames *frames, size_t *room);
void tap_frames_add(struct tap_frames *frames, size_t len);

typedef enum {
    TAP_MORE,   /* there is no whole frame: read on */
    TAP_DATA,   /* a data frame, valid until the next call of any function */
    TAP_ANSWER, /* send frames->answer, then ask again; a reader of files asks again */
    TAP_END,    /* of the stream; frames->answer_len is 0, or that is to be sent */
    TAP_FAULT   /* frames->fault; nothing follows */
} tap_frames_result;
tap_frames_result tap_frames_next(struct tap_frames *frames, const uint8_t **data, size_t *len);

/* Returns whether a frame has begun that is not whole yet. */
bool tap_frames_wait(const struct tap_frames *frames);

#endif
