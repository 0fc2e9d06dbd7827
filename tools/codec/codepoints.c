/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/codec/codepoints.h"

#include "core/text/hexadecimal.h"

#include <stdlib.h>
#include <string.h>

void codepoints_free(struct codepoints *string)
{
    free(string->cps);
    free(string->upper);
}

void codepoints_reserve(struct codepoints *string, size_t more)
{
    if (more <= string->cap - string->len)
        return;
    string->cap = (string->len + more) * 2;
    string->cps = realloc(string->cps, string->cap * sizeof *string->cps);
    string->upper = realloc(string->upper, string->cap * sizeof *string->upper);
    if (!string->cps || !string->upper)
        buffer_out_of_memory();
}

/* Returns whether scanf skips this character in the program of RFC 3492, appendix C. A line feed
 * ends a text before that. */
static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Finds the next word at or after *at. Returns its length, or 0 at the end. */
static size_t next_word(const char **at, const char *end)
{
    const char *word_end;

    while (*at < end && is_blank(**at))
        ++*at;
    for (word_end = *at; word_end < end && !is_blank(*word_end); word_end++)
        ;
    return (size_t)(word_end - *at);
}

/* Reads "u+00FC" with any number of digits. What is above U+10FFFF becomes some number above it. */
static bool read_word(const char *word, size_t len, uint32_t *cp)
{
    if (len < 3 || (word[0] != 'u' && word[0] != 'U') || word[1] != '+')
        return false;
    *cp = 0;
    for (size_t i = 2; i < len; i++) {
        uint32_t digit = xn_hexadecimal_value((uint8_t)word[i]);
        if (digit == XN_HEXADECIMAL_NONE)
            return false;
        *cp = *cp > 0x10FFFF ? *cp : *cp << 4 | digit;
    }
    return true;
}

/* No text may be NULL, to which C adds nothing, not even 0. */
static const char *end_of(const char *text, size_t len)
{
    return len > 0 ? text + len : text;
}

bool codepoints_are_written(const char *text, size_t len)
{
    const char *at = text, *end = end_of(text, len);
    size_t count = 0, word_len;
    uint32_t cp;

    for (; (word_len = next_word(&at, end)) > 0; at += word_len, count++)
        if (!read_word(at, word_len, &cp))
            return false;
    return count > 0;
}

bool codepoints_read(struct codepoints *string, const char *text, size_t len,
                     struct codepoints_fault *fault)
{
    const char *at = text, *end = end_of(text, len);
    size_t word_len;
    uint32_t cp;

    string->flagged = true;
    for (; (word_len = next_word(&at, end)) > 0; at += word_len) {
        *fault = (struct codepoints_fault){.at = at, .len = word_len};
        if (!read_word(at, word_len, &cp))
            fault->what = "expected a code point, such as u+00FC or U+00FC";
        else if (cp > 0x10FFFF)
            fault->what = "expected at most U+10FFFF, the last code point of Unicode";
        else if (cp - 0xD800 < 0x800)
            fault->what = "a surrogate: expected the code point of a character";
        else if (string->len == CODEPOINTS_MAX)
            fault->what = "expected at most 10,000 code points";
        if (fault->what)
            return false;
        codepoints_reserve(string, 1);
        string->cps[string->len] = cp;
        string->upper[string->len++] = *at == 'U';
    }
    return true;
}

void codepoints_write(const struct codepoints *string, struct buffer *out)
{
    for (size_t i = 0; i < string->len; i++)
        buffer_format(out, "%c+%04X\n", string->upper[i] ? 'U' : 'u', (unsigned)string->cps[i]);
}
