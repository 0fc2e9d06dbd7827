/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the allocations of the whole program, libraries included. */
#ifndef XN_TESTS_UNIT_COUNTEDMEMORY_H
#define XN_TESTS_UNIT_COUNTEDMEMORY_H

#include <stddef.h>

static unsigned long counted_memory;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
/* gcc comes without sanitizer/allocator_interface.h. */
int __sanitizer_install_malloc_and_free_hooks(void (*allocated)(const volatile void *, size_t),
                                              void (*freed)(const volatile void *));

static void count_memory(const volatile void *at, size_t len)
{
    (void)at, (void)len;
    counted_memory++;
}

static void count_nothing(const volatile void *at)
{
    (void)at;
}

__attribute__((constructor)) static void begin_counting(void)
{
    __sanitizer_install_malloc_and_free_hooks(count_memory, count_nothing);
}
#else
/* glibc's own, for who has a malloc of their own. */
extern void *__libc_malloc(size_t len);
extern void *__libc_calloc(size_t count, size_t len);
extern void *__libc_realloc(void *old, size_t len);

#define FOR_ALL __attribute__((visibility("default")))
FOR_ALL void *malloc(size_t len);
FOR_ALL void *calloc(size_t count, size_t len);
FOR_ALL void *realloc(void *old, size_t len);

void *malloc(size_t len)
{
    __atomic_fetch_add(&counted_memory, 1, __ATOMIC_RELAXED);
    return __libc_malloc(len);
}

void *calloc(size_t count, size_t len)
{
    __atomic_fetch_add(&counted_memory, 1, __ATOMIC_RELAXED);
    return __libc_calloc(count, len);
}

void *realloc(void *old, size_t len)
{
    __atomic_fetch_add(&counted_memory, 1, __ATOMIC_RELAXED);
    return __libc_realloc(old, len);
}
#endif

#endif
