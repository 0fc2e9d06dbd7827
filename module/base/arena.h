/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of the compiled policy, and of the texts it is read from. An arena is one piece that grows
 * without being copied (the kernel moves its pages) and is given back whole, or from its start on;
 * a pool holds small things that never move. Both are charged to the thread's budget
 * (module/base/budget.h): where it has no room for more, there is no memory. Not for several
 * threads at a time. */
#ifndef XNM_MODULE_BASE_ARENA_H
#define XNM_MODULE_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* {0} is an empty one. What it holds moves when it grows. */
struct xnm_arena {
    uint8_t *octets;
    size_t len;
    size_t cap, charged; /* private: what is mapped, and what of it may have been touched */
};

/* Makes room for so many octets behind len: in an empty one for no more. False: no memory, and
 * nothing has changed. */
bool xnm_arena_reserve(struct xnm_arena *arena, size_t more);

/* What an empty one takes of memory, and is charged for, when so many octets are added. */
size_t xnm_arena_memory(size_t len);

/* Adds so many octets, all 0, aligned as len is. NULL: no memory. */
void *xnm_arena_add(struct xnm_arena *arena, size_t len);

/* Gives back the whole pages behind len. What it holds stays where it is. */
void xnm_arena_trim(struct xnm_arena *arena);

/* Gives back the memory of the octets before `passed`, which is at most len, as far as they are
 * whole steps of a mebibyte and not all there is. `octets` begins behind them then, and what is
 * left stays in place. */
void xnm_arena_pass(struct xnm_arena *arena, size_t passed);

/* It is empty afterwards. */
void xnm_arena_free(struct xnm_arena *arena);

/* {0} is an empty one. All fields are private. */
struct xnm_pool {
    struct xnm_pool_chunk *last;
    size_t total;
};

/* What the pool held at a time. */
struct xnm_pool_mark {
    struct xnm_pool_chunk *last;
    size_t used;
};

/* Aligned for anything, not set to 0. NULL: no memory. */
void *xnm_pool_take(struct xnm_pool *pool, size_t len);

/* A copy with a NUL behind it, the same for octets without one. NULL: no memory. */
char *xnm_pool_string(struct xnm_pool *pool, const char *text, size_t len);

struct xnm_pool_mark xnm_pool_mark(const struct xnm_pool *pool);
/* Frees all that was taken since the mark. */
void xnm_pool_release(struct xnm_pool *pool, struct xnm_pool_mark mark);
size_t xnm_pool_memory(const struct xnm_pool *pool); /* octets */
void xnm_pool_free(struct xnm_pool *pool);

#endif
