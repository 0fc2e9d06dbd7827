/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/base/budget.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* --- the account --- */

static _Thread_local struct xnm_budget *account;

void xnm_budget_open(struct xnm_budget *budget)
{
    account = budget;
}

static bool has_room(size_t used, size_t promised)
{
    bool fits = used <= account->max && promised <= account->max - used &&
                account->reserved <= account->max - used - promised;

    account->exceeded |= !fits;
    return fits;
}

bool xnm_budget_take(size_t octets)
{
    if (!account)
        return true;
    if (octets > SIZE_MAX - account->used || !has_room(account->used + octets, account->promised))
        return false;
    account->used += octets;
    if (account->used > account->peak)
        account->peak = account->used;
    return true;
}

void xnm_budget_give(size_t octets)
{
    if (account)
        account->used -= octets;
}

bool xnm_budget_promise(size_t octets)
{
    if (!account)
        return true;
    if (!has_room(account->used, octets))
        return false;
    account->promised = octets;
    return true;
}

const char xnm_budget_no_memory[] = "out of memory";

const char *xnm_budget_trouble(void)
{
    static _Thread_local char message[96];
    const size_t mebibyte = 1 << 20;

    if (!account || !account->exceeded)
        return xnm_budget_no_memory;
    bool even = account->max % mebibyte == 0;
    snprintf(message, sizeof message, "needs more than policy-memory, which is %zu %s",
             even ? account->max / mebibyte : account->max, even ? "MiB" : "octets");
    return message;
}

/* --- the default limit --- */

enum { PARTS = 4, LINE_MAX_HERE = 8192 };

/* `unlimited`, more than any machine has, means no limit; `untold` is the default without one. */
static const size_t unlimited = (size_t)1 << 60, untold = (size_t)1 << 30;

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Reads the number in a file; `unlimited` if the file has none ("max") or does not exist. */
static size_t read_limit(const char *path)
{
    FILE *file = fopen(path, "re");
    char line[32] = ""; /* longer than any number of 64 bits */
    char *end = line;
    size_t limit = unlimited;

    if (file && fgets(line, sizeof line, file))
        limit = strtoull(line, &end, 10);
    if (file)
        fclose(file);
    return end > line ? least(limit, unlimited) : unlimited;
}

/* The smallest limit of a control group and the groups above it. Cuts the group's path. */
static size_t group_limit(const char *root, const char *folder, char *group, const char *name)
{
    char path[LINE_MAX_HERE + PATH_MAX];
    size_t limit = unlimited;

    for (;;) {
        snprintf(path, sizeof path, "%s/sys/fs/cgroup%s%s/%s", root, folder, group, name);
        limit = least(limit, read_limit(path));
        char *last = strrchr(group, '/');
        if (!last)
            return limit;
        *last = '\0';
    }
}

static bool has_word(const char *words, const char *word)
{
    size_t len = strlen(word);

    for (; *words; words += strcspn(words, ",") + (words[strcspn(words, ",")] == ','))
        if (strncmp(words, word, len) == 0 && (words[len] == ',' || words[len] == '\0'))
            return true;
    return false;
}

/* The limit that a line of /proc/self/cgroup leads to. A line is number:controllers:group; in v2
 * the number is 0 and there are no controllers. */
static size_t line_limit(const char *root, char *line)
{
    char *rest = line, *number = strsep(&rest, ":"), *controllers = strsep(&rest, ":");

    if (!rest)
        return unlimited;
    rest[strcspn(rest, "\n")] = '\0';
    if (strcmp(number, "0") == 0)
        return group_limit(root, "", rest, "memory.max");
    if (has_word(controllers, "memory"))
        return group_limit(root, "/memory", rest, "memory.limit_in_bytes");
    return unlimited;
}

static size_t groups_limit(const char *root)
{
    char path[PATH_MAX], line[LINE_MAX_HERE];
    size_t limit = unlimited;

    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file))
        limit = least(limit, line_limit(root, line));
    if (file)
        fclose(file);
    return limit;
}

size_t xnm_budget_default(const char *root)
{
    struct rlimit space;
    size_t limit = groups_limit(root);

    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY)
        limit = least(limit, space.rlim_cur);
    return limit < unlimited ? limit / PARTS : untold;
}
