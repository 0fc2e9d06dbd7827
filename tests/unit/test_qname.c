/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/vectors.h"

#include "module/policy/qname.h"
#include "tests/unit/policytext.h"

static struct xnm_qname asked_of(const char *text)
{
    struct xnm_wirename name;
    struct xnm_qname asked = {.len = wirename_of(text, &name)};

    memcpy(asked.octets, name.octets, asked.len);
    for (size_t at = 0; name.octets[at] != 0; at += name.octets[at] + 1u)
        asked.label_at[asked.labels++] = (uint8_t)at;
    return asked;
}

/* Nothing is found out of a label that is no A-label, and nothing is written where that would be.
 */
TEST(test_validity, "valid or not")
{
    const struct xnm_qname name = asked_of("abc.b\u00FCcher.xn--a-.example");
    struct xnm_qlabels *shapes = calloc(1, sizeof *shapes), *before = calloc(1, sizeof *before);

    xnm_qlabels_open(shapes, &name);
    xnm_qlabels_open(before, &name);
    assert_false(xnm_qlabels_is_valid(shapes, 0));
    assert_memory_equal(shapes, before, offsetof(struct xnm_qlabels, other));
    for (int turn = 0; turn < 2; turn++) {
        assert_true(xnm_qlabels_is_valid(shapes, 1));
        assert_false(xnm_qlabels_is_valid(shapes, 2));
        assert_false(xnm_qlabels_is_valid(shapes, 3));
    }
    free(shapes);
    free(before);
}

TEST_MAIN
