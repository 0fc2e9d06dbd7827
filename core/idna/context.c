/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/idna/context.h"

#include "core/idna/unicode.h"

size_t xn_unicode_drop_joiners(const uint32_t *label, size_t len, uint32_t *dst)
{
    size_t out = 0;

    for (size_t i = 0; i < len; i++)
        if (!xn_unicode_is_joiner(label[i]))
            dst[out++] = label[i];
    return out;
}

/* RFC 5892, appendix A.7. ICU runs this search for each middle dot, in quadratic time for a label
 * full of them; we run it once. */
static bool has_kana_or_han(const uint32_t *label, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        int script = xn_unicode_script(label[i]);
        if (script == XN_SCRIPT_HIRA || script == XN_SCRIPT_KANA || script == XN_SCRIPT_HANI)
            return true;
    }
    return false;
}

/* RFC 5892, appendix A.3 to A.6. */
static bool is_in_context(const uint32_t *label, size_t len, size_t i)
{
    bool has_before = i > 0, has_behind = i + 1 < len;

    switch (label[i]) {
    case 0xB7:
        return has_before && has_behind && label[i - 1] == 'l' && label[i + 1] == 'l';
    case 0x375:
        return has_behind && xn_unicode_script(label[i + 1]) == XN_SCRIPT_GREK;
    case 0x5F3:
    case 0x5F4:
        return has_before && xn_unicode_script(label[i - 1]) == XN_SCRIPT_HEBR;
    default:
        return true;
    }
}

bool xn_context_is_kept(const uint32_t *label, size_t len)
{
    bool middle_dot = false;

    for (size_t i = 0; i < len; i++) {
        if (!is_in_context(label, len, i))
            return false;
        middle_dot |= label[i] == 0x30FB;
    }
    return !middle_dot || has_kana_or_han(label, len);
}
