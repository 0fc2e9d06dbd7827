/* SPDX-License-Identifier: BSD-3-Clause */
/* One request for one URL, in bounded time and memory. The only user of libcurl. */
#ifndef XN_TOOLS_FETCH_TRANSFER_H
#define XN_TOOLS_FETCH_TRANSFER_H

#include "tools/text/buffer.h"

#include <stdatomic.h>
#include <stdbool.h>

struct transfer_options {
    size_t size_max;         /* octets of an answer's body, as it comes and decompressed */
    unsigned seconds;        /* for all of it: name, connection, redirects, body */
    const char *ca_file;     /* PEM; NULL: the system's */
    bool allows_http;        /* http: URLs, and redirects from one to another */
    const atomic_bool *stop; /* a signal sets it, and transfers end within a second */
};

enum { TRANSFER_FIELD_MAX = 512 /* octets of a header field, with a NUL */ };

/* The validators of an answer (RFC 9110, section 8.8); "": it has none. */
struct transfer_version {
    char etag[TRANSFER_FIELD_MAX], modified[TRANSFER_FIELD_MAX];
};

struct transfer_answer {
    bool is_unchanged; /* 304, and there is no body */
    struct buffer body;
    struct transfer_version version;
    char trouble[512]; /* why there is no answer: safe on a terminal */
};

/* libcurl's global state: once for a process. False: it cannot be had. */
bool transfer_open(void);
void transfer_close(void);

/* Asks for a URL. Servers must show a certificate of the CA for their name, over TLS 1.2 or later;
 * at most five redirects are followed, from https: to https: alone. With `known` not NULL, asks for
 * what is no longer that version. False: there is no answer but 200 or, if something was known,
 * 304; *answer then has `trouble`. The caller frees the body in each case. */
bool transfer_get(const struct transfer_options *options, const char *url,
                  const struct transfer_version *known, struct transfer_answer *answer);

#endif
