/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/command/input.h"

#include "tools/command/command.h"
#include "tools/text/buffer.h"
#include "tools/text/waitio.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static ssize_t read_stdin(void *nothing, char *dst, size_t size)
{
    (void)nothing;
    return waitio_read(STDIN_FILENO, dst, size);
}

/* Opens a stream that waits if the descriptor is non-blocking. stdin would give up, and return half
 * a line as a whole one. */
static FILE *open_stdin(void)
{
    FILE *stream = fopencookie(NULL, "r", (cookie_io_functions_t){.read = read_stdin});

    if (!stream)
        buffer_out_of_memory();
    return stream;
}

/* Without this line, a command without names seems to hang. */
static void greet(void)
{
    if (isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1)
        fputs("Reading names from this terminal, one on a line; Ctrl-D ends them.\n", stderr);
}

static bool next_line(struct input *input, const char **text, size_t *len)
{
    if (!input->stream) {
        input->stream = open_stdin();
        greet();
    }
    ssize_t got = getline(&input->line, &input->line_cap, input->stream);

    if (got < 0) {
        input->error = feof(input->stream) ? 0 : errno;
        return false;
    }
    input->line_number++;
    *text = input->line;
    *len = (size_t)got;
    if (*len > 0 && input->line[*len - 1] == '\n' && --*len > 0 && input->line[*len - 1] == '\r')
        --*len;
    return true;
}

static bool next_text(struct input *input, const char **text, size_t *len)
{
    if (input->argument_count == 0)
        return next_line(input, text, len);
    if (input->next == input->argument_count)
        return false;
    *text = input->arguments[input->next++];
    *len = strlen(*text);
    return true;
}

int input_each(struct input *input, int (*run)(void *arg, const char *text, size_t len), void *arg)
{
    const char *text;
    size_t len;
    int worst = STATUS_FINE;

    while (!ferror(stdout) && next_text(input, &text, &len)) {
        int status = run(arg, text, len);
        worst = status > worst ? status : worst;
    }
    if (input->error == 0)
        return worst;
    fprintf(stderr, "unbound-idn: standard input: %s\n", strerror(input->error));
    return STATUS_USAGE;
}

void input_free(struct input *input)
{
    int error = errno; /* of a write that failed: it is reported when all is done */

    if (input->stream)
        fclose(input->stream);
    free(input->line);
    errno = error;
}

void input_complain(const struct input *input)
{
    fflush(stdout);
    fputs("unbound-idn: ", stderr);
    if (input->line_number > 0)
        fprintf(stderr, "line %zu: ", input->line_number);
}
