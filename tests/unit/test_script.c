/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/idna/misread.h"
#include "tests/unit/vectors.h"

#include <unicode/uchar.h>
#include <unicode/uset.h>
#include <unicode/uspoof.h>

#include "core/idna/property.h"
#include "core/idna/ulabel.h"
#include "core/idna/unicode.h"
#include "core/lookalike/script.h"
#include "core/text/utf8.h"
#include "core/wire/size.h"
#include "tests/unit/exact.h"

enum { NONE = -1 };

/* The code points of a text, in a buffer of exactly their size. */
struct label {
    uint32_t *code_points;
    size_t len;
};

static struct label label_of(const char *text)
{
    uint32_t code_points[XN_ULABEL_MAX];
    struct label label;

    assert_int_equal(xn_utf8_decode((const uint8_t *)text, strlen(text), code_points, XN_ULABEL_MAX,
                                    &label.len, NULL),
                     XN_OK);
    label.code_points = exact_copy(code_points, label.len * sizeof *code_points);
    return label;
}

/* An index, or NONE for len. */
static int found(size_t at, size_t len)
{
    assert_in_range(at, 0, len);
    return at == len ? NONE : (int)at;
}

/* "Latn,Cyrl" */
static struct xn_script_set set_of(const char *codes)
{
    struct xn_script_set set = {0};

    for (; *codes; codes += strcspn(codes, ",") + (strchr(codes, ',') != NULL))
        assert_true(xn_script_set_add(&set, codes, strcspn(codes, ",")));
    return set;
}

static struct xn_unicode *unicode;

/* --- levels --- */

static struct leveled {
    const char *text;
    xn_level level;
} leveled[] = {
    {"", XN_LEVEL_ASCII},
    {"paypal", XN_LEVEL_ASCII},
    {"a-1", XN_LEVEL_ASCII},
    {"a\u200Db", XN_LEVEL_ASCII}, /* the joiner does not count */

    {"bücher", XN_LEVEL_SINGLE},
    {"бюро-24", XN_LEVEL_SINGLE},
    {"аррӏе", XN_LEVEL_SINGLE},
    {"東京タワー", XN_LEVEL_SINGLE}, /* Japanese is one augmented script */
    {"한국中", XN_LEVEL_SINGLE},
    {"ㄅ中", XN_LEVEL_SINGLE},
    {"123-٤", XN_LEVEL_SINGLE},
    {"i❤", XN_LEVEL_SINGLE},   /* not Allowed, but no mixture */
    {"שָׁלוֹם", XN_LEVEL_SINGLE}, /* with points */
    {"ߒߞߏ", XN_LEVEL_SINGLE},  /* N'Ko */
    {"❤", XN_LEVEL_SINGLE},

    {"ecサイト", XN_LEVEL_HIGHLY},
    {"lg전자", XN_LEVEL_HIGHLY},
    {"k팝", XN_LEVEL_HIGHLY},
    {"naïve-日本", XN_LEVEL_HIGHLY},
    {"aㄅ中", XN_LEVEL_HIGHLY},

    {"aไทย", XN_LEVEL_MODERATE},
    {"aשלום", XN_LEVEL_MODERATE},
    {"aअ", XN_LEVEL_MODERATE},
    {"aไทย\u200D", XN_LEVEL_MODERATE}, /* a joiner is not Allowed, but does not count */

    {"pаypal", XN_LEVEL_MINIMAL},
    {"интернет-shop", XN_LEVEL_MINIMAL},
    {"онлайнtv", XN_LEVEL_MINIMAL},
    {"α-carotene", XN_LEVEL_MINIMAL},
    {"μtorrent", XN_LEVEL_MINIMAL},
    {"カи", XN_LEVEL_MINIMAL},
    {"aไअ", XN_LEVEL_MINIMAL},
    {"カ한", XN_LEVEL_MINIMAL},

    {"pаypal❤", XN_LEVEL_UNRESTRICTED},
    {"бߒ", XN_LEVEL_UNRESTRICTED},
    {"дb\u200C", XN_LEVEL_MINIMAL},
    {"aߒ", XN_LEVEL_UNRESTRICTED}, /* Latin with one other, but not a recommended one */
    {"pⲁypal", XN_LEVEL_UNRESTRICTED},
    {"gꓳꓳgle", XN_LEVEL_UNRESTRICTED},
    {"\U0001042Coogle", XN_LEVEL_UNRESTRICTED},
    {"aไทย❤", XN_LEVEL_UNRESTRICTED},
    {"ecサイト❤", XN_LEVEL_HIGHLY},
};

TEST_NUMBERED_ROWS(test_level, leveled)
{
    const struct leveled *row = *state;
    struct label label = label_of(row->text);

    assert_string_equal(xn_level_word(xn_script_level(label.code_points, label.len)),
                        xn_level_word(row->level));
    free(label.code_points);
}

TEST(test_level_words, "words of levels")
{
    static const char *const words[] = {"ascii",    "single",  "highly",
                                        "moderate", "minimal", "unrestricted"};

    for (size_t i = 0; i < COUNT(words); i++)
        assert_string_equal(xn_level_word((xn_level)i), words[i]);
}

/* The restriction level agrees with the display's script-mix. */
TEST(test_level_and_display, "level and display")
{
    for (size_t i = 0; i < COUNT(leveled); i++) {
        struct label label = label_of(leveled[i].text);
        xn_reasons reasons = xn_ulabel_check_display(label.code_points, label.len);

        assert_int_equal((reasons & xn_reason_bit(XN_SCRIPT_MIX)) != 0,
                         leveled[i].level > XN_LEVEL_HIGHLY);
        free(label.code_points);
    }
}

/* --- nothing is said of ordinary words --- */

static struct word {
    const char *text, *scripts;
} words[] = {
    {"straße", "Latn"},                             /* German */
    {"naïveté", "Latn"},                            /* French */
    {"mañana", "Latn"},                             /* Spanish */
    {"coração", "Latn"},                            /* Portuguese */
    {"col·lecció", "Latn"},                         /* Catalan */
    {"perché", "Latn"},                             /* Italian */
    {"rødgrød", "Latn"},                            /* Danish */
    {"smörgås", "Latn"},                            /* Swedish */
    {"blåbær", "Latn"},                             /* Norwegian */
    {"þjóðvegur", "Latn"},                          /* Icelandic */
    {"õun", "Latn"},                                /* Estonian */
    {"ķirsis", "Latn"},                             /* Latvian */
    {"žąsis", "Latn"},                              /* Lithuanian */
    {"łódź", "Latn"},                               /* Polish */
    {"příliš", "Latn"},                             /* Czech */
    {"árvíztűrő", "Latn"},                          /* Hungarian */
    {"înțelept", "Latn"},                           /* Romanian */
    {"ılıkağaç", "Latn"},                           /* Turkish */
    {"gəncə", "Latn"},                              /* Azerbaijani */
    {"tiếng-việt", "Latn"},                         /* Vietnamese */
    {"ħobż", "Latn"},                               /* Maltese */
    {"ẹ̀kọ́", "Latn"},                                /* Yoruba */
    {"καλημέρα", "Grek"},                           /* Greek */
    {"интернет", "Cyrl"},                           /* Russian */
    {"їжак", "Cyrl"},                               /* Ukrainian */
    {"љубав", "Cyrl"},                              /* Serbian */
    {"қазақстан", "Cyrl"},                          /* Kazakh */
    {"өвөл", "Cyrl"},                               /* Mongolian */
    {"საქართველო", "Geor"},                         /* Georgian */
    {"հայաստան", "Armn"},                           /* Armenian */
    {"שלום-24", "Hebr"},                            /* Hebrew */
    {"مرحبا", "Arab"},                              /* Arabic */
    {"می\u200Cخواهم", "Arab"},                      /* Persian, with a non-joiner */
    {"نامه\u200Cای", "Arab"},  {"پاکستان", "Arab"}, /* Urdu */
    {"ئۇيغۇر", "Arab"},                             /* Uyghur */
    {"नमस्ते", "Deva"},                               /* Hindi */
    {"गर्\u200Dयो", "Deva"},                         /* Nepali, with a joiner */
    {"উদ্\u200Cযাপন", "Beng"},                       /* Bengali, with a non-joiner */
    {"ক্\u200Dষ", "Beng"},                           /* … with a joiner */
    {"ਪੰਜਾਬੀ", "Guru"},                              /* Punjabi */
    {"ગુજરાતી", "Gujr"},                             /* Gujarati */
    {"ଭାଷା", "Orya"},                               /* Odia */
    {"தமிழ்", "Taml"},                               /* Tamil */
    {"తెలుగు", "Telu"},                              /* Telugu */
    {"ಕನ್ನಡ", "Knda"},                               /* Kannada */
    {"അവന്\u200D", "Mlym"},                          /* Malayalam, with a joiner */
    {"കാല്\u200Cനട", "Mlym"},                        /* … with a non-joiner */
    {"ශ්\u200Dරීලංකා", "Sinh"},                       /* Sinhala, with a joiner */
    {"สวัสดี", "Thai"},                               /* Thai */
    {"ສະບາຍດີ", "Laoo"},                             /* Lao */
    {"ភាសាខ្មែរ", "Khmr"},                           /* Khmer */
    {"မြန်မာ", "Mymr"},                              /* Burmese */
    {"བོད་ཡིག", "Tibt"},                              /* Tibetan */
    {"አማርኛ", "Ethi"},                               /* Amharic */
    {"ދިވެހި", "Thaa"},                                /* Dhivehi */
    {"한국어", "Kore"},                             /* Korean */
    {"東京タワー", "Jpan"},                         /* Japanese */
    {"すもも", "Hrkt"},        {"中国", "Hans"},    /* Chinese */
    {"中國", "Hant"},
};

TEST_NUMBERED_ROWS(test_word, words)
{
    const struct word *row = *state;
    struct label label = label_of(row->text);
    struct xn_script_set set = set_of(row->scripts);
    const uint32_t *text = label.code_points;
    size_t len = label.len;

    assert_int_equal(xn_ulabel_check_valid(text, len), 0);
    assert_int_equal(xn_script_level(text, len), XN_LEVEL_SINGLE);
    assert_int_equal(xn_script_find_restricted(text, len), len);
    assert_int_equal(xn_misread_mixed_digit(text, len), len);
    assert_int_equal(xn_script_find_emoji(text, len), len);
    assert_int_equal(xn_script_find_outside(&set, text, len), len);
    assert_int_equal(xn_script_find_in(&set, text, len), 0);
    assert_false(xn_script_is_wholescript(text, len));
    free(label.code_points);
}

/* --- kinds of characters, by the index of the first --- */

static struct kinds {
    const char *text;
    int mixed_digit, restricted, emoji, rtl;
} kinds[] = {
    {"", NONE, NONE, NONE, NONE},
    {"abc-123", NONE, NONE, NONE, NONE},

    {"د٢۲", 2, NONE, NONE, 0},
    {"1٢", 1, NONE, NONE, 1},
    {"٢1", 1, NONE, NONE, 0},
    {"२a१", NONE, NONE, NONE, NONE},
    {"2x२x2", 2, NONE, NONE, NONE},
    {"1²", NONE, 1, NONE, NONE},   /* no decimal digit */
    {"1①一", NONE, 1, NONE, NONE}, /* nor these */
    {"𝟙𝟚", NONE, 0, NONE, NONE},   /* mathematical digits of one style */
    {"𝟙𝟐", 1, 0, NONE, NONE},      /* … of two */

    {"שָׁלוֹם", NONE, 1, NONE, 0},           /* Hebrew points */
    {"ߒߞߏ", NONE, 0, NONE, 0},            /* N'Ko */
    {"aⵣ", NONE, 1, NONE, NONE},          /* Tifinagh */
    {"a\u2019b", NONE, NONE, NONE, NONE}, /* not shown, but Allowed */
    {"a\u02BCb\u058A\u2010\u2027\u30A0", NONE, NONE, NONE, NONE},
    {"n\u0338", NONE, NONE, NONE, NONE},
    {"\u200Ca\u200Db", NONE, NONE, NONE, NONE},
    {"\u200D߁", NONE, 1, NONE, 1},
    {"a\u00AD", NONE, 1, NONE, NONE}, /* as an invalid label may decode to */
    {"a\u202Eb", NONE, 1, NONE, NONE},
    {"a$b", NONE, 1, NONE, NONE},
    {"a\U0010FFFF", NONE, 1, NONE, NONE},

    {"i❤", NONE, 1, 1, NONE},
    {"😀", NONE, 0, 0, NONE},
    {"a1#*", NONE, 2, NONE, NONE},          /* Emoji, but ASCII */
    {"1\uFE0F\u20E3", NONE, 1, NONE, NONE}, /* a keycap is none of the three */
    {"a\U0001F3FD", NONE, 1, 1, NONE},      /* a skin tone */
    {"ab\U0001F1E9", NONE, 2, 2, NONE},     /* a regional indicator */
    {"a\uFE0F", NONE, 1, NONE, NONE},       /* a selector is none */
    {"a\u2603", NONE, 1, 1, NONE},          /* a snowman */
    {"a\u2192", NONE, 1, NONE, NONE},       /* an arrow is a symbol, no emoji */
    {"©", NONE, 0, 0, NONE},

    {"abא", NONE, NONE, NONE, 2},
    {"ab\u0661", NONE, NONE, NONE, 2},    /* class AN */
    {"\u06F1", NONE, NONE, NONE, NONE},   /* class EN */
    {"ab\u064B", NONE, NONE, NONE, NONE}, /* class NSM */
};

TEST_NUMBERED_ROWS(test_kinds, kinds)
{
    const struct kinds *row = *state;
    struct label label = label_of(row->text);
    const uint32_t *text = label.code_points;
    size_t len = label.len;

    assert_int_equal(found(xn_misread_mixed_digit(text, len), len), row->mixed_digit);
    assert_int_equal(found(xn_script_find_restricted(text, len), len), row->restricted);
    assert_int_equal(found(xn_script_find_emoji(text, len), len), row->emoji);
    assert_int_equal(found(xn_script_find_rtl(text, len), len), row->rtl);
    free(label.code_points);
}

/* --- every character --- */

TEST(test_every_kind, "every kind")
{
    UErrorCode error = U_ZERO_ERROR;
    const USet *recommended = uspoof_getRecommendedSet(&error);
    const USet *inclusion = uspoof_getInclusionSet(&error);
    size_t allowed = 0, emoji = 0;

    assert_true(U_SUCCESS(error));
    for (uint32_t cp = 0; cp < 0x110000; cp++) {
        if (cp >= 0xD800 && cp < 0xE000)
            continue;
        bool restricted = xn_script_find_restricted(&cp, 1) == 0;
        bool is_emoji = xn_script_find_emoji(&cp, 1) == 0;
        if (!xn_unicode_is_joiner(cp) && /* they are left out of every test */
            restricted ==
                (uset_contains(recommended, (UChar32)cp) || uset_contains(inclusion, (UChar32)cp)))
            fail_msg("U+%04X: ICU says otherwise of its Identifier_Status", cp);
        /* what is shown is Allowed; ASCII is judged by the wire format */
        if (cp >= 0x80 && xn_unicode_is_shown(cp) && restricted)
            fail_msg("U+%04X is shown and restricted", cp);
        bool by_icu = u_hasBinaryProperty((UChar32)cp, UCHAR_EXTENDED_PICTOGRAPHIC) ||
                      u_hasBinaryProperty((UChar32)cp, UCHAR_EMOJI_MODIFIER) ||
                      u_hasBinaryProperty((UChar32)cp, UCHAR_REGIONAL_INDICATOR);
        if (is_emoji != by_icu || (is_emoji && (cp < 0x80 || !restricted)))
            fail_msg("U+%04X is an emoji", cp);
        allowed += !restricted;
        emoji += is_emoji;
    }
    assert_in_range(allowed, 100000, 200000);
    assert_in_range(emoji, 1300, 5000);
}

/* --- whole labels --- */

static struct whole {
    const char *text;
    bool whole;
} whole[] = {
    {"аррӏе", true},        {"аррӏе-24", true}, {"рао", true},
    {"о\u200Cо", true},     {"", false},        {"apple", false}, /* Latin itself */
    {"aррӏе", false},                                             /* its first letter is */
    {"аррӏе\u00AA", false}, {"привет", false},  {"中国", false},
    {"24-7", false}, /* no letter */
    {"२-१", false},         {"о❤", false},      {"о\uFE0F\U0010FFFF", false},
};

TEST_NUMBERED_ROWS(test_whole, whole)
{
    const struct whole *row = *state;
    struct label label = label_of(row->text);

    assert_int_equal(xn_script_is_wholescript(label.code_points, label.len), row->whole);
    free(label.code_points);
}

/* --- as long as labels get --- */

TEST(test_longest, "longest")
{
    uint32_t label[XN_ULABEL_MAX];
    struct xn_script_set latin = set_of("Latn"), cyrillic = set_of("Cyrl");
    const size_t last = XN_ULABEL_MAX - 1;

    for (size_t i = 0; i < XN_ULABEL_MAX; i++)
        label[i] = 0x430; /* а */
    uint32_t *exact = exact_copy(label, sizeof label);
    assert_int_equal(xn_script_level(exact, XN_ULABEL_MAX), XN_LEVEL_SINGLE);
    assert_true(xn_script_is_wholescript(exact, XN_ULABEL_MAX));
    assert_int_equal(xn_script_find_outside(&cyrillic, exact, XN_ULABEL_MAX), XN_ULABEL_MAX);
    exact[last] = 'a';
    assert_int_equal(xn_script_level(exact, XN_ULABEL_MAX), XN_LEVEL_MINIMAL);
    assert_false(xn_script_is_wholescript(exact, XN_ULABEL_MAX));
    assert_int_equal(xn_script_find_outside(&cyrillic, exact, XN_ULABEL_MAX), last);
    assert_int_equal(xn_script_find_in(&latin, exact, XN_ULABEL_MAX), last);
    exact[0] = 0x661;
    exact[last] = '1';
    assert_int_equal(xn_misread_mixed_digit(exact, XN_ULABEL_MAX), last);
    exact[last] = 0x1F600;
    assert_int_equal(xn_script_find_emoji(exact, XN_ULABEL_MAX), last);
    assert_int_equal(xn_script_find_restricted(exact, XN_ULABEL_MAX), last);
    free(exact);

    for (size_t i = 0; i < XN_ULABEL_MAX; i++)
        label[i] = 0x1F600; /* two units of UTF-16 each */
    assert_int_equal(xn_script_level(label, XN_ULABEL_MAX), XN_LEVEL_SINGLE);
    for (size_t i = 0; i < XN_ULABEL_MAX; i++)
        label[i] = 0x200D;
    assert_int_equal(xn_script_level(label, XN_ULABEL_MAX), XN_LEVEL_ASCII);
    assert_int_equal(xn_script_find_restricted(label, XN_ULABEL_MAX), XN_ULABEL_MAX);
}

/* --- sets of scripts --- */

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

TEST_NUMBERED_ROWS(test_sought, sought)
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

TEST(test_refused_codes, "refused codes")
{
    static const char *const codes[] = {
        "",     "L",    "Lat",    "Latin", "Latn ", "Cyrillic", "Han",  "Lat1", "La-n",
        "Zyyy", "Zinh", "Zzzz",   "Zsye",  "Zmth",  "Qaai",     "Qaac", "Xxxx", "Latf",
        "Blis", "zyyy", "Common", "latı",  "@atn",  "[atn",     "La\tn"};

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
TEST(test_every_script, "every script")
{
    struct xn_scripts codes = {0};
    size_t scripts = 0;
    struct xn_script_set latin = set_of("Latn"), all = {0};

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

TEST_MAIN_WITH_UNICODE(unicode)
