/* SPDX-License-Identifier: BSD-3-Clause */
/* A call of ICU fails, or finds nothing, as if ICU had no memory or no data: what is said of a
 * label then is never better than what ICU would have said. The Makefile links this program with
 * --wrap of these functions. */
#include "tests/unit/vectors.h"

#include "core/idna/uts46.h"
#include "core/names/idna.h"
#include "core/text/utf8.h"
#include "tests/unit/icutable.h"
#include "tests/unit/nomemory.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/uset.h>
#include <unicode/uspoof.h>
#include <unicode/utrans.h>

static struct xn_unicode *unicode; /* without the table: each answer is ICU's */

/* --- the calls --- */

struct fault {
    const char *function;
    unsigned call; /* which one fails; the first is 1 */
    UErrorCode error;
};
static struct fault fault;
static unsigned calls;

static void set_fault(struct fault next)
{
    fault = next;
    calls = 0;
}

static bool fails(const char *function, UErrorCode *error)
{
    if (!fault.function || strcmp(fault.function, function) != 0 || ++calls != fault.call)
        return false;
    if (error)
        *error = fault.error;
    return true;
}

/* ICU's names are macros that add its version. ICU calls some of these functions itself, for which
 * the linker wants the wrappers visible; ICU does not get them. */
#define FOR_ALL __attribute__((visibility("default")))
#define PASTE_NOW(a, b) a##b
#define PASTE(a, b) PASTE_NOW(a, b)
#define WRAP(type, function, nothing, error, parameters, arguments)                                \
    type PASTE(__real_, function) parameters;                                                      \
    FOR_ALL type PASTE(__wrap_, function) parameters;                                              \
    type PASTE(__wrap_, function) parameters                                                       \
    {                                                                                              \
        return fails(#function, error) ? (nothing) : PASTE(__real_, function) arguments;           \
    }

WRAP(UIDNA *, uidna_openUTS46, NULL, error, (uint32_t options, UErrorCode *error), (options, error))
WRAP(const USet *, uspoof_getRecommendedSet, NULL, error, (UErrorCode * error), (error))
WRAP(USet *, uset_cloneAsThawed, NULL, NULL, (const USet *set), (set))
WRAP(UBool, uset_contains, false, NULL, (const USet *set, UChar32 cp), (set, cp))
WRAP(UBool, u_hasBinaryProperty, false, NULL, (UChar32 cp, UProperty property), (cp, property))
WRAP(int32_t, uspoof_check, 0, error,
     (const USpoofChecker *checker, const UChar *text, int32_t len, int32_t *at, UErrorCode *error),
     (checker, text, len, at, error))
WRAP(int32_t, uscript_getScriptExtensions, 0, error,
     (UChar32 cp, UScriptCode *dst, int32_t cap, UErrorCode *error), (cp, dst, cap, error))
WRAP(int32_t, uidna_labelToUnicode, 0, error,
     (const UIDNA *idna, const UChar *label, int32_t len, UChar *dst, int32_t cap, UIDNAInfo *info,
      UErrorCode *error),
     (idna, label, len, dst, cap, info, error))
#define UTF8_PARAMETERS                                                                            \
    (const UIDNA *idna, const char *label, int32_t len, char *dst, int32_t cap, UIDNAInfo *info,   \
     UErrorCode *error)
#define UTF8_ARGUMENTS (idna, label, len, dst, cap, info, error)
WRAP(int32_t, uidna_labelToUnicodeUTF8, 0, error, UTF8_PARAMETERS, UTF8_ARGUMENTS)
WRAP(int32_t, uidna_labelToASCII_UTF8, 0, error, UTF8_PARAMETERS, UTF8_ARGUMENTS)
WRAP(int32_t, uidna_nameToASCII_UTF8, 0, error, UTF8_PARAMETERS, UTF8_ARGUMENTS)
/* It tells the length also of a name that has no room. */
WRAP(int32_t, u_charName, 1, error,
     (UChar32 cp, UCharNameChoice choice, char *dst, int32_t cap, UErrorCode *error),
     (cp, choice, dst, cap, error))
WRAP(UTransliterator *, utrans_openU, NULL, error,
     (const UChar *id, int32_t len, UTransDirection direction, const UChar *rules,
      int32_t rules_len, UParseError *parse, UErrorCode *error),
     (id, len, direction, rules, rules_len, parse, error))

static bool other_unicode;
void PASTE(__real_, u_getUnicodeVersion)(UVersionInfo version);
FOR_ALL void PASTE(__wrap_, u_getUnicodeVersion)(UVersionInfo version);
void PASTE(__wrap_, u_getUnicodeVersion)(UVersionInfo version)
{
    PASTE(__real_, u_getUnicodeVersion)(version);
    version[0] += other_unicode;
}

/* --- opening --- */

static const struct {
    struct fault fault;
    xn_status status;
} openings[] = {
    {{"uidna_openUTS46", 1, U_MEMORY_ALLOCATION_ERROR}, XN_NO_MEMORY},
    {{"uidna_openUTS46", 1, U_FILE_ACCESS_ERROR}, XN_UNICODE_DATA},
    {{"uspoof_getRecommendedSet", 1, U_MISSING_RESOURCE_ERROR}, XN_UNICODE_DATA},
    {{"uset_cloneAsThawed", 1, U_ZERO_ERROR}, XN_NO_MEMORY},
    /* Sets are empty: a letter is restricted, or a middle dot, or an emoji is none. */
    {{"uset_contains", 1, U_ZERO_ERROR}, XN_NO_MEMORY},
    {{"uset_contains", 2, U_ZERO_ERROR}, XN_NO_MEMORY},
    {{"u_hasBinaryProperty", 1, U_ZERO_ERROR}, XN_NO_MEMORY},
    /* A label of one script is of many, two equal marks are in order, or a letter has odd marks. */
    {{"uspoof_check", 1, U_ZERO_ERROR}, XN_NO_MEMORY},
    {{"uspoof_check", 1, U_MEMORY_ALLOCATION_ERROR}, XN_NO_MEMORY},
    {{"uspoof_check", 2, U_ZERO_ERROR}, XN_NO_MEMORY},
    {{"uspoof_check", 3, U_MEMORY_ALLOCATION_ERROR}, XN_NO_MEMORY},
};

static void expect_open(xn_status status, const char *what, unsigned call)
{
    struct xn_unicode *opened = unicode;

    if (xn_unicode_open(&opened) != status || !opened != (status != XN_OK))
        fail_msg("%s, call %u", what, call);
    xn_unicode_close(opened);
}

static void test_opening(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(openings); i++) {
        set_fault(openings[i].fault);
        expect_open(openings[i].status, fault.function, fault.call);
        set_fault((struct fault){0});
        expect_open(XN_OK, "no fault", 0);
    }
    calls_left = 0;
    expect_open(XN_NO_MEMORY, "calloc", 1);
    calls_left = ULONG_MAX;
}

/* --- answers --- */

static const uint32_t u_label[] = {'b', 0xFC, 'c', 'h', 'e', 'r'};

static int validity(void)
{
    return (int)xn_unicode_check_ulabel(unicode, u_label, COUNT(u_label));
}

static int display(void)
{
    return (int)xn_unicode_check_display(unicode, u_label, COUNT(u_label));
}

static int map(const char *part, size_t times)
{
    uint8_t label[512], dst[63];
    size_t len = strlen(part), dst_len;

    for (size_t i = 0; i < times; i++)
        memcpy(label + i * len, part, len);
    return (int)xn_unicode_map_label(unicode, label, times * len, dst, &dst_len);
}

static int mapping(void)
{
    return map("\u00FC", 1);
}

/* So long that it is mapped without encoding first, and short once it is mapped. */
static int long_mapping(void)
{
    return map("\u1112\u1161\u11AB", 40);
}

static int character(void)
{
    return (int)xn_unicode_judge_character(unicode, 0xE9, 'a', 0);
}

static int overlength(void)
{
    uint8_t label[2 * 58];

    for (size_t i = 0; i < sizeof label; i += 2)
        xn_utf8_write(0xFC, label + i);
    return (int)xn_unicode_alabel_overlength(unicode, label, sizeof label);
}

static int joiner(void)
{
    static const uint32_t label[] = {'a', 0x200D};

    return (int)xn_unicode_joiner_fault(unicode, label, COUNT(label));
}

static int is_named(void)
{
    char name[XN_CHARACTER_NAME_MAX];

    xn_unicode_character_name('a', name);
    return strcmp(name, "LATIN SMALL LETTER A") == 0;
}

static int other_han(void)
{
    static const char simplified[] = "\u4E2D\u56FD";
    uint8_t dst[16];

    return (int)xn_unicode_other_han((const uint8_t *)simplified, strlen(simplified), dst,
                                     sizeof dst);
}

static int extensions(void)
{
    uint8_t scripts[XN_SCRIPT_EXTENSIONS_MAX];

    return (int)xn_unicode_script_extensions('a', scripts);
}

static int strict_name(void)
{
    char dst[64];
    size_t len;
    xn_reasons reasons;

    return (int)xn_uts46_to_ascii(unicode, "b\u00FCcher", 7, 0, dst, sizeof dst, &len, &reasons);
}

/* Whether the name is shown in Unicode. */
static int to_unicode(void)
{
    char dst[XN_IDNA_TEXT_MAX];
    size_t len;
    struct xn_findings findings;

    assert_int_equal(xn_idna_to_unicode(unicode, "xn--bcher-kva", 13, dst, &len, &findings), XN_OK);
    assert_int_equal(findings.reasons, 0);
    return strcmp(dst, "b\u00FCcher") == 0 ? 1 : strcmp(dst, "xn--bcher-kva") == 0 ? 0 : -1;
}

#define BIT(reason) (1 << (reason))
static const struct {
    struct fault fault;
    int (*ask)(void);
    int sound, with_fault;
    unsigned lacks;
} answers[] = {
    {{"uidna_labelToUnicode", 1, U_MEMORY_ALLOCATION_ERROR}, validity, 0, BIT(XN_NOT_CANONICAL), 1},
    {{"uidna_labelToUnicode", 1, U_BUFFER_OVERFLOW_ERROR}, validity, 0, BIT(XN_NOT_CANONICAL), 0},
    {{"uspoof_check", 1, U_ILLEGAL_ARGUMENT_ERROR}, display, 0, BIT(XN_CHARSET), 1},
    {{"uspoof_check", 2, U_MEMORY_ALLOCATION_ERROR}, display, 0, BIT(XN_SCRIPT_MIX), 1},
    {{"uspoof_check", 2, U_ZERO_ERROR}, display, 0, BIT(XN_SCRIPT_MIX), 0},
    {{"uidna_labelToASCII_UTF8", 1, U_MEMORY_ALLOCATION_ERROR}, mapping, 0, BIT(XN_TOO_LONG), 1},
    {{"uidna_labelToUnicodeUTF8", 1, U_MEMORY_ALLOCATION_ERROR},
     long_mapping,
     0,
     BIT(XN_TOO_LONG),
     1},
    {{"uidna_labelToUnicode", 1, U_MEMORY_ALLOCATION_ERROR},
     character,
     XN_CHARACTER_ALLOWED,
     XN_CHARACTER_REFUSED,
     0},
    {{"uidna_labelToASCII_UTF8", 1, U_MEMORY_ALLOCATION_ERROR}, overlength, 64, 0, 0},
    {{"uidna_labelToUnicode", 1, U_MEMORY_ALLOCATION_ERROR}, joiner, 1, 2, 0},
    {{"u_charName", 1, U_BUFFER_OVERFLOW_ERROR}, is_named, 1, 0, 0},
    {{"utrans_openU", 2, U_MEMORY_ALLOCATION_ERROR}, other_han, 6, 0, 0},
    {{"uscript_getScriptExtensions", 1, U_BUFFER_OVERFLOW_ERROR}, extensions, 1, 0, 0},
    {{"uidna_nameToASCII_UTF8", 1, U_MEMORY_ALLOCATION_ERROR}, strict_name, XN_OK, XN_NO_MEMORY, 0},
    {{"uidna_labelToUnicode", 2, U_MEMORY_ALLOCATION_ERROR}, to_unicode, 1, 0, 1},
};

static void test_answers(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(answers); i++) {
        set_fault((struct fault){0});
        assert_int_equal(answers[i].ask(), answers[i].sound);
        set_fault(answers[i].fault);
        unsigned lacks = xn_unicode_lacks();
        int answer = answers[i].ask();
        if (answer != answers[i].with_fault || xn_unicode_lacks() - lacks != answers[i].lacks)
            fail_msg("%s, call %u, row %zu: %d", fault.function, fault.call, i, answer);
    }
    set_fault((struct fault){0});
}

/* --- another Unicode version --- */

/* The table does not know such an ICU's characters: all answers are ICU's. */
static void test_other_unicode(void **state)
{
    static const uint32_t label[] = {'a', '1', 0x430, 0x3B1, 'b'};
    static const char *const codes[] = {"Latn", "Cyrl", "Grek"};
    struct xn_unicode *other;

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct xn_scripts scripts = {.count = 0};

        other_unicode = i > 0;
        assert_int_equal(xn_unicode_open(&other), XN_OK);
        assert_int_equal(other->same_unicode, i == 0);
        xn_unicode_close(other);
        xn_unicode_add_scripts(label, COUNT(label), &scripts);
        assert_int_equal(scripts.count, COUNT(codes));
        for (size_t at = 0; at < COUNT(codes); at++)
            assert_string_equal(scripts.codes[at], codes[at]);
    }
    other_unicode = false;
}

/* Labels without a code point, of joiners alone, and of one too many. */
static void test_lengths(void **state)
{
    static const size_t lengths[] = {0, 1, 2, XN_ULABEL_MAX, XN_ULABEL_MAX + 1};

    (void)state;
    for (size_t i = 0; i < 2 * COUNT(lengths); i++) {
        size_t len = lengths[i / 2];
        uint32_t label[XN_ULABEL_MAX + 1];
        xn_reasons valid[2], shown[2];
        xn_level level[2];

        for (size_t at = 0; at < len; at++)
            label[at] = i % 2 ? 0x200D : 0xFC;
        for (int table = 0; table < 2; table++) {
            use_table(unicode, table);
            valid[table] = xn_unicode_check_ulabel(unicode, label, len);
            shown[table] = xn_unicode_check_display(unicode, label, len);
            level[table] = xn_unicode_mix(unicode, label, len);
        }
        use_table(unicode, false);
        if (valid[0] != valid[1] || shown[0] != shown[1] || level[0] != level[1])
            fail_msg("%zu of %s: %x %x, %x %x, %d %d", len, i % 2 ? "joiners" : "letters", valid[0],
                     valid[1], shown[0], shown[1], level[0], level[1]);
    }
}

/* Marks after a letter that decomposes to others: a new one, and two of its own. */
static void test_marks(void **state)
{
    static const uint32_t marks[] = {0x323, 0x313, 0x300};

    (void)state;
    for (size_t i = 0; i < COUNT(marks); i++) {
        const uint32_t label[] = {0x1F02, marks[i]};
        xn_reasons by_icu = xn_unicode_check_display(unicode, label, COUNT(label));

        assert_int_equal((by_icu & xn_reason_bit(XN_CHARSET)) != 0, i > 0);
        use_table(unicode, true);
        assert_int_equal(xn_unicode_check_display(unicode, label, COUNT(label)), by_icu);
        use_table(unicode, false);
    }
}

int main(void)
{
    static struct test_group group;

    if (xn_unicode_open(&unicode) != XN_OK)
        return 1;
    use_table(unicode, false);
    add_test(&group, "opening without memory or data", test_opening, NULL);
    add_test(&group, "answers without memory or data", test_answers, NULL);
    add_test(&group, "another Unicode version", test_other_unicode, NULL);
    add_test(&group, "the shortest and the longest labels", test_lengths, NULL);
    add_test(&group, "marks after a letter with marks", test_marks, NULL);
    int failed = run_group("icufaults", &group);
    xn_unicode_close(unicode);
    return failed;
}
