/* SPDX-License-Identifier: BSD-3-Clause */
/* One log line in a caller's buffer: UTF-8 text without a control, bidi or invisible character,
 * whatever was asked. Host-free; nothing is allocated. */
#ifndef XNM_MODULE_LOGLINE_H
#define XNM_MODULE_LOGLINE_H

#include "core/display.h"
#include "module/config.h"
#include "module/put.h"
#include "module/reply.h"

enum {
    /* A-labels of a name: each takes five octets or more, with its length octet. */
    XNM_ALABELS_MAX = (XN_WIRE_NAME_MAX - 1) / (1 + 4),

    /* idn=invalid(…),restricted(…): a label number, the longest reason and two marks for each. */
    XNM_LOGLINE_IDN_MAX = 40 + XNM_ALABELS_MAX * (int)sizeof "127:not-canonical,",
    /* The columns but the name: an IPv6 address, mnemonics, numbers, blanks and `u=""`. */
    XNM_LOGLINE_COLUMNS_MAX = 256,
    /* A text line: the name in its column and again as u=. No line feed. */
    XNM_LOGLINE_TEXT_MAX = XNM_PUT_TIME_LEN + 1 + XNM_LOGLINE_COLUMNS_MAX + XN_WIRE_TEXT_MAX + 1 +
                           XN_DISPLAY_NAME_MAX + 1 + XNM_LOGLINE_IDN_MAX,

    /* A JSON line. What stands in it whatever the name is, with 32 scripts: */
    XNM_LOGLINE_MEMBERS_MAX = 1200,
    /* … the name: an escape of four octets has its backslash doubled; */
    XNM_LOGLINE_NAME_MAX = XN_WIRE_TEXT_MAX * 5 / 4 + 1,
    /* … in Unicode: two `\uXXXX` for a code point, as above for the rest; */
    XNM_LOGLINE_UNICODE_MAX = 12 * XN_WIRE_NAME_MAX,
    XNM_LOGLINE_SHORT_MAX =
        XNM_LOGLINE_MEMBERS_MAX + XNM_LOGLINE_NAME_MAX + XNM_LOGLINE_UNICODE_MAX,
    /* … and its A-labels: the members of each with every reason, and both forms once more. */
    XNM_LOGLINE_LABEL_MAX = 200,
    XNM_LOGLINE_JSON_MAX = XNM_LOGLINE_SHORT_MAX + XNM_ALABELS_MAX * XNM_LOGLINE_LABEL_MAX +
                           XN_WIRE_NAME_MAX + XNM_LOGLINE_UNICODE_MAX,

    XNM_LOGLINE_MAX = XNM_LOGLINE_JSON_MAX,
    /* What Unbound's own log takes as one line: 10,239 octets, less what may follow. */
    XNM_LOGLINE_HOST_MAX = 10000
};
_Static_assert((int)XNM_LOGLINE_TEXT_MAX <= (int)XNM_LOGLINE_HOST_MAX, "a text line is not cut");
_Static_assert((int)XNM_LOGLINE_SHORT_MAX <= (int)XNM_LOGLINE_HOST_MAX, "nor a short JSON line");
_Static_assert((int)XNM_LOGLINE_TEXT_MAX <= (int)XNM_LOGLINE_MAX, "the larger of both");

/* Does the configuration want a line for this name? */
bool xnm_logline_wanted(const struct xnm_config *config, const struct xn_name *name);

/* Writes the text line of idn.conf(5): client, name, type, class, rcode, seconds, cached and `-` in
 * their columns, then u= and idn= where they apply; before them the time and a blank where the
 * target has no time of its own. name is what xn_name_read made of reply->qname. dst has room for
 * XNM_LOGLINE_TEXT_MAX octets. Returns how many were written. */
size_t xnm_logline_text(const struct xnm_config *config, const struct xnm_reply *reply,
                        const struct xn_name *name, bool with_time, char *dst);

/* Writes the JSON line: one object of flat Elastic Common Schema keys, in ASCII. Where it would
 * have more than `limit` octets (XNM_LOGLINE_SHORT_MAX at least) idn.labels is left out. dst has
 * room for XNM_LOGLINE_JSON_MAX octets. Returns how many were written. */
size_t xnm_logline_json(const struct xnm_config *config, const struct xnm_reply *reply,
                        const struct xn_name *name, size_t limit, char *dst);

#endif
