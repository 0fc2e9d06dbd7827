/* SPDX-License-Identifier: BSD-3-Clause */
/* A ring of log lines from one producer thread to one consumer thread. Neither waits for the other:
 * a line that does not fit is lost, and counted. */
#ifndef XNM_MODULE_LOG_LOGRING_H
#define XNM_MODULE_LOG_LOGRING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The usual size of a ring, in octets. The writer empties it every 5 ms, so that it suffices for
 * 200 MB of lines a second. */
enum { XNM_LOGRING_SIZE = 1 << 20 };

struct xnm_logring;

/* `size`, octets: a power of two of at least 64, so that counters may wrap. NULL: no memory. The
 * caller owns the ring. */
struct xnm_logring *xnm_logring_new(size_t size);
void xnm_logring_free(struct xnm_logring *ring); /* NULL is fine */

/* Puts in one whole line, with its line feed. False: it does not fit, and is counted as lost. */
bool xnm_logring_put(struct xnm_logring *ring, const char *line, size_t len);

/* Sets *lines to the next lines, as many whole ones as fit in dst. They are in the ring, or
 * copied to dst if they wrap around its end. Returns their octets; they stay in the ring. dst
 * should hold the longest line that was put in. */
size_t xnm_logring_look(const struct xnm_logring *ring, char *dst, size_t dst_cap,
                        const char **lines);

/* Removes octets that the last look returned. If a line is removed in part, the next look begins
 * with its rest. */
void xnm_logring_drop(struct xnm_logring *ring, size_t len);

/* Lines lost since the ring was made. Any thread may call it. */
uint64_t xnm_logring_lost(const struct xnm_logring *ring);

#endif
