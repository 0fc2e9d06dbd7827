/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/file/folder.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINKS_MAX = 40 /* the kernel's limit: path_resolution(7) */ };

struct walk {
    int folder;              /* the folder reached so far; -1: none, with the reason in errno */
    unsigned links;          /* followed so far */
    char rest[2 * PATH_MAX]; /* the rest of the path: a link's target and what follows it */
};

/* Continues from `next`: a descriptor that the walk then owns, or -1 with errno. */
static void move_to(struct walk *walk, int next)
{
    int error = errno;

    if (walk->folder >= 0)
        close(walk->folder);
    walk->folder = next;
    errno = error;
}

static void stop(struct walk *walk, int error)
{
    errno = error;
    move_to(walk, -1);
}

static void start(struct walk *walk, const char *path)
{
    move_to(walk, open(path[0] == '/' ? "/" : ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
}

/* Returns whether only root and the effective user can create and rename files in the folder. With
 * an access control list, the group's bits are the most that it grants (acl(5)). */
static bool is_guarded(int folder)
{
    struct stat status;

    return fstat(folder, &status) == 0 && (status.st_uid == 0 || status.st_uid == geteuid()) &&
           (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* Puts the link's target before the rest of the path. An absolute target starts again at the
 * root. */
static void follow(struct walk *walk, const char *link)
{
    char target[PATH_MAX];
    size_t rest_len = strlen(walk->rest);
    ssize_t len = readlinkat(walk->folder, link, target, sizeof target);

    if (len < 0) {
        stop(walk, errno == EINVAL ? ENOTDIR : errno); /* not a link */
    } else if (!is_guarded(walk->folder)) {
        stop(walk, XNM_FOLDER_PLANTED);
    } else if (++walk->links > LINKS_MAX) {
        stop(walk, ELOOP);
    } else if ((size_t)len + 1 + rest_len >= sizeof walk->rest) {
        stop(walk, ENAMETOOLONG);
    } else {
        memmove(walk->rest + len + 1, walk->rest, rest_len + 1);
        memcpy(walk->rest, target, (size_t)len);
        walk->rest[len] = '/';
        if (target[0] == '/')
            start(walk, target);
    }
}

/* O_DIRECTORY triggers an automount, which O_PATH alone does not. */
static void enter(struct walk *walk, const char *part)
{
    int next = openat(walk->folder, part, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    if (next < 0 && errno == ENOTDIR)
        follow(walk, part);
    else
        move_to(walk, next);
}

/* Removes the next component from the rest of the path. Returns false if there is none. */
static bool take_part(struct walk *walk, char part[NAME_MAX + 2])
{
    const char *at = walk->rest + strspn(walk->rest, "/");
    size_t len = strcspn(at, "/"), kept = len <= NAME_MAX ? len : NAME_MAX + 1;

    memcpy(part, at, kept); /* NAME_MAX + 1 octets are enough to be too long */
    part[kept] = '\0';
    memmove(walk->rest, at + len, strlen(at + len) + 1);
    return len > 0;
}

int xnm_folder_open(const char *path, const char **name)
{
    const char *slash = strrchr(path, '/');
    struct walk walk = {.folder = -1};
    size_t len = slash ? (size_t)(slash - path) : 0;
    char part[NAME_MAX + 2];

    *name = slash ? slash + 1 : path;
    if (len >= PATH_MAX || (*name)[0] == '\0') {
        errno = len >= PATH_MAX ? ENAMETOOLONG : EISDIR;
        return -1;
    }
    memcpy(walk.rest, path, len);
    start(&walk, path);
    while (walk.folder >= 0 && take_part(&walk, part))
        enter(&walk, part);
    return walk.folder;
}

const char *xnm_folder_error(int error)
{
    return error == XNM_FOLDER_PLANTED ? "its path has a symbolic link in a folder that others may "
                                         "write to: use the path that the link leads to"
                                       : strerror(error);
}
