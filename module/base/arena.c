/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/base/arena.h"

#include "module/base/budget.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* --- arenas --- */

enum {
    PAGE = 4096,    /* a machine's larger page is a multiple of it: mmap rounds up */
    STEP = 1 << 20, /* unit of xnm_arena_pass: a multiple of any page */
    LARGE = 1 << 22 /* from this size on, ask for pages of 2 MiB */
};

static size_t whole_pages(size_t len)
{
    return (len + PAGE - 1) / PAGE * PAGE;
}

size_t xnm_arena_memory(size_t len)
{
    return whole_pages(len);
}

/* Maps room for `len` octets. Returns false, and changes nothing, when out of memory. */
static bool map(struct xnm_arena *arena, size_t len)
{
    size_t cap;
    void *octets;

    /* An arena that grows will grow again; untouched pages cost nothing. */
    cap = whole_pages(len * (arena->octets ? 2 : 1));
    if (arena->octets)
        octets = mremap(arena->octets, arena->cap, cap, MREMAP_MAYMOVE);
    else
        octets = mmap(NULL, cap, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (octets == MAP_FAILED)
        return false;
    arena->octets = octets;
    arena->cap = cap;
    /* A million names fill eleven thousand small pages: each is a fault when the names are read,
     * and most decisions would wait to translate its address. Without large pages madvise fails,
     * which does no harm. */
    if (cap >= LARGE)
        madvise(octets, cap, MADV_HUGEPAGE);
    return true;
}

static void charge_less(struct xnm_arena *arena, size_t octets)
{
    xnm_budget_give(octets);
    arena->charged -= octets;
}

bool xnm_arena_reserve(struct xnm_arena *arena, size_t more)
{
    size_t needed;

    if (more <= arena->charged - arena->len)
        return true;
    if (more > SIZE_MAX / 4 - arena->len)
        return false;
    needed = whole_pages(arena->len + more);
    if (!xnm_budget_take(needed - arena->charged))
        return false;
    if (needed > arena->cap && !map(arena, arena->len + more)) {
        xnm_budget_give(needed - arena->charged);
        return false;
    }
    arena->charged = needed;
    return true;
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
    size_t needed = whole_pages(arena->len);

    if (needed == 0)
        xnm_arena_free(arena);
    else if (needed < arena->cap && munmap(arena->octets + needed, arena->cap - needed) == 0) {
        arena->cap = needed;
        charge_less(arena, arena->charged - needed);
    }
}

void xnm_arena_pass(struct xnm_arena *arena, size_t passed)
{
    size_t given = passed / STEP * STEP;

    if (given == 0 || given == arena->cap || munmap(arena->octets, given) != 0)
        return;
    arena->octets += given;
    arena->len -= given;
    arena->cap -= given;
    charge_less(arena, given);
}

void xnm_arena_free(struct xnm_arena *arena)
{
    if (arena->octets)
        munmap(arena->octets, arena->cap);
    xnm_budget_give(arena->charged);
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
