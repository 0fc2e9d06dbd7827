/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs before each start of Unbound: whatever it meets, Unbound must be able to start after it. */
#include "module/config/config.h"
#include "tools/command/command.h"
#include "tools/enable/snippet.h"
#include "tools/enable/startcheck.h"

#include <signal.h>
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
    "Makes Unbound load the module at its next start, if Unbound would start with it:\n"
    "writes a file of Unbound's configuration, or else removes it, and says which and\n"
    "why in one line on standard error. Run it as root before each start of Unbound.\n"
    "\n"
    "  --if-fits            exit with 0 too if Unbound starts without the module\n"
    "  --required           write the file in any case: Unbound would rather not\n"
    "                       start than run without the module\n"
    "  --daemon FILE        Unbound's program [" DAEMON_PATH "]\n"
    "  --unbound-conf FILE  its configuration [" UNBOUND_CONF_PATH "]\n"
    "  --module FILE        the module [" MODULE_PATH "]\n"
    "  --conf FILE          the module's configuration [" XNM_CONFIG_DEFAULT_PATH "]\n"
    "  --snippet FILE       the file to write\n"
    "                       [" SNIPPET_PATH "]\n"
    "\n"
    "If the file to write exists and is empty, the module is kept out for good.\n"
    "\n"
    "Exit status: 0 if Unbound starts with the module (with --if-fits, also if it\n"
    "starts without); 1 if it does not, or the file cannot be written; 2 for wrong\n"
    "usage.\n";

enum { DAEMON = 1, UNBOUND_CONF, MODULE, CONF, SNIPPET, VALUES };
enum { LOOKS_MAX = 2 /* each as long as START_SECONDS, and a start has some time for both */ };

struct options {
    int if_fits, required;
    const char *values[VALUES];
};

/* --- what is said --- */

/* Does standard error go to systemd's journal? There, `<N>` before a line gives its severity. */
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

/* Writes the line with which every run ends. */
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
    struct start_question question;
    struct snippet snippet;
    bool was_there;      /* one of ours was */
    bool is_unconfirmed; /* it is in its place, and nobody knows yet whether it is good */
    pid_t process;
    struct startcheck result;
};

enum { AGAIN = -1 }; /* no exit status: somebody else has written to the snippet */

static int fail(const struct session *session, const char *verb, const char *trouble)
{
    say(OTHERWISE, "cannot %s %s: %s", verb, session->snippet.path, trouble);
    return STATUS_FINDING;
}

/* Returns what to do after a change that did not succeed. */
static int stopped(const struct session *session, snippet_end end, const char *verb)
{
    return end == SNIPPET_CHANGED ? AGAIN : fail(session, verb, session->snippet.trouble);
}

/* Makes the text to write. If the order of modules could not be found out, it is the text that was
 * there, or else has the order that every Unbound knows. */
static void wanted_text(const struct session *session, struct buffer *text)
{
    const struct start_question *question = &session->question;
    const struct buffer *order = &session->result.order, *there = &session->snippet.text;

    if (order->len == 0 && session->was_there)
        buffer_add(text, there->data, there->len);
    else
        snippet_text(text, order->len > 0 ? order->data : "dynlib validator iterator",
                     question->module, question->config);
}

/* Puts the snippet in place. *done says how the line of the result goes on. */
static snippet_end put_in_place(struct session *session, const char **done)
{
    struct snippet *snippet = &session->snippet;
    struct buffer text = {0};

    wanted_text(session, &text);
    bool is_same = session->was_there && text.len == snippet->text.len &&
                   memcmp(text.data, snippet->text.data, text.len) == 0;
    *done = is_same ? "left as it is" : "written";
    snippet_end end = snippet_write(snippet, &text);
    buffer_free(&text);
    return end;
}

static snippet_end take_away(struct session *session, const char **done)
{
    *done = session->was_there ? "removed" : "is not there";
    if (snippet_is_taken(&session->snippet))
        return SNIPPET_CHANGED;
    return session->snippet.is_aside ? snippet_remove(&session->snippet) : SNIPPET_DONE;
}

static int without_module(struct session *session)
{
    const char *done;
    snippet_end end = take_away(session, &done);

    if (end != SNIPPET_DONE)
        return stopped(session, end, "remove");
    say(OTHERWISE, "the module is left out: %.*s; %s %s", (int)session->result.reason.len,
        session->result.reason.data, session->snippet.path, done);
    return session->options->if_fits ? STATUS_FINE : STATUS_FINDING;
}

static int rather_not(struct session *session, const char *done)
{
    say(OTHERWISE, "Unbound would not start with the module, which is required: %.*s; %s %s",
        (int)session->result.reason.len, session->result.reason.data, session->snippet.path, done);
    return STATUS_FINDING;
}

/* Checks, now that the file is in its place, whether the configuration reads it. */
static int confirm(struct session *session, const char *done)
{
    session->is_unconfirmed = !session->options->required;
    startcheck_confirm(&session->question, &session->result);
    session->is_unconfirmed = false;
    if (session->result.verdict == START_GOOD) {
        say(AS_WANTED, "%s fits %s: %s %s", session->question.module, session->question.daemon,
            session->snippet.path, done);
        return STATUS_FINE;
    }
    if (session->options->required)
        return rather_not(session, done);
    snippet_end end = snippet_set_aside(&session->snippet);
    return end == SNIPPET_DONE ? without_module(session) : stopped(session, end, "remove");
}

/* Whoever would end this does so when the snippet is known to be good, or is gone. */
static int with_module(struct session *session)
{
    const char *done;
    sigset_t ending, before;

    sigemptyset(&ending);
    sigaddset(&ending, SIGTERM);
    sigaddset(&ending, SIGINT);
    sigaddset(&ending, SIGHUP);
    sigprocmask(SIG_BLOCK, &ending, &before);
    snippet_end end = put_in_place(session, &done);
    int status = end != SNIPPET_DONE                     ? stopped(session, end, "write")
                 : session->result.verdict == START_GOOD ? confirm(session, done)
                                                         : rather_not(session, done);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return status;
}

/* Whoever wrote that loads the module, or none, as they like. */
static int loaded_already(struct session *session)
{
    const struct startcheck *result = &session->result;
    const char *done;
    snippet_end end = take_away(session, &done);
    bool bad = session->options->required && !result->good;

    if (end != SNIPPET_DONE)
        return stopped(session, end, "remove");
    say(bad ? OTHERWISE : AS_WANTED, "%s says which modules are loaded: %s %s%s%.*s",
        session->question.unbound_conf, session->snippet.path, done,
        bad ? "; the module is required, but " : "", bad ? (int)result->reason.len : 0,
        result->reason.data);
    return bad ? STATUS_FINDING : STATUS_FINE;
}

/* Leaves a file that the administrator wrote, and says what it means. */
static int left_alone(struct session *session)
{
    bool is_empty = session->snippet.owner == SNIPPET_EMPTY;
    bool bad = session->options->required && !session->result.good;

    say(bad ? OTHERWISE : AS_WANTED, "%s %s%s%.*s", session->snippet.path,
        is_empty ? "is empty: the module is kept out"
                 : "was not written by unbound-idn: left alone",
        bad ? "; the module is required, but " : "", bad ? (int)session->result.reason.len : 0,
        session->result.reason.data);
    return bad ? STATUS_FINDING : STATUS_FINE;
}

static int act(struct session *session)
{
    if (session->question.is_foreign)
        return left_alone(session);
    if (session->result.verdict == START_LOADED)
        return loaded_already(session);
    if (session->result.verdict == START_GOOD || session->options->required)
        return with_module(session);
    return without_module(session);
}

static void forget(struct session *session)
{
    snippet_close(&session->snippet);
    startcheck_free(&session->result);
}

/* One look, and what follows from it. The configuration is looked at without the snippet. */
static int look(struct session *session)
{
    struct snippet *snippet = &session->snippet;

    forget(session);
    session->result = (struct startcheck){0};
    snippet_open(snippet, session->question.snippet);
    if (snippet->owner == SNIPPET_HIDDEN)
        return fail(session, "look at", snippet->trouble);
    session->was_there = snippet->owner == SNIPPET_OURS;
    session->question.is_foreign =
        snippet->owner == SNIPPET_EMPTY || snippet->owner == SNIPPET_FOREIGN;
    snippet_end end = session->was_there ? snippet_set_aside(snippet) : SNIPPET_DONE;
    if (end != SNIPPET_DONE)
        return stopped(session, end, "set aside");
    if (!session->question.is_foreign || session->options->required)
        startcheck_find(&session->question, &session->result);
    return act(session);
}

/* Looks again if the snippet has changed meanwhile: a look takes a while, in which an administrator
 * may empty it. */
static int run(struct session *session)
{
    for (int count = 1; count <= LOOKS_MAX; count++) {
        int status = look(session);

        if (status != AGAIN)
            return status;
    }
    return fail(session, "look at", "somebody is writing to it: try again");
}

/* --- the command --- */

static const char *value_of(const struct options *options, int which, const char *usual)
{
    return options->values[which] ? options->values[which] : usual;
}

static struct start_question question_of(const struct options *options)
{
    return (struct start_question){
        .daemon = value_of(options, DAEMON, DAEMON_PATH),
        .module = value_of(options, MODULE, MODULE_PATH),
        .config = value_of(options, CONF, XNM_CONFIG_DEFAULT_PATH),
        .unbound_conf = value_of(options, UNBOUND_CONF, UNBOUND_CONF_PATH),
        .snippet = value_of(options, SNIPPET, SNIPPET_PATH),
    };
}

/* Returns which options do not go together, or cannot be written to the file; NULL: none. */
static const char *usage_fault(const struct options *options, const struct start_question *question)
{
    if (options->if_fits && options->required)
        return "--if-fits and --required do not go together";
    if (!snippet_can_hold(question->module) || !snippet_can_hold(question->config))
        return "--module and --conf: expected paths that begin with a '/', without quotes, "
               "backslashes and line ends";
    if (question->snippet[0] != '/' || question->snippet[strlen(question->snippet) - 1] == '/')
        return "--snippet: expected the path of a file that begins with a '/'";
    return NULL;
}

/* Returns the exit status where the options end the command, else -1. */
static int read_options(struct options *options, struct start_question *question, int argc,
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
        return command_usage_error("enable", "expected no arguments");
    *question = question_of(options);
    const char *fault = usage_fault(options, question);
    return fault ? command_usage_error("enable", fault) : -1;
}

static struct session session = {.snippet = {.folder = -1}};

/* Without memory the command ends wherever it is. */
static void clean_up(void)
{
    if (session.process != getpid())
        return;
    if (session.is_unconfirmed && snippet_set_aside(&session.snippet) == SNIPPET_DONE)
        snippet_remove(&session.snippet);
    forget(&session);
}

int enable_main(int argc, char **argv)
{
    static struct options options;
    int status = read_options(&options, &session.question, argc, argv);

    if (status >= 0)
        return status;
    session.options = &options;
    session.process = getpid();
    atexit(clean_up);
    return run(&session);
}
