/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/tap/tap.h"

#include "tools/command/command.h"
#include "tools/tap/frames.h"
#include "tools/text/buffer.h"
#include "tools/text/waitio.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
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

/* --- messages --- */

/* Calls fwrite once, because several threads write messages. */
void tap_say(const char *line)
{
    struct buffer text = {0};

    buffer_text(&text, "unbound-idn tap: ");
    buffer_visible(&text, line, strlen(line));
    buffer_text(&text, "\n");
    fwrite(text.data, 1, text.len, stderr);
    buffer_free(&text);
}

static void diagnose(void *arg, xnm_severity severity, const struct xnm_place *place,
                     const char *message)
{
    char text[2048], line[2048 + 16];

    (void)arg;
    xnm_diagnostics_text(place, message, text, sizeof text);
    snprintf(line, sizeof line, "%s: %s", severity == XNM_ERROR ? "error" : "warning", text);
    tap_say(line);
}

static void notice(void *arg, const char *line, size_t len)
{
    char copy[2048];

    (void)arg;
    snprintf(copy, sizeof copy, "%.*s", (int)(len < sizeof copy ? len : sizeof copy - 1), line);
    tap_say(copy);
}

/* Writes a line of a capture. Waits for the reader of standard output, so that no line is lost. */
static void write_line(void *arg, const char *line, size_t len)
{
    (void)arg;
    fwrite(line, 1, len, stdout);
    putchar('\n');
}

/* --- metrics --- */

static void put_metrics(void *arg, FILE *text)
{
    static const char *const kinds[TAP_KINDS] = {"reply", "query", "other", "malformed"};
    const struct tap *tap = arg;
    const struct tap_senders *senders = tap->senders;
    struct tap_senders_counts counts = {0};

    if (senders)
        counts = tap_senders_counts(senders);
    fputs("# HELP unbound_idn_tap_frames_total Frames of senders, by kind.\n"
          "# TYPE unbound_idn_tap_frames_total counter\n",
          text);
    for (tap_kind kind = TAP_REPLY; kind < TAP_KINDS; kind++)
        fprintf(text, "unbound_idn_tap_frames_total{kind=\"%s\"} %" PRIu64 "\n", kinds[kind],
                tap_replies_count(tap->replies, kind));
    fprintf(text,
            "# HELP unbound_idn_tap_senders Senders that are connected.\n"
            "# TYPE unbound_idn_tap_senders gauge\n"
            "unbound_idn_tap_senders %" PRIu64 "\n"
            "# HELP unbound_idn_tap_senders_total Senders that connected, and those that were "
            "dropped.\n"
            "# TYPE unbound_idn_tap_senders_total counter\n"
            "unbound_idn_tap_senders_total{result=\"accepted\"} %" PRIu64 "\n"
            "unbound_idn_tap_senders_total{result=\"dropped\"} %" PRIu64 "\n",
            counts.connected, counts.accepted, counts.dropped);
}

/* --- opening --- */

/* Octets of lines that wait for a busy disk: at 100,000 a second, some 1.4 seconds of text. */
enum { LOG_RING = 16 << 20 };

static struct xnm_state *open_state(struct tap *tap)
{
    return xnm_state_open(&(struct xnm_state_options){
        .engine = tap->engine,
        .config_path = tap->config ? tap->config : XNM_CONFIG_DEFAULT_PATH,
        .config_may_be_missing = !tap->config,
        .host_log = {write_line, NULL, .adds_no_time = true},
        .notices = {notice, NULL},
        .diagnostics = &tap->diagnostics,
        .threads = tap->listens,
        .behind = true,
        .observes = true,
        .must_read = true,
        .to_host = !tap->listens,
        .log_to = tap->listens ? "/dev/stdout" : NULL,
        .log_ring = LOG_RING,
        .more = {put_metrics, tap},
    });
}

/* Opens the configuration, and starts its threads if *tap listens. Returns false after an error,
 * which is on standard error. */
static bool open_tap(struct tap *tap)
{
    tap->diagnostics = (struct xnm_diagnostics){diagnose, NULL};
    tap->engine = xnm_engine_new();
    tap->replies = tap_replies_new();
    if (!tap->engine || !tap->replies)
        buffer_out_of_memory();
    tap->state = open_state(tap);
    return tap->state != NULL;
}

/* Reads the configuration again. The one in force stays if the new one is bad, or if memory is
 * short. Changed rules are read by a thread. */
static void reopen(struct tap *tap)
{
    xnm_state_close(tap->state);
    tap->state = open_state(tap);
}

static void close_tap(struct tap *tap)
{
    xnm_state_close(tap->state);
    xnm_engine_free(tap->engine);
    tap_replies_free(tap->replies);
}

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

static int fail(const char *what, const char *why, int status)
{
    command_file_error("unbound-idn tap", what, why);
    return status;
}

/* Reads all frames in the buffer. Returns TAP_MORE, TAP_END or TAP_FAULT. */
static tap_frames_result take_frames(struct tap *tap, struct tap_frames *frames, uint64_t *bad)
{
    for (;;) {
        const uint8_t *data;
        size_t len;
        tap_frames_result result = tap_frames_next(frames, &data, &len);
        if (result == TAP_DATA)
            *bad += tap_replies_take(tap->replies, tap->state, 0, data, len) == TAP_MALFORMED;
        else if (result != TAP_ANSWER)
            return result;
    }
}

/* Returns what is wrong with a file that was read to its end, or NULL. */
static const char *find_fault(const struct tap_frames *frames, uint64_t bad)
{
    if (frames->fault)
        return frames->fault;
    if (tap_frames_wait(frames))
        return "ends in the middle of a frame";
    if (frames->phase != TAP_FLOWS && frames->phase != TAP_ENDED)
        return "not a stream of frames: expected one of fstrm_capture";
    return bad > 0 ? "malformed frames were left out" : NULL;
}

static int read_frames(struct tap *tap, int file, const char *name)
{
    struct tap_frames frames;
    uint64_t bad = 0;
    ssize_t got = 1;

    if (!tap_frames_open(&frames))
        buffer_out_of_memory();
    while (got > 0 && frames.phase != TAP_ENDED && !frames.fault) {
        size_t room;
        uint8_t *to = tap_frames_room(&frames, &room);
        if (!to)
            buffer_out_of_memory();
        got = waitio_read(file, to, room);
        if (got > 0)
            tap_frames_add(&frames, (size_t)got);
        take_frames(tap, &frames, &bad);
        fflush(stdout); /* the next frame may come much later */
    }
    const char *fault = find_fault(&frames, bad);
    tap_frames_close(&frames);
    if (got < 0)
        return fail(name, strerror(errno), STATUS_USAGE);
    return fault ? fail(name, fault, STATUS_FINDING) : STATUS_FINE;
}

/* Reads a file of frames as fstrm_capture writes it, or standard input (NULL). Returns the exit
 * status. */
static int read_file(struct tap *tap, const char *path)
{
    if (!path)
        return read_frames(tap, STDIN_FILENO, "standard input");
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (file < 0)
        return fail(path, strerror(errno), STATUS_USAGE);
    int status = read_frames(tap, file, path);
    close(file);
    return status;
}

static int read_files(struct session *session, char **files)
{
    int worst = STATUS_FINE;

    if (!*files && isatty(STDIN_FILENO))
        return command_usage_error("tap", "nothing to read: expected FILE or --listen");
    if (!open_tap(&session->tap))
        worst = STATUS_USAGE;
    else if (!*files)
        worst = read_file(&session->tap, NULL);
    else
        for (; *files; files++) {
            int status = read_file(&session->tap, strcmp(*files, "-") == 0 ? NULL : *files);
            worst = status > worst ? status : worst;
        }
    close_tap(&session->tap);
    return worst;
}

/* --- senders --- */

static bool listen_at(struct session *session)
{
    for (size_t i = 0; i < session->socket_count; i++) {
        struct tap_socket *socket = &session->sockets[i];
        const char *why = socket->is_inherited ? NULL : tap_socket_listen(socket);
        if (!why)
            continue;
        fail(socket->address.local.sun_path, why, STATUS_USAGE);
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

/* Sends a state such as "READY=1" to systemd, if that has asked for it (sd_notify(3), which has
 * this protocol for programs without libsystemd). */
static void notify(const char *state)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const char *path = getenv("NOTIFY_SOCKET");
    size_t len = path ? strlen(path) : 0;

    if (len < 2 || len >= sizeof address.sun_path)
        return;
    memcpy(address.sun_path, path, len);
    if (path[0] == '@')
        address.sun_path[0] = '\0'; /* an abstract name */
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return;
    sendto(fd, state, strlen(state), MSG_NOSIGNAL, (struct sockaddr *)&address,
           (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len));
    close(fd);
}

/* Reports to systemd that idn.conf is read again, with the time, as Type=notify-reload needs it. */
static void notify_reload(void)
{
    struct timespec now;
    char state[64];

    clock_gettime(CLOCK_MONOTONIC, &now);
    snprintf(state, sizeof state, "RELOADING=1\nMONOTONIC_USEC=%lld",
             (long long)now.tv_sec * 1000000 + now.tv_nsec / 1000);
    notify(state);
}

/* Listens and reads until the end. Returns the exit status. */
static int run(struct session *session, int signals)
{
    struct tap *tap = &session->tap;
    int number;

    notify("READY=1");
    while ((number = tap_senders_run(tap->senders, signals)) == SIGHUP) {
        notify_reload();
        reopen(tap);
        notify("READY=1");
    }
    if (number == 0)
        return fail("cannot wait for senders", strerror(errno), STATUS_USAGE);
    notify("STOPPING=1");
    tap_senders_drain(tap->senders);
    return STATUS_FINE;
}

static int serve(struct session *session)
{
    struct tap *tap = &session->tap;
    int signals = open_signals(), status = STATUS_USAGE;

    if (signals >= 0)
        tap->senders = tap_senders_open(tap, session->sockets, session->socket_count);
    if (!tap->senders)
        status = fail("cannot wait for senders", strerror(errno), STATUS_USAGE);
    else if (open_tap(tap))
        status = run(session, signals);
    struct tap_senders *senders = tap->senders;
    close_tap(tap); /* its last metrics count the senders */
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
    const char *from_environment = getenv("UNBOUND_IDN_CONF");
    int status = read_options(&session, argc, argv);

    if (status >= 0)
        return status;
    size_t named = session.socket_count;
    session.socket_count += tap_socket_inherited(session.sockets + named, SOCKETS_MAX - named);
    session.tap.config = session.values[CONFIG];
    if (!session.tap.config && from_environment && from_environment[0])
        session.tap.config = from_environment;
    session.tap.listens = session.socket_count > 0;
    if (!session.tap.listens)
        return read_files(&session, argv + optind);
    if (optind < argc)
        return command_usage_error("tap", "FILE and --listen cannot be combined");
    return listen_and_serve(&session);
}
