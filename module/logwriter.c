/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/logwriter.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct xnm_logwriter {
    xnm_log_sink *host_log; /* or NULL, and then: */
    int fd;
    bool owned; /* fd is to be closed */
};

static bool fail(const struct xnm_reporter *reporter, const char *target, const char *what)
{
    xnm_report(reporter, XNM_ERROR, &(struct xnm_place){.file = target}, "cannot log to it: %s",
               what);
    return false;
}

/* O_NONBLOCK: a reader that stops reading costs lines, not answers. O_APPEND: lines of several
 * processes stay whole. */
static bool open_file(struct xnm_logwriter *writer, const char *target,
                      const struct xnm_reporter *reporter)
{
    struct stat status;

    writer->fd =
        open(target, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC,
             0640);
    if (writer->fd < 0)
        return fail(reporter, target,
                    errno == ELOOP   ? "it is a symbolic link; expected a regular file"
                    : errno == ENXIO ? "not a regular file"
                                     : strerror(errno));
    writer->owned = true;
    if (fstat(writer->fd, &status) != 0 || !S_ISREG(status.st_mode))
        return fail(reporter, target, "not a regular file");
    return true;
}

static bool open_target(struct xnm_logwriter *writer, const char *target, xnm_log_sink *host_log,
                        const struct xnm_reporter *reporter)
{
    writer->fd = -1;
    if (!target)
        writer->host_log = host_log;
    else if (strcmp(target, "/dev/stdout") == 0)
        writer->fd = STDOUT_FILENO;
    else if (strcmp(target, "/dev/stderr") == 0)
        writer->fd = STDERR_FILENO;
    else
        return open_file(writer, target, reporter);
    return true;
}

struct xnm_logwriter *xnm_logwriter_open(const char *target, xnm_log_sink *host_log,
                                         const struct xnm_reporter *reporter)
{
    struct xnm_logwriter *writer = calloc(1, sizeof *writer);

    if (!writer) {
        fail(reporter, target ? target : "unbound", "out of memory");
        return NULL;
    }
    if (!open_target(writer, target, host_log, reporter)) {
        xnm_logwriter_close(writer);
        return NULL;
    }
    return writer;
}

void xnm_logwriter_close(struct xnm_logwriter *writer)
{
    if (writer && writer->owned)
        close(writer->fd);
    free(writer);
}

bool xnm_logwriter_needs_time(const struct xnm_logwriter *writer)
{
    return !writer->host_log;
}

void xnm_logwriter_write(struct xnm_logwriter *writer, char *line, size_t len)
{
    if (writer->host_log) {
        writer->host_log(line, len);
        return;
    }
    line[len] = '\n';
    if (write(writer->fd, line, len + 1) < 0)
        return; /* a full disk must not cost an answer */
}
