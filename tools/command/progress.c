/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/command/progress.h"

#include "tools/text/buffer.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { FIRST_AFTER = 2000, NEXT_AFTER = 500 };

static int64_t milliseconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void progress_open(struct progress *progress)
{
    *progress = (struct progress){.on_terminal = isatty(STDERR_FILENO) == 1,
                                  .next = milliseconds() + FIRST_AFTER};
}

/* Adds the share that has been read, such as "; 42 %", for a regular file. */
static void add_share(struct buffer *text, const struct linereader *reader)
{
    struct stat about;

    if (fstat(reader->file, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0)
        buffer_format(text, "; %llu %%",
                      (unsigned long long)(reader->octets * 100 / (uint64_t)about.st_size));
}

static void write_line(const char *name, uint64_t lines, const struct linereader *reader)
{
    enum { NAME_MAX_SHOWN = 40 };
    struct buffer text = {0};

    buffer_text(&text, "\r\033[K");
    buffer_visible(&text, name, buffer_fitting(name, strlen(name), NAME_MAX_SHOWN));
    buffer_format(&text, ": %llu lines", (unsigned long long)lines);
    add_share(&text, reader);
    fwrite(text.data, 1, text.len, stderr);
    buffer_free(&text);
}

void progress_show(struct progress *progress, const char *name, const struct linereader *reader)
{
    if (!progress->on_terminal || progress->octets == reader->octets)
        return;
    progress->octets = reader->octets;
    int64_t now = milliseconds();
    if (now < progress->next)
        return;
    progress->next = now + NEXT_AFTER;
    progress->shown = true;
    write_line(name, progress->lines + reader->lines, reader);
}

void progress_clear(struct progress *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}
