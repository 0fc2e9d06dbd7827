/* SPDX-License-Identifier: BSD-3-Clause */
/* The readers of what is in force: the only door to liburcu. */
#ifndef XNM_MODULE_LOAD_READERS_H
#define XNM_MODULE_LOAD_READERS_H

#include <stdbool.h>

/* Makes the calling thread a reader. liburcu ends a process that has no memory for one: after this,
 * there is memory for eight threads at once, and more is asked for only where there are more.
 * False: there is none. */
bool xnm_readers_register(void);

/* Between these two calls, no thread frees what the caller may have found. */
void xnm_readers_enter(void);
void xnm_readers_leave(void);

/* Waits until all have left that entered before. */
void xnm_readers_wait(void);

#endif
