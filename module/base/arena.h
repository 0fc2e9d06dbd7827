/* SPDX-License-Identifier: BSD-3-Clause */
/* Arenas and pools: memory for the policy and for the texts it is read from. An arena is one block
 * that grows and is freed whole. A pool holds small objects that never move. Both charge the
 * thread's budget (module/base/budget.h) for what they allocate: an allocation that exceeds it
 * fails like any other without memory. Only one thread at a time may use an arena or pool. */
#ifndef XNM_MODULE_BASE_ARENA_H
#define XNM_MODULE_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* {0} is an empty arena. Its contents move when it grows. */
struct xnm_arena {
    uint8_t *octets;
    size_t len;
    size_t cap; /* octets allocated */
};

/* Allocates memory for `more` octets after len. An empty arena gets exactly that much. Returns
 * false, and changes nothing, when out of memory. */
bool xnm_arena_reserve(struct xnm_arena *arena, size_t more);

/* Adds `len` octets set to 0. They begin at the arena's old length and are aligned as that is.
 * Returns NULL when out of memory. */
void *xnm_arena_add(struct xnm_arena *arena, size_t len);

/* Frees the memory after len. The contents may move. */
void xnm_arena_trim(struct xnm_arena *arena);

/* Frees everything and leaves an empty arena. */
void xnm_arena_free(struct xnm_arena *arena);

/* {0} is an empty pool. All fields are private. */
struct xnm_pool {
    struct xnm_pool_chunk *last;
    size_t total;
};

/* A mark of a pool's contents, for xnm_pool_release. */
struct xnm_pool_mark {
    struct xnm_pool_chunk *last;
    size_t used;
};

/* Allocates `len` octets, aligned for any type and not initialized. Returns NULL when out of
 * memory. */
void *xnm_pool_take(struct xnm_pool *pool, size_t len);

/* Copies `len` octets, which need no NUL, and appends one. Returns NULL when out of memory. */
char *xnm_pool_string(struct xnm_pool *pool, const char *text, size_t len);

struct xnm_pool_mark xnm_pool_mark(const struct xnm_pool *pool);
/* Frees everything taken since the mark. */
void xnm_pool_release(struct xnm_pool *pool, struct xnm_pool_mark mark);
size_t xnm_pool_memory(const struct xnm_pool *pool); /* octets */
void xnm_pool_free(struct xnm_pool *pool);

#endif
