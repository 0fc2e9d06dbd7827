/* SPDX-License-Identifier: BSD-3-Clause */
/* A daemon's or a module's file, which `check` and `enable` read as root: nothing outside of it is
 * read, and what it tells is text of its own. */
#include "tests/fuzz/target.h"

#include "tools/check/elffile.h"

/* Copies the input with a NUL after it, as in a file that was read. The caller frees it. */
static char *text_of(const uint8_t *data, size_t size, size_t added)
{
    char *text = malloc(size + added + 1);

    if (size > 0)
        memcpy(text, data, size);
    memset(text + size, 0, added + 1);
    return text;
}

static void expect_digits(const char *hex)
{
    assert_in_range(strlen(hex), 1, XNM_BUILD_ID_MAX);
    assert_int_equal(strspn(hex, "0123456789abcdef"), strlen(hex));
}

static void expect_ids(const struct xnm_textfile *image)
{
    struct xnm_build_id id;

    if (elffile_build_id(image, &id)) {
        expect_digits(id.hex);
        assert_int_equal(strlen(id.hex) % 2, 0);
    }
    if (elffile_wanted_build_id(image, &id)) {
        char *wanted = malloc(sizeof XNM_BUILD_ID_MARKER + XNM_BUILD_ID_MAX);
        expect_digits(id.hex);
        sprintf(wanted, "%s%s", XNM_BUILD_ID_MARKER, id.hex);
        assert_non_null(memmem(image->text, image->len, wanted, strlen(wanted)));
        free(wanted);
    }
}

static void expect_libraries(const struct xnm_textfile *image)
{
    const char *name = image->text;

    for (size_t n = 0; name; n++) {
        name = elffile_needed(image, n);
        assert_true(n <= image->len);
        if (name) {
            assert_in_range(name - image->text, 0, image->len);
            assert_in_range(strlen(name), 0, image->len - (size_t)(name - image->text));
        }
    }
}

static void expect_settings(const struct xnm_textfile *image)
{
    assert_int_equal(elffile_has_dynlib(image),
                     memmem(image->text, image->len, "dynlibmod_init", 14) != NULL);
}

/* A whole file stays whole, and an id is still found, whatever octets follow. */
static void expect_no_less(const struct xnm_textfile *image, const struct xnm_textfile *longer)
{
    struct xnm_build_id id;

    assert_true(!elffile_is_whole(image) || elffile_is_whole(longer));
    assert_true(!elffile_build_id(image, &id) || elffile_build_id(longer, &id));
    assert_true(!elffile_needed(image, 0) || elffile_needed(longer, 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { ADDED = 64 };
    struct xnm_textfile image = {.text = text_of(data, size, 0), .len = size};
    struct xnm_textfile longer = {.text = text_of(data, size, ADDED), .len = size + ADDED};

    expect_ids(&image);
    expect_libraries(&image);
    expect_settings(&image);
    expect_no_less(&image, &longer);
    free(image.text);
    free(longer.text);
    return 0;
}
