/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/text/status.h"

const char *xn_status_text(xn_status status)
{
    switch (status) {
    case XN_OK:
        return "success";
    case XN_NO_SPACE:
        return "the result does not fit the buffer";
    case XN_NO_MEMORY:
        return "out of memory";
    case XN_PUNY_NOT_BASIC:
        return "an octet above 0x7F is before the last delimiter";
    case XN_PUNY_LEADING_DELIMITER:
        return "a delimiter with nothing before it";
    case XN_PUNY_BAD_DIGIT:
        return "an octet that is not a Punycode digit";
    case XN_PUNY_TRUNCATED:
        return "the input ends in the middle of a number";
    case XN_PUNY_OVERFLOW:
        return "a number is larger than 32 bits";
    case XN_CP_RANGE:
        return "a code point above U+10FFFF";
    case XN_CP_SURROGATE:
        return "a surrogate code point (U+D800..U+DFFF)";
    case XN_BAD_UTF8:
        return "not valid UTF-8";
    case XN_BAD_WIRE:
        return "not a wire-format name";
    case XN_UNICODE_DATA:
        return "ICU's Unicode data cannot be opened";
    case XN_UNICODE_VERSION:
        return "ICU has another Unicode version than this library";
    }
    return "unknown status";
}
