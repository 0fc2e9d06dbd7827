/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/enable/snippet.h"

#include "module/file/folder.h"
#include "module/file/textfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SIZE_MAX_OURS = 1 << 16 };

/* A file that begins so is ours, whichever version wrote it; the rest of the line may change. */
static const char mark[] = "# Written by unbound-idn enable";

void snippet_text(struct buffer *text, const char *order, const char *module, const char *config)
{
    buffer_format(text,
                  "%s before each start of Unbound: changes made here are lost.\n"
                  "# To keep the module out for good, empty this file. To have it back, remove\n"
                  "# this file and restart Unbound. See unbound-idn(1), enable.\n"
                  "server:\n"
                  "    module-config: \"%s\"\n"
                  "dynlib:\n"
                  "    dynlib-file: \"%s\"\n"
                  "    dynlib-file: \"%s\"\n",
                  mark, order, module, config);
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

/* Reads the file by one of its two names, and tells whose it is. */
static snippet_owner look_at(const struct snippet *snippet, const char *name, struct buffer *text)
{
    int fd = openat(snippet->folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

    if (fd < 0 && errno == ENOENT)
        return SNIPPET_NONE;
    if (fd < 0)
        return errno == ELOOP || errno == ENXIO ? SNIPPET_FOREIGN : SNIPPET_HIDDEN; /* a link … */
    snippet_owner owner = owner_of(fd, text);
    close(fd);
    return owner;
}

/* Makes a name that no `include:` finds: its dot hides it from `*`, and its dot and its ending from
 * `*.conf`. */
static bool other_name(const struct snippet *snippet, const char *ending, char name[NAME_MAX + 1])
{
    int len = snprintf(name, NAME_MAX + 1, ".%s.%s", name_of(snippet), ending);

    errno = ENAMETOOLONG;
    return len >= 0 && len <= NAME_MAX;
}

static bool aside_name(const struct snippet *snippet, char name[NAME_MAX + 1])
{
    return other_name(snippet, "aside", name);
}

void snippet_open(struct snippet *snippet, const char *path)
{
    char aside[NAME_MAX + 1];

    *snippet = (struct snippet){.path = path, .owner = SNIPPET_NONE};
    open_folder(snippet);
    if (snippet->folder < 0)
        return;
    if (aside_name(snippet, aside))
        unlinkat(snippet->folder, aside, 0);
    snippet->owner = look_at(snippet, name_of(snippet), &snippet->text);
    if (snippet->owner == SNIPPET_HIDDEN)
        snippet->trouble = strerror(errno);
}

/* --- changing it --- */

static snippet_end failed(struct snippet *snippet, int error)
{
    snippet->trouble = strerror(error);
    return SNIPPET_FAILED;
}

/* Renames a file to a name that nobody has. Not every file system can look and rename at once. */
static int rename_to_none(int folder, const char *from, const char *to)
{
    if (renameat2(folder, from, folder, to, RENAME_NOREPLACE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS)
        return -1;
    if (faccessat(folder, to, F_OK, AT_SYMLINK_NOFOLLOW) != 0)
        return renameat(folder, from, folder, to);
    errno = EEXIST;
    return -1;
}

/* Puts back the file that is aside, unless another has taken its place. */
static snippet_end put_back(struct snippet *snippet)
{
    char aside[NAME_MAX + 1];
    int error = 0;

    if (!aside_name(snippet, aside) ||
        rename_to_none(snippet->folder, aside, name_of(snippet)) != 0) {
        error = errno;
        unlinkat(snippet->folder, aside, 0);
    }
    snippet->is_aside = false;
    fsync(snippet->folder); /* not every file system can */
    return error == 0 ? SNIPPET_DONE : error == EEXIST ? SNIPPET_CHANGED : failed(snippet, error);
}

void snippet_close(struct snippet *snippet)
{
    if (snippet->is_aside)
        put_back(snippet);
    if (snippet->folder >= 0)
        close(snippet->folder);
    buffer_free(&snippet->text);
}

static bool same_text(const struct buffer *one, const struct buffer *other)
{
    return one->len == other->len &&
           (one->len == 0 || memcmp(one->data, other->data, one->len) == 0);
}

snippet_end snippet_set_aside(struct snippet *snippet)
{
    char aside[NAME_MAX + 1];
    struct buffer text = {0};

    if (!aside_name(snippet, aside) ||
        renameat(snippet->folder, name_of(snippet), snippet->folder, aside) != 0)
        return errno == ENOENT ? SNIPPET_CHANGED : failed(snippet, errno);
    snippet->is_aside = true;
    bool is_same =
        look_at(snippet, aside, &text) == SNIPPET_OURS && same_text(&text, &snippet->text);
    buffer_free(&text);
    if (is_same)
        return SNIPPET_DONE;
    snippet_end end = put_back(snippet);
    return end == SNIPPET_FAILED ? end : SNIPPET_CHANGED;
}

bool snippet_is_taken(const struct snippet *snippet)
{
    return snippet->folder >= 0 &&
           faccessat(snippet->folder, name_of(snippet), F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Writes a file beside the snippet, under a name that is no other process's. */
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

/* A new text is aside at once, in the place of the old one. */
static bool write_aside(struct snippet *snippet, const struct buffer *text)
{
    char beside[NAME_MAX + 1], aside[NAME_MAX + 1], process[32];

    snprintf(process, sizeof process, "%ld", (long)getpid());
    if (!aside_name(snippet, aside) || !other_name(snippet, process, beside))
        return false;
    if (write_beside(snippet, beside, text) &&
        renameat(snippet->folder, beside, snippet->folder, aside) == 0)
        return true;
    int error = errno;
    unlinkat(snippet->folder, beside, 0);
    errno = error;
    return false;
}

snippet_end snippet_write(struct snippet *snippet, const struct buffer *text)
{
    if (snippet->folder < 0)
        return SNIPPET_FAILED;
    if (!snippet->is_aside || !same_text(text, &snippet->text)) {
        snippet->text.len = 0;
        buffer_add(&snippet->text, text->data, text->len); /* may end the command: no file yet */
        if (!write_aside(snippet, text))
            return failed(snippet, errno);
    }
    snippet->owner = SNIPPET_OURS;
    return put_back(snippet);
}

snippet_end snippet_remove(struct snippet *snippet)
{
    char aside[NAME_MAX + 1];

    if (aside_name(snippet, aside) && unlinkat(snippet->folder, aside, 0) != 0 && errno != ENOENT)
        return failed(snippet, errno);
    snippet->is_aside = false;
    fsync(snippet->folder);
    return SNIPPET_DONE;
}
