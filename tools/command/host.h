/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the host in what people paste for a name: a URL, a mail address, or a host with its port.
 */
#ifndef XN_TOOLS_COMMAND_HOST_H
#define XN_TOOLS_COMMAND_HOST_H

#include "tools/text/buffer.h"

#include <stdbool.h>

/* Why a text has no name in it. */
struct name_fault {
    const char *word; /* for JSON */
    const char *text; /* continues "the host …" or "the name …" */
};
extern const struct name_fault name_not_utf8;

struct host {
    const char *name; /* the host; the whole text if that is a name already */
    size_t len;
    bool within;                    /* the host is a part of the text */
    const struct name_fault *fault; /* why there is no host, or NULL; static storage */
    struct buffer decoded;          /* private */
};
void host_free(struct host *host);

/* Finds the host in a text of any octets:
 * - of a URL with "SCHEME://", as browsers do (URL Standard, 4.4): after the last @ before the
 * first of `/?#\` or a blank, and before a port. Octets written as `%XX` are decoded. A backslash
 * that begins `\u{` ends nothing, because the log shows characters so.
 * - of USER@HOST and what may stand around it: "mailto:", ":PORT" or ":PATH", "?subject=", <>.
 * - of HOST:PORT, with or without a path.
 * Any other text is a name itself: also one with a slash, since names may have one (RFC 2317), and
 * one whose @ or colon has a backslash before it. The result is valid until the next call, or as
 * long as the text if `within` is false. *host is all zeros at the first call. */
void host_find(const char *text, size_t len, struct host *host);

/* Writes `\` before each @ and colon of a name, so that host_find takes all of it for a name. */
void host_escape(struct buffer *name);

/* Adds the member "host" of a JSON object: null if the text is a name itself. */
void host_json(struct buffer *out, const struct host *host);

/* Adds "the host of TEXT" to a message; of a long text the beginning. */
void host_describe(struct buffer *out, const char *text, size_t len);

/* Adds a text as buffer_shown does; if it is longer than any name, the beginning and "…". */
void host_quote(struct buffer *out, const char *text, size_t len);

#endif
