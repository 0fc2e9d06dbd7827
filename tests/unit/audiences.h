/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups, clients and times for the test of which rule wins, and what others get than one of them.
 */
#ifndef XN_TESTS_UNIT_AUDIENCES_H
#define XN_TESTS_UNIT_AUDIENCES_H

#include "module/build/build.h"
#include "module/build/clientset.h"
#include "tests/unit/policyreference.h"

#include "module/policy/data.h"

#include <stdlib.h>

static const struct {
    const char *group, *prefix;
} groups[] = {{"kids", "192.0.2.0/24"},
              {"kids", "2001:db8:1::/64"},
              {"staff", "198.51.100.0/25"},
              {"staff", "192.0.2.128/25"}};

/* The first is nobody. */
static const char *const clients[] = {NULL,           "192.0.2.7",     "192.0.2.200",
                                      "198.51.100.9", "2001:db8:1::5", "::ffff:192.0.2.7",
                                      "203.0.113.1"};
enum { CLIENTS = COUNT(clients), TIMES = 4, EVERY = 0xFF };
static time_t times[TIMES]; /* Mon 10:00, Fri 23:30, Sat 05:59, Sun 12:00 */

/* The bits are worked out by hand. */
static const struct audience audiences[] = {
    {NULL, NULL, EVERY, EVERY},
    {"kids", NULL, 0x36, EVERY},
    {"!staff", NULL, 0x72, EVERY},
    {"192.0.2.7", NULL, 0x22, EVERY},
    {"!192.0.2.7,kids", NULL, 0x14, EVERY},
    {NULL, "Mon-Fri/08:00-16:00", EVERY, 0x1},
    {NULL, "Fri/22:00-06:00", EVERY, 0x6},
    {"kids", "Sat-Sun", 0x36, 0xC},
    {"staff", NULL, 0x0C, EVERY},
    {"!kids,staff", "22:00-06:00,Mon", 0x08, 0x7},
};

static inline const struct xnm_prefix *client_numbered(unsigned number, struct xnm_prefix *client)
{
    const char *text = clients[number];
    struct xnm_client address;

    if (!text)
        return NULL;
    assert_true(xnm_client_read(text, strlen(text), &address));
    *client = xnm_prefix_whole(&address);
    return client;
}

static inline void add_groups(struct xnm_policy_builder *builder)
{
    for (size_t i = 0; i < COUNT(groups); i += 2) {
        struct xnm_prefix prefixes[2];
        for (size_t n = 0; n < 2; n++)
            assert_null(
                xnm_prefix_read(groups[i + n].prefix, strlen(groups[i + n].prefix), &prefixes[n]));
        /* One prefix in a rule file, and one in a file of its own. */
        assert_true(xnm_clientset_add(xnm_policy_builder_policy(builder), groups[i].group, NULL,
                                      prefixes, 1));
        assert_true(xnm_clientset_add(xnm_policy_builder_policy(builder), groups[i].group, "f",
                                      prefixes + 1, 1));
    }
}

static inline void set_times(void)
{
    static const struct tm days[TIMES] = {{.tm_mday = 23, .tm_hour = 10},
                                          {.tm_mday = 27, .tm_hour = 23, .tm_min = 30},
                                          {.tm_mday = 28, .tm_hour = 5, .tm_min = 59},
                                          {.tm_mday = 29, .tm_hour = 12}};

    setenv("TZ", "XXX-2", 1);
    for (unsigned i = 0; i < TIMES; i++) {
        struct tm day = days[i];
        day.tm_year = 126;
        day.tm_mon = 10;
        times[i] = mktime(&day);
    }
}

/* Whether others get another answer, or another log line, for the same question. */
struct others {
    bool answer, decision;
};

static inline bool same_answer(const struct hit *a, const struct hit *b)
{
    const struct item *x = is_action(a, XNM_PASSTHRU) ? NULL : a->item;
    const struct item *y = is_action(b, XNM_PASSTHRU) ? NULL : b->item;

    return x && y ? x->line == y->line && x->value == y->value && a->target == b->target : x == y;
}

static inline struct others find_others(const struct set *set, const struct expected *expected,
                                        const struct xnm_wirename *names, unsigned count,
                                        const struct asked *asked)
{
    static struct set left;
    static struct expected of_other;
    struct others others = {false, false};

    for (unsigned n = 0; n < CLIENTS * TIMES; n++) {
        rules_for(set, audiences, &(struct who){n % CLIENTS, n / CLIENTS}, &left);
        expect(&left, names, count, asked, &of_other);
        others.answer |= !same_answer(&of_other.hit, &expected->hit);
        others.decision |= others.answer || of_other.tags != expected->tags ||
                           of_other.log_count != expected->log_count ||
                           !of_other.hit.item != !expected->hit.item;
    }
    return others;
}

/* Questions whose answer others do not get; is everybody's, and said to be; is so with rules that
 * are for some. */
static unsigned personal, shared, shared_with_some;

static inline void compare_others(const struct others *others, const struct xnm_decision *decision)
{
    if (others->answer)
        assert_true(decision->specific_answer);
    if (others->decision)
        assert_true(decision->specific_decision);
    assert_true(decision->specific_decision || !decision->specific_answer);
    personal += others->answer;
    shared += !others->answer && !decision->specific_answer;
    shared_with_some += decision->specific_decision && !decision->specific_answer;
}

#endif
