/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/tap/tap.h"

#include "tools/command/command.h"
#include "tools/tap/process.h"
#include "tools/text/buffer.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

static const char help[] =
    "Usage: unbound-idn tap [OPTION]... [FILE]...\n"
    "\n"
    "Writes the module's log for any resolver that reports its answers by dnstap:\n"
    "names in Unicode, and what the rules would have done. FILE is a capture of\n"
    "fstrm_capture. Without FILE, --listen and a socket from systemd, reads standard\n"
    "input. The lines go where idn.conf says, otherwise to standard output. Lines of\n"
    "captures always go to standard output.\n"
    "\n"
    "  --config FILE       the configuration\n"
    "                      [$UNBOUND_IDN_CONF or " XNM_CONFIG_DEFAULT_PATH "]\n"
    "  --listen unix:PATH  accept senders at this socket until SIGTERM\n"
    "\n"
    "SIGHUP reads idn.conf again.\n"
    "Exit status: 0 if all is fine; 1 if a capture cannot be read completely; 2 for\n"
    "wrong usage, or an error in idn.conf or a rule file.\n";

enum { CONFIG = 1, LISTEN, VALUES };
enum { SOCKETS_MAX = 16 };

struct session {
    struct tap tap;
    struct tap_socket sockets[SOCKETS_MAX];
    size_t socket_count;
    const char *values[VALUES];
};

/* --- options --- */

static int read_options(struct session *session, int argc, char **argv)
{
    static const struct option known[] = {{"config", required_argument, NULL, CONFIG},
                                          {"listen", required_argument, NULL, LISTEN},
                                          {"help", no_argument, NULL, COMMAND_HELP},
                                          {NULL, 0, NULL, 0}};
    int status = command_read_options("tap", help, known, session->values, argc, argv);

    const char *address = session->values[LISTEN];
    if (status >= 0 || !address)
        return status;
    const char *fault = tap_socket_address(address, &session->sockets[session->socket_count++]);
    return fault ? command_refuse_value("tap", "--listen", address, fault) : -1;
}

/* --- files --- */

static int read_files(struct session *session, char **files)
{
    int worst = STATUS_FINE;

    if (!*files && isatty(STDIN_FILENO))
        return command_usage_error("tap", "nothing to read: expected FILE or --listen");
    if (!tap_open(&session->tap))
        worst = STATUS_USAGE;
    else if (!*files)
        worst = tap_read_file(&session->tap, NULL);
    else
        for (; *files; files++) {
            int status = tap_read_file(&session->tap, strcmp(*files, "-") == 0 ? NULL : *files);
            worst = status > worst ? status : worst;
        }
    tap_close(&session->tap);
    return worst;
}

/* --- senders --- */

static void take(void *arg, uint64_t sender, const uint8_t *frame, size_t len)
{
    struct tap *tap = arg;

    tap_replies_take(tap->replies, tap->state, sender, frame, len);
}

static int fail(const char *what, const char *why)
{
    struct buffer line = {0};

    buffer_format(&line, "%s: %s", what, why);
    tap_say(NULL, buffer_string(&line));
    buffer_free(&line);
    return STATUS_USAGE;
}

static bool listen_at(struct session *session)
{
    for (size_t i = 0; i < session->socket_count; i++) {
        struct tap_socket *socket = &session->sockets[i];
        const char *why = socket->is_inherited ? NULL : tap_socket_listen(socket);
        if (!why)
            continue;
        fail(socket->address.local.sun_path, why);
        return false;
    }
    return true;
}

/* Opens a descriptor for signals, so that the loop has one thing to wait for. */
static int open_signals(void)
{
    sigset_t set;

    signal(SIGPIPE, SIG_IGN);
    sigemptyset(&set);
    sigaddset(&set, SIGHUP);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_BLOCK, &set, NULL);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* Listens and reads until the end. Returns the exit status. */
static int run(struct session *session, int signals)
{
    struct tap *tap = &session->tap;
    int number;

    tap_process_notify("READY=1");
    while ((number = tap_senders_run(tap->senders, signals)) == SIGHUP) {
        tap_process_notify_reload();
        tap_reopen(tap);
        tap_process_notify("READY=1");
    }
    if (number == 0)
        return fail("cannot wait for senders", strerror(errno));
    tap_process_notify("STOPPING=1");
    tap_senders_drain(tap->senders);
    return STATUS_FINE;
}

static int serve(struct session *session)
{
    struct tap *tap = &session->tap;
    const struct tap_senders_options options = {.sockets = session->sockets,
                                                .socket_count = session->socket_count,
                                                .take = take,
                                                .say = tap_say,
                                                .arg = tap};
    int signals = open_signals(), status = STATUS_USAGE;

    tap->senders = signals >= 0 ? tap_senders_open(&options) : NULL;
    if (!tap->senders)
        status = fail("cannot wait for senders", strerror(errno));
    else if (tap_open(tap))
        status = run(session, signals);
    struct tap_senders *senders = tap->senders;
    tap_close(tap); /* its last metrics count the senders */
    tap_senders_close(senders);
    if (signals >= 0)
        close(signals);
    return status;
}

static int listen_and_serve(struct session *session)
{
    int status = STATUS_USAGE;

    if (listen_at(session))
        status = serve(session);
    for (size_t i = 0; i < session->socket_count; i++)
        tap_socket_close(&session->sockets[i]);
    return status;
}

int tap_main(int argc, char **argv)
{
    struct session session = {.tap.listens = false};
    int status = read_options(&session, argc, argv);

    if (status >= 0)
        return status;
    size_t named = session.socket_count;
    session.socket_count += tap_socket_inherited(session.sockets + named, SOCKETS_MAX - named);
    session.tap.config =
        session.values[CONFIG] ? session.values[CONFIG] : getenv("UNBOUND_IDN_CONF");
    session.tap.listens = session.socket_count > 0;
    if (!session.tap.listens)
        return read_files(&session, argv + optind);
    if (optind < argc)
        return command_usage_error("tap", "FILE and --listen cannot be combined");
    return listen_and_serve(&session);
}
