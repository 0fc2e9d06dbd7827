/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/codec/rfc3492.h"

#include "core/text/utf8.h"
#include "tools/command/command.h"

#include <stdlib.h>

enum { QUOTED_MAX = 64 /* octets of an input that a message quotes */ };

/* The reason why a string is refused. */
struct refusal {
    const char *what; /* NULL: it is not */
    size_t column;    /* of its argument or line, from 1; 0: as a whole */
    const char *quoted;
    size_t len;
};

struct run {
    const struct rfc3492 *procedure;
    const struct rfc3492_options *options;
    struct input *input;
    struct codepoints string, result; /* in hand */
    struct refusal refusal;
    struct buffer out;
    size_t count; /* of strings before */
};

/* --- refusals --- */

static bool refuse(struct run *run, size_t column, const char *quoted, size_t len, const char *what)
{
    run->refusal = (struct refusal){what, column, quoted, len};
    return false;
}

/* Returns the column of `at`, counted in characters. An octet that is not UTF-8 counts as one. */
static size_t column_of(const char *text, const char *at)
{
    size_t column = 1;
    uint32_t cp;

    for (size_t octets; text < at; text += octets ? octets : 1, column++)
        octets = xn_utf8_read((const uint8_t *)text, (size_t)(at - text), &cp);
    return column;
}

static const char *what_is_wrong(xn_status status)
{
    switch (status) {
    case XN_PUNY_NOT_BASIC:
        return "an octet above 0x7F stands before the last delimiter: expected ASCII";
    case XN_PUNY_LEADING_DELIMITER:
        return "a delimiter with nothing before it: expected no delimiter, or literals before it";
    case XN_PUNY_BAD_DIGIT:
        return "an octet that is not a Punycode digit: expected a letter or a decimal digit";
    case XN_PUNY_TRUNCATED:
        return "the input ends in the middle of a number: expected another digit";
    default:
        return xn_status_text(status);
    }
}

static void complain(const struct run *run)
{
    const struct refusal *refusal = &run->refusal;
    struct buffer line = {0};

    if (run->input->argument_count > 1)
        buffer_format(&line, "argument %d: ", run->input->next);
    if (refusal->column > 0)
        buffer_format(&line, "column %zu: ", refusal->column);
    buffer_visible(&line, refusal->quoted,
                   buffer_fitting(refusal->quoted, refusal->len, QUOTED_MAX));
    buffer_format(&line, "%s: %s\n", refusal->len > QUOTED_MAX ? "…" : "", refusal->what);
    input_complain(run->input);
    fwrite(line.data, 1, line.len, stderr);
    buffer_free(&line);
}

/* --- a string --- */

static bool read_code_points(struct run *run, const char *text, size_t len)
{
    struct codepoints_fault fault;

    return codepoints_read(&run->string, text, len, &fault) ||
           refuse(run, column_of(text, fault.at), fault.at, fault.len, fault.what);
}

/* Reads an argument or a line. */
static bool read_string(struct run *run, const char *text, size_t len)
{
    struct codepoints *string = &run->string;
    size_t bad_at;

    string->len = 0;
    string->flagged = false;
    if (len > CODEPOINTS_MAX)
        return refuse(run, 0, text, len, "is longer than 10,000 octets");
    if (run->procedure->encodes && !run->options->text && codepoints_are_written(text, len))
        return read_code_points(run, text, len);
    codepoints_reserve(string, len);
    xn_status status =
        xn_utf8_decode((const uint8_t *)text, len, string->cps, len, &string->len, &bad_at);
    return status == XN_OK ||
           refuse(run, column_of(text, text + bad_at), text, len, xn_status_text(status));
}

static void add_text(const struct codepoints *string, struct buffer *out)
{
    char utf8[XN_UTF8_MAX];

    for (size_t i = 0; i < string->len; i++)
        buffer_visible(out, utf8, xn_utf8_write(string->cps[i], (uint8_t *)utf8));
}

/* Converts the string in hand, which a message would quote as `text`. */
static void convert(struct run *run, const char *text, size_t len)
{
    const struct rfc3492 *procedure = run->procedure;
    const struct codepoints *string = &run->string;
    struct xn_punycode_step *steps = buffer_zeros(string->len + 1, sizeof *steps);
    size_t step_count = 0;
    xn_status status = procedure->convert(string, &run->result, steps, &step_count);

    if (status != XN_OK)
        refuse(run, procedure->fault_column ? procedure->fault_column(string) : 0, text, len,
               what_is_wrong(status));
    if (run->options->trace)
        procedure->trace(string, steps, step_count, status == XN_OK ? &run->result : NULL,
                         &run->out);
    else if (status == XN_OK && run->options->codepoints && !procedure->encodes)
        codepoints_write(&run->result, &run->out);
    else if (status == XN_OK)
        add_text(&run->result, &run->out);
    free(steps);
}

/* Writes what was made of a string, and why nothing was. Returns the exit status. */
static int finish(struct run *run)
{
    bool good = !run->refusal.what;

    fwrite(run->out.data, 1, run->out.len, stdout);
    run->out.len = 0;
    if (!good)
        complain(run);
    run->refusal.what = NULL;
    return good ? STATUS_FINE : STATUS_FINDING;
}

/* --- the input --- */

/* A line for each argument or line. Of --codepoints there are lines for each, and an empty one
 * between them. */
static int run_each(struct run *run)
{
    bool in_lines = run->options->codepoints && !run->options->trace;
    const char *text;
    size_t len;
    int worst = STATUS_FINE;

    for (; !ferror(stdout) && input_next(run->input, &text, &len); run->count++) {
        if (in_lines && run->count > 0)
            buffer_text(&run->out, "\n");
        if (read_string(run, text, len))
            convert(run, text, len);
        if (!in_lines)
            buffer_text(&run->out, "\n");
        int status = finish(run);
        worst = status > worst ? status : worst;
    }
    return worst;
}

/* The code points of all arguments or lines are one string, as in RFC 3492, appendix C. */
static int run_together(struct run *run)
{
    static const char all[] = "all of it";
    const char *text;
    size_t len;

    while (!run->refusal.what && input_next(run->input, &text, &len))
        read_code_points(run, text, len);
    if (run->input->error != 0) /* the caller says so; half a string is none */
        return STATUS_FINE;
    if (!run->refusal.what)
        convert(run, all, sizeof all - 1);
    if (!run->refusal.what)
        buffer_text(&run->out, "\n");
    return finish(run);
}

int rfc3492_run(const struct rfc3492 *procedure, const struct rfc3492_options *options,
                struct input *input)
{
    struct run run = {.procedure = procedure, .options = options, .input = input};
    bool together = options->codepoints && procedure->encodes;
    int status = together ? run_together(&run) : run_each(&run);

    codepoints_free(&run.string);
    codepoints_free(&run.result);
    buffer_free(&run.out);
    return status;
}
