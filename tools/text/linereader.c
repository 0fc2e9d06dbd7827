/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/text/linereader.h"

#include "tools/text/buffer.h"
#include "tools/text/waitio.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 512 * 1024 };

void linereader_open(struct linereader *reader, int file, size_t line_max)
{
    *reader = (struct linereader){.file = file, .cap = BLOCK + line_max, .line_max = line_max};
    reader->block = malloc(reader->cap);
    if (!reader->block)
        buffer_out_of_memory();
}

void linereader_close(struct linereader *reader)
{
    free(reader->block);
}

/* Moves the unread octets, at most line_max, to the start of the block, and reads more after them.
 * Returns false if there is no more. */
static bool fill(struct linereader *reader)
{
    if (reader->ended)
        return false;
    memmove(reader->block, reader->block + reader->at, reader->len - reader->at);
    reader->len -= reader->at;
    reader->at = 0;
    ssize_t got = waitio_read(reader->file, reader->block + reader->len, reader->cap - reader->len);
    reader->error = got < 0 ? errno : 0;
    reader->ended = got <= 0;
    if (got <= 0)
        return false;
    reader->len += (size_t)got;
    reader->octets += (uint64_t)got;
    return true;
}

/* Skips the rest of a line that is too long. */
static void skip_line(struct linereader *reader)
{
    const char *feed = NULL;

    do {
        feed = memchr(reader->block + reader->at, '\n', reader->len - reader->at);
        reader->at = feed ? (size_t)(feed + 1 - reader->block) : reader->len;
    } while (!feed && fill(reader));
}

bool linereader_next(struct linereader *reader, const char **line, size_t *len, bool *too_long)
{
    const char *feed;

    /* Reads until the line feed is in the block, or the line is certainly too long. */
    while (!(feed = memchr(reader->block + reader->at, '\n', reader->len - reader->at)) &&
           reader->len - reader->at <= reader->line_max && fill(reader))
        ;
    if (!feed && reader->at == reader->len)
        return false;
    *line = reader->block + reader->at;
    *len = feed ? (size_t)(feed - *line) : reader->len - reader->at;
    *too_long = *len > reader->line_max;
    reader->lines++;
    if (*too_long) {
        skip_line(reader);
        *len = 0;
        return true;
    }
    reader->at += *len + (feed ? 1 : 0);
    if (*len > 0 && (*line)[*len - 1] == '\r')
        --*len;
    return true;
}
