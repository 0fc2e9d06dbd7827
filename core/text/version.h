/* SPDX-License-Identifier: BSD-3-Clause */
/* The version of libxn, by Semantic Versioning 2.0.0. */
#ifndef XN_CORE_TEXT_VERSION_H
#define XN_CORE_TEXT_VERSION_H

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the headers: as text, and as 0xMMmmpp (1.2.3 is 0x010203), for #if. */
#define XN_VERSION "1.0.0"
#define XN_VERSION_NUMBER 0x010000

/* Returns the version of the library that is loaded, such as "1.0.0". It may be later than
 * XN_VERSION. The string is in static storage. */
const char *xn_version(void);

#ifdef __cplusplus
}
#endif

#endif
