/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/load/reading.h"

#include "module/base/thread.h"

static const char stopped[] = "not wanted any more"; /* never reported */

bool xnm_reading_is_stopped(const struct xnm_reading *reading)
{
    return xnm_stop_is_set(reading->options->stop);
}

bool xnm_reading_has_no_memory(struct xnm_reading *reading)
{
    reading->no_memory |= !reading->budget.exceeded;
    return false;
}

bool xnm_reading_watch(struct xnm_reading *reading, const struct xnm_source *source)
{
    if (!xnm_sources_keep(&reading->result->sources, source))
        reading->no_memory = true;
    return !reading->no_memory;
}

const char *xnm_reading_text(struct xnm_reading *reading, const char *path, size_t size_max,
                             bool can_wait, struct xnm_textfile *file)
{
    const atomic_bool *stop = reading->options->stop;
    struct xnm_source source = {.path = (char *)path, .can_wait = can_wait};

    source.read = xnm_stamp_of(path);
    const char *why = xnm_textfile_read_until(stop, path, size_max, file);

    if (xnm_reading_is_stopped(reading)) {
        if (!why)
            xnm_textfile_free(file);
        return stopped;
    }
    if (!why)
        source.read = file->stamp;
    source.found = source.read;
    if (xnm_reading_watch(reading, &source) || why)
        return why;
    xnm_textfile_free(file);
    return xnm_budget_trouble();
}
