/* SPDX-License-Identifier: BSD-3-Clause */
/* Says which version of libxn this is. The numbers are those of Semantic Versioning. */
#ifndef XN_CORE_TEXT_VERSION_H
#define XN_CORE_TEXT_VERSION_H

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the headers: as text, and as 0xMMmmpp (1.2.3 is 0x010203), for #if. */
#define XN_VERSION "1.0.0"
#define XN_VERSION_NUMBER 0x010000

/* Returns the version of the library that the program runs with, which may be later than
 * XN_VERSION. Static storage. */
const char *xn_version(void);

#ifdef __cplusplus
}
#endif

#endif
