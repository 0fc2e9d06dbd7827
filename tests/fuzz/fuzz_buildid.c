/* SPDX-License-Identifier: BSD-3-Clause */
/* A daemon's file, which `check` reads as root: nothing outside of it is read, and an id is digits.
 */
#include "tests/fuzz/target.h"

#include "module/base/buildid.h"

/* Copies the input, with so many octets of zero behind it. The caller frees it. */
static char *copy_of(const uint8_t *data, size_t size, size_t added)
{
    char *copy = calloc(1, size + added > 0 ? size + added : 1);

    if (size > 0)
        memcpy(copy, data, size);
    return copy;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { ADDED = 64 };
    char *image = copy_of(data, size, 0), *longer = copy_of(data, size, ADDED);
    struct xnm_build_id id, again;

    if (xnm_build_id_of_image(image, size, &id)) {
        assert_in_range(strlen(id.hex), 1, XNM_BUILD_ID_MAX);
        assert_int_equal(strspn(id.hex, "0123456789abcdef"), strlen(id.hex));
        assert_int_equal(strlen(id.hex) % 2, 0);
        assert_true(xnm_build_id_of_image(longer, size + ADDED, &again));
    }
    free(image);
    free(longer);
    return 0;
}
