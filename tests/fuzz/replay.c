/* SPDX-License-Identifier: BSD-3-Clause */
/* Gives a fuzz target every file of the folder in argv[1], each in a process of its own, and prints
 * TAP: what libFuzzer does with a corpus, for any compiler. */
#include "tests/fuzz/target.h"

#include <dirent.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FILE_SIZE_MAX = 1 << 20 };

__attribute__((noreturn)) static void die(const char *what)
{
    perror(what);
    exit(1);
}

/* The end of the process: exit status 0 if the target returned. */
__attribute__((noreturn)) static void replay(const char *folder, const char *name)
{
    static uint8_t octets[FILE_SIZE_MAX];
    char path[4096];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    if (!file)
        die(path);
    size_t size = fread(octets, 1, sizeof octets, file);
    fclose(file);
    uint8_t *data = exact_copy(octets, size);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    exit(0);
}

/* Returns how the process ended, as waitpid has it. */
static int replay_apart(const char *folder, const char *name)
{
    int status;

    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        replay(folder, name);
    if (child < 0 || waitpid(child, &status, 0) != child)
        die("fork");
    return status;
}

static int is_file(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

int main(int argc, char **argv)
{
    struct dirent **files;
    int count = argc == 2 ? scandir(argv[1], &files, is_file, alphasort) : -1;

    if (count <= 0) {
        fprintf(stderr, "usage: %s FOLDER, in which there are files\n", argv[0]);
        return 1;
    }
    printf("1..%d\n", count);
    for (int i = 0; i < count; i++) {
        int status = replay_apart(argv[1], files[i]->d_name);
        printf("%sok %d - %s\n", status == 0 ? "" : "not ", i + 1, files[i]->d_name);
        if (status != 0)
            printf("# %s/%s: status %d, signal %d\n", argv[1], files[i]->d_name,
                   WIFEXITED(status) ? WEXITSTATUS(status) : 0,
                   WIFSIGNALED(status) ? WTERMSIG(status) : 0);
        free(files[i]);
    }
    free(files);
    return 0;
}
