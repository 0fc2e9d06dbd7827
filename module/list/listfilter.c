/* SPDX-License-Identifier: BSD-3-Clause */
/* DNS filter syntax, as AdGuard documents it: the rules of ad blockers' lists that are about names
 * (https://adguard-dns.io/kb/general/dns-filtering-syntax/). */
#include "module/list/reader.h"
#include "module/rule/rule.h"
#include "module/zone/zonefile.h"

/* The fault of a rule is a reason to skip it (xnm_list_reason), FINE if there is none, or REPORTED
 * if it was reported as an error. */
enum { FINE = XNM_LIST_SKIP_KINDS, REPORTED };

/* --- modifiers --- */

/* Calls `item` for each part between two separators, until one is not fine. */
static unsigned
each_part(struct xnm_list_reader *list, const char *at, const char *end, char separator,
          unsigned (*item)(struct xnm_list_reader *list, const char *at, const char *end))
{
    unsigned fault = FINE;

    while (fault == FINE) {
        const char *next = memchr(at, separator, (size_t)(end - at));
        fault = item(list, at, next ? next : end);
        if (!next)
            break;
        at = next + 1;
    }
    return fault;
}

/* "~A|B is equivalent to B": if any type is included, excluded types have no effect. */
static unsigned add_type(struct xnm_list_reader *list, const char *at, const char *end)
{
    struct xnm_modifiers *modifiers = &list->modifiers;
    bool but = at < end && *at == '~';
    uint16_t type = xnm_zonefile_type(at + but, (size_t)(end - at - but));

    if (type == 0) {
        xnm_list_bad(list, at, "this is not a type of records: expected one such as A or AAAA");
        return REPORTED;
    }
    if (modifiers->type_count > 0 && but != modifiers->but_types) {
        if (but)
            return FINE;
        modifiers->type_count = 0;
        memset(modifiers->types, 0, sizeof modifiers->types);
    }
    if (modifiers->type_count == XNM_RULE_TYPES_MAX)
        return XNM_LIST_SKIP_TOO_MANY;
    modifiers->but_types = but;
    modifiers->types[modifiers->type_count++] = type;
    return FINE;
}

static unsigned add_denied(struct xnm_list_reader *list, const char *at, const char *end)
{
    struct xnm_modifiers *modifiers = &list->modifiers;
    struct xnm_wirename name;
    bool wildcard = false;

    if (!xnm_list_plain_name(at, end, &name) && !xnm_list_name(list, at, end, &name, &wildcard))
        return REPORTED;
    if (wildcard || name.len == 1)
        return XNM_LIST_SKIP_PATTERN;
    if (modifiers->denied_len + name.len > XNM_DENIED_MAX)
        return XNM_LIST_SKIP_TOO_MANY;
    memcpy(list->denied + modifiers->denied_len, name.octets, name.len);
    modifiers->denied_len += name.len;
    return FINE;
}

static bool is_word(const char *at, const char *end, const char *word)
{
    return (size_t)(end - at) == strlen(word) && memcmp(at, word, strlen(word)) == 0;
}

static unsigned read_modifier(struct xnm_list_reader *list, const char *at, const char *end)
{
    if (is_word(at, end, "important")) {
        list->modifiers.strength |= XNM_STRENGTH_IMPORTANT;
        return FINE;
    }
    if (xnm_list_begins(at, end, "dnstype="))
        return each_part(list, at + 8, end, '|', add_type);
    if (xnm_list_begins(at, end, "denyallow="))
        return each_part(list, at + 10, end, '|', add_denied);
    if (xnm_list_begins(at, end, "client=") || xnm_list_begins(at, end, "ctag="))
        return XNM_LIST_SKIP_CLIENT;
    if (xnm_list_begins(at, end, "dnsrewrite"))
        return XNM_LIST_SKIP_REWRITE;
    return is_word(at, end, "badfilter") ? XNM_LIST_SKIP_BADFILTER : XNM_LIST_SKIP_MODIFIER;
}

/* Reads modifiers. One that cannot be used makes the rule useless, so the first such modifier ends
 * the reading. The value of client= may have commas, and ends it, too. */
static unsigned read_modifiers(struct xnm_list_reader *list, const char *at, const char *end)
{
    return each_part(list, at, end, ',', read_modifier);
}

/* --- patterns --- */

struct pattern {
    const char *at, *end; /* the name in the pattern */
    xnm_scope scope;
};

static bool ends_name(char c)
{
    return c == '^' || c == '|' || c == '/' || c == ':' || c == '?' || c == '=' || c == '&';
}

/* Finds the name in `||name^`, `||name`, `||*.name^` and `|name^`, the only patterns that mean
 * names which rules can have. Returns false for another pattern. */
static bool read_pattern(const char *at, const char *end, struct pattern *pattern)
{
    bool anchored = end - at > 2 && at[0] == '|', zone = anchored && at[1] == '|';
    bool ended = false;

    if (!anchored)
        return false;
    at += zone ? 2 : 1;
    if (end[-1] == '|')
        end--, ended = true;
    if (end > at && end[-1] == '^')
        end--, ended = true;
    if (at == end || (!zone && !ended)) /* `|name` is about names that begin so */
        return false;
    pattern->scope = zone ? XNM_SCOPE_ZONE : XNM_SCOPE_EXACT;
    if (zone && end - at > 2 && at[0] == '*' && at[1] == '.') {
        pattern->scope = XNM_SCOPE_BELOW;
        at += 2;
    }
    pattern->at = at;
    pattern->end = end;
    for (const char *c = at; c < end; c++)
        if (ends_name(*c) || (*c == '*' && end - at > 1))
            return false;
    return true;
}

static unsigned kind_of_pattern(const char *at, const char *end)
{
    if (at == end || (end - at == 1 && *at == '*'))
        return XNM_LIST_SKIP_ROOT;
    return memchr(at, '/', (size_t)(end - at)) ? XNM_LIST_SKIP_REGEX : XNM_LIST_SKIP_PATTERN;
}

/* --- rules --- */

/* Returns whether the text begins with "##", "#@", "#?", "#$", "#%" or "$$". */
static bool is_cosmetic_mark(const char *at, const char *end)
{
    if (end - at < 2)
        return false;
    return (*at == '#' && memchr("#@?$%", at[1], 5)) || (*at == '$' && at[1] == '$');
}

static bool is_cosmetic(const char *at, const char *end)
{
    while (at < end && !is_cosmetic_mark(at, end))
        at++;
    return at < end;
}

/* Returns whether an octet that no name has marks the word as a rule. */
static bool is_marked(const char *at, const char *end)
{
    if (*at == '/' || xnm_list_begins(at, end, "@@"))
        return true;
    for (; at < end; at++)
        if (*at == '|' || *at == '^' || *at == '$' || is_cosmetic_mark(at, end))
            return true;
    return false;
}

/* Sets the strength. In a list of passthru rules `@@` changes nothing, and no entry is stronger. */
static void set_strength(struct xnm_list_reader *list, bool exempts)
{
    struct xnm_modifiers *modifiers = &list->modifiers;
    bool passes = list->tally.rule->action == XNM_PASSTHRU;

    if (passes)
        modifiers->strength = 0;
    else if (exempts)
        modifiers->strength |= XNM_STRENGTH_EXEMPT;
    modifiers->exempts = exempts && !passes;
    list->modified =
        modifiers->strength > 0 || modifiers->type_count > 0 || modifiers->denied_len > 0;
}

/* Reads a rule's modifiers and passes on its name. Returns its fault. */
static unsigned read_rule(struct xnm_list_reader *list, const char *at, const char *end,
                          const char *dollar, bool exempts)
{
    const char *pattern_end = dollar ? dollar : end;
    struct pattern pattern;

    if (!read_pattern(at, pattern_end, &pattern))
        return kind_of_pattern(at, pattern_end);
    unsigned fault = dollar ? read_modifiers(list, dollar + 1, end) : FINE;
    if (fault != FINE)
        return fault;
    set_strength(list, exempts);
    if (xnm_list_is_protected(list) && (exempts || list->modified))
        return XNM_LIST_SKIP_PROTECTED;
    if (xnm_list_is_protected(list) && pattern.scope == XNM_SCOPE_BELOW)
        pattern.at -= 2; /* the fault is reported there */
    xnm_list_take_written(list, pattern.at, pattern.end, pattern.scope);
    return REPORTED;
}

bool xnm_list_filter(struct xnm_list_reader *list, const char *at, const char *end)
{
    bool exempts = xnm_list_begins(at, end, "@@");
    const char *pattern = at + (exempts ? 2 : 0), *dollar;
    size_t before = list->tally.counts.entries;
    unsigned fault;

    if (!is_marked(at, end))
        return false;
    dollar = memchr(pattern, '$', (size_t)(end - pattern));
    if (is_cosmetic(at, end)) {
        fault = XNM_LIST_SKIP_COSMETIC;
    } else if (pattern < end && *pattern == '/') {
        fault = XNM_LIST_SKIP_REGEX;
    } else {
        memset(&list->modifiers, 0, sizeof list->modifiers);
        list->modifiers.denied = list->denied;
        fault = read_rule(list, pattern, end, dollar, exempts);
        list->modified = false;
    }
    if (fault < XNM_LIST_SKIP_KINDS)
        xnm_list_skip(list, at, fault);
    list->tally.of_syntax[XNM_LIST_FILTER] += list->tally.counts.entries - before;
    return true;
}
