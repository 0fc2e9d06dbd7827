/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the records of a reply's answer section, as log-answers asks. Whoever made them, the text
 * is bounded, and has no character that the rest of a line may not have. Allocates nothing. */
#ifndef XNM_MODULE_LOG_ANSWERS_H
#define XNM_MODULE_LOG_ANSWERS_H

#include "core/idna/finding.h"
#include "core/names/display.h"
#include "module/log/reply.h"

struct xn_unicode;
struct xnm_config;

enum {
    XNM_ANSWERS_FIELDS_MAX = 512,   /* octets of the fields in a text line */
    XNM_ANSWERS_RESOLVED_MAX = 512, /* octets of the list dns.resolved_ip */
    XNM_ANSWERS_RECORDS_MAX = 2048, /* octets of the list dns.answers */
    XNM_ANSWERS_DATA_MAX = 512,     /* octets of one record's data, before JSON escapes them */

    /* All that a line says of the answers: in text the fields and `,…+65535"`; in JSON both lists
       with their keys, and the count. */
    XNM_ANSWERS_MAX = XNM_ANSWERS_RESOLVED_MAX + XNM_ANSWERS_RECORDS_MAX + 100,
    /* Room for one record more, which is written before its length is known: a name whose escapes
       have doubled backslashes, and data of doubled backslashes alone. */
    XNM_ANSWERS_RECORD_MAX = 100 + XN_WIRE_TEXT_MAX * 5 / 4 + 2 * XNM_ANSWERS_DATA_MAX,
    XNM_ANSWERS_ROOM = XNM_ANSWERS_MAX + XNM_ANSWERS_RECORD_MAX
};

/* How names are shown: as core/names/display.h does, or as A-labels. */
struct xnm_answers_names {
    const struct xn_unicode *unicode;
    xn_reasons ignored; /* display reasons that the configuration waives */
};

/* Writes the fields of a text line: " a=192.0.2.11,2001:db8::1" for addresses, and with
 * `log-answers: all` a field for each run of records of another type, " mx=10:mail.example.".
 * The first record that would make them longer than XNM_ANSWERS_FIELDS_MAX, and all after it, are
 * counted in its place: ",…+3". Data that does not have the form of its type, or a type whose form
 * is not known, is written as hexadecimal under "type65280=". Data over XNM_ANSWERS_DATA_MAX octets
 * has no room. dst has room for XNM_ANSWERS_ROOM octets. No NUL is written. Returns the octets of
 * the fields; 0 if there are none, or more than `cap`. reply->next_answer is not NULL. */
size_t xnm_answers_text(const struct xnm_config *config, const struct xnm_answers_names *names,
                        const struct xnm_reply *reply, size_t cap, char *dst);

/* Writes the members of a JSON line, with a comma before each: dns.resolved_ip and
 * dns.answers_count, and with `log-answers: all` dns.answers. Both lists begin with the first
 * record, and have as many as fit. The rest is as in xnm_answers_text, but if all members are too
 * long for `cap`, the first two may be short enough. */
size_t xnm_answers_json(const struct xnm_config *config, const struct xnm_reply *reply, size_t cap,
                        char *dst);

#endif
