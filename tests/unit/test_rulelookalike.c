/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests that the name which a protected name imitates is written if there is room for it. The
 * Makefile links this test with --wrap of the functions that write. */
#include "tests/unit/vectors.h"

#include "core/lookalike/lookalike.h"
#include "module/policy/policy.h"
#include "tests/unit/rulesread.h"

size_t __real_xn_lookalike_sequence(uint32_t cp, xn_key key, uint8_t dst[XN_KEY_MAX]);
size_t __wrap_xn_lookalike_sequence(uint32_t cp, xn_key key, uint8_t dst[XN_KEY_MAX]);

static unsigned sequences;

/* Writes as many octets as it may: behind another sequence they would not fit into the buffer. */
size_t __wrap_xn_lookalike_sequence(uint32_t cp, xn_key key, uint8_t dst[XN_KEY_MAX])
{
    static const uint8_t *first;

    if (sequences++ == 0)
        first = dst;
    assert_ptr_equal(dst, first);
    memset(dst, '#', XN_KEY_MAX);
    return __real_xn_lookalike_sequence(cp, key, dst);
}

TEST(test_imitation, "a name that imitates")
{
    static char reports[REPORTS_MAX];
    static const char text[] = "log lookalike \u0440\u0430\u0443.example"; /* all of it Cyrillic */
    struct xnm_rules rules = {0};

    assert_true(read_rules(&rules, "f", text, strlen(text), reports));
    assert_string_equal(reports, "f:1:15: warning: label 1 of this name looks like 'pay', so this "
                                 "rule would find that name: expected the name that is imitated\n");
    assert_in_range(sequences, 3, SIZE_MAX);
    xnm_rules_free(&rules);
}

TEST_MAIN
