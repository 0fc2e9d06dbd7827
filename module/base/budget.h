/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory limit for building a policy: one account for everything that its thread puts into
 * arenas and pools (module/base/arena.h), including the texts it reads, and for other memory that
 * is reported here. */
#ifndef XNM_MODULE_BASE_BUDGET_H
#define XNM_MODULE_BASE_BUDGET_H

#include <stdbool.h>
#include <stddef.h>

/* The caller owns it and may read every field. */
struct xnm_budget {
    size_t max;    /* octets */
    size_t used;   /* octets of memory that is allocated */
    size_t peak;   /* the largest value of used */
    bool exceeded; /* a request did not fit; the caller resets it */
};

/* Makes `budget` the thread's account. With NULL the thread has none, and every request is granted.
 * Memory must be returned to the account it was taken from. */
void xnm_budget_open(struct xnm_budget *budget);

/* Charges `octets`. Returns false, and changes only `exceeded`, if more than max would be used. */
bool xnm_budget_take(size_t octets);
void xnm_budget_give(size_t octets);

/* The message for an allocation of this thread that failed: xnm_budget_no_memory ("out of memory"),
 * or, if the account was exceeded, its maximum. Valid until the thread's next
 * call. */
const char *xnm_budget_trouble(void);
extern const char xnm_budget_no_memory[];

#endif
