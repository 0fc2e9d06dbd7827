/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/policyfolder.h"

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

static void append(void)
{
    FILE *stream = fopen(path_in("list"), "a");
    assert_non_null(stream);
    fputs("b\n", stream);
    assert_int_equal(fclose(stream), 0);
}
/* A changed file is read after it has been at rest for some looks: a file that was there, and one
 * that was not. */
TEST(notices_change, "a file that changes or appears")
{
    for (unsigned was_there = 0; was_there < 2; was_there++) {
        if (was_there)
            write_in("list", "a\n");
        struct xnm_sources sources = sources_of("list");
        for (int i = 0; i < 5; i++)
            assert_false(xnm_sources_look(&sources));
        append();
        for (int i = 0; i < XNM_SOURCES_SAME_LOOKS; i++)
            assert_false(xnm_sources_look(&sources));
        for (int i = 0; i < 3; i++) /* until they are read */
            assert_true(xnm_sources_look(&sources));
        xnm_sources_free(&sources);
        empty_folder();
    }
}

/* Whichever of them it is; and while one is written to that cannot wait, the others' changes wait.
 */
TEST(waits_for_others, "one of several")
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
TEST(waits_for_writer, "a file that is being written to")
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
TEST(delays_one_that_can_wait, "one that can wait")
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
TEST(notices_earlier_change, "a file that changed after it was read")
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

TEST(frees_twice, "no files, and freed twice")
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
