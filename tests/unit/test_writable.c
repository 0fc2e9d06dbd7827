/* SPDX-License-Identifier: BSD-3-Clause */
/* Works as root, who plays another user, and as anybody else, who is that user. */
#include "module/base/diagnostics.h"
#include "tests/unit/vectors.h"

#include "module/file/writable.h"

#include <grp.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NOBODY = 65534, REPORTS_MAX = 4096 };

static void collect(void *arg, xnm_severity severity, const struct xnm_place *place,
                    const char *message)
{
    char *reports = arg;

    assert_int_equal(severity, XNM_WARNING);
    assert_int_equal(place->line, 0);
    assert_null(strchr(message, '\n'));
    /* the words that tell the warnings apart: who may write to what */
    snprintf(reports + strlen(reports), REPORTS_MAX - strlen(reports), "%s %.*s;",
             strncmp(message, "everyone", 8) == 0 ? "everyone:" : "user:",
             (int)strcspn(strstr(message, "write to ") + 9, ":"), strstr(message, "write to ") + 9);
}

/* Checks a path as a user who is not root. */
static void check(const char *path, char *reports)
{
    const struct xnm_diagnostics diagnostics = {collect, reports};
    bool root = geteuid() == 0;
    gid_t groups[64];
    int count = getgroups(64, groups);

    reports[0] = '\0';
    if (root) {
        assert_int_equal(setgroups(0, NULL), 0);
        assert_int_equal(setegid(NOBODY), 0);
        assert_int_equal(seteuid(NOBODY), 0);
    }
    xnm_writable_check(path, &diagnostics);
    if (root) {
        assert_int_equal(seteuid(0), 0);
        assert_int_equal(setegid(getgid()), 0);
        assert_int_equal(setgroups((size_t)count, groups), 0);
    }
}

/* --- a file in a folder --- */

/* `ours`: they belong to the user that checks; others belong to root and need root to be made. */
static struct place {
    const char *name;
    bool ours_folder, ours_file;
    mode_t folder, file;
    const char *reports;
} places[] = {
    {"of root", false, false, 0755, 0644, ""},
    {"of root, with its group", false, false, 0775, 0664, ""},
    {"a file for everyone", false, false, 0755, 0666, "everyone: this file;"},
    {"a folder for everyone", false, false, 0777, 0644, "everyone: the folder of this file;"},
    {"a sticky folder for everyone", false, false, 01777, 0644, ""},
    {"a file of the user", false, true, 0755, 0400, "user: this file;"},
    {"a folder of the user", true, false, 0555, 0644, "user: the folder of this file;"},
    {"a sticky folder of the user", true, false, 01755, 0644, "user: the folder of this file;"},
    {"both of the user", true, true, 0700, 0600, "user: this file;user: the folder of this file;"},
    {"both for everyone, of the user", true, true, 0777, 0666,
     "everyone: this file;everyone: the folder of this file;"},
};

static void expect_place(const struct place *row, const char *folder, const char *file)
{
    bool root = geteuid() == 0;
    char reports[REPORTS_MAX];
    FILE *stream = fopen(file, "w");

    assert_non_null(stream);
    fclose(stream);
    if (root && row->ours_file)
        assert_int_equal(chown(file, NOBODY, NOBODY), 0);
    if (root && row->ours_folder)
        assert_int_equal(chown(folder, NOBODY, NOBODY), 0);
    assert_int_equal(chmod(file, row->file), 0);
    assert_int_equal(chmod(folder, row->folder), 0);
    check(file, reports);
    assert_int_equal(chmod(folder, 0700), 0);
    assert_int_equal(unlink(file), 0);
    assert_string_equal(reports, row->reports);
}

TEST_ROWS(checks_place, places, name)
{
    const struct place *row = *state;
    char folder[] = "/tmp/test_writable.XXXXXX", file[64];

    if (geteuid() != 0 && (!row->ours_folder || !row->ours_file)) {
        print_message("# only root can make what belongs to somebody else\n");
        skip();
    }
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/f", folder);
    expect_place(row, folder, file);
    assert_int_equal(rmdir(folder), 0);
}

/* Files that the user's group may write to are found. */
TEST(checks_group, "a file for the group of the user")
{
    char folder[] = "/tmp/test_writable.XXXXXX", file[64], reports[REPORTS_MAX];

    if (geteuid() != 0) {
        print_message("# only root can make what belongs to somebody else\n");
        skip();
    }
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/f", folder);
    fclose(fopen(file, "w"));
    assert_true(chown(file, 0, NOBODY) == 0 && chmod(file, 0664) == 0);
    assert_true(chown(folder, 0, NOBODY) == 0 && chmod(folder, 0775) == 0);
    check(file, reports);
    assert_string_equal(reports, "user: this file;user: the folder of this file;");
    assert_true(chmod(file, 0644) == 0 && chmod(folder, 01775) == 0);
    check(file, reports);
    assert_string_equal(reports, "");
    unlink(file);
    rmdir(folder);
}

/* --- paths --- */

TEST(accepts_system_file, "a file of the system's, and none")
{
    char reports[REPORTS_MAX];

    check("/etc/passwd", reports);
    assert_string_equal(reports, "");
    check("/etc/no such file", reports);
    assert_string_equal(reports, "");
    check("", reports);
    assert_string_equal(reports, "");
}

/* A link in a folder of root's to a file in a folder for everyone. */
TEST(follows_link, "a symbolic link")
{
    char outer[] = "/tmp/test_writable.XXXXXX", inner[64], file[80], link[64];
    char reports[REPORTS_MAX];

    assert_non_null(mkdtemp(outer));
    snprintf(inner, sizeof inner, "%s/inner", outer);
    snprintf(file, sizeof file, "%s/f", inner);
    snprintf(link, sizeof link, "%s/link", outer);
    assert_int_equal(mkdir(inner, 0700), 0);
    FILE *stream = fopen(file, "w");
    assert_non_null(stream);
    fclose(stream);
    assert_int_equal(chmod(file, 0644), 0);
    assert_int_equal(symlink("inner/f", link), 0);
    assert_int_equal(chmod(inner, 0777), 0);
    assert_int_equal(chmod(outer, 0755), 0);
    check(link, reports);
    assert_non_null(strstr(reports, "everyone: the folder that this link leads to;"));
    assert_null(strstr(reports, "everyone: this file;"));
    assert_null(strstr(reports, "everyone: the folder of this file;"));
    unlink(link);
    unlink(file);
    rmdir(inner);
    rmdir(outer);
}

/* A name without a folder is in the one we are in. */
TEST(checks_name_alone, "a name alone")
{
    char folder[] = "/tmp/test_writable.XXXXXX", before[4096], reports[REPORTS_MAX];

    assert_non_null(getcwd(before, sizeof before));
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    FILE *stream = fopen("name", "w");
    assert_non_null(stream);
    fclose(stream);
    assert_int_equal(chmod("name", 0666), 0);
    assert_int_equal(chmod(folder, 0777), 0);
    check("name", reports);
    unlink("name");
    assert_int_equal(chdir(before), 0);
    rmdir(folder);
    assert_string_equal(reports, "everyone: this file;everyone: the folder of this file;");
}

TEST(accepts_own_file, "root's own file, by root")
{
    const struct xnm_diagnostics diagnostics = {collect, (char[REPORTS_MAX]){""}};

    if (geteuid() != 0) {
        print_message("# only root is root\n");
        skip();
    }
    xnm_writable_check("/etc/passwd", &diagnostics);
    assert_string_equal(diagnostics.arg, "");
}

TEST_MAIN
