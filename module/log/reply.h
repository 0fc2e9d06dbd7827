/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes one reply without Unbound's types: the host fills it in, the log line shows it. */
#ifndef XNM_MODULE_LOG_REPLY_H
#define XNM_MODULE_LOG_REPLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <time.h>

typedef enum {
    XNM_TRANSPORT_UDP,
    XNM_TRANSPORT_TCP,
    XNM_TRANSPORT_DOT,
    XNM_TRANSPORT_DOH,
    XNM_TRANSPORT_DOQ
} xnm_transport;

struct xn_name;
struct xnm_match;

enum { XNM_NO_RCODE = -1 };    /* a drop has none */
#define XNM_NO_TIME UINT64_MAX /* how long it took is not known */

/* Pointers are borrowed: the log line is written before the callback returns. */
struct xnm_reply {
    const struct sockaddr_storage
        *client;          /* IPv4 or IPv6; from the PROXY header if there was one */
    const uint8_t *qname; /* the query name as the client sent it, in wire format, its case kept */
    size_t qname_len;
    uint16_t qtype, qclass;
    const char *type_name, *class_name; /* mnemonics; NULL if there is none: TYPE65280, CLASS42 */
    int rcode;                          /* as on the wire, or XNM_NO_RCODE */
    const char *rcode_name;             /* or NULL: RCODE22 */
    uint64_t elapsed_us;                /* from the query's arrival to this reply; or XNM_NO_TIME */
    bool cached;                        /* from the message cache */
    bool observed; /* another program's: no rule changed it, and `cached` is not known */
    uint16_t id;   /* of the DNS message */
    xnm_transport transport;
    struct timespec when;             /* CLOCK_REALTIME */
    const struct xnm_match *match;    /* the rule that matched; NULL: none */
    const struct xn_name *match_name; /* … what xn_name_read made of match->name; or NULL */
};

#endif
