/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/engine/messages.h"

#include "module/engine/idnpolicy.h"

#include <stdio.h>
#include <string.h>

bool xnm_messages_init(struct xnm_messages *messages)
{
    messages->first = messages->len = 0;
    messages->lost = 0;
    return pthread_mutex_init(&messages->lock, NULL) == 0;
}

void xnm_messages_free(struct xnm_messages *messages)
{
    pthread_mutex_destroy(&messages->lock);
}

static bool add(struct xnm_messages *messages, int32_t severity, const char *line, size_t len)
{
    len = strnlen(line, len); /* a NUL ends it for those who read it, too */
    if (len + 2 > XNM_MESSAGES_MAX - messages->len)
        return false;
    if (len + 2 > XNM_MESSAGES_MAX - messages->first - messages->len) {
        memmove(messages->text, messages->text + messages->first, messages->len);
        messages->first = 0;
    }
    char *at = messages->text + messages->first + messages->len;
    *at = (char)('0' + severity);
    memcpy(at + 1, line, len);
    at[1 + len] = '\0';
    messages->len += len + 2;
    return true;
}

static bool say_what_was_lost(struct xnm_messages *messages)
{
    char line[64];

    if (messages->lost == 0)
        return true;
    int len =
        snprintf(line, sizeof line, "idn: %llu messages lost", (unsigned long long)messages->lost);
    if (!add(messages, IDNP_WARNING, line, (size_t)len))
        return false;
    messages->lost = 0;
    return true;
}

void xnm_messages_add(struct xnm_messages *messages, int32_t severity, const char *line, size_t len)
{
    pthread_mutex_lock(&messages->lock);
    if (!say_what_was_lost(messages) || !add(messages, severity, line, len))
        messages->lost++;
    pthread_mutex_unlock(&messages->lock);
}

static int32_t take(struct xnm_messages *messages, char *dst, size_t cap)
{
    const char *at = messages->text + messages->first;

    if (messages->len == 0)
        return IDNP_NO_MESSAGE;
    size_t len = strlen(at + 1), fits = len < cap ? len : cap - 1;
    memcpy(dst, at + 1, fits);
    dst[fits] = '\0';
    messages->first += len + 2;
    messages->len -= len + 2;
    return *at - '0';
}

int32_t xnm_messages_take(struct xnm_messages *messages, char *dst, size_t cap)
{
    if (cap == 0)
        return IDNP_NO_MESSAGE;
    *dst = '\0';
    pthread_mutex_lock(&messages->lock);
    int32_t severity = take(messages, dst, cap);
    pthread_mutex_unlock(&messages->lock);
    return severity;
}
