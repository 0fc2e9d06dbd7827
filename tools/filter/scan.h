/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds A-labels in any stream of octets and writes them as they may be shown, all else as it came.
 *
 * An A-label is a whole run of letters, digits, `-` and `_`, at most 63 octets, that begins with
 * "xn--" in any case. What stands beside it must end a label for every program whose text it could
 * be (tools/filter/edge.h). It is shown where the resolver's log would show it in Unicode without
 * an escape: neither invalid nor restricted, and without joiners. */
#ifndef XN_TOOLS_FILTER_SCAN_H
#define XN_TOOLS_FILTER_SCAN_H

#include "core/idna/unicode.h"

/* What is written for a label, of those seen last: logs name the same ones again and again, and to
 * look at one anew takes some 2,000 instructions. What has no room here is looked at anew: few
 * labels have not. 2 MB. */
enum { LABELSCAN_SEEN = 16384 };
struct labelscan_seen {
    uint8_t len, shown_len; /* shown_len 0: it stays as it is */
    uint8_t octets[126];    /* the label in lower case, and behind it what is written */
};

struct labelscan {
    const struct xn_unicode *unicode;
    struct labelscan_seen *seen; /* LABELSCAN_SEEN of them, the caller's, for this scan alone; zero
                                    at first */
    bool annotate;    /* write NAME[UNICODE], and else the Unicode in the label's place */
    bool json_escape; /* write `\u00fc` */
    void (*write)(void *to, const uint8_t *octets, size_t len);
    void *to; /* handed to write */
};

enum {
    /* Octets before a place that what is written from there on may depend on. */
    LABELSCAN_BEFORE = 320,
    /* Octets from a place on that always decide what is written for the first of them. */
    LABELSCAN_AFTER = 320
};

/* Writes what stands for text[from] and what follows, as far as it is decided. Before `from` stand
 * at least LABELSCAN_BEFORE octets of the stream that were decided earlier, or all of them. `last`:
 * the stream ends with this text, and all of it is decided. Returns the place of the first octet
 * that is not: less than LABELSCAN_AFTER octets before the end of the text, and never before a line
 * list.
 * No state is kept but what was seen, which is as it would be found anew, and nothing is allocated:
 * how the stream is cut makes no difference. */
size_t labelscan_read(const struct labelscan *scan, const uint8_t *text, size_t from, size_t len,
                      bool last);

#endif
