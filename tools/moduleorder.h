/* SPDX-License-Identifier: BSD-3-Clause */
/* The words of unbound.conf's module-config. */
#ifndef XN_TOOLS_MODULEORDER_H
#define XN_TOOLS_MODULEORDER_H

#include "tools/buffer.h"

/* Where the n-th word "dynlib" stands, the first being number 0; NULL if there are fewer. */
const char *moduleorder_dynlib(const char *order, size_t n);
size_t moduleorder_dynlib_count(const char *order);

/* Whether unbound-checkconf accepts an order with dynlib in it. It compares whole texts: a second
 * space makes another one. */
bool moduleorder_is_known(const char *order);

/* Adds the same words with dynlib before them, one space between each. */
void moduleorder_dynlib_first(const char *order, struct buffer *result);

#endif
