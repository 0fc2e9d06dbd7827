/* SPDX-License-Identifier: BSD-3-Clause */
/* Names with the memory of labels are as without it: for the first time and again, and so are
 * labels that differ from a known one in an octet. An input is names, one in a line. */
#include "tests/fuzz/names.h"

#include "core/idna/label.h"
#include "core/idna/labelcache.h"
#include "core/idna/name.h"

static struct xn_label_cache *labels;

static struct xn_label_cache *the_labels(void)
{
    return labels;
}

static void expect_decoded(const uint8_t *octets, size_t len)
{
    uint8_t *label = exact_copy(octets, len);
    uint32_t want[XN_ULABEL_MAX], *got = malloc(sizeof want);
    size_t want_len, got_len;
    xn_reasons reasons = xn_label_decode(target_unicode(), label, len, want, &want_len);

    for (int time = 0; time < 2; time++) {
        assert_int_equal(xn_label_cache_decode(labels, target_unicode(), label, len, got, &got_len),
                         reasons);
        expect_octets(got, got_len * sizeof *got, want, want_len * sizeof *want);
    }
    free(got);
    free(label);
}

/* Each octet behind the prefix is another one. */
static void expect_neighbours(const uint8_t *octets, size_t len)
{
    uint8_t label[XN_WIRE_LABEL_MAX];

    memcpy(label, octets, len);
    for (size_t at = 4; at < len; at++) {
        label[at] ^= 1;
        expect_decoded(label, len);
        label[at] ^= 1;
        expect_decoded(label, len);
    }
}

static void expect_same_label(const struct xn_name *a, const struct xn_name *b, size_t i)
{
    const struct xn_label *x = &a->labels[i], *y = &b->labels[i];

    assert_int_equal(x->at, y->at);
    assert_int_equal(x->len, y->len);
    assert_int_equal(x->ace, y->ace);
    assert_int_equal(x->reasons, y->reasons);
    assert_int_equal(x->cps_at, y->cps_at);
    expect_octets(a->code_points + x->cps_at, x->cps_len * sizeof *a->code_points,
                  b->code_points + y->cps_at, y->cps_len * sizeof *b->code_points);
}

static void expect_name(const uint8_t *octets, size_t len)
{
    uint8_t *wire = exact_copy(octets, len);
    struct xn_name *read = malloc(sizeof *read), *cached = malloc(sizeof *cached);

    assert_int_equal(xn_name_read(target_unicode(), wire, len, 0, read), XN_OK);
    assert_int_equal(xn_name_read_cached(target_unicode(), the_labels, wire, len, 0, cached),
                     XN_OK);
    assert_int_equal(cached->label_count, read->label_count);
    assert_int_equal(cached->ace_count, read->ace_count);
    assert_int_equal(cached->reasons, read->reasons);
    for (size_t i = 0; i < read->label_count; i++)
        expect_same_label(cached, read, i);
    for (size_t i = 0; i < read->label_count; i++)
        if (read->labels[i].ace)
            expect_neighbours(wire + read->labels[i].at, read->labels[i].len);
    free(cached);
    free(read);
    free(wire);
}

static void expect_names(const uint8_t *data, size_t size)
{
    uint8_t wire[XN_WIRE_NAME_MAX];
    const uint8_t *line;

    while (size > 0) {
        size_t len = take_line(&data, &size, &line);
        expect_name(wire, name_from(line, len, wire));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    labels = xn_label_cache_new();
    assert_non_null(labels);
    expect_names(data, size);
    expect_names(data, size);
    xn_label_cache_free(labels);
    return 0;
}
