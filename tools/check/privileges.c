/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/check/privileges.h"

#include "module/file/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- in a child process --- */

/* Unbound's own order (daemon/unbound.c, perform_setup), but groups first: it is the names of this
 * root that count. */
static bool become(const struct passwd *user, const char *root)
{
    if (user && geteuid() == 0 && initgroups(user->pw_name, user->pw_gid) != 0)
        return false;
    if (root[0] && (chroot(root) != 0 || chdir("/") != 0))
        return false;
    if (user && geteuid() == 0)
        return setresgid(user->pw_gid, user->pw_gid, user->pw_gid) == 0 &&
               setresuid(user->pw_uid, user->pw_uid, user->pw_uid) == 0;
    return true;
}

/* Runs the child. It leaves its parent an errno and, if that is 0, what the work wrote. */
_Noreturn static void be_child(const struct passwd *user, const char *root, privileges_work *work,
                               void *arg, int fd)
{
    int error = become(user, root) ? 0 : errno;
    FILE *out = fdopen(fd, "w");

    if (!out)
        _exit(1);
    fwrite(&error, sizeof error, 1, out);
    if (error == 0)
        work(arg, out);
    _exit(fclose(out) != 0);
}

/* --- in its parent --- */

static int read_all(int fd, struct buffer *found)
{
    enum { PIECE = 65536 };

    for (;;) {
        ssize_t got = read(fd, buffer_reserve(found, PIECE), PIECE);

        if (got == 0 || (got < 0 && errno != EINTR))
            return got == 0 ? 0 : errno;
        found->len += got > 0 ? (size_t)got : 0;
    }
}

/* Takes the errno from the beginning of what the child left. */
static const char *take_error(struct buffer *found)
{
    int error;

    if (found->len < sizeof error)
        return "its process ended early";
    memcpy(&error, found->data, sizeof error);
    found->len -= sizeof error;
    memmove(found->data, found->data + sizeof error, found->len);
    return error ? strerror(error) : NULL;
}

/* Returns whether the child came to its end. */
static bool has_finished(pid_t child)
{
    int status;

    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

const char *privileges_run(const struct passwd *user, const char *root, privileges_work *work,
                           void *arg, struct buffer *found)
{
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) != 0)
        return strerror(errno);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        be_child(user, root, work, arg, ends[1]);
    int error = child < 0 ? errno : 0;
    close(ends[1]);
    if (!error)
        error = read_all(ends[0], found);
    close(ends[0]);
    if (child > 0 && !has_finished(child) && !error)
        return "its process ended early";
    return error ? strerror(error) : take_error(found);
}

/* --- probes --- */

struct trial {
    const char *prefix;
    const struct privileges_probe *probes;
    size_t count;
};

static int try_access(int folder, const char *name, int mode)
{
    return faccessat(folder, name, mode, 0) == 0 ? 0 : errno;
}

/* Tries to write to a file in the way in which the module does. */
static int try_write(const char *path, privileges_use use)
{
    const char *name;
    int folder = xnm_folder_open(path, &name);

    if (folder < 0)
        return errno;
    int error = use == PRIVILEGES_APPEND ? try_access(folder, name, W_OK) : ENOENT;
    if (error == ENOENT) /* may it be made there? */
        error = try_access(folder, ".", W_OK | X_OK);
    close(folder);
    return error;
}

static int try_use(const char *path, privileges_use use)
{
    return use == PRIVILEGES_READ ? try_access(AT_FDCWD, path, R_OK) : try_write(path, use);
}

static void try_all(void *arg, FILE *out)
{
    const struct trial *trial = arg;

    for (size_t i = 0; i < trial->count; i++) {
        struct buffer path = {0};

        buffer_text(&path, trial->prefix);
        buffer_add(&path, trial->probes[i].path, strlen(trial->probes[i].path) + 1);
        int error = try_use(path.data, trial->probes[i].use);
        fwrite(&error, sizeof error, 1, out);
        buffer_free(&path);
    }
}

const char *privileges_try(const struct passwd *user, const char *root,
                           struct privileges_probe *probes, size_t count)
{
    bool may_change_root = geteuid() == 0;
    struct trial trial = {may_change_root ? "" : root, probes, count};
    struct buffer found = {0};
    const char *trouble =
        privileges_run(user, may_change_root ? root : "", try_all, &trial, &found);

    for (size_t i = 0; i < count; i++) {
        probes[i].error = 0;
        if (!trouble && found.len >= (i + 1) * sizeof(int))
            memcpy(&probes[i].error, found.data + i * sizeof(int), sizeof(int));
    }
    buffer_free(&found);
    return trouble;
}
