/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/vectors.h"

#include "core/names/idna.h"
#include "module/name/suffix.h"
#include "tests/unit/exact.h"
#include "tests/unit/wirenames.h"

#include <libpsl.h>
#include <sys/stat.h>

#include "suffix_table.h"

static struct row {
    const char *name, *suffix; /* wire names as text; suffix is an end of name */
} rows[] = {
    {"com", "com"},
    {"", ""},
    {"paypal.com", "com"},
    {"www.paypal.com", "com"},
    {"google.co.uk", "co.uk"},
    {"co.uk", "co.uk"},
    {"uk", "uk"},
    {"paypal.example", "example"},
    {"example", "example"},
    {"a.b.c.unknown-tld", "unknown-tld"},
    {"xn--pypal-4ve.xn--p1ai", "xn--p1ai"},
    {"x.xn--55qx5d.cn", "xn--55qx5d.cn"},
    {"x.xn--90azh.xn--90a3ac", "xn--90azh.xn--90a3ac"},
    /* a wildcard, and an exception to it */
    {"a.foo.ck", "foo.ck"},
    {"foo.ck", "foo.ck"},
    {"www.ck", "ck"},
    {"a.www.ck", "ck"},
    {"?.ck", "?.ck"},
    /* one whose parent is none */
    {"os.hedmark.no", "os.hedmark.no"},
    {"x.os.hedmark.no", "os.hedmark.no"},
    {"x.hedmark.no", "no"},
    {"a.pvt.k12.ma.us", "pvt.k12.ma.us"},
    /* the private section is none of ours */
    {"foo.blogspot.com", "com"},
    {"a.github.io", "io"},
    {"a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t.u.v.w.x.y.z.pvt.k12.ma.us", "pvt.k12.ma.us"},
};

TEST_ROWS(test_row, rows, name)
{
    const struct row *row = *state;
    uint8_t wire[XN_WIRE_NAME_MAX], suffix[XN_WIRE_NAME_MAX];
    size_t len = wire_of(row->name, wire), suffix_len = wire_of(row->suffix, suffix);
    char *exact = exact_copy((const char *)wire, len);
    size_t at = xnm_suffix_find((const uint8_t *)exact, len);

    assert_int_equal(len - at, suffix_len);
    assert_memory_equal(wire + at, suffix, suffix_len);
    assert_int_equal(xnm_suffix_is_public((const uint8_t *)exact, len), at == 0);
    free(exact);
}

/* A single label may be a top-level domain, and is none that the list has. */
TEST(test_listed, "what the list has")
{
    static const char *const names[] = {"com",      "co.uk",  "foo.ck", "router",
                                        "a.router", "www.ck", ""};

    for (size_t i = 0; i < COUNT(names); i++) {
        uint8_t wire[XN_WIRE_NAME_MAX];
        size_t len = wire_of(names[i], wire);
        assert_int_equal(xnm_suffix_is_listed(wire, len), i < 3);
    }
}

/* "co.uk" as one label, and "pvt.k12" in a name that is a suffix of four labels as text. */
TEST(test_dot_in_a_label, "a dot in a label")
{
    static const uint8_t co_uk[] = "\1a\5co.uk", pvt_k12[] = "\7pvt.k12\2ma\2us";

    assert_int_equal(xnm_suffix_find(co_uk, sizeof co_uk), 2);
    assert_false(xnm_suffix_is_public(co_uk, sizeof co_uk));
    assert_int_equal(xnm_suffix_find(pvt_k12, sizeof pvt_k12), 8);
    assert_false(xnm_suffix_is_public(pvt_k12, sizeof pvt_k12));
}

/* 127 labels, and labels of 63 octets. */
TEST(test_longest, "the longest names")
{
    uint8_t wire[XN_WIRE_NAME_MAX];

    for (size_t at = 0; at < 254; at += 2)
        memcpy(wire + at, "\1a", 2);
    wire[254] = 0;
    assert_int_equal(xnm_suffix_find(wire, sizeof wire), 252);
    memset(wire, 'a', 254);
    wire[0] = wire[64] = wire[128] = 63;
    wire[192] = 61;
    assert_int_equal(xnm_suffix_find(wire, sizeof wire), 192);
}

/* The suffix that is found is public, and no longer one is. */
TEST(test_chance, "of random names the longest public suffix")
{
    static const char *const labels[] = {"com", "uk",      "co",     "ck", "www",       "no", "os",
                                         "jp",  "hedmark", "kobe",   "a",  "us",        "ma", "k12",
                                         "pvt", "city",    "\xFF.?", "cn", "xn--55qx5d"};
    uint64_t seed = 20261121;

    for (unsigned round = 0; round < 20000; round++) {
        uint8_t wire[XN_WIRE_NAME_MAX];
        size_t len = 0;

        for (uint32_t n = below(&seed, 6) + 1; n > 0; n--) {
            const char *label = labels[below(&seed, COUNT(labels))];
            wire[len++] = (uint8_t)strlen(label);
            memcpy(wire + len, label, strlen(label));
            len += strlen(label);
        }
        wire[len++] = 0;
        size_t found = xnm_suffix_find(wire, len), at = 0;
        for (; at < found; at += wire[at] + 1u)
            assert_false(xnm_suffix_is_public(wire + at, len - at));
        assert_int_equal(at, found);
        assert_true(xnm_suffix_is_public(wire + at, len - at));
    }
}

/* Asks libpsl itself about a name and each of its parents. Returns whether the name is listed. */
static bool is_as_libpsl_says(const uint8_t *wire, size_t len)
{
    size_t longest = len;

    for (size_t at = 0; wire[at] != 0; at += wire[at] + 1u) {
        char text[XN_WIRE_TEXT_MAX];
        text[xn_wire_to_text(wire + at, text) - 1] = '\0';
        bool listed =
            psl_is_public_suffix2(psl_builtin(), text, PSL_TYPE_ICANN | PSL_TYPE_NO_STAR_RULE) == 1;
        assert_int_equal(xnm_suffix_is_listed(wire + at, len - at), listed);
        if (longest == len && (listed || wire[at + wire[at] + 1u] == 0))
            longest = at;
    }
    assert_int_equal(xnm_suffix_find(wire, len), longest);
    return longest == 0;
}

/* Tries the name, a name below it, and the name with a letter changed. */
static bool try_rule(const uint8_t *wire, size_t len, uint64_t *seed)
{
    uint8_t other[XN_WIRE_NAME_MAX + 2] = "\1a";
    size_t at = below(seed, (uint32_t)len - 1);

    memcpy(other + 2, wire, len);
    is_as_libpsl_says(other, len + 2);
    if (other[2 + at] >= 'a')
        other[2 + at] = (uint8_t)('a' + below(seed, 26));
    is_as_libpsl_says(other + 2, len);
    return is_as_libpsl_says(wire, len);
}

/* Every rule of the file that libpsl's list was made of, if it is installed in any version. In the
 * version of the list, the filter is in use. */
TEST(test_every_rule, "every rule is libpsl's")
{
    FILE *file = fopen(psl_builtin_filename(), "r");
    struct xn_unicode *unicode;
    struct xn_findings findings;
    struct stat status;
    char line[1024];
    size_t listed = 0;
    uint64_t seed = 20261123;

    if (!file)
        skip();
    assert_int_equal(fstat(fileno(file), &status), 0);
    if (status.st_mtime == psl_builtin_file_time())
        assert_string_equal(suffix_list, psl_builtin_sha1sum());
    assert_int_equal(xn_unicode_open(&unicode), XN_OK);
    while (fgets(line, sizeof line, file)) {
        const char *rule = line + (*line == '!') + 2 * (strncmp(line, "*.", 2) == 0);
        uint8_t wire[XN_WIRE_NAME_MAX];
        size_t len, rule_len = strcspn(rule, " \t\r\n");

        if (rule_len == 0 || *rule == '/')
            continue;
        assert_int_equal(xn_idna_to_wire(unicode, rule, rule_len, wire, &len, &findings), XN_OK);
        listed += try_rule(wire, len, &seed);
    }
    assert_true(listed > 5000);
    xn_unicode_close(unicode);
    fclose(file);
}

/* Names of two or three labels, some of them rules. */
TEST(test_any_name, "and any name")
{
    static const char *const tops[] = {"com", "uk", "ck", "no", "jp", "xn--p1ai", "bd", "kawasaki"};
    uint64_t seed = 20261124;
    unsigned listed = 0;

    for (unsigned round = 0; round < 50000; round++) {
        char text[64];
        uint8_t wire[XN_WIRE_NAME_MAX];
        uint32_t n = below(&seed, 26 * 26 * 26);
        const char *top = tops[below(&seed, COUNT(tops))];
        snprintf(text, sizeof text, "%c%c%s%c.%s", (char)('a' + n % 26), (char)('a' + n / 26 % 26),
                 round % 2 ? "." : "", (char)('a' + n / 676), round % 3 ? top : "example");

        listed += is_as_libpsl_says(wire, wire_of(text + (round % 5 == 0), wire));
    }
    assert_true(listed > 100);
}

TEST_MAIN
