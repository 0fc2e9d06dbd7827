/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/sources.h"

#include <stdlib.h>
#include <string.h>

bool xnm_sources_add(struct xnm_sources *sources, const char *path, const struct xnm_stamp *stamp)
{
    struct xnm_source *files =
        realloc(sources->files, (sources->count + 1) * sizeof *sources->files);

    if (!files)
        return false;
    sources->files = files;
    files[sources->count] = (struct xnm_source){strdup(path), *stamp, *stamp};
    if (!files[sources->count].path)
        return false;
    sources->count++;
    return true;
}

void xnm_sources_free(struct xnm_sources *sources)
{
    for (size_t i = 0; i < sources->count; i++)
        free(sources->files[i].path);
    free(sources->files);
    *sources = (struct xnm_sources){0};
}

bool xnm_sources_same(const struct xnm_sources *sources)
{
    for (size_t i = 0; i < sources->count; i++) {
        struct xnm_stamp now = xnm_stamp_of(sources->files[i].path);

        if (!xnm_stamp_same(&now, &sources->files[i].read))
            return false;
    }
    return true;
}

bool xnm_sources_look(struct xnm_sources *sources)
{
    bool changed = false, changing = false;

    for (size_t i = 0; i < sources->count; i++) {
        struct xnm_source *file = &sources->files[i];
        struct xnm_stamp now = xnm_stamp_of(file->path);

        changing |= !xnm_stamp_same(&now, &file->found);
        changed |= !xnm_stamp_same(&now, &file->read);
        file->found = now;
    }
    if (changing)
        sources->quiet = 0;
    else if (sources->quiet < XNM_SOURCES_QUIET)
        sources->quiet++;
    return changed && sources->quiet == XNM_SOURCES_QUIET;
}
