/* SPDX-License-Identifier: BSD-3-Clause */
/* Writers for log lines: each puts something at dst, where the caller has made room, and returns
 * the place behind it. By hand, because printf is what other query logs spend their time on. */
#ifndef XNM_MODULE_PUT_H
#define XNM_MODULE_PUT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

enum {
    XNM_PUT_NUMBER_MAX = 20,  /* octets of the longest number */
    XNM_PUT_ADDRESS_MAX = 50, /* of an address with its prefix length */
    XNM_PUT_TIME_LEN = sizeof "2026-11-20T21:56:03.000214Z" - 1
};

/* Here, so that the compiler copies literals by their length. */
static inline char *xnm_put(char *dst, const char *text)
{
    size_t len = strlen(text);

    memcpy(dst, text, len);
    return dst + len;
}

char *xnm_put_number(char *dst, uint64_t number);
char *xnm_put_padded(char *dst, uint64_t number, int width); /* its last `width` digits */

/* "A", or the generic form where there is no mnemonic: "TYPE65280" (RFC 3597, section 5). */
char *xnm_put_mnemonic(char *dst, const char *mnemonic, const char *generic, unsigned number);

/* RFC 3339, UTC, microseconds: XNM_PUT_TIME_LEN octets. */
char *xnm_put_time(char *dst, const struct timespec *when);

/* A client's address as log-client wants it: whole, or with zeros behind its /24 or /56; an
 * IPv4-mapped one (RFC 4291, section 2.5.5.2) as IPv4, any other IPv6 one as RFC 5952 says. Nothing
 * is put for what is no address. *prefix_len becomes 24 or 56. */
typedef enum { XNM_ADDRESS_WHOLE, XNM_ADDRESS_PREFIX } xnm_address_form;
char *xnm_put_address(char *dst, const struct sockaddr_storage *client, xnm_address_form form,
                      unsigned *prefix_len);

#endif
