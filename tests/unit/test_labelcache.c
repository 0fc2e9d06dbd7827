/* SPDX-License-Identifier: BSD-3-Clause */
/* A label cache says of labels what xn_label_decode says of them, however often they come and
 * whatever came in between; and a label that it knows is not decoded again. */
#include "tests/unit/vectors.h"

#include "core/idna/labelcache.h"
#include "core/idna/name.h"
#include "tests/unit/exact.h"
#include "tests/unit/samelabels.h"
#include "tests/unit/wirelabel.h"

#include <unicode/uclean.h>

static struct xn_unicode *unicode;
static struct xn_label_cache *labels;
static unsigned decoded; /* labels: the Makefile has this program linked with --wrap */

xn_reasons __real_xn_label_decode(const struct xn_unicode *u, const uint8_t *label, size_t len,
                                  uint32_t *dst, size_t *dst_len);
xn_reasons __wrap_xn_label_decode(const struct xn_unicode *u, const uint8_t *label, size_t len,
                                  uint32_t *dst, size_t *dst_len);
xn_reasons __wrap_xn_label_decode(const struct xn_unicode *u, const uint8_t *label, size_t len,
                                  uint32_t *dst, size_t *dst_len)
{
    decoded++;
    return __real_xn_label_decode(u, label, len, dst, dst_len);
}

/* Each in a buffer of its size, so that a sanitizer sees what is read behind it. */
static void expect_as_decoded(const uint8_t *octets, size_t len)
{
    uint32_t expected[XN_ULABEL_MAX], got[XN_ULABEL_MAX];
    size_t expected_len = 0, got_len = 0;
    uint8_t *label = exact_copy(octets, len);
    xn_reasons reasons = __real_xn_label_decode(unicode, label, len, expected, &expected_len);

    assert_int_equal(xn_label_cache_decode(labels, unicode, label, len, got, &got_len), reasons);
    assert_int_equal(got_len, expected_len);
    assert_memory_equal(got, expected, got_len * sizeof *got);
    free(label);
}

static unsigned times_decoded(const char *label)
{
    unsigned before = decoded;

    expect_as_decoded((const uint8_t *)label, strlen(label));
    return decoded - before;
}

static void test_vector(void **state)
{
    const struct vector *row = *state;
    const char *label = row->fields[0];

    times_decoded(label);
    assert_int_equal(times_decoded(label), strlen(label) < 8);
}

/* Labels of 8 to 63 octets that differ in one place from the one before, which is known. */
static void test_every_octet_counts(void **state)
{
    char label[] = "xn--aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

    (void)state;
    for (size_t len = 8; len < sizeof label; len++) {
        for (size_t at = 4; at < len; at++) {
            label[at] = 'b';
            expect_as_decoded((uint8_t *)label, len);
            label[at] = 'a';
            expect_as_decoded((uint8_t *)label, len);
        }
    }
}

static void test_case_is_another_label(void **state)
{
    (void)state;
    assert_int_equal(times_decoded("xn--sdmnchen-n4a"), 1);
    assert_int_equal(times_decoded("XN--SDMNCHEN-N4A"), 1);
    assert_int_equal(times_decoded("xn--sdmnchen-n4a"), 0);
}

/* More labels than it holds, again and again, with those of more code points than it keeps. */
static void test_more_than_it_holds(void **state)
{
    unsigned known = 0, asked = 0;

    (void)state;
    for (unsigned round = 0; round < 3; round++) {
        for (uint32_t n = 0; n < 3 * XN_LABEL_CACHE_LABELS; n++) {
            uint32_t cps[XN_ULABEL_MAX];
            uint8_t label[XN_WIRE_LABEL_MAX];
            size_t count = 1 + n % 50, len;
            for (size_t i = 0; i < count; i++)
                cps[i] = 0x430 + (n >> i % 12) % 8;
            len = wire_label_of(cps, count, label);
            if (len == 0)
                continue;
            unsigned before = decoded;
            expect_as_decoded(label, len);
            known += decoded == before;
            asked++;
        }
    }
    assert_in_range(known, 1, asked - 1);
}

/* Two labels have each place: a third one displaces that which came first. Those of one place are
 * found by what they displace. */
static void test_two_in_a_place(void **state)
{
    static const char first[] = "xn--bcher-kva";
    char label[32], others[2][sizeof label];
    unsigned found = 0;

    (void)state;
    times_decoded(first);
    for (unsigned n = 0; found < 2; n++) {
        assert_true(n < 16 * XN_LABEL_CACHE_LABELS);
        snprintf(label, sizeof label, "xn--a%u-kva", n);
        times_decoded(label);
        if (times_decoded(first) > 0)
            strcpy(others[found++], label);
    }
    assert_int_equal(times_decoded(others[0]), 1);
    assert_int_equal(times_decoded(first), 0);
    assert_int_equal(times_decoded(others[0]), 0);
    assert_int_equal(times_decoded(others[1]), 1);
    assert_int_equal(times_decoded(others[0]), 0);
    assert_int_equal(times_decoded(first), 1);
}

/* --- ICU without memory --- */

static bool has_icu_memory = true;
static unsigned icu_lacks;

static bool is_there(void)
{
    icu_lacks += !has_icu_memory;
    return has_icu_memory;
}

static void *U_CALLCONV allocate(const void *context, size_t len)
{
    (void)context;
    return is_there() ? malloc(len) : NULL;
}

static void *U_CALLCONV reallocate(const void *context, void *memory, size_t len)
{
    (void)context;
    return is_there() ? realloc(memory, len) : NULL;
}

static void U_CALLCONV release(const void *context, void *memory)
{
    (void)context;
    free(memory);
}

/* Makes a label of many letters with a mark, for which ICU needs memory: `mark` follows every fifth
 * letter. */
static size_t marked_label(uint32_t letter, uint32_t mark, uint8_t *label)
{
    uint32_t cps[30];
    size_t count = sizeof cps / sizeof *cps;

    for (size_t i = 0; i < count; i++)
        cps[i] = i % 5 == 4 ? mark : letter;
    return wire_label_of(cps, count, label);
}

/* Findings without memory are at least as bad as the true ones, and are not cached. */
static void expect_worse_once(uint32_t letter, uint32_t mark, xn_reasons all)
{
    uint8_t label[XN_WIRE_LABEL_MAX];
    uint32_t cps[XN_ULABEL_MAX];
    size_t len = marked_label(letter, mark, label), cps_len;
    unsigned lacks = xn_unicode_lacks();

    icu_lacks = 0;
    has_icu_memory = false;
    xn_reasons reasons = xn_label_cache_decode(labels, unicode, label, len, cps, &cps_len);
    has_icu_memory = true;
    assert_true(icu_lacks > 0);
    assert_int_not_equal(xn_unicode_lacks(), lacks);
    assert_int_equal(reasons & all, all);
    assert_int_not_equal(reasons, 0);
    assert_int_equal(xn_label_cache_decode(labels, unicode, label, len, cps, &cps_len), all);
    lacks = decoded;
    assert_int_equal(xn_label_cache_decode(labels, unicode, label, len, cps, &cps_len), all);
    assert_int_equal(decoded, lacks);
}

static void test_no_memory(void **state)
{
    (void)state;
    expect_worse_once(0x1E63, 0x304, 0);
    expect_worse_once(0x101, 0x301, 0);
    expect_worse_once(0x1E63, 0x323, xn_reason_bit(XN_CHARSET));
}

static struct xn_label_cache *the_labels(void)
{
    return labels;
}

static struct xn_label_cache *no_memo(void)
{
    return NULL;
}

/* Waived reasons are a matter of who asks: the labels has them all. */
static void test_names(void **state)
{
    static const uint8_t wire[] = "\3www\15xn--hxajbheg2\12xn--i-7iqA\11xn--i-7iq\7example";
    struct xn_name plain, known, waived, without;
    xn_reasons all = XN_RESTRICTED_REASONS;

    (void)state;
    for (int round = 0; round < 2; round++) {
        assert_int_equal(xn_name_read(unicode, wire, sizeof wire, 0, &plain), XN_OK);
        assert_int_equal(xn_name_read_cached(unicode, the_labels, wire, sizeof wire, all, &waived),
                         XN_OK);
        assert_int_equal(xn_name_read_cached(unicode, the_labels, wire, sizeof wire, 0, &known),
                         XN_OK);
        assert_int_equal(xn_name_read_cached(unicode, no_memo, wire, sizeof wire, 0, &without),
                         XN_OK);
        assert_int_equal(plain.ace_count, 3);
        assert_int_equal(plain.reasons, known.reasons);
        assert_int_equal(plain.reasons, without.reasons);
        assert_int_equal(waived.reasons, plain.reasons & ~all);
        assert_true(same_labels(&plain, &known));
        assert_true(same_labels(&plain, &without));
        const struct xn_label *last = &plain.labels[3];
        assert_memory_equal(plain.code_points, known.code_points,
                            (last->cps_at + (size_t)last->cps_len) * sizeof *plain.code_points);
    }
}

int main(void)
{
    static struct test_group group;
    UErrorCode error = U_ZERO_ERROR;
    int failed;

    u_setMemoryFunctions(NULL, allocate, reallocate, release, &error);
    labels = xn_label_cache_new();
    if (U_FAILURE(error) || !labels || xn_unicode_open(&unicode) != XN_OK)
        return 1;
    add_vectors(&group, "tests/vectors/labels.tsv", "label", test_vector);
    add_test(&group, "every octet counts", test_every_octet_counts, NULL);
    add_test(&group, "case is another label", test_case_is_another_label, NULL);
    add_test(&group, "more than it holds", test_more_than_it_holds, NULL);
    add_test(&group, "two in a place", test_two_in_a_place, NULL);
    add_test(&group, "names are the same with a label cache and without", test_names, NULL);
    add_test(&group, "ICU without memory", test_no_memory, NULL);
    failed = run_group("labels", &group);
    xn_unicode_close(unicode);
    xn_label_cache_free(labels);
    return failed;
}
