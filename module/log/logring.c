/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/log/logring.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { CACHE_LINE = 64 };

/* head and tail count all octets so far and only grow; modulo the ring's size they are places in
 * it. Only one side writes each, and the size never changes. */
struct xnm_logring {
    size_t size;                             /* of data */
    _Alignas(CACHE_LINE) atomic_size_t head; /* octets put in: the producer's */
    atomic_uint_fast64_t lost;
    _Alignas(CACHE_LINE) atomic_size_t tail; /* octets taken out: the consumer's */
    _Alignas(CACHE_LINE) char data[];
};

struct xnm_logring *xnm_logring_new(size_t size)
{
    struct xnm_logring *ring = aligned_alloc(CACHE_LINE, sizeof *ring + size);

    if (!ring)
        return NULL;
    ring->size = size;
    atomic_init(&ring->head, 0);
    atomic_init(&ring->tail, 0);
    atomic_init(&ring->lost, 0);
    return ring;
}

void xnm_logring_free(struct xnm_logring *ring)
{
    free(ring);
}

/* The place of a counter. */
static size_t place(const struct xnm_logring *ring, size_t count)
{
    return count & (ring->size - 1);
}

static void copy_in(struct xnm_logring *ring, size_t head, const char *src, size_t len)
{
    size_t at = place(ring, head), first = ring->size - at;

    if (first >= len) { /* nearly always */
        memcpy(ring->data + at, src, len);
        return;
    }
    memcpy(ring->data + at, src, first);
    memcpy(ring->data, src + first, len - first);
}

static void copy_out(const struct xnm_logring *ring, size_t tail, char *dst, size_t len)
{
    size_t at = place(ring, tail), first = ring->size - at;

    if (first > len)
        first = len;
    memcpy(dst, ring->data + at, first);
    memcpy(dst + first, ring->data, len - first);
}

bool xnm_logring_put(struct xnm_logring *ring, const char *line, size_t len)
{
    size_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
    size_t tail = atomic_load_explicit(&ring->tail, memory_order_acquire);

    if (len > ring->size - (head - tail)) {
        atomic_fetch_add_explicit(&ring->lost, 1, memory_order_relaxed);
        return false;
    }
    copy_in(ring, head, line, len);
    atomic_store_explicit(&ring->head, head + len, memory_order_release);
    return true;
}

size_t xnm_logring_look(const struct xnm_logring *ring, char *dst, size_t dst_cap,
                        const char **lines)
{
    size_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
    size_t len = atomic_load_explicit(&ring->head, memory_order_acquire) - tail;
    size_t at = place(ring, tail);

    if (len > dst_cap)
        len = dst_cap;
    *lines = ring->data + at;
    if (len > ring->size - at) {
        copy_out(ring, tail, dst, len);
        *lines = dst;
    }
    while (len > 0 && (*lines)[len - 1] != '\n') /* whole lines only */
        len--;
    return len;
}

void xnm_logring_drop(struct xnm_logring *ring, size_t len)
{
    size_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);

    atomic_store_explicit(&ring->tail, tail + len, memory_order_release);
}

uint64_t xnm_logring_lost(const struct xnm_logring *ring)
{
    return atomic_load_explicit(&ring->lost, memory_order_relaxed);
}
