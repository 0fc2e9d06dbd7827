/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the subcommands that are programs of their own, in the folder of this one. */
#include "tools/command/command.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Becomes the program, which never returns; or says why not, and returns the exit status. */
static int become(const char *program, char **argv)
{
    char path[PATH_MAX];
    ssize_t len = readlink("/proc/self/exe", path, sizeof path - 1);

    path[len > 0 ? len : 0] = '\0';
    char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0, size = strlen(program) + 1;
    if (folder + size <= sizeof path) {
        memcpy(path + folder, program, size);
        execv(path, argv);
    }
    command_file_error("unbound-idn", path, strerror(errno));
    return STATUS_USAGE;
}

int enable_main(int argc, char **argv)
{
    (void)argc;
    return become("unbound-idn-enable", argv);
}

int fetch_main(int argc, char **argv)
{
    (void)argc;
    return become("unbound-idn-fetch", argv);
}
