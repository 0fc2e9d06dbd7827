/* SPDX-License-Identifier: BSD-3-Clause */
/* `filter`: its options, its input and its output. */
#include "core/idna/unicode.h"
#include "tools/command/command.h"
#include "tools/filter/labelscan.h"
#include "tools/text/buffer.h"
#include "tools/text/waitio.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static const char help[] =
    "Usage: unbound-idn filter [FILE]...\n"
    "\n"
    "Copies any text, such as logs, JSON, zone files, CSV, URLs or mail, and shows\n"
    "A-labels in Unicode where that is safe. Everything else stays as it is, octet\n"
    "for octet, and so do A-labels that are invalid or could mislead; use\n"
    "'unbound-idn explain' to see why. Without FILE, or for '-', reads standard\n"
    "input. A pipe is copied line by line.\n"
    "\n"
    "  tail -f /var/log/unbound.log | unbound-idn filter\n"
    "\n"
    "Exit status: 0 if all is fine; 2 for wrong usage, or if a file cannot be read or\n"
    "the output cannot be written.\n";

enum {
    READ_MAX = 256 * 1024,                                  /* more was not faster */
    WINDOW = LABELSCAN_BEFORE + LABELSCAN_AFTER + READ_MAX, /* octets kept and octets read */
    OUTPUT = 64 * 1024,
    PARTS = 128
};

struct filter {
    struct labelscan scan;
    struct stat output; /* of standard output */
    bool output_failed;
    size_t from, len;          /* of window: octets decided, octets read */
    struct iovec parts[PARTS]; /* output not yet written: in `window`, or copied to `copied` */
    size_t parts_len, copied_len;
    struct labelscan_seen seen[LABELSCAN_SEEN];
    uint8_t window[WINDOW];
    uint8_t copied[OUTPUT];
};

/* --- writing --- */

static void flush(struct filter *filter)
{
    struct iovec *part = filter->parts, *end = part + filter->parts_len;

    while (part < end && !filter->output_failed) {
        ssize_t written = writev(STDOUT_FILENO, part, (int)(end - part));

        if (written < 0 && !waitio_may_go_on(STDOUT_FILENO, POLLOUT)) {
            perror("unbound-idn: standard output");
            filter->output_failed = true;
        }
        for (; part < end && written >= (ssize_t)part->iov_len; part++)
            written -= (ssize_t)part->iov_len;
        if (written > 0) {
            part->iov_base = (uint8_t *)part->iov_base + written;
            part->iov_len -= (size_t)written;
        }
    }
    filter->parts_len = filter->copied_len = 0;
}

static void add_part(struct filter *filter, const uint8_t *octets, size_t len)
{
    struct iovec *end = filter->parts + filter->parts_len;

    if (end > filter->parts && (uint8_t *)end[-1].iov_base + end[-1].iov_len == octets) {
        end[-1].iov_len += len;
        return;
    }
    *end = (struct iovec){(void *)octets, len};
    filter->parts_len++;
}

/* Long pieces are written from the window: to copy them is what takes most time in text with few
 * A-labels. */
static void add(void *to, const uint8_t *octets, size_t len)
{
    struct filter *filter = to;
    bool is_short = len <= LABELSCAN_SHOWN_MAX;

    if (filter->parts_len == PARTS || (is_short && len > OUTPUT - filter->copied_len))
        flush(filter);
    if (is_short) {
        octets = memcpy(filter->copied + filter->copied_len, octets, len);
        filter->copied_len += len;
    }
    add_part(filter, octets, len);
}

/* --- reading --- */

/* Scans the window. Keeps the last octets of the decided part, which later decisions need. */
static void scan(struct filter *filter, bool last)
{
    filter->from = labelscan_read(&filter->scan, filter->window, filter->from, filter->len, last);
    flush(filter);
    if (filter->from <= LABELSCAN_BEFORE)
        return;
    size_t gone = filter->from - LABELSCAN_BEFORE;
    memmove(filter->window, filter->window + gone, filter->len - gone);
    filter->from -= gone;
    filter->len -= gone;
}

/* Returns whether the input is the file that we write to, in which case it would never end. */
static bool is_output(const struct filter *filter, int descriptor)
{
    struct stat input;

    return S_ISREG(filter->output.st_mode) && fstat(descriptor, &input) == 0 &&
           input.st_dev == filter->output.st_dev && input.st_ino == filter->output.st_ino &&
           lseek(descriptor, 0, SEEK_CUR) < input.st_size;
}

static bool complain(const char *name, const char *what)
{
    command_file_error("unbound-idn", name, what);
    return false;
}

static bool read_descriptor(struct filter *filter, int descriptor, const char *name)
{
    if (is_output(filter, descriptor))
        return complain(name, "is also standard output");
    while (!filter->output_failed) {
        ssize_t got = waitio_read(descriptor, filter->window + filter->len, WINDOW - filter->len);

        if (got == 0)
            break;
        if (got < 0)
            return complain(name, strerror(errno));
        filter->len += (size_t)got;
        scan(filter, false);
    }
    return true;
}

static bool read_file(struct filter *filter, const char *name)
{
    if (strcmp(name, "-") == 0)
        return read_descriptor(filter, STDIN_FILENO, "standard input");
    int descriptor = open(name, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return complain(name, strerror(errno));
    bool good = read_descriptor(filter, descriptor, name);
    close(descriptor);
    return good;
}

/* --- the command --- */

/* All files are one text: a label may begin in one and end in the next. */
static int run(struct filter *filter, char *const *names)
{
    static const char *const standard_input[] = {"-", NULL};
    int status = STATUS_FINE;

    if (fstat(STDOUT_FILENO, &filter->output) != 0)
        filter->output.st_mode = 0;
    for (const char *const *name = *names ? (const char *const *)names : standard_input; *name;
         name++)
        if (!read_file(filter, *name))
            status = STATUS_USAGE;
    scan(filter, true);
    return filter->output_failed ? STATUS_USAGE : status;
}

int filter_main(int argc, char **argv)
{
    const struct option known[] = {{"help", no_argument, NULL, COMMAND_HELP}, {0}};
    struct xn_unicode *unicode;
    int status = command_read_options("filter", help, known, NULL, argc, argv);

    if (status >= 0)
        return status;
    if (!command_open_unicode(&unicode))
        return STATUS_USAGE;
    struct filter *filter = buffer_zeros(1, sizeof *filter);
    filter->scan =
        (struct labelscan){.unicode = unicode, .seen = filter->seen, .write = add, .to = filter};
    status = run(filter, argv + optind);
    free(filter);
    xn_unicode_close(unicode);
    return status;
}
