/* SPDX-License-Identifier: BSD-3-Clause */
/* What the table of core/traits.c says of a code point, in one word: for tools/build/traits.c,
 * which makes it, and for core/traits.c, which reads it. The words of a label are OR-ed. */
#ifndef XN_CORE_TRAITWORD_H
#define XN_CORE_TRAITWORD_H

enum {
    TRAIT_SCRIPTS = 0xFF,        /* where its scripts stand among traits_scripts */
    TRAIT_CLASS_SHIFT = 8,       /* Canonical_Combining_Class … */
    TRAIT_CLASS = 0xFF << 8,     /* … */
    TRAIT_ASK = 1 << 16,         /* only ICU can tell whether it is valid in a label */
    TRAIT_MARK = 1 << 17,        /* General_Category M: never first */
    TRAIT_MAYBE = 1 << 18,       /* NFC_Quick_Check: may compose with what is before it … */
    TRAIT_COMPOSES = 1 << 19,    /* … and this with what is behind it */
    TRAIT_LEFT = 1 << 20,        /* Bidi_Class L */
    TRAIT_RIGHT = 1 << 21,       /* R, AL */
    TRAIT_ARABIC = 1 << 22,      /* AN */
    TRAIT_EUROPEAN = 1 << 23,    /* EN */
    TRAIT_NONSPACING = 1 << 24,  /* NSM */
    TRAIT_HIDDEN = 1 << 25,      /* not ASCII, and outside the display set of core/unicode.h */
    TRAIT_PUNCTUATION = 1 << 26, /* in the display set, but looks like ASCII punctuation */
    TRAIT_STACKS = 1 << 27,      /* General_Category Mn */
    TRAIT_DECOMPOSES = 1 << 28,  /* has a canonical decomposition */
    TRAIT_LOWERS = 1 << 29,      /* UTS 46 maps it to its simple lower case, a valid code point: */
    TRAIT_LOWER_SHIFT = TRAIT_CLASS_SHIFT, /* how far that is stands among traits_lower here, … */
    TRAIT_LOWER = TRAIT_CLASS              /* … as the class of a capital is 0 */
};

/* Scripts that UTS 39, section 5.2, names; any other has a bit too. */
enum { TRAIT_LATN = 1 << 0, TRAIT_HANB = 1 << 1, TRAIT_JPAN = 1 << 2, TRAIT_KORE = 1 << 3 };

/* Code points from TRAITS_END on are to be asked about, and hidden. */
enum { TRAITS_BLOCK = 64, TRAITS_END = 0x32400 };

#endif
