/* SPDX-License-Identifier: BSD-3-Clause */
/* Names in wire format and clients for tests of log lines: from text, as long as they can be, and
 * at random. */
#ifndef XN_TESTS_UNIT_WIRENAMES_H
#define XN_TESTS_UNIT_WIRENAMES_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/punycode/punycode.h"
#include "core/text/utf8char.h"
#include "core/wire/wire.h"

static inline struct sockaddr_storage client_of(const char *text)
{
    struct sockaddr_storage client = {.ss_family = AF_INET};

    if (inet_pton(AF_INET, text, &((struct sockaddr_in *)(void *)&client)->sin_addr) == 1)
        return client;
    client.ss_family = AF_INET6;
    if (inet_pton(AF_INET6, text, &((struct sockaddr_in6 *)(void *)&client)->sin6_addr) != 1)
        client.ss_family = AF_UNIX;
    return client;
}

/* "www.example" in wire format, whatever octets are in it. Returns its length. */
static inline size_t wire_of(const char *text, uint8_t *wire)
{
    size_t out = 0;

    while (*text) {
        size_t len = strcspn(text, ".");
        wire[out++] = (uint8_t)len;
        memcpy(wire + out, text, len);
        out += len;
        text += len + (text[len] == '.');
    }
    wire[out++] = 0;
    return out;
}

/* Writes "xn--" and the Punycode of the code points. Returns 0 if it is longer than room. */
static inline size_t put_a_label(const uint32_t *cps, size_t count, uint8_t *dst, size_t room)
{
    size_t len;

    memcpy(dst, "xn--", 4);
    return xn_punycode_encode(cps, count, dst + 4, room - 4, &len) == XN_OK ? len + 4 : 0;
}

/* --- as long as they can be --- */

struct longest {
    const char *name;
    uint32_t cp;       /* of each label as many as there is room for; or one of these: */
    size_t label_len;  /* of each label, or less */
    const char *label; /* AS_IT_IS: the label, cut where there is no more room */
};
#define AS_IT_IS UINT32_MAX
#define ESCAPED (UINT32_MAX - 1)      /* octets FF */
#define EACH_SCRIPT (UINT32_MAX - 2)  /* a letter each, every label of another script */
#define MIXED_SCRIPT (UINT32_MAX - 3) /* as above, all in one label */

/* Rows of raw UTF-8. */
#define RAW_LONGESTS                                                                               \
    {"84 labels of a raw letter", AS_IT_IS, 2, "\xC3\xBC"},                                        \
        {"84 labels of a raw control", AS_IT_IS, 2, "\xC2\x80"},                                   \
        {"84 labels of raw digits", AS_IT_IS, 2, "\xD9\xA1"},                                      \
        {"63 labels of a raw ideograph", AS_IT_IS, 3, "\xE4\xB8\x80"},                             \
        {"50 labels of a raw emoji", AS_IT_IS, 4, "\xF0\x9F\x98\x80"},                             \
        {"labels of a raw letter and a control", AS_IT_IS, 3, "\x01\xC3\xBC"},                     \
        {"short labels of a raw mark, hyphens and directions", AS_IT_IS, 7, "-\xCC\x80\xD7\x90-"}, \
    {                                                                                              \
        "four labels of a raw letter and escapes", AS_IT_IS, 63,                                   \
            "\xC3\xBC" RAW_ESCAPES RAW_ESCAPES RAW_ESCAPES RAW_ESCAPES "\x01"                      \
    }
#define RAW_ESCAPES "\"\\\x01\"\\\x01\"\\\x01\"\\\x01\"\\\x01"

/* A letter of each. */
static const uint32_t letters_of_scripts[] = {
    0xE4,   0x3B1,  0x430,  0x561,  0x5D0,  0x627,  0x710,  0x780,  0x7CA,  0x905,  0x985,
    0xA05,  0xA85,  0xB05,  0xB85,  0xC05,  0xC85,  0xD05,  0xD85,  0xE01,  0xE81,  0xF40,
    0x1000, 0x10D0, 0x1100, 0x1200, 0x13A0, 0x1401, 0x1681, 0x16A0, 0x1780, 0x1820, 0x2D30,
    0x3041, 0x30A1, 0x3105, 0x4E00, 0xA000, 0xAC00, 0x2C00, 0x1900, 0x1950, 0x1980, 0x1A00};
enum { SCRIPT_COUNT = sizeof letters_of_scripts / sizeof *letters_of_scripts };

/* Writes label `number` of the row. Returns its length; 0: there is no room. */
static inline size_t put_longest_label(const struct longest *row, size_t number, size_t room,
                                       uint8_t *dst)
{
    uint32_t cps[XN_ULABEL_MAX];
    size_t count = 0;

    if (row->label_len < room)
        room = row->label_len;
    if (row->cp == AS_IT_IS || row->cp == ESCAPED) {
        if (row->cp == AS_IT_IS)
            memcpy(dst, row->label, room);
        else
            memset(dst, 0xFF, room);
        return room;
    }
    if (room < 4)
        return 0;
    if (row->cp == EACH_SCRIPT)
        return put_a_label(&letters_of_scripts[number % SCRIPT_COUNT], 1, dst, room);
    while (row->cp && count < XN_ULABEL_MAX) {
        size_t script = (number * 11 + count) % SCRIPT_COUNT;
        cps[count++] = row->cp == MIXED_SCRIPT ? letters_of_scripts[script] : row->cp;
        if (put_a_label(cps, count, dst, room) == 0 && count-- > 0)
            break;
    }
    return put_a_label(cps, count, dst, room);
}

/* Returns the length of the name. */
static inline size_t put_longest(const struct longest *row, uint8_t *wire)
{
    size_t len = 0, added;

    for (size_t number = 0; XN_WIRE_NAME_MAX - 1 - len > 1; number++) {
        size_t room = XN_WIRE_NAME_MAX - 2 - len;
        added = put_longest_label(row, number, room, wire + len + 1);
        if (added == 0)
            break;
        wire[len] = (uint8_t)added;
        len += added + 1;
    }
    wire[len++] = 0;
    return len;
}

/* --- at random --- */

static inline uint32_t below(uint64_t *seed, uint32_t bound) /* xorshift64* */
{
    *seed ^= *seed >> 12;
    *seed ^= *seed << 25;
    *seed ^= *seed >> 27;
    return (uint32_t)(*seed * 0x2545F4914F6CDD1D >> 32) % bound;
}

/* Where the awkward characters are; half of all code points are taken from there. */
static inline uint32_t random_code_point(uint64_t *seed)
{
    static const uint32_t blocks[] = {
        0x61,   0x80,   0x300,  0x340,  0x430,   0x5D0,   0x600,   0x640,   0x900,   0x1160,
        0x17B0, 0x1800, 0x2000, 0x2028, 0x2060,  0x2800,  0x3000,  0x3040,  0x3160,  0x4E00,
        0xFE00, 0xFEFF, 0xFFA0, 0xFFF0, 0x1D150, 0x1D170, 0x1F1E6, 0x1F600, 0xE0000, 0xE0100};
    const uint32_t count = sizeof blocks / sizeof *blocks;
    uint32_t cp =
        below(seed, 2) ? blocks[below(seed, count)] + below(seed, 16) : below(seed, 0x110000);

    return cp >= 0xD800 && cp <= 0xDFFF ? 'a' : cp;
}

/* Octets, letters, an A-label, one with an octet changed, or "xn--" and letters. Returns its
 * length. */
static inline size_t random_label(uint64_t *seed, uint8_t *dst, size_t room)
{
    uint32_t kind = below(seed, 5), cps[12];
    size_t most = room < 12 || !below(seed, 8) ? room : 12;
    size_t len = 1 + below(seed, (uint32_t)most);

    for (size_t i = 0; i < len; i++)
        dst[i] = kind == 0 ? (uint8_t)below(seed, 256)
                           : (uint8_t) "abcdefghijklmnopqrstuvwxyz0123456789-X"[below(seed, 38)];
    if (kind == 4 && len > 4)
        memcpy(dst, "xn--", 4);
    if ((kind != 2 && kind != 3) || room < 5)
        return len;
    size_t count = 1 + below(seed, sizeof cps / sizeof *cps);
    for (size_t i = 0; i < count; i++)
        cps[i] = i > 0 && below(seed, 2) ? cps[i - 1] + below(seed, 2) : random_code_point(seed);
    size_t a_len = put_a_label(cps, count, dst, room);
    if (a_len > 0 && kind == 3)
        dst[below(seed, (uint32_t)a_len)] = (uint8_t)below(seed, 256);
    return a_len > 0 ? a_len : len;
}

/* Returns the length of the name. */
static inline size_t random_name(uint64_t *seed, uint8_t *wire)
{
    size_t len = 0;

    while (len < 250 && below(seed, 6)) {
        size_t room = XN_WIRE_NAME_MAX - 2 - len;
        wire[len] = (uint8_t)random_label(seed, wire + len + 1, room > 63 ? 63 : room);
        len += (size_t)wire[len] + 1;
    }
    wire[len++] = 0;
    return len;
}

/* Raw UTF-8, with any octet of ASCII, and now and then an octet that is not UTF-8. */
static inline size_t random_raw_label(uint64_t *seed, uint8_t *dst, size_t room)
{
    size_t most = room < 12 || !below(seed, 8) ? room : 12, len = 0;

    while (len < 1 + below(seed, (uint32_t)most)) {
        uint8_t text[XN_UTF8_MAX] = {(uint8_t)below(seed, below(seed, 9) ? 128 : 256)};
        size_t octets = below(seed, 4) ? xn_utf8_put(random_code_point(seed), text) : 1;
        if (len + octets > room)
            break;
        memcpy(dst + len, text, octets);
        len += octets;
    }
    if (len == 0)
        dst[len++] = 'a';
    return len;
}

/* The same, with labels of raw UTF-8 among the others. */
static inline size_t random_raw_name(uint64_t *seed, uint8_t *wire)
{
    size_t len = 0;

    while (len < 250 && below(seed, 6)) {
        size_t room = XN_WIRE_NAME_MAX - 2 - len;
        room = room > 63 ? 63 : room;
        wire[len] = (uint8_t)(below(seed, 3) ? random_raw_label(seed, wire + len + 1, room)
                                             : random_label(seed, wire + len + 1, room));
        len += (size_t)wire[len] + 1;
    }
    wire[len++] = 0;
    return len;
}

#endif
