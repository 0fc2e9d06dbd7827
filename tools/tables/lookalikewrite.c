/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the tables of core/lookalike/lookalike.c as C: a pool of sequences, and in three stages
 * the offset of each code point's sequence. */
#include "tools/tables/lookalikekeys.h"

#include "core/text/utf8char.h"

#include <stdio.h>
#include <string.h>

enum {
    BLOCK = 16,
    CODE_POINTS_END = 0x30000, /* no code point from here on has a sequence, except in plane 14 */
    POOL_MAX = 65536,
    /* The octet before each sequence: flags, and the length of the sequence in octets. */
    SLIGHT = 0x80,  /* an exact one begins with a slight code point; a strict one has or maps one */
    ORDERED = 0x40, /* canonical ordering moves the code point */
    EXACT = 0x20,   /* this is the sequence of the exact key, and that of the strict key follows,
                       with its own octet. Without EXACT, it is that of the strict key alone. */
    LENGTH = 0x1F,
    /* The numbers of core/lookalike/lookalike.h, which the table's first lines compare. This file
     * does not include it: the table would be made again at each change of a header that it
     * includes. */
    KEY_EXACT = 0,
    KEY_LOOSE = 2,
    KEY_SEQUENCE_MAX = 32,
    FOLDED = KEY_LOOSE + 1,    /* the row for ASCII that follows the rows of the keys */
    PADDING = KEY_SEQUENCE_MAX /* so many octets can be read from any sequence on */
};
_Static_assert((int)KEY_SEQUENCE_MAX > (int)LENGTH, "what fits here fits there");

static uint8_t pool[POOL_MAX];
static size_t pool_len = 1; /* offset 0 means that a code point stands for itself */
static uint16_t sequence_at[CODE_POINTS_END];

static size_t encode(struct text text, uint8_t *dst)
{
    size_t len = 0;

    for (int32_t i = 0; i < text.len; i++)
        len += xn_utf8_write((uint32_t)text.cps[i], dst + len);
    return len;
}

/* Writes a sequence after its octet of flags and length. Returns the number of octets written. */
static size_t write_sequence(struct text text, unsigned flags, uint8_t *dst)
{
    size_t len = encode(text, dst + 1);

    if (len > LENGTH)
        fail("lookalike: a sequence has %zu octets", len);
    dst[0] = (uint8_t)(flags | len);
    return len + 1;
}

static size_t entry_len(const uint8_t *entry)
{
    size_t len = 1 + (*entry & LENGTH);

    return *entry & EXACT ? len + 1 + (entry[len] & LENGTH) : len;
}

/* Returns the offset of an entry in the pool, and adds it if it is new. */
static uint16_t pool_add(const uint8_t *entry, size_t len)
{
    size_t at = 1;

    while (at < pool_len && (entry_len(pool + at) != len || memcmp(pool + at, entry, len) != 0))
        at += entry_len(pool + at);
    if (at == pool_len) {
        if (pool_len + len + PADDING > POOL_MAX)
            fail("lookalike: the pool is full");
        memcpy(pool + pool_len, entry, len);
        pool_len += len;
    }
    return (uint16_t)at;
}

static uint8_t flags_of(const struct keys *keys, int32_t cp)
{
    return (uint8_t)((keys->slight[cp] ? SLIGHT : 0) | (keys->ordered[cp] ? ORDERED : 0));
}

static unsigned slight_in(const struct keys *keys, struct text text, int32_t len)
{
    for (int32_t i = 0; i < len; i++)
        if (keys->slight[text.cps[i]])
            return SLIGHT;
    return 0;
}

static uint16_t add_sequence(const struct keys *keys, int32_t cp)
{
    struct text self = text_of(cp), *exact = keys->exact.of[cp];
    struct text strict = map_apply(&keys->strict, exact ? *exact : self);
    uint8_t entry[2 * (1 + TEXT_MAX * XN_UTF8_MAX)];
    size_t len = 0;

    if (exact)
        len = write_sequence(*exact, EXACT | slight_in(keys, *exact, exact->len > 0), entry);
    unsigned flags = slight_in(keys, strict, strict.len) | (exact ? 0 : flags_of(keys, cp));
    if (!exact && flags == 0 && text_equal(strict, self))
        return 0;
    return pool_add(entry, len + write_sequence(strict, flags, entry + len));
}

/* Checks what core/lookalike/lookalike.h promises of every sequence. */
static void check_length(const struct keys *keys, int32_t cp)
{
    struct text strict = map_apply(&keys->strict, text_of(cp));
    uint8_t octets[TEXT_MAX * XN_UTF8_MAX];

    if (encode(map_apply(&keys->exact, text_of(cp)), octets) > KEY_SEQUENCE_MAX ||
        encode(strict, octets) > KEY_SEQUENCE_MAX ||
        encode(map_apply(&keys->loose, strict), octets) > KEY_SEQUENCE_MAX)
        fail("lookalike: U+%04X has too long a sequence", (unsigned)cp);
}

/* U+E0000 to U+E0FFF are default ignorable, assigned or not. core/lookalike/lookalike.c knows, so
 * they need no entry. */
static void make_sequences(const struct keys *keys)
{
    for (int32_t cp = 0; cp < CODE_POINTS; cp++) {
        const struct text *exact = keys->exact.of[cp];
        check_length(keys, cp);
        if (cp >= 0xE0000 && cp <= 0xE0FFF && (!exact || exact->len > 0))
            fail("lookalike: U+%04X leaves a trace", (unsigned)cp);
        if (is_hangul_syllable(cp) || (cp >= 0xE0000 && cp <= 0xE0FFF))
            continue;
        uint16_t at = add_sequence(keys, cp);
        if (cp < CODE_POINTS_END)
            sequence_at[cp] = at;
        else if (at)
            fail("lookalike: U+%04X has a sequence", (unsigned)cp);
    }
}

static void write_numbers(const char *name, const uint16_t *numbers, size_t len)
{
    printf("static const uint16_t %s[] = {", name);
    for (size_t i = 0; i < len; i++)
        printf("%s%u,", i % 20 == 0 ? "\n" : " ", (unsigned)numbers[i]);
    printf("\n};\n");
}

/* Cuts len numbers into blocks of BLOCK and keeps, in place, one copy of each block. block_at gets
 * the index of the copy for each block. Returns how many numbers are kept. */
static size_t share_blocks(uint16_t *numbers, size_t len, uint16_t *block_at)
{
    size_t count = 0;

    for (size_t at = 0; at < len; at += BLOCK) {
        size_t block = 0;
        while (block < count &&
               memcmp(numbers + block * BLOCK, numbers + at, BLOCK * sizeof *numbers) != 0)
            block++;
        if (block == count)
            memmove(numbers + count++ * BLOCK, numbers + at, BLOCK * sizeof *numbers);
        block_at[at / BLOCK] = (uint16_t)block;
    }
    return count * BLOCK;
}

/* Writes three stages: 16 characters to a line, 16 lines to a page, as in Unicode's charts. */
static void write_stages(void)
{
    static uint16_t line_of[CODE_POINTS_END / BLOCK], page_of[CODE_POINTS_END / BLOCK / BLOCK];
    size_t sequences = share_blocks(sequence_at, CODE_POINTS_END, line_of);
    size_t lines = share_blocks(line_of, CODE_POINTS_END / BLOCK, page_of);

    write_numbers("page_of", page_of, CODE_POINTS_END / BLOCK / BLOCK);
    write_numbers("line_of", line_of, lines);
    write_numbers("sequence_at", sequence_at, sequences);
}

static void write_pool(void)
{
    printf("static const uint8_t pool[] = {");
    for (size_t i = 0; i < pool_len + PADDING; i++)
        printf("%s%u,", i % 20 == 0 ? "\n" : " ", (unsigned)pool[i]);
    printf("\n};\n");
}

/* Returns the text of an octet in the key of a label that is not decoded: ASCII letters in lower
 * case before mapping, other octets as they are. For FOLDED, the text in a key with the wide class
 * folded. */
static struct text ascii_text(const struct keys *keys, int row, int32_t cp)
{
    bool capital = cp >= 'A' && cp <= 'Z', small = cp >= 'a' && cp <= 'z';
    bool folded = small || (cp >= '0' && cp <= '9') || cp == 'O';
    struct text text = text_of(capital && (row != FOLDED || folded) ? cp | 0x20 : cp);

    if (cp >= 0x80 || (row == FOLDED && !folded))
        return text;
    text = map_apply(row == KEY_EXACT ? &keys->exact : &keys->strict, text);
    return row >= KEY_LOOSE ? map_apply(&keys->loose, text) : text;
}

/* Writes the first or second octet of each text. */
static void write_ascii_row(const struct keys *keys, int row, int32_t octet_at)
{
    printf("    {");
    for (int32_t cp = 0; cp < 0x100; cp++) {
        struct text text = ascii_text(keys, row, cp);
        if (text.len < 1 || text.len > 2 || (cp < 0x80 && (text.cps[0] | text.cps[1]) >= 0x80))
            fail("lookalike: U+%04X is not mapped to one or two of ASCII", (unsigned)cp);
        printf("%s%d,", cp % 20 == 0 ? "\n" : " ", octet_at < text.len ? text.cps[octet_at] : 0);
    }
    printf("\n},\n");
}

/* Writes a row for each key, and one for FOLDED. */
static void write_ascii(const struct keys *keys, const char *name, int32_t octet_at)
{
    printf("static const uint8_t %s[][256] = {\n", name);
    for (int row = KEY_EXACT; row <= FOLDED; row++)
        write_ascii_row(keys, row, octet_at);
    printf("};\n");
}

/* Writes the characters with a second reading, in order, and bits of which those are set that have
 * the number of such a character, modulo their count. */
static void write_second(const struct keys *keys)
{
    enum { WORDS = 64 };
    uint64_t bits[WORDS] = {0};

    printf("static const struct { uint32_t cp; uint8_t letter; } seconds[] = {");
    for (uint32_t cp = 0; cp < CODE_POINTS; cp++)
        if (keys->second[cp]) {
            printf("\n{0x%X, '%c'},", (unsigned)cp, keys->second[cp]);
            bits[cp / 64 % WORDS] |= (uint64_t)1 << cp % 64;
        }
    printf("};\nstatic const uint64_t second_bits[%d] = {", WORDS);
    for (size_t i = 0; i < WORDS; i++)
        printf("\n0x%llX,", (unsigned long long)bits[i]);
    printf("};\n");
}

void write_keys(const struct keys *keys, const char *unicode_version)
{
    make_sequences(keys);
    printf("/* Made by tools/tables/lookalikekeys.c. Unicode %s. */\n", unicode_version);
    printf("_Static_assert(XN_KEY_EXACT == %d && (int)XN_KEY_LOOSE == %d && "
           "(int)XN_KEY_SEQUENCE_MAX == %d, \"as in tools/tables\");\n",
           KEY_EXACT, KEY_LOOSE, KEY_SEQUENCE_MAX);
    printf("enum { BLOCK = %d, CODE_POINTS_END = %d };\n", BLOCK, CODE_POINTS_END);
    printf("enum { SLIGHT = %d, ORDERED = %d, EXACT = %d, LENGTH = %d, FOLDED = %d };\n", SLIGHT,
           ORDERED, EXACT, LENGTH, FOLDED);
    write_ascii(keys, "ascii_first", 0);
    write_ascii(keys, "ascii_second", 1);
    write_stages();
    write_pool();
    write_second(keys);
}
