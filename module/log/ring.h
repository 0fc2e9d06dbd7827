/* SPDX-License-Identifier: BSD-3-Clause */
/* A ring of log lines between the one thread that puts them in and the one that takes them out.
 * Neither waits for the other: where there is no room a line is lost, and counted. */
#ifndef XNM_MODULE_LOG_RING_H
#define XNM_MODULE_LOG_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Octets. At 5 ms from one visit of the writer to the next it holds 200 MB of lines a second. */
enum { XNM_LOGRING_SIZE = 1 << 20 };

struct xnm_logring;

/* Returns NULL without memory. The caller owns the ring. */
struct xnm_logring *xnm_logring_new(void);
void xnm_logring_free(struct xnm_logring *ring); /* NULL is fine */

/* Puts in one whole line, its line feed with it. False: no room, and the line is counted as lost.
 */
bool xnm_logring_put(struct xnm_logring *ring, const char *line, size_t len);

/* The lines that are next, as many whole ones as dst has room for: where they lie, which is in the
 * ring, or in dst if they lie across its end. Returns their octets, which stay in the ring. It
 * never holds a line that is longer than the longest put in, and dst should hold that. */
size_t xnm_logring_look(const struct xnm_logring *ring, char *dst, size_t dst_cap,
                        const char **lines);

/* Takes out octets that the last look returned; what is left of a line then is next. */
void xnm_logring_drop(struct xnm_logring *ring, size_t len);

/* Lines lost since the ring was made. May be asked by any thread. */
uint64_t xnm_logring_lost(const struct xnm_logring *ring);

#endif
