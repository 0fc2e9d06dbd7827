/* SPDX-License-Identifier: BSD-3-Clause */
/* bench_scan [--rounds N | --instructions]: how long it takes to find that a name has no A-label,
 * of 10,000 names that differ: by xn_wire_has_ace, and by what the C library has. A row each, which
 * tests/bench/names.py reads: operation, names, who, how many, how many of them have an A-label,
 * and nanoseconds a name in each round. With --instructions each runs once in `counted`, for a
 * profiler that collects only there. */
#include "core/wire/wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

enum { NAMES = 10000, ROUNDS_MAX = 99, REPEATS = 20 };

/* Octets of all names lie one behind the other, so that no cache line is read for nothing. */
struct name {
    const uint8_t *wire;
    size_t wire_len;
    const char *text;
};

struct names {
    struct name name[NAMES];
    uint8_t wire[NAMES * XN_WIRE_NAME_MAX];
    char text[NAMES * XN_WIRE_NAME_MAX];
};

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* --- names --- */

static uint32_t next_random(uint32_t limit)
{
    static uint64_t state = 1;

    state = state * 6364136223846793005 + 1442695040888963407;
    return (uint32_t)((state >> 33) % limit);
}

/* A label of letters and digits, every fifth with a hyphen, or one with "xn--". */
static void make_label(char *label, size_t len, bool ace)
{
    size_t hyphen = 1 + next_random(5 * (uint32_t)len);

    for (size_t i = 0; i < len; i++)
        label[i] = "abcdefghijklmnopqrstuvwxyz0123456789"[next_random(36)];
    if (hyphen + 1 < len)
        label[hyphen] = '-';
    if (ace)
        memcpy(label, "xn--", 4);
}

/* Two to four labels; with `ace` one of every other name begins with "xn--". */
static struct names *make_names(bool ace)
{
    struct names *names = calloc(1, sizeof *names);

    if (!names)
        exit(1);
    uint8_t *wire = names->wire;
    char *text = names->text;
    for (size_t i = 0; i < NAMES; i++, text++) {
        uint32_t labels = 2 + next_random(3), ace_label = next_random(labels - 1);
        names->name[i] = (struct name){.wire = wire, .text = text};
        for (uint32_t label = 0; label < labels; label++) {
            size_t len = label + 1 < labels ? 4 + next_random(12) : 2 + next_random(5);
            make_label(text, len, ace && i % 2 == 0 && label == ace_label);
            *wire++ = (uint8_t)len;
            memcpy(wire, text, len);
            wire += len;
            text += len;
            *text++ = '.';
        }
        *wire++ = 0;
        names->name[i].wire_len = (size_t)(wire - names->name[i].wire);
    }
    return names;
}

/* --- who finds --- */

static bool by_ours(const struct name *name)
{
    return xn_wire_has_ace(name->wire, name->wire_len);
}

static bool by_memmem(const struct name *name)
{
    return memmem(name->wire, name->wire_len, "xn--", 4) != NULL;
}

static bool by_strcasestr(const struct name *name)
{
    return strcasestr(name->text, "xn--") != NULL;
}

/* Label by label, as a program does that knows nothing better. */
static bool by_labels(const struct name *name)
{
    for (const uint8_t *label = name->wire; *label != 0; label += *label + 1)
        if (*label >= 4 && strncasecmp((const char *)label + 1, "xn--", 4) == 0)
            return true;
    return false;
}

static const struct {
    const char *who;
    bool (*finds)(const struct name *name);
} all[] = {{"libxn", by_ours},
           {"memmem", by_memmem},
           {"strcasestr", by_strcasestr},
           {"strncasecmp", by_labels}};
enum { ALL = sizeof all / sizeof *all };

/* callgrind counts this function alone. */
__attribute__((noinline)) static size_t counted(const struct name *names, size_t who)
{
    size_t found = 0;

    for (size_t i = 0; i < NAMES; i++)
        found += all[who].finds(&names[i]);
    return found;
}

/* Each round begins with another one; without rounds each is called once. */
static void measure(const char *title, const struct name *names, size_t rounds)
{
    double times[ALL][ROUNDS_MAX];
    size_t found[ALL];

    for (size_t who = 0; who < ALL && rounds == 0; who++)
        found[who] = counted(names, who);
    for (size_t round = 0; round < rounds; round++) {
        for (size_t turn = 0; turn < ALL; turn++) {
            size_t who = (round + turn) % ALL;
            double started = now();
            for (int repeat = 0; repeat < REPEATS; repeat++)
                found[who] = counted(names, who);
            times[who][round] = (now() - started) / NAMES / REPEATS;
        }
    }
    for (size_t who = 0; who < ALL; who++) {
        printf("find A-labels\t%s\t%s\t%d\t%zu", title, all[who].who, NAMES, found[who]);
        for (size_t round = 0; round < rounds; round++)
            printf("\t%.2f", times[who][round]);
        putchar('\n');
    }
}

int main(int argc, char **argv)
{
    bool instructions = argc == 2 && strcmp(argv[1], "--instructions") == 0;
    bool some = argc == 3 && strcmp(argv[1], "--rounds") == 0;
    size_t rounds = instructions ? 0 : some ? strtoul(argv[2], NULL, 10) : 11;
    struct names *ascii = make_names(false), *mixed = make_names(true);

    if (rounds > ROUNDS_MAX || (argc > 1 && !instructions && !some))
        return 1;
    measure("no A-label", ascii->name, rounds);
    measure("every other has one", mixed->name, rounds);
    free(ascii);
    free(mixed);
    return 0;
}
