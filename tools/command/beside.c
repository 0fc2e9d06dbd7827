/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the scripts that are installed in the folder of this program, and the subcommand that is
 * one. */
#include "tools/command/command.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int command_become(const char *script, char **argv)
{
    char path[PATH_MAX];
    ssize_t len = readlink("/proc/self/exe", path, sizeof path - 1);

    path[len > 0 ? len : 0] = '\0';
    char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0, size = strlen(script) + 1;
    if (folder + size <= sizeof path) {
        memcpy(path + folder, script, size);
        execv(path, argv);
    }
    command_file_error("unbound-idn", path, strerror(errno));
    return STATUS_USAGE;
}

int enable_main(int argc, char **argv)
{
    (void)argc;
    return command_become("unbound-idn-enable", argv);
}
