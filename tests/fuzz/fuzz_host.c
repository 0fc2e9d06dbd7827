/* SPDX-License-Identifier: BSD-3-Clause */
/* Hosts of URLs (tools/command/host.h): a text without one is a name itself; one without a fault
 * has octets, and is a name itself. What encode and decode print of a name (tools/codec/convert.h)
 * is safe on a terminal. */
#include "tests/fuzz/target.h"

#include "tools/codec/convert.h"

static void expect_whole(const char *text, size_t len)
{
    struct host host = {0};

    host_find(text, len, &host);
    assert_false(host.within);
    host_free(&host);
}

static void expect_visible(const struct buffer *text)
{
    struct buffer visible = {0};

    if (text->len > 0)
        buffer_visible(&visible, text->data, text->len);
    assert_int_equal(visible.len, text->len);
    buffer_free(&visible);
}

static void expect_converted(const char *name, size_t len)
{
    struct conversion conversion = {0};

    convert_name(target_unicode(), &(const struct host){.name = name, .len = len}, &conversion);
    expect_visible(&conversion.ascii);
    expect_visible(&conversion.display);
    conversion_free(&conversion);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct host host = {0};
    char *text = exact_copy(data, size);

    host_find(text, size, &host);
    assert_true(host.within || (host.name == text && host.len == size && !host.fault));
    assert_true(host.len <= 4 * size); /* `%40` is no shorter as `\064` */
    assert_true(!host.within || host.fault || host.len > 0);
    if (host.within && !host.fault)
        expect_whole(host.name, host.len);
    expect_converted(host.name, host.len);
    host_free(&host);
    free(text);
    return 0;
}
