/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/list/intake.h"

#include "module/name/suffix.h"
#include "module/base/thread.h"

bool xnm_intake_is_stopped(const struct xnm_intake *intake)
{
    return intake->stopped || xnm_stop_is_set(intake->options->stop);
}

bool xnm_intake_take(struct xnm_intake *intake, const struct xnm_feed_entry *entry)
{
    bool bare = entry->scope == XNM_SCOPE_NONE;

    if (!bare && !intake->rule->suffixes && xnm_suffix_is_public(entry->name, entry->name_len))
        return false;
    intake->entries += !bare;
    if (!intake->options->entry(intake->options->arg, entry))
        intake->stopped = true;
    return true;
}

bool xnm_intake_count(struct xnm_intake *intake, xnm_intake_kind kind)
{
    return intake->counts[kind]++ < XNM_INTAKE_SAID_MAX;
}

static const struct {
    xnm_severity severity;
    const char *what;
} kinds[XNM_INTAKE_KINDS] = {
    [XNM_INTAKE_BAD] = {XNM_ERROR, "bad entries in all, left out"},
    [XNM_INTAKE_SUFFIX] = {XNM_ERROR, "public suffixes in all, left out"},
    [XNM_INTAKE_SKIPPED] = {XNM_WARNING, "entries skipped in all"},
};

void xnm_intake_close(const struct xnm_intake *intake, struct xnm_feed_counts *counts)
{
    const struct xnm_place place = {intake->file, 0, 0};

    for (unsigned kind = 0; kind < XNM_INTAKE_KINDS; kind++)
        if (intake->counts[kind] > XNM_INTAKE_SAID_MAX)
            xnm_report(intake->options->reporter, kinds[kind].severity, &place,
                       "%zu %s: the first %d are listed above", intake->counts[kind],
                       kinds[kind].what, XNM_INTAKE_SAID_MAX);
    if (intake->short_names > 0)
        xnm_report(
            intake->options->reporter, XNM_WARNING, &place,
            "%zu protected name%s with no label of %d characters that is compared (min=), so "
            "nothing can look like %s",
            intake->short_names, intake->short_names == 1 ? "" : "s", intake->rule->protection.min,
            intake->short_names == 1 ? "it" : "them");
    *counts = (struct xnm_feed_counts){
        .entries = intake->entries,
        .skipped = intake->counts[XNM_INTAKE_SKIPPED] + intake->skipped_unsaid,
        .bad = intake->counts[XNM_INTAKE_BAD],
        .suffixes = intake->counts[XNM_INTAKE_SUFFIX],
        .unmet = intake->unmet,
        .short_names = intake->short_names,
    };
}
