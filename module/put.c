/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/put.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <string.h>

char *xnm_put(char *dst, const char *text)
{
    size_t len = strlen(text);

    memcpy(dst, text, len);
    return dst + len;
}

char *xnm_put_number(char *dst, uint64_t number)
{
    char digits[XNM_PUT_NUMBER_MAX];
    size_t len = 0;

    do
        digits[len++] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    while (len > 0)
        *dst++ = digits[--len];
    return dst;
}

char *xnm_put_padded(char *dst, uint64_t number, int width)
{
    for (int i = width - 1; i >= 0; i--, number /= 10)
        dst[i] = (char)('0' + number % 10);
    return dst + width;
}

char *xnm_put_mnemonic(char *dst, const char *mnemonic, const char *generic, unsigned number)
{
    return mnemonic ? xnm_put(dst, mnemonic) : xnm_put_number(xnm_put(dst, generic), number);
}

char *xnm_put_time(char *dst, const struct timespec *when)
{
    struct tm utc;

    gmtime_r(&when->tv_sec, &utc);
    dst = xnm_put_padded(dst, (uint64_t)utc.tm_year + 1900, 4);
    *dst++ = '-';
    dst = xnm_put_padded(dst, (uint64_t)utc.tm_mon + 1, 2);
    *dst++ = '-';
    dst = xnm_put_padded(dst, (uint64_t)utc.tm_mday, 2);
    *dst++ = 'T';
    dst = xnm_put_padded(dst, (uint64_t)utc.tm_hour, 2);
    *dst++ = ':';
    dst = xnm_put_padded(dst, (uint64_t)utc.tm_min, 2);
    *dst++ = ':';
    dst = xnm_put_padded(dst, (uint64_t)utc.tm_sec, 2);
    *dst++ = '.';
    dst = xnm_put_padded(dst, (uint64_t)when->tv_nsec / 1000, 6);
    *dst++ = 'Z';
    return dst;
}

/* The address's octets, of which dst has room for 16. Returns their number: 4, 16, or 0 for what is
 * no address. */
static size_t read_address(const struct sockaddr_storage *client, uint8_t *dst)
{
    static const uint8_t mapped[12] = {[10] = 0xFF, [11] = 0xFF};

    if (client->ss_family == AF_INET) {
        memcpy(dst, &((const struct sockaddr_in *)(const void *)client)->sin_addr, 4);
        return 4;
    }
    if (client->ss_family != AF_INET6)
        return 0;
    memcpy(dst, &((const struct sockaddr_in6 *)(const void *)client)->sin6_addr, 16);
    if (memcmp(dst, mapped, sizeof mapped) != 0)
        return 16;
    memmove(dst, dst + sizeof mapped, 4);
    return 4;
}

char *xnm_put_address(char *dst, const struct sockaddr_storage *client, xnm_address_form form,
                      unsigned *prefix_len)
{
    uint8_t address[16];
    size_t len = read_address(client, address);

    *prefix_len = len == 4 ? 24 : 56;
    if (len == 0)
        return dst;
    if (form == XNM_ADDRESS_PREFIX)
        memset(address + *prefix_len / 8, 0, len - *prefix_len / 8);
    if (!inet_ntop(len == 4 ? AF_INET : AF_INET6, address, dst, INET6_ADDRSTRLEN))
        return dst;
    return dst + strlen(dst);
}
