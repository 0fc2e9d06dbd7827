/* SPDX-License-Identifier: BSD-3-Clause */
/* Reloads for which there is no memory: what was in force stays, and what is asked for comes into
 * handle by itself. */
#include "tests/unit/reloadproc.h"

#include "tests/unit/agedzone.h"
#include "tests/unit/nomemory.h"

static const char *const names[] = {"a.example", "b.example"};
static const char *const lines[] = {"policy: @/a\n", "policy: @/b\n"};

/* Opens with memory for so many calls. */
static struct xnm_reload *open_short(const char *asked, bool threads, unsigned long calls)
{
    struct xnm_reload *reload;

    configure(asked);
    calls_left = calls;
    reload = open_configured(threads);
    calls_left = ULONG_MAX;
    return reload;
}

static void write_rules(unsigned which)
{
    char text[256];

    snprintf(text, sizeof text,
             "nxdomain name %s ede=15:text\nlog zone c.example tag=t\n"
             "redirect 192.0.2.1 name d.example\ncname e.example wholescript except=ru\n",
             names[which]);
    write_in(which ? "b" : "a", text);
}

TEST(opens_other_rules_short, "each call fails while other rules are asked for")
{
    unsigned now = 0, closed = 0, by_itself = 0, of_a_line = 0;

    write_rules(0);
    write_rules(1);
    reopen(lines[now]);
    for (unsigned long calls = 0;; calls++) {
        struct xnm_reload *reload = open_short(lines[!now], true, calls);
        bool at_once = refuses(names[!now]), is_told = read_reports()[0] != '\0';
        assert_int_not_equal(at_once, refuses(names[now]));
        assert_true(at_once || is_told);
        if (!reload) {
            closed++;
            assert_false(at_once);
            continue;
        }
        by_itself += !at_once;
        of_a_line += !at_once && !strstr(read_reports(), "policy: out of memory");
        WAIT_FOR(refuses(names[!now]));
        xnm_reload_close(reload);
        now = !now;
        if (at_once && !is_told)
            break;
    }
    assert_true(closed > 0 && of_a_line > 0 && by_itself > of_a_line);
}

/* --- zones that expire --- */

#define ZONE "rpz zone expire=yes\n"

static void expect_zone(bool in_force, size_t expired)
{
    assert_int_equal(refuses("b.a.example"), in_force);
    assert_int_equal(xnm_policyhandle_counts(handle).expired_zones, expired);
}

/* Opens a zone that has had news just now, with an mtime of long ago. */
static void open_with_news(void)
{
    write_in("rules", ZONE);
    write_aged(1, 1000, 0, 0);
    reopen(RULES);
    write_aged(2, 1000, 2000, 0);
    reopen(RULES);
    expect_zone(true, 0);
}

/* When a zone had news is known after a reading that did not come to the zone. */
TEST(remembers_news_of_zone, "a zone's news outlast broken rules")
{
    struct xnm_reload *reload;

    open_with_news();
    write_in("rules", "nxdomain nom c.example\n" ZONE);
    reopen(RULES);
    expect_zone(true, 0);
    write_in("rules", "nxdomain name cc.example\n" ZONE);
    reopen(RULES);
    assert_true(refuses("cc.example"));
    expect_zone(true, 0);

    /* It expires while the rules are broken: it is counted, stays, and is dropped after that. */
    write_aged(3, 1, 0, 0);
    reopen(RULES);
    write_in("rules", "nxdomain nom d.example\n" ZONE);
    reload = open_watcher(RULES);
    WAIT_FOR(xnm_policyhandle_counts(handle).expired_zones == 1);
    wait_for_looks();
    uint64_t failures = xnm_policyhandle_counts(handle).failures;
    wait_for_looks();
    assert_int_equal(xnm_policyhandle_counts(handle).failures, failures); /* read once for it */
    expect_zone(true, 1);
    write_in("rules", ZONE);
    WAIT_FOR(!refuses("b.a.example"));
    xnm_reload_close(reload);
}

TEST(keeps_zone_short, "… and each call that fails")
{
    bool is_told = true;

    for (unsigned long calls = 0; is_told; calls++) {
        open_with_news();
        write_in("rules", calls % 2 ? ZONE "log name e.example\n" : ZONE "log name ee.example\n");
        forget_reports();
        struct xnm_reload *reload = open_short(RULES, false, calls);
        is_told = read_reports()[0] != '\0';
        xnm_reload_close(reload);
        expect_zone(true, 0);
        reopen(RULES);
        expect_zone(true, 0);
    }
}

TEST_MAIN_IN_PROCESSES(set_up, tear_down)
