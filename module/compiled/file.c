/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/compiled/file.h"

#include "module/compiled/layout.h"
#include "module/compiled/read.h"
#include "module/file/textline.h"
#include "module/rule/rules.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- sources that have changed --- */

/* A file cannot be written, replaced or backdated without a new ctime. */
static bool may_differ(const struct xnm_stamp *stamp, struct timespec since)
{
    return !xnm_time_is_before(stamp->ctime, since) || !xnm_time_is_before(stamp->mtime, since);
}

static bool differs(const char *path, const struct xnm_compiled_source *source)
{
    struct xnm_textfile file;
    uint8_t hash[XNM_COMPILED_HASH];

    if (xnm_textfile_read(path, XNM_LIST_SIZE_MAX, &file))
        return false; /* it is unknown */
    xnm_compiled_hash(file.text, file.len, hash);
    xnm_textfile_free(&file);
    return memcmp(hash, source->hash, sizeof hash) != 0;
}

/* Deducts the octets of a file that is opened from *octets. */
static bool is_stale(const char *path, const struct xnm_compiled_source *source,
                     struct timespec since, uint64_t *octets, bool *all)
{
    struct xnm_stamp stamp = xnm_stamp_of(path);

    if (!stamp.regular)
        return false;
    if ((uint64_t)stamp.size != source->size)
        return true;
    if (!may_differ(&stamp, since))
        return false;
    if (source->size > *octets) {
        *all = false;
        return false;
    }
    *octets -= source->size;
    return differs(path, source);
}

/* Returns the sources, and sets *count to their number. */
static const struct xnm_compiled_source *sources_of(const struct xnm_policy *policy, size_t *count)
{
    const struct xnm_compiled_head *head = xnm_compiled_head_of(policy);

    *count = head->sections[XNM_COMPILED_SOURCES].len / sizeof(struct xnm_compiled_source);
    return xnm_compiled_part(head, XNM_COMPILED_SOURCES);
}

static const char *name_of(const struct xnm_policy *policy,
                           const struct xnm_compiled_source *source)
{
    return (const char *)xnm_compiled_part(xnm_compiled_head_of(policy), XNM_COMPILED_TEXT) +
           source->path;
}

const char *xnm_compiled_first_source(const struct xnm_policy *policy, size_t *count)
{
    const struct xnm_compiled_source *sources = sources_of(policy, count);

    return *count > 0 ? name_of(policy, sources) : "";
}

struct xnm_compiled_age xnm_compiled_age(const struct xnm_policy *policy, const char *path,
                                         struct timespec since,
                                         const struct xnm_compiled_bounds *bounds)
{
    size_t count;
    const struct xnm_compiled_source *sources = sources_of(policy, &count);
    struct xnm_compiled_age age = {.all = count <= bounds->files};
    uint64_t octets = bounds->octets;

    for (size_t i = 0; i < count && i < bounds->files && !age.stale; i++) {
        const char *name = name_of(policy, &sources[i]);
        char *source = xnm_textline_path(path, name, strlen(name));
        if (source && is_stale(source, &sources[i], since, &octets, &age.all))
            age.stale = name;
        free(source);
    }
    return age;
}

/* --- the file --- */

const char *xnm_compiled_load(const struct xnm_policy_settings *settings, const char *path,
                              const atomic_bool *stop, struct xnm_compiled_load *result)
{
    static _Thread_local char message[256];
    struct xnm_textfile file;
    const char *why = xnm_textfile_read_until(stop, path, XNM_LIST_SIZE_MAX, &file);

    *result = (struct xnm_compiled_load){.stamp = file.stamp};
    if (why) {
        snprintf(message, sizeof message, "cannot be read: %s", why);
        return message;
    }
    why = xnm_compiled_read(settings, &file.memory, stop, &result->policy);
    if (why)
        return why;
    if (settings->ttl == XNM_COMPILED_ANY_TTL || result->policy->settings.ttl == settings->ttl)
        return NULL;
    snprintf(message, sizeof message,
             "was compiled with policy-ttl: %u: expected %u, as in the configuration; compile one "
             "that has it",
             result->policy->settings.ttl, settings->ttl);
    xnm_policy_free(result->policy);
    result->policy = NULL;
    return message;
}

bool xnm_compiled_is_file(const char *path)
{
    char begin[64];
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    if (fd < 0)
        return false;
    ssize_t got =
        fstat(fd, &status) == 0 && S_ISREG(status.st_mode) ? read(fd, begin, sizeof begin) : -1;
    close(fd);
    return got > 0 && xnm_compiled_is_one(begin, (size_t)got);
}
