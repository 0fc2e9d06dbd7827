/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/file/writable.h"
#include "module/base/diagnostics.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns whether the process's user may write to the file or folder at `path`, now or after a
 * chmod. */
static bool is_open_to_us(const char *path, const struct stat *status, bool sticky)
{
    uid_t user = geteuid();

    if (user == 0)
        return false;
    return status->st_uid == user || (!sticky && faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0);
}

static void check(const char *file, const char *path, const char *what,
                  const struct xnm_diagnostics *diagnostics)
{
    const struct xnm_place place = {.file = file};
    struct stat status;

    if (stat(path, &status) != 0)
        return;
    /* In a folder with this bit only its owner can replace a file of another user. */
    bool sticky = S_ISDIR(status.st_mode) && (status.st_mode & S_ISVTX);
    if ((status.st_mode & S_IWOTH) && !sticky)
        xnm_diagnostics_add(diagnostics, XNM_WARNING, &place,
                            "everyone may write to %s: only the administrator should be able to",
                            what);
    else if (is_open_to_us(path, &status, sticky))
        xnm_diagnostics_add(
            diagnostics, XNM_WARNING, &place,
            "the user this runs as (uid %ld) may write to %s: only the administrator "
            "should be able to",
            (long)geteuid(), what);
}

/* Cuts a path to its folder. */
static void to_folder(char *path)
{
    char *slash = strrchr(path, '/');

    if (!slash)
        memcpy(path, ".", 2);
    else
        slash[slash == path] = '\0';
}

void xnm_writable_check(const char *file, const struct xnm_diagnostics *diagnostics)
{
    char folder[PATH_MAX], target[PATH_MAX], real[PATH_MAX];
    size_t len = strlen(file);

    if (len == 0 || len >= sizeof folder || !realpath(file, target))
        return;
    memcpy(folder, file, len + 1);
    to_folder(folder);
    to_folder(target);
    check(file, file, "this file", diagnostics);
    check(file, folder, "the folder of this file", diagnostics);
    if (realpath(folder, real) && strcmp(real, target) != 0)
        check(file, target, "the folder that this link leads to", diagnostics);
}
