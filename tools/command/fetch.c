/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs `fetch`, a program of its own beside this one: it links libcurl, which no other subcommand
 * needs and which takes a while to load. */
#include "tools/command/command.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int fetch_main(int argc, char **argv)
{
    static const char name[] = "unbound-idn-fetch";
    char path[PATH_MAX];
    ssize_t len = readlink("/proc/self/exe", path, sizeof path - 1);

    (void)argc;
    path[len > 0 ? len : 0] = '\0';
    char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
    if (folder + sizeof name <= sizeof path) {
        memcpy(path + folder, name, sizeof name);
        execv(path, argv);
    }
    command_file_error("unbound-idn fetch", path, strerror(errno));
    return STATUS_USAGE;
}
