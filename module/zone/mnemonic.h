/* SPDX-License-Identifier: BSD-3-Clause */
/* Mnemonics of types, classes and rcodes, for the log of a host that has numbers. */
#ifndef XNM_MODULE_ZONE_MNEMONIC_H
#define XNM_MODULE_ZONE_MNEMONIC_H

#include <stdint.h>

/* Return the mnemonic: "AAAA", "IN", "NXDOMAIN". Static storage. NULL: there is none. */
const char *xnm_mnemonic_type(uint16_t type);
const char *xnm_mnemonic_class(uint16_t rclass);
const char *xnm_mnemonic_rcode(int rcode);

#endif
