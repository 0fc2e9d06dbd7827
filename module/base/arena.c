/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/base/arena.h"

#include "module/base/budget.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* --- arenas --- */

/* A block of this size or more is mapped by itself, so that its memory goes back to the system when
 * it is freed. malloc maps large blocks, too, but only until the first of them is freed: then its
 * threshold rises, up to 32 MiB, and policies that come and go leave a host's heap full of holes
 * (dnsdist grew by 8 MB in five swaps of a policy of 20,000 names). */
enum { MAPPED_MIN = 128 * 1024 };

static bool is_mapped(size_t cap)
{
    return cap >= MAPPED_MIN;
}

static void free_block(uint8_t *octets, size_t cap)
{
    if (is_mapped(cap))
        munmap(octets, cap);
    else
        free(octets);
}

/* Returns NULL when out of memory. */
static uint8_t *new_block(size_t cap)
{
    if (!is_mapped(cap))
        return malloc(cap);
    void *octets = mmap(NULL, cap, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return octets == MAP_FAILED ? NULL : octets;
}

/* Returns the block with another size, which may have moved; NULL when out of memory, and the block
 * is as it was. `len` octets of it are kept. */
static uint8_t *resize_block(uint8_t *octets, size_t cap, size_t to, size_t len)
{
    if (!is_mapped(cap) && !is_mapped(to))
        return realloc(octets, to);
    if (is_mapped(cap) && is_mapped(to)) {
        void *moved = mremap(octets, cap, to, MREMAP_MAYMOVE);
        return moved == MAP_FAILED ? NULL : moved;
    }
    uint8_t *made = new_block(to);
    if (made && len > 0)
        memcpy(made, octets, len);
    if (made)
        free_block(octets, cap);
    return made;
}

/* Makes the memory `cap` octets large. Returns false, and changes nothing, when out of memory. */
static bool resize(struct xnm_arena *arena, size_t cap)
{
    if (cap > arena->cap && !xnm_budget_take(cap - arena->cap))
        return false;
    uint8_t *octets = resize_block(arena->octets, arena->cap, cap, arena->len);
    if (!octets) {
        if (cap > arena->cap)
            xnm_budget_give(cap - arena->cap);
        return false;
    }
    if (cap < arena->cap)
        xnm_budget_give(arena->cap - cap);
    arena->octets = octets;
    arena->cap = cap;
    return true;
}

bool xnm_arena_reserve(struct xnm_arena *arena, size_t more)
{
    size_t needed, grown = arena->cap + arena->cap / 8;

    if (more <= arena->cap - arena->len)
        return true;
    if (more > SIZE_MAX / 4 - arena->len)
        return false;
    needed = arena->len + more;
    /* An arena that grows will grow again. An eighth is enough: mremap moves the pages of large
     * blocks, not their octets. */
    return resize(arena, needed > grown ? needed : grown);
}

void *xnm_arena_add(struct xnm_arena *arena, size_t len)
{
    if (!xnm_arena_reserve(arena, len))
        return NULL;
    void *added = arena->octets + arena->len;
    memset(added, 0, len);
    arena->len += len;
    return added;
}

void xnm_arena_trim(struct xnm_arena *arena)
{
    if (arena->len == 0)
        xnm_arena_free(arena);
    else if (arena->len < arena->cap)
        resize(arena, arena->len);
}

void xnm_arena_free(struct xnm_arena *arena)
{
    free_block(arena->octets, arena->cap);
    xnm_budget_give(arena->cap);
    *arena = (struct xnm_arena){0};
}

/* --- pools --- */

struct xnm_pool_chunk {
    struct xnm_pool_chunk *before;
    size_t used, cap;
    max_align_t octets[];
};

enum { CHUNK_MIN = 2048, CHUNK_MAX = 1 << 20 };

static struct xnm_pool_chunk *new_chunk(struct xnm_pool *pool, size_t len)
{
    size_t cap = pool->total < CHUNK_MIN ? CHUNK_MIN : pool->total;
    struct xnm_pool_chunk *chunk;

    if (cap > CHUNK_MAX)
        cap = CHUNK_MAX;
    if (cap < len)
        cap = len;
    if (!xnm_budget_take(sizeof *chunk + cap))
        return NULL;
    chunk = malloc(sizeof *chunk + cap);
    if (!chunk) {
        xnm_budget_give(sizeof *chunk + cap);
        return NULL;
    }
    *chunk = (struct xnm_pool_chunk){.before = pool->last, .cap = cap};
    pool->last = chunk;
    pool->total += sizeof *chunk + cap;
    return chunk;
}

void *xnm_pool_take(struct xnm_pool *pool, size_t len)
{
    const size_t unit = _Alignof(max_align_t);
    struct xnm_pool_chunk *chunk = pool->last;

    if (len > SIZE_MAX / 2)
        return NULL;
    len = (len + unit - 1) / unit * unit;
    if (!chunk || chunk->cap - chunk->used < len)
        chunk = new_chunk(pool, len);
    if (!chunk)
        return NULL;
    void *taken = (uint8_t *)chunk->octets + chunk->used;
    chunk->used += len;
    return taken;
}

char *xnm_pool_string(struct xnm_pool *pool, const char *text, size_t len)
{
    char *copy = xnm_pool_take(pool, len + 1);

    if (copy) {
        memcpy(copy, text, len);
        copy[len] = '\0';
    }
    return copy;
}

struct xnm_pool_mark xnm_pool_mark(const struct xnm_pool *pool)
{
    return (struct xnm_pool_mark){pool->last, pool->last ? pool->last->used : 0};
}

void xnm_pool_release(struct xnm_pool *pool, struct xnm_pool_mark mark)
{
    while (pool->last != mark.last) {
        struct xnm_pool_chunk *chunk = pool->last;
        pool->last = chunk->before;
        pool->total -= sizeof *chunk + chunk->cap;
        xnm_budget_give(sizeof *chunk + chunk->cap);
        free(chunk);
    }
    if (pool->last)
        pool->last->used = mark.used;
}

size_t xnm_pool_memory(const struct xnm_pool *pool)
{
    return pool->total;
}

void xnm_pool_free(struct xnm_pool *pool)
{
    xnm_pool_release(pool, (struct xnm_pool_mark){0});
}
