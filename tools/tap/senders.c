/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/tap/senders.h"

#include "tools/tap/frames.h"
#include "tools/tap/tap.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

enum {
    SENDERS_MAX = 256, /* connected at once; more wait in the kernel until one leaves */
    PATIENCE_S = 30,   /* for a frame that has begun, and for START */
    DRAIN_MS = 1000,   /* at the end, for what has been sent */
    LINES_MAX = 10     /* messages about senders a minute; more are counted */
};

enum { SECOND_MS = 1000, MINUTE_MS = 60000, PEER_MAX = 64, EVENTS = 64 };

struct sender {
    int fd;              /* -1: free */
    uint64_t number;     /* of senders that were accepted before */
    int64_t deadline_ms; /* for the frame that has begun; 0: none has */
    char peer[PEER_MAX];
    struct tap_frames frames;
};

struct tap_senders {
    struct tap *tap;
    const struct tap_socket *sockets;
    size_t socket_count;
    int epoll;
    bool is_full; /* no sender is accepted */
    struct sender senders[SENDERS_MAX];
    _Atomic uint64_t connected, accepted, dropped;
    struct { /* lines in this minute */
        int64_t ends_ms;
        unsigned said, unsaid;
    } lines;
};

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void add(_Atomic uint64_t *to, uint64_t number)
{
    atomic_fetch_add_explicit(to, number, memory_order_relaxed);
}

struct tap_senders_counts tap_senders_counts(const struct tap_senders *senders)
{
    return (struct tap_senders_counts){atomic_load(&senders->connected),
                                       atomic_load(&senders->accepted),
                                       atomic_load(&senders->dropped)};
}

/* --- messages --- */

static void report_unsaid(struct tap_senders *senders)
{
    char line[128];

    if (senders->lines.unsaid == 0)
        return;
    snprintf(line, sizeof line, "%u more messages about senders", senders->lines.unsaid);
    tap_say(line);
    senders->lines.unsaid = 0;
}

/* Reports on a sender, with at most LINES_MAX lines a minute, whatever senders do. */
static void say(struct tap_senders *senders, const char *line)
{
    if (senders->lines.said == LINES_MAX) {
        senders->lines.unsaid++;
        return;
    }
    senders->lines.said++;
    tap_say(line);
}

/* --- joining and leaving --- */

static bool watch(const struct tap_senders *senders, int operation, int fd, uint64_t which)
{
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = which};

    return epoll_ctl(senders->epoll, operation, fd, &event) == 0;
}

/* Watches the listening sockets. Their numbers follow the senders', and the signals' follow
 * theirs. */
static void watch_sockets(struct tap_senders *senders, int operation)
{
    for (size_t i = 0; i < senders->socket_count; i++)
        watch(senders, operation, senders->sockets[i].fd, SENDERS_MAX + i);
    senders->is_full = operation == EPOLL_CTL_DEL;
}

static void leave(struct tap_senders *senders, struct sender *sender)
{
    close(sender->fd); /* epoll forgets it */
    sender->fd = -1;
    tap_frames_close(&sender->frames);
    atomic_fetch_sub(&senders->connected, 1);
    if (senders->is_full)
        watch_sockets(senders, EPOLL_CTL_ADD);
}

static void drop(struct tap_senders *senders, struct sender *sender, const char *why)
{
    char line[PEER_MAX + 128];

    snprintf(line, sizeof line, "sender %s: dropped: %s", sender->peer, why);
    say(senders, line);
    add(&senders->dropped, 1);
    leave(senders, sender);
}

static struct sender *find_free(struct tap_senders *senders)
{
    for (size_t i = 0; i < SENDERS_MAX; i++)
        if (senders->senders[i].fd < 0)
            return &senders->senders[i];
    return NULL;
}

/* Writes who is connected: "pid 4711, uid 0" or "192.0.2.1:53124". */
static void describe(int connection, char peer[PEER_MAX])
{
    struct sockaddr_storage address = {0};
    socklen_t len = sizeof address;
    char host[INET6_ADDRSTRLEN + 16], port[8];
    struct ucred owner;
    socklen_t owner_len = sizeof owner;

    snprintf(peer, PEER_MAX, "sender");
    if (getpeername(connection, (struct sockaddr *)&address, &len) != 0)
        return;
    if (address.ss_family == AF_UNIX) {
        if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &owner, &owner_len) == 0)
            snprintf(peer, PEER_MAX, "pid %ld, uid %ld", (long)owner.pid, (long)owner.uid);
    } else if (getnameinfo((struct sockaddr *)&address, len, host, sizeof host, port, sizeof port,
                           NI_NUMERICHOST | NI_NUMERICSERV) == 0) {
        snprintf(peer, PEER_MAX, strchr(host, ':') ? "[%s]:%s" : "%s:%s", host, port);
    }
}

static bool join(struct tap_senders *senders, struct sender *sender, int fd)
{
    const int yes = 1;

    if (!tap_frames_open(&sender->frames))
        return false;
    if (!watch(senders, EPOLL_CTL_ADD, fd, (uint64_t)(sender - senders->senders))) {
        tap_frames_close(&sender->frames);
        return false;
    }
    sender->fd = fd;
    sender->number = atomic_load(&senders->accepted);
    sender->deadline_ms = now_ms() + PATIENCE_S * SECOND_MS;
    /* the kernel asks, after hours of silence, whether the sender's machine is still there */
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
    describe(fd, sender->peer);
    add(&senders->accepted, 1);
    add(&senders->connected, 1);
    return true;
}

/* Stops accepting until a sender leaves, or for at most a second. */
static void stop_accepting(struct tap_senders *senders, const char *why)
{
    char line[128];

    watch_sockets(senders, EPOLL_CTL_DEL);
    snprintf(line, sizeof line, "%llu senders are connected, and others wait: %s",
             (unsigned long long)atomic_load(&senders->connected), why);
    say(senders, line);
}

/* Accepts one sender at a time, so that those that are connected are read in between. */
static void accept_one(struct tap_senders *senders, int listening)
{
    struct sender *sender = find_free(senders);

    if (!sender) {
        stop_accepting(senders, "there is no room for more");
        return;
    }
    int fd = accept4(listening, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd >= 0 && join(senders, sender, fd))
        return;
    if (fd >= 0)
        close(fd);
    else if (errno == EAGAIN || errno == EINTR || errno == ECONNABORTED)
        return;
    stop_accepting(senders, fd >= 0 ? "out of memory" : strerror(errno));
}

/* --- reading --- */

static bool send_answer(const struct sender *sender)
{
    const struct tap_frames *frames = &sender->frames;

    return send(sender->fd, frames->answer, frames->answer_len, MSG_DONTWAIT | MSG_NOSIGNAL) ==
           (ssize_t)frames->answer_len;
}

/* Reads from a sender. Returns whether it is still there. *any: there was a whole frame. */
static bool take_frames(struct tap_senders *senders, struct sender *sender, bool *any)
{
    for (;;) {
        const uint8_t *data;
        size_t len;
        switch (tap_frames_next(&sender->frames, &data, &len)) {
        case TAP_MORE:
            return true;
        case TAP_DATA:
            tap_replies_take(senders->tap->replies, senders->tap->state, sender->number, data, len);
            break;
        case TAP_ANSWER:
            if (send_answer(sender))
                break;
            drop(senders, sender, "it does not read the answer");
            return false;
        case TAP_END:
            if (sender->frames.answer_len > 0)
                send_answer(sender); /* it may be gone already */
            leave(senders, sender);
            return false;
        case TAP_FAULT:
            drop(senders, sender, sender->frames.fault);
            return false;
        }
        *any = true;
    }
}

static void set_deadline(struct sender *sender, bool any)
{
    if (sender->frames.phase == TAP_FLOWS && !tap_frames_wait(&sender->frames))
        sender->deadline_ms = 0;
    else if (any || sender->deadline_ms == 0)
        sender->deadline_ms = now_ms() + PATIENCE_S * SECOND_MS;
}

static void receive(struct tap_senders *senders, struct sender *sender)
{
    size_t room;
    uint8_t *to = tap_frames_room(&sender->frames, &room);
    ssize_t got = to ? read(sender->fd, to, room) : 0;
    bool any = false;

    if (!to) {
        drop(senders, sender, "out of memory");
        return;
    }
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (got <= 0) {
        if (tap_frames_wait(&sender->frames))
            drop(senders, sender, "it disconnected in the middle of a frame");
        else
            leave(senders, sender);
        return;
    }
    tap_frames_add(&sender->frames, (size_t)got);
    if (take_frames(senders, sender, &any))
        set_deadline(sender, any);
}

/* Runs once a second. */
static void check_deadlines(struct tap_senders *senders, int64_t now)
{
    for (size_t i = 0; i < SENDERS_MAX; i++) {
        struct sender *sender = &senders->senders[i];
        if (sender->fd >= 0 && sender->deadline_ms > 0 && now >= sender->deadline_ms)
            drop(senders, sender, "30 seconds have passed since its frame began");
    }
    if (senders->is_full && find_free(senders))
        watch_sockets(senders, EPOLL_CTL_ADD);
    if (now < senders->lines.ends_ms)
        return;
    report_unsaid(senders);
    senders->lines.said = 0;
    senders->lines.ends_ms = now + MINUTE_MS;
}

/* --- the loop --- */

static int take_signal(int signals)
{
    struct signalfd_siginfo info;

    return read(signals, &info, sizeof info) == sizeof info ? (int)info.ssi_signo : 0;
}

/* Another process has shut it down, which epoll would report for ever. */
static void give_up(struct tap_senders *senders, int listening)
{
    watch(senders, EPOLL_CTL_DEL, listening, 0);
    say(senders,
        "a listening socket was shut down: no sender can connect to it; restart unbound-idn tap");
}

static int heed(struct tap_senders *senders, const struct epoll_event *event, int signals)
{
    uint64_t which = event->data.u64, socket = which - SENDERS_MAX;

    if (which < SENDERS_MAX) {
        if (senders->senders[which].fd >= 0)
            receive(senders, &senders->senders[which]);
        return 0;
    }
    if (socket == senders->socket_count)
        return take_signal(signals);
    if (event->events & (EPOLLHUP | EPOLLERR))
        give_up(senders, senders->sockets[socket].fd);
    else if (!senders->is_full)
        accept_one(senders, senders->sockets[socket].fd);
    return 0;
}

int tap_senders_run(struct tap_senders *senders, int signals)
{
    struct epoll_event events[EVENTS];
    int64_t next_check = 0;
    int number = 0;

    watch(senders, EPOLL_CTL_ADD, signals, SENDERS_MAX + senders->socket_count);
    while (number == 0) {
        int count = epoll_wait(senders->epoll, events, EVENTS, SECOND_MS);
        if (count < 0 && errno != EINTR)
            return 0;
        for (int i = 0; i < count && number == 0; i++)
            number = heed(senders, &events[i], signals);
        int64_t now = now_ms();
        if (now < next_check)
            continue;
        check_deadlines(senders, now);
        next_check = now + SECOND_MS;
    }
    watch(senders, EPOLL_CTL_DEL, signals, 0);
    return number;
}

/* Reads until no sender has more data, or the time is over. */
void tap_senders_drain(struct tap_senders *senders)
{
    struct epoll_event events[EVENTS];
    const int64_t end = now_ms() + DRAIN_MS;
    int count;

    watch_sockets(senders, EPOLL_CTL_DEL);
    senders->is_full = false; /* a sender that leaves makes no room */
    while (now_ms() < end && (count = epoll_wait(senders->epoll, events, EVENTS, 0)) > 0)
        for (int i = 0; i < count; i++)
            heed(senders, &events[i], -1);
}

/* --- opening and closing --- */

struct tap_senders *tap_senders_open(struct tap *tap, const struct tap_socket *sockets,
                                     size_t socket_count)
{
    struct tap_senders *senders = calloc(1, sizeof *senders);

    if (!senders)
        return NULL;
    senders->tap = tap;
    senders->sockets = sockets;
    senders->socket_count = socket_count;
    for (size_t i = 0; i < SENDERS_MAX; i++)
        senders->senders[i].fd = -1;
    senders->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (senders->epoll < 0) {
        free(senders);
        return NULL;
    }
    watch_sockets(senders, EPOLL_CTL_ADD);
    return senders;
}

void tap_senders_close(struct tap_senders *senders)
{
    if (!senders)
        return;
    report_unsaid(senders);
    for (size_t i = 0; i < SENDERS_MAX; i++)
        if (senders->senders[i].fd >= 0)
            leave(senders, &senders->senders[i]);
    close(senders->epoll);
    free(senders);
}
