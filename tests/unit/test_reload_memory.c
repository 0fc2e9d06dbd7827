/* SPDX-License-Identifier: BSD-3-Clause */
/* Reloads for which there is no memory: what was in force stays, and what is asked for comes into
 * force by itself. */
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

static void write_rules(unsigned which)
{
    char text[256];

    snprintf(text, sizeof text,
             "nxdomain name %s ede=15:text\nlog zone c.example tag=t\n"
             "redirect 192.0.2.1 name d.example\ncname e.example wholescript except=ru\n",
             names[which]);
    write_in(which ? "b" : "a", text);
}

static void test_other_rules(void **state)
{
    unsigned now = 0, closed = 0, by_itself = 0, of_a_line = 0;

    (void)state;
    write_rules(0);
    write_rules(1);
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

/* --- the program --- */

ALONE(other_rules)

int main(int argc, char **argv)
{
    static const struct CMUnitTest rows[] = {
        {"each call fails while other rules are asked for", alone_other_rules, NULL, NULL, NULL},
    };

    return run_in_processes("reload without memory", rows, sizeof rows / sizeof *rows, argc, argv);
}
