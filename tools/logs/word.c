/* SPDX-License-Identifier: BSD-3-Clause */
/* Splits a text line into its columns and fields. */
#include "tools/logs/line.h"

#include "tools/text/shown.h"

#include <string.h>

void report_line_clear(struct report_line *line)
{
    memset(line, 0, offsetof(struct report_line, text));
    line->time = REPORT_NO_TIME;
    line->cached = '-';
}

struct report_span report_next_word(const char **at, const char *end)
{
    const char *blank = memchr(*at, ' ', (size_t)(end - *at));
    struct report_span word = {*at, (size_t)((blank ? blank : end) - *at)};

    *at = blank ? blank + 1 : end;
    return word;
}

/* Finds the inside of a value in double quotes, from after the first quote, and moves *at past the
 * last. Returns false if there is no last quote. */
static bool find_inside(const char **at, const char *end, struct report_span *inside)
{
    for (const char *to = *at; to < end; to++) {
        if (*to == '"') {
            *inside = (struct report_span){*at, (size_t)(to - *at)};
            *at = to + 1;
            return true;
        }
        to += *to == '\\' && to + 1 < end;
    }
    return false;
}

/* Removes the backslash before `"` and `\`. If `decoded`, also replaces escapes such as `\u{E4}` by
 * their characters. */
static struct report_span unescape(struct report_line *line, struct report_span inside,
                                   bool decoded)
{
    char *text = line->text + line->text_len;
    size_t len = inside.len, out = 0;

    if (decoded)
        len = shown_read(inside.at, len, text);
    else
        memcpy(text, inside.at, len);
    for (size_t at = 0; at < len; at++) {
        at += text[at] == '\\' && at + 1 < len && (text[at + 1] == '"' || text[at + 1] == '\\');
        text[out++] = text[at];
    }
    line->text_len += out;
    return (struct report_span){text, out};
}

bool report_next_field(struct report_line *line, const char **at, const char *end,
                       struct report_span *key, struct report_span *value, bool *cut)
{
    *cut = false;
    while (*at < end) {
        const char *sign = *at;

        while (sign < end && *sign != '=' && *sign != ' ')
            sign++;
        *key = (struct report_span){*at, (size_t)(sign - *at)};
        *at = sign < end ? sign + 1 : end;
        if (sign == end || *sign == ' ')
            continue;
        if (*at == end || **at != '"') {
            *value = report_next_word(at, end);
            return true;
        }
        ++*at;
        *cut = !find_inside(at, end, value);
        if (!*cut)
            *value = unescape(line, *value, report_is_word(*key, "rule")); /* decoded, as in JSON */
        return !*cut;
    }
    return false;
}
