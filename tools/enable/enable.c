/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs before each start of Unbound: whatever it meets, Unbound must be able to start behind it. */
#include "module/config/config.h"
#include "tools/command/command.h"
#include "tools/enable/fit.h"
#include "tools/enable/snippet.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DAEMON_PATH "/usr/sbin/unbound"
#define UNBOUND_CONF_PATH "/etc/unbound/unbound.conf"
#define MODULE_PATH "/usr/lib/unbound/idn.so"
#define SNIPPET_PATH "/etc/unbound/unbound.conf.d/zz-unbound-idn.conf"

static const char help[] =
    "Usage: unbound-idn enable [OPTION]...\n"
    "\n"
    "Has Unbound load the module if it would start with it: writes a file of its\n"
    "configuration, or removes it, and says in one line on standard error which and\n"
    "why. Made to run as root before each start of Unbound.\n"
    "\n"
    "  --if-fits            it is no finding if Unbound would not start with the\n"
    "                       module: it starts without\n"
    "  --required           rather no start: the file is written in any case\n"
    "  --daemon FILE        the daemon [" DAEMON_PATH "]\n"
    "  --unbound-conf FILE  its configuration [" UNBOUND_CONF_PATH "]\n"
    "  --module FILE        the module [" MODULE_PATH "]\n"
    "  --conf FILE          the module's configuration [" XNM_CONFIG_DEFAULT_PATH "]\n"
    "  --snippet FILE       what is written\n"
    "                       [" SNIPPET_PATH "]\n"
    "\n"
    "An empty file in the snippet's place keeps the module out for good.\n"
    "\n"
    "Exit status: 0 Unbound starts with the module, or as it can with --if-fits;\n"
    "1 it does not, or the file cannot be written; 2 usage.\n";

enum { DAEMON = 1, UNBOUND_CONF, MODULE, CONF, SNIPPET, VALUES };
enum { LOOKS_MAX = 2 /* each as long as FIT_SECONDS, and a start has some time for both */ };

struct options {
    int if_fits, required;
    const char *values[VALUES];
};

/* --- what is said --- */

/* Of what a daemon of systemd's writes, a number in front says how grave it is. */
static bool is_journal(void)
{
    const char *stream = getenv("JOURNAL_STREAM");
    struct stat status;
    char own[64];

    if (!stream || fstat(STDERR_FILENO, &status) != 0)
        return false;
    snprintf(own, sizeof own, "%ju:%ju", (uintmax_t)status.st_dev, (uintmax_t)status.st_ino);
    return strcmp(own, stream) == 0;
}

typedef enum { AS_WANTED, OTHERWISE } outcome;

/* The line that every run ends with. */
static void say(outcome result, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(outcome result, const char *format, ...)
{
    struct buffer line = {0};
    char *text = NULL;
    va_list args;

    va_start(args, format);
    if (vasprintf(&text, format, args) < 0)
        buffer_out_of_memory();
    va_end(args);
    if (result == OTHERWISE && is_journal())
        buffer_text(&line, "<3>");
    buffer_text(&line, "unbound-idn enable: ");
    buffer_visible(&line, text, strlen(text));
    buffer_text(&line, "\n");
    fwrite(line.data, 1, line.len, stderr);
    buffer_free(&line);
    free(text);
}

/* --- what is done --- */

struct session {
    const struct options *options;
    struct fit_question question;
    struct snippet snippet;
    struct fit fit;
};

static int fail(const struct session *session, const char *verb, const char *trouble)
{
    say(OTHERWISE, "cannot %s %s: %s", verb, session->snippet.path, trouble);
    return STATUS_FINDING;
}

static bool is_written_already(const struct session *session)
{
    const struct buffer *there = &session->snippet.text, *wanted = &session->fit.text;

    return session->snippet.owner == SNIPPET_OURS && there->len == wanted->len &&
           memcmp(there->data, wanted->data, there->len) == 0;
}

/* *done: how the line goes on. */
static const char *put_in_place(struct session *session, const char **done)
{
    *done = session->snippet.owner == SNIPPET_OURS ? "left as it is" : "is not there";
    if (session->fit.text.len == 0 || is_written_already(session))
        return NULL;
    *done = "written";
    return snippet_write(&session->snippet, &session->fit.text);
}

static const char *take_away(struct session *session, const char **done)
{
    *done = "is not there";
    if (session->snippet.owner != SNIPPET_OURS)
        return NULL;
    *done = "removed";
    return snippet_remove(&session->snippet);
}

static int with_module(struct session *session)
{
    const char *done, *trouble = put_in_place(session, &done);

    if (trouble)
        return fail(session, "write", trouble);
    say(AS_WANTED, "%s fits %s: %s %s", session->question.module, session->question.daemon,
        session->snippet.path, done);
    return STATUS_FINE;
}

static int without_module(struct session *session)
{
    const char *done, *trouble = take_away(session, &done);

    if (trouble)
        return fail(session, "remove", trouble);
    say(OTHERWISE, "the module is left out: %.*s; %s %s", (int)session->fit.reason.len,
        session->fit.reason.data, session->snippet.path, done);
    return session->options->if_fits ? STATUS_FINE : STATUS_FINDING;
}

static int rather_not(struct session *session)
{
    const char *done, *trouble = put_in_place(session, &done);

    if (trouble)
        return fail(session, "write", trouble);
    say(OTHERWISE, "Unbound would not start with the module, which is required: %.*s; %s %s",
        (int)session->fit.reason.len, session->fit.reason.data, session->snippet.path, done);
    return STATUS_FINDING;
}

/* Whoever wrote that loads the module, or none, as they like. */
static int loaded_already(struct session *session)
{
    const struct fit *fit = &session->fit;
    const char *done, *trouble = take_away(session, &done);
    bool bad = session->options->required && !fit->good;

    if (trouble)
        return fail(session, "remove", trouble);
    say(bad ? OTHERWISE : AS_WANTED, "%.*s says which modules are loaded: %s %s%s%.*s",
        (int)fit->text.len, fit->text.data, session->snippet.path, done,
        bad ? "; the module is required, but " : "", bad ? (int)fit->reason.len : 0,
        fit->reason.data);
    return bad ? STATUS_FINDING : STATUS_FINE;
}

/* It stays, with what the administrator wants to say by it. */
static int left_alone(struct session *session)
{
    bool is_empty = session->snippet.owner == SNIPPET_EMPTY;
    bool bad = session->options->required && !session->fit.good;

    say(bad ? OTHERWISE : AS_WANTED, "%s %s%s%.*s", session->snippet.path,
        is_empty ? "is empty: the module is kept out"
                 : "was not written by unbound-idn: left alone",
        bad ? "; the module is required, but " : "", bad ? (int)session->fit.reason.len : 0,
        session->fit.reason.data);
    return bad ? STATUS_FINDING : STATUS_FINE;
}

static int act(struct session *session)
{
    if (session->question.is_foreign)
        return left_alone(session);
    switch (session->fit.verdict) {
    case FIT_GOOD:
        return with_module(session);
    case FIT_LOADED:
        return loaded_already(session);
    default:
        return session->options->required ? rather_not(session) : without_module(session);
    }
}

static void forget(struct session *session)
{
    snippet_close(&session->snippet);
    fit_free(&session->fit);
}

/* To find out takes a while, in which an administrator may empty the snippet. */
static int run(struct session *session)
{
    const struct snippet *snippet = &session->snippet;

    for (int look = 1; look <= LOOKS_MAX; look++) {
        forget(session);
        snippet_open(&session->snippet, session->question.snippet);
        if (snippet->owner == SNIPPET_HIDDEN)
            return fail(session, "look at", snippet->trouble);
        session->question.is_foreign =
            snippet->owner == SNIPPET_EMPTY || snippet->owner == SNIPPET_FOREIGN;
        fit_find(&session->question, &session->fit);
        if (!snippet_has_changed(snippet))
            return act(session);
    }
    return fail(session, "look at", "somebody is writing to it: try again");
}

/* --- the command --- */

static const char *value_of(const struct options *options, int which, const char *usual)
{
    return options->values[which] ? options->values[which] : usual;
}

static struct fit_question question_of(const struct options *options)
{
    return (struct fit_question){
        .daemon = value_of(options, DAEMON, DAEMON_PATH),
        .module = value_of(options, MODULE, MODULE_PATH),
        .config = value_of(options, CONF, XNM_CONFIG_DEFAULT_PATH),
        .unbound_conf = value_of(options, UNBOUND_CONF, UNBOUND_CONF_PATH),
        .snippet = value_of(options, SNIPPET, SNIPPET_PATH),
    };
}

/* What does not go together, or cannot be written down; NULL: nothing. */
static const char *usage_fault(const struct options *options, const struct fit_question *question)
{
    if (options->if_fits && options->required)
        return "--if-fits and --required are opposites: expected one of them";
    if (!snippet_can_hold(question->module) || !snippet_can_hold(question->config))
        return "--module and --conf: expected paths that begin with a '/', without quotes, "
               "backslashes and line ends";
    if (question->snippet[0] != '/' || question->snippet[strlen(question->snippet) - 1] == '/')
        return "--snippet: expected the path of a file that begins with a '/'";
    return NULL;
}

/* Returns the exit status where the options end the command, else -1. */
static int read_options(struct options *options, struct fit_question *question, int argc,
                        char **argv)
{
    const struct option known[] = {{"if-fits", no_argument, &options->if_fits, 1},
                                   {"required", no_argument, &options->required, 1},
                                   {"daemon", required_argument, NULL, DAEMON},
                                   {"unbound-conf", required_argument, NULL, UNBOUND_CONF},
                                   {"module", required_argument, NULL, MODULE},
                                   {"conf", required_argument, NULL, CONF},
                                   {"snippet", required_argument, NULL, SNIPPET},
                                   {"help", no_argument, NULL, COMMAND_HELP},
                                   {0}};
    int status = command_read_options("enable", help, known, options->values, argc, argv);

    if (status >= 0)
        return status;
    if (optind < argc)
        return command_usage_error("enable", "no argument is expected");
    *question = question_of(options);
    const char *fault = usage_fault(options, question);
    return fault ? command_usage_error("enable", fault) : -1;
}

int enable_main(int argc, char **argv)
{
    struct options options = {0};
    struct session session = {.options = &options, .snippet = {.folder = -1}};
    int status = read_options(&options, &session.question, argc, argv);

    if (status >= 0)
        return status;
    status = run(&session);
    forget(&session);
    return status;
}
