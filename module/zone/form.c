/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/zone/form.h"

#include "module/base/number.h"

#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* --- numbers --- */

static bool is_number(const char *text, uint32_t max)
{
    uint32_t number;

    return xnm_number_read(text, strlen(text), max, &number);
}

bool xnm_zoneform_number8(const char *text)
{
    return is_number(text, UINT8_MAX);
}

bool xnm_zoneform_number16(const char *text)
{
    return is_number(text, UINT16_MAX);
}

bool xnm_zoneform_number32(const char *text)
{
    return is_number(text, UINT32_MAX);
}

bool xnm_zoneform_mnemonic8(const char *text)
{
    return is_letter(*text) || is_number(text, UINT8_MAX);
}

/* --- times --- */

/* Returns the seconds of a unit, or 0 if it is not a unit. */
static uint32_t unit_seconds(char unit)
{
    switch (unit | 0x20) {
    case 's':
        return 1;
    case 'm':
        return 60;
    case 'h':
        return 3600;
    case 'd':
        return 86400;
    case 'w':
        return 604800;
    default:
        return 0;
    }
}

bool xnm_zoneform_ttl(const char *text, size_t len, uint32_t *seconds)
{
    uint64_t sum = 0, number = 0;

    if (len == 0 || !is_digit(text[0]))
        return false;
    for (size_t i = 0; i < len; i++) {
        if (is_digit(text[i])) {
            number = 10 * number + (uint64_t)(text[i] - '0');
        } else {
            uint32_t unit = unit_seconds(text[i]);
            if (unit == 0 || !is_digit(text[i - 1]))
                return false;
            sum += number * unit;
            number = 0;
        }
        if (sum + number > INT32_MAX)
            return false;
    }
    *seconds = (uint32_t)(sum + number);
    return true;
}

bool xnm_zoneform_period(const char *text)
{
    uint32_t seconds;

    return xnm_zoneform_ttl(text, strlen(text), &seconds);
}

/* --- octets --- */

bool xnm_zoneform_hex(const char *text)
{
    size_t len = strlen(text);

    return len > 0 && len % 2 == 0;
}

/* --- SVCB and HTTPS --- */

enum { PORT = 3, IPV6HINT = 6 };

/* Returns the number of the key that a text begins with, and sets *len to the key's length. Only
 * the keys above are known by their words; UINT16_MAX: another one. */
static uint32_t key_of(const char *text, size_t *len)
{
    uint32_t number = UINT16_MAX;

    *len = strcspn(text, "=");
    if (*len == 4 && memcmp(text, "port", 4) == 0)
        return PORT;
    if (*len == 8 && memcmp(text, "ipv6hint", 8) == 0)
        return IPV6HINT;
    if (*len > 3 && memcmp(text, "key", 3) == 0)
        xnm_number_read(text + 3, *len - 3, UINT16_MAX, &number);
    return number;
}

/* Returns whether ldns reads a value as one: it ends a value without quotes at white space, even if
 * a quote is before that. */
static bool is_one_value(const char *value)
{
    if (*value == '"') /* ldns accepts nothing after the closing quote */
        return true;
    for (; *value != '\0' && *value != '"'; value++)
        value += *value == '\\' && value[1] != '\0';
    return *value == '\0';
}

static bool is_port(const char *port)
{
    char number[6];
    size_t len = strcspn(port, "\"");

    if (len >= sizeof number)
        return false;
    memcpy(number, port, len);
    number[len] = '\0';
    return xnm_zoneform_number16(number);
}

/* Returns whether no address of a list is longer than an address can be, "ffff:…:255.255.255.255",
 * and the list fits into a value. ldns writes beyond its buffers otherwise. */
static bool are_addresses(const char *list)
{
    enum { IPV6_TEXT_MAX = 45, COUNT_MAX = UINT16_MAX / 16 };
    size_t len, count = 0;

    do {
        len = strcspn(list, ",\"");
        if (len > IPV6_TEXT_MAX || ++count > COUNT_MAX)
            return false;
        list += len + 1;
    } while (list[-1] == ',');
    return true;
}

bool xnm_zoneform_svcparam(const char *text)
{
    size_t len;
    uint32_t key = key_of(text, &len);

    if (text[len] == '\0')
        return true;
    const char *value = text + len + 1;
    if (!is_one_value(value))
        return false;
    value += *value == '"';
    if (key == PORT)
        return is_port(value);
    return key != IPV6HINT || are_addresses(value);
}

/* The length of each key's value (RFC 9460, section 7; RFC 9461, section 5): at least `least` and a
 * multiple of `unit`; with unit 0 exactly `least`. */
static const struct {
    uint8_t least, unit;
} values[] = {
    {2, 2} /* mandatory */, {2, 1} /* alpn */, {0, 0} /* no-default-alpn */, {2, 0} /* port */,
    {4, 4} /* ipv4hint */,  {1, 1} /* ech */,  {16, 16} /* ipv6hint */,      {1, 1} /* dohpath */};

static bool is_value_len(uint32_t key, size_t len)
{
    if (key >= sizeof values / sizeof *values)
        return true;
    return values[key].unit == 0 ? len == values[key].least
                                 : len >= values[key].least && len % values[key].unit == 0;
}

bool xnm_zoneform_svcparams_wire(const uint8_t *octets, size_t len)
{
    int32_t last = -1;

    while (len > 0) {
        if (len < 4)
            return false;
        int32_t key = octets[0] << 8 | octets[1];
        size_t value = (size_t)(octets[2] << 8 | octets[3]);
        if (key <= last || value > len - 4 || !is_value_len((uint32_t)key, value))
            return false;
        last = key;
        octets += 4 + value;
        len -= 4 + value;
    }
    return true;
}
