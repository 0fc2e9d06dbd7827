/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/file/sources.h"

#include <stdlib.h>
#include <string.h>

/* Makes room for one more file. Returns false when out of memory. */
static bool reserve(struct xnm_sources *sources)
{
    size_t capacity = sources->capacity ? sources->capacity * 2 : 4;
    struct xnm_source *files;

    if (sources->count < sources->capacity)
        return true;
    files = realloc(sources->files, capacity * sizeof *files);
    if (!files)
        return false;
    sources->files = files;
    sources->capacity = capacity;
    return true;
}

bool xnm_sources_keep(struct xnm_sources *sources, const struct xnm_source *source)
{
    char *path;

    if (!reserve(sources))
        return false;
    path = strdup(source->path);
    if (!path)
        return false;
    sources->files[sources->count] = *source;
    sources->files[sources->count++].path = path;
    return true;
}

void xnm_sources_free(struct xnm_sources *sources)
{
    while (sources->count > 0)
        free(sources->files[--sources->count].path);
    free(sources->files);
    *sources = (struct xnm_sources){0};
}

static bool has_changed(const struct xnm_source *source)
{
    return !xnm_stamp_same(&source->found, &source->read);
}

static bool is_at_rest(const struct xnm_source *source)
{
    return source->same_looks == XNM_SOURCES_SAME_LOOKS;
}

bool xnm_source_is_busy(const struct xnm_source *source)
{
    return has_changed(source) && !is_at_rest(source) &&
           source->busy_looks < XNM_SOURCES_BUSY_LOOKS;
}

struct xnm_source *xnm_sources_find(const struct xnm_sources *sources, const char *path)
{
    for (size_t i = 0; i < sources->count; i++)
        if (strcmp(sources->files[i].path, path) == 0)
            return &sources->files[i];
    return NULL;
}

static void look_at(struct xnm_source *source)
{
    struct xnm_stamp now = xnm_stamp_of(source->path);

    if (!xnm_stamp_same(&now, &source->found))
        source->same_looks = 0;
    else if (!is_at_rest(source))
        source->same_looks++;
    source->found = now;
    source->busy_looks = is_at_rest(source) ? 0 : source->busy_looks + 1;
}

bool xnm_sources_look(struct xnm_sources *sources)
{
    bool due = false, delayed = false;

    for (size_t i = 0; i < sources->count; i++) {
        struct xnm_source *file = &sources->files[i];

        look_at(file);
        due |= has_changed(file) && !xnm_source_is_busy(file);
        delayed |= xnm_source_is_busy(file) && !file->can_wait;
    }
    return due && !delayed;
}
