/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps messages of the library for a host without a callback, until idnp_message takes them. */
#ifndef XNM_MODULE_ENGINE_MESSAGES_H
#define XNM_MODULE_ENGINE_MESSAGES_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { XNM_MESSAGES_MAX = 1 << 16 }; /* octets that wait, with two more for each line */

struct xnm_messages {
    pthread_mutex_t lock;
    size_t first, len; /* what waits is from `first` on */
    uint64_t lost;
    char text[XNM_MESSAGES_MAX]; /* of each line its severity, as a letter, it, and a NUL */
};

/* Makes the queue. Returns false if that failed. */
bool xnm_messages_init(struct xnm_messages *messages);
void xnm_messages_free(struct xnm_messages *messages);

/* Adds a line of len octets, without its end, or counts it as lost. Any thread may call both. */
void xnm_messages_add(struct xnm_messages *messages, int32_t severity, const char *line,
                      size_t len);

/* Takes out the oldest message, for idnp_message. */
int32_t xnm_messages_take(struct xnm_messages *messages, char *dst, size_t cap);

#endif
