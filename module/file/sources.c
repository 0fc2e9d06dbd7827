/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/file/sources.h"

#include <stdlib.h>
#include <string.h>

/* Makes room for `more` files beside those that there are. Returns false when out of memory:
 * nothing has changed. */
static bool reserve(struct xnm_sources *sources, size_t more)
{
    size_t capacity = sources->capacity ? sources->capacity : 4;
    struct xnm_source *files;

    while (capacity - sources->count < more)
        capacity *= 2;
    if (capacity == sources->capacity)
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

    if (!reserve(sources, 1))
        return false;
    path = strdup(source->path);
    if (!path)
        return false;
    sources->files[sources->count] = *source;
    sources->files[sources->count++].path = path;
    return true;
}

void xnm_sources_cut(struct xnm_sources *sources, size_t count)
{
    while (sources->count > count)
        free(sources->files[--sources->count].path);
}

void xnm_sources_free(struct xnm_sources *sources)
{
    xnm_sources_cut(sources, 0);
    free(sources->files);
    *sources = (struct xnm_sources){0};
}

bool xnm_sources_add(struct xnm_sources *sources, struct xnm_sources *more)
{
    if (!reserve(sources, more->count))
        return false;
    for (size_t i = 0; i < more->count; i++) {
        if (xnm_sources_find(sources, more->files[i].path))
            continue;
        struct xnm_source *added = &sources->files[sources->count++];
        *added = more->files[i];
        added->read = added->found;
        added->is_read_when_expired = false;
        more->files[i].path = NULL;
    }
    xnm_sources_free(more);
    return true;
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

static bool has_changed(const struct xnm_source *source)
{
    return !xnm_stamp_same(&source->found, &source->read);
}

static bool is_at_rest(const struct xnm_source *source)
{
    return source->quiet == XNM_SOURCES_QUIET;
}

bool xnm_source_is_overdue(const struct xnm_source *source)
{
    return has_changed(source) && !is_at_rest(source) && source->restless >= XNM_SOURCES_RESTLESS;
}

bool xnm_source_is_busy(const struct xnm_source *source)
{
    return has_changed(source) && !is_at_rest(source) && source->restless < XNM_SOURCES_RESTLESS;
}

size_t xnm_sources_expired(const struct xnm_sources *sources, time_t now, bool *due)
{
    size_t expired = 0;

    for (size_t i = 0; i < sources->count; i++) {
        const struct xnm_source *file = &sources->files[i];

        if (file->expires == 0 || now < file->expires)
            continue;
        expired++;
        *due |= file->is_read_when_expired;
    }
    return expired;
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
        source->quiet = 0;
    else if (!is_at_rest(source))
        source->quiet++;
    source->found = now;
    if (!is_at_rest(source)) {
        source->restless++;
    } else {
        source->restless = 0;
        source->told = false;
    }
}

bool xnm_sources_look(struct xnm_sources *sources)
{
    bool due = false, held_up = false;

    for (size_t i = 0; i < sources->count; i++) {
        struct xnm_source *file = &sources->files[i];

        look_at(file);
        due |= has_changed(file) && !xnm_source_is_busy(file);
        held_up |= xnm_source_is_busy(file) && !file->can_wait;
    }
    return due && !held_up;
}
