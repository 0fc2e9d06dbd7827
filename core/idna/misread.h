/* SPDX-License-Identifier: BSD-3-Clause */
/* Characters that words of some language need, but that a reader could mistake: a Katakana letter
 * for a slash, a dot above an i for the dot of the i. Each is in the display set
 * (core/idna/finding.h); the characters around it decide whether it is shown. Chromium's "IDN
 * policy" names most of these cases. Allocates nothing. */
#ifndef XN_CORE_IDNA_MISREAD_H
#define XN_CORE_IDNA_MISREAD_H

#include "core/idna/finding.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    XN_MISREAD_NEVER,
    XN_MISREAD_SLASH,     /* a CJK character like a slash, a dot or the like */
    XN_MISREAD_STROKE,    /* a CJK character like a dash or a bar */
    XN_MISREAD_BETWEEN,   /* a CJK character like an ASCII letter or sign, among ASCII letters */
    XN_MISREAD_SEPARATOR, /* any other letter or mark like one of / \ : ? # @ . */
    XN_MISREAD_DIGIT,     /* a digit that is not ASCII */
    XN_MISREAD_MARK,      /* a mark that only Latin, Greek and Cyrillic letters have */
    XN_MISREAD_DOTLESS    /* a letter that a mark turns into another one */
} xn_misread;

/* Returns the kind of a character that is listed here. Returns XN_MISREAD_NEVER for a character
 * that is found by its skeleton (UTS 39, section 4) or as a digit: to xn_misread_find it is a
 * separator or a digit. */
static inline xn_misread xn_misread_listed(uint32_t cp)
{
    switch (cp) {
    case 0x131: /* ı */
    case 0x237: /* ȷ */
        return XN_MISREAD_DOTLESS;
    case 0x30CE: /* ノ */
    case 0x30FB: /* ・ */
    case 0x4E36: /* 丶 */
    case 0x4E3F: /* 丿 */
    case 0x4E40: /* 乀 */
    case 0x4E41: /* 乁 */
        return XN_MISREAD_SLASH;
    case 0x309D: /* ゝ */
    case 0x309E: /* ゞ */
    case 0x30FC: /* ー */
    case 0x30FD: /* ヽ */
    case 0x30FE: /* ヾ */
    case 0x3127: /* ㄧ */
    case 0x4E00: /* 一 */
    case 0x4E28: /* 丨 */
    case 0x4E85: /* 亅 */
        return XN_MISREAD_STROKE;
    case 0x3007: /* 〇 */
    case 0x3078: /* へ */
    case 0x30A8: /* エ */
    case 0x30BD: /* ソ */
    case 0x30BE: /* ゾ */
    case 0x30C8: /* ト */
    case 0x30CB: /* ニ */
    case 0x30D8: /* ヘ */
    case 0x30ED: /* ロ */
    case 0x30F3: /* ン */
    case 0x4E8C: /* 二 */
    case 0x516B: /* 八 */
    case 0x535C: /* 卜 */
    case 0x53E3: /* 口 */
    case 0x5DE5: /* 工 */
        return XN_MISREAD_BETWEEN;
    default:
        return cp - 0x300 < 0x33A - 0x300 ? XN_MISREAD_MARK : XN_MISREAD_NEVER;
    }
}

/* Returns the reasons not to show a label that such characters give: XN_CHARSET for a mark,
 * XN_DIGITS for digits of two kinds, XN_WHOLESCRIPT for a label of digits that are not ASCII,
 * XN_PUNCTUATION for all others; 0 if there is none. Joiners must be left out of the label. */
xn_reasons xn_misread_find(const uint32_t *label, size_t len);

/* Returns the index of the first digit whose decimal system differs from that of a digit before it
 * (UTS 39, section 5.3), or len. The label may have any length, and may be NULL if that is 0. */
size_t xn_misread_mixed_digit(const uint32_t *label, size_t len);

/* Returns whether a reader expects the script of a label, of at least one code point, under a TLD:
 * whether all its code points are used with a script that those of the TLD's own label are used
 * with too, or that is written in the TLD's country. The TLD is as in the DNS, in upper or lower
 * case; only A-labels and countries have a script. XN_WHOLESCRIPT holds for other labels. */
bool xn_misread_fits_tld(const uint8_t *tld, size_t tld_len, const uint32_t *label, size_t len);

#endif
