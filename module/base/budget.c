/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/base/budget.h"

#include <stdio.h>

static _Thread_local struct xnm_budget *account;

void xnm_budget_open(struct xnm_budget *budget)
{
    account = budget;
}

bool xnm_budget_take(size_t octets)
{
    if (!account)
        return true;
    if (account->used > account->max || octets > account->max - account->used) {
        account->exceeded = true;
        return false;
    }
    account->used += octets;
    if (account->used > account->peak)
        account->peak = account->used;
    return true;
}

void xnm_budget_give(size_t octets)
{
    if (account)
        account->used -= octets;
}

const char xnm_budget_no_memory[] = "out of memory";

const char *xnm_budget_trouble(void)
{
    static _Thread_local char message[96];
    const size_t mebibyte = 1 << 20;

    if (!account || !account->exceeded)
        return xnm_budget_no_memory;
    bool even = account->max % mebibyte == 0;
    snprintf(message, sizeof message, "needs more than policy-memory, which is %zu %s",
             even ? account->max / mebibyte : account->max, even ? "MiB" : "octets");
    return message;
}
