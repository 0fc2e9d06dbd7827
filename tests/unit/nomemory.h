/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that ends at a thread's nth call of a function that allocates: for programs that the
 * Makefile links with --wrap of them. */
#ifndef XN_TESTS_UNIT_NOMEMORY_H
#define XN_TESTS_UNIT_NOMEMORY_H

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

void *__real_malloc(size_t len);
void *__real_calloc(size_t count, size_t len);
void *__real_realloc(void *old, size_t len);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t len);
void *__real_mmap(void *addr, size_t len, int prot, int flags, int fd, off_t offset);
void *__real_mremap(void *old, size_t old_len, size_t len, int flags, ...);
void *__wrap_malloc(size_t len);
void *__wrap_calloc(size_t count, size_t len);
void *__wrap_realloc(void *old, size_t len);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t len);
void *__wrap_mmap(void *addr, size_t len, int prot, int flags, int fd, off_t offset);
void *__wrap_mremap(void *old, size_t old_len, size_t len, int flags, ...);

static _Thread_local unsigned long calls_left = ULONG_MAX; /* of this thread, that have memory */

static bool has_memory(void)
{
    if (calls_left == 0) {
        errno = ENOMEM;
        return false;
    }
    if (calls_left != ULONG_MAX)
        calls_left--;
    return true;
}

void *__wrap_malloc(size_t len)
{
    return has_memory() ? __real_malloc(len) : NULL;
}

void *__wrap_calloc(size_t count, size_t len)
{
    return has_memory() ? __real_calloc(count, len) : NULL;
}

void *__wrap_realloc(void *old, size_t len)
{
    return has_memory() ? __real_realloc(old, len) : NULL;
}

char *__wrap_strdup(const char *text)
{
    return has_memory() ? __real_strdup(text) : NULL;
}

char *__wrap_strndup(const char *text, size_t len)
{
    return has_memory() ? __real_strndup(text, len) : NULL;
}

void *__wrap_mmap(void *addr, size_t len, int prot, int flags, int fd, off_t offset)
{
    return has_memory() ? __real_mmap(addr, len, prot, flags, fd, offset) : MAP_FAILED;
}

void *__wrap_mremap(void *old, size_t old_len, size_t len, int flags, ...)
{
    return has_memory() ? __real_mremap(old, old_len, len, flags) : MAP_FAILED;
}

#endif
