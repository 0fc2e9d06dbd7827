/* SPDX-License-Identifier: BSD-3-Clause */
/* A call of ICU fails, or finds nothing, as if ICU had no memory or no data: what is said of a
 * label then is never better than what ICU would have said. The Makefile links this program with
 * --wrap of these functions. */
#include "tests/unit/vectors.h"

#include "core/idna/mapping.h"
#include "core/idna/property.h"
#include "core/idna/ulabel.h"
#include "core/idna/unicode.h"
#include "core/idna/uts46.h"
#include "core/names/idna.h"
#include "core/text/utf8.h"
#include "tests/unit/nomemory.h"

#include <unicode/uchar.h>
#include <unicode/uidna.h>
#include <unicode/uscript.h>

static struct xn_unicode *unicode;

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
WRAP(UBool, u_hasBinaryProperty, false, NULL, (UChar32 cp, UProperty property), (cp, property))
WRAP(uint8_t, u_getCombiningClass, 0, NULL, (UChar32 cp), (cp))
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
    /* The data is empty. */
    {{"u_hasBinaryProperty", 1, U_ZERO_ERROR}, XN_NO_MEMORY},
    {{"u_getCombiningClass", 1, U_ZERO_ERROR}, XN_NO_MEMORY},
};

static void expect_open(xn_status status, const char *what, unsigned call)
{
    struct xn_unicode *opened = unicode;

    if (xn_unicode_open(&opened) != status || !opened != (status != XN_OK))
        fail_msg("%s, call %u", what, call);
    xn_unicode_close(opened);
}

TEST(test_opening, "opening without memory or data")
{
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
    return map("\u00FC\uFB01", 1); /* a ligature, which only ICU maps */
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

static int is_named(void)
{
    char name[XN_CHARACTER_NAME_MAX];

    xn_unicode_character_name('a', name);
    return strcmp(name, "LATIN SMALL LETTER A") == 0;
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

#define BIT(reason) (1 << (reason))
static const struct {
    struct fault fault;
    int (*ask)(void);
    int sound, with_fault;
} answers[] = {
    {{"uidna_labelToASCII_UTF8", 1, U_MEMORY_ALLOCATION_ERROR}, mapping, 0, BIT(XN_TOO_LONG)},
    {{"uidna_labelToUnicodeUTF8", 1, U_MEMORY_ALLOCATION_ERROR}, long_mapping, 0, BIT(XN_TOO_LONG)},
    {{"uidna_labelToUnicode", 1, U_MEMORY_ALLOCATION_ERROR},
     character,
     XN_CHARACTER_ALLOWED,
     XN_CHARACTER_REFUSED},
    {{"uidna_labelToASCII_UTF8", 1, U_MEMORY_ALLOCATION_ERROR}, overlength, 64, 0},
    {{"u_charName", 1, U_BUFFER_OVERFLOW_ERROR}, is_named, 1, 0},
    {{"uscript_getScriptExtensions", 1, U_BUFFER_OVERFLOW_ERROR}, extensions, 1, 0},
    {{"uidna_nameToASCII_UTF8", 1, U_MEMORY_ALLOCATION_ERROR}, strict_name, XN_OK, XN_NO_MEMORY},
};

TEST(test_answers, "answers without memory or data")
{
    for (size_t i = 0; i < COUNT(answers); i++) {
        set_fault((struct fault){0});
        assert_int_equal(answers[i].ask(), answers[i].sound);
        set_fault(answers[i].fault);
        int answer = answers[i].ask();
        if (answer != answers[i].with_fault)
            fail_msg("%s, call %u, row %zu: %d", fault.function, fault.call, i, answer);
    }
    set_fault((struct fault){0});
}

/* --- another Unicode version --- */

/* The tables are not those of such an ICU: nothing can be opened, and the message has both. */
TEST(test_other_unicode, "another Unicode version")
{
    char text[XN_UNICODE_FAULT_MAX], before[64], after[64];

    other_unicode = true;
    expect_open(XN_UNICODE_VERSION, "another Unicode version", 0);
    assert_ptr_equal(xn_unicode_fault(XN_UNICODE_VERSION, text), text);
    other_unicode = false;
    snprintf(before, sizeof before, "ICU has Unicode %d.", atoi(xn_unicode_version()) + 1);
    snprintf(after, sizeof after, "with the tables of Unicode %s: rebuild", xn_unicode_version());
    assert_non_null(strstr(text, before));
    assert_non_null(strstr(text, after));
    expect_open(XN_OK, "the same Unicode version", 0);
    assert_string_equal(xn_unicode_fault(XN_NO_MEMORY, text), xn_status_text(XN_NO_MEMORY));
}

TEST_MAIN_WITH_UNICODE(unicode)
