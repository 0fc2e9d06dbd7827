/* SPDX-License-Identifier: BSD-3-Clause */
/* Scripts and kinds of characters: where something is found, that character alone is found too, and
 * none before it; and levels are those of ICU. An input is scripts, four octets each, in a line,
 * and a label. */
#include "tests/fuzz/names.h"

#include "core/idna/misread.h"
#include "core/idna/property.h"
#include "core/idna/ulabel.h"
#include "core/lookalike/script.h"
#include "tests/unit/iculevel.h"

typedef size_t finder(const void *how, const uint32_t *label, size_t len);

static size_t find_in(const void *set, const uint32_t *label, size_t len)
{
    return xn_script_find_in(set, label, len);
}

static size_t find_outside(const void *set, const uint32_t *label, size_t len)
{
    return xn_script_find_outside(set, label, len);
}

static size_t find_restricted(const void *how, const uint32_t *label, size_t len)
{
    (void)how;
    return xn_script_find_restricted(label, len);
}

static size_t find_emoji(const void *how, const uint32_t *label, size_t len)
{
    (void)how;
    return xn_script_find_emoji(label, len);
}

static size_t find_rtl(const void *how, const uint32_t *label, size_t len)
{
    (void)how;
    return xn_script_find_rtl(label, len);
}

/* The first finding is the one that a search of each character alone finds. */
static size_t expect_first(finder *find, const void *how, const uint32_t *label, size_t len)
{
    size_t found = find(how, label, len);

    assert_in_range(found, 0, len);
    for (size_t i = 0; i < found; i++)
        assert_int_equal(find(how, label + i, 1), 1);
    if (found < len)
        assert_int_equal(find(how, label + found, 1), 0);
    return found;
}

/* A digit before it has another zero, and none before that one has. */
static void expect_mixed_digit(const uint32_t *label, size_t len)
{
    size_t found = xn_misread_mixed_digit(label, len);
    uint32_t zero = 0;

    assert_in_range(found, 0, len);
    for (size_t i = 0; i < found; i++) {
        uint32_t other = xn_unicode_digit_zero(label[i]);
        if (other == 0)
            continue;
        assert_true(label[i] - other <= 9);
        assert_true(zero == 0 || other == zero);
        zero = other;
    }
    if (found < len) {
        assert_true(zero != 0 && xn_unicode_digit_zero(label[found]) != 0);
        assert_int_not_equal(xn_unicode_digit_zero(label[found]), zero);
    }
}

static void expect_level(const uint32_t *label, size_t len, bool restricted)
{
    uint32_t rest[XN_ULABEL_MAX];
    size_t rest_len = xn_ulabel_drop_joiners(label, len, rest);
    xn_level level = xn_script_level(label, len);
    xn_level icu = icu_level(rest, rest_len);

    assert_true(strlen(xn_level_word(level)) > 0);
    if (icu >= XN_LEVEL_MODERATE && restricted)
        icu = XN_LEVEL_UNRESTRICTED;
    assert_int_equal(level, icu);
}

/* A character that has a script is of those that the log says its label is of, but where it is not
 * assigned; and every script of a set has a name. */
static void expect_scripts(const uint32_t *label, size_t len)
{
    struct xn_scripts scripts = {0};
    struct xn_script_set own = {0};
    bool known = true;

    xn_ulabel_add_scripts(label, len, &scripts);
    for (size_t i = 0; i < scripts.count; i++) {
        bool added = xn_script_set_add(&own, scripts.codes[i], strlen(scripts.codes[i]));
        assert_int_equal(added, strcmp(scripts.codes[i], "Zzzz") != 0);
        known &= added;
    }
    for (size_t i = 0; i < len && known && scripts.count < XN_SCRIPTS_MAX; i++)
        if (xn_unicode_script(label[i]) >= 0)
            assert_int_equal(xn_script_find_in(&own, label + i, 1), 0);
}

static void expect_label(const uint32_t *cps, size_t len, const struct xn_script_set *set)
{
    uint32_t *label = exact_copy(cps, len * sizeof *cps);

    expect_first(find_in, set, label, len);
    expect_first(find_outside, set, label, len);
    expect_first(find_emoji, NULL, label, len);
    expect_first(find_rtl, NULL, label, len);
    bool restricted = expect_first(find_restricted, NULL, label, len) < len;
    expect_mixed_digit(label, len);
    expect_scripts(label, len);
    if (len > 0)
        expect_level(label, len, restricted);
    if (xn_script_is_wholescript(label, len))
        for (size_t i = 0; i < len; i++)
            assert_int_not_equal(xn_unicode_script(label[i]), XN_SCRIPT_LATN);
    free(label);
}

static struct xn_script_set take_set(const uint8_t *codes, size_t len)
{
    struct xn_script_set set = {0};

    for (; len >= 4; codes += 4, len -= 4) {
        struct xn_script_set before = set;
        char *code = exact_copy(codes, 4);
        if (!xn_script_set_add(&set, code, 4))
            assert_memory_equal(&set, &before, sizeof set);
        free(code);
    }
    return set;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint32_t cps[XN_ULABEL_MAX];
    const uint8_t *codes;
    size_t codes_len = take_line(&data, &size, &codes), len;
    const struct xn_script_set set = take_set(codes, codes_len);

    if (xn_utf8_decode(data, size, cps, XN_ULABEL_MAX, &len, NULL) == XN_OK)
        expect_label(cps, len, &set);
    return 0;
}
