/* SPDX-License-Identifier: BSD-3-Clause */
/* The words of Unbound's module-config, which say in what order a query passes its modules.
 * Host-free. */
#ifndef XNM_MODULE_BASE_ORDER_H
#define XNM_MODULE_BASE_ORDER_H

#include <stddef.h>

/* The first word at or behind *at, which moves behind it, with its length; NULL: none is left. */
const char *xnm_order_word(const char **at, size_t *len);

/* How often "dynlib" stands in it: as many entries of dynlib-file are modules. */
size_t xnm_order_dynlib_count(const char *order);

/* The first word before the position-th (counted from 0) whose module would cache the answers of
 * the module there, or hide queries from it: any but "python" and "dynlib". Unbound's own modules
 * keep what the module behind them answers (dns64, subnetcache, cachedb), or act on it (respip).
 * Returns it, and its length in *len; NULL: there is none. */
const char *xnm_order_cache_before(const char *order, size_t position, size_t *len);

#endif
