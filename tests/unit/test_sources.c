/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/policyfolder.h"

#include <fcntl.h>

#include "module/file/sources.h"

static void keep(struct xnm_sources *sources, const char *name, bool can_wait)
{
    struct xnm_stamp stamp = xnm_stamp_of(path_in(name));

    assert_true(xnm_sources_keep(sources, &(struct xnm_source){.path = (char *)path_in(name),
                                                               .read = stamp,
                                                               .found = stamp,
                                                               .can_wait = can_wait}));
}

static struct xnm_sources sources_of(const char *name)
{
    struct xnm_sources sources = {0};

    keep(&sources, name, false);
    return sources;
}

/* Changes the file `list`, or the link `link` to it. */
static void replace(void)
{
    write_in("list", "b\n");
}
static void append(void)
{
    FILE *stream = fopen(path_in("list"), "a");
    assert_non_null(stream);
    fputs("b\n", stream);
    assert_int_equal(fclose(stream), 0);
}
static void empty(void)
{
    assert_int_equal(truncate(path_in("list"), 0), 0);
}
static void vanish(void)
{
    remove_in("list");
}
static void switch_link(void)
{
    write_in("other", "a\n");
    assert_int_equal(symlink("other", path_in(".new")), 0);
    assert_int_equal(rename(path_in(".new"), path_in("link")), 0);
}
static void switch_back_and_forth(void)
{
    assert_int_equal(symlink("list", path_in(".new")), 0);
    assert_int_equal(rename(path_in(".new"), path_in("link")), 0);
}
static void touch(void)
{
    static const struct timespec times[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
    assert_int_equal(utimensat(AT_FDCWD, path_in("list"), times, 0), 0);
}

static struct change {
    const char *name;
    const char *source;
    void (*change)(void);
} changes[] = {
    {"a file that takes its place", "list", replace},
    {"a line more", "list", append},
    {"emptied", "list", empty},
    {"gone", "list", vanish},
    {"gone behind a link", "link", vanish},
    {"a line more behind a link", "link", append},
    {"a link to another file", "link", switch_link},
    {"a new link to the same file", "link", switch_back_and_forth},
    {"a time of long ago", "list", touch},
};

TEST_ROWS(test_change, changes, name)
{
    const struct change *row = *state;

    write_in("list", "a\n");
    assert_int_equal(symlink("list", path_in("link")), 0);
    struct xnm_sources sources = sources_of(row->source);
    for (int i = 0; i < 5; i++)
        assert_false(xnm_sources_look(&sources));
    row->change();
    for (int i = 0; i < XNM_SOURCES_SAME_LOOKS; i++)
        assert_false(xnm_sources_look(&sources));
    for (int i = 0; i < 3; i++) /* until they are read */
        assert_true(xnm_sources_look(&sources));
    xnm_sources_free(&sources);
    empty_folder();
}

TEST(test_appears, "a file that was missing")
{
    struct xnm_sources sources = sources_of("list");

    for (int i = 0; i < 5; i++)
        assert_false(xnm_sources_look(&sources));
    write_in("list", "a\n");
    for (int i = 0; i < XNM_SOURCES_SAME_LOOKS; i++)
        assert_false(xnm_sources_look(&sources));
    assert_true(xnm_sources_look(&sources));
    xnm_sources_free(&sources);
    empty_folder();
}

/* Whichever of them it is; and while one is written to that cannot wait, the others' changes wait.
 */
TEST(test_several, "one of several")
{
    static const char *const names[] = {"list", "first", "last"};

    for (size_t changed = 0; changed < COUNT(names); changed++) {
        struct xnm_sources sources = {0};
        for (size_t i = 0; i < COUNT(names); i++) {
            const char *name = names[(changed + i) % COUNT(names)];
            write_in(name, "a\n");
            keep(&sources, name, false);
        }
        write_in("first", "b\n");
        for (int i = 0; i < 10; i++) {
            append(); /* to the list */
            assert_false(xnm_sources_look(&sources));
        }
        for (int i = 1; i < XNM_SOURCES_SAME_LOOKS; i++)
            assert_false(xnm_sources_look(&sources));
        assert_true(xnm_sources_look(&sources));
        xnm_sources_free(&sources);
    }
    empty_folder();
}

/* While its writer goes on, a file does not count as changed, until that has taken too long. */
TEST(test_writer_at_work, "a file that is being written to")
{
    for (int times = 1; times <= XNM_SOURCES_BUSY_LOOKS; times++) {
        write_in("list", "a\n");
        struct xnm_sources sources = sources_of("list");
        for (int i = 1; i < times; i++) {
            append();
            assert_false(xnm_sources_look(&sources));
            assert_true(xnm_source_is_busy(&sources.files[0]));
        }
        append();
        assert_int_equal(xnm_sources_look(&sources), times == XNM_SOURCES_BUSY_LOOKS);
        for (int i = 1; i < XNM_SOURCES_SAME_LOOKS; i++)
            assert_int_equal(xnm_sources_look(&sources), times + i >= XNM_SOURCES_BUSY_LOOKS);
        assert_true(xnm_sources_look(&sources));
        assert_false(xnm_source_is_busy(&sources.files[0]));
        xnm_sources_free(&sources);
    }
    empty_folder();
}

/* A file that can wait does not delay the others while it changes; it is read itself in the end. */
TEST(test_one_that_can_wait, "one that can wait")
{
    struct xnm_sources sources = {0}, again = {0};

    write_in("rules", "a\n");
    write_in("list", "a\n");
    keep(&sources, "rules", false);
    keep(&sources, "list", true);
    assert_null(xnm_sources_find(&sources, "list"));
    struct xnm_source *list = xnm_sources_find(&sources, sources.files[1].path);
    assert_ptr_equal(list, &sources.files[1]);
    write_in("rules", "b\n");
    for (int i = 0; i <= XNM_SOURCES_SAME_LOOKS; i++) {
        append();
        assert_int_equal(xnm_sources_look(&sources), i == XNM_SOURCES_SAME_LOOKS);
    }
    assert_true(xnm_source_is_busy(list));
    /* The rules are read, the list is not: its time goes on. */
    keep(&again, "rules", false);
    assert_true(xnm_sources_keep(&again, list));
    xnm_sources_free(&sources);
    for (int i = XNM_SOURCES_SAME_LOOKS + 2; i < XNM_SOURCES_BUSY_LOOKS; i++) {
        append();
        assert_false(xnm_sources_look(&again));
    }
    append();
    assert_true(xnm_sources_look(&again));
    xnm_sources_free(&again);
    empty_folder();
}

/* A file may change after it was read and before the first look. */
TEST(test_changed_meanwhile, "a file that changed after it was read")
{
    write_in("list", "a\n");
    struct xnm_sources sources = sources_of("list");
    append();
    for (int i = 0; i < XNM_SOURCES_SAME_LOOKS; i++)
        assert_false(xnm_sources_look(&sources));
    assert_true(xnm_sources_look(&sources));
    xnm_sources_free(&sources);
    empty_folder();
}

TEST(test_no_files, "no files, and freed twice")
{
    struct xnm_sources sources = {0};

    assert_false(xnm_sources_look(&sources));
    xnm_sources_free(&sources);
    write_in("list", "a\n");
    sources = sources_of("list");
    xnm_sources_free(&sources);
    xnm_sources_free(&sources);
    empty_folder();
}

int main(void)
{
    if (!make_folder())
        return 1;
    int failed = run_unit();
    remove_folder();
    return failed;
}
