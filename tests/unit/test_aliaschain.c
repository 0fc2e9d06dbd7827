/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/vectors.h"

#include "module/answer/aliaschain.h"

enum { TYPE_CNAME = 5, TYPE_DNAME = 39 };

#define NAME(text) (const uint8_t *)(text), sizeof(text)

static const struct xnm_aliaschain_link links[] = {
    {NAME("\3www\1a"), TYPE_CNAME, 30, NAME("\1x\1b")},
    {NAME("\1b"), TYPE_DNAME, 50, NAME("\1c")},
    {NAME("\1x\1b"), TYPE_CNAME, 20, NAME("\1x\1c")},
};
enum { LINK_COUNT = sizeof links / sizeof *links };

TEST(test_walk_and_cut, "it is walked from target to target, and cut behind one")
{
    static const struct {
        unsigned target;
        size_t kept;
        bool has;
    } rows[] = {{0, 0, true}, {1, 1, true}, {2, 3, true}, {3, 3, false}};
    struct xnm_aliaschain chain;
    const uint8_t *target;
    size_t len;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        chain = (struct xnm_aliaschain){.count = LINK_COUNT, .next = 1};
        memcpy(chain.links, links, sizeof links);
        assert_int_equal(xnm_aliaschain_cut(&chain, rows[i].target), rows[i].has);
        assert_int_equal(chain.count, rows[i].kept);
        assert_int_equal(chain.next, 0);
    }
    assert_true(xnm_aliaschain_next(&chain, &target, &len));
    assert_ptr_equal(target, links[0].rdata);
    assert_true(xnm_aliaschain_next(&chain, &target, &len));
    assert_ptr_equal(target, links[2].rdata);
    assert_false(xnm_aliaschain_next(&chain, &target, &len));
}

TEST_MAIN
