/* SPDX-License-Identifier: BSD-3-Clause */
/* No Debian package has dnstap.proto where a build finds it, and protobuf-c would allocate for each
 * frame: these are the wire types of protobuf, and the numbers of eleven fields. */
#include "tools/tap/dnstap.h"

#include <string.h>

enum { VARINT = 0, FIXED64 = 1, OCTETS = 2, FIXED32 = 5 }; /* wire types; there are no groups */

struct field {
    uint64_t number;
    unsigned type;
    uint64_t value;           /* of a number */
    struct tap_octets octets; /* if type is OCTETS */
};

struct walk {
    const uint8_t *at, *end;
    bool is_malformed;
};

static bool take_varint(struct walk *walk, uint64_t *value)
{
    *value = 0;
    for (unsigned shift = 0; shift < 64 && walk->at < walk->end; shift += 7) {
        uint8_t octet = *walk->at++;
        if (shift == 63 && octet > 1)
            return false;
        *value |= (uint64_t)(octet & 0x7F) << shift;
        if (octet < 0x80)
            return true;
    }
    return false;
}

/* Little-endian. */
static bool take_fixed(struct walk *walk, unsigned octets, uint64_t *value)
{
    if ((size_t)(walk->end - walk->at) < octets)
        return false;
    *value = 0;
    for (unsigned i = 0; i < octets; i++)
        *value |= (uint64_t)*walk->at++ << 8 * i;
    return true;
}

static bool take_octets(struct walk *walk, struct tap_octets *octets)
{
    uint64_t len;

    if (!take_varint(walk, &len) || len > (uint64_t)(walk->end - walk->at))
        return false;
    *octets = (struct tap_octets){walk->at, (size_t)len};
    walk->at += len;
    return true;
}

static bool take_value(struct walk *walk, struct field *field)
{
    switch (field->type) {
    case VARINT:
        return take_varint(walk, &field->value);
    case FIXED64:
        return take_fixed(walk, 8, &field->value);
    case OCTETS:
        return take_octets(walk, &field->octets);
    case FIXED32:
        return take_fixed(walk, 4, &field->value);
    default:
        return false;
    }
}

/* Returns false at the end, and, with walk->is_malformed, if a field is malformed. */
static bool next_field(struct walk *walk, struct field *field)
{
    uint64_t key;

    if (walk->at == walk->end)
        return false;
    walk->is_malformed = true;
    if (!take_varint(walk, &key))
        return false;
    field->number = key >> 3;
    field->type = key & 7;
    walk->is_malformed = field->number == 0 || !take_value(walk, field);
    return !walk->is_malformed;
}

/* --- the two messages --- */

/* The fields of Message in dnstap.proto. */
static const struct {
    uint64_t number;
    unsigned type;
    size_t at;
} wanted[] = {
    {1, VARINT, offsetof(struct tap_message, type)},
    {3, VARINT, offsetof(struct tap_message, protocol)},
    {4, OCTETS, offsetof(struct tap_message, address)},
    {6, VARINT, offsetof(struct tap_message, port)},
    {8, VARINT, offsetof(struct tap_message, asked.seconds)},
    {9, FIXED32, offsetof(struct tap_message, asked.nanoseconds)},
    {10, OCTETS, offsetof(struct tap_message, query)},
    {12, VARINT, offsetof(struct tap_message, answered.seconds)},
    {13, FIXED32, offsetof(struct tap_message, answered.nanoseconds)},
    {14, OCTETS, offsetof(struct tap_message, response)},
};

/* A field of another wire type than dnstap.proto's is skipped, like an unknown one. */
static void keep(const struct field *field, struct tap_message *message)
{
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        uint8_t *to = (uint8_t *)message + wanted[i].at;

        if (wanted[i].number != field->number || wanted[i].type != field->type)
            continue;
        if (field->type == OCTETS)
            memcpy(to, &field->octets, sizeof field->octets);
        else
            memcpy(to, &field->value, sizeof field->value);
        return;
    }
}

static bool read_message(struct tap_octets octets, struct tap_message *message)
{
    struct walk walk = {.at = octets.at, .end = octets.at + octets.len};
    struct field field;

    while (next_field(&walk, &field))
        keep(&field, message);
    return !walk.is_malformed;
}

bool tap_dnstap_read(const uint8_t *frame, size_t len, struct tap_message *message)
{
    enum { MESSAGE = 14 };
    struct walk walk = {.at = frame, .end = frame + len};
    struct field field;

    *message =
        (struct tap_message){.asked.seconds = TAP_NO_SECONDS, .answered.seconds = TAP_NO_SECONDS};
    while (next_field(&walk, &field)) {
        if (field.number == MESSAGE && field.type == OCTETS && !read_message(field.octets, message))
            return false;
    }
    return !walk.is_malformed;
}
