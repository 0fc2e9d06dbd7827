/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/name/suffix.h"

#include "core/wire/walk.h"
#include "module/name/suffixfilter.h"

#include <libpsl.h>
#include <string.h>

#include "suffix_table.h"

/* Keeps letters, digits and hyphens: rules have no other ASCII, and nothing else may become a
 * dot. */
static uint8_t as_text(uint8_t octet)
{
    bool ldh = (octet >= 'a' && octet <= 'z') || (octet >= '0' && octet <= '9') || octet == '-';

    return ldh ? octet : '?';
}

/* Writes a name of at least one label as text, without its final dot. */
static void write_text(const uint8_t *name, size_t len, char text[XN_WIRE_NAME_MAX])
{
    size_t label_end = name[0] + 1u;

    for (size_t at = 1; at < len - 1; at++) {
        bool dot = at == label_end;

        text[at - 1] = (char)(dot ? '.' : as_text(name[at]));
        label_end += dot ? name[at] + 1u : 0;
    }
    text[len - 2] = '\0';
}

static bool has_filter; /* the filter was made from the installed list */

/* Runs when the module is loaded, before there are workers. */
__attribute__((constructor)) static void compare_lists(void)
{
    const char *list = psl_builtin_sha1sum();

    has_filter = list && strcmp(list, suffix_list) == 0;
}

/* Returns whether the filter has this rule, or one that shares its bits. */
static bool may_be_rule(const uint8_t *name, size_t len, bool wildcard)
{
    uint64_t hash = xnm_suffix_hash(name, len, wildcard);
    size_t one = xnm_suffix_bit(hash, false), other = xnm_suffix_bit(hash, true);

    return (suffix_bits[one / 8] >> one % 8 & suffix_bits[other / 8] >> other % 8 & 1) != 0;
}

static bool may_be_listed(const uint8_t *name, size_t len)
{
    size_t parent = name[0] + 1u;

    return !has_filter || may_be_rule(name, len, false) ||
           may_be_rule(name + parent, len - parent, true);
}

/* "*", which the algorithm adds for all that is not listed, does not count. */
static bool is_in_list(const uint8_t *name, size_t len)
{
    char text[XN_WIRE_NAME_MAX];

    write_text(name, len, text);
    return psl_is_public_suffix2(psl_builtin(), text, PSL_TYPE_ICANN | PSL_TYPE_NO_STAR_RULE) == 1;
}

bool xnm_suffix_is_listed(const uint8_t *name, size_t len)
{
    return name[0] != 0 && may_be_listed(name, len) && is_in_list(name, len);
}

bool xnm_suffix_is_public(const uint8_t *name, size_t len)
{
    return name[0] == 0 || name[name[0] + 1u] == 0 || xnm_suffix_is_listed(name, len);
}

/* Tries the longest first: os.hedmark.no is a suffix, hedmark.no is not. */
size_t xnm_suffix_find(const uint8_t *name, size_t len)
{
    enum { LABELS_MAX = 8 }; /* the list's rules have at most 4 */
    uint8_t label_at[XN_WIRE_LABELS_MAX];
    size_t labels = xn_wire_find_labels(name, label_at);

    if (labels < 2)
        return 0;
    for (size_t n = labels > LABELS_MAX ? labels - LABELS_MAX : 0; n + 1 < labels; n++)
        if (xnm_suffix_is_listed(name + label_at[n], len - label_at[n]))
            return label_at[n];
    return label_at[labels - 1];
}
