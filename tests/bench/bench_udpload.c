/* SPDX-License-Identifier: BSD-3-Clause */
/* bench_udpload PORT WINDOW ROUNDS <QUESTIONS: asks a resolver on 127.0.0.1 over UDP, WINDOW
 * questions at a time, all of them ROUNDS times; a question is its length in two octets, then its
 * packet. Prints how many answers came. */
#include <arpa/inet.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { QUESTIONS_MAX = 1 << 16, PACKET_MAX = 512, PATIENCE = 10000 /* ms */ };

struct question {
    uint16_t len;
    uint8_t packet[PACKET_MAX];
};

static struct question questions[QUESTIONS_MAX];

static size_t read_questions(void)
{
    size_t count = 0;
    uint8_t len[2];

    while (count < QUESTIONS_MAX && fread(len, 1, 2, stdin) == 2) {
        struct question *question = &questions[count++];
        question->len = (uint16_t)(len[0] << 8 | len[1]);
        if (question->len > PACKET_MAX ||
            fread(question->packet, 1, question->len, stdin) != question->len)
            return 0;
    }
    return count;
}

static int connect_to(uint16_t port)
{
    const struct sockaddr_in to = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int fd = socket(AF_INET, SOCK_DGRAM, 0);

    if (fd < 0 || connect(fd, (const struct sockaddr *)&to, sizeof to) != 0) {
        perror("bench_udpload");
        exit(2);
    }
    return fd;
}

static bool receive(int fd)
{
    struct pollfd poller = {.fd = fd, .events = POLLIN};
    uint8_t answer[4096];

    return poll(&poller, 1, PATIENCE) == 1 && recv(fd, answer, sizeof answer, 0) > 0;
}

/* Asks everything once; returns how many answers came. */
static size_t ask_all(int fd, size_t count, size_t window)
{
    size_t sent = 0, received = 0;

    while (received < count) {
        while (sent < count && sent - received < window) {
            if (send(fd, questions[sent].packet, questions[sent].len, 0) < 0)
                return received;
            sent++;
        }
        if (!receive(fd))
            return received;
        received++;
    }
    return received;
}

int main(int argc, char **argv)
{
    size_t count = read_questions(), answers = 0;

    if (argc != 4 || count == 0) {
        fputs("usage: bench_udpload PORT WINDOW ROUNDS <QUESTIONS\n", stderr);
        return 2;
    }
    int fd = connect_to((uint16_t)atoi(argv[1]));
    size_t window = strtoul(argv[2], NULL, 10), rounds = strtoul(argv[3], NULL, 10);
    for (size_t i = 0; i < rounds; i++)
        answers += ask_all(fd, count, window);
    close(fd);
    printf("%zu\n", answers);
    return answers == rounds * count ? 0 : 1;
}
