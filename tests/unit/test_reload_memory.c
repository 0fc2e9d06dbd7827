/* SPDX-License-Identifier: BSD-3-Clause */
/* Reloads for which there is no memory: what was in force stays, and what is asked for comes into
 * force by itself where it is not even known which files that is, else with their next change. */
#include "tests/unit/reloadproc.h"

#include "tests/unit/nomemory.h"

static const char *const names[] = {"a.example", "b.example"};
static const char *const lines[] = {"policy: @/a\n", "policy: @/b\n"};

/* Opens with memory for so many calls. */
static struct xnm_reload *open_short(const char *asked, unsigned long calls)
{
    struct xnm_reload *reload;

    configure(asked);
    calls_left = calls;
    reload = open_configured(true);
    calls_left = ULONG_MAX;
    return reload;
}

/* Twice the same file to a watcher. */
static void write_again(unsigned which)
{
    write_in(which ? "b" : "a", which ? "nxdomain name b.example\n" : "nxdomain name a.example\n");
}

static void test_other_rules(void **state)
{
    unsigned now = 0, closed = 0, changed = 0, by_itself = 0;

    (void)state;
    write_again(0);
    write_again(1);
    reopen(lines[now]);
    for (unsigned long calls = 0;; calls++) {
        struct xnm_reload *reload = open_short(lines[!now], calls);
        bool at_once = refuses(names[!now]), is_told = read_reports()[0] != '\0';
        assert_int_not_equal(at_once, refuses(names[now]));
        assert_true(at_once || is_told);
        if (!reload) {
            closed++;
            assert_false(at_once);
            continue;
        }
        if (!at_once && strstr(read_reports(), "policy: out of memory")) {
            by_itself++;
        } else if (!at_once) {
            changed++;
            write_again(!now);
        }
        WAIT_FOR(refuses(names[!now]));
        xnm_reload_close(reload);
        now = !now;
        if (at_once && !is_told)
            break;
    }
    assert_true(closed > 0 && changed > 0 && by_itself > 0);
}

/* --- the program --- */

ALONE(other_rules)

int main(int argc, char **argv)
{
    static const struct CMUnitTest rows[] = {
        {"each call fails while other rules are asked for", alone_other_rules, NULL, NULL, NULL},
    };

    return run_in_processes("reload without memory", rows, sizeof rows / sizeof *rows, argc, argv);
}
