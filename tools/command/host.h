/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the host of a URL that is pasted for a name. */
#ifndef XN_TOOLS_COMMAND_HOST_H
#define XN_TOOLS_COMMAND_HOST_H

#include "tools/text/buffer.h"

#include <stdbool.h>

/* Why a text has no name in it. */
struct name_fault {
    const char *word; /* for JSON */
    const char *text; /* continues "the host …" or "the name …" */
};
extern const struct name_fault host_not_utf8;

struct host {
    const char *name; /* the host; the whole text if that is a name already */
    size_t len;
    bool within;                    /* the host is a part of the text */
    const struct name_fault *fault; /* why there is no host, or NULL; static storage */
    struct buffer decoded;          /* private */
};
void host_free(struct host *host);

/* Finds the host of a URL with "SCHEME://" in a text of any octets, as browsers do (URL Standard,
 * 4.4): after the last @ before the first of `/?#\` or a blank, and before a port. Octets written
 * as `%XX` are decoded. A backslash that begins `\u{` ends nothing, because the log shows
 * characters so. Any other text is a name itself. The result is valid until the next call, or as
 * long as the text if `within` is false. *host is all zeros at the first call. */
void host_find(const char *text, size_t len, struct host *host);

/* Adds the member "host" of a JSON object: null if the text is a name itself. */
void host_json(struct buffer *out, const struct host *host);

/* Adds "the host of TEXT" to a message; of a long text the beginning. */
void host_describe(struct buffer *out, const char *text, size_t len);

/* Adds a text as buffer_shown does; if it is longer than any name, the beginning and "…". */
void host_quote(struct buffer *out, const char *text, size_t len);

#endif
