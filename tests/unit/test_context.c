/* SPDX-License-Identifier: BSD-3-Clause */
/* Contexts of punctuation: ICU finds the same labels out of context. */
#include "tests/unit/vectors.h"

#include "core/idna/context.h"
#include "core/idna/ulabel.h"
#include "core/idna/unicode.h"
#include "tests/unit/exact.h"

#include <unicode/uidna.h>
#include <unicode/utf16.h>

static UIDNA *idna;

static bool icu_keeps(const uint32_t *label, size_t len)
{
    UChar units[64], mapped[64];
    UErrorCode error = U_ZERO_ERROR;
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;
    int32_t units_len = 0;

    for (size_t i = 0; i < len; i++)
        U16_APPEND_UNSAFE(units, units_len, label[i]);
    uidna_labelToUnicode(idna, units, units_len, mapped, COUNT(mapped), &info, &error);
    assert_int_equal(error, U_ZERO_ERROR);
    return !(info.errors & UIDNA_ERROR_CONTEXTO_PUNCTUATION);
}

static bool keeps(const uint32_t *label, size_t len)
{
    uint32_t *exact = exact_copy(label, len * sizeof *label);
    bool kept = xn_context_is_kept(exact, len);

    free(exact);
    return kept;
}

static const struct row {
    const char *what;
    bool kept;
    size_t len;
    uint32_t label[5];
} rows[] = {
    {"nothing", true, 0, {0}},
    {"a word", true, 3, {'a', 0xE9, 0x30FC}},
    {"l, a middle dot, l", true, 3, {'l', 0xB7, 'l'}},
    {"two of them", true, 5, {'l', 0xB7, 'l', 0xB7, 'l'}},
    {"a middle dot behind an e", false, 3, {'e', 0xB7, 'l'}},
    {"a middle dot before an e", false, 3, {'l', 0xB7, 'e'}},
    {"a middle dot first", false, 2, {0xB7, 'l'}},
    {"a middle dot last", false, 2, {'l', 0xB7}},
    {"a keraia before a Greek letter", true, 2, {0x375, 0x3B1}},
    {"a keraia before another", false, 2, {0x375, 'a'}},
    {"a keraia behind one", false, 2, {0x3B1, 0x375}},
    {"a geresh behind a Hebrew letter", true, 2, {0x5D0, 0x5F3}},
    {"gershayim behind one", true, 3, {0x5D0, 0x5F4, 0x5D1}},
    {"a geresh first", false, 2, {0x5F3, 0x5D0}},
    {"gershayim behind another", false, 2, {'a', 0x5F4}},
    {"a katakana middle dot beside Han", true, 2, {0x30FB, 0x4E00}},
    {"… behind Hiragana", true, 3, {0x3042, 'a', 0x30FB}},
    {"… beside Katakana", true, 2, {0x30A2, 0x30FB}},
    {"… beside a mark that both use", false, 2, {0x30FC, 0x30FB}},
    {"… alone", false, 1, {0x30FB}},
    {"a good one and a bad one", false, 5, {'l', 0xB7, 'l', 0x30FB, 'a'}},
};

TEST_ROWS(test_row, rows, what)
{
    const struct row *row = *state;

    assert_int_equal(keeps(row->label, row->len), row->kept);
    if (row->len > 0)
        assert_int_equal(icu_keeps(row->label, row->len), row->kept);
}

/* Beside every character that ICU neither maps nor refuses, on either side. */
TEST(test_every_neighbour, "every neighbour")
{
    static const uint32_t marks[] = {0xB7, 0x375, 0x5F3, 0x5F4, 0x30FB};
    struct xn_unicode *unicode;
    unsigned kept = 0;

    assert_int_equal(xn_unicode_open(&unicode), XN_OK);
    for (uint32_t cp = 0; cp < 0x34000; cp++) {
        if (cp - 0xD800 < 0x800)
            continue;
        for (size_t i = 0; i < COUNT(marks); i++) {
            uint32_t label[] = {'l', cp, marks[i], cp, 'l'};
            if (xn_ulabel_check_valid(label, COUNT(label)) & XN_INVALID_REASONS)
                continue;
            kept += keeps(label, COUNT(label));
            if (keeps(label, COUNT(label)) != icu_keeps(label, COUNT(label)))
                fail_msg("U+%04X beside U+%04X", marks[i], cp);
        }
    }
    assert_in_range(kept, 90000, 300000);
    xn_unicode_close(unicode);
}

int main(void)
{
    UErrorCode error = U_ZERO_ERROR;

    idna = uidna_openUTS46(UIDNA_NONTRANSITIONAL_TO_UNICODE | UIDNA_CHECK_CONTEXTO, &error);
    int status = run_unit();
    uidna_close(idna);
    return status;
}
