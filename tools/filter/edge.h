/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a label begins and ends in text of which nothing is known: a log, JSON, a zone file, a URL.
 *
 * Where one reading of the text has a label go on and another has it end, it goes on, so that the
 * A-label stays as it is. JSON alone wins against DNS presentation: `\"` and `\n` end a label,
 * though a DNS program may mean an octet of it. */
#ifndef XN_TOOLS_FILTER_EDGE_H
#define XN_TOOLS_FILTER_EDGE_H

#include "core/idna/unicode.h"

/* Octets before a label, and behind it, that are looked at. */
enum { LABELEDGE_BEFORE = 48, LABELEDGE_AFTER = 12 };

/* Can a label begin at text[at]? Before it stand LABELEDGE_BEFORE octets of the stream, or all. */
bool labeledge_begins(const struct xn_unicode *unicode, const uint8_t *text, size_t at);

/* May it be the last octet of an escape (or of a part of one) that no name has, so that letters and
 * digits behind it belong to the escape? Without one, no label begins behind an octet of a name. */
bool labeledge_is_in_escape(uint8_t octet);

typedef enum { LABELEDGE_ENDS, LABELEDGE_GOES_ON, LABELEDGE_UNDECIDED } labeledge_ending;

/* Does a label end before text[at]? `last`: nothing follows the text. Without it, the answer may
 * depend on octets that are still to come; a line feed always decides. */
labeledge_ending labeledge_ends(const struct xn_unicode *unicode, const uint8_t *text, size_t at,
                                size_t len, bool last);

#endif
