/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a frame's content: the fields of dnstap's protobuf messages that a log line needs. They are
 * not trusted. Nothing is copied or allocated. */
#ifndef XN_TOOLS_TAP_DNSTAP_H
#define XN_TOOLS_TAP_DNSTAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Types of messages (dnstap.proto, Message.Type). */
enum { TAP_AUTH_QUERY = 1, TAP_AUTH_RESPONSE = 2, TAP_CLIENT_QUERY = 5, TAP_CLIENT_RESPONSE = 6 };

/* Types of transport (Message.SocketProtocol). */
enum { TAP_UDP = 1, TAP_TCP, TAP_DOT, TAP_DOH, TAP_DNSCRYPT_UDP, TAP_DNSCRYPT_TCP, TAP_DOQ };

struct tap_octets {
    const uint8_t *at; /* NULL: the field is missing */
    size_t len;
};

#define TAP_NO_SECONDS UINT64_MAX

struct tap_time {
    uint64_t seconds; /* since 1970; TAP_NO_SECONDS: the field is missing */
    uint64_t nanoseconds;
};

/* The fields of a message. Other missing fields are 0. Octets are borrowed from the frame. */
struct tap_message {
    uint64_t type, protocol, port; /* port of the client */
    struct tap_octets address;     /* of the client */
    struct tap_octets query, response;
    struct tap_time asked, answered;
};

/* Reads a frame. Returns false if it is malformed. A frame without a message has type 0. If a field
 * occurs twice, the last one counts, as in protobuf. */
bool tap_dnstap_read(const uint8_t *frame, size_t len, struct tap_message *message);

#endif
