/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/privileges.h"

#include "tools/buffer.h"

#include <errno.h>
#include <grp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the child leaves for its parent. */
struct results {
    int setup_error;
    int errors[];
};

/* Unbound's own order (daemon/unbound.c, perform_setup), but groups first: it is the names of this
 * root that count. */
static bool become(const struct passwd *user, const char *root)
{
    if (user && geteuid() == 0 && initgroups(user->pw_name, user->pw_gid) != 0)
        return false;
    if (root[0] && geteuid() == 0 && (chroot(root) != 0 || chdir("/") != 0))
        return false;
    if (user && geteuid() == 0)
        return setresgid(user->pw_gid, user->pw_gid, user->pw_gid) == 0 &&
               setresuid(user->pw_uid, user->pw_uid, user->pw_uid) == 0;
    return true;
}

static int try_access(const char *path, int mode)
{
    return access(path, mode) == 0 ? 0 : errno;
}

/* May files be made beside this one? */
static int try_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    struct buffer folder = {0};

    buffer_add(&folder, path, slash ? (size_t)(slash - path) : 0);
    buffer_add(&folder, slash ? "/" : ".", sizeof "/");
    int error = try_access(folder.data, W_OK | X_OK);
    buffer_free(&folder);
    return error;
}

static int try_use(const char *path, privileges_use use)
{
    if (use == PRIVILEGES_READ)
        return try_access(path, R_OK);
    if (use == PRIVILEGES_REPLACE)
        return try_folder(path);
    int error = try_access(path, W_OK);
    return error == ENOENT ? try_folder(path) : error;
}

static void try_all(const char *prefix, const struct privileges_probe *probes, size_t count,
                    struct results *results)
{
    for (size_t i = 0; i < count; i++) {
        struct buffer path = {0};

        buffer_text(&path, prefix);
        buffer_add(&path, probes[i].path, strlen(probes[i].path) + 1);
        results->errors[i] = try_use(path.data, probes[i].use);
        buffer_free(&path);
    }
}

/* Returns 0 if the child came to its end, else what errno said. */
static int run_child(const struct passwd *user, const char *root,
                     const struct privileges_probe *probes, size_t count, struct results *results)
{
    const char *prefix = geteuid() == 0 ? "" : root;
    int status;

    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        return errno;
    if (child == 0) {
        if (become(user, root))
            try_all(prefix, probes, count, results);
        else
            results->setup_error = errno;
        _exit(0);
    }
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return errno;
    return WIFEXITED(status) ? results->setup_error : EINTR;
}

const char *privileges_try(const struct passwd *user, const char *root,
                           struct privileges_probe *probes, size_t count)
{
    size_t size = sizeof(struct results) + count * sizeof(int);
    struct results *results =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (results == MAP_FAILED)
        return strerror(errno);
    int error = run_child(user, root, probes, count, results);
    for (size_t i = 0; i < count; i++)
        probes[i].error = results->errors[i];
    munmap(results, size);
    return error ? strerror(error) : NULL;
}
