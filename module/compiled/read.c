/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/compiled/read.h"

#include "core/idna/property.h"
#include "core/lookalike/lookalike.h"
#include "module/base/diagnostics.h"
#include "module/build/digest.h"
#include "module/compiled/layout.h"
#include "module/rule/rules.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AGAIN "compile it again with this version of unbound-idn"
#define AS_WRITTEN "expected the file as 'unbound-idn compile' wrote it"

enum { STEP = 1 << 20 }; /* octets hashed in one step */

const char xnm_compiled_no_memory[] = "needs more memory than is available";
static const char not_wanted[] = "is not wanted any more";

void xnm_compiled_hash(const void *octets, size_t len, uint8_t hash[XNM_COMPILED_HASH])
{
    struct xnm_digest digest;

    xnm_digest_open(&digest);
    xnm_digest_add(&digest, octets, len);
    xnm_digest_close(&digest, hash);
}

__attribute__((format(printf, 1, 2))) static const char *refuse(const char *format, ...)
{
    static _Thread_local char message[192];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return message;
}

/* --- the head --- */

bool xnm_compiled_is_one(const char *octets, size_t len)
{
    static const char magic[sizeof((struct xnm_compiled_head *)0)->magic] = XNM_COMPILED_MAGIC;

    return len >= sizeof magic && memcmp(octets, magic, sizeof magic) == 0;
}

static const char *check_kind(const struct xnm_compiled_head *head, size_t len)
{
    if (!xnm_compiled_is_one((const char *)head, len))
        return "is not a compiled policy: expected a file that 'unbound-idn compile' wrote";
    if (len > XNM_LIST_SIZE_MAX) /* every count in it fits 32 bits */
        return refuse("is too large: it has %zu octets, expected at most %d", len,
                      XNM_LIST_SIZE_MAX);
    if (len < sizeof *head)
        return refuse("is damaged: it ends after %zu octets: " AS_WRITTEN, len);
    if (head->order != XNM_COMPILED_ORDER)
        return "was compiled on a machine with another byte order: compile it on a machine like "
               "this one";
    if (head->format != XNM_COMPILED_FORMAT)
        return refuse("has format %u: expected %d; " AGAIN, head->format, XNM_COMPILED_FORMAT);
    return NULL;
}

_Static_assert((int)XNM_COMPILED_HASH == (int)XNM_DIGEST, "the digest has room");

/* Does what xnm_compiled_hash does. Returns false if the policy is no longer wanted. */
static bool hash_whole(const struct xnm_compiled_head *head, size_t len, const atomic_bool *stop,
                       uint8_t hash[XNM_COMPILED_HASH])
{
    const uint8_t *octets = (const uint8_t *)head;
    struct xnm_digest digest;

    xnm_digest_open(&digest);
    for (size_t at = XNM_COMPILED_HASHED, step; at < len; at += step) {
        if (xnm_stop_is_set(stop))
            return false;
        step = len - at < STEP ? len - at : STEP;
        xnm_digest_add(&digest, octets + at, step);
    }
    xnm_digest_close(&digest, hash);
    return true;
}

static const char *check_whole(const struct xnm_compiled_head *head, size_t len,
                               const atomic_bool *stop)
{
    uint8_t hash[XNM_COMPILED_HASH];

    if (head->size != len)
        return refuse("is damaged: it has %zu octets, but its header says %llu: " AS_WRITTEN, len,
                      (unsigned long long)head->size);
    if (!hash_whole(head, len, stop, hash))
        return not_wanted;
    if (memcmp(hash, head->hash, sizeof hash) != 0)
        return "is damaged: its checksum does not match: " AS_WRITTEN;
    return NULL;
}

static const char *check_maker(const struct xnm_compiled_head *head)
{
    const char *unicode = xn_unicode_version();
    char made_with[sizeof head->unicode + 1] = "", quoted[64];

    memcpy(made_with, head->unicode, sizeof head->unicode);
    if (strcmp(made_with, unicode) != 0) {
        xnm_quote(made_with, strlen(made_with), quoted, sizeof quoted);
        return refuse("was compiled with Unicode %s: expected %s; " AGAIN, quoted, unicode);
    }
    if (head->lookalike != xn_lookalike_version())
        return "was compiled with another table of look-alikes: " AGAIN;
    return NULL;
}

/* --- sections --- */

static bool fits(const struct xnm_compiled_span *span, size_t least, size_t size)
{
    return span->at % XNM_COMPILED_ALIGN == 0 && span->at >= least && span->at <= size &&
           span->len <= size - span->at;
}

static bool check_sections(const struct xnm_compiled_head *head)
{
    const struct xnm_compiled_span *text = &head->sections[XNM_COMPILED_TEXT];
    size_t least = sizeof *head;

    for (unsigned section = 0; section < XNM_COMPILED_SECTIONS; section++) {
        const struct xnm_compiled_span *span = &head->sections[section];
        if (!fits(span, least, head->size))
            return false;
        least = span->at + span->len;
    }
    if (head->size - least >= XNM_COMPILED_ALIGN || head->size % XNM_COMPILED_ALIGN != 0)
        return false;
    return text->len == 0 ||
           ((const char *)xnm_compiled_part(head, XNM_COMPILED_TEXT))[text->len - 1] == 0;
}

/* --- the whole --- */

static const char *read_parts(struct xnm_compiled_reading *reading)
{
    const struct xnm_compiled_head *head = reading->head;
    struct xnm_policy *policy = reading->policy;
    const char *fault = "sections";

    if (check_sections(head))
        fault = xnm_compiled_read_rules(reading);
    if (!fault)
        fault = xnm_compiled_take_tables(reading);
    if (fault == xnm_compiled_no_memory)
        return fault;
    if (fault && xnm_stop_is_set(reading->stop))
        return not_wanted;
    if (fault)
        return refuse("is damaged: invalid %s: " AS_WRITTEN, fault);
    policy->settings.ttl = head->ttl;
    policy->seed = head->seed;
    policy->depths = head->depths;
    policy->label_rule = policy->condition_count + policy->lookalikes.count > 0;
    policy->empty = !policy->label_rule && policy->entry_count == 0;
    return NULL;
}

static const char *read_image(struct xnm_policy *policy, const atomic_bool *stop)
{
    struct xnm_compiled_reading reading = {
        .policy = policy, .stop = stop, .head = (const void *)policy->compiled.octets};
    size_t len = policy->compiled.len;
    const char *fault = check_kind(reading.head, len);

    if (!fault)
        fault = check_whole(reading.head, len, stop);
    if (!fault)
        fault = check_maker(reading.head);
    return fault ? fault : read_parts(&reading);
}

const char *xnm_compiled_read(const struct xnm_policy_settings *settings,
                              struct xnm_arena *compiled, const atomic_bool *stop,
                              struct xnm_policy **policy)
{
    const char *fault;

    *policy = calloc(1, sizeof **policy);
    if (!*policy) {
        xnm_arena_free(compiled);
        return xnm_compiled_no_memory;
    }
    (*policy)->settings = *settings;
    (*policy)->compiled = *compiled;
    *compiled = (struct xnm_arena){0};
    fault = read_image(*policy, stop);
    if (fault) {
        xnm_policy_free(*policy);
        *policy = NULL;
        return fault;
    }
    (*policy)->compiled.len = xnm_compiled_head_of(*policy)->sections[XNM_COMPILED_KEPT].at;
    xnm_arena_trim(&(*policy)->compiled);
    return NULL;
}
