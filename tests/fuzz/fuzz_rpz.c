/* SPDX-License-Identifier: BSD-3-Clause */
/* RPZ zone files: each record an entry, an error or a warning. The first octet of an input is
 * options; the rest is read as `lengthened` makes it. */
#include "module/rule/rule.h"
#include "tests/fuzz/lists.h"

enum { OPTION_SUFFIXES = 1, OPTION_ORIGIN = 2 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t options = take_octet(&data, &size);
    struct xnm_wirename origin = {5, "\3rpz"};
    struct xnm_rule rule = {.trigger = XNM_TRIGGER_RPZ,
                            .file = REPORTS_FILE,
                            .line = 1,
                            .path = (char[]){"list"},
                            .suffixes = (options & OPTION_SUFFIXES) != 0,
                            .origin = options & OPTION_ORIGIN ? &origin : NULL,
                            .ede = XNM_EDE_DEFAULT};
    size_t len;
    uint8_t *text = lengthened(data, size, &len);
    bool good;

    expect_list(&rule, text, len, &good);
    free(text);
    return 0;
}
