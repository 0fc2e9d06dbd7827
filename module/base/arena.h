/* SPDX-License-Identifier: BSD-3-Clause */
/* Arenas and pools: memory for the policy and for the texts it is read from. An arena is
 * one block that grows without a copy (the kernel moves its pages) and is freed whole, or from its
 * start. A pool holds small objects that never move. Both charge the thread's budget
 * (module/base/budget.h): an allocation for which that has no room fails like any other without
 * memory. Several threads must not use one arena or pool at a time. */
#ifndef XNM_MODULE_BASE_ARENA_H
#define XNM_MODULE_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* {0} is an empty arena. Its contents move when it grows. */
struct xnm_arena {
    uint8_t *octets;
    size_t len;
    size_t cap, charged; /* private: octets mapped, and those of them that may have been touched */
};

/* Makes room for `more` octets after len. An empty arena gets that much and no more, in whole
 * pages. Returns false, and changes nothing, when out of memory. */
bool xnm_arena_reserve(struct xnm_arena *arena, size_t more);

/* The memory in octets that an empty arena takes, and is charged for, when `len` octets are
 * added. */
size_t xnm_arena_memory(size_t len);

/* Adds `len` octets set to 0. They begin at the arena's old length and are aligned as that is.
 * Returns NULL when out of memory. */
void *xnm_arena_add(struct xnm_arena *arena, size_t len);

/* Frees the whole pages after len. The contents stay where they are. */
void xnm_arena_trim(struct xnm_arena *arena);

/* Frees octets before `passed`, which is at most len, in whole steps of a mebibyte, but never the
 * whole mapping. `octets` then begins after the freed part; the remaining contents stay in
 * place. */
void xnm_arena_pass(struct xnm_arena *arena, size_t passed);

/* Frees everything and leaves an empty arena. */
void xnm_arena_free(struct xnm_arena *arena);

/* {0} is an empty pool. All fields are private. */
struct xnm_pool {
    struct xnm_pool_chunk *last;
    size_t total;
};

/* Marks what a pool holds at a time, for xnm_pool_release. */
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
