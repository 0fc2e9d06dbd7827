/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/command/progress.h"

#include "tools/text/buffer.h"
#include "tools/text/linereader.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { FIRST_AFTER = 2000, NEXT_AFTER = 500, NAME_MAX_SHOWN = 40 };

/* The line on the terminal: a process has one. */
static struct {
    bool on_terminal, shown;
    int64_t next;  /* when to write it again, in milliseconds of the monotonic clock */
    uint64_t done; /* when the clock was last read */
} progress;

static int64_t milliseconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void progress_open(void)
{
    progress.on_terminal = isatty(STDERR_FILENO) == 1;
    progress.next = milliseconds() + FIRST_AFTER;
}

/* Returns whether to write the line now. Reads the clock only if at least `step` more is done, or
 * another thing has begun. */
static bool is_due(uint64_t done, uint64_t step)
{
    if (!progress.on_terminal || (done >= progress.done && done - progress.done < step))
        return false;
    progress.done = done;
    int64_t now = milliseconds();
    if (now < progress.next)
        return false;
    progress.next = now + NEXT_AFTER;
    return true;
}

static void begin_line(struct buffer *text, const char *name)
{
    buffer_text(text, "\r\033[K");
    buffer_visible(text, name, buffer_fitting(name, strlen(name), NAME_MAX_SHOWN));
}

static void write_line(struct buffer *text)
{
    fwrite(text->data, 1, text->len, stderr);
    buffer_free(text);
    progress.shown = true;
}

static unsigned percentage(uint64_t done, uint64_t size)
{
    return done < size ? (unsigned)(done * 100 / size) : 100;
}

void progress_lines(const char *name, uint64_t before, const struct linereader *reader)
{
    struct buffer text = {0};
    struct stat about;

    if (!is_due(reader->octets, 1))
        return;
    begin_line(&text, name);
    buffer_format(&text, ": %llu lines", (unsigned long long)(before + reader->lines));
    if (fstat(reader->file, &about) == 0 && S_ISREG(about.st_mode))
        buffer_format(&text, "; %u %%", percentage(reader->octets, (uint64_t)about.st_size));
    write_line(&text);
}

void progress_share(const char *name, uint64_t done, uint64_t size)
{
    enum { STEP = 4096 };
    struct buffer text = {0};

    if (!is_due(done, STEP))
        return;
    begin_line(&text, name);
    buffer_format(&text, ": %u %%", percentage(done, size));
    write_line(&text);
}

void progress_clear(void)
{
    if (progress.shown)
        fputs("\r\033[K", stderr);
    progress.shown = false;
}
