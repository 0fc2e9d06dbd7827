/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests properties of every written name: both spellings of a label are one name, an escape is its
 * octet, and messages about garbage are text that a terminal can take. */
#include "tests/unit/nameread.h"

#include <jansson.h>

#include "core/idna/label.h"
#include "core/idna/property.h"
#include "core/idna/unicode.h"
#include "core/names/presentation.h"
#include "core/names/written.h"
#include "core/text/utf8.h"
#include "tests/unit/random.h"

/* --- A-label and U-label --- */

static bool read_label(const char *text, size_t len, struct xnm_wirename *name)
{
    char reports[REPORTS_MAX];
    bool wildcard;

    return read_name(text, len, name, &wildcard, reports);
}

static bool is_same(const struct xnm_wirename *a, const struct xnm_wirename *b)
{
    return a->len == b->len && memcmp(a->octets, b->octets, a->len) == 0;
}

/* Writes a label as a rule has it: every octet that is not plain is escaped. */
static size_t escape(const char *label, char *dst)
{
    size_t len = 0;

    for (; *label; label++)
        len += (size_t)sprintf(dst + len,
                               xn_presentation_is_plain((uint8_t)*label) ? "%c" : "\\%03d", *label);
    return len;
}

/* An A-label and its U-label are the same name; what an invalid one decodes to is no name, or
 * another. Returns whether it is an A-label. */
static bool expect_one_name(const char *alabel)
{
    struct xnm_wirename by_alabel, by_ulabel;
    uint32_t cps[XN_ULABEL_MAX];
    uint8_t ulabel[XN_UTF8_MAX * XN_ULABEL_MAX];
    size_t cps_len, ulabel_len;
    char written[XN_WRITTEN_ALABEL_MAX + 1];

    assert_true(read_label(written, escape(alabel, written), &by_alabel));
    assert_int_equal(by_alabel.octets[0], strlen(alabel));
    xn_reasons reasons =
        xn_label_decode(unicode, by_alabel.octets + 1, by_alabel.octets[0], cps, &cps_len);
    assert_int_equal(xn_utf8_encode(cps, cps_len, ulabel, sizeof ulabel, &ulabel_len), XN_OK);
    bool read = read_label((char *)ulabel, ulabel_len, &by_ulabel);
    bool valid = !(reasons & XN_INVALID_REASONS);
    if (valid)
        assert_true(read);
    assert_int_equal(read && is_same(&by_alabel, &by_ulabel), valid);
    return valid;
}

static void test_label_vector(void **state)
{
    const struct vector *row = *state;
    bool valid = strncmp(row->fields[1], "invalid", 7) != 0;

    assert_int_equal(expect_one_name(row->fields[0]), valid);
}

/* Among RFC 3492's samples, B, C and similar ones are words; J and the following have punctuation
 * and spaces. */
static void test_sample(void **state)
{
    const struct vector *row = *state;
    char alabel[128];
    struct xnm_wirename name;

    snprintf(alabel, sizeof alabel, "xn--%s", row->fields[2]);
    if (strlen(alabel) > 63 || strpbrk(alabel, " $"))
        assert_false(read_label(alabel, strlen(alabel), &name));
    else
        expect_one_name(alabel);
}

static void test_hostile_alabels(void **state)
{
    json_t *list = json_load_file("tests/vectors/hostile-alabels.json", 0, NULL), *entry;
    size_t index, valid = 0, count = json_array_size(list);

    (void)state;
    assert_true(count > 0);
    json_array_foreach(list, index, entry)
    {
        const char *alabel = json_string_value(json_object_get(entry, "a_label"));
        const char *idn = json_string_value(json_object_get(entry, "idn"));
        bool is_valid = expect_one_name(alabel);
        assert_int_equal(is_valid, !idn || strncmp(idn, "invalid", 7) != 0);
        valid += is_valid;
    }
    assert_in_range(valid, 1, count - 1);
    json_decref(list);
}

/* --- escapes --- */

static void expect_octet(const char *text, size_t len, unsigned octet)
{
    struct xnm_wirename name;

    assert_true(read_label(text, len, &name));
    assert_int_equal(name.len, 5);
    assert_int_equal(name.octets[0], 3);
    assert_int_equal(name.octets[2], octet - 'A' < 26 ? octet | 0x20 : octet);
}

static void test_escapes(void **state)
{
    char text[16];
    struct xnm_wirename name;

    (void)state;
    for (unsigned octet = 0; octet < 256; octet++)
        expect_octet(text, (size_t)snprintf(text, sizeof text, "a\\%03uz", octet), octet);
    for (unsigned octet = 256; octet < 1000; octet++)
        assert_false(
            read_label(text, (size_t)snprintf(text, sizeof text, "a\\%03uz", octet), &name));
    for (unsigned octet = 1; octet < 256; octet++) {
        int len = snprintf(text, sizeof text, "a\\%cz", (int)octet);
        if (octet >= 0x20 && octet < 0x7F && (octet < '0' || octet > '9'))
            expect_octet(text, (size_t)len, octet);
        else
            assert_false(read_label(text, (size_t)len, &name));
    }
}

/* --- garbage --- */

static size_t add_random(uint32_t *seed, char *dst)
{
    static const char *const pieces[] = {
        "a",
        "Z",
        "9",
        "-",
        "_",
        ".",
        ".",
        "*",
        "\\",
        "\\046",
        "xn--",
        "XN--",
        "bcher-kva",
        "ｘｎ－－",
        "。",
        "ｅ",
        "ü",
        "ß",
        "ẞ",
        "ς",
        "Σ",
        "İ",
        "ı",
        "中",
        "國",
        "タ",
        "ي",
        "ה",
        "٣",
        "·",
        "・",
        "\u0301",
        "\u200C",
        "\u200D",
        "\u00AD",
        "\u202E",
        "\u2060",
        "\uFE0F",
        "\U0001F600",
        "\u0DCA",
        "≠",
        "\u3000",
        "\uE000",
        "\x1B[",
        "\n",
        "\x7F",
        "\xED\xA0\x80",
        "\xE9",
        "\xF4\x90\x80\x80",
        "/",
        "@",
        "\"",
        "%s%n",
        "ﷺ",
        "⒈",
        "\u0345",
    };
    uint32_t kind = random_next(seed) % 16;

    if (kind == 0) {
        *dst = (char)random_next(seed);
        return 1;
    }
    if (kind == 1)
        return xn_utf8_write(random_next(seed) % 0x110000, (uint8_t *)dst);
    const char *piece = pieces[random_next(seed) % COUNT(pieces)];
    size_t len = strlen(piece);
    memcpy(dst, piece, len);
    return len;
}

struct heard {
    const char *text;
    size_t len, count;
};

/* Nothing that a terminal would act on or hide. */
static void listen(void *arg, xnm_severity severity, size_t at, const char *message)
{
    struct heard *heard = arg;
    size_t message_len = strlen(message), step;
    uint32_t cp;

    (void)severity;
    heard->count++;
    assert_in_range(at, 0, heard->len);
    if (at < heard->len && xn_utf8_is_valid((const uint8_t *)heard->text, heard->len))
        assert_true(xn_utf8_read((const uint8_t *)heard->text + at, heard->len - at, &cp) > 0);
    assert_true(message_len > 0);
    for (size_t i = 0; i < message_len; i += step) {
        step = xn_utf8_read((const uint8_t *)message + i, message_len - i, &cp);
        assert_true(step > 0);
        assert_true(xn_unicode_is_visible(cp));
    }
}

static void test_garbage(void **state)
{
    uint32_t seed = 3492;
    size_t names = 0, said = 0;

    (void)state;
    for (int round = 0; round < 200000; round++) {
        char text[2048];
        size_t len = 0;
        struct xnm_wirename name, quiet;
        bool wildcard;

        for (uint32_t pieces = random_next(&seed) % (round % 100 == 0 ? 150 : 12); pieces; pieces--)
            len += add_random(&seed, text + len);
        char *exact = exact_copy(text, len);
        struct heard heard = {exact, len, 0};
        bool good = xnm_rulename_read(unicode, exact, len, &name, &wildcard, listen, &heard);
        assert_int_equal(xnm_rulename_read(unicode, exact, len, &quiet, &wildcard, NULL, NULL),
                         good);
        assert_int_equal(quiet.len, name.len);
        if (good)
            assert_true(is_same(&name, &quiet));
        else
            assert_true(heard.count > 0);
        names += good;
        said += heard.count;
        free(exact);
    }
    assert_in_range(names, 1000, 199000);
    assert_in_range(said, 100000, 2000000);
}

int main(void)
{
    static struct test_group group; /* static: no leak for a sanitizer to report */

    if (xn_unicode_open(&unicode) != XN_OK)
        return 1;
    add_vectors(&group, "tests/vectors/labels.tsv", "both spellings,", test_label_vector);
    add_vectors(&group, "tests/vectors/rfc3492-samples.tsv", "both spellings,", test_sample);
    add_test(&group, "both spellings of hostile labels", test_hostile_alabels, NULL);
    add_test(&group, "every escape", test_escapes, NULL);
    add_test(&group, "200,000 times garbage", test_garbage, NULL);
    int failed = run_group("rulename_any", &group);
    xn_unicode_close(unicode);
    return failed;
}
