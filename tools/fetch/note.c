/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/fetch/note.h"

#include "module/file/textfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NOTE_MAX = 8192 };

static const char head[] = "# Written by unbound-idn fetch.\n";

static bool add_suffix(char path[NAME_MAX + 1], const char *name, const char *suffix)
{
    return snprintf(path, NAME_MAX + 1, "%s%s", name, suffix) <= NAME_MAX;
}

/* --- reading --- */

static void copy(char *field, size_t cap, const char *value)
{
    size_t len = strlen(value);

    if (len < cap)
        memcpy(field, value, len + 1);
}

/* Reads the file's size, time and entries. Each that is no number is 0. */
static void read_file(struct note *note, const char *value)
{
    char *rest;

    note->size = strtoll(value, &rest, 10);
    note->mtime = strtoll(rest, &rest, 10);
    note->mtime_ns = strtoll(rest + (*rest == '.'), &rest, 10);
    note->entries = strtoull(rest, NULL, 10);
}

static void read_line(struct note *note, char *line)
{
    char *value = strchr(line, ' ');

    if (!value)
        return;
    *value++ = '\0';
    if (strcmp(line, "url") == 0 && !note->url)
        note->url = strdup(value);
    else if (strcmp(line, "etag") == 0)
        copy(note->version.etag, sizeof note->version.etag, value);
    else if (strcmp(line, "modified") == 0)
        copy(note->version.modified, sizeof note->version.modified, value);
    else if (strcmp(line, "file") == 0)
        read_file(note, value);
    else if (strcmp(line, "good") == 0)
        note->good = strtoll(value, NULL, 10);
    else if (strcmp(line, "bad") == 0)
        note->bad = strtoll(value, NULL, 10);
    else if (strcmp(line, "trouble") == 0)
        copy(note->trouble, sizeof note->trouble, value);
}

void note_read(int folder, const char *name, struct note *note)
{
    char path[NAME_MAX + 1], text[NOTE_MAX + 1], *rest = text, *line;

    *note = (struct note){0};
    if (!add_suffix(path, name, ".fetch"))
        return;
    int fd = openat(folder, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    ssize_t len = fd < 0 ? 0 : read(fd, text, NOTE_MAX);
    if (fd >= 0)
        close(fd);
    text[len > 0 ? len : 0] = '\0';
    if (strncmp(text, head, sizeof head - 1) != 0)
        return;
    while ((line = strsep(&rest, "\n")))
        read_line(note, line);
}

void note_free(struct note *note)
{
    free(note->url);
    note->url = NULL;
}

bool note_is_of(const struct note *note, const char *url, const struct stat *there)
{
    return note->url && strcmp(note->url, url) == 0 && there->st_size == note->size &&
           there->st_mtim.tv_sec == note->mtime && there->st_mtim.tv_nsec == note->mtime_ns;
}

void note_take(struct note *note, const struct stat *there)
{
    note->size = there->st_size;
    note->mtime = there->st_mtim.tv_sec;
    note->mtime_ns = there->st_mtim.tv_nsec;
}

/* --- writing --- */

static int write_new(int folder, const char *name, const struct buffer *text, struct stat *written)
{
    int fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);

    if (fd < 0)
        return errno;
    bool good = fchmod(fd, 0644) == 0 && xnm_textfile_write(fd, text->data, text->len) &&
                fsync(fd) == 0 && fstat(fd, written) == 0;
    int error = good ? 0 : errno;
    if (close(fd) != 0 && !error)
        error = errno;
    return error;
}

/* The name is on disk only when its folder is. Not every file system supports that. */
static void sync_folder(int folder)
{
    int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
}

int note_replace(int folder, const char *name, const struct buffer *text, struct stat *written)
{
    char beside[NAME_MAX + 1];

    if (!add_suffix(beside, name, ".fetch-new"))
        return ENAMETOOLONG;
    if (unlinkat(folder, beside, 0) != 0 && errno != ENOENT) /* of one that was killed */
        return errno;
    int error = write_new(folder, beside, text, written);
    if (!error && renameat(folder, beside, folder, name) != 0)
        error = errno;
    if (error)
        unlinkat(folder, beside, 0);
    else
        sync_folder(folder);
    return error;
}

int note_write(int folder, const char *name, const struct note *note)
{
    struct buffer text = {0};
    struct stat written;
    char path[NAME_MAX + 1];

    if (!add_suffix(path, name, ".fetch"))
        return ENAMETOOLONG;
    buffer_text(&text, head);
    if (note->url)
        buffer_format(&text, "url %s\nfile %lld %lld.%09lld %zu\n", note->url, note->size,
                      note->mtime, note->mtime_ns, note->entries);
    if (note->version.etag[0])
        buffer_format(&text, "etag %s\n", note->version.etag);
    if (note->version.modified[0])
        buffer_format(&text, "modified %s\n", note->version.modified);
    buffer_format(&text, "good %lld\nbad %lld\n", note->good, note->bad);
    if (note->trouble[0])
        buffer_format(&text, "trouble %s\n", note->trouble);
    int error = note_replace(folder, path, &text, &written);
    buffer_free(&text);
    return error;
}
