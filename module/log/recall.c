/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/log/recall.h"

#include <pthread.h>

static _Thread_local struct {
    struct xn_memo *memo;
    bool tried;
} own;
static pthread_key_t at_exit;
static bool has_key;

static void free_memo(void *memo)
{
    xn_memo_free(memo);
    own.memo = NULL;
}

/* When the module is loaded, before there are workers. */
__attribute__((constructor)) static void make_key(void)
{
    has_key = pthread_key_create(&at_exit, free_memo) == 0;
}

static struct xn_memo *make_memo(void)
{
    struct xn_memo *memo = has_key ? xn_memo_new() : NULL;

    if (memo && pthread_setspecific(at_exit, memo) != 0) {
        xn_memo_free(memo);
        memo = NULL;
    }
    own.tried = true; /* and not with each name again */
    return own.memo = memo;
}

struct xn_memo *xnm_recall_labels(void)
{
    return own.memo || own.tried ? own.memo : make_memo();
}
