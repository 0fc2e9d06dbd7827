/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of frames, as fstrm_capture writes them, and standard input. */
#include "tools/command/command.h"
#include "tools/tap/frames.h"
#include "tools/tap/tap.h"
#include "tools/text/buffer.h"
#include "tools/text/waiting.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static int fail(const char *name, const char *what, int status)
{
    command_file_error("unbound-idn tap", name, what);
    return status;
}

/* Reads all frames in the buffer. Returns TAP_MORE, TAP_END or TAP_FAULT. */
static tap_frames_result take_frames(struct tap *tap, struct tap_frames *frames, uint64_t *bad)
{
    for (;;) {
        const uint8_t *data;
        size_t len;
        tap_frames_result result = tap_frames_next(frames, &data, &len);
        if (result == TAP_DATA)
            *bad += tap_replies_take(tap->replies, tap->state, 0, data, len) == TAP_MALFORMED;
        else if (result != TAP_ANSWER)
            return result;
    }
}

/* Says what is wrong with a file that was read to its end; NULL: nothing. */
static const char *find_fault(const struct tap_frames *frames, uint64_t bad)
{
    if (frames->fault)
        return frames->fault;
    if (tap_frames_wait(frames))
        return "ends in the middle of a frame";
    if (frames->phase != TAP_FLOWS && frames->phase != TAP_ENDED)
        return "not a stream of frames: expected one of fstrm_capture";
    return bad > 0 ? "malformed frames were left out" : NULL;
}

static int read_frames(struct tap *tap, int file, const char *name)
{
    struct tap_frames frames;
    uint64_t bad = 0;
    ssize_t got = 1;

    if (!tap_frames_open(&frames))
        buffer_out_of_memory();
    while (got > 0 && frames.phase != TAP_ENDED && !frames.fault) {
        size_t room;
        uint8_t *to = tap_frames_room(&frames, &room);
        if (!to)
            buffer_out_of_memory();
        got = waiting_read(file, to, room);
        if (got > 0)
            tap_frames_add(&frames, (size_t)got);
        take_frames(tap, &frames, &bad);
        fflush(stdout); /* the next frame may be long in coming */
    }
    const char *fault = find_fault(&frames, bad);
    tap_frames_close(&frames);
    if (got < 0)
        return fail(name, strerror(errno), STATUS_USAGE);
    return fault ? fail(name, fault, STATUS_FINDING) : STATUS_FINE;
}

int tap_read_file(struct tap *tap, const char *path)
{
    if (!path)
        return read_frames(tap, STDIN_FILENO, "standard input");
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (file < 0)
        return fail(path, strerror(errno), STATUS_USAGE);
    int status = read_frames(tap, file, path);
    close(file);
    return status;
}
