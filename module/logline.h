/* SPDX-License-Identifier: BSD-3-Clause */
/* One log line in a caller's buffer: UTF-8 text without a control, bidi or invisible character,
 * whatever was asked. Host-free; nothing is allocated. */
#ifndef XNM_MODULE_LOGLINE_H
#define XNM_MODULE_LOGLINE_H

#include "core/display.h"
#include "module/config.h"
#include "module/reply.h"

enum {
    XNM_LOGLINE_TIME_LEN = sizeof "2026-11-20T21:56:03.000214Z " - 1,
    /* idn=invalid(…),restricted(…): a label number, the longest reason and two marks for each
       A-label. */
    XNM_LOGLINE_IDN_MAX = 40 + 50 * (int)sizeof "127:not-canonical,",
    /* The columns but the name: an IPv6 address, mnemonics, numbers, blanks and `u=""`. */
    XNM_LOGLINE_COLUMNS_MAX = 256,
    /* The name, in its column or as u=, and the longer of it twice. No line feed. */
    XNM_LOGLINE_MAX = XNM_LOGLINE_TIME_LEN + XNM_LOGLINE_COLUMNS_MAX + XN_WIRE_TEXT_MAX + 1 +
                      XN_DISPLAY_NAME_MAX + 1 + XNM_LOGLINE_IDN_MAX
};

/* Does the configuration want a line for this name? */
bool xnm_logline_wanted(const struct xnm_config *config, const struct xn_name *name);

/* Writes `time` as RFC 3339 UTC with microseconds and a blank: XNM_LOGLINE_TIME_LEN octets. Returns
 * their number. */
size_t xnm_logline_time(const struct timespec *time, char *dst);

/* Writes the text line of idn.conf(5): client, name, type, class, rcode, seconds, cached and `-` in
 * their columns, then u= and idn= where they apply. name is what xn_name_read made of reply->qname.
 * dst has room for XNM_LOGLINE_MAX octets less the time. Returns how many were written. */
size_t xnm_logline_text(const struct xnm_config *config, const struct xnm_reply *reply,
                        const struct xn_name *name, char *dst);

#endif
