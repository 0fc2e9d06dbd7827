/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/compiled.h"

#include "module/image.h"
#include "module/imageread.h"
#include "module/policyfiles.h"
#include "module/textline.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- sources that have changed --- */

/* Nobody can write to a file, put another in its place or date it back without its ctime saying so.
 */
static bool may_differ(const struct xnm_stamp *stamp, struct timespec since)
{
    return !xnm_time_is_before(stamp->ctime, since) || !xnm_time_is_before(stamp->mtime, since);
}

static bool differs(const char *path, const struct xnm_image_source *source)
{
    struct xnm_textfile file;
    uint8_t hash[XNM_IMAGE_HASH];

    if (xnm_textfile_read(path, XNM_POLICYFILES_FEED_MAX, &file))
        return false; /* nothing is known of it */
    xnm_image_hash(file.text, file.len, hash);
    xnm_textfile_free(&file);
    return memcmp(hash, source->hash, sizeof hash) != 0;
}

static bool is_stale(const char *path, const struct xnm_image_source *source, struct timespec since)
{
    struct xnm_stamp stamp = xnm_stamp_of(path);

    if (!stamp.present)
        return false;
    return (uint64_t)stamp.size != source->size ||
           (may_differ(&stamp, since) && differs(path, source));
}

static const char *find_stale(const struct xnm_policy *policy, const char *file,
                              struct timespec since)
{
    const struct xnm_image_head *head = xnm_image_head_of(policy);
    const struct xnm_image_source *sources = xnm_image_part(head, XNM_IMAGE_SOURCES);
    const char *texts = xnm_image_part(head, XNM_IMAGE_TEXT);

    for (size_t i = 0; i < head->sections[XNM_IMAGE_SOURCES].len / sizeof *sources; i++) {
        const char *source = texts + sources[i].path;
        char *path = xnm_textline_path(file, source, strlen(source));
        bool stale = path && is_stale(path, &sources[i], since);
        free(path);
        if (stale)
            return source;
    }
    return NULL;
}

/* --- the file --- */

const char *xnm_compiled_read(const struct xnm_policy_settings *settings, const char *path,
                              struct xnm_compiled_read *result)
{
    static _Thread_local char message[256];
    struct xnm_textfile file;
    const char *why = xnm_textfile_read(path, XNM_POLICYFILES_FEED_MAX, &file);

    *result = (struct xnm_compiled_read){.stamp = file.stamp};
    if (why) {
        snprintf(message, sizeof message, "cannot be read: %s", why);
        return message;
    }
    why = xnm_image_read(settings, &file.memory, &result->policy);
    if (why)
        return why;
    if (settings->ttl == XNM_COMPILED_ANY_TTL || result->policy->settings.ttl == settings->ttl) {
        result->stale = find_stale(result->policy, path, file.stamp.mtime);
        return NULL;
    }
    snprintf(message, sizeof message,
             "was compiled with policy-ttl: %u: expected %u, as in the configuration; compile one "
             "that has it",
             result->policy->settings.ttl, settings->ttl);
    xnm_policy_free(result->policy);
    result->policy = NULL;
    return message;
}

bool xnm_compiled_is_one(const char *path)
{
    char begin[64];
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    if (fd < 0)
        return false;
    ssize_t got =
        fstat(fd, &status) == 0 && S_ISREG(status.st_mode) ? read(fd, begin, sizeof begin) : -1;
    close(fd);
    return got > 0 && xnm_image_is_one(begin, (size_t)got);
}
