/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the table written by hand, core/lookalike/lookalike.table, and defines texts and maps. */
#include "tools/tables/lookalikekeys.h"

#include "core/text/utf8char.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unicode/uchar.h>

void fail(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    exit(1);
}

/* --- texts and maps --- */

static void text_add(struct text *text, int32_t cp)
{
    if (text->len == TEXT_MAX)
        fail("lookalike: a sequence is longer than %d code points", TEXT_MAX);
    text->cps[text->len++] = cp;
}

struct text text_of(int32_t cp)
{
    return (struct text){1, {cp}};
}

bool text_equal(struct text a, struct text b)
{
    return a.len == b.len && memcmp(a.cps, b.cps, (size_t)a.len * sizeof *a.cps) == 0;
}

void map_set(struct map *map, int32_t cp, struct text text)
{
    free(map->of[cp]);
    map->of[cp] = NULL;
    if (text_equal(text, text_of(cp)))
        return;
    map->of[cp] = malloc(sizeof text);
    if (!map->of[cp])
        fail("lookalike: no memory");
    *map->of[cp] = text;
}

struct text map_apply(const struct map *map, struct text text)
{
    struct text result = {0, {0}};

    for (int32_t i = 0; i < text.len; i++) {
        const struct text *to = map->of[text.cps[i]];
        if (!to)
            text_add(&result, text.cps[i]);
        for (int32_t j = 0; to && j < to->len; j++)
            text_add(&result, to->cps[j]);
    }
    return result;
}

bool is_surrogate(int32_t cp)
{
    return cp >= 0xD800 && cp <= 0xDFFF;
}

bool is_hangul_syllable(int32_t cp)
{
    return cp >= 0xAC00 && cp < 0xAC00 + 11172;
}

/* --- rows --- */

struct place {
    const char *path;
    int line;
};

__attribute__((noreturn)) static void fail_at(const struct place *place, const char *what)
{
    fail("%s:%d: %s", place->path, place->line, what);
}

/* Takes the next word of a line, and moves *at past it. */
static struct text take_word(const struct place *place, const char **at)
{
    struct text word = {0, {0}};

    *at += strspn(*at, " ");
    for (const char *end = *at + strcspn(*at, " \n"); *at < end;) {
        uint32_t cp = 0;
        size_t len = xn_utf8_read((const uint8_t *)*at, (size_t)(end - *at), &cp);
        if (len == 0)
            fail_at(place, "not UTF-8");
        text_add(&word, (int32_t)cp);
        *at += len;
    }
    return word;
}

static int32_t take_code_point(const struct place *place, const char **at)
{
    size_t digits = strncmp(*at, "U+", 2) == 0 ? strspn(*at + 2, "0123456789ABCDEF") : 0;
    unsigned long cp = strtoul(*at + (digits ? 2 : 0), NULL, 16);

    if (digits < 4 || digits > 6 || (*at)[2 + digits] != ' ')
        fail_at(place, "expected U+, a code point in four to six digits or capitals, and a space");
    if (cp >= CODE_POINTS || is_surrogate((int32_t)cp))
        fail_at(place, "there is no such character");
    *at += 2 + digits;
    return (int32_t)cp;
}

/* Returns whether a row is only for versions of Unicode older than ICU's. */
static bool is_outdated(const char *reason)
{
    static const char words[] = "(before Unicode ";
    const char *before = strstr(reason, words);
    UVersionInfo version = {0}, ours;

    if (before)
        u_versionFromString(version, before + strlen(words));
    u_getUnicodeVersion(ours);
    return version[0] > 0 && memcmp(ours, version, sizeof version) >= 0;
}

static void read_row(const struct place *place, const char *at, key_section section,
                     struct rows *rows)
{
    const int32_t dotted_circle = 0x25CC;
    struct row row = {place->line, section, take_code_point(place, &at), {0, {0}}};
    struct text shown = take_word(place, &at);

    row.looks = take_word(place, &at);
    if (shown.len < 1 || shown.len > 2 || shown.cps[shown.len - 1] != row.cp ||
        (shown.len == 2 && shown.cps[0] != dotted_circle))
        fail_at(place, "expected the character of this code point behind it");
    if (row.looks.len == 0 || (row.looks.len == 1 && row.looks.cps[0] == row.cp))
        fail_at(place, "expected what the character looks like behind it");
    if (at[strspn(at, " \n")] == '\0')
        fail_at(place, "expected a reason at the end");
    for (size_t i = 0; i < rows->len; i++)
        if (rows->row[i].section == section && rows->row[i].cp == row.cp)
            fail("%s:%d: line %d is for this character too", place->path, place->line,
                 rows->row[i].line);
    if (rows->len == ROWS_MAX)
        fail_at(place, "more rows than ROWS_MAX of tools/tables/lookalikekeys.h");
    if (!is_outdated(at))
        rows->row[rows->len++] = row;
}

static key_section find_section(const char *line)
{
    return strcmp(line, "[exact]\n") == 0    ? SECTION_EXACT
           : strcmp(line, "[strict]\n") == 0 ? SECTION_STRICT
           : strcmp(line, "[second]\n") == 0 ? SECTION_SECOND
           : strcmp(line, "[loose]\n") == 0  ? SECTION_LOOSE
                                             : SECTION_NONE;
}

void read_rows(const char *path, struct rows *rows)
{
    FILE *file = fopen(path, "r");
    struct place place = {path, 0};
    key_section section = SECTION_NONE;
    char line[256];

    if (!file)
        fail("%s: cannot be read", path);
    rows->path = path;
    rows->len = 0;
    while (fgets(line, sizeof line, file)) {
        place.line++;
        if (!strchr(line, '\n'))
            fail_at(&place, "expected a newline within 255 octets");
        if (line[0] == '#' || line[0] == '\n')
            continue;
        if (line[0] == '[') {
            section = find_section(line);
            if (section == SECTION_NONE)
                fail_at(&place, "expected [exact], [strict], [second] or [loose]");
        } else if (section == SECTION_NONE) {
            fail_at(&place, "expected [exact], [strict], [second] or [loose] before the first row");
        } else {
            read_row(&place, line, section, rows);
        }
    }
    fclose(file);
}
