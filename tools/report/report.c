/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/report/report.h"

#include "core/idna/unicode.h"
#include "module/base/number.h"
#include "tools/command/command.h"
#include "tools/command/progress.h"
#include "tools/text/linereader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char help[] =
    "Usage: unbound-idn report [OPTION]... QUERYLOG... -o report.html\n"
    "\n"
    "Writes one HTML page about query logs: queries over time, look-alikes and who\n"
    "asked for them, what rules did, names, clients. It runs no script.\n"
    "\n"
    "  QUERYLOG       lines of unbound-module-idn(8), Unbound's own log-replies, or\n"
    "                 the query log of BIND or dnsmasq, also by syslog; '-' is\n"
    "                 standard input\n"
    "  -o FILE        write FILE: a new file, or a page of report [standard output]\n"
    "  --json         write the figures as one JSON object instead\n"
    "  --top N        show N rows of each table [8 to 20; JSON: 1000]\n"
    "  --no-clients   leave out the clients' addresses\n"
    "  --policy FILE  show what these rules would have done, not what the log says:\n"
    "                 a rule file, or a configuration that names rule files\n"
    "\n"
    "    zcat querylog.*.gz | unbound-idn report - -o report.html\n"
    "\n"
    "Times are local (TZ). Exit status: 0 if all is fine;\n"
    "2 for wrong usage, or if a file cannot be read or no query was found.\n";

enum { POLICY = 1, OUTPUT, TOP, VALUES };
enum { UNREAD_MAX = 200 };

struct options {
    int no_clients, json;
    const char *values[VALUES];
};

struct session {
    struct report report;
    const struct options *options;
    struct logs_clock clock;
    struct logs_line line;
    uint64_t lines;          /* of the logs read before */
    char unread[UNREAD_MAX]; /* the first line that is not about a reply */
    size_t unread_len;
    const char *unread_file;
    uint64_t unread_number;
};

/* --- reading --- */

static void complain(const char *name, const char *what)
{
    command_file_error("unbound-idn report", name, what);
}

static void keep_unread(struct session *session, const char *file, uint64_t number,
                        const char *line, size_t len)
{
    if (session->report.unread++ > 0)
        return;
    session->unread_len = buffer_fitting(line, len, UNREAD_MAX);
    memcpy(session->unread, line, session->unread_len);
    session->unread_file = file;
    session->unread_number = number;
}

/* Reads a log from an open file. Returns false if it could not be read to its end. */
static bool read_lines(struct session *session, const char *name, int file)
{
    struct linereader reader;
    const char *text;
    size_t len;
    bool too_long;

    linereader_open(&reader, file, LOGS_LINE_MAX);
    while (linereader_next(&reader, &text, &len, &too_long)) {
        if (len == 0 && !too_long)
            continue;
        if (!logs_line_read(&session->clock, text, len, &session->line) ||
            !report_count(&session->report, &session->line))
            keep_unread(session, name, reader.lines, text, len);
        progress_lines(name, session->lines, &reader);
    }
    int error = reader.error;
    session->lines += reader.lines;
    linereader_close(&reader);
    progress_clear();
    if (error != 0)
        complain(name, strerror(error));
    return error == 0;
}

/* Returns whether a file is compressed as logrotate does it, after a message. */
static bool is_compressed(const char *name, int file)
{
    static const struct {
        const char *magic, *what;
    } kinds[] = {
        {"\37\213", "is compressed; try 'zcat … | unbound-idn report -'"},
        {"\3757zXZ", "is compressed; try 'xzcat … | unbound-idn report -'"},
        {"(\265/\375", "is compressed; try 'zstdcat … | unbound-idn report -'"},
        {"BZh", "is compressed; try 'bzcat … | unbound-idn report -'"},
    };
    char begin[8] = {0};

    if (pread(file, begin, sizeof begin, 0) < 0)
        return false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (memcmp(begin, kinds[i].magic, strlen(kinds[i].magic)) == 0) {
            complain(name, kinds[i].what);
            return true;
        }
    return false;
}

/* If a log has no years, they follow from the time of its last change, so that an old log gives the
 * same page next year. */
static void set_clock(struct session *session, int file)
{
    struct stat about;

    session->clock = (struct logs_clock){.now = (int64_t)time(NULL)};
    if (fstat(file, &about) == 0 && S_ISREG(about.st_mode))
        session->clock.now = (int64_t)about.st_mtime;
}

static bool read_log(struct session *session, const char *name)
{
    bool is_stdin = strcmp(name, "-") == 0;
    int file = is_stdin ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);

    if (file < 0) {
        complain(name, strerror(errno));
        return false;
    }
    set_clock(session, file);
    const char *shown = is_stdin ? "standard input" : name;
    bool good = !is_compressed(shown, file) && read_lines(session, shown, file);
    if (!is_stdin)
        close(file);
    return good;
}

/* --- the command --- */

static int complain_of_nothing(const struct session *session)
{
    struct buffer text = {0};

    buffer_text(&text,
                "unbound-idn report: no query found: expected lines such as\n"
                "  2026-11-20T21:56:03.000214Z 192.0.2.7 www.example. A IN NOERROR 0.000214 1 -\n");
    if (session->report.unread > 0) {
        buffer_visible(&text, session->unread_file, strlen(session->unread_file));
        buffer_format(&text, ":%llu: not such a line:\n  ",
                      (unsigned long long)session->unread_number);
        buffer_visible(&text, session->unread, session->unread_len);
        buffer_text(&text, "\n");
    }
    fwrite(text.data, 1, text.len, stderr);
    buffer_free(&text);
    return STATUS_USAGE;
}

static bool write_all(int file, const struct buffer *text)
{
    for (size_t at = 0; at < text->len;) {
        ssize_t written = write(file, text->data + at, text->len - at);
        if (written < 0 && errno != EINTR)
            return false;
        at += written > 0 ? (size_t)written : 0;
    }
    return true;
}

/* Writes a file beside `path`, and renames it to that: a reader of the path gets the old text or
 * the new one. The file has the permissions of a new file. Returns false, with errno, if that
 * fails, and if something other than a regular file is there (EEXIST). */
static bool replace_file(const char *path, const struct buffer *text)
{
    struct buffer name = {0};
    struct stat there;

    if (lstat(path, &there) == 0 && !S_ISREG(there.st_mode)) {
        errno = EEXIST;
        return false;
    }
    buffer_format(&name, "%s.%ld.new", path, (long)getpid());
    const char *beside = buffer_string(&name);
    /* A process of this number that was killed may have left one: in a container numbers repeat. */
    bool is_free = unlink(beside) == 0 || errno == ENOENT;
    int file = is_free ? open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666) : -1;
    bool good = file >= 0 && write_all(file, text);
    int error = errno;
    if (file >= 0 && close(file) != 0 && good) {
        good = false;
        error = errno;
    }
    if (good && rename(beside, path) != 0) {
        good = false;
        error = errno;
    }
    if (file >= 0 && !good)
        unlink(beside);
    buffer_free(&name);
    errno = error;
    return good;
}

static int write_page(struct session *session)
{
    const char *path = session->options->values[OUTPUT];
    struct buffer page = {0};
    bool good = true;

    (session->options->json ? report_write_json : report_write_page)(&session->report, &page);
    if (!path)
        fwrite(page.data, 1, page.len, stdout);
    else
        good = replace_file(path, &page);
    buffer_free(&page);
    if (!good)
        complain(path, errno == EEXIST ? "is not a regular file" : strerror(errno));
    return good ? STATUS_FINE : STATUS_USAGE;
}

static int count_logs(struct session *session, const struct xn_unicode *unicode,
                      struct report_rules *rules, char **logs)
{
    const size_t top = session->report.top;
    bool good = true;

    report_open(&session->report, unicode, rules, !session->options->no_clients);
    session->report.top = top;
    for (; *logs && good; logs++)
        good = read_log(session, *logs);
    int status = !good                         ? STATUS_USAGE
                 : session->report.replies > 0 ? write_page(session)
                                               : complain_of_nothing(session);
    report_close(&session->report);
    return status;
}

static int run(struct session *session, char **logs)
{
    const char *policy = session->options->values[POLICY];
    struct report_rules *rules = NULL;
    struct xn_unicode *unicode;
    int status = STATUS_USAGE;

    if (!command_open_unicode(&unicode))
        return STATUS_USAGE;
    if (policy)
        rules = report_rules_open(unicode, policy);
    if (!policy || rules)
        status = count_logs(session, unicode, rules, logs);
    xn_unicode_close(unicode);
    return status;
}

/* Returns what is missing, or NULL. */
static const char *missing(const struct options *options, char **logs)
{
    if (!*logs)
        return "expected a query log; '-' is standard input";
    if (!options->values[OUTPUT] && !options->json && isatty(STDOUT_FILENO) == 1)
        return "standard output is a terminal, and this writes HTML: use -o, as in -o report.html";
    return NULL;
}

/* --- the file of -o --- */

static bool is_file(const struct stat *page, const char *log)
{
    struct stat about;
    bool found = strcmp(log, "-") == 0 ? fstat(STDIN_FILENO, &about) == 0 : stat(log, &about) == 0;

    return found && about.st_dev == page->st_dev && about.st_ino == page->st_ino;
}

/* Returns whether the page may replace a path: there is no file, an empty one, or a regular one
 * that begins with `beginning`. A file that cannot be read may not be replaced. Anything but a
 * regular file is left to replace_file, which refuses it. */
static bool is_replaceable(const char *path, const char *beginning)
{
    char text[1024];
    size_t wanted = strlen(beginning);
    struct stat there;

    if (lstat(path, &there) != 0 || !S_ISREG(there.st_mode) || there.st_size == 0)
        return true;
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return false;
    ssize_t len = read(file, text, sizeof text);
    close(file);
    return len >= (ssize_t)wanted && memcmp(text, beginning, wanted) == 0;
}

/* Returns why a file may not be replaced by the page, or NULL: it is one of the logs, or another
 * file, such as a log that a pattern put behind -o. */
static const char *not_ours(const char *path, char **logs, const char *beginning)
{
    struct stat page;

    for (; stat(path, &page) == 0 && *logs; logs++)
        if (is_file(&page, *logs))
            return "is one of the query logs: expected another file after -o";
    return is_replaceable(path, beginning)
               ? NULL
               : "exists and is not a page of report, so it is not replaced; -o takes one file: "
                 "expected a new file, or a page of report";
}

/* Reads the values of options. Returns the exit status if one is refused, else -1. */
static int read_values(const struct options *options, struct session *session, char **logs)
{
    const char *top = options->values[TOP];
    uint32_t rows = 0;

    if (top && (!xnm_number_read(top, strlen(top), REPORT_TOP_MAX, &rows) || rows == 0))
        return command_refuse_value("report", "--top", top, "expected a number up to 1000");
    const char *page = options->values[OUTPUT];
    const char *beginning = options->json ? report_json_beginning : report_page_beginning;
    const char *why = page ? not_ours(page, logs, beginning) : NULL;
    if (why) {
        complain(page, why);
        return STATUS_USAGE;
    }
    session->report.top = rows;
    return -1;
}

int report_main(int argc, char **argv)
{
    struct options options = {0};
    const struct option known[] = {{"no-clients", no_argument, &options.no_clients, 1},
                                   {"json", no_argument, &options.json, 1},
                                   {"policy", required_argument, NULL, POLICY},
                                   {"o", required_argument, NULL, OUTPUT},
                                   {"top", required_argument, NULL, TOP},
                                   {"help", no_argument, NULL, COMMAND_HELP},
                                   {0}};
    int status = command_read_options("report", help, known, options.values, argc, argv);

    if (status >= 0)
        return status;
    const char *wrong = missing(&options, argv + optind);
    if (wrong)
        return command_usage_error("report", wrong);
    struct session *session = buffer_zeros(1, sizeof *session);
    session->options = &options;
    status = read_values(&options, session, argv + optind);
    if (status < 0)
        status = run(session, argv + optind);
    free(session);
    return status;
}
