/* SPDX-License-Identifier: BSD-3-Clause */
/* What a command works on: its arguments, or the lines of standard input where there is none. */
#ifndef XN_TOOLS_COMMAND_INPUT_H
#define XN_TOOLS_COMMAND_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct input {
    char **arguments;
    int argument_count;
    int next;
    FILE *stream;       /* standard input, once it is read */
    size_t line_number; /* … 0 while arguments are read */
    char *line;
    size_t line_cap;
    int error; /* errno, where standard input could not be read to its end */
};

/* Nothing of a line is removed but its line feed and one carriage return before that. The text is
 * valid until the next call. False at the end, and where nothing more can be read. */
bool input_next(struct input *input, const char **text, size_t *len);

/* Was it the end? If not, says on standard error why. */
bool input_is_whole(const struct input *input);
void input_free(struct input *input);

/* Begins a message on standard error: "unbound-idn: " and, for standard input, "line 3: ". What was
 * written before to standard output goes out first, so that both keep their order in one file. */
void input_complain(const struct input *input);

#endif
