/* SPDX-License-Identifier: BSD-3-Clause */
/* One log line in a caller's buffer: UTF-8 text without a control, bidi or invisible character,
 * whatever was asked. Host-free; nothing is allocated. */
#ifndef XNM_MODULE_LOG_LINE_H
#define XNM_MODULE_LOG_LINE_H

#include "core/idna/display.h"
#include "module/base/format.h"
#include "module/config/config.h"
#include "module/log/reply.h"
#include "module/policy/match.h"

enum {
    /* A-labels of a name: each takes five octets or more, with its length octet. */
    XNM_ALABELS_MAX = (XN_WIRE_NAME_MAX - 1) / (1 + 4),

    /* The columns but the name: an IPv6 address, mnemonics, numbers and blanks; `u=""` and the
       words of idn=. */
    XNM_LOGLINE_COLUMNS_MAX = 300,
    /* What a name adds, for each of its octets and length octets: in its column one, or four as
       `\DDD`; in u= the same once more, or ten for a code point of a restricted A-label, which
       costs an octet or more behind its "xn--"; in idn= a number, a reason and two marks for an
       A-label. With labels of 63 octets, restricted, that is (63 + 10 * 59 + 19) / 64, and less
       otherwise. */
    XNM_LOGLINE_OCTET_MAX = 11,
    XNM_LOGLINE_NAME_MAX = XNM_LOGLINE_COLUMNS_MAX + XNM_LOGLINE_OCTET_MAX * (XN_WIRE_NAME_MAX - 1),
    /* The rule file's base name is cut after so many octets; a `\u{1F}` may stand for each. */
    XNM_LOGLINE_FILE_MAX = 64,
    /* policy=, rule=, key=, label=, tags= and mode=, with a line number of ten digits. */
    XNM_LOGLINE_POLICY_MAX = 128 + 6 * XNM_LOGLINE_FILE_MAX + XNM_MATCH_TAGS_MAX,
    /* match= and then target= have what room is left of the octets that a pipe takes at once, its
       line feed too. */
    XNM_LOGLINE_TEXT_MAX = 4095,

    /* A JSON line. What stands in it whatever the name is, and the name: an escape of four octets
       has its backslash doubled; */
    XNM_LOGLINE_SHORT_MAX =
        1400 + XN_WIRE_TEXT_MAX * 5 / 4 + 1 + 6 * XNM_LOGLINE_FILE_MAX + 2 * XNM_MATCH_TAGS_MAX,
    /* … the target, as the name; */
    XNM_LOGLINE_TARGET_MAX = 20 + XN_WIRE_TEXT_MAX * 5 / 4 + 1,
    /* … the name in Unicode, twice, and the rule's name, twice: two `\uXXXX` for a code point, as
       above for the rest; */
    XNM_LOGLINE_UNICODE_MAX = 12 * XN_WIRE_NAME_MAX,
    /* … the rule file's path; and for each A-label its members with every reason, and the label
       once more. */
    XNM_LOGLINE_LABEL_MAX = 200,
    XNM_LOGLINE_JSON_MAX = XNM_LOGLINE_SHORT_MAX + XNM_LOGLINE_TARGET_MAX +
                           4 * XNM_LOGLINE_UNICODE_MAX + 6 * XNM_MATCH_FILE_MAX +
                           XNM_ALABELS_MAX * XNM_LOGLINE_LABEL_MAX + XN_WIRE_NAME_MAX,

    XNM_LOGLINE_MAX = XNM_LOGLINE_JSON_MAX
};
_Static_assert((int)XNM_LOGLINE_TEXT_MAX <= (int)XNM_LOGLINE_MAX, "the larger of both");
_Static_assert(XNM_FORMAT_TIME_LEN + 1 + (int)XNM_LOGLINE_NAME_MAX + (int)XNM_LOGLINE_POLICY_MAX <
                   (int)XNM_LOGLINE_TEXT_MAX,
               "all but match= and target= always fits");

/* Does the configuration want a line for this reply and its name? */
static inline bool xnm_logline_wanted(const struct xnm_config *config,
                                      const struct xnm_reply *reply, const struct xn_name *name)
{
    if (config->log == XNM_LOG_NONE)
        return false;
    switch (config->log_names) {
    case XNM_LOG_NAMES_IDN:
        return name->ace_count > 0;
    case XNM_LOG_NAMES_POLICY:
        return reply->match != NULL;
    default:
        return true;
    }
}

/* What matched, as match= and policy.match have it: "zone казино.example", "name *.example",
 * "lookalike paypal.com", "invalid". The name stands as core/idna/display.h shows it where
 * `unicode` is wanted and reply->match_name is there, else as A-labels. No NUL. dst has room for
 * XNM_LOGLINE_SUBJECT_MAX octets. Returns how many were written, 0 as xnm_match_subject. */
enum { XNM_LOGLINE_SUBJECT_MAX = (int)XNM_MATCH_WORD_MAX + (int)XN_DISPLAY_NAME_MAX };
size_t xnm_logline_subject(const struct xnm_reply *reply, bool unicode, char *dst);

/* Where the rule stands, as rule= and policy.rule have it: the file's base name, cut after
 * XNM_LOGLINE_FILE_MAX octets, and the line. No NUL. Returns how many octets were written. */
enum { XNM_LOGLINE_RULE_MAX = (int)XNM_LOGLINE_FILE_MAX + 1 + XNM_FORMAT_NUMBER_MAX };
size_t xnm_logline_rule(const struct xnm_match *match, char *dst);

/* Writes the text line of unbound-module-idn(8): client, name, type, class, rcode, seconds, cached
 * and `-` in their columns, then u=, idn=, policy=, rule=, match=, key=, label=, target=, tags= and
 * mode= where they apply; target=, then match=, and no other, are left out where the line would be
 * longer than XNM_LOGLINE_TEXT_MAX; before them the time and a blank where the target has no time
 * of its own. name is what xn_name_read made of reply->qname. dst has room for XNM_LOGLINE_TEXT_MAX
 * octets. Returns how many were written. */
size_t xnm_logline_text(const struct xnm_config *config, const struct xnm_reply *reply,
                        const struct xn_name *name, bool with_time, char *dst);

/* Writes the JSON line: one object of flat Elastic Common Schema keys, in ASCII. Of
 * policy.match, idn.lookalike, policy.target, policy.file, dns.question.name_unicode, idn.scripts
 * and idn.labels, in this order, what would make it longer than `limit` octets
 * (XNM_LOGLINE_SHORT_MAX at least) is left out. dst has room for XNM_LOGLINE_JSON_MAX octets.
 * Returns how many were written. */
size_t xnm_logline_json(const struct xnm_config *config, const struct xnm_reply *reply,
                        const struct xn_name *name, size_t limit, char *dst);

#endif
