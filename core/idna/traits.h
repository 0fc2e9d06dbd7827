/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks up code points in the table of ICU's data that is made when the library is built. The
 * results are ICU's, unless these comments say otherwise: xn_unicode_open (core/idna/unicode.h)
 * fails if the ICU in use has another Unicode version than the table. These functions allocate
 * nothing and keep no state, so any thread may call them. */
#ifndef XN_CORE_IDNA_TRAITS_H
#define XN_CORE_IDNA_TRAITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- the word of each code point, which tools/tables/traitswords.c writes --- */

enum {
    TRAIT_SCRIPTS = 0x1FF, /* the index of its scripts in xn_traits_script_sets */
    TRAIT_CLASS_SHIFT = 9, /* the rank of its Canonical_Combining_Class among all classes */
    TRAIT_CLASS = 0x3F << 9,
    TRAIT_MAYBE = 1 << 15,    /* NFC_Quick_Check=Maybe: may compose with the code point before it */
    TRAIT_COMPOSES = 1 << 16, /* may compose with the code point after it */
    TRAIT_MAPPED = 1 << 17,   /* UTS 46 maps it, or it is a joiner … */
    TRAIT_DISALLOWED = 1 << 18, /* … or, if this is set too, it is disallowed */
    TRAIT_MARK = 1 << 19,       /* General_Category M: not allowed first in a label */
    TRAIT_LEFT = 1 << 20,       /* Bidi_Class L */
    TRAIT_RIGHT = 1 << 21,      /* Bidi_Class R or AL */
    TRAIT_ARABIC = 1 << 22,     /* Bidi_Class AN */
    TRAIT_EUROPEAN = 1 << 23,   /* Bidi_Class EN */
    TRAIT_NONSPACING = 1 << 24, /* Bidi_Class NSM */
    TRAIT_HIDDEN = 1 << 25,     /* not ASCII, and outside the display set (core/idna/finding.h) */
    TRAIT_EMOJI = 1 << 26,      /* TRAIT_HIDDEN, and an emoji or a symbol */
    TRAIT_AMBIGUOUS = 1 << 27,  /* in the display set; core/idna/misread.h may hide it */
    TRAIT_STACKS = 1 << 28,     /* General_Category Mn */
    TRAIT_DECOMPOSES = 1 << 29, /* has a canonical decomposition */
    TRAIT_LOWERS = 1 << 30,     /* UTS 46 maps it to its simple lower case, a valid code point */
    /* If TRAIT_LOWERS is set, these bits hold an index into xn_traits_lower, which has the distance
     * to the lower case. They are free, since such a capital is TRAIT_MAPPED. */
    TRAIT_LOWER_SHIFT = TRAIT_CLASS_SHIFT,
    TRAIT_LOWER = TRAIT_CLASS | TRAIT_MAYBE
};

/* The neighbours of this code point decide whether a label may have it (RFC 5892, appendix A.3 to
 * A.7). */
#define TRAIT_CONTEXT (UINT32_C(1) << 31) /* not in the enum, since it does not fit an int */

/* Returns whether a code point with these traits is mapped or a joiner. */
static inline bool trait_is_mapped(uint32_t traits)
{
    return (traits & (TRAIT_MAPPED | TRAIT_DISALLOWED)) == TRAIT_MAPPED;
}

/* A starter, and a mark that composes with it or with a part of it. */
struct trait_pair {
    uint32_t starter, mark;
};

/* A code point with nonspacing marks in its canonical decomposition. After the last part follow
 * zeros. */
#define TRAIT_PART_STACKS (UINT32_C(1) << 31) /* set in each part of General_Category Mn */
enum { TRAIT_PARTS_MAX = 4 };
struct trait_decomposition {
    uint32_t cp, parts[TRAIT_PARTS_MAX];
};

/* A set of scripts has a bit for each script. The first word has these, which UTS 39, section 5.2,
 * names, and every script that characters of the display set are used with. */
enum {
    TRAIT_LATN = 1 << 0,
    TRAIT_HANB = 1 << 1,
    TRAIT_JPAN = 1 << 2,
    TRAIT_KORE = 1 << 3,
    TRAIT_CYRL = 1 << 4,
    TRAIT_GREK = 1 << 5,
    TRAIT_CHER = 1 << 6
};
enum { TRAIT_SCRIPT_WORDS = 4 };

struct trait_scripts {
    uint64_t used_with[TRAIT_SCRIPT_WORDS]; /* augmented Script_Extensions (UTS 39, section 5.1) */
    uint8_t like_ascii;                     /* 1: letters that look like ASCII letters or digits */
    uint8_t kana_or_han;                    /* 1: Hiragana, Katakana or Han */
    char code[5];                           /* the Script, or "" for Common and Inherited */
};

/* A country's TLD and the scripts that are written there, as far as the first word has them. */
struct trait_country {
    char tld[3];
    uint64_t scripts;
};

/* The table ends at TRAITS_END. Of the code points from there on, UTS 46 drops the variation
 * selectors, which are Inherited, and disallows all others: tags, which are Common, and code points
 * of the script Unknown. */
enum {
    TRAITS_UNKNOWN = 2, /* the index of the scripts of these */
    TRAITS_BLOCK = 64,
    TRAITS_END = 0x34000,
    TRAITS_TAG = 0xE0001,
    TRAITS_TAGS = 0xE0020,
    TRAITS_TAGS_END = 0xE0080,
    TRAITS_DROPPED = 0xE0100,
    TRAITS_DROPPED_END = 0xE01F0
};

/* --- looking up --- */

/* The Unicode version of the table, as ICU's u_getUnicodeVersion returns it. */
extern const uint8_t xn_traits_unicode_version[4];

/* The most nonspacing marks in a row that are shown (UTS 39, section 5.4): no script needs more. */
enum { XN_MARKS_MAX = 4 };

/* Hidden symbols are read directly, not through the global offset table. */
#define XN_TRAITS_TABLE extern __attribute__((visibility("hidden")))

/* Sets of scripts, by the index in TRAIT_SCRIPTS of a code point's traits. */
XN_TRAITS_TABLE const struct trait_scripts xn_traits_script_sets[];

/* Distances from a capital to its lower case, by the index in TRAIT_LOWER. */
XN_TRAITS_TABLE const uint32_t xn_traits_lower[];

/* The words, in blocks; and where the block of a code point begins among them. */
XN_TRAITS_TABLE const uint32_t xn_traits_words[];
XN_TRAITS_TABLE const uint16_t xn_traits_begin_of[];

/* Tags are Common. All other code points after the table are Unknown, or Inherited and dropped. */
static inline bool xn_traits_is_tag(uint32_t cp)
{
    return cp == TRAITS_TAG || cp - TRAITS_TAGS < TRAITS_TAGS_END - TRAITS_TAGS;
}

/* Returns the traits of a code point. */
static inline uint32_t xn_traits_of(uint32_t cp)
{
    if (cp < TRAITS_END)
        return xn_traits_words[xn_traits_begin_of[cp / TRAITS_BLOCK] + cp % TRAITS_BLOCK];
    if (cp - TRAITS_DROPPED < TRAITS_DROPPED_END - TRAITS_DROPPED)
        return TRAIT_MAPPED | TRAIT_HIDDEN;
    return TRAIT_MAPPED | TRAIT_HIDDEN | TRAIT_DISALLOWED |
           (xn_traits_is_tag(cp) ? 0 : TRAITS_UNKNOWN);
}

/* Returns the ISO 15924 code of the script of a label's first code point, or "" for Common and
 * Inherited. *same is the number of code points up to the first that may have another script, at
 * least 1. len is not 0. Static storage. */
const char *xn_traits_script(const uint32_t *label, size_t len, size_t *same);

/* Returns whether the Script of a code point is Hiragana, Katakana or Han. */
bool xn_traits_is_kana_or_han(uint32_t cp);

/* Returns whether the Identifier_Status (UTS 39, section 3.1) of a code point is Allowed. */
bool xn_traits_is_allowed(uint32_t cp);

/* Returns whether a code point is in the display set (core/idna/finding.h) and not ASCII. */
bool xn_traits_is_displayed(uint32_t cp);

/* Returns whether a code point is in the display set, but is shown only if xn_misread_find
 * (core/idna/misread.h) accepts the characters around it. */
bool xn_traits_is_ambiguous(uint32_t cp);

/* Return a set of scripts: those that all code points of a label, of any length, are used with, and
 * those that are written in the country of a TLD of two letters, in upper or lower case (0 for any
 * other). A bit that both have is a script. */
uint64_t xn_traits_scripts(const uint32_t *label, size_t len);
uint64_t xn_traits_country(const uint8_t tld[2]);

#endif
