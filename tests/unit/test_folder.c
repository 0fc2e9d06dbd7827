/* SPDX-License-Identifier: BSD-3-Clause */
/* Links on the way to a file: who could have made one decides whether it is followed. Works as
 * root, who plays other users, and as anybody else, who leaves out what needs that. */
#include "tests/unit/vectors.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "module/file/folder.h"

enum { OWN = -1, DAEMON = 1, NOBODY = 65534 };

/* In the folder: links/ with links in it; real/ and real/below/, in which the file's place is. */
static char folder[] = "/tmp/test_folder.XXXXXX";

/* A path in the folder. Valid until the fifth call from now. */
static const char *path_of(const char *name)
{
    static char paths[5][64 + PATH_MAX];
    static unsigned next;
    char *path = paths[next++ % COUNT(paths)];

    snprintf(path, sizeof *paths, "%s/%s", folder, name);
    return path;
}

static void expect_error(const char *path, int error)
{
    const char *name;
    int fd = xnm_folder_open(path, &name);

    assert_int_equal(errno, error);
    assert_int_equal(fd, -1);
}

static void expect_folder(const char *path, const char *expected, const char *expected_name)
{
    struct stat found, wanted;
    const char *name;
    int fd = xnm_folder_open(path, &name);

    if (fd < 0)
        fail_msg("%s: %s", path, xnm_folder_error(errno));
    assert_true(fstat(fd, &found) == 0 && stat(expected, &wanted) == 0);
    assert_true(found.st_dev == wanted.st_dev && found.st_ino == wanted.st_ino);
    assert_string_equal(name, expected_name);
    close(fd);
}

/* --- who could have made the link --- */

static struct owner {
    const char *name;
    int owner; /* of the folder that the link is in; OWN: who runs the tests */
    mode_t mode;
    int user; /* who opens it */
    bool is_followed;
} owners[] = {
    {"a folder of one's own", OWN, 0755, OWN, true},
    {"a folder of one's own, sticky", OWN, 01755, OWN, true},
    {"a folder of one's own, for its group", OWN, 0775, OWN, false},
    {"a folder of one's own, for everyone", OWN, 0757, OWN, false},
    {"a folder of one's own, sticky, for everyone", OWN, 01777, OWN, false},
    {"root's folder, a daemon's link", 0, 0755, NOBODY, true},
    {"root's folder for everyone, a daemon's link", 0, 0777, NOBODY, false},
    {"a daemon's folder, for itself", NOBODY, 0755, NOBODY, true},
    {"a daemon's folder, for root", NOBODY, 0755, 0, false},
    {"a daemon's folder, for another daemon", DAEMON, 0755, NOBODY, false},
};

TEST_ROWS(follows_trusted_link, owners, name)
{
    const struct owner *row = *state;
    const char *links = path_of("links"), *name;
    bool plays = row->owner != OWN || row->user != OWN;

    if (plays && geteuid() != 0)
        skip();
    assert_true(!plays || chown(links, (uid_t)row->owner, (gid_t)-1) == 0);
    assert_int_equal(chmod(links, row->mode), 0);
    assert_true(!plays || seteuid((uid_t)row->user) == 0);
    int fd = xnm_folder_open(path_of("links/to/idn.log"), &name), error = errno;
    int straight = xnm_folder_open(path_of("real/below/idn.log"), &name);
    assert_true(!plays || seteuid(0) == 0);
    assert_true(!plays || chown(links, 0, (gid_t)-1) == 0);
    assert_int_equal(chmod(links, 0755), 0);
    assert_int_equal(fd >= 0, row->is_followed);
    assert_true(fd >= 0 || error == XNM_FOLDER_PLANTED);
    assert_true(straight >= 0);
    close(fd);
    close(straight);
}

/* --- where links lead --- */

TEST(opens_folder, "where links lead")
{
    static const char *const ways[] = {
        "real/below/x",          "real//below///x", "./real/./below/x",
        "links/../real/below/x", "links/to/x",      "links/absolute/x",
        "links/up/below/x",      "links/twice/x",   "links/up/below/../../links/to/x",
        "links/slashes//x"};

    for (size_t i = 0; i < COUNT(ways); i++)
        expect_folder(path_of(ways[i]), path_of("real/below"), "x");
    /* Up from where the link leads, not from where it is. */
    expect_folder(path_of("links/to/../x"), path_of("real"), "x");
    expect_folder("/x", "/", "x");
    expect_folder("//x", "/", "x");
    expect_folder("/../x", "/", "x");
    assert_int_equal(chdir(path_of("real")), 0);
    expect_folder("x", path_of("real"), "x");
    expect_folder("below/x", path_of("real/below"), "x");
    expect_folder("../links/to/x", path_of("real/below"), "x");
    assert_int_equal(chdir("/"), 0);
}

/* The last name is the caller's: a link there is not looked at. */
TEST(leaves_last_name, "the last name")
{
    expect_folder(path_of("links/to"), path_of("links"), "to");
}

TEST(reports_error, "what is not a folder")
{
    char endless[PATH_MAX + 8], part[NAME_MAX + 16];

    memset(endless, '/', sizeof endless);
    strcpy(endless + sizeof endless - 2, "x");
    memset(part, 'n', sizeof part);
    strcpy(part + NAME_MAX + 1, "/x");
    expect_error(path_of("missing/x"), ENOENT);
    expect_error(path_of("links/loose/x"), ENOENT);
    expect_error(path_of("file/x"), ENOTDIR);
    expect_error(path_of("links/file/x"), ENOTDIR);
    expect_error(path_of("links/circle/x"), ELOOP);
    expect_error(path_of("real/"), EISDIR);
    expect_error("", EISDIR);
    expect_error(endless, ENAMETOOLONG);
    expect_error(path_of(part), ENAMETOOLONG);
    assert_string_equal(xnm_folder_error(ENOENT), strerror(ENOENT));
    assert_non_null(strstr(xnm_folder_error(XNM_FOLDER_PLANTED), "symbolic link"));
}

/* Links of the greatest length: one that leads to the root, and one that leads to itself and grows.
 */
TEST(follows_long_link, "links of the greatest length")
{
    char target[PATH_MAX];

    memset(target, '/', sizeof target);
    strcpy(target + sizeof target - 2, ".");
    assert_int_equal(symlink(target, path_of("links/long")), 0);
    expect_folder(path_of("links/long/x"), "/", "x");
    memcpy(target, "growing", 7);
    assert_int_equal(symlink(target, path_of("links/growing")), 0);
    expect_error(path_of("links/growing/x"), ENAMETOOLONG);
}

static bool make_tree(void)
{
    return mkdtemp(folder) && chmod(folder, 0755) == 0 && mkdir(path_of("links"), 0755) == 0 &&
           mkdir(path_of("real"), 0755) == 0 && mkdir(path_of("real/below"), 0755) == 0 &&
           close(creat(path_of("file"), 0600)) == 0 &&
           symlink("../real/below", path_of("links/to")) == 0 &&
           symlink(path_of("real/below"), path_of("links/absolute")) == 0 &&
           symlink("../real", path_of("links/up")) == 0 &&
           symlink("to", path_of("links/twice")) == 0 &&
           symlink("..//real/./below//", path_of("links/slashes")) == 0 &&
           symlink("nowhere", path_of("links/loose")) == 0 &&
           symlink("../file", path_of("links/file")) == 0 &&
           symlink("circle", path_of("links/circle")) == 0;
}

int main(void)
{
    if (!make_tree()) {
        perror(folder);
        return 1;
    }
    int failed = run_unit();
    remove_tree(folder);
    return failed;
}
