/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/report/report.h"

#include "core/idna/unicode.h"
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
    "Usage: unbound-idn report [OPTION]... QUERYLOG... > report.html\n"
    "\n"
    "Writes one HTML page about the replies in query logs: how many there were over\n"
    "time, names that look like others, what the rules did, the most frequent IDNs in\n"
    "Unicode, their scripts, invalid names and why, and the clients. The page needs\n"
    "no network and runs no script.\n"
    "\n"
    "  QUERYLOG      a file with lines of unbound-module-idn(8), Unbound's own\n"
    "                log-replies, or the query log of BIND, dnsmasq, dnsdist, Knot\n"
    "                Resolver or PowerDNS Recursor, also as syslog or journalctl\n"
    "                print them; '-' is standard input. Other lines are only counted\n"
    "  --no-clients  leave out the clients' addresses\n"
    "  --policy FILE say what these rules would do, not what the log says of others:\n"
    "                a rule file, or a configuration that names rule files\n"
    "\n"
    "    zcat querylog.*.gz | unbound-idn report - > report.html\n"
    "    journalctl -u unbound -o short-iso | unbound-idn report - > report.html\n"
    "\n"
    "Times without a time zone are read as local time; the page shows UTC.\n"
    "Exit status: 0 if all is fine; 2 for wrong usage, or if a file cannot be read or\n"
    "no reply was found.\n";

struct session {
    struct report report;
    struct report_clock clock;
    struct report_line line;
    struct progress progress;
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

    linereader_open(&reader, file, REPORT_LINE_MAX);
    while (linereader_next(&reader, &text, &len, &too_long)) {
        if (len == 0 && !too_long)
            continue;
        if (!report_line_read(&session->clock, text, len, &session->line) ||
            !report_count(&session->report, &session->line))
            keep_unread(session, name, reader.lines, text, len);
        progress_show(&session->progress, name, &reader);
    }
    int error = reader.error;
    session->progress.lines += reader.lines;
    linereader_close(&reader);
    progress_clear(&session->progress);
    if (error != 0)
        complain(name, strerror(error));
    return error == 0;
}

/* Returns the program that decompresses a file, or NULL if logrotate makes no such file. */
static const char *unpacker_of(int file)
{
    static const struct {
        const char *magic, *program;
    } kinds[] = {
        {"\37\213", "zcat"}, {"\3757zXZ", "xzcat"}, {"(\265/\375", "zstdcat"}, {"BZh", "bzcat"}};
    char begin[8] = {0};

    if (pread(file, begin, sizeof begin, 0) < 0)
        return NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (memcmp(begin, kinds[i].magic, strlen(kinds[i].magic)) == 0)
            return kinds[i].program;
    return NULL;
}

static bool complain_of_packed(const char *name, const char *unpacker)
{
    char what[96];

    snprintf(what, sizeof what, "is compressed; try '%s … | unbound-idn report -'", unpacker);
    complain(name, what);
    return false;
}

/* If a log has no years, the time of its last change tells them, so that an old log gives the same
 * page next year. */
static void set_clock(struct session *session, int file)
{
    struct stat about;

    session->clock = (struct report_clock){.now = (int64_t)time(NULL)};
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
    const char *unpacker = unpacker_of(file), *shown = is_stdin ? "standard input" : name;
    bool good = unpacker ? complain_of_packed(shown, unpacker) : read_lines(session, shown, file);
    if (!is_stdin)
        close(file);
    return good;
}

/* --- the command --- */

static int complain_of_nothing(const struct session *session)
{
    struct buffer text = {0};

    buffer_text(&text,
                "unbound-idn report: no reply found: expected lines such as\n"
                "  2026-11-20T21:56:03.000214Z 192.0.2.7 www.example. A IN NOERROR 0.000214 1 -\n");
    if (session->report.unread > 0) {
        buffer_visible(&text, session->unread_file, strlen(session->unread_file));
        buffer_format(&text, ":%llu: not one of them:\n  ",
                      (unsigned long long)session->unread_number);
        buffer_visible(&text, session->unread, session->unread_len);
        buffer_text(&text, "\n");
    }
    fwrite(text.data, 1, text.len, stderr);
    buffer_free(&text);
    return STATUS_USAGE;
}

static int write_page(const struct session *session)
{
    struct buffer page = {0};

    if (session->report.replies == 0)
        return complain_of_nothing(session);
    report_write_page(&session->report, &page);
    fwrite(page.data, 1, page.len, stdout);
    buffer_free(&page);
    return STATUS_FINE;
}

static int count_logs(struct session *session, const struct xn_unicode *unicode,
                      struct report_rules *rules, char **logs, bool with_clients)
{
    bool good = true;

    report_open(&session->report, unicode, rules, with_clients);
    progress_open(&session->progress);
    for (; *logs && good; logs++)
        good = read_log(session, *logs);
    int status = good ? write_page(session) : STATUS_USAGE;
    report_close(&session->report);
    return status;
}

static int run(struct session *session, const char *policy, char **logs, bool with_clients)
{
    struct report_rules *rules = NULL;
    struct xn_unicode *unicode;
    int status = STATUS_USAGE;

    if (!command_open_unicode(&unicode))
        return STATUS_USAGE;
    if (policy)
        rules = report_rules_open(unicode, policy);
    if (!policy || rules)
        status = count_logs(session, unicode, rules, logs, with_clients);
    xn_unicode_close(unicode);
    return status;
}

int report_main(int argc, char **argv)
{
    enum { POLICY = 1, VALUES };
    const char *values[VALUES] = {NULL};
    int no_clients = 0;
    const struct option known[] = {{"no-clients", no_argument, &no_clients, 1},
                                   {"policy", required_argument, NULL, POLICY},
                                   {"help", no_argument, NULL, COMMAND_HELP},
                                   {0}};
    int status = command_read_options("report", help, known, values, argc, argv);

    if (status >= 0)
        return status;
    if (optind == argc)
        return command_usage_error("report", "no query log given; '-' is standard input");
    struct session *session = buffer_zeros(1, sizeof *session);
    status = run(session, values[POLICY], argv + optind, !no_clients);
    free(session);
    return status;
}
