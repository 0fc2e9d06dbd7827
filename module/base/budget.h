/* SPDX-License-Identifier: BSD-3-Clause */
/* How much memory a policy may take while it is built: one account for all that its thread puts
 * into arenas and pools (module/base/arena.h), texts that are read with it, and for what else says
 * so here. Host-free. */
#ifndef XNM_MODULE_BASE_BUDGET_H
#define XNM_MODULE_BASE_BUDGET_H

#include <stdbool.h>
#include <stddef.h>

/* The caller owns it, and reads it. */
struct xnm_budget {
    size_t max;  /* octets */
    size_t used; /* … of memory that may have been touched, in whole pages where it is mapped */
    size_t peak; /* the most of used */
    size_t promised; /* what is to come yet, which is not to be used by anything else */
    bool exceeded;   /* more was wanted; to be set back by the caller */
};

/* The thread's account from here on; NULL: none, and everything is granted. What is given back must
 * have been taken with the same one. */
void xnm_budget_open(struct xnm_budget *budget);

/* False: that would be more than max with what is promised, and nothing has changed but exceeded.
 */
bool xnm_budget_take(size_t octets);
void xnm_budget_give(size_t octets);

/* Promises so much instead of what was promised. False: as above, and what was promised stays. */
bool xnm_budget_promise(size_t octets);

/* What to say of an allocation of the thread that failed: xnm_budget_no_memory ("out of memory"),
 * or, of one for which the account had no room, how much that has. Valid until the thread's next
 * call. */
const char *xnm_budget_trouble(void);
extern const char xnm_budget_no_memory[];

/* What an account has where nobody says how much: a quarter of the least memory that the process
 * may have by its control group (cgroup v2 memory.max, v1 memory.limit_in_bytes) or any above it,
 * or by RLIMIT_AS; 1 GiB where there is no such limit, or no /proc or /sys to read it. `root` is
 * put before their paths: "". */
size_t xnm_budget_default(const char *root);

#endif
