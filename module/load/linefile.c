/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/load/linefile.h"

#include "module/base/diagnostics.h"

#include <stdio.h>
#include <string.h>

enum { ERRORS_MAX = 100 /* of one file */ };

static void read_line(struct xnm_linefile *file)
{
    struct xnm_textline *line = &file->line;
    const char *at = xnm_textline_skip_blanks(line->at, line->end);
    const char *end = xnm_textline_trim(at, xnm_textline_comment(line->at, at, line->end));
    const char *next = xnm_textline_skip_word(at, end);
    char quote[80];

    if (at >= end || !xnm_textline_is_text(line))
        return;
    if (next == end) {
        file->read(file, at, end);
        return;
    }
    at = xnm_textline_skip_blanks(next, end);
    xnm_textline_error(line, at, "'%s' is a second word: expected one %s a line",
                       xnm_quote(at, (size_t)(end - at), quote, sizeof quote), file->entry);
}

bool xnm_linefile_read(struct xnm_linefile *file, const char **why)
{
    struct xnm_reading *reading = file->reading;
    struct xnm_textfile text;

    const char *fault = xnm_reading_text(reading, file->path, file->size_max, true, &text);
    *why = NULL;
    if (fault) {
        snprintf(file->cannot, sizeof file->cannot, "cannot be read: %s", fault);
        *why = file->cannot;
    } else {
        xnm_textline_open(&file->line, file->path, text.text, text.len,
                          reading->options->diagnostics);
        while (!file->line.no_memory &&
               xnm_textline_goes_on(&file->line, ERRORS_MAX, file->expected) &&
               !xnm_reading_is_stopped(reading))
            read_line(file);
        xnm_textfile_free(&text);
        reading->result->bad_lines += file->line.errors;
    }
    if (file->line.no_memory)
        return xnm_linefile_no_room(file);
    return !reading->no_memory && !xnm_reading_is_stopped(reading);
}

bool xnm_linefile_no_room(const struct xnm_linefile *file)
{
    struct xnm_reading *reading = file->reading;

    xnm_reading_has_no_memory(reading);
    if (!reading->no_memory)
        xnm_diagnose(reading->options->diagnostics, XNM_ERROR, &file->place, "%s",
                     xnm_budget_trouble());
    return false;
}

const char *xnm_linefile_quote(struct xnm_linefile *file)
{
    return xnm_quote(file->path, strlen(file->path), file->quoted, sizeof file->quoted);
}
