/* SPDX-License-Identifier: BSD-3-Clause */
/* Fast writers for log lines. Each writes at dst, which must be long enough, and returns the
 * position after its output. They do not use printf, which takes most of the time of other query
 * logs.
 */
#ifndef XNM_MODULE_BASE_FORMAT_H
#define XNM_MODULE_BASE_FORMAT_H

#include "module/base/address.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

enum {
    XNM_FORMAT_NUMBER_MAX = 20,  /* octets of the longest number */
    XNM_FORMAT_ADDRESS_MAX = 50, /* octets of an address with its prefix length */
    XNM_FORMAT_TIME_LEN = sizeof "2026-11-20T21:56:03.000214Z" - 1
};

/* Inline, so that the compiler copies string literals with a known length. */
static inline char *xnm_format(char *dst, const char *text)
{
    size_t len = strlen(text);

    memcpy(dst, text, len);
    return dst + len;
}

/* Does the same for a short word, where calling memcpy costs more than copying the octets. */
static inline char *xnm_format_word(char *dst, const char *word)
{
    while (*word)
        *dst++ = *word++;
    return dst;
}

/* The pairs of digits from 00 to 99, without separators. */
extern const char xnm_format_pairs[2 * 100 + 1];

static inline char *xnm_format_pair(char *dst, unsigned number)
{
    memcpy(dst, xnm_format_pairs + (size_t)2 * number, 2);
    return dst + 2;
}

char *xnm_format_number(char *dst, uint64_t number);

/* Writes two hexadecimal digits for each octet, in lower case. */
char *xnm_format_octets(char *dst, const uint8_t *data, size_t len);

/* Writes a number below 1,000,000 with six digits. */
static inline char *xnm_format_six(char *dst, unsigned number)
{
    dst = xnm_format_pair(dst, number / 10000);
    return xnm_format_pair(xnm_format_pair(dst, number / 100 % 100), number % 100);
}

/* Writes the mnemonic, such as "A", or, if that is NULL, the generic form: "TYPE65280" (RFC 3597,
 * section 5). */
static inline char *xnm_format_mnemonic(char *dst, const char *mnemonic, const char *generic,
                                        unsigned number)
{
    return mnemonic ? xnm_format_word(dst, mnemonic)
                    : xnm_format_number(xnm_format(dst, generic), number);
}

/* Writes a class or rcode. IN and NOERROR, which nearly all replies have, are copied as
 * literals. */
static inline char *xnm_format_class(char *dst, const char *mnemonic, unsigned number)
{
    return mnemonic && number == 1 ? xnm_format(dst, "IN")
                                   : xnm_format_mnemonic(dst, mnemonic, "CLASS", number);
}

static inline char *xnm_format_rcode(char *dst, const char *mnemonic, unsigned number)
{
    return mnemonic && number == 0 ? xnm_format(dst, "NOERROR")
                                   : xnm_format_mnemonic(dst, mnemonic, "RCODE", number);
}

/* Writes a time in the form of RFC 3339, in UTC with microseconds: XNM_FORMAT_TIME_LEN octets. */
char *xnm_format_time(char *dst, const struct timespec *when);

/* Writes an address of 4 or 16 octets; one of IPv6 in the form of RFC 5952, at most 40 octets. */
char *xnm_format_ipv4(char *dst, const uint8_t address[4]);
char *xnm_format_ipv6(char *dst, const uint8_t address[16]);

/* Returns how many bits `log-client: prefix` shows of an address of 4 or 16 octets. */
static inline uint8_t xnm_format_prefix_len(size_t len)
{
    return len == 4 ? 24 : 56;
}

/* Writes a client's address. */
static inline char *xnm_format_client(char *dst, const struct xnm_client *client)
{
    return client->len == 4 ? xnm_format_ipv4(dst, client->octets)
                            : xnm_format_ipv6(dst, client->octets);
}

#endif
