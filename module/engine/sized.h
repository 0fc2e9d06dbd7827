/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads structs of programs that were compiled with another version of idnpolicy.h: longer or
 * shorter ones. */
#ifndef XNM_MODULE_ENGINE_SIZED_H
#define XNM_MODULE_ENGINE_SIZED_H

#include "module/engine/idnpolicy.h"

#define XNM_SIZED_END(of, member) (offsetof(of, member) + sizeof(((of *)0)->member))

/* The sizes in 1.0.0, which are the smallest: each struct ended with the member named here. */
enum {
    XNM_OPTIONS_SIZE_1_0_0 = XNM_SIZED_END(struct idnp_options, log_arg),
    XNM_QUESTION_SIZE_1_0_0 = XNM_SIZED_END(struct idnp_question, seconds),
    XNM_EXCHANGE_SIZE_1_0_0 = XNM_SIZED_END(struct idnp_exchange, seconds),
    XNM_REPLY_SIZE_1_0_0 = XNM_SIZED_END(struct idnp_reply, nanoseconds),
    XNM_SIZED_MAX = 4096 /* octets; no version has a longer struct */
};

/* Copies a struct that begins with its size, a uint32_t, to dst, which has `ours` octets. Members
 * that `theirs` lacks become 0. Returns 0; IDNP_BAD_ARGUMENT: theirs is NULL, or its size is below
 * `least` or above XNM_SIZED_MAX; or IDNP_TOO_NEW: an octet behind the first `ours` is not 0. dst
 * is then undefined. */
int32_t xnm_sized_read(void *dst, size_t ours, size_t least, const void *theirs);

#endif
