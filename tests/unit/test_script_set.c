/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets of scripts: which codes there are, and which characters belong to them. */
#include "core/idna/ulabel.h"
#include "tests/unit/labeltext.h"

static struct sought {
    const char *codes, *text;
    int in, outside;
} sought[] = {
    {"", "aб中1-", NONE, 0},
    {"Latn", "", NONE, NONE},
    {"Latn", "1-2", NONE, NONE},
    {"Latn", "bücher", 0, NONE},
    {"Latn", "1pаypal", 1, 2},
    {"Cyrl", "pаypal", 1, 0},
    {"Cyrl,Latn", "pаypal", 0, NONE},
    {"Latn", "e\u0301", 0, NONE},  /* Inherited */
    {"Latn", "i❤", 0, NONE},       /* Common */
    {"Latn", "a\u200Db", 0, NONE}, /* a joiner is Inherited */
    {"Latn", "ab\u0378", 0, 2},    /* not assigned: of no script */
    {"Beng", "ক্\u200Dষ", 0, NONE},
    {"lATN,cYRL", "бa", 0, NONE},

    /* the sign of long vowels is Common, and used with Hiragana and Katakana */
    {"Latn", "aー", 0, 1},
    {"Kana", "ー", NONE, NONE},
    {"Hira", "ー", NONE, NONE},
    {"Hrkt", "ー", 0, NONE},
    {"Hira", "コーヒー", NONE, 0},
    {"Kana", "コーヒー", 0, NONE},
    {"Hani", "\u3006", 0, NONE}, /* Common, and used with Han alone */
    {"Latn", "\u3006", NONE, 0},
    {"Arab", "\u0640", NONE, NONE}, /* tatweel: also Adlam, Mandaic, Syriac and others */
    {"Latn", "\u0640", NONE, 0},
    {"Arab", "ك\u0640", 0, NONE},
    {"Deva", "\u0951", NONE, NONE}, /* a Vedic accent: twelve scripts, Latin too */
    {"Latn", "\u0951", NONE, NONE},
    {"Grek", "\u0951", NONE, 0},
    {"Deva", "\u0966", 0, NONE}, /* a digit of Devanagari, used with others too */
    {"Dogr", "\u0966", NONE, NONE},
    {"Latn", "\u0966", NONE, 0},
    {"Grek", "\u0342", 0, NONE}, /* Inherited, and used with Greek alone */
    {"Cyrl", "\u0342", NONE, 0},

    {"Jpan", "かカ漢", 0, NONE},
    {"Jpan", "漢한", 0, 1},
    {"Hrkt", "漢かカ", 1, 0},
    {"Kore", "한漢", 0, NONE},
    {"Kore", "한か", 0, 1},
    {"Hans", "漢か", 0, 1},
    {"Hant", "か漢", 1, 0},
    {"Hanb", "漢ㄅ", 0, NONE},
    {"Hanb", "か漢", 1, 0},
};

static void test_sought(void **state)
{
    const struct sought *row = *state;
    struct label label = label_of(row->text);
    struct xn_script_set set = set_of(row->codes);

    assert_int_equal(found(xn_script_find_in(&set, label.code_points, label.len), label.len),
                     row->in);
    assert_int_equal(found(xn_script_find_outside(&set, label.code_points, label.len), label.len),
                     row->outside);
    free(label.code_points);
}

static void test_refused_codes(void **state)
{
    static const char *const codes[] = {
        "",     "L",    "Lat",    "Latin", "Latn ", "Cyrillic", "Han",  "Lat1", "La-n",
        "Zyyy", "Zinh", "Zzzz",   "Zsye",  "Zmth",  "Qaai",     "Qaac", "Xxxx", "Latf",
        "Blis", "zyyy", "Common", "latı",  "@atn",  "[atn",     "La\tn"};

    (void)state;
    for (size_t i = 0; i < COUNT(codes); i++) {
        size_t len = strlen(codes[i]);
        char *code = exact_copy(codes[i], len);
        struct xn_script_set set = {0};

        if (xn_script_set_add(&set, code, len))
            fail_msg("%s", codes[i]);
        for (size_t word = 0; word < COUNT(set.bits); word++)
            assert_int_equal(set.bits[word], 0);
        free(code);
    }
    struct xn_script_set set = {0};
    assert_false(xn_script_set_add(&set, "La\0n", 4));
}

/* Every character but Common and Inherited ones is of a script with a code, and of no other: it
 * belongs to that set, and to what is not that set it is a stranger, unless it is used there too.
 */
static void test_every_script(void **state)
{
    struct xn_scripts codes = {0};
    size_t scripts = 0;
    struct xn_script_set latin = set_of("Latn"), all = {0};

    (void)state;
    for (uint32_t cp = 0; cp < 0x110000; cp++) {
        struct xn_script_set set = {0};

        if (cp >= 0xD800 && cp < 0xE000)
            continue;
        codes.count = 0;
        xn_ulabel_add_scripts(&cp, 1, &codes);
        if (codes.count == 0)
            continue;
        if (strcmp(codes.codes[0], "Zzzz") == 0) {
            assert_int_equal(xn_script_find_in(&latin, &cp, 1), 1);
            assert_int_equal(xn_script_find_outside(&latin, &cp, 1), 0);
            continue;
        }
        if (!xn_script_set_add(&set, codes.codes[0], 4))
            fail_msg("U+%04X: %s", cp, codes.codes[0]);
        assert_int_equal(xn_script_find_in(&set, &cp, 1), 0);
        assert_int_equal(xn_script_find_outside(&set, &cp, 1), 1);
        assert_int_equal(xn_script_find_in(&latin, &cp, 1), strcmp(codes.codes[0], "Latn") != 0);
        scripts +=
            xn_script_find_in(&all, &cp, 1) != 0 && xn_script_set_add(&all, codes.codes[0], 4);
    }
    assert_in_range(scripts, 150, XN_SCRIPT_NUMBERS); /* Unicode 13 has 154 */
}

int main(void)
{
    struct test_group group = {0};

    ADD_ROWS(&group, sought, test_sought);
    add_test(&group, "refused codes", test_refused_codes, NULL);
    add_test(&group, "every script", test_every_script, NULL);
    int failed = run_group("script set", &group);
    free(group.tests);
    return failed;
}
