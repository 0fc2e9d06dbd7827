/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/engine/messages.h"

#include <stdio.h>
#include <string.h>

bool xnm_messages_init(struct xnm_messages *messages)
{
    messages->len = 0;
    messages->lost = 0;
    return pthread_mutex_init(&messages->lock, NULL) == 0;
}

void xnm_messages_free(struct xnm_messages *messages)
{
    pthread_mutex_destroy(&messages->lock);
}

static bool add(struct xnm_messages *messages, const char *line, size_t len)
{
    if (len >= XNM_MESSAGES_MAX - messages->len)
        return false;
    memcpy(messages->text + messages->len, line, len);
    messages->len += len;
    messages->text[messages->len++] = '\n';
    return true;
}

static bool say_what_was_lost(struct xnm_messages *messages)
{
    char line[64];

    if (messages->lost == 0)
        return true;
    int len =
        snprintf(line, sizeof line, "idn: %llu messages lost", (unsigned long long)messages->lost);
    if (!add(messages, line, (size_t)len))
        return false;
    messages->lost = 0;
    return true;
}

void xnm_messages_add(struct xnm_messages *messages, const char *line, size_t len)
{
    pthread_mutex_lock(&messages->lock);
    if (!say_what_was_lost(messages) || !add(messages, line, len))
        messages->lost++;
    pthread_mutex_unlock(&messages->lock);
}

/* Octets of the lines that fit, with their ends. */
static size_t fitting(const struct xnm_messages *messages, size_t room)
{
    if (messages->len <= room)
        return messages->len;
    const char *end = memrchr(messages->text, '\n', room);
    return end ? (size_t)(end - messages->text) + 1 : 0;
}

size_t xnm_messages_take(struct xnm_messages *messages, char *dst, size_t cap)
{
    if (cap == 0)
        return 0;
    pthread_mutex_lock(&messages->lock);
    size_t len = fitting(messages, cap - 1);
    memcpy(dst, messages->text, len);
    dst[len] = '\0';
    messages->len -= len;
    memmove(messages->text, messages->text + len, messages->len);
    pthread_mutex_unlock(&messages->lock);
    return len;
}
