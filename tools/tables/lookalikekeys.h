/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of the program that makes the tables of core/lookalike/lookalike.c at build time:
 * lookalikerows.c reads the rows written by hand, lookalikekeys.c asks ICU and makes the keys,
 * lookalikewrite.c writes them. */
#ifndef XN_TOOLS_TABLES_LOOKALIKEKEYS_H
#define XN_TOOLS_TABLES_LOOKALIKEKEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CODE_POINTS = 0x110000,
    TEXT_MAX = 32, /* code points of a sequence */
    ROWS_MAX = 1024
};

struct text {
    int32_t len;
    int32_t cps[TEXT_MAX];
};

/* Maps each code point to a text; NULL if to itself. */
struct map {
    struct text *of[CODE_POINTS];
};

/* Writes a message and a line feed to standard error, and exits with 1. */
__attribute__((format(printf, 1, 2), noreturn)) void fail(const char *format, ...);

struct text text_of(int32_t cp);
bool text_equal(struct text a, struct text b);

void map_set(struct map *map, int32_t cp, struct text text);
struct text map_apply(const struct map *map, struct text text);

bool is_surrogate(int32_t cp);
bool is_hangul_syllable(int32_t cp); /* it is mapped to its jamo, and has no row */

/* --- lookalikerows.c --- */

typedef enum {
    SECTION_NONE,
    SECTION_EXACT,
    SECTION_STRICT,
    SECTION_SECOND,
    SECTION_LOOSE
} key_section;

/* A row of the table. */
struct row {
    int line;
    key_section section;
    int32_t cp;
    struct text looks;
};

struct rows {
    const char *path;
    size_t len;
    struct row row[ROWS_MAX];
};

/* Reads the table. Leaves out rows that end with "(before Unicode V)" if ICU has Unicode V or
 * newer. Exits with 1 at a malformed row. */
void read_rows(const char *path, struct rows *rows);

/* --- lookalikewrite.c --- */

struct keys {
    struct map exact, strict, loose;
    /* For each code point: whether it leaves no trace after ASCII in a strict key, and whether
     * canonical ordering moves it. */
    bool slight[CODE_POINTS], ordered[CODE_POINTS];
    uint8_t second[CODE_POINTS]; /* the ASCII that it is taken for as well, or 0 */
};

/* Writes the header to standard output. */
void write_keys(const struct keys *keys, const char *unicode_version);

#endif
