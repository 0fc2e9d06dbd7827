/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens the files that a resolver opens after it has dropped its privileges, as its user. */
#include "tools/check/check.h"

#include "module/config/config.h"
#include "module/file/folder.h"
#include "module/run/metrics.h"
#include "tools/command/command.h"
#include "tools/text/program.h"

#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct opened {
    struct checker *checker;
    struct xnm_place place; /* the configuration */
    const char *user;       /* as in struct check_opened */
};

static void report(const struct opened *opened, xnm_severity severity, const char *verb,
                   const char *path, int error)
{
    const struct checker *checker = opened->checker;
    bool is_named = opened->user[0] != '\0';

    if (error)
        xnm_diagnostics_add(&checker->diagnostics, severity, &opened->place,
                            "%s%s%scannot %s %s%s: %s", is_named ? "user '" : "", opened->user,
                            is_named ? "' " : "", verb, checker->root, path,
                            xnm_folder_error(error));
}

static int try_access(int folder, const char *name, int mode)
{
    return faccessat(folder, name, mode, 0) == 0 ? 0 : errno;
}

/* Opens a file as the module opens its log, but makes none and writes nothing: rights say less than
 * that, for example of a program that runs. Returns 0 or an errno. */
static int try_append(int folder, const char *name)
{
    enum { FLAGS = O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC };
    int fd = openat(folder, name, O_RDWR | FLAGS);

    if (fd < 0 && errno == EACCES)
        fd = openat(folder, name, O_WRONLY | FLAGS);
    if (fd < 0)
        return errno;
    close(fd);
    return 0;
}

/* Returns 0 or the errno with which the module could not write to a file in its way, which is not
 * changed. Metrics are written beside the file and renamed. */
static int try_write(const char *path, bool appends)
{
    struct stat status;
    const char *name;
    int folder = xnm_folder_open(path, &name);

    if (folder < 0)
        return errno;
    int error = appends ? try_append(folder, name) : ENOENT;
    if (error == ENOENT) /* the file may be created there */
        error = try_access(folder, ".", W_OK | X_OK);
    if (!appends && !error && fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISDIR(status.st_mode))
        error = EISDIR;
    close(folder);
    return error;
}

static void check_log(const struct opened *opened, const char *path)
{
    const struct xnm_diagnostics *diagnostics = &opened->checker->diagnostics;
    const char *root = opened->checker->root;
    struct stat status;
    bool there = lstat(path, &status) == 0;

    if (there && S_ISREG(status.st_mode) && status.st_nlink > 1 && geteuid() == 0)
        xnm_diagnostics_add(
            diagnostics, XNM_ERROR, &opened->place,
            "log-to: %s%s: root does not log to a file with a second name (a hard link): "
            "expected a file with one name",
            root, path);
    else if (there && !S_ISREG(status.st_mode))
        xnm_diagnostics_add(diagnostics, XNM_ERROR, &opened->place,
                            "log-to: %s%s: %s: expected a regular file", root, path,
                            S_ISLNK(status.st_mode) ? "a symbolic link" : "not a regular file");
    else
        report(opened, XNM_ERROR, "write", path, try_write(path, true));
}

static void check_metrics(const struct opened *opened, const char *path)
{
    if (xnm_metrics_is_foreign(path))
        xnm_diagnostics_add(&opened->checker->diagnostics, XNM_WARNING, &opened->place,
                            "metrics-file: %s%s: %s", opened->checker->root, path,
                            xnm_metrics_foreign);
    else
        report(opened, XNM_WARNING, "write", path, try_write(path, false));
}

/* Without its metrics file the module runs all the same. */
static void check_written(const struct opened *opened, const struct xnm_config *config)
{
    const char *log = config->log == XNM_LOG_NONE ? NULL : config->log_to;

    if (log && strcmp(log, "/dev/stdout") != 0 && strcmp(log, "/dev/stderr") != 0)
        check_log(opened, log);
    if (config->metrics_file)
        check_metrics(opened, config->metrics_file);
}

/* Returns whether an error in the configuration, or in what it names, stops a start. */
static bool is_required(const char *path)
{
    struct xnm_config config;

    xnm_config_init(&config);
    xnm_config_load(&config, path, &xnm_diagnostics_ignored);
    bool is_required = config.policy.required == XNM_REQUIRED_YES;
    xnm_config_free(&config);
    return is_required;
}

/* Without the right to change the root (`outside`), only the configuration can be read. */
static void check_all(const struct opened *opened, const struct check_opened *what, bool outside)
{
    struct checker *checker = opened->checker;
    const char *file = opened->place.file;
    struct xnm_config config;

    if (what->user[0] && !outside)
        check_note(checker, &opened->place, "read as user '%s'", what->user);
    if (what->module[0] && !outside)
        report(opened, XNM_ERROR, "read", what->module, try_access(AT_FDCWD, what->module, R_OK));
    if (checker->brief && !is_required(file))
        return;
    check_config(checker, file, !what->config[0], &config);
    if (outside) {
        check_note(checker, &opened->place,
                   "what it names inside the chroot was not checked: only root can check this");
    } else {
        check_policy(checker, &config, file, what->user[0] != '\0');
        check_written(opened, &config);
    }
    xnm_config_free(&config);
}

void check_opened(struct checker *checker, const struct check_opened *what)
{
    struct check_counts counts = checker->counts;
    const char *config = what->config[0] ? what->config : XNM_CONFIG_DEFAULT_PATH;
    bool outside = what->root[0] && (chroot(what->root) != 0 || chdir("/") != 0);
    struct buffer path = {0};

    buffer_format(&path, "%s%s", what->root, config);
    buffer_string(&path);
    struct opened opened = {checker, {.file = outside ? path.data : config}, what->user};
    checker->counts = (struct check_counts){.failed = counts.failed};
    checker->root = outside ? "" : what->root;
    checker->lacks = what->lacks;
    check_all(&opened, what, outside);
    checker->lacks = 0;
    checker->root = "";
    check_finish_file(checker, path.data);
    counts.failed = checker->counts.failed;
    checker->counts = counts;
    buffer_free(&path);
}

/* --- as the user --- */

/* Runs this command again with the ids and groups of the daemon's user, and with the right to
 * change its root if there is a chroot. Returns whether it did its work. */
static bool call_as(struct checker *checker, const struct passwd *user,
                    const struct check_opened *what)
{
    char own[PATH_MAX], group[32], lacks[16];
    ssize_t len = readlink("/proc/self/exe", own, sizeof own - 1);
    const char *const caps = what->root[0] ? "+sys_chroot" : "-all";
    const char *const form = checker->json ? "--json" : checker->brief ? "--start" : "--opened";
    const char *const color = checker->color ? checker->color : "auto";
    const char *const argv[] = {"/usr/bin/setpriv",
                                "--reuid",
                                user->pw_name,
                                "--regid",
                                group,
                                "--init-groups",
                                "--inh-caps",
                                caps,
                                "--ambient-caps",
                                caps,
                                "--",
                                own,
                                "check",
                                "--opened",
                                form,
                                "--color",
                                color,
                                what->root,
                                what->user,
                                what->module,
                                what->config,
                                lacks,
                                NULL};

    own[len > 0 ? len : 0] = '\0';
    snprintf(lacks, sizeof lacks, "%u", what->lacks);
    snprintf(group, sizeof group, "%lu", (unsigned long)user->pw_gid);
    int status = program_call((char **)argv);
    checker->counts.failed |= status == STATUS_FINDING;
    return status == STATUS_FINE || status == STATUS_FINDING;
}

void check_as_user(struct checker *checker, const struct xnm_place *place, const char *name,
                   const struct check_opened *opened)
{
    const struct passwd *user = name[0] ? getpwnam(name) : NULL;
    struct check_opened what = *opened;
    const char *trouble = NULL;

    if (user && user->pw_uid != geteuid()) {
        what.user = name;
        if (geteuid() == 0 && call_as(checker, user, &what))
            return;
        what.user = "";
        trouble = geteuid() == 0 ? "/usr/bin/setpriv cannot run this command"
                                 : "only root can check this";
    }
    if (name[0] && !user)
        xnm_diagnostics_add(&checker->diagnostics, XNM_ERROR, place,
                            "user '%s' does not exist: expected the user that the daemon runs as",
                            name);
    else if (trouble)
        check_note(checker, place, "what user '%s' may read and write was not checked: %s", name,
                   trouble);
    else
        what.user = name;
    check_opened(checker, &what);
}
