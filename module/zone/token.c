/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/zone/token.h"

#include "module/base/thread.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

bool xnm_zonefault_set(struct xnm_zonefault *fault, const char *at, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(fault->message, sizeof fault->message, format, args);
    va_end(args);
    fault->at = at;
    return false;
}

/* --- lines --- */

static void begin_line(struct xnm_zonetokens *tokens)
{
    size_t before = (size_t)(tokens->at - tokens->entry), max = XNM_ZONE_ENTRY_MAX;

    tokens->too_long = (size_t)(tokens->end - tokens->entry) > max &&
                       (before > max || !memchr(tokens->at, '\n', max + 1 - before));
}

void xnm_zonetokens_open(struct xnm_zonetokens *tokens, const char *text, size_t len)
{
    bool marked = len >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0;

    *tokens = (struct xnm_zonetokens){
        .at = marked ? text + 3 : text, .end = text + len, .at_line = 1, .line = 1};
    tokens->entry = tokens->at;
    begin_line(tokens);
}

static void next_line(struct xnm_zonetokens *tokens)
{
    tokens->at_line++;
    tokens->at++;
    if (!tokens->in_entry)
        tokens->entry = tokens->at;
    if (xnm_stop_is_set(tokens->stop)) {
        tokens->at = tokens->end;
        tokens->depth = 0;
    }
    begin_line(tokens);
}

static xnm_zonetoken_result long_entry(struct xnm_zonetokens *tokens, struct xnm_zonefault *fault)
{
    xnm_zonefault_set(fault, tokens->entry,
                      "this entry has more than %d octets, comments included: expected one record, "
                      "which has at most 65535 octets of data",
                      XNM_ZONE_ENTRY_MAX);
    tokens->at = tokens->end;
    tokens->depth = 0;
    return XNM_ZONETOKEN_BAD;
}

/* --- kinds of octets --- */

enum {
    BLANK = 1,
    BREAK = 2,
    INNER = 4
}; /* white space; ends a bare word; needs more work inside
      one */

static const uint8_t octet_kinds[256] = {
    [' '] = BLANK | BREAK, ['\t'] = BLANK | BREAK, ['\n'] = BREAK, [';'] = BREAK, ['('] = BREAK,
    [')'] = BREAK,         ['\r'] = INNER,         ['\\'] = INNER, ['"'] = INNER};

static uint8_t octet_kind(const char *at)
{
    return octet_kinds[(uint8_t)*at];
}

/* A carriage return before a newline or the end of the text is white space, and part of the line's
 * end; elsewhere it is an ordinary octet. */
static bool is_line_end(const char *at, const char *end)
{
    if (at < end && *at == '\r')
        at++;
    return at == end || *at == '\n';
}

static bool is_blank(const char *at, const char *end)
{
    return octet_kind(at) & BLANK || (*at == '\r' && is_line_end(at, end));
}

static bool ends_word(const char *at, const char *end)
{
    return at == end || octet_kind(at) & BREAK || (*at == '\r' && is_line_end(at, end));
}

static const char *line_end(const char *at, const char *end)
{
    const char *newline = memchr(at, '\n', (size_t)(end - at));

    return newline ? newline : end;
}

/* --- tokens --- */

/* Returns the closing quote; NULL: the line has none. `at` is after the opening quote. */
static const char *closing_quote(const char *at, const char *end)
{
    for (; at < end && *at != '\n' && *at != '"'; at++)
        if (*at == '\\' && !is_line_end(at + 1, end))
            at++;
    return at < end && *at == '"' ? at : NULL;
}

static xnm_zonetoken_result unclosed_quote(struct xnm_zonetokens *tokens, const char *at,
                                           struct xnm_zonefault *fault)
{
    xnm_zonefault_set(fault, at, "this quote is not closed: expected a second '\"' on the line");
    tokens->at = line_end(at, tokens->end);
    return XNM_ZONETOKEN_BAD;
}

static xnm_zonetoken_result unquoted_token(struct xnm_zonetokens *tokens,
                                           struct xnm_zonetoken *token, struct xnm_zonefault *fault)
{
    const char *at = tokens->at, *end = tokens->end;

    for (; !ends_word(at, end); at++) {
        if (!(octet_kind(at) & INNER))
            continue;
        if (*at == '\\' && !is_line_end(at + 1, end))
            at++;
        else if (*at == '"') {
            const char *close = closing_quote(at + 1, end);
            if (!close)
                return unclosed_quote(tokens, at, fault);
            at = close;
        }
    }
    *token = (struct xnm_zonetoken){tokens->at, (size_t)(at - tokens->at), false};
    tokens->at = at;
    return XNM_ZONETOKEN_FOUND;
}

static xnm_zonetoken_result quoted_token(struct xnm_zonetokens *tokens, struct xnm_zonetoken *token,
                                         struct xnm_zonefault *fault)
{
    const char *start = tokens->at + 1, *at;
    const char *close = closing_quote(start, tokens->end);

    if (!close)
        return unclosed_quote(tokens, tokens->at, fault);
    tokens->at = close + 1;
    *token = (struct xnm_zonetoken){start, (size_t)(close - start), true};
    if (ends_word(tokens->at, tokens->end))
        return XNM_ZONETOKEN_FOUND;
    at = tokens->at;
    unquoted_token(tokens, token, fault); /* the text after it is not a token of its own */
    xnm_zonefault_set(
        fault, at, "text follows the closing quote: expected white space or the end of the line");
    return XNM_ZONETOKEN_BAD;
}

static bool parenthesis(struct xnm_zonetokens *tokens, struct xnm_zonefault *fault)
{
    const char *at = tokens->at++;

    if (*at == '(') {
        if (tokens->depth++ == 0)
            tokens->open = at;
        return true;
    }
    if (tokens->depth == 0)
        return xnm_zonefault_set(fault, at, "')' without a '(' before it");
    tokens->depth--;
    return true;
}

static xnm_zonetoken_result refused_comment(struct xnm_zonetokens *tokens,
                                            struct xnm_zonefault *fault)
{
    xnm_zonefault_set(fault, tokens->at,
                      "';' would begin a comment in a zone file: expected text "
                      "with it in double quotes, or '\\' before it");
    tokens->at = line_end(tokens->at, tokens->end);
    return XNM_ZONETOKEN_BAD;
}

static xnm_zonetoken_result end_of_text(struct xnm_zonetokens *tokens, struct xnm_zonefault *fault)
{
    if (tokens->depth == 0)
        return XNM_ZONETOKEN_NONE;
    xnm_zonefault_set(fault, tokens->open,
                      "this parenthesis is not closed: expected a ')' after it");
    tokens->depth = 0;
    return XNM_ZONETOKEN_BAD;
}

xnm_zonetoken_result xnm_zonetokens_next(struct xnm_zonetokens *tokens, struct xnm_zonetoken *token,
                                         struct xnm_zonefault *fault)
{
    while (tokens->at < tokens->end) {
        char c = *tokens->at;

        if (tokens->too_long)
            return long_entry(tokens, fault);
        if (c == '\n') {
            if (tokens->depth == 0)
                return XNM_ZONETOKEN_NONE;
            next_line(tokens);
        } else if (is_blank(tokens->at, tokens->end)) {
            tokens->at++;
        } else if (c == ';') {
            if (tokens->no_comments)
                return refused_comment(tokens, fault);
            tokens->at = line_end(tokens->at, tokens->end);
        } else if (c == '(' || c == ')') {
            if (!parenthesis(tokens, fault))
                return XNM_ZONETOKEN_BAD;
        } else {
            return c == '"' ? quoted_token(tokens, token, fault)
                            : unquoted_token(tokens, token, fault);
        }
    }
    return end_of_text(tokens, fault);
}

/* --- entries --- */

/* Moves to the newline that ends the current entry, or to the end of the text. */
static void leave_entry(struct xnm_zonetokens *tokens)
{
    struct xnm_zonetoken token;
    struct xnm_zonefault fault;

    while (tokens->in_entry)
        tokens->in_entry = xnm_zonetokens_next(tokens, &token, &fault) != XNM_ZONETOKEN_NONE;
}

bool xnm_zonetokens_next_entry(struct xnm_zonetokens *tokens, bool *indented)
{
    leave_entry(tokens);
    tokens->entry = tokens->at;
    while (tokens->at < tokens->end) {
        if (*tokens->at == '\n') {
            next_line(tokens);
        } else if (is_blank(tokens->at, tokens->end) && !tokens->too_long) {
            tokens->at++;
        } else if (*tokens->at == ';' && !tokens->no_comments && !tokens->too_long) {
            tokens->at = line_end(tokens->at, tokens->end);
        } else {
            *indented = tokens->at > tokens->entry;
            tokens->line = tokens->at_line;
            return tokens->in_entry = true;
        }
    }
    return false;
}
