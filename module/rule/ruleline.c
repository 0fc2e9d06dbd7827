/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/rule/ruleline.h"

#include "core/idna/property.h"
#include "core/text/utf8char.h"
#include "module/name/rulename.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { ERRORS_MAX = 20 /* in one line */ };

const char *xnm_ruleline_quote(const char *text, size_t len, char dst[XNM_RULELINE_QUOTE_MAX])
{
    static const char cut[] = "...";
    size_t out = 0;

    for (size_t at = 0; at < len;) {
        char one[12];
        uint32_t cp;
        size_t cp_len = xn_utf8_read((const uint8_t *)text + at, len - at, &cp);
        size_t shown_len = (size_t)(xn_unicode_is_shown(cp)
                                        ? snprintf(one, sizeof one, "%.*s", (int)cp_len, text + at)
                                        : snprintf(one, sizeof one, "\\u{%X}", (unsigned)cp));
        if (out + shown_len + sizeof cut > XNM_RULELINE_QUOTE_MAX) {
            memcpy(dst + out, cut, sizeof cut);
            return dst;
        }
        memcpy(dst + out, one, shown_len);
        out += shown_len;
        at += cp_len;
    }
    dst[out] = '\0';
    return dst;
}

const char *xnm_ruleline_stranger(const char *text, size_t len, char dst[XNM_RULELINE_STRANGER_MAX])
{
    unsigned number = 1;

    dst[0] = '\0';
    for (size_t at = 0; at < len; number++) {
        uint32_t cp;
        size_t cp_len = xn_utf8_read((const uint8_t *)text + at, len - at, &cp);

        if (cp >= 0x80) {
            snprintf(dst, XNM_RULELINE_STRANGER_MAX, " (U+%04X at character %u)", (unsigned)cp,
                     number);
            return dst;
        }
        at += cp_len;
    }
    return dst;
}

void xnm_ruleline_unknown(struct xnm_ruleline *line, const struct xnm_word *word, size_t len,
                          const char *equals, const char *what, const char *near,
                          const char *expected)
{
    char quote[XNM_RULELINE_QUOTE_MAX], stranger[XNM_RULELINE_STRANGER_MAX];

    xnm_textline_error(&line->text, word->at, "'%s%s'%s is not %s: %s%s%s%s",
                       xnm_ruleline_quote(word->text, len, quote), equals,
                       xnm_ruleline_stranger(word->text, len, stranger), what,
                       near ? "did you mean '" : "expected ", near ? near : expected,
                       near ? equals : "", near ? "'?" : "");
}

/* --- parts of words --- */

const char *xnm_ruleline_place(const struct xnm_ruleline_part *part, size_t offset)
{
    return xnm_word_place(part->word, (size_t)(part->text - part->word->text) + offset);
}

bool xnm_ruleline_is(const struct xnm_ruleline_part *part, const char *text)
{
    return part->len == strlen(text) && memcmp(part->text, text, part->len) == 0;
}

void xnm_ruleline_refuse(struct xnm_ruleline *line, const struct xnm_ruleline_part *part,
                         size_t offset, const char *format, ...)
{
    char quote[XNM_RULELINE_QUOTE_MAX], message[512];
    va_list args;

    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    xnm_ruleline_quote(part->text, part->len, quote);
    xnm_textline_error(&line->text, xnm_ruleline_place(part, offset), "'%s' %s", quote, message);
}

/* Returns whether the line has too many errors. */
static bool has_too_many_errors(const struct xnm_ruleline *line)
{
    return line->text.errors - line->errors_before >= ERRORS_MAX;
}

void xnm_ruleline_split(struct xnm_ruleline *line, const struct xnm_ruleline_part *part,
                        void (*item)(struct xnm_ruleline *line,
                                     const struct xnm_ruleline_part *part))
{
    const char *end = part->text + part->len;

    for (const char *at = part->text; at <= end && !has_too_many_errors(line);) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *item_end = comma ? comma : end;

        item(line, &(struct xnm_ruleline_part){part->word, at, (size_t)(item_end - at)});
        at = item_end + 1;
    }
}

/* --- paths --- */

static bool is_url(const char *text, size_t len)
{
    return (len >= 8 && memcmp(text, "https://", 8) == 0) ||
           (len >= 7 && memcmp(text, "http://", 7) == 0);
}

char *xnm_ruleline_path(struct xnm_ruleline *line, const char *at, const char *text, size_t len,
                        const char *remedy, unsigned *column)
{
    char *path = NULL;

    *column = xnm_textline_place(&line->text, at).column;
    if (len == 0)
        xnm_textline_error(&line->text, at, "this path is empty: expected the path of a file");
    else if (is_url(text, len))
        xnm_textline_error(&line->text, at, "this is a URL: expected the path of a file%s", remedy);
    else if (!(path = xnm_textline_path(line->text.file, text, len)))
        xnm_textline_no_memory(&line->text, at);
    return path;
}

/* --- names --- */

struct name_reading {
    struct xnm_ruleline *line;
    const struct xnm_ruleline_part *part;
};

static void report_name(void *arg, xnm_severity severity, size_t at, const char *message)
{
    const struct name_reading *reading = arg;

    if (!has_too_many_errors(reading->line))
        xnm_textline_diagnose(&reading->line->text, severity, xnm_ruleline_place(reading->part, at),
                              message);
}

bool xnm_ruleline_name(struct xnm_ruleline *line, const struct xnm_ruleline_part *part,
                       struct xnm_wirename *name, bool *wildcard)
{
    struct name_reading reading = {line, part};

    return xnm_rulename_read(line->options->unicode, part->text, part->len, name, wildcard,
                             report_name, &reading);
}

/* Returns whether a character is a separator of Unicode (Zs, Zl and Zp) other than U+0020. */
static bool is_foreign_space(uint32_t cp)
{
    return cp == 0xA0 || cp == 0x1680 || (cp >= 0x2000 && cp <= 0x200A) ||
           (cp >= 0x2028 && cp <= 0x2029) || cp == 0x202F || cp == 0x205F || cp == 0x3000;
}

/* Returns whether the word has no space that editors and input methods write in place of a blank,
 * which would join words. Reports such a space. */
static bool is_one_word(struct xnm_ruleline *line, const struct xnm_word *word)
{
    for (size_t at = 0; at < word->unquoted_len;) {
        uint32_t cp;
        size_t len = xn_utf8_read((const uint8_t *)word->text + at, word->unquoted_len - at, &cp);

        if (is_foreign_space(cp)) {
            xnm_textline_error(&line->text, word->at + at,
                               "U+%04X is another kind of space: expected U+0020 or a tab",
                               (unsigned)cp);
            return false;
        }
        at += len;
    }
    return true;
}

xnm_word_result xnm_ruleline_word(struct xnm_ruleline *line, struct xnm_word *word)
{
    if (has_too_many_errors(line)) {
        xnm_textline_error(&line->text, line->pos,
                           "the rest of the line was not read after %d errors", ERRORS_MAX);
        return XNM_WORD_BAD;
    }
    xnm_word_result result = xnm_textline_word(&line->text, &line->pos, line->buffer, word);
    if (result == XNM_WORD_FOUND && !is_one_word(line, word))
        result = XNM_WORD_BAD;
    return result;
}

xnm_word_result xnm_ruleline_subject(struct xnm_ruleline *line, const char *what,
                                     struct xnm_word *word)
{
    xnm_word_result result = xnm_ruleline_word(line, word);
    bool found = result == XNM_WORD_FOUND;
    xnm_option option;

    line->subject_at = found ? word->at : line->pos;
    if (result == XNM_WORD_BAD ||
        (found && !xnm_ruletable_find_option(word->text, xnm_ruleoption_key(word), &option)))
        return result;
    xnm_textline_error(&line->text, line->subject_at, "%s needs %s after it",
                       xnm_trigger_word(line->rule.trigger), what);
    line->pos = line->subject_at;
    return XNM_WORD_NONE;
}
