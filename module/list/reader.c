/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/list/reader.h"

#include "module/base/hashset.h"
#include "module/name/rulename.h"
#include "module/name/suffix.h"
#include "module/rule/protection.h"
#include "module/rule/rule.h"

#include <string.h>
#include <strings.h>
#include <xxhash.h>

/* --- reports --- */

void xnm_list_bad(struct xnm_list_reader *list, const char *at, const char *message)
{
    if (xnm_list_tally_count(&list->tally.counts.bad))
        xnm_textline_error(&list->line, at, "%s", message);
}

void xnm_list_skip(struct xnm_list_reader *list, const char *at, xnm_list_reason kind)
{
    struct xnm_place place = {0};

    if (list->tally.skipped[kind].count == 0)
        place = xnm_textline_place(&list->line, at);
    xnm_list_tally_skip(&list->tally, kind, &place);
}

/* --- names --- */

/* Returns a letter, a digit, a hyphen or an underscore, in lower case; 0 for any other octet. */
static uint8_t plain(uint8_t octet)
{
    if ((unsigned)(octet | 0x20) - 'a' < 26)
        return octet | 0x20;
    return (unsigned)octet - '0' < 10 || octet == '-' || octet == '_' ? octet : 0;
}

static bool close_label(struct xnm_wirename *name, size_t start, size_t end)
{
    size_t len = end - start - 1;

    if (len == 0 || len > XN_WIRE_LABEL_MAX)
        return false;
    name->octets[start] = (uint8_t)len;
    return true;
}

bool xnm_list_plain_name(const char *at, const char *end, struct xnm_wirename *name)
{
    size_t start = 0, out = 1; /* start of the current label; end of the output */

    if (end - at > XN_WIRE_NAME_MAX - 1)
        return false;
    for (; at < end; at++) {
        uint8_t octet = plain((uint8_t)*at);

        if (octet != 0) {
            name->octets[out++] = octet;
        } else if (*at != '.' || !close_label(name, start, out)) {
            return false;
        } else {
            start = out++;
        }
    }
    if (out - start > 1) {
        if (out > XN_WIRE_NAME_MAX - 1 || !close_label(name, start, out))
            return false;
        start = out;
    }
    name->octets[start] = 0;
    name->len = (uint8_t)(start + 1);
    return start > 0;
}

/* Reports only the first fault of a bad name, which may have 65,536. */
static void report_fault(void *arg, xnm_severity severity, size_t at, const char *message)
{
    struct xnm_list_reader *list = arg;

    (void)severity; /* always an error, since only good names get warnings */
    if (!list->reported)
        xnm_textline_error(&list->line, list->name + at, "%s", message);
    list->reported = true;
}

bool xnm_list_name(struct xnm_list_reader *list, const char *at, const char *end,
                   struct xnm_wirename *name, bool *wildcard)
{
    size_t len = (size_t)(end - at);

    if (xnm_rulename_read(list->tally.options->unicode, at, len, name, wildcard, NULL, NULL))
        return true;
    list->name = at;
    list->reported = false;
    if (xnm_list_tally_count(&list->tally.counts.bad))
        xnm_rulename_read(list->tally.options->unicode, at, len, name, wildcard, report_fault,
                          list);
    return false;
}

/* Names in hosts files that mean the machine itself or its neighbours, in wire format. */
static const char *const local_names[] = {
    "\011localhost",  "\011localhost\013localdomain",
    "\012localhost4", "\012localhost4\014localdomain4",
    "\012localhost6", "\012localhost6\014localdomain6",
    "\005local",      "\015broadcasthost",
};

static bool is_local(const struct xnm_wirename *name)
{
    bool single = name->octets[0] + 2 == name->len;

    if (single && name->octets[0] > 4 && memcmp(name->octets + 1, "ip6-", 4) == 0)
        return true;
    for (size_t i = 0; i < sizeof local_names / sizeof *local_names; i++)
        if (name->octets[0] == local_names[i][0] && /* which nearly always differs */
            strcmp((const char *)name->octets, local_names[i]) == 0) /* the root label ends both */
            return true;
    return false;
}

static bool is_octet_number(const uint8_t *label)
{
    unsigned value = 0;

    for (unsigned i = 1; i <= label[0]; i++) {
        if (label[i] < '0' || label[i] > '9' || value > 25)
            return false;
        value = value * 10 + (label[i] - '0');
    }
    return value <= 255;
}

/* Returns whether the name is four numbers up to 255, which no domain name is, since no top-level
 * domain has digits only. */
static bool is_ipv4(const struct xnm_wirename *name)
{
    const uint8_t *label = name->octets;
    unsigned labels = 0;

    for (; *label != 0 && is_octet_number(label); label += *label + 1)
        labels++;
    return *label == 0 && labels == 4;
}

/* --- entries --- */

bool xnm_list_is_protected(const struct xnm_list_reader *list)
{
    return list->tally.rule->trigger == XNM_TRIGGER_LOOKALIKES;
}

/* Returns why a name is left out; XNM_LIST_SKIP_KINDS: it is not. */
static xnm_list_reason reason_to_skip(const struct xnm_wirename *name)
{
    if (name->len == 1)
        return XNM_LIST_SKIP_ROOT;
    if (is_ipv4(name))
        return XNM_LIST_SKIP_ADDRESS;
    return is_local(name) ? XNM_LIST_SKIP_LOCAL : XNM_LIST_SKIP_KINDS;
}

/* Numbers these modifiers, as those of earlier entries if they are the same. Returns whether there
 * is room for them. */
static bool number_variant(struct xnm_list_reader *list)
{
    struct xnm_modifiers *modifiers = &list->modifiers;
    struct xnm_modifiers plain = *modifiers;
    uint64_t hash;
    unsigned n = 0;

    if (list->variant_count == 0)
        list->variant_seed = xnm_hashset_seed(list);
    plain.denied = NULL;
    hash = XXH3_64bits_withSeed(modifiers->denied, modifiers->denied_len,
                                XXH3_64bits_withSeed(&plain, sizeof plain, list->variant_seed));
    while (n < list->variant_count && list->variants[n] != hash)
        n++;
    modifiers->number = (uint16_t)(n + 1);
    if (n < list->variant_count)
        return true;
    if (n == XNM_MODIFIERS_MAX ||
        modifiers->denied_len > XNM_LIST_DENIED_MAX - list->variants_denied)
        return false;
    list->variants[list->variant_count++] = hash;
    list->variants_denied += modifiers->denied_len;
    return true;
}

/* Passes on the names of $denyallow=: each begins another part of the name space. */
static void take_denied(struct xnm_list_reader *list)
{
    const struct xnm_modifiers *modifiers = &list->modifiers;

    for (size_t at = 0; at < modifiers->denied_len && !list->tally.stopped;) {
        struct xnm_list_entry entry = {.name = modifiers->denied + at, .scope = XNM_SCOPE_NONE};
        entry.name_len = xnm_wirename_len(entry.name, modifiers->denied_len - at);
        at += entry.name_len;
        xnm_list_tally_take(&list->tally, &entry);
    }
}

static void report_suffix(struct xnm_list_reader *list, const char *at,
                          const struct xnm_wirename *name)
{
    bool protected = xnm_list_is_protected(list);

    if (!xnm_suffix_is_listed(name->octets, name->len))
        xnm_list_bad(list, at,
                     protected ? "this is a single label, like a top-level domain: expected a name "
                                 "below it"
                               : "this is a single label, like a top-level domain: write "
                                 "suffixes=yes on the rule if the list may have these");
    else if (xnm_list_tally_count(&list->tally.counts.suffixes))
        xnm_textline_error(&list->line, at,
                           "this is a public suffix, below which a registry sells names: %s",
                           protected ? "expected a name below it"
                                     : "write suffixes=yes on the rule if the list may have these");
}

/* Returns whether a name can look like a protected one. */
static bool can_match(const struct xnm_list_reader *list, const struct xnm_wirename *name)
{
    struct xnm_protection protection = list->tally.rule->protection;

    if (list->min > 0)
        xnm_protection_set_min(&protection, list->min);
    return xnm_protection_can_match(&protection, name->octets, name->len);
}

void xnm_list_take(struct xnm_list_reader *list, const char *at, const struct xnm_wirename *name,
                   xnm_scope scope)
{
    struct xnm_list_entry entry = {.name = name->octets,
                                   .name_len = name->len,
                                   .scope = scope,
                                   .modifiers = list->modified ? &list->modifiers : NULL,
                                   .min = list->min};
    xnm_list_reason reason = reason_to_skip(name);

    if (reason == XNM_LIST_SKIP_KINDS && list->modified && !number_variant(list))
        reason = XNM_LIST_SKIP_TOO_MANY;
    if (reason != XNM_LIST_SKIP_KINDS) {
        xnm_list_skip(list, at, reason);
    } else if (!xnm_list_tally_take(&list->tally, &entry)) {
        report_suffix(list, at, name);
    } else {
        list->tally.counts.short_names += xnm_list_is_protected(list) && !can_match(list, name);
        if (list->modified)
            take_denied(list);
    }
}

void xnm_list_take_written(struct xnm_list_reader *list, const char *at, const char *end,
                           xnm_scope scope)
{
    bool wildcard = xnm_list_begins(at, end, "*.");
    struct xnm_wirename name;

    if (!xnm_list_plain_name(at + (wildcard ? 2 : 0), end, &name)) {
        wildcard = false;
        if (!xnm_list_name(list, at, end, &name, &wildcard))
            return;
    }
    if (!wildcard)
        xnm_list_take(list, at, &name, scope);
    else if (xnm_list_is_protected(list))
        xnm_list_bad(
            list, at,
            "'*.' does not go with protected names, because names below a look-alike are found "
            "anyway: expected the name without '*.'");
    else
        xnm_list_take(list, at, &name,
                      list->tally.rule->trigger == XNM_TRIGGER_ZONES ? XNM_SCOPE_ZONE
                                                                     : XNM_SCOPE_BELOW);
}
