/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/list/tally.h"

#include "module/base/diagnostics.h"
#include "module/base/thread.h"
#include "module/name/suffix.h"
#include "module/rule/rule.h"

bool xnm_list_tally_is_stopped(const struct xnm_list_tally *tally)
{
    return tally->stopped || xnm_stop_is_set(tally->options->stop);
}

bool xnm_list_tally_take(struct xnm_list_tally *tally, const struct xnm_list_entry *entry)
{
    bool bare = entry->scope == XNM_SCOPE_NONE;

    if (!bare && !tally->rule->suffixes && xnm_suffix_is_public(entry->name, entry->name_len))
        return false;
    tally->entries += !bare;
    if (!tally->options->entry(tally->options->arg, entry))
        tally->stopped = true;
    return true;
}

bool xnm_list_tally_count(struct xnm_list_tally *tally, xnm_list_tally_kind kind)
{
    return tally->counts[kind]++ < XNM_LIST_TALLY_SAID_MAX;
}

static const struct {
    xnm_severity severity;
    const char *what;
} kinds[XNM_LIST_TALLY_KINDS] = {
    [XNM_LIST_TALLY_BAD] = {XNM_ERROR, "bad entries in all, left out"},
    [XNM_LIST_TALLY_SUFFIX] = {XNM_ERROR, "public suffixes in all, left out"},
    [XNM_LIST_TALLY_SKIPPED] = {XNM_WARNING, "entries skipped in all"},
};

void xnm_list_tally_close(const struct xnm_list_tally *tally, struct xnm_list_counts *counts)
{
    const struct xnm_place place = {tally->file, 0, 0};

    for (unsigned kind = 0; kind < XNM_LIST_TALLY_KINDS; kind++)
        if (tally->counts[kind] > XNM_LIST_TALLY_SAID_MAX)
            xnm_diagnose(tally->options->diagnostics, kinds[kind].severity, &place,
                         "%zu %s: the first %d are listed above", tally->counts[kind],
                         kinds[kind].what, XNM_LIST_TALLY_SAID_MAX);
    if (tally->short_names > 0)
        xnm_diagnose(tally->options->diagnostics, XNM_WARNING, &place,
                     "%zu protected name%s without a compared label of %d characters (min=), so "
                     "nothing can look like %s",
                     tally->short_names, tally->short_names == 1 ? "" : "s",
                     tally->rule->protection.min, tally->short_names == 1 ? "it" : "them");
    *counts = (struct xnm_list_counts){
        .entries = tally->entries,
        .skipped = tally->counts[XNM_LIST_TALLY_SKIPPED] + tally->skipped_unsaid,
        .bad = tally->counts[XNM_LIST_TALLY_BAD],
        .suffixes = tally->counts[XNM_LIST_TALLY_SUFFIX],
        .unmet = tally->unmet,
        .soa = tally->soa,
        .short_names = tally->short_names,
    };
}
