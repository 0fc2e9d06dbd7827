/* SPDX-License-Identifier: BSD-3-Clause */
/* Exemptions and modifiers where they mean something else: in lists of passthru rules, and where
 * there are more than an entry holds, or than the policy wants. */
#include "module/list/reader.h"
#include "module/rule/rule.h"
#include "tests/unit/vectors.h"

#include "tests/unit/listread.h"

static struct list_result result;

static void read_text(xnm_action action, const char *text, size_t entries_max)
{
    const struct xnm_rule rule = {.action = action, .trigger = XNM_TRIGGER_ZONES};

    list_read(&result, &rule, text, strlen(text), entries_max);
}

/* An exempted name passes, like every other name of such a list. */
static void test_passthru(void **state)
{
    static const char text[] = "@@||a.example^\n||b.example^$important\n||d.example^$dnstype=A\n";

    (void)state;
    read_text(XNM_PASSTHRU, text, 0);
    assert_string_equal(result.entries, "zone a.example.\nzone b.example.\n"
                                        "zone d.example. types=1\n");
    assert_string_equal(result.reports, "");
    read_text(XNM_NXDOMAIN, text, 0);
    assert_string_equal(result.entries,
                        "zone a.example. strength=1 exempts\nzone b.example. strength=2\n"
                        "zone d.example. types=1\n");
}

/* The names of one filter, each of 240 octets. */
static void put_denied(char *text, unsigned count)
{
    static const char label[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    size_t len = (size_t)sprintf(text, "||a.example^$denyallow=");

    for (unsigned i = 0; i < count; i++)
        len += (size_t)sprintf(text + len, "%s%s.%s.%s.%s%03u.com", i > 0 ? "|" : "", label, label,
                               label, label + 5, i);
    sprintf(text + len, "\n");
}

static unsigned count_lines(const char *text)
{
    unsigned lines = 0;

    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

static void test_denied(void **state)
{
    static char text[2 * XNM_DENIED_MAX];
    enum { OCTETS_OF_ONE = 3 * 58 + 56 + 5, FIT = XNM_DENIED_MAX / OCTETS_OF_ONE };
    char entry[64];

    (void)state;
    put_denied(text, FIT);
    read_text(XNM_NXDOMAIN, text, 0);
    snprintf(entry, sizeof entry, "zone a.example. denied=%d\n", FIT * OCTETS_OF_ONE);
    assert_non_null(strstr(result.entries, entry));
    assert_string_equal(result.reports, "");
    read_text(XNM_NXDOMAIN, text, 3);
    assert_false(result.good);
    assert_int_equal(count_lines(result.entries), 3);
    put_denied(text, FIT + 1);
    read_text(XNM_NXDOMAIN, text, 0);
    assert_string_equal(result.entries, "");
    assert_string_equal(result.reports,
                        "W 1:1 skipped: a filter with too many types or names in its modifiers, or "
                        "one too many with others\n");
}

/* Entries that differ in nothing but their names are one variant, which a list has many of. */
static void test_variants(void **state)
{
    static char text[64 * (XNM_LIST_VARIANTS_MAX + 2)];
    unsigned count = 0;

    (void)state;
    for (char *at = text; count <= XNM_LIST_VARIANTS_MAX; count++)
        at += sprintf(at, "||a%u.example^$dnstype=TYPE%u\n", count, 1000 + count);
    sprintf(text + strlen(text), "||b.example^$dnstype=TYPE1000\n||c.example^\n");
    read_text(XNM_NXDOMAIN, text, 0);
    assert_int_equal(count_lines(result.entries), XNM_LIST_VARIANTS_MAX + 2);
    assert_non_null(strstr(result.entries, "zone a255.example. types=1255\n"));
    assert_null(strstr(result.entries, "zone a256.example."));
    assert_non_null(strstr(result.entries, "zone b.example. types=1000\nzone c.example.\n"));
    assert_string_equal(result.reports,
                        "W 257:3 skipped: a filter with too many types or names in its modifiers, "
                        "or one too many with others\n");
}

static void test_types(void **state)
{
    static char text[64 + 16 * XNM_RULE_TYPES_MAX];

    (void)state;
    for (unsigned extra = 0; extra < 2; extra++) {
        char *at = text + sprintf(text, "||a.example^$dnstype=");
        for (unsigned i = 0; i < XNM_RULE_TYPES_MAX + extra; i++)
            at += sprintf(at, "%sTYPE%u", i > 0 ? "|" : "", 1000 + i);
        sprintf(at, "\n");
        read_text(XNM_NXDOMAIN, text, 0);
        assert_int_equal(count_lines(result.entries), 1 - extra);
        assert_int_equal(count_lines(result.reports), extra);
    }
}

int main(void)
{
    struct test_group group = {0};

    if (xn_unicode_open(&list_unicode) != XN_OK)
        return 1;
    add_test(&group, "in a list of passthru rules", test_passthru, NULL);
    add_test(&group, "as many names as an entry denies, one more, and some", test_denied, NULL);
    add_test(&group, "as many types as an entry has, and one more", test_types, NULL);
    add_test(&group, "as many variants as a list may have, and one more", test_variants, NULL);
    int failed = run_group("list_modifiers", &group);
    xn_unicode_close(list_unicode);
    return failed;
}
