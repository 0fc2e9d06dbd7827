/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/list/listtally.h"

#include "module/base/thread.h"
#include "module/name/suffix.h"
#include "module/rule/protection.h"
#include "module/rule/rule.h"

#include <stdio.h>

bool xnm_list_tally_is_stopped(const struct xnm_list_tally *tally)
{
    return tally->stopped || xnm_stop_is_set(tally->options->stop);
}

bool xnm_list_tally_take(struct xnm_list_tally *tally, const struct xnm_list_entry *entry)
{
    bool inactive = entry->scope == XNM_SCOPE_NONE;
    bool exempts = entry->modifiers && entry->modifiers->exempts;

    if (!inactive && !exempts && !tally->rule->suffixes &&
        xnm_suffix_is_public(entry->name, entry->name_len))
        return false;
    tally->counts.entries += !inactive;
    tally->counts.exemptions += exempts;
    if (!tally->options->entry(tally->options->arg, entry))
        tally->stopped = true;
    return true;
}

bool xnm_list_tally_count(size_t *count)
{
    return (*count)++ < XNM_LIST_TALLY_REPORTED_MAX;
}

static const char *const texts[XNM_LIST_SKIP_KINDS] = {
    [XNM_LIST_SKIP_ROOT] = "skipped: the root, which would match every name",
    [XNM_LIST_SKIP_ADDRESS] = "skipped: an address, not a name",
    [XNM_LIST_SKIP_LOCAL] = "skipped: a name of the machine itself",
    [XNM_LIST_SKIP_COSMETIC] = "skipped: a cosmetic filter, which is about a page's content",
    [XNM_LIST_SKIP_REGEX] = "skipped: a regular expression or a path",
    [XNM_LIST_SKIP_PATTERN] = "skipped: a filter whose pattern is more than a name",
    [XNM_LIST_SKIP_CLIENT] = "skipped: a filter for some clients ($client, $ctag)",
    [XNM_LIST_SKIP_REWRITE] = "skipped: a filter with an answer of its own ($dnsrewrite)",
    [XNM_LIST_SKIP_BADFILTER] = "skipped: a filter that disables another one ($badfilter)",
    [XNM_LIST_SKIP_MODIFIER] = "skipped: a filter with modifiers that mean nothing in the DNS",
    [XNM_LIST_SKIP_TOO_MANY] = ("skipped: a filter with too many types or names in its modifiers, "
                                "or one too many with others"),
    [XNM_LIST_SKIP_PROTECTED] = ("skipped: an exemption or modifiers, which protected names do not "
                                 "have"),
    [XNM_LIST_SKIP_UNMET + XNM_UNMET_CLIENT_IP] =
        ("skipped, but the rule has no skip=client-ip: rpz-client-ip triggers (on the client's "
         "address)"),
    [XNM_LIST_SKIP_UNMET + XNM_UNMET_IP] =
        "skipped, but the rule has no skip=ip: rpz-ip triggers (on an address in the answer)",
    [XNM_LIST_SKIP_UNMET + XNM_UNMET_NSDNAME] =
        "skipped, but the rule has no skip=nsdname: rpz-nsdname triggers (on a name server's name)",
    [XNM_LIST_SKIP_UNMET + XNM_UNMET_NSIP] =
        "skipped, but the rule has no skip=nsip: rpz-nsip triggers (on a name server's address)",
    [XNM_LIST_SKIP_TRIGGER] = "skipped: triggers under an unknown rpz- name",
    [XNM_LIST_SKIP_TARGET] = "skipped: CNAME records to an unknown rpz- name",
    [XNM_LIST_SKIP_AT_ORIGIN] = "skipped: records at the zone's own name, which have no trigger",
    [XNM_LIST_SKIP_DELEGATION] = "skipped: NS and DNAME records, which cannot be an answer",
    [XNM_LIST_TARGET_IN_ZONE] =
        "CNAME targets inside the policy zone itself (is a final dot missing?)",
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

static bool is_unmet(unsigned kind)
{
    return kind >= XNM_LIST_SKIP_UNMET && kind < XNM_LIST_SKIP_UNMET + XNM_UNMET_COUNT;
}

/* Reports each kind of entries that are left out or doubtful, and counts those left out. */
static void report_skipped(struct xnm_list_tally *tally)
{
    for (unsigned kind = 0; kind < XNM_LIST_SKIP_KINDS; kind++) {
        size_t count = tally->skipped[kind].count;
        char number[64] = "";
        if (count == 0)
            continue;
        if (count > 1)
            snprintf(number, sizeof number, ", %zu in all, the first one here", count);
        xnm_diagnostics_add(tally->options->diagnostics, is_unmet(kind) ? XNM_ERROR : XNM_WARNING,
                            &tally->skipped[kind].first, "%s%s", texts[kind], number);
        if (kind != XNM_LIST_TARGET_IN_ZONE)
            tally->counts.skipped += count;
        if (is_unmet(kind))
            tally->counts.unmet |= 1U << (kind - XNM_LIST_SKIP_UNMET);
    }
}

/* Returns the form of most entries. */
static xnm_list_syntax syntax_of(const struct xnm_list_tally *tally)
{
    xnm_list_syntax most = XNM_LIST_DOMAINS;
    size_t plain = tally->counts.entries, counts[XNM_LIST_SYNTAXES];

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

static void report_rest(const struct xnm_list_tally *tally, size_t count, const char *what)
{
    if (count > XNM_LIST_TALLY_REPORTED_MAX)
        xnm_diagnostics_add(tally->options->diagnostics, XNM_ERROR,
                            &(struct xnm_place){tally->file, 0, 0},
                            "%zu %s in all, left out: the first %d are listed above", count, what,
                            XNM_LIST_TALLY_REPORTED_MAX);
}

void xnm_list_tally_close(struct xnm_list_tally *tally)
{
    const struct xnm_place place = {tally->file, 0, 0};
    size_t short_names = tally->counts.short_names;

    report_skipped(tally);
    report_rest(tally, tally->counts.bad, "bad entries");
    report_rest(tally, tally->counts.suffixes, "public suffixes");
    if (short_names > 0)
        xnm_diagnostics_add(tally->options->diagnostics, XNM_WARNING, &place,
                            "%zu protected name%s without a compared label that is as long as min= "
                            "says (by default %d characters), so nothing can look like %s",
                            short_names, short_names == 1 ? "" : "s", XNM_PROTECTION_MIN,
                            short_names == 1 ? "it" : "them");
    tally->counts.syntax = syntax_of(tally);
}
