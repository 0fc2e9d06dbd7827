/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions that the files of the program traits share. If anything is wrong, it says so and
 * ends. */
#ifndef XN_TOOLS_TABLES_TRAITS_H
#define XN_TOOLS_TABLES_TRAITS_H

#include <stdbool.h>
#include <stdint.h>

#include <unicode/unorm2.h>
#include <unicode/uscript.h>

_Noreturn void traits_fail(const char *what);
void traits_check(UErrorCode error);

/* Opens the sets that the next functions ask; `table` is the path of
 * core/lookalike/lookalike.table.
 */
void display_open(const char *table);
void display_close(void);
bool display_has(UChar32 cp);        /* it may be shown, and is not ASCII */
bool display_is_allowed(UChar32 cp); /* its Identifier_Status is Allowed (UTS 39, section 3.1) */
bool display_has_emoji(UChar32 cp);

/* Returns whether a character's skeleton (UTS 39, section 4) is all punctuation of URLs. */
bool display_is_separator(UChar32 cp);

/* Returns whether a letter of another script than Latin looks like an ASCII letter or digit. */
bool display_is_like_ascii(UChar32 cp);

/* Calls `list` for each country's TLD, in order, with the scripts that are written there. */
void countries_list(void (*list)(const char *tld, const UScriptCode *scripts, int32_t count));

/* Writes the tables of core/idna/context.c. `words` has the word of each code point below
 * TRAITS_END.
 */
void marks_write(const uint32_t *words, const UNormalizer2 *nfc);

#endif
