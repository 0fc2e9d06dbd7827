/* SPDX-License-Identifier: BSD-3-Clause */
/* Against Unicode's own test file for UTS 46 (path in XN_IDNA_TEST, see tools/build/idna-test.sh),
 * and against ICU: on every code point and on 100,000 mutated A-labels. */
#include "tests/unit/vectors.h"

#include <ctype.h>

#include "core/idna/label.h"
#include "core/idna/uts46.h"
#include "core/punycode/punycode.h"
#include "core/text/utf8.h"
#include "tests/unit/exact.h"
#include "tests/unit/icureference.h"
#include "tests/unit/random.h"

static struct xn_unicode *unicode;

/* --- IdnaTestV2.txt --- */

enum { TEXT_MAX = 4096 };

/* "a\u0300\x{1F600}" without the white space around it. Unpaired surrogates stay as three octets,
 * which is no UTF-8. */
static size_t unescape(const char *field, char *dst)
{
    size_t len = 0;

    while (*field) {
        unsigned long cp;
        char *end = NULL;

        if (field[0] == '\\' && field[1] == 'x' && field[2] == '{') {
            cp = strtoul(field + 3, &end, 16);
            end++;
        } else if (field[0] == '\\' && field[1] == 'u') {
            char digits[5] = {field[2], field[3], field[4], field[5], 0};
            cp = strtoul(digits, NULL, 16);
            end = (char *)(uintptr_t)field + 6;
        }
        if (!end) {
            dst[len++] = *field++;
            continue;
        }
        size_t octets = xn_utf8_write((uint32_t)cp, (uint8_t *)dst + len);
        if (octets == 0) {
            dst[len++] = (char)(0xE0 | cp >> 12);
            dst[len++] = (char)(0x80 | (cp >> 6 & 0x3F));
            dst[len++] = (char)(0x80 | (cp & 0x3F));
        }
        len += octets;
        field = end;
    }
    return len;
}

struct idna_row {
    char name[32];
    char *source, *expected; /* unescaped */
    size_t source_len, expected_len;
    bool good, to_ascii;
};

static char *trim(char *field)
{
    while (isspace((unsigned char)*field))
        field++;
    for (char *end = field + strlen(field); end > field && isspace((unsigned char)end[-1]);)
        *--end = '\0';
    return field;
}

/* UTS 46 with VerifyDnsLength has allowed no root label since Unicode 15; its test file calls that
 * an error since 16. */
static bool is_root_label_forgotten(const struct idna_row *row)
{
    return row->to_ascii && is_before_unicode(16) && row->expected_len > 0 &&
           row->expected[row->expected_len - 1] == '.';
}

static void add_idna_test(unsigned line, bool to_ascii, const char *source, const char *expected,
                          const char *status, CMUnitTestFunction function)
{
    struct idna_row *row = calloc(1, sizeof *row);
    char text[TEXT_MAX];

    if (!row)
        abort();
    snprintf(row->name, sizeof row->name, "%s, line %u", to_ascii ? "toASCII" : "toUnicode", line);
    row->source_len = unescape(source, text);
    row->source = exact_copy(text, row->source_len);
    row->expected_len = unescape(expected, text);
    row->expected = exact_copy(text, row->expected_len);
    row->to_ascii = to_ascii;
    row->good = (status[0] == '\0' || strcmp(status, "[]") == 0) && !is_root_label_forgotten(row);
    add_test(row->name, function, row);
}

/* U+FFFD in what ToUnicode gives stands for any character that is not allowed. */
static void test_idna_row(void **state)
{
    const struct idna_row *row = *state;
    char dst[TEXT_MAX];
    size_t len;
    xn_reasons reasons = 0;
    xn_status status = (row->to_ascii ? xn_uts46_to_ascii : xn_uts46_to_unicode)(
        unicode, row->source, row->source_len, XN_UTS46_STRICT, dst, sizeof dst, &len, &reasons);

    if (status == XN_BAD_UTF8) { /* an unpaired surrogate in the source */
        assert_false(row->good);
        return;
    }
    assert_int_equal(status, XN_OK);
    assert_int_equal(reasons == 0, row->good);
    if (row->good) {
        assert_int_equal(len, row->expected_len);
        assert_memory_equal(dst, row->expected, len);
    }
}

static void add_idna_row(unsigned line, char *text)
{
    char *fields[5];

    for (size_t i = 0; i < 5; i++) {
        char *field = strsep(&text, ";");
        if (!field)
            return;
        fields[i] = trim(field);
    }
    const char *to_unicode = fields[1][0] ? fields[1] : fields[0];
    const char *to_ascii = fields[3][0] ? fields[3] : to_unicode;
    const char *ascii_status = fields[4][0] ? fields[4] : fields[2];

    add_idna_test(line, false, fields[0], to_unicode, fields[2], test_idna_row);
    add_idna_test(line, true, fields[0], to_ascii, ascii_status, test_idna_row);
}

static char version_line[TEXT_MAX];

static void test_version(void **state)
{
    char expected[64];

    (void)state;
    snprintf(expected, sizeof expected, "# Version: %s.", xn_unicode_version());
    assert_non_null(strstr(version_line, expected));
}

static void add_idna_tests(const char *path)
{
    FILE *file = fopen(path, "r");
    char line[TEXT_MAX];
    unsigned number = 0;

    if (!file) {
        perror(path);
        exit(1);
    }
    while (fgets(line, sizeof line, file)) {
        number++;
        if (strncmp(line, "# Version:", 10) == 0)
            snprintf(version_line, sizeof version_line, "%s", line);
        line[strcspn(line, "#\n")] = '\0';
        if (trim(line)[0])
            add_idna_row(number, line);
    }
    fclose(file);
    add_test("the file is of ICU's own version", test_version, NULL);
}

/* --- against ICU, label by label --- */

/* Returns whether ICU calls it valid. */
static bool expect_as_icu(const uint8_t *label, size_t len)
{
    uint32_t cps[XN_ULABEL_MAX];
    size_t cps_len;
    uint8_t *exact = exact_copy(label, len);
    xn_reasons reasons = xn_label_decode(unicode, exact, len, cps, &cps_len);

    free(exact);
    return expect_decoded_as_icu(label, len, reasons, cps, cps_len);
}

static size_t make_alabel(const uint32_t *cps, size_t cps_len, uint8_t *label)
{
    size_t len;

    memcpy(label, "xn--", 4);
    if (xn_punycode_encode(cps, cps_len, label + 4, 59, &len) != XN_OK)
        return 0;
    return len + 4;
}

/* A plane at a time: each code point as a label of its own, and between two letters of its own. */
static void test_plane(void **state)
{
    uint32_t first = *(const uint32_t *)*state;
    size_t valid = 0;

    for (uint32_t cp = first; cp < first + 0x10000; cp++) {
        uint32_t between[3] = {'a', cp, 'a'};
        uint8_t label[64];

        if (cp - 0xD800 < 0x800)
            continue;
        valid += expect_as_icu(label, make_alabel(&cp, 1, label));
        expect_as_icu(label, make_alabel(between, 3, label));
    }
    assert_int_equal(valid > 0, first <= 0x30000); /* planes 4 to 16 have no characters for names */
}

/* Labels of neighbouring code points, as words are, some changed by an octet or two afterwards. */
static size_t random_alabel(uint32_t *seed, uint8_t *label)
{
    static const uint32_t blocks[] = {0xE0,   0x100,  0x390,  0x410,  0x560,   0x5D0,  0x620,
                                      0x905,  0x985,  0xD05,  0xD85,  0xE01,   0x10D0, 0x1EA0,
                                      0x3041, 0x30A1, 0x4E00, 0xAC00, 0x1F600, 0x300,  0x2010};
    uint32_t cps[16], block = blocks[random_next(seed) % (sizeof blocks / sizeof *blocks)];
    size_t cps_len = 1 + random_next(seed) % 12;

    for (size_t i = 0; i < cps_len; i++) {
        uint32_t kind = random_next(seed) % 16;
        cps[i] = kind == 0   ? 'a' + random_next(seed) % 26
                 : kind == 1 ? 0x200C + random_next(seed) % 2
                 : kind == 2 ? '-'
                             : block + random_next(seed) % 48;
    }
    size_t len = make_alabel(cps, cps_len, label);
    for (uint32_t changes = random_next(seed) % 3; len > 4 && changes > 0; changes--)
        label[4 + random_next(seed) % (len - 4)] =
            (uint8_t) "abcdefghijklmnopqrstuvwxyz0123456789-ABCXYZ"[random_next(seed) % 43];
    return len;
}

TEST(test_mutants, "100,000 mutated A-labels")
{
    uint32_t seed = 46;
    size_t valid = 0;

    for (int i = 0; i < 100000;) {
        uint8_t label[64];
        size_t len = random_alabel(&seed, label);

        if (len == 0)
            continue;
        valid += expect_as_icu(label, len);
        i++;
    }
    assert_in_range(valid, 1000, 99000);
}

static void test_label_vector(void **state)
{
    const struct vector *row = *state;

    expect_as_icu((const uint8_t *)row->fields[0], strlen(row->fields[0]));
}

int main(void)
{
    static uint32_t planes[17];
    static char plane_names[17][32];
    const char *path = getenv("XN_IDNA_TEST");

    if (xn_unicode_open(&unicode) != XN_OK)
        return 1;
    add_idna_tests(path ? path : "build/data/IdnaTestV2.txt");
    for (uint32_t i = 0; i < 17; i++) {
        planes[i] = i << 16;
        snprintf(plane_names[i], sizeof plane_names[i], "plane %u as labels", i);
        add_test(plane_names[i], test_plane, &planes[i]);
    }
    add_vectors("tests/vectors/labels.tsv", "as ICU", test_label_vector);
    int failed = run_unit();
    xn_unicode_close(unicode);
    return failed;
}
