/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the input of a command: its arguments, or the lines of standard input if it has none. */
#ifndef XN_TOOLS_COMMAND_INPUT_H
#define XN_TOOLS_COMMAND_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct input {
    char **arguments;
    int argument_count;
    int next;
    FILE *stream;       /* standard input, once the first line is read */
    size_t line_number; /* of standard input; 0 for arguments */
    char *line;
    size_t line_cap;
    int error; /* errno if standard input could not be read to its end, else 0 */
};

/* Calls run() for each argument, or for each line without its line feed and one carriage return
 * before that, until standard output fails. Returns the highest exit status of these calls; if not
 * all input was read, says why on standard error and returns STATUS_USAGE. */
int input_each(struct input *input, int (*run)(void *arg, const char *text, size_t len), void *arg);

void input_free(struct input *input);

/* Begins a message on standard error: "unbound-idn: " and, for standard input, "line 3: ". Flushes
 * standard output first, so that both keep their order in one file. */
void input_complain(const struct input *input);

#endif
