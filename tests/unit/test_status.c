/* SPDX-License-Identifier: BSD-3-Clause */
/* Each status has a sentence of its own. */
#include "tests/unit/vectors.h"

#include "core/text/status.h"

TEST(test_texts, "a sentence for each")
{
    for (int a = XN_OK; a <= XN_UNICODE_VERSION; a++) {
        assert_true(strlen(xn_status_text((xn_status)a)) > 0);
        for (int b = XN_OK; b < a; b++)
            assert_string_not_equal(xn_status_text((xn_status)a), xn_status_text((xn_status)b));
        assert_string_not_equal(xn_status_text((xn_status)a), "unknown status");
    }
    assert_string_equal(xn_status_text((xn_status)(XN_UNICODE_VERSION + 1)), "unknown status");
}

TEST_MAIN
