/* SPDX-License-Identifier: BSD-3-Clause */
/* One reply, without Unbound's types: the host fills it in, for the log and the metrics. */
#ifndef XNM_MODULE_LOG_LOGREPLY_H
#define XNM_MODULE_LOG_LOGREPLY_H

#include "module/base/address.h"

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

/* The bits of a header's flags (RFC 1035, section 4.1.1; RFC 4035, section 3.2). */
enum {
    XNM_FLAG_AA = 0x0400,
    XNM_FLAG_TC = 0x0200,
    XNM_FLAG_RD = 0x0100,
    XNM_FLAG_RA = 0x0080,
    XNM_FLAG_AD = 0x0020,
    XNM_FLAG_CD = 0x0010
};

/* The result of DNSSEC validation (RFC 4035, section 4.3). */
typedef enum {
    XNM_SECURITY_UNKNOWN, /* not validated, or not known */
    XNM_SECURITY_BOGUS,
    XNM_SECURITY_INDETERMINATE,
    XNM_SECURITY_INSECURE,
    XNM_SECURITY_SECURE
} xnm_security;

/* One record of an answer section. Its octets may be anything. Pointers are borrowed. */
struct xnm_answer {
    const uint8_t *owner; /* valid, in wire format, without pointers */
    size_t owner_len;
    uint16_t type, rclass;
    uint32_t ttl;
    /* RDATA is octets[at] to octets[end - 1]. A compressed name in it points to octets before. */
    const uint8_t *octets;
    size_t at, end;
};

/* A walk over the records of an answer section. All but the source and the time are 0 at first, and
 * private to the function that walks. */
struct xnm_answers {
    const void *source;
    time_t now; /* of the reply: cached records have the time when they expire */
    const void *set;
    size_t at, left;
    time_t adjustment;
};

/* Reads the next record, which is valid until the next call. *answer is the same at each call, and
 * unchanged between them. Returns false at the end. Signatures of other records are left out. */
typedef bool xnm_next_answer(struct xnm_answers *walk, struct xnm_answer *answer);

/* The extended error of a reply (RFC 8914). */
struct xnm_reply_error {
    bool is_there;
    uint16_t code;
    size_t text_len;
    const uint8_t *text; /* any octets */
};

enum { XNM_NO_RCODE = -1 };    /* a drop has none */
#define XNM_NO_TIME UINT64_MAX /* the time is not known */

/* Pointers are borrowed: the log line is written before the callback returns. */
struct xnm_reply {
    const struct sockaddr_storage
        *client;              /* IPv4 or IPv6; from the PROXY header if there was one */
    struct xnm_prefix subnet; /* the client that a forwarder at that address names: an address, or
                                 its network; its address.len is 0: none */
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
    const struct xn_name *match_name; /* the result of xn_name_read for match->name; or NULL */
    bool has_flags;                   /* false: a drop, or not known */
    bool dnssec_ok;                   /* the DO bit of its OPT record */
    uint16_t flags;                   /* of its header */
    xnm_security security;
    struct xnm_reply_error error;
    xnm_next_answer *next_answer; /* NULL: its records are not known */
    const void *answer_source;
};

/* Returns whether the flags are RD and RA alone, as in nearly all replies. */
static inline bool xnm_reply_has_usual_flags(const struct xnm_reply *reply)
{
    enum {
        USUAL = XNM_FLAG_RD | XNM_FLAG_RA,
        LOGGED = USUAL | XNM_FLAG_AA | XNM_FLAG_TC | XNM_FLAG_AD | XNM_FLAG_CD
    };

    return (reply->flags & LOGGED) == USUAL && !reply->dnssec_ok;
}

#endif
