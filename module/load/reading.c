/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/load/reading.h"

#include "module/base/diagnostics.h"
#include "module/base/thread.h"

static const char stopped[] = "not wanted any more"; /* which is said to nobody */

bool xnm_reading_is_stopped(const struct xnm_reading *reading)
{
    return xnm_stop_is_set(reading->stop);
}

bool xnm_reading_has_no_memory(struct xnm_reading *reading)
{
    reading->no_memory |= !reading->budget.exceeded;
    return false;
}

const struct xnm_source *xnm_reading_looked_at(const struct xnm_reading *reading, const char *path)
{
    const struct xnm_sources *looked = reading->looked;

    return looked ? xnm_sources_find(looked, path) : NULL;
}

bool xnm_reading_keep_source(struct xnm_reading *reading, const struct xnm_source *source)
{
    if (!xnm_sources_keep(reading->sources, source))
        reading->no_memory = true;
    return !reading->no_memory;
}

/* Warns once about a file that is read while it is still being written, until it comes to rest. */
static bool tell_restless(struct xnm_reading *reading, const char *path)
{
    const struct xnm_source *looked = xnm_reading_looked_at(reading, path);
    struct xnm_place place = {.file = path};

    if (looked && !looked->told && xnm_source_is_overdue(looked))
        xnm_diagnose(reading->diagnostics, XNM_WARNING, &place,
                     "has been written to for ten seconds without a pause: it is read as it is, "
                     "every ten seconds; write a new file and rename it to this name");
    return looked && (looked->told || xnm_source_is_overdue(looked));
}

/* Remembers a file that was read, in the state in which it was, with what the last reading noted of
 * its zone. False: no memory, which is noted. */
static bool keep_read(struct xnm_reading *reading, const char *path, const struct xnm_stamp *stamp,
                      bool can_wait)
{
    const struct xnm_source *last = reading->last ? xnm_sources_find(reading->last, path) : NULL;
    struct xnm_source source = {.path = (char *)path,
                                .read = *stamp,
                                .found = *stamp,
                                .can_wait = can_wait,
                                .told = tell_restless(reading, path)};

    if (last) {
        source.serial = last->serial;
        source.refreshed = last->refreshed;
        source.expires = last->expires;
    }
    return xnm_reading_keep_source(reading, &source);
}

bool xnm_reading_note(struct xnm_reading *reading, const char *path, const struct xnm_stamp *stamp)
{
    return keep_read(reading, path, stamp, true);
}

const char *xnm_reading_text(struct xnm_reading *reading, const char *path, size_t size_max,
                             bool can_wait, struct xnm_textfile *file)
{
    struct xnm_stamp before = xnm_stamp_of(path);
    const char *why = xnm_textfile_read_until(reading->stop, path, size_max, file);

    if (xnm_reading_is_stopped(reading)) {
        if (!why)
            xnm_textfile_free(file);
        return stopped;
    }
    if (keep_read(reading, path, why ? &before : &file->stamp, can_wait) || why)
        return why;
    xnm_textfile_free(file);
    return xnm_budget_trouble();
}
