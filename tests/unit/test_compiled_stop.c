/* SPDX-License-Identifier: BSD-3-Clause */
/* Who does not want a compiled policy any more does not wait for its end, whatever is in it.
 * Counted is how often somebody asks: the Makefile links this with --wrap of that, and of read. */
#include "module/base/diagnostics.h"
#include "tests/unit/vectors.h"

#include "module/file/textfile.h"
#include "tests/unit/compiledtext.h"

#include <unistd.h>

static struct {
    size_t asked, stops_at; /* so many times it is wanted */
    size_t reads, longest;
} seen;

ssize_t __real_read(int fd, void *dst, size_t size);
ssize_t __wrap_read(int fd, void *dst, size_t size);
bool __wrap_xnm_stop_is_set(const atomic_bool *is_set);

bool __wrap_xnm_stop_is_set(const atomic_bool *is_set)
{
    return is_set && ++seen.asked > seen.stops_at;
}

ssize_t __wrap_read(int fd, void *dst, size_t size)
{
    seen.reads++;
    seen.longest = size > seen.longest ? size : seen.longest;
    return __real_read(fd, dst, size);
}

/* Returns how often the flag was asked for; *why says why there is no policy. */
static size_t asked_of(struct xnm_arena compiled, size_t stops_at, const char **why)
{
    const struct xnm_policy_settings settings = {.unicode = text_unicode(), .ttl = 60};
    atomic_bool stop = false;
    struct xnm_policy *policy;

    seen.asked = 0;
    seen.stops_at = stops_at;
    *why = xnm_compiled_read(&settings, &compiled, &stop, &policy);
    xnm_policy_free(policy);
    return seen.asked;
}

/* --- each loop asks --- */

enum { MANY = 64 * XNM_COMPILED_TURNS, RDATA = 4 /* octets of each record */ };

/* Sections that anyone can make longer, and what is then in each of its parts. */
static struct long_section {
    const char *name, *text;
    xnm_compiled_section section;
    size_t size;
} long_sections[] = {
    {"sources", "log name a.example", XNM_COMPILED_SOURCES, sizeof(struct xnm_compiled_source)},
    {"exceptions", "log wholescript except=ru", XNM_COMPILED_EXCEPTS, sizeof(struct xnm_wirename)},
    {"records", "answer name a.example 1", XNM_COMPILED_RECORDS,
     sizeof(struct xnm_compiled_record)},
    {"verdicts", "log name a.example", XNM_COMPILED_VERDICTS, sizeof(struct xnm_compiled_verdict)},
    {"octets", "log name a.example", XNM_COMPILED_TEXT, 1024},
};

static void test_long_section(void **state)
{
    const struct long_section *row = *state;
    struct xnm_arena compiled =
        longer(compiled_of(policy_of(row->text, NULL, NULL)), XNM_COMPILED_TEXT, MANY * RDATA);
    struct xnm_arena before = copy_of(compiled.octets, compiled.len);
    size_t len = ((const struct xnm_compiled_head *)(const void *)compiled.octets)
                     ->sections[row->section]
                     .len;
    const char *why;

    compiled = longer(compiled, row->section, MANY * row->size);
    uint8_t *part = section_of(&compiled, row->section);
    for (size_t i = 0; len == row->size && i < MANY; i++)
        memcpy(part + (i + 1) * row->size, part, row->size);
    fix_checksum(compiled.octets, compiled.len);
    fix_checksum(before.octets, before.len);
    size_t few = asked_of(before, SIZE_MAX, &why);
    assert_null(why);
    assert_in_range(asked_of(compiled, SIZE_MAX, &why), few + MANY / XNM_COMPILED_TURNS, SIZE_MAX);
    assert_null(why);
}

/* Parts that only a policy of many rules has: 4,096 of something, and their tables. Each loop asks
 * three times more often than in a policy of one rule; the loop over places of the table of names
 * six times, those over either table of protected names five times. */
static struct many {
    const char *name, *first, *each;
    size_t more;
} manies[] = {
    {"names", "log names l\n", "+ n%u.example\n", 3 + 6},
    {"protected names", "log lookalikes l\n", "+ n%u.example\n", 3 + 5 + 5},
    {"lines", "", "log name n%u.example\n", 3 * 3 + 6},                /* verdicts and names */
    {"look-alikes", "", "log lookalike n%u.example\n", 4 * 3 + 5 + 5}, /* … and label rules */
};

static size_t asked_of_many(const struct many *row, unsigned count)
{
    enum { LINE = 64 };
    char *text = malloc((count + 1) * LINE);
    size_t len = (size_t)sprintf(text, "%s", row->first);
    const char *why;

    for (unsigned i = 1; i <= count; i++)
        len += (size_t)sprintf(text + len, row->each, i);
    size_t asked =
        asked_of(compiled_of(policy_of(text, NULL, &xnm_diagnose_silently)), SIZE_MAX, &why);
    assert_null(why);
    free(text);
    return asked;
}

static void test_many(void **state)
{
    const struct many *row = *state;
    size_t one = asked_of_many(row, 1);

    assert_in_range(asked_of_many(row, 4 * XNM_COMPILED_TURNS), one + row->more, SIZE_MAX);
}

/* --- nothing is done after that --- */

#define LABEL "abcdefghijklmnopqrstuvwxyz-abcdefghijklmnopqrstuvwxyz-abcdefg"
#define LONG_NAME LABEL "." LABEL "." LABEL ".example"

static struct stopped {
    const char *name, *text;
} stoppeds[] = {
    {"a bit of everything", COMPILED_TEXT},
    {"clients", COMPILED_CLIENTS},
    {"modifiers", "nxdomain zones l\n+ .a.example / important\n+ .b.example / denied=c.example\n"
                  "+ .d.example"},
    {"much denied", "nxdomain zones l\n+ .b.example / denied=" LONG_NAME " denied=" LONG_NAME
                    " denied=" LONG_NAME},
};

static void test_stopped(void **state)
{
    const struct stopped *row = *state;
    struct xnm_arena compiled = longer(compiled_of(policy_of(row->text, NULL, NULL)),
                                       XNM_COMPILED_SOURCES, sizeof(struct xnm_compiled_source));
    const char *why;

    fix_checksum(compiled.octets, compiled.len);
    size_t all = asked_of(copy_of(compiled.octets, compiled.len), SIZE_MAX, &why);
    assert_null(why);
    assert_in_range(all, 5, 100);
    for (size_t n = 0; n < all; n++) {
        /* once more by whoever says why */
        assert_in_range(asked_of(copy_of(compiled.octets, compiled.len), n, &why), n + 1, n + 2);
        assert_string_equal(why, "is not wanted any more");
    }
    xnm_arena_free(&compiled);
}

/* --- the file --- */

static void test_file(void **state)
{
    enum { SIZE = 8 << 20, STEP = 1 << 20 };
    char path[] = "/tmp/xn-compiled-stop-XXXXXX";
    int fd = mkstemp(path);
    atomic_bool stop = false;

    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, SIZE), 0);
    close(fd);
    for (size_t n = 0; n <= SIZE / STEP; n++) {
        struct xnm_textfile file;
        seen.reads = seen.longest = seen.asked = 0;
        seen.stops_at = n;
        assert_non_null(xnm_textfile_read_until(&stop, path, SIZE, &file));
        assert_int_equal(seen.reads, n);
        assert_in_range(seen.longest, 0, STEP);
        assert_null(file.text);
    }
    unlink(path);
}

int main(void)
{
    struct test_group group = {0};

    ADD_TESTS(&group, long_sections, name, test_long_section);
    ADD_TESTS(&group, manies, name, test_many);
    ADD_TESTS(&group, stoppeds, name, test_stopped);
    add_test(&group, "a file", test_file, NULL);
    int failed = run_group("compiled_stop", &group);
    free(group.tests);
    return failed;
}
