/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/check.h"

#include "module/config.h"
#include "tools/command.h"
#include "tools/file.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "Usage: unbound-idn check [OPTION]... [FILE]...\n"
    "\n"
    "Reads configuration files as the module does, and writes what it would report.\n"
    "Without FILE: the one that the module finds, $UNBOUND_IDN_CONF or\n" XNM_CONFIG_DEFAULT_PATH
    ".\n"
    "\n"
    "  --unbound-conf F  also, whether Unbound with F loads the module: order, paths,\n"
    "                    build id, configuration, what the daemon's user may do\n"
    "  --daemon FILE     the daemon that the module must fit, if it is not\n"
    "                    /usr/sbin/unbound or /usr/local/sbin/unbound\n"
    "  --user U          the daemon's user, if it is not the one in F\n"
    "  --json            one object a line for each message\n"
    "\n"
    "Exit status: 0 fine, 1 Unbound or the module would refuse, 2 usage.\n";

/* --- messages --- */

static void write_line(struct checker *checker)
{
    buffer_text(&checker->line, "\n");
    fwrite(checker->line.data, 1, checker->line.len, stdout);
    checker->line.len = 0;
}

static void write_message(struct checker *checker, const char *severity, const char *suffix,
                          const struct xnm_place *place, const char *message)
{
    struct buffer *line = &checker->line, text = {0};

    if (checker->json) {
        buffer_text(line, "{\"file\":");
        buffer_json(line, checker->unicode, place->file, strlen(place->file));
        buffer_format(line,
                      ",\"line\":%u,\"column\":%u,\"severity\":\"%s\",\"message\":", place->line,
                      place->column, severity);
        buffer_json(line, checker->unicode, message, strlen(message));
        buffer_text(line, "}");
    } else {
        size_t cap = strlen(place->file) + strlen(message) + 64;

        xnm_report_text(place, message, buffer_reserve(&text, cap), cap);
        buffer_visible(line, text.data, strlen(text.data));
        buffer_text(line, suffix);
        buffer_free(&text);
    }
    write_line(checker);
}

static void report(void *arg, xnm_severity severity, const struct xnm_place *place,
                   const char *message)
{
    struct checker *checker = arg;

    if (severity == XNM_ERROR) {
        checker->errors++;
        checker->failed = true;
        write_message(checker, "error", "", place, message);
    } else {
        checker->warnings++;
        write_message(checker, "warning", " [warning]", place, message);
    }
}

void check_note(struct checker *checker, const struct xnm_place *place, const char *format, ...)
{
    char message[1024];
    va_list args;

    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    write_message(checker, "note", " [note]", place, message);
}

static void add_count(struct buffer *line, unsigned count, const char *what)
{
    if (count == 0)
        return;
    buffer_format(line, "%s%u %s%s", line->data[line->len - 1] == ' ' ? "" : ", ", count, what,
                  count == 1 ? "" : "s");
}

void check_finish_file(struct checker *checker, const char *file)
{
    struct buffer *line = &checker->line;

    if (!checker->json) {
        buffer_visible(line, file, strlen(file));
        buffer_text(line, ": ");
        add_count(line, checker->errors, "error");
        add_count(line, checker->warnings, "warning");
        if (checker->errors + checker->warnings == 0)
            buffer_text(line, "fine");
        write_line(checker);
    }
    checker->errors = checker->warnings = 0;
}

/* --- configuration files --- */

static void report_nothing(void *arg, xnm_severity severity, const struct xnm_place *place,
                           const char *message)
{
    (void)arg, (void)severity, (void)place, (void)message;
}

static char *copy_path(const char *path)
{
    return path ? strdup(path) : NULL;
}

/* Paths in a configuration begin at its folder, and which of them do is not seen afterwards: inside
 * a chroot it is read a second time, under the name it has there. */
static struct check_written find_written(const struct buffer *text, const char *inside)
{
    const struct xnm_reporter silent = {report_nothing, NULL};
    struct xnm_config config;
    struct check_written written = {0};

    xnm_config_init(&config);
    if (xnm_config_parse(&config, inside, text->data, text->len, &silent)) {
        written.log = copy_path(config.log == XNM_LOG_NONE ? NULL : config.log_to);
        written.metrics = copy_path(config.metrics_file);
    }
    xnm_config_free(&config);
    return written;
}

void check_written_free(struct check_written *written)
{
    free(written->log);
    free(written->metrics);
}

/* The first word, its place and its length; 0 where the file has none. */
static const char *first_word(const struct buffer *text, struct xnm_place *place, size_t *len)
{
    const char *at = text->data, *end = text->data + text->len, *line;

    if (text->len >= 3 && memcmp(at, "\xEF\xBB\xBF", 3) == 0)
        at += 3;
    line = at;
    place->line = 1;
    while (at < end && strchr(" \t\r\n#", *at) && *at) {
        if (*at == '#') {
            const char *newline = memchr(at, '\n', (size_t)(end - at));
            at = newline ? newline : end;
        } else if (*at++ == '\n') {
            line = at;
            place->line++;
        }
    }
    place->column = (unsigned)(at - line) + 1;
    for (*len = 0; at + *len < end && !strchr(" \t\r\n", at[*len]);)
        ++*len;
    return at;
}

struct check_written check_config(struct checker *checker, const char *file, const char *inside,
                                  bool is_default)
{
    struct xnm_config config;
    struct buffer text = {0};
    struct xnm_place place = {.file = file};
    struct check_written written = {0};

    if (is_default && access(file, F_OK) != 0) {
        check_note(checker, &place, "does not exist, so every key has its default");
        return written;
    }
    xnm_config_init(&config);
    if (xnm_config_load(&config, file, &checker->reporter) &&
        !file_read(file, XNM_CONFIG_SIZE_MAX, &text))
        written = find_written(&text, inside);
    xnm_config_free(&config);
    buffer_free(&text);
    return written;
}

const char *check_default_config(bool *is_default)
{
    const char *from_environment = getenv("UNBOUND_IDN_CONF");

    *is_default = !from_environment || !from_environment[0];
    return *is_default ? XNM_CONFIG_DEFAULT_PATH : from_environment;
}

/* A rule file begins with an action; every other file has a key and its colon there, or nothing.
 * What cannot be read is no rule file: the module's own reader says why. */
static bool refuse_rule_file(struct checker *checker, const char *file)
{
    struct buffer text = {0};
    struct xnm_place place = {.file = file};
    size_t len = 0;
    char quoted[32];
    const char *word =
        file_read(file, XNM_CONFIG_SIZE_MAX, &text) ? NULL : first_word(&text, &place, &len);
    bool refused = len > 0 && !memchr(word, ':', len);

    if (refused)
        xnm_report(&checker->reporter, XNM_ERROR, &place,
                   "'%s' begins no configuration, and this version does not read rule files: "
                   "expected 'idn:'",
                   xnm_quote(word, len, quoted, sizeof quoted));
    buffer_free(&text);
    return refused;
}

static void check_file(struct checker *checker, const char *file, bool is_default)
{
    if (!refuse_rule_file(checker, file)) {
        struct check_written written = check_config(checker, file, file, is_default);
        check_written_free(&written);
    }
    check_finish_file(checker, file);
}

/* --- the command --- */

struct options {
    int json, help;
    const char *unbound_conf, *daemon, *user;
};

static int usage_error(const char *what)
{
    fprintf(stderr, "unbound-idn check: %s; try 'unbound-idn check --help'\n", what);
    return STATUS_USAGE;
}

/* Returns the exit status where the options end the command, else -1. */
static int read_options(struct options *options, int argc, char **argv)
{
    const struct option known[] = {
        {"unbound-conf", required_argument, NULL, 'c'}, {"daemon", required_argument, NULL, 'd'},
        {"user", required_argument, NULL, 'u'},         {"json", no_argument, &options->json, 1},
        {"help", no_argument, &options->help, 1},       {0}};
    int option;

    opterr = 0;
    while ((option = getopt_long(argc, argv, ":", known, NULL)) != -1) {
        if (option == '?')
            return usage_error("an option that it does not have");
        if (option == ':')
            return usage_error("an option without its value");
        if (option != 0)
            *(option == 'c'   ? &options->unbound_conf
              : option == 'd' ? &options->daemon
                              : &options->user) = optarg;
    }
    if (options->help) {
        fputs(help, stdout);
        return STATUS_FINE;
    }
    if ((options->daemon || options->user) && !options->unbound_conf)
        return usage_error("--daemon and --user are about a resolver: add --unbound-conf");
    return -1;
}

static void run(struct checker *checker, const struct options *options, char **files)
{
    bool is_default;
    const char *file = check_default_config(&is_default);

    for (char **given = files; *given; given++)
        check_file(checker, *given, false);
    if (options->unbound_conf)
        check_unbound(checker, options->unbound_conf, options->daemon, options->user);
    else if (!*files)
        check_file(checker, file, is_default);
}

int check_main(int argc, char **argv)
{
    struct options options = {0};
    struct checker checker = {0};
    int status = read_options(&options, argc, argv);

    if (status >= 0)
        return status;
    xn_status opened = xn_unicode_open(&checker.unicode);
    if (opened != XN_OK) {
        fprintf(stderr, "unbound-idn: %s\n", xn_status_text(opened));
        return STATUS_USAGE;
    }
    checker.reporter = (struct xnm_reporter){report, &checker};
    checker.json = options.json != 0;
    run(&checker, &options, argv + optind);
    xn_unicode_close(checker.unicode);
    buffer_free(&checker.line);
    return checker.failed ? STATUS_FINDING : STATUS_FINE;
}
