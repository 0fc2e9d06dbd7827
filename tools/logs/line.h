/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads one line of a query log for `unbound-idn report`, in text or JSON. A line may hold any
 * octets: clients choose them. */
#ifndef XN_TOOLS_LOGS_LINE_H
#define XN_TOOLS_LOGS_LINE_H

#include "tools/logs/time.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Octets of the line, or of the text member of struct logs_line. Not owned, not ended by a NUL.
 */
struct logs_span {
    const char *at; /* NULL if there is no value */
    size_t len;
};

static inline struct logs_span logs_span_of(const char *word)
{
    return (struct logs_span){word, strlen(word)};
}

/* The longest line: the longest of the module (module/log/logline.h), and what another log puts
 * before it. */
enum { LOGS_LINE_MAX = 64 * 1024 };

/* A reply. Values of fields are without their quotes and escapes. */
struct logs_line {
    int64_t time;          /* seconds since 1970, or LOGS_NO_TIME */
    struct logs_span name; /* as the log has it, without a final dot (the root is "."); none for a
                                question that could not be read */
    struct logs_span client, type, class, rcode;       /* no value if the log has `-` */
    struct logs_span action, rule, match, key, target; /* no value if no rule matched */
    struct logs_span mode;                             /* "log-only", "observed": no change */
    struct logs_span tags;                             /* with commas between them */
    struct logs_span security, ede; /* what validation found; an extended error's info code */
    char cached;     /* '1': the answer came from a cache, '0': it did not; '-': not known */
    bool by_unbound; /* written by Unbound's own log-replies, which logs the size */
    size_t text_len; /* private: octets of text in use */
    char text[LOGS_LINE_MAX];
};

/* Reads a line without its line feed: the eight columns of log-replies followed by the fields of
 * unbound-module-idn(8), a JSON object, or what logs_query_read reads. Before either there may be
 * a time, or what Unbound's log, syslog, journalctl or a container put there. len is at most
 * LOGS_LINE_MAX. Returns false if it is no such line, or was visibly cut; *line is then
 * unspecified. */
bool logs_line_read(struct logs_clock *clock, const char *text, size_t len, struct logs_line *line);

/* Does the same for a line about a query in BIND's query log, or in that of dnsmasq with
 * log-queries. These lines have no response code. */
bool logs_query_read(struct logs_clock *clock, const char *text, size_t len,
                     struct logs_line *line);

/* Returns whether a span is this word. */
bool logs_is_word(struct logs_span span, const char *word);

/* Returns whether a word looks like a type, class or response code: A, TYPE65280, NSEC3PARAM,
 * CLASS254. */
bool logs_is_mnemonic(struct logs_span word);

/* Returns whether a word looks like an IPv4 or IPv6 address or prefix. Checks only its characters.
 */
bool logs_is_address(struct logs_span word);

/* --- for the readers of lines --- */

/* Makes it a line without any value. */
void logs_line_clear(struct logs_line *line);

/* Returns the octets up to the next blank or the end, and skips the blank. */
struct logs_span logs_next_word(const char **at, const char *end);

#endif
