/* SPDX-License-Identifier: BSD-3-Clause */
/* One line of a query log, as `unbound-idn report` understands it, in text or JSON. Whatever the
 * octets are: they are the work of whoever asked. */
#ifndef XN_TOOLS_REPORT_LINE_H
#define XN_TOOLS_REPORT_LINE_H

#include "tools/report/time.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Octets of the line or of the record that has it; not owned, not ended by a NUL. */
struct report_span {
    const char *at; /* NULL: there is none */
    size_t len;
};

/* Lines are at most so long: the module's own are (module/log/line.h), with what another log puts
 * before them. */
enum { REPORT_LINE_MAX = 64 * 1024 };

/* A reply. Values of fields are without their quotes and escapes. */
struct report_line {
    int64_t time;            /* seconds since 1970, or REPORT_NO_TIME */
    struct report_span name; /* as the log has it, without a final dot (the root is "."); none for a
                                question that could not be read */
    struct report_span client, type, rcode;              /* none where the log has `-` */
    struct report_span action, rule, match, key, target; /* none where no rule matched */
    struct report_span mode;                             /* "log-only": the rule changed nothing */
    bool by_unbound; /* a line of its own log-replies: it has a size */
    size_t text_len; /* private: what of text is taken */
    char text[REPORT_LINE_MAX];
};

/* Reads a line without its line feed: the eight columns of log-replies with the fields of
 * unbound-module-idn(8) behind them, or a JSON object, each behind a time or what Unbound's log,
 * syslog, journalctl or a container put before it. len is at most REPORT_LINE_MAX. False: it is no
 * such line, or is seen to be cut, and *line is unspecified. */
bool report_line_read(struct report_clock *clock, const char *text, size_t len,
                      struct report_line *line);

/* The same for an object alone. What has no time keeps line->time. */
bool report_json_read(struct report_clock *clock, const char *text, size_t len,
                      struct report_line *line);

/* Is it this word? */
bool report_is_word(struct report_span span, const char *word);

/* Is it a word that types and response codes are: A, TYPE65280, NSEC3PARAM, CLASS254? */
bool report_is_mnemonic(struct report_span word);

/* Is it an IPv4 or IPv6 address, or a prefix of one? Only its characters are looked at. */
bool report_is_address(struct report_span word);

#endif
