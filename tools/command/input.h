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

/* Gets the next argument, or the next line without its line feed and one carriage return before
 * that. The text is valid until the next call. Returns false at the end, or if reading fails. */
bool input_next(struct input *input, const char **text, size_t *len);

/* Returns whether all input was read. If not, writes the reason to standard error. */
bool input_is_whole(const struct input *input);
void input_free(struct input *input);

/* Begins a message on standard error: "unbound-idn: " and, for standard input, "line 3: ". Flushes
 * standard output first, so that both keep their order in one file. */
void input_complain(const struct input *input);

#endif
