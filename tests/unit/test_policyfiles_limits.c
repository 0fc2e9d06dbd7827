/* SPDX-License-Identifier: BSD-3-Clause */
/* Limits the rules that each query has to look at one by one; building them ends when the policy is
 * not wanted any more. */
#include "tests/unit/vectors.h"

#include "tests/unit/policyfilesread.h"

enum { TEXT_MAX_HERE = 1 << 18 };

static struct limit_row {
    const char *name, *rule; /* with the number of its line */
    unsigned max;
    const char *told; /* of the line after that */
} limits[] = {
    {"the same log rule", "log name same.example", 256,
     "too many rules with 'name same.example' that can each decide a query: expected at most 256"},
    {"rules with one name for other types", "nodata zone same.example type=TYPE10%03u", 256,
     "too many rules with 'zone same.example' that can each decide a query: expected at most 256"},
    {"protected names that log", "log lookalike same.example", 256,
     "too many rules with 'lookalike same.example' that can each decide a query: expected at most "
     "256"},
    {"conditions", "log invalid", 1000, "too many conditions on labels: expected at most 1000"},
    {"lists", "log names list", 10000, "too many lists and zones: expected at most 10000"},
};

static char *text_of(const char *rule, unsigned count)
{
    static char text[TEXT_MAX_HERE];
    size_t len = 0;

    text[0] = '\0';
    for (unsigned i = 1; i <= count; i++) {
        assert_true(len < sizeof text - 256);
        len += (size_t)sprintf(text + len, rule, i);
        text[len++] = '\n';
        text[len] = '\0';
    }
    return text;
}

static void read_rules(const char *text, struct xnm_policyfiles *read)
{
    write_in("rules", text);
    read_policyfiles(ONE, &(struct xnm_policyfiles_options){0}, read);
}

TEST_ROWS(limits_rules, limits, name)
{
    const struct limit_row *row = *state;
    struct xnm_policyfiles read;
    char expected[512];

    write_in("list", "same.example\n");
    read_rules(text_of(row->rule, row->max), &read);
    expect_reports("");
    assert_int_equal(xnm_policy_rule_count(read.policy), row->max);
    free_policyfiles(&read);
    snprintf(expected, sizeof expected, "@/rules:%u:1: %s\n", row->max + 1, row->told);
    read_rules(text_of(row->rule, row->max + 1), &read);
    expect_reports(expected);
    assert_null(read.policy);
    assert_false(read.no_memory);
    free_policyfiles(&read);
    empty_folder();
}

/* Rules that never decide do not count towards the limit, and merged rules count as one. */
TEST(merges_rules, "rules that have no say")
{
    struct xnm_policyfiles read;

    read_rules(text_of("answer name same.example TXT \"%u\"", 2000), &read);
    expect_reports("");
    assert_true(decides(read.policy, "same.example"));
    free_policyfiles(&read);
    read_rules(text_of("drop zone same.example", 2000), &read);
    assert_non_null(read.policy);
    assert_int_equal(xnm_policy_entry_count(read.policy), 1);
    free_policyfiles(&read);
    empty_folder();
}

/* --- stopped --- */

static struct {
    atomic_bool stop;
    unsigned reports;
} seen;

static void stop_at_report(void *arg, xnm_severity severity, const struct xnm_place *place,
                           const char *message)
{
    (void)arg, (void)severity, (void)place, (void)message;
    seen.stop = true;
    seen.reports++;
}

/* Every other rule is reported while the policy is built; the first report stops that. */
static void stops_building(void **state)
{
    static const struct xnm_diagnostics stopper = {stop_at_report, NULL};
    struct xnm_config config = config_of(ONE);
    struct xnm_policyfiles read;

    seen.stop = false;
    seen.reports = 0;
    write_in("rules", *state);
    assert_false(xnm_policyfiles_read(
        &(struct xnm_policyfiles_options){
            .config = &config, .unicode = unicode, .diagnostics = &stopper, .stop = &seen.stop},
        &read));
    assert_int_equal(seen.reports, 1);
    assert_null(read.policy);
    assert_false(read.no_memory);
    free_policyfiles(&read);
    xnm_config_free(&config);
    empty_folder();
}

BEFORE_MAIN(tests)
{
    static char names[] = "drop name a.example\ndrop name a.example\ndrop name b.example\n"
                          "drop name b.example\ndrop lookalike c.example\ndrop lookalike c.example";
    static char lookalikes[] = "drop lookalike apple.example\ndrop lookalike apple.example\n"
                               "drop lookalike orange.example\ndrop lookalike orange.example";

    add_test("stopped in the middle of names", stops_building, names);
    add_test("stopped in the middle of protected names", stops_building, lookalikes);
}

TEST_MAIN_OF_POLICYFILES
