/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs this command again as the user that a resolver becomes. */
#include "tools/check/check.h"

#include "tools/command/command.h"
#include "tools/text/program.h"

#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <unistd.h>

#define FAIL(checker, place, ...)                                                                  \
    xnm_diagnose(&(checker)->diagnostics, XNM_ERROR, place, __VA_ARGS__)

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
        FAIL(checker, place, "user '%s' does not exist: expected the user that the daemon runs as",
             name);
    else if (trouble)
        check_note(checker, place, "what user '%s' may read and write was not checked: %s", name,
                   trouble);
    else
        what.user = name;
    check_opened(checker, &what);
}
