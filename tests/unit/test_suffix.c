/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/vectors.h"

#include "module/name/suffix.h"
#include "tests/unit/exact.h"
#include "tests/unit/wirenames.h"

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

static void test_row(void **state)
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
static void test_listed(void **state)
{
    static const char *const names[] = {"com",      "co.uk",  "foo.ck", "router",
                                        "a.router", "www.ck", ""};

    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        uint8_t wire[XN_WIRE_NAME_MAX];
        size_t len = wire_of(names[i], wire);
        assert_int_equal(xnm_suffix_is_listed(wire, len), i < 3);
    }
}

/* "co.uk" as one label, and "pvt.k12" in a name that is a suffix of four labels as text. */
static void test_dot_in_a_label(void **state)
{
    static const uint8_t co_uk[] = "\1a\5co.uk", pvt_k12[] = "\7pvt.k12\2ma\2us";

    (void)state;
    assert_int_equal(xnm_suffix_find(co_uk, sizeof co_uk), 2);
    assert_false(xnm_suffix_is_public(co_uk, sizeof co_uk));
    assert_int_equal(xnm_suffix_find(pvt_k12, sizeof pvt_k12), 8);
    assert_false(xnm_suffix_is_public(pvt_k12, sizeof pvt_k12));
}

/* 127 labels, and labels of 63 octets. */
static void test_longest(void **state)
{
    uint8_t wire[XN_WIRE_NAME_MAX];

    (void)state;
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
static void test_chance(void **state)
{
    static const char *const labels[] = {"com", "uk",      "co",     "ck", "www",       "no", "os",
                                         "jp",  "hedmark", "kobe",   "a",  "us",        "ma", "k12",
                                         "pvt", "city",    "\xFF.?", "cn", "xn--55qx5d"};
    uint64_t seed = 20261121;

    (void)state;
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

int main(void)
{
    struct test_group group = {0};

    for (size_t i = 0; i < COUNT(rows); i++)
        add_test(&group, rows[i].name[0] ? rows[i].name : ".", test_row, &rows[i]);
    add_test(&group, "what the list has", test_listed, NULL);
    add_test(&group, "a dot in a label", test_dot_in_a_label, NULL);
    add_test(&group, "the longest names", test_longest, NULL);
    add_test(&group, "of random names the longest public suffix", test_chance, NULL);
    return run_group("suffix", &group);
}
