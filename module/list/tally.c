/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/list/tally.h"

#include "module/base/thread.h"
#include "module/name/suffix.h"
#include "module/rule/rule.h"

#include <stdio.h>

bool xnm_list_tally_is_stopped(const struct xnm_list_tally *tally)
{
    return tally->stopped || xnm_stop_is_set(tally->options->stop);
}

void xnm_list_tally_watch(const struct xnm_list_tally *tally, size_t done, size_t size)
{
    const struct xnm_list_watch *watch = tally->options->watch;

    if (watch)
        watch->read(watch->arg, tally->file, done, size);
}

bool xnm_list_tally_take(struct xnm_list_tally *tally, const struct xnm_list_entry *entry)
{
    bool bare = entry->scope == XNM_SCOPE_NONE;
    bool exempts = entry->modifiers && entry->modifiers->exempts;

    if (!bare && !exempts && !tally->rule->suffixes &&
        xnm_suffix_is_public(entry->name, entry->name_len))
        return false;
    tally->entries += !bare;
    tally->exemptions += exempts;
    if (!tally->options->entry(tally->options->arg, entry))
        tally->stopped = true;
    return true;
}

bool xnm_list_tally_count(struct xnm_list_tally *tally, xnm_list_tally_kind kind)
{
    return tally->counts[kind]++ < XNM_LIST_TALLY_SAID_MAX;
}

static const char *const reasons[XNM_LIST_SKIP_KINDS] = {
    [XNM_LIST_SKIP_ROOT] = "the root, which would match every name",
    [XNM_LIST_SKIP_ADDRESS] = "an address, not a name",
    [XNM_LIST_SKIP_LOCAL] = "a name of the machine itself",
    [XNM_LIST_SKIP_COSMETIC] = "a cosmetic filter, which is about a page's content",
    [XNM_LIST_SKIP_REGEX] = "a regular expression or a path",
    [XNM_LIST_SKIP_PATTERN] = "a filter whose pattern is more than a name",
    [XNM_LIST_SKIP_CLIENT] = "a filter for some clients ($client, $ctag)",
    [XNM_LIST_SKIP_REWRITE] = "a filter with an answer of its own ($dnsrewrite)",
    [XNM_LIST_SKIP_BADFILTER] = "a filter that disables another one ($badfilter)",
    [XNM_LIST_SKIP_MODIFIER] = "a filter with modifiers that mean nothing in the DNS",
    [XNM_LIST_SKIP_TOO_MANY] = ("a filter with too many types or names in its modifiers, or one "
                                "too many with others"),
    [XNM_LIST_SKIP_PROTECTED] = "an exemption or modifiers, which protected names do not have",
};

static const struct {
    const char *text, *word;
} syntaxes[XNM_LIST_SYNTAXES] = {
    [XNM_LIST_DOMAINS] = {"a list of names", "domains"},
    [XNM_LIST_HOSTS] = {"a hosts file", "hosts"},
    [XNM_LIST_FILTER] = {"DNS filter rules", "filter"},
    [XNM_LIST_RPZ] = {"a response policy zone", "rpz"},
};

const char *xnm_list_syntax_text(xnm_list_syntax syntax)
{
    return syntaxes[syntax].text;
}

const char *xnm_list_syntax_word(xnm_list_syntax syntax)
{
    return syntaxes[syntax].word;
}

void xnm_list_tally_skip(struct xnm_list_tally *tally, xnm_list_reason kind,
                         const struct xnm_place *place)
{
    if (tally->skipped[kind].count++ == 0)
        tally->skipped[kind].first = *place;
}

/* Reports each kind of entries that were left out. Returns their number. */
static size_t say_skipped(const struct xnm_list_tally *tally)
{
    size_t sum = 0;

    for (unsigned kind = 0; kind < XNM_LIST_SKIP_KINDS; kind++) {
        size_t count = tally->skipped[kind].count;
        char number[64] = "";
        if (count > 1)
            snprintf(number, sizeof number, ", %zu in all, the first one here", count);
        if (count > 0)
            xnm_diagnose(tally->options->diagnostics, XNM_WARNING, &tally->skipped[kind].first,
                         "skipped: %s%s", reasons[kind], number);
        sum += count;
    }
    return sum;
}

/* The form of most entries. */
static xnm_list_syntax syntax_of(const struct xnm_list_tally *tally)
{
    xnm_list_syntax most = XNM_LIST_DOMAINS;
    size_t plain = tally->entries, counts[XNM_LIST_SYNTAXES];

    if (tally->rule->trigger == XNM_TRIGGER_RPZ)
        return XNM_LIST_RPZ;
    for (unsigned i = XNM_LIST_DOMAINS + 1; i < XNM_LIST_SYNTAXES; i++) {
        counts[i] = tally->of_syntax[i];
        plain -= counts[i];
    }
    counts[XNM_LIST_DOMAINS] = plain;
    for (unsigned i = XNM_LIST_DOMAINS + 1; i < XNM_LIST_SYNTAXES; i++)
        most = counts[i] > counts[most] ? i : most;
    return most;
}

static const struct {
    xnm_severity severity;
    const char *what;
} kinds[XNM_LIST_TALLY_KINDS] = {
    [XNM_LIST_TALLY_BAD] = {XNM_ERROR, "bad entries in all, left out"},
    [XNM_LIST_TALLY_SUFFIX] = {XNM_ERROR, "public suffixes in all, left out"},
};

void xnm_list_tally_close(const struct xnm_list_tally *tally, struct xnm_list_counts *counts)
{
    const struct xnm_place place = {tally->file, 0, 0};
    size_t skipped = say_skipped(tally);

    for (unsigned kind = 0; kind < XNM_LIST_TALLY_KINDS; kind++)
        if (tally->counts[kind] > XNM_LIST_TALLY_SAID_MAX)
            xnm_diagnose(tally->options->diagnostics, kinds[kind].severity, &place,
                         "%zu %s: the first %d are listed above", tally->counts[kind],
                         kinds[kind].what, XNM_LIST_TALLY_SAID_MAX);
    if (tally->short_names > 0)
        xnm_diagnose(tally->options->diagnostics, XNM_WARNING, &place,
                     "%zu protected name%s without a compared label that is as long as min= "
                     "says, so nothing can look like %s",
                     tally->short_names, tally->short_names == 1 ? "" : "s",
                     tally->short_names == 1 ? "it" : "them");
    *counts = (struct xnm_list_counts){
        .entries = tally->entries,
        .skipped = skipped + tally->skipped_unsaid,
        .bad = tally->counts[XNM_LIST_TALLY_BAD],
        .suffixes = tally->counts[XNM_LIST_TALLY_SUFFIX],
        .unmet = tally->unmet,
        .soa = tally->soa,
        .short_names = tally->short_names,
        .exemptions = tally->exemptions,
        .syntax = syntax_of(tally),
    };
}
