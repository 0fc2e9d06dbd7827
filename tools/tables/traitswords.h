/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions that the files of the program traits share. If anything is wrong, it says so
 * and exits with 1. */
#ifndef XN_TOOLS_TABLES_TRAITSWORDS_H
#define XN_TOOLS_TABLES_TRAITSWORDS_H

#include <stdbool.h>
#include <stdint.h>

#include <unicode/unorm2.h>
#include <unicode/uscript.h>
#include <unicode/uset.h>

_Noreturn void traits_fail(const char *what);
void traits_check(UErrorCode error);

/* Opens these sets, and those that the next functions ask; `table` is the path of
 * core/lookalike/lookalike.table. */
void display_open(const char *table);
extern USet *display_shown;   /* may be shown, and is not ASCII */
extern USet *display_allowed; /* Identifier_Status is Allowed (UTS 39, section 3.1) */
extern USet *display_emoji;

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
