/* SPDX-License-Identifier: BSD-3-Clause */
/* Zones of BIND's named.conf, which lists are published in: zone "x" { type primary; … }; in one
 * line or in several, several in a line, with comments of all three kinds. */
#include "module/list/reader.h"

/* --- tokens --- */

/* Moves past a comment that began in this line or in an earlier one. */
static const char *skip_comment(struct xnm_list_reader *list, const char *at, const char *end)
{
    const char *close = memmem(at, (size_t)(end - at), "*/", 2);

    if (!list->in_comment)
        list->comment_line = list->line.number;
    list->in_comment = !close;
    return close ? close + 2 : end;
}

/* The next token of a line: a brace or semicolon, text in quotes, or a word. Comments and blanks
 * are passed over. False: the line has no more. */
static bool next_token(struct xnm_list_reader *list, const char **at, const char *end,
                       const char **token, const char **token_end)
{
    const char *pos = *at;

    while (pos < end) {
        if (list->in_comment)
            pos = skip_comment(list, pos, end);
        else if (xnm_textline_is_blank(*pos))
            pos++;
        else if (*pos == '#' || xnm_list_begins(pos, end, "//"))
            pos = end;
        else if (xnm_list_begins(pos, end, "/*"))
            pos = skip_comment(list, pos + 2, end);
        else
            break;
    }
    *token = pos;
    if (pos == end)
        return false;
    if (*pos == '"') {
        const char *close = memchr(pos + 1, '"', (size_t)(end - pos - 1));
        pos = close ? close + 1 : end;
    } else if (memchr("{};", *pos, 3)) {
        pos++;
    } else {
        while (pos < end && !memchr(" \t{};\"", *pos, 6))
            pos++;
    }
    *at = *token_end = pos;
    return true;
}

static bool says(const char *at, const char *end, const char *word)
{
    return (size_t)(end - at) == strlen(word) && strncasecmp(at, word, strlen(word)) == 0;
}

/* --- zones --- */

static void end_zone(struct xnm_list_reader *list, const char *at)
{
    if (list->zone_part == XNM_LIST_ZONE_NAMED)
        xnm_list_skip(list, at, XNM_LIST_SKIP_ZONE); /* it has no type */
    list->zone_part = XNM_LIST_ZONE_NONE;
}

static void take_type(struct xnm_list_reader *list, const char *type, const char *end)
{
    static const char *const blocks[] = {"master", "primary", "slave", "secondary", "redirect"};
    size_t i = 0;

    while (i < sizeof blocks / sizeof *blocks && !says(type, end, blocks[i]))
        i++;
    if (i < sizeof blocks / sizeof *blocks)
        xnm_list_take(list, type, &list->zone, XNM_SCOPE_ZONE);
    else
        xnm_list_skip(list, type, XNM_LIST_SKIP_ZONE);
    list->zone_part = XNM_LIST_ZONE_DONE;
}

static void take_name(struct xnm_list_reader *list, const char *at, const char *end)
{
    bool quoted = *at == '"', wildcard;

    if (quoted && (end - at < 3 || end[-1] != '"')) {
        xnm_list_bad(list, at, "zone needs a name in quotes");
        list->zone_part = XNM_LIST_ZONE_DONE;
        return;
    }
    at += quoted;
    end -= quoted;
    list->zone_part = xnm_list_plain_name(at, end, &list->zone) ||
                              xnm_list_name(list, at, end, &list->zone, &wildcard)
                          ? XNM_LIST_ZONE_NAMED
                          : XNM_LIST_ZONE_DONE;
}

/* A token within a zone: its name, `{`, statements, `}` and `;`. */
static void read_token(struct xnm_list_reader *list, const char *at, const char *end)
{
    bool was_type = list->after_type, begins = list->begins_statement;

    list->after_type = list->begins_statement = false;
    if (list->zone_part == XNM_LIST_ZONE_BEGUN) {
        take_name(list, at, end);
    } else if (*at == '{') {
        list->braces++;
        list->begins_statement = true;
    } else if (*at == '}') {
        list->braces -= list->braces > 0;
    } else if (*at == ';') {
        list->begins_statement = true;
        if (list->braces == 0)
            end_zone(list, at);
    } else if (list->braces == 1 && list->zone_part == XNM_LIST_ZONE_NAMED) {
        if (was_type)
            take_type(list, at, end);
        else
            list->after_type = begins && says(at, end, "type");
    }
}

void xnm_list_bind_close(struct xnm_list_reader *list)
{
    bool in_zone = list->zone_part != XNM_LIST_ZONE_NONE;
    const struct xnm_place place = {list->tally.file,
                                    in_zone ? list->zone_line : list->comment_line, 1};

    if ((in_zone || list->in_comment) && xnm_list_tally_count(&list->tally, XNM_LIST_TALLY_BAD))
        xnm_diagnose(list->tally.options->diagnostics, XNM_ERROR, &place,
                     in_zone ? "this zone does not end: expected '};' after its statements"
                             : "this comment does not end: expected '*/' after it");
    list->zone_part = XNM_LIST_ZONE_NONE;
    list->in_comment = false;
}

/* Does a zone begin here? Nothing in a zone is called so. */
static bool is_zone(const char *at, const char *end)
{
    return xnm_list_begins(at, end, "zone") && end - at > 5 &&
           (xnm_textline_is_blank(at[4]) || at[4] == '"');
}

/* Returns the last quote or opening brace of a text, one of which follows the word `zone`; `at`:
 * there is none. */
static const char *last_of_zone(const char *at, const char *end)
{
    while (end > at && end[-1] != '"' && end[-1] != '{')
        end--;
    return end > at ? end - 1 : at;
}

/* Does a comment begin here? A filter of DNS filter syntax may begin with these characters, too,
 * but then has no blank after them. */
static bool is_comment(const char *at, const char *end)
{
    return xnm_list_begins(at, end, "/*") &&
           (end - at == 2 || at[2] == '*' || xnm_textline_is_blank(at[2]));
}

bool xnm_list_bind(struct xnm_list_reader *list, const char *at, const char *end)
{
    const char *token, *token_end, *last;

    if (list->zone_part == XNM_LIST_ZONE_NONE && !list->in_comment && !is_comment(at, end) &&
        !(is_zone(at, end) && at < last_of_zone(at, end)))
        return false;
    end = list->line.end; /* `#` begins no comment inside another one */
    last = last_of_zone(at, end);
    while (!xnm_list_tally_is_stopped(&list->tally) &&
           next_token(list, &at, end, &token, &token_end)) {
        if (token < last && is_zone(token, end)) {
            xnm_list_bind_close(list);
            list->zone_line = list->line.number;
            list->zone_part = XNM_LIST_ZONE_BEGUN;
            list->braces = 0;
        } else if (list->zone_part != XNM_LIST_ZONE_NONE) {
            read_token(list, token, token_end);
        } else {
            xnm_list_bad(list, token,
                         "text follows a zone or comment: expected a zone, or a new line");
            break;
        }
    }
    return true;
}
