/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/suffix.h"

#include "core/wire.h"

#include <libpsl.h>

/* Letters, digits, hyphens: no other ASCII stands in a rule, and nothing else may become a dot. */
static uint8_t as_text(uint8_t octet)
{
    bool ldh = (octet >= 'a' && octet <= 'z') || (octet >= '0' && octet <= '9') || octet == '-';

    return ldh ? octet : '?';
}

bool xnm_suffix_is_public(const uint8_t *name, size_t len)
{
    char text[XN_WIRE_NAME_MAX];
    size_t label_end = name[0] + 1u;

    if (name[0] == 0 || name[label_end] == 0)
        return true;
    for (size_t at = 1; at < len - 1; at++) {
        bool dot = at == label_end;

        text[at - 1] = (char)(dot ? '.' : as_text(name[at]));
        label_end += dot ? name[at] + 1u : 0;
    }
    text[len - 2] = '\0';
    return psl_is_public_suffix2(psl_builtin(), text, PSL_TYPE_ICANN) == 1;
}
