/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/report/follow.h"

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t is_ended;

static void end(int number)
{
    (void)number;
    is_ended = 1;
}

static int64_t seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec;
}

void follow_open(struct follow *follow, int file)
{
    const struct sigaction action = {.sa_handler = end};

    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    follow->file = file;
    follow->next = seconds() + follow->every;
}

bool follow_goes_on(struct follow *follow)
{
    int64_t now = seconds();

    if (!is_ended && now >= follow->next) {
        follow->next = now + follow->every;
        follow->write(follow->arg);
    }
    return !is_ended;
}

/* Returns whether there is something to read in the file that is open. *is_shorter: from its start.
 */
static bool has_more(int file, bool *is_shorter)
{
    struct stat about;
    off_t at = lseek(file, 0, SEEK_CUR);

    if (fstat(file, &about) != 0 || at < 0)
        return false;
    *is_shorter = about.st_size < at && lseek(file, 0, SEEK_SET) == 0;
    return about.st_size != at;
}

/* Opens the file that has the path now, if that is another one. Waits for no writer of a pipe. */
static bool take_next_file(struct follow *follow)
{
    struct stat here, there;
    int file = open(follow->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    if (file < 0)
        return false;
    bool is_other = fstat(follow->file, &here) == 0 && fstat(file, &there) == 0 &&
                    S_ISREG(there.st_mode) &&
                    (here.st_dev != there.st_dev || here.st_ino != there.st_ino);
    bool takes = is_other && follow->is_moved && dup2(file, follow->file) >= 0;
    follow->is_moved = is_other && !takes;
    close(file);
    return takes;
}

bool follow_wait(void *arg, bool *is_other)
{
    struct follow *follow = arg;
    const struct timespec second = {.tv_sec = 1};

    if (!follow->has_waited)
        follow->next = seconds();
    follow->has_waited = true;
    while (follow_goes_on(follow)) {
        if (has_more(follow->file, is_other))
            return true;
        *is_other = take_next_file(follow);
        if (*is_other)
            return true;
        nanosleep(&second, NULL);
    }
    return false;
}
