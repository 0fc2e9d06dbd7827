/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/enable/snippet.h"

#include "module/file/folder.h"
#include "module/file/textfile.h"
#include "tools/check/moduleorder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SIZE_MAX_OURS = 1 << 16 };

/* What tells ours from others: of all versions, so the rest of the line may change. */
static const char mark[] = "# Written by unbound-idn enable";

void snippet_text(struct buffer *text, const char *order, const char *module, const char *config)
{
    buffer_format(text,
                  "%s before each start of Unbound: changes made here are lost.\n"
                  "# To keep the module out for good, empty this file. To have it back, remove\n"
                  "# this file and restart Unbound. See unbound-idn(1), enable.\n"
                  "server:\n"
                  "    module-config: \"",
                  mark);
    moduleorder_add_dynlib(order, text);
    buffer_format(text,
                  "\"\n"
                  "dynlib:\n"
                  "    dynlib-file: \"%s\"\n"
                  "    dynlib-file: \"%s\"\n",
                  module, config);
}

/* Between its quotes Unbound knows no escapes: a backslash stays, and takes along what is behind
 * it. */
bool snippet_can_hold(const char *path)
{
    return path[0] == '/' && !strpbrk(path, "\"\\\n\r");
}

/* --- what is there --- */

static const char *name_of(const struct snippet *snippet)
{
    return strrchr(snippet->path, '/') + 1;
}

/* Opened a second time: to be synchronized it must be open to be read. */
static void open_folder(struct snippet *snippet)
{
    const char *name;
    int place = xnm_folder_open(snippet->path, &name);

    snippet->folder = place < 0 ? -1 : openat(place, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int error = errno;
    if (place >= 0)
        close(place);
    if (snippet->folder >= 0)
        return;
    snippet->trouble = xnm_folder_error(error);
    if (error != ENOENT && error != ENOTDIR)
        snippet->owner = SNIPPET_HIDDEN;
}

static bool read_all(int fd, struct buffer *text)
{
    while (text->len <= SIZE_MAX_OURS) {
        ssize_t got = read(fd, buffer_reserve(text, SIZE_MAX_OURS), SIZE_MAX_OURS);

        if (got == 0)
            return true;
        if (got < 0 && errno != EINTR)
            return false;
        text->len += got > 0 ? (size_t)got : 0;
    }
    return false;
}

/* A FIFO or a device is not waited for. */
static snippet_owner owner_of(int fd, struct buffer *text)
{
    struct stat status;

    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || !read_all(fd, text))
        return SNIPPET_FOREIGN;
    if (text->len == 0)
        return SNIPPET_EMPTY;
    return text->len >= strlen(mark) && memcmp(text->data, mark, strlen(mark)) == 0
               ? SNIPPET_OURS
               : SNIPPET_FOREIGN;
}

void snippet_open(struct snippet *snippet, const char *path)
{
    *snippet = (struct snippet){.path = path, .owner = SNIPPET_NONE};
    open_folder(snippet);
    if (snippet->folder < 0)
        return;
    int fd =
        openat(snippet->folder, name_of(snippet), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0) {
        snippet->owner = owner_of(fd, &snippet->text);
        close(fd);
    } else if (errno == ELOOP || errno == ENXIO) { /* a link, a socket */
        snippet->owner = SNIPPET_FOREIGN;
    } else if (errno != ENOENT) {
        snippet->owner = SNIPPET_HIDDEN;
        snippet->trouble = strerror(errno);
    }
}

void snippet_close(struct snippet *snippet)
{
    if (snippet->folder >= 0)
        close(snippet->folder);
    buffer_free(&snippet->text);
}

bool snippet_has_changed(const struct snippet *snippet)
{
    const struct buffer *then = &snippet->text;
    struct snippet now;

    snippet_open(&now, snippet->path);
    bool changed = now.owner != snippet->owner || now.text.len != then->len ||
                   (then->len > 0 && memcmp(now.text.data, then->data, then->len) != 0);
    snippet_close(&now);
    return changed;
}

/* --- changing it --- */

/* Beside it, under a name that is no other process's, nor found by `*`. */
static bool write_beside(const struct snippet *snippet, const char *beside,
                         const struct buffer *text)
{
    unlinkat(snippet->folder, beside, 0);
    int fd =
        openat(snippet->folder, beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return false;
    bool good =
        xnm_textfile_write(fd, text->data, text->len) && fchmod(fd, 0644) == 0 && fsync(fd) == 0;
    int error = errno;
    if (close(fd) != 0 && good)
        return false;
    errno = error;
    return good;
}

const char *snippet_write(struct snippet *snippet, const struct buffer *text)
{
    char beside[NAME_MAX + 1];
    int len = snprintf(beside, sizeof beside, ".%s.%ld", name_of(snippet), (long)getpid());

    if (snippet->folder < 0)
        return snippet->trouble;
    if (len < 0 || (size_t)len >= sizeof beside)
        return strerror(ENAMETOOLONG);
    if (!write_beside(snippet, beside, text) ||
        renameat(snippet->folder, beside, snippet->folder, name_of(snippet)) != 0) {
        const char *trouble = strerror(errno);
        unlinkat(snippet->folder, beside, 0);
        return trouble;
    }
    fsync(snippet->folder); /* not every file system can */
    return NULL;
}

const char *snippet_remove(struct snippet *snippet)
{
    if (snippet->folder < 0)
        return snippet->trouble;
    if (unlinkat(snippet->folder, name_of(snippet), 0) != 0 && errno != ENOENT)
        return strerror(errno);
    fsync(snippet->folder);
    return NULL;
}
