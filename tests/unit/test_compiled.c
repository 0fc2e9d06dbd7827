/* SPDX-License-Identifier: BSD-3-Clause */
/* A line `compiled PATH`, and the file that it names. */
#include "tests/unit/policyfilesread.h"

#include "module/compiled/file.h"
#include "module/compiled/write.h"

#include <fcntl.h>
#include <utime.h>

static void write_octets(const char *name, const void *octets, size_t len)
{
    FILE *stream = fopen(path_in(name), "w");

    assert_non_null(stream);
    assert_int_equal(fwrite(octets, 1, len, stream), len);
    assert_int_equal(fclose(stream), 0);
}

static void date(const char *name, long seconds)
{
    const struct timespec times[] = {{.tv_sec = seconds}, {.tv_sec = seconds}};

    assert_int_equal(utimensat(AT_FDCWD, path_in(name), times, 0), 0);
}

/* Compiles the file `source` to the file `policy`, as the command does, a moment after all changes
 * so far. */
static void compile(const char *source, const char *lines)
{
    struct xnm_policyfiles read;
    struct xnm_arena compiled;
    const char *fault;
    char configuration[512];

    snprintf(configuration, sizeof configuration, "policy: @/%s\n%s", source, lines);
    assert_true(read_all(configuration, NULL, &read));
    assert_null(xnm_compiled_write(read.policy, &read.sources, &compiled, &fault));
    write_octets("policy", compiled.octets, compiled.len);
    date("policy", time(NULL) + 3600);
    xnm_arena_free(&compiled);
    free_policyfiles(&read);
}

static void begin(void)
{
    write_in("source", "nxdomain name a.example\nrefuse zones list\n");
    write_in("list", "b.example\nc.example\n");
    write_in("rules", "# loaded at once\n  compiled policy # all of it\n");
    compile("source", "");
}

static void expect_all(const struct xnm_policyfiles *read)
{
    assert_int_equal(xnm_policy_rule_count(read->policy), 2);
    assert_string_equal(xnm_policy_rule(read->policy, 1)->file, path_in("source"));
    assert_int_equal(xnm_policy_rule(read->policy, 1)->line, 2);
    assert_true(decides(read->policy, "a.example"));
    assert_true(decides(read->policy, "x.b.example"));
    assert_false(decides(read->policy, "x.a.example"));
}

/* --- what is read --- */

static void test_good(void **state)
{
    struct xnm_policyfiles read;

    (void)state;
    begin();
    assert_true(read_all(ONE, NULL, &read));
    expect_reports("");
    expect_all(&read);
    assert_int_equal(read.sources.count, 2); /* those of the compiled one are not watched */
    assert_string_equal(read.compiled, path_in("policy"));
    assert_true(xnm_sources_same(&read.sources));
    free_policyfiles(&read);
    empty_folder();
}

static void test_settings(void **state)
{
    struct xnm_policyfiles read;

    (void)state;
    begin();
    compile("source", "policy-ttl: 300\n");
    assert_true(read_all(ONE "policy-ttl: 300\npolicy-soa: \"ns.here. who.here.\"\n", NULL, &read));
    expect_reports("");
    assert_int_equal(xnm_policy_settings(read.policy)->ttl, 300);
    assert_memory_equal(xnm_policy_settings(read.policy)->soa_mname.octets, "\2ns\4here", 9);
    free_policyfiles(&read);
    assert_false(read_all(ONE, NULL, &read));
    assert_null(read.policy);
    expect_reports("@/rules:2:12: '@/policy' was compiled with policy-ttl: 300: expected 60, as in "
                   "the configuration; compile one that has it\n");
    free_policyfiles(&read);
    empty_folder();
}

/* --- what is refused --- */

struct refused {
    const char *name, *rules, *more;
    const char *expected;
};

#define ALONE                                                                                      \
    "'compiled' goes with no other rule, in any rule file: compile the other rules with it\n"
static struct refused refusals[] = {
    {"no path", "compiled\n", "",
     "@/rules:1:9: compiled needs the path of a file that 'unbound-idn compile' wrote\n"},
    {"an empty path", "compiled \"\"\n", "",
     "@/rules:1:10: this path is empty: expected the path of a file\n"},
    {"an option", "compiled policy suffixes=yes\n", "",
     "@/rules:1:17: compiled takes one path and no options: expected the end of the line (put a "
     "path with white space in quotes)\n"},
    {"two", "compiled policy\ncompiled policy\n", "",
     "@/rules:2:1: a second 'compiled': expected one (line 1 of @/rules has it)\n"},
    {"two files", "compiled policy\n", "compiled policy\n",
     "@/more:1:1: a second 'compiled': expected one (line 1 of @/rules has it)\n"},
    {"a rule before it", "passthru name a.example\ncompiled policy\n", "", "@/rules:2:1: " ALONE},
    {"a rule behind it", "compiled policy\npassthru name a.example\n", "", "@/rules:1:1: " ALONE},
    {"a rule in another file", "compiled policy\n", "log name a.example\n", "@/rules:1:1: " ALONE},
    {"an action", "nxdomain compiled policy\n", "",
     "@/rules:1:10: 'compiled' is not a trigger: expected name, zone, names, zones, lookalike, "
     "lookalikes, invalid, script, script-level, mixed-digits, restricted, wholescript, emoji or "
     "bidi\n"},
    {"no such file", "compiled nothing\n", "",
     "@/rules:1:10: '@/nothing' cannot be read: No such file or directory\n"},
    {"a folder", "compiled .\n", "", "@/rules:1:10: '@/.' cannot be read: Is a directory\n"},
    {"rules", "compiled source\n", "",
     "@/rules:1:10: '@/source' is not a compiled policy: expected a file that 'unbound-idn "
     "compile' "
     "wrote\n"},
};

static void test_refused(void **state)
{
    const struct refused *row = *state;
    struct xnm_policyfiles read;

    begin();
    write_in("rules", row->rules);
    write_in("more", row->more);
    assert_false(read_all(TWO, NULL, &read));
    expect_reports(row->expected);
    assert_null(read.policy);
    assert_null(read.compiled);
    free_policyfiles(&read);
    empty_folder();
}

static void test_damaged(void **state)
{
    struct xnm_policyfiles read;

    (void)state;
    begin();
    FILE *stream = fopen(path_in("policy"), "r+");
    fseek(stream, 1000, SEEK_SET);
    fputc(0xA5, stream);
    fclose(stream);
    assert_false(read_all(ONE, NULL, &read));
    expect_reports("@/rules:2:12: '@/policy' is damaged: its checksum does not match: "
                   "expected the file as 'unbound-idn compile' wrote it\n");
    assert_null(read.policy);
    assert_int_equal(read.sources.count, 2); /* a better one is looked for */
    free_policyfiles(&read);
    empty_folder();
}

static void test_not_wanted(void **state)
{
    struct xnm_policyfiles read;

    (void)state;
    begin();
    assert_false(read_policyfiles(
        ONE, &(struct xnm_policyfiles_options){.no_compiled = "is not wanted: expected rules"},
        &read));
    expect_reports("@/rules:2:3: is not wanted: expected rules\n");
    free_policyfiles(&read);
    empty_folder();
}

/* Nothing is said of what nobody wants. */
static void test_stopped(void **state)
{
    struct xnm_stop stop;
    struct xnm_policyfiles read;

    (void)state;
    assert_true(xnm_stop_init(&stop));
    atomic_store(&stop.is_set, true);
    begin();
    assert_false(read_policyfiles(ONE, &(struct xnm_policyfiles_options){.stop = &stop}, &read));
    xnm_stop_free(&stop);
    expect_reports("");
    assert_null(read.policy);
    free_policyfiles(&read);
    empty_folder();
}

/* --- sources --- */

/* NULL: it is not. */
static void expect_stale(const char *source)
{
    const struct xnm_compiled_bounds all = {SIZE_MAX, UINT64_MAX};
    struct xnm_policyfiles read;

    assert_true(read_all(ONE, NULL, &read));
    expect_reports("");
    struct xnm_compiled_age age =
        xnm_compiled_age(read.policy, read.compiled, read.compiled_at, &all);
    assert_true(age.all);
    assert_string_equal(age.stale ? age.stale : "none", source ? source : "none");
    expect_all(&read);
    free_policyfiles(&read);
}

static void test_another_size(void **state)
{
    (void)state;
    begin();
    write_in("list", "b.example\nc.example\nd.example\n");
    expect_stale(path_in("list"));
    write_in("list", "b.example\nc.example\n");
    write_in("source", "");
    expect_stale(path_in("source"));
    empty_folder();
}

/* Whoever wrote the compiled policy chose what it names. */
static void test_not_compared(void **state)
{
    struct xnm_policyfiles read;
    size_t count;

    (void)state;
    begin();
    write_in("list", "b.example\nc.example\nd.example\n");
    assert_true(read_all(ONE, NULL, &read));
    expect_reports("");
    assert_int_equal(read.bad_lists, 0);
    assert_string_equal(read.compiled_in.file, path_in("rules"));
    assert_int_equal(read.compiled_in.line, 2);
    assert_int_equal(read.compiled_in.column, 12);
    assert_in_range(read.compiled_at.tv_sec - time(NULL), 3500, 3600);
    assert_string_equal(xnm_compiled_first_source(read.policy, &count), path_in("source"));
    assert_int_equal(count, 2);
    expect_all(&read);
    free_policyfiles(&read);
    empty_folder();
}

static struct xnm_compiled_age age_within(size_t files, uint64_t octets)
{
    const struct xnm_compiled_bounds bounds = {files, octets};
    struct xnm_policyfiles read;

    assert_true(read_all(ONE, NULL, &read));
    struct xnm_compiled_age age =
        xnm_compiled_age(read.policy, path_in("policy"), (struct timespec){0}, &bounds);
    age.stale = age.stale ? "stale" : NULL; /* the policy's own is freed */
    free_policyfiles(&read);
    return age;
}

/* The source has 42 octets, the list, which comes later, 20, and the first of them is another. */
static void test_bounds(void **state)
{
    static const struct {
        size_t files;
        uint64_t octets;
        bool stale, all;
    } rows[] = {{0, 100, false, false}, {1, 100, false, false}, {2, 0, false, false},
                {2, 40, true, false},   {2, 61, false, false},  {2, 62, true, true}};

    (void)state;
    begin();
    write_in("list", "d.example\nc.example\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct xnm_compiled_age age = age_within(rows[i].files, rows[i].octets);
        assert_int_equal(age.stale != NULL, rows[i].stale);
        assert_int_equal(age.all, rows[i].all);
    }
    empty_folder();
}

/* A source that is not a regular file is skipped; nothing waits for a FIFO. */
static void test_strange_source(void **state)
{
    (void)state;
    begin();
    remove_in("list");
    assert_int_equal(mkfifo(path_in("list"), 0600), 0);
    expect_stale(NULL);
    remove_in("list");
    assert_int_equal(symlink("/dev/zero", path_in("list")), 0);
    expect_stale(NULL);
    empty_folder();
}

/* A source of the same size is read, since it was written after the compiling began. */
static void test_same_size(void **state)
{
    (void)state;
    begin();
    date("policy", time(NULL) - 3600);
    expect_stale(NULL);
    write_in("list", "b.example\nd.example\n");
    date("list", 1000000);
    expect_stale(path_in("list"));
    write_in("list", "b.example\nc.example\n");
    expect_stale(NULL);
    empty_folder();
}

/* … or whoever writes it says so: its date is after the compiling, whenever it was changed. */
static void test_later_date(void **state)
{
    (void)state;
    begin();
    write_in("list", "b.example\nd.example\n");
    expect_stale(NULL);
    date("list", time(NULL) + 7200);
    expect_stale(path_in("list"));
    empty_folder();
}

/* A policy of another machine. */
static void test_no_sources(void **state)
{
    (void)state;
    begin();
    remove_in("list");
    remove_in("source");
    struct xnm_policyfiles read;
    assert_true(read_all(ONE, NULL, &read));
    expect_reports("");
    assert_int_equal(xnm_policy_rule_count(read.policy), 2);
    free_policyfiles(&read);
    empty_folder();
}

/* Where a compiled policy was made in its folder, its sources are found there. */
static void test_relative(void **state)
{
    struct xnm_policyfiles read;
    struct xnm_config config;
    struct xnm_arena compiled;
    const char *fault;
    char source[] = "source", *files[] = {source}, *here = getcwd(NULL, 0);

    (void)state;
    begin();
    xnm_config_init(&config);
    config.policies = files;
    config.policy_count = 1;
    assert_int_equal(chdir(folder), 0);
    assert_true(xnm_policyfiles_read(&(struct xnm_policyfiles_options){.config = &config,
                                                                       .unicode = unicode,
                                                                       .diagnostics = &diagnostics},
                                     &read));
    assert_null(xnm_compiled_write(read.policy, &read.sources, &compiled, &fault));
    write_octets("policy", compiled.octets, compiled.len);
    assert_int_equal(chdir(here), 0);
    xnm_arena_free(&compiled);
    free_policyfiles(&read);
    write_in("list", "other.example\n");
    assert_true(read_all(ONE, NULL, &read));
    const struct xnm_compiled_bounds all = {SIZE_MAX, UINT64_MAX};
    assert_string_equal(xnm_compiled_age(read.policy, read.compiled, read.compiled_at, &all).stale,
                        "list");
    assert_string_equal(xnm_policy_rule(read.policy, 0)->file, "source");
    free_policyfiles(&read);
    free(here);
    empty_folder();
}

/* The file must be what the policy was read from. */
static void test_changed_meanwhile(void **state)
{
    struct xnm_policyfiles read;
    struct xnm_arena compiled;
    const char *source;

    (void)state;
    write_in("rules", "nxdomain names list\n");
    write_in("list", "a.example\n");
    assert_true(read_all(ONE, NULL, &read));
    write_in("list", "b.example\n");
    assert_string_equal(xnm_compiled_write(read.policy, &read.sources, &compiled, &source),
                        "was changed while it was compiled: expected a file that nobody is writing "
                        "to");
    assert_string_equal(source, path_in("list"));
    assert_null(compiled.octets);
    remove_in("list");
    assert_string_equal(xnm_compiled_write(read.policy, &read.sources, &compiled, &source),
                        "No such file or directory");
    free_policyfiles(&read);
    empty_folder();
}

/* --- writing --- */

static void test_source_gone(void **state)
{
    struct xnm_policyfiles read;
    struct xnm_arena compiled;
    const char *source;

    (void)state;
    begin();
    assert_true(read_all("policy: @/source\n", NULL, &read));
    assert_int_equal(read.sources.count, 2);
    assert_int_equal(unlink(path_in("source")), 0);
    assert_string_equal(xnm_compiled_write(read.policy, &read.sources, &compiled, &source),
                        "No such file or directory");
    assert_string_equal(source, path_in("source"));
    assert_null(compiled.octets);
    free_policyfiles(&read);
    empty_folder();
}

static void test_two_rule_files(void **state)
{
    struct xnm_policyfiles read;

    (void)state;
    begin();
    write_in("second", "drop name d.example\n");
    compile("source", "policy: @/second\n");
    assert_true(read_all("policy: @/rules\n", NULL, &read));
    assert_int_equal(xnm_policy_rule_count(read.policy), 3);
    assert_string_equal(xnm_policy_rule(read.policy, 1)->file, path_in("source"));
    assert_string_equal(xnm_policy_rule(read.policy, 2)->file, path_in("second"));
    free_policyfiles(&read);
    empty_folder();
}

/* --- is it one? --- */

static void test_is_one(void **state)
{
    (void)state;
    begin();
    assert_true(xnm_compiled_is_file(path_in("policy")));
    assert_false(xnm_compiled_is_file(path_in("source")));
    assert_false(xnm_compiled_is_file(path_in("nothing")));
    assert_false(xnm_compiled_is_file(folder));
    assert_int_equal(mkfifo(path_in("fifo"), 0600), 0);
    assert_false(xnm_compiled_is_file(path_in("fifo")));
    write_in("begins", "unbound-idn compiled policy\n");
    assert_false(xnm_compiled_is_file(path_in("begins")));
    empty_folder();
}

static void add_tests(struct test_group *group)
{
    add_test(group, "a good one", test_good, NULL);
    add_test(group, "settings", test_settings, NULL);
    ADD_TESTS(group, refusals, name, test_refused);
    add_test(group, "damaged", test_damaged, NULL);
    add_test(group, "not wanted", test_not_wanted, NULL);
    add_test(group, "stopped", test_stopped, NULL);
    add_test(group, "a source of another size", test_another_size, NULL);
    add_test(group, "a source of the same size", test_same_size, NULL);
    add_test(group, "a source of a later date", test_later_date, NULL);
    add_test(group, "sources that nobody compares", test_not_compared, NULL);
    add_test(group, "no more than may be compared", test_bounds, NULL);
    add_test(group, "a source that is no regular file", test_strange_source, NULL);
    add_test(group, "no sources", test_no_sources, NULL);
    add_test(group, "relative paths", test_relative, NULL);
    add_test(group, "changed meanwhile", test_changed_meanwhile, NULL);
    add_test(group, "a source that is gone", test_source_gone, NULL);
    add_test(group, "two rule files", test_two_rule_files, NULL);
    add_test(group, "is it one?", test_is_one, NULL);
}

int main(void)
{
    return run_policyfiles("compiled", add_tests);
}
