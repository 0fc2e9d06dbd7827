/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/vectors.h"

#include <elf.h>

#include "module/base/buildid.h"
#include "module/file/textfile.h"
#include "tests/unit/exact.h"

enum { NOTES_MAX = 256, GNU = NT_GNU_BUILD_ID };

struct note {
    uint32_t type;
    const char *name; /* with its NUL */
    uint32_t name_len;
    const char *description;
    uint32_t description_len;
};

static struct row {
    const char *what, *expected; /* NULL: none is found */
    uint64_t alignment;
    struct note notes[3];
    size_t cut; /* octets missing at the end */
} rows[] = {
    {"no notes", NULL, 4, {{0}}, 0},
    {"an id", "01ab", 4, {{GNU, "GNU", 4, "\x01\xAB", 2}}, 2},
    {"an id behind other notes",
     "ff00",
     4,
     {{1, "GNU", 4, "abc", 3}, {GNU, "LLVM", 5, "x", 1}, {GNU, "GNU", 4, "\xFF\0", 2}},
     2},
    {"the same, padded to 8 octets",
     "ff00",
     8,
     {{5, "GNU", 4, "abc", 3}, {GNU, "LLVM", 5, "x", 1}, {GNU, "GNU", 4, "\xFF\0", 2}},
     2},
    {"another owner", NULL, 4, {{GNU, "BSD", 4, "\x01", 1}}, 0},
    {"an empty id", NULL, 4, {{GNU, "GNU", 4, "", 0}}, 0},
    {"an id that is cut off", NULL, 4, {{GNU, "GNU", 4, "\x01\xAB\xCD\xEF", 4}}, 1},
    {"a header that is cut off", NULL, 4, {{GNU, "GNU", 4, "\x01\xAB\xCD\xEF", 4}}, 9},
    {"a name that wraps", NULL, 4, {{GNU, "GNU", UINT32_MAX, "", 0}}, 0},
    {"a description that wraps", NULL, 4, {{GNU, "GNU", 4, "", UINT32_MAX}}, 0},
};

static size_t pad(uint8_t *dst, size_t len, uint64_t alignment)
{
    for (; len % alignment != 0; len++)
        dst[len] = 0;
    return len;
}

/* Lengths that no buffer holds are written as they are, with nothing behind them. */
static size_t put_note(uint8_t *dst, size_t at, const struct note *note, uint64_t alignment)
{
    uint32_t header[3] = {note->name_len, note->description_len, note->type};

    memcpy(dst + at, header, sizeof header);
    at += sizeof header;
    if (note->name_len > 8 || note->description_len > 8)
        return at;
    memcpy(dst + at, note->name, note->name_len);
    at = pad(dst, at + note->name_len, alignment);
    memcpy(dst + at, note->description, note->description_len);
    return pad(dst, at + note->description_len, alignment);
}

TEST_ROWS(test_row, rows, what)
{
    const struct row *row = *state;
    struct xnm_build_id id = {"untouched"};
    uint8_t notes[NOTES_MAX];
    size_t len = 0;

    for (size_t i = 0; i < 3 && row->notes[i].name; i++)
        len = put_note(notes, len, &row->notes[i], row->alignment);
    len -= row->cut;
    uint8_t *exact = exact_copy(notes, len);
    bool found = xnm_build_id_in_notes(exact, len, row->alignment, &id);
    free(exact);
    assert_int_equal(found, row->expected != NULL);
    assert_string_equal(id.hex, row->expected ? row->expected : "untouched");
}

/* Ids of up to 64 octets are whole; no linker makes longer ones. */
TEST(test_longest, "a very long id")
{
    uint8_t notes[NOTES_MAX] = {0};
    uint32_t header[3] = {4, 80, GNU};
    struct xnm_build_id id;

    memcpy(notes, header, sizeof header);
    memcpy(notes + 12, "GNU", 4);
    assert_true(xnm_build_id_in_notes(notes, 16 + 80, 4, &id));
    assert_int_equal(strlen(id.hex), XNM_BUILD_ID_MAX);
}

/* The file of this very program, whole and cut off anywhere: its id, or none. */
TEST(test_file, "the file of a program")
{
    struct xnm_build_id own, id;
    struct xnm_textfile file;

    assert_null(xnm_textfile_read("/proc/self/exe", SIZE_MAX, &file));
    assert_true(xnm_build_id_of_image(file.text, file.len, &id));
    xnm_build_id_of_program(&own);
    assert_string_equal(id.hex, own.hex);
    for (size_t len = 0; len < 4096 && len < file.len; len++) {
        uint8_t *cut = exact_copy((const uint8_t *)file.text, len);
        if (xnm_build_id_of_image((const char *)cut, len, &id))
            assert_string_equal(id.hex, own.hex);
        free(cut);
    }
    xnm_textfile_free(&file);
}

TEST_MAIN
