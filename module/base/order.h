/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the words of Unbound's module-config, the order in which a query passes the modules. */
#ifndef XNM_MODULE_BASE_ORDER_H
#define XNM_MODULE_BASE_ORDER_H

#include <stddef.h>

/* Returns the first word at or after *at, with its length in *len, and moves *at past it. NULL: no
 * word is left. */
const char *xnm_order_word(const char **at, size_t *len);

/* Counts the word "dynlib": as many entries of dynlib-file are modules. */
size_t xnm_order_dynlib_count(const char *order);

/* Finds the first module before the position-th (counted from 0) that would cache the answers of
 * the module there, or hide queries from it: any except "python" and "dynlib". Unbound's own
 * modules keep the answers of the module after them (dns64, subnetcache, cachedb), or act on them
 * (respip). Returns the word, with its length in *len; NULL if there is none. */
const char *xnm_order_cache_before(const char *order, size_t position, size_t *len);

#endif
