/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/tap/frames.h"

#include <fstrm.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 4, ROOM = 1 << 16 };

static const char content_type[] = "protobuf:dnstap.Dnstap";

bool tap_frames_open(struct tap_frames *frames)
{
    *frames = (struct tap_frames){.octets = malloc(ROOM), .cap = ROOM};
    return frames->octets != NULL;
}

void tap_frames_close(struct tap_frames *frames)
{
    free(frames->octets);
    frames->octets = NULL;
}

static uint32_t u32(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* --- the buffer --- */

static bool resize(struct tap_frames *frames, size_t cap)
{
    uint8_t *octets = realloc(frames->octets, cap);

    if (!octets)
        return cap < frames->cap; /* a smaller size is not needed */
    frames->octets = octets;
    frames->cap = cap;
    return true;
}

/* Returns the octets of the frame that has begun, with its length field, as far as they are
 * known. */
static size_t wanted(const struct tap_frames *frames)
{
    size_t have = frames->len - frames->at;
    const uint8_t *at = frames->octets + frames->at;

    if (have < LENGTH)
        return LENGTH;
    if (u32(at) > 0)
        return LENGTH + u32(at);
    return have < 2 * LENGTH ? 2 * LENGTH : 2 * LENGTH + u32(at + LENGTH);
}

uint8_t *tap_frames_room(struct tap_frames *frames, size_t *room)
{
    size_t have = frames->len - frames->at, cap = ROOM;

    if (frames->at > 0) /* or each octet of a large frame could cost a copy of all before it */
        memmove(frames->octets, frames->octets + frames->at, have);
    frames->at = 0;
    frames->len = have;
    if (wanted(frames) > cap) /* tap_frames_next has refused what is too long */
        cap = LENGTH + TAP_FRAME_MAX;
    if (cap != frames->cap && have <= cap && !resize(frames, cap))
        return NULL;
    *room = frames->cap - have;
    return frames->octets + have;
}

void tap_frames_add(struct tap_frames *frames, size_t len)
{
    frames->len += len;
}

bool tap_frames_wait(const struct tap_frames *frames)
{
    return frames->len > frames->at;
}

/* --- control frames --- */

static tap_frames_result fail(struct tap_frames *frames, const char *fault)
{
    frames->fault = fault;
    return TAP_FAULT;
}

static bool write_answer(struct tap_frames *frames, struct fstrm_control *control,
                         fstrm_control_type type)
{
    size_t len = sizeof frames->answer;

    fstrm_control_reset(control);
    if (fstrm_control_set_type(control, type) != fstrm_res_success ||
        (type == FSTRM_CONTROL_ACCEPT &&
         fstrm_control_add_field_content_type(control, (const uint8_t *)content_type,
                                              sizeof content_type - 1) != fstrm_res_success) ||
        fstrm_control_encode(control, frames->answer, &len, FSTRM_CONTROL_FLAG_WITH_HEADER) !=
            fstrm_res_success)
        return false;
    frames->answer_len = len;
    return true;
}

static tap_frames_result begin(struct tap_frames *frames, struct fstrm_control *control,
                               fstrm_control_type type)
{
    bool is_ready = type == FSTRM_CONTROL_READY && frames->phase == TAP_BEGINS;

    if (!is_ready && type != FSTRM_CONTROL_START)
        return fail(frames, "a control frame out of order: expected READY or START");
    if (fstrm_control_match_field_content_type(control, (const uint8_t *)content_type,
                                               sizeof content_type - 1) != fstrm_res_success)
        return fail(frames, "another content type: expected protobuf:dnstap.Dnstap");
    frames->phase = is_ready ? TAP_STARTS : TAP_FLOWS;
    if (!is_ready)
        return TAP_MORE;
    frames->is_answered = true;
    return write_answer(frames, control, FSTRM_CONTROL_ACCEPT) ? TAP_ANSWER
                                                               : fail(frames, "out of memory");
}

static tap_frames_result end(struct tap_frames *frames, struct fstrm_control *control,
                             fstrm_control_type type)
{
    if (type != FSTRM_CONTROL_STOP)
        return fail(frames, "a control frame out of order: expected STOP");
    frames->phase = TAP_ENDED;
    if (frames->is_answered && !write_answer(frames, control, FSTRM_CONTROL_FINISH))
        return fail(frames, "out of memory");
    return TAP_END;
}

/* Handles a control frame. TAP_MORE: go on with the next frame. */
static tap_frames_result heed(struct tap_frames *frames, const uint8_t *payload, size_t len)
{
    struct fstrm_control *control = fstrm_control_init();
    fstrm_control_type type;
    tap_frames_result result;

    frames->answer_len = 0;
    if (fstrm_control_decode(control, payload, len, 0) != fstrm_res_success ||
        fstrm_control_get_type(control, &type) != fstrm_res_success)
        result = fail(frames, "a control frame that cannot be read");
    else if (frames->phase == TAP_FLOWS)
        result = end(frames, control, type);
    else
        result = begin(frames, control, type);
    fstrm_control_destroy(&control);
    return result;
}

/* --- frames --- */

static const char *fault_of(const struct tap_frames *frames, uint32_t length, const uint8_t *at,
                            size_t have)
{
    if (length == 0)
        return have >= 2 * LENGTH && u32(at + LENGTH) > TAP_CONTROL_MAX
                   ? "a control frame of more than 512 octets"
                   : NULL;
    if (frames->phase != TAP_FLOWS)
        return "not a stream of frames: expected READY or START";
    return length > TAP_FRAME_MAX ? "a frame of more than 262,144 octets" : NULL;
}

tap_frames_result tap_frames_next(struct tap_frames *frames, const uint8_t **data, size_t *len)
{
    tap_frames_result result = TAP_MORE;

    if (frames->fault)
        return TAP_FAULT;
    while (result == TAP_MORE && frames->phase != TAP_ENDED) {
        const uint8_t *at = frames->octets + frames->at;
        size_t have = frames->len - frames->at;
        if (have < LENGTH)
            return TAP_MORE;
        uint32_t length = u32(at);
        const char *fault = fault_of(frames, length, at, have);
        if (fault)
            return fail(frames, fault);
        size_t whole = wanted(frames);
        if (have < whole)
            return TAP_MORE;
        frames->at += whole;
        if (length > 0) {
            *data = at + LENGTH;
            *len = length;
            return TAP_DATA;
        }
        result = heed(frames, at + 2 * LENGTH, whole - 2 * LENGTH);
    }
    return result == TAP_MORE ? TAP_END : result;
}
