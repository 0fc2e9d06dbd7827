/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/text/color.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_on;

static bool fits_terminal(void)
{
    const char *refused = getenv("NO_COLOR"), *term = getenv("TERM");

    return isatty(STDOUT_FILENO) == 1 && !(refused && *refused) && term &&
           strcmp(term, "dumb") != 0;
}

bool color_choose(const char *when)
{
    bool is_auto = !when || strcmp(when, "auto") == 0,
         is_always = !is_auto && strcmp(when, "always") == 0;

    is_on = is_always || (is_auto && fits_terminal());
    return is_auto || is_always || strcmp(when, "never") == 0;
}

void color_begin(struct buffer *out, color which)
{
    if (is_on && which != COLOR_NONE)
        buffer_text(out, which == COLOR_ERROR ? "\033[1;31m" : "\033[1;35m");
}

void color_end(struct buffer *out, color which)
{
    if (is_on && which != COLOR_NONE)
        buffer_text(out, "\033[0m");
}
