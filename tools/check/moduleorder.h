/* SPDX-License-Identifier: BSD-3-Clause */
/* The words of unbound.conf's module-config, besides what module/base/order.h says of them. */
#ifndef XN_TOOLS_CHECK_MODULEORDER_H
#define XN_TOOLS_CHECK_MODULEORDER_H

#include "tools/text/buffer.h"

/* How many words stand before the n-th "dynlib", the first being number 0; all of them if there are
 * fewer. */
size_t moduleorder_position(const char *order, size_t n);

/* Whether unbound-checkconf accepts an order with dynlib in it. It compares whole texts: a second
 * space makes another one. */
bool moduleorder_is_known(const char *order);

/* Adds the same words with dynlib before them, one space between each; behind python where
 * unbound-checkconf accepts nothing else, since python keeps no answers. */
void moduleorder_add_dynlib(const char *order, struct buffer *result);

#endif
