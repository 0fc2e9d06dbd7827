/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/load/readers.h"

#include <stddef.h>
#include <sys/mman.h>
#include <urcu-bp.h>

/* ThreadSanitizer does not know liburcu's barriers: for it, leaving happens before the wait for
 * readers returns. */
#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
static char readers;
#define SAY_READER_LEFT() __tsan_release(&readers)
#define SAY_READERS_GONE() __tsan_acquire(&readers)
#else
#define SAY_READER_LEFT() ((void)0)
#define SAY_READERS_GONE() ((void)0)
#endif

bool xnm_readers_register(void)
{
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (page == MAP_FAILED)
        return false;
    munmap(page, 4096);
    urcu_bp_register_thread();
    return true;
}

void xnm_readers_enter(void)
{
    rcu_read_lock();
}

void xnm_readers_leave(void)
{
    SAY_READER_LEFT();
    rcu_read_unlock();
}

void xnm_readers_wait(void)
{
    synchronize_rcu();
    SAY_READERS_GONE();
}
