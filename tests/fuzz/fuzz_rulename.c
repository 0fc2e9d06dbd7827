/* SPDX-License-Identifier: BSD-3-Clause */
/* Names as operators write them: a wire name or an error, and what a name is as text is read as the
 * same name; so it is as ldns reads it. */
#include "tests/fuzz/reports.h"
#include "tests/fuzz/zonelines.h"

#include "core/names/presentation.h"
#include "module/name/rulename.h"

struct said {
    size_t size, errors;
};

static void expect_said(void *arg, xnm_severity severity, size_t at, const char *message)
{
    struct said *said = arg;

    assert_in_range(at, 0, said->size);
    expect_message(message);
    said->errors += severity == XNM_ERROR;
}

static bool read_name(const char *octets, size_t len, struct xnm_wirename *name, bool *wildcard)
{
    struct said said = {.size = len};
    char *text = exact_copy(octets, len);
    struct xnm_wirename quiet;
    struct xn_wire_cursor cursor;
    bool quiet_wildcard;
    bool good = xnm_rulename_read(target_unicode(), text, len, name, wildcard, expect_said, &said);

    assert_int_equal(good, said.errors == 0);
    assert_in_range(said.errors, 0, 8);
    assert_int_equal(
        xnm_rulename_read(target_unicode(), text, len, &quiet, &quiet_wildcard, NULL, NULL), good);
    expect_octets(quiet.octets, quiet.len, name->octets, name->len);
    if (good) {
        assert_int_equal(quiet_wildcard, *wildcard);
        assert_int_equal(xn_wire_open(&cursor, name->octets, name->len), XN_OK);
    } else {
        assert_int_equal(name->len, 0);
    }
    free(text);
    return good;
}

/* Writes a name as a rule may have it: with `\DDD` for every octet that is not plain. Returns its
 * length. */
static size_t write_name(const struct xnm_wirename *name, bool wildcard, char *text)
{
    struct xn_wire_cursor cursor = {name->octets};
    const uint8_t *label;
    size_t label_len, len = 0;

    if (wildcard)
        text[len++] = '*';
    while (xn_wire_next(&cursor, &label, &label_len)) {
        if (len > 0)
            text[len++] = '.';
        for (size_t i = 0; i < label_len; i++)
            len += (size_t)sprintf(text + len, xn_presentation_is_plain(label[i]) ? "%c" : "\\%03d",
                                   label[i]);
    }
    if (len == 0)
        text[len++] = '.';
    return len;
}

static void expect_zone_name(const uint8_t *data, size_t size)
{
    char *text = strndup((const char *)data, size);
    struct xnm_wirename name;

    if (read_zone_name(target_unicode(), text, &name))
        expect_name_text(name.octets, name.len);
    else
        assert_int_equal(name.len, 0);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[2 + XN_WIRE_TEXT_MAX + 1];
    struct xnm_wirename name, again;
    bool wildcard, wildcard_again;

    expect_zone_name(data, size);
    if (!read_name((const char *)data, size, &name, &wildcard))
        return 0;
    size_t len = write_name(&name, wildcard, text);
    assert_true(read_name(text, len, &again, &wildcard_again));
    assert_int_equal(wildcard_again, wildcard);
    expect_octets(again.octets, again.len, name.octets, name.len);
    if (!wildcard) { /* where there may be none, it is the same */
        assert_true(xnm_rulename_read(target_unicode(), (const char *)data, size, &again, NULL,
                                      NULL, NULL));
        expect_octets(again.octets, again.len, name.octets, name.len);
    }
    return 0;
}
