/* SPDX-License-Identifier: BSD-3-Clause */
/* Why a compiled policy was not written is what failed, not what was done afterwards: the Makefile
 * links this with --wrap of what fails. What else compile.c asks is answered here. */
#include "tests/unit/vectors.h"

#include "tests/unit/policytext.h"
#include "tools/check/policyread.h"
#include "tools/command/command.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

typedef enum { NOTHING, FCHMOD, FSYNC, CLOSE } failing;

static struct {
    failing fails;
    bool closes_too; /* that fails, too, and for another reason */
    char said[512];
} scene;

static char folder[] = "/tmp/xn-compile-XXXXXX", output[sizeof folder + 7];

int __real_fchmod(int fd, mode_t mode);
int __wrap_fchmod(int fd, mode_t mode);
int __real_fsync(int fd);
int __wrap_fsync(int fd);
int __real_close(int fd);
int __wrap_close(int fd);

int __wrap_fchmod(int fd, mode_t mode)
{
    errno = EPERM;
    return scene.fails == FCHMOD ? -1 : __real_fchmod(fd, mode);
}

int __wrap_fsync(int fd)
{
    errno = ENOSPC;
    return scene.fails == FSYNC ? -1 : __real_fsync(fd);
}

int __wrap_close(int fd)
{
    int result = __real_close(fd);

    errno = EIO;
    return scene.closes_too || scene.fails == CLOSE ? -1 : result;
}

/* --- what else is asked --- */

const struct xnm_diagnostics policyread_errors;

void policyread_say(const struct xnm_place *place, const char *message)
{
    (void)place;
    snprintf(scene.said, sizeof scene.said, "%s", message);
}

bool policyread_files(struct policyread *read, char **files, size_t count)
{
    (void)files, (void)count;
    read->files.policy = policy_of("log name a.example", NULL, NULL);
    return true;
}

bool policyread_has_every_list(const struct policyread *read)
{
    (void)read;
    return true;
}

int command_read_options(const char *name, const char *help, const struct option *known,
                         const char **values, int argc, char **argv)
{
    (void)name, (void)help, (void)known, (void)argc, (void)argv;
    values[1] = output;
    optind = 1;
    return -1;
}

int command_usage_error(const char *name, const char *message)
{
    fail_msg("%s: %s", name, message);
    return STATUS_USAGE;
}

bool command_open_unicode(struct xn_unicode **opened)
{
    return xn_unicode_open(opened) == XN_OK;
}

/* --- */

static struct row {
    const char *name;
    failing fails;
    bool closes_too;
    int error;
} rows[] = {
    {"nothing fails", NOTHING, false, 0},       {"fchmod", FCHMOD, false, EPERM},
    {"fchmod, and close", FCHMOD, true, EPERM}, {"fsync", FSYNC, false, ENOSPC},
    {"fsync, and close", FSYNC, true, ENOSPC},  {"close", CLOSE, false, EIO},
};

static void test_row(void **state)
{
    const struct row *row = *state;
    char rules[] = "rules", name[] = "compile", *arguments[] = {name, rules, NULL};
    char expected[128] = "";

    scene.fails = row->fails;
    scene.closes_too = row->closes_too;
    scene.said[0] = '\0';
    int status = compile_main(2, arguments);
    scene.fails = NOTHING;
    scene.closes_too = false;
    if (row->error)
        snprintf(expected, sizeof expected, "cannot be written: %s", strerror(row->error));
    assert_string_equal(scene.said, expected);
    assert_int_equal(status, row->error ? STATUS_USAGE : STATUS_FINE);
    assert_int_equal(unlink(output) == 0, !row->error);
}

int main(void)
{
    struct test_group group = {0};

    if (!mkdtemp(folder))
        return 1;
    snprintf(output, sizeof output, "%s/policy", folder);
    ADD_TESTS(&group, rows, name, test_row);
    int failed = run_group("compile", &group);
    free(group.tests);
    return rmdir(folder) == 0 ? failed : 1; /* nothing was left beside it */
}
