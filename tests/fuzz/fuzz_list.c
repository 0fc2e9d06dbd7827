/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of names: each line an entry, an error or a warning. The first octet of an input says which
 * kind of list it is; the rest is read as `lengthened` makes it. */
#include "tests/fuzz/lists.h"

#include "module/name/rulename.h"

enum { OPTION_KINDS = 3, OPTION_SUFFIXES = 4 };

/* The fast way through a plain name says what is said of written names. */
static void expect_as_written(const struct list *list, const uint8_t *data, size_t size)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";
    struct xnm_wirename name;

    for (size_t i = 0; i < size; i++)
        if (!memchr(plain, data[i], sizeof plain - 1))
            return;
    if (size == 0 || data[0] == '.') /* the mark of a zone */
        return;
    bool good =
        xnm_rulename_read(target_unicode(), (const char *)data, size, &name, NULL, NULL, NULL);
    assert_int_equal(list->entries + list->counts.skipped, good);
    assert_int_equal(list->counts.bad, !good);
    if (list->entries > 0)
        expect_octets(list->last.octets, list->last.len, name.octets, name.len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const xnm_trigger kinds[] = {XNM_TRIGGER_NAMES, XNM_TRIGGER_ZONES,
                                        XNM_TRIGGER_LOOKALIKES, XNM_TRIGGER_NAMES};
    uint8_t options = take_octet(&data, &size);
    const struct xnm_rule rule = {.action = XNM_NXDOMAIN,
                                  .trigger = kinds[options & OPTION_KINDS],
                                  .file = REPORTS_FILE,
                                  .line = 1,
                                  .path = (char[]){"list"},
                                  .suffixes = (options & OPTION_SUFFIXES) != 0,
                                  .protection = {.min = 4}};
    size_t len;
    uint8_t *text = lengthened(data, size, &len);
    bool good;
    struct list list = expect_list(&rule, text, len, &good);

    if (good && rule.trigger == XNM_TRIGGER_NAMES && rule.suffixes)
        expect_as_written(&list, text, len);
    free(text);
    return 0;
}
