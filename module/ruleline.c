/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/ruleline.h"

#include "core/utf8.h"
#include "module/rulename.h"

#include <stdio.h>
#include <string.h>

enum { ERRORS_MAX = 20 /* of one line */ };

const char *xnm_ruleline_quote(const struct xnm_ruleline *line, const char *text, size_t len,
                               char dst[XNM_RULELINE_QUOTE_MAX])
{
    static const char cut[] = "...";
    size_t out = 0;

    for (size_t at = 0; at < len;) {
        char one[12];
        uint32_t cp;
        size_t cp_len = xn_utf8_read((const uint8_t *)text + at, len - at, &cp);
        size_t shown_len = (size_t)(xn_unicode_is_shown(line->options->unicode, cp)
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

/* --- names --- */

struct name_reading {
    struct xnm_ruleline *line;
    const struct xnm_word *word;
    size_t offset;
};

static void report_name(void *arg, xnm_severity severity, size_t at, const char *message)
{
    const struct name_reading *reading = arg;

    if (!xnm_ruleline_is_hopeless(reading->line))
        xnm_textline_report(&reading->line->text, severity,
                            xnm_word_place(reading->word, reading->offset + at), message);
}

bool xnm_ruleline_name(struct xnm_ruleline *line, const struct xnm_word *word, size_t offset,
                       struct xnm_wirename *name, bool *wildcard)
{
    struct name_reading reading = {line, word, offset};

    return xnm_rulename_read(line->options->unicode, word->text + offset, word->len - offset, name,
                             wildcard, report_name, &reading);
}

bool xnm_ruleline_is_hopeless(const struct xnm_ruleline *line)
{
    return line->text.errors - line->errors_before >= ERRORS_MAX;
}

/* Separators of Unicode (Zs, Zl and Zp) but U+0020. */
static bool is_foreign_space(uint32_t cp)
{
    return cp == 0xA0 || cp == 0x1680 || (cp >= 0x2000 && cp <= 0x200A) ||
           (cp >= 0x2028 && cp <= 0x2029) || cp == 0x202F || cp == 0x205F || cp == 0x3000;
}

/* What editors and input methods write for a blank would silently join words. */
static bool is_one_word(struct xnm_ruleline *line, const struct xnm_word *word)
{
    for (size_t at = 0; at < word->bare_len;) {
        uint32_t cp;
        size_t len = xn_utf8_read((const uint8_t *)word->text + at, word->bare_len - at, &cp);

        if (is_foreign_space(cp)) {
            xnm_textline_error(&line->text, word->at + at,
                               "U+%04X is a space of another kind: expected U+0020 or a tab",
                               (unsigned)cp);
            return false;
        }
        at += len;
    }
    return true;
}

xnm_word_result xnm_ruleline_word(struct xnm_ruleline *line, struct xnm_word *word)
{
    if (xnm_ruleline_is_hopeless(line)) {
        xnm_textline_error(&line->text, line->pos,
                           "the rest of the line was not read after %d errors", ERRORS_MAX);
        return XNM_WORD_BAD;
    }
    xnm_word_result result = xnm_textline_word(&line->text, &line->pos, line->buffer, word);
    if (result == XNM_WORD_FOUND && !is_one_word(line, word))
        result = XNM_WORD_BAD;
    return result;
}
