/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds A-labels in any stream of octets and writes them in Unicode where that is safe. All other
 * octets are copied unchanged.
 *
 * An A-label is a whole run of letters, digits, `-` and `_`, at most 63 octets, that begins with
 * "xn--" in any case. Its neighbours must end a label in every format that the text could have
 * (tools/filter/labeledge.h). It is shown if the resolver's log would show it in Unicode without an
 * escape: if it is neither invalid nor restricted, and has no joiners. Its TLD is the last label of
 * the run of labels with single dots between them, if that is no longer than a name. */
#ifndef XN_TOOLS_FILTER_LABELSCAN_H
#define XN_TOOLS_FILTER_LABELSCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct xn_unicode;

/* A cache of what is written for recent labels: 2 MB. Logs repeat the same labels, and checking one
 * takes some 2,000 instructions. The few labels that do not fit are checked each time. */
enum { LABELSCAN_SEEN = 16384 };
struct labelscan_seen {
    uint8_t len, shown_len; /* shown_len 0: the label stays as it is */
    uint8_t octets[126];    /* the label in lower case, followed by what is written */
};

struct labelscan {
    const struct xn_unicode *unicode;
    struct labelscan_seen *seen; /* LABELSCAN_SEEN of them, owned by the caller, for this scan
                                    alone; zero at first */
    /* The octets are in the text, or are at most LABELSCAN_SHOWN_MAX that are gone after the call.
     */
    void (*write)(void *to, const uint8_t *octets, size_t len);
    void *to; /* passed to write */
};

enum {
    /* The output from a place on depends on at most so many octets before it. */
    LABELSCAN_BEFORE = 320,
    /* The output for an octet depends on at most so many octets from it on. */
    LABELSCAN_AFTER = 320,
    LABELSCAN_SHOWN_MAX = 4095
};

/* Writes the output for text[from] and the octets after it, as far as it is decided. The text has
 * at least LABELSCAN_BEFORE decided octets of the stream before `from`, or all of them. `last`
 * means that the stream ends with this text, so that all of it is decided. Returns the offset of
 * the first undecided octet: it is less than LABELSCAN_AFTER octets before the end of the text, and
 * never before a line feed. The output does not depend on how the stream is cut: the cache, the
 * only state, does not change it. Allocates nothing. */
size_t labelscan_read(const struct labelscan *scan, const uint8_t *text, size_t from, size_t len,
                      bool last);

#endif
