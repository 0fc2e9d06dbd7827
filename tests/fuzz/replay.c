/* SPDX-License-Identifier: BSD-3-Clause */
/* Gives a fuzz target every input of the packed corpus in argv[1] (tests/fuzz/pack.py), each in a
 * process of its own, and prints TAP: what libFuzzer does with a corpus, for any compiler. */
#include "tests/fuzz/target.h"

#include <ctype.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PACK_SIZE_MAX = 1 << 26, INPUT_SIZE_MAX = 1 << 20, NAME_LEN_MAX = 255 };

static const char magic[] = "fuzz corpus\n";

struct input {
    char name[NAME_LEN_MAX + 1];
    const uint8_t *octets;
    size_t size;
};

/* A pack, and how far it has been read. */
struct pack {
    const char *path;
    uint8_t *start; /* owned */
    const uint8_t *at, *end;
};

__attribute__((noreturn)) static void die(const char *what)
{
    perror(what);
    exit(1);
}

__attribute__((noreturn)) static void die_at(const struct pack *pack, const char *expected)
{
    fprintf(stderr, "%s: octet %td: expected %s\n", pack->path, pack->at - pack->start, expected);
    exit(1);
}

/* Reads the whole file. Free pack.start. */
static struct pack open_pack(const char *path)
{
    uint8_t *octets = malloc(PACK_SIZE_MAX);
    FILE *file = fopen(path, "r");

    if (!file || !octets)
        die(path);
    size_t size = fread(octets, 1, PACK_SIZE_MAX, file);
    if (ferror(file))
        die(path);
    struct pack pack = {path, octets, octets, octets + size};
    if (size == PACK_SIZE_MAX)
        die_at(&pack, "less than 64 MiB");
    fclose(file);
    octets =
        realloc(octets, size > 0 ? size : 1); /* ASan searches it for pointers in each process */
    if (!octets)
        die(path);
    pack = (struct pack){path, octets, octets, octets + size};
    if (size < sizeof magic - 1 || memcmp(octets, magic, sizeof magic - 1) != 0)
        die_at(&pack, "a packed corpus, which begins with the line 'fuzz corpus'");
    pack.at += sizeof magic - 1;
    return pack;
}

static size_t read_name(const struct pack *pack, char *name)
{
    size_t len = 0;

    while (pack->at + len < pack->end && len < NAME_LEN_MAX &&
           (isalnum(pack->at[len]) || memchr("._-", pack->at[len], 3))) {
        name[len] = (char)pack->at[len];
        len++;
    }
    name[len] = '\0';
    return len;
}

/* Returns whether there is one more input. Ends the program if it is not as pack.py writes it. */
static bool next_input(struct pack *pack, struct input *input)
{
    struct pack rest = *pack;

    if (rest.at == rest.end)
        return false;
    rest.at += read_name(pack, input->name);
    if (rest.at == pack->at || rest.at == rest.end || *rest.at != ' ')
        die_at(&rest, "a name of letters, digits, '.', '_' and '-', and a blank");
    rest.at++;
    for (input->size = 0; rest.at < rest.end && isdigit(*rest.at); rest.at++) {
        input->size = 10 * input->size + (size_t)(*rest.at - '0');
        if (input->size > INPUT_SIZE_MAX)
            die_at(&rest, "an input of at most 1 MiB");
    }
    if (rest.at == rest.end || *rest.at != '\n' || rest.at[-1] == ' ')
        die_at(&rest, "a length and a line feed");
    input->octets = ++rest.at;
    if ((size_t)(rest.end - rest.at) <= input->size || rest.at[input->size] != '\n')
        die_at(&rest, "as many octets as the length says, and a line feed");
    rest.at += input->size + 1;
    *pack = rest;
    return true;
}

/* Returns how many inputs a pack has, after it has read all of it. */
static unsigned count_inputs(struct pack pack)
{
    struct input input;
    unsigned count = 0;

    while (next_input(&pack, &input))
        count++;
    if (count == 0)
        die_at(&pack, "at least one input");
    return count;
}

/* Returns how the target's process ended, as waitpid has it: 0 if the target returned. */
static int replay_apart(const struct input *input)
{
    int status;

    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        uint8_t *data = exact_copy(input->octets, input->size);
        LLVMFuzzerTestOneInput(data, input->size);
        free(data);
        exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        die("fork");
    return status;
}

int main(int argc, char **argv)
{
    struct input input;

    if (argc != 2) {
        fprintf(stderr, "usage: %s PACK, which tests/fuzz/pack.py has made\n", argv[0]);
        return 1;
    }
    struct pack pack = open_pack(argv[1]);
    printf("1..%u\n", count_inputs(pack));
    for (unsigned i = 1; next_input(&pack, &input); i++) {
        int status = replay_apart(&input);
        printf("%sok %u - %s\n", status == 0 ? "" : "not ", i, input.name);
        if (status != 0)
            printf("# %s: %s: status %d, signal %d\n", argv[1], input.name,
                   WIFEXITED(status) ? WEXITSTATUS(status) : 0,
                   WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    }
    free(pack.start);
    return 0;
}
