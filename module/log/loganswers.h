/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the records of a reply's answer section, as log-answers says. Whatever they are, the
 * text is bounded, and has no character that the rest of a line may not have. Allocates nothing. */
#ifndef XNM_MODULE_LOG_LOGANSWERS_H
#define XNM_MODULE_LOG_LOGANSWERS_H

#include "core/idna/finding.h"
#include "core/names/display.h"
#include "module/log/logreply.h"

struct xn_unicode;
struct xnm_config;

enum {
    XNM_LOGANSWERS_FIELDS_MAX = 512,   /* octets of the fields in a text line */
    XNM_LOGANSWERS_RESOLVED_MAX = 512, /* octets of the list dns.resolved_ip */
    XNM_LOGANSWERS_RECORDS_MAX = 2048, /* octets of the list dns.answers */
    XNM_LOGANSWERS_DATA_MAX = 512,     /* octets of one record's data, before JSON escapes them */

    /* All that a line has of the answers: in text the fields and `,…+65535"`; in JSON both lists
     * with their keys, and the count. */
    XNM_LOGANSWERS_MAX = XNM_LOGANSWERS_RESOLVED_MAX + XNM_LOGANSWERS_RECORDS_MAX + 100,
    /* Room for one record more, which is written before its length is known: a name whose escapes
     * have doubled backslashes, and data of doubled backslashes alone. */
    XNM_LOGANSWERS_RECORD_MAX = 100 + XN_WIRE_TEXT_MAX * 5 / 4 + 2 * XNM_LOGANSWERS_DATA_MAX,
    XNM_LOGANSWERS_ROOM = XNM_LOGANSWERS_MAX + XNM_LOGANSWERS_RECORD_MAX
};

/* How names are written in Unicode (core/names/display.h). */
struct xnm_loganswers_names {
    const struct xn_unicode *unicode;
    xn_reasons ignored; /* display reasons that the configuration waives */
};

/* Writes the fields of a text line: " a=192.0.2.11,2001:db8::1" for addresses, and with
 * `log-answers: all` a field for each run of records of another type, " mx=10:mail.example.".
 * The first record that would make them longer than XNM_LOGANSWERS_FIELDS_MAX, and all after it,
 * are counted in its place: ",…+3". Data that does not have the form of its type, or a type whose
 * form is not known, is written as hexadecimal under "type65280=". Data over
 * XNM_LOGANSWERS_DATA_MAX octets does not fit. dst has room for XNM_LOGANSWERS_ROOM octets. No NUL
 * is written. Returns the octets of the fields; 0 if there are none, or more than `cap`.
 * reply->next_answer is not NULL. */
size_t xnm_loganswers_text(const struct xnm_config *config,
                           const struct xnm_loganswers_names *names, const struct xnm_reply *reply,
                           size_t cap, char *dst);

/* Writes the members of a JSON line, with a comma before each: dns.resolved_ip and
 * dns.answers_count, and with `log-answers: all` dns.answers. Both lists begin with the first
 * record, and have as many as fit. The rest is as in xnm_loganswers_text, but if all members are
 * too long for `cap`, the first two may be short enough. */
size_t xnm_loganswers_json(const struct xnm_config *config, const struct xnm_reply *reply,
                           size_t cap, char *dst);

#endif
