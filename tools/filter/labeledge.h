/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds where a label begins and ends in text of unknown format: a log, JSON, a zone file, a URL.
 *
 * If a label ends in one format and goes on in another, it goes on, and the A-label is left as it
 * is. JSON alone overrides the presentation format of the DNS: `\"` and `\n` end a label, although
 * a DNS program may mean an octet of the label. */
#ifndef XN_TOOLS_FILTER_LABELEDGE_H
#define XN_TOOLS_FILTER_LABELEDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct xn_unicode;

/* The numbers of octets before and after a label that are looked at. */
enum { LABELEDGE_BEFORE = 48, LABELEDGE_AFTER = 12 };

/* Returns whether a label may begin at text[at]. The text has at least LABELEDGE_BEFORE octets of
 * the stream before that, or all of them. */
bool labeledge_begins(const struct xn_unicode *unicode, const uint8_t *text, size_t at);

typedef enum { LABELEDGE_ENDS, LABELEDGE_GOES_ON, LABELEDGE_UNDECIDED } labeledge_ending;

/* Returns whether a label ends before text[at]. `last` means that nothing follows the text;
 * otherwise the answer may be LABELEDGE_UNDECIDED, until more octets come. A line feed always
 * decides. */
labeledge_ending labeledge_ends(const struct xn_unicode *unicode, const uint8_t *text, size_t at,
                                size_t len, bool last);

#endif
