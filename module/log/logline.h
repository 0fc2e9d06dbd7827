/* SPDX-License-Identifier: BSD-3-Clause */
/* Formats one log line into a caller's buffer: UTF-8 text that never has a control, bidi or
 * invisible character, whatever was asked. Host-free; allocates nothing. */
#ifndef XNM_MODULE_LOG_LOGLINE_H
#define XNM_MODULE_LOG_LOGLINE_H

#include "core/names/display.h"
#include "module/base/format.h"
#include "module/config/config.h"
#include "module/log/loganswers.h"
#include "module/log/logreply.h"
#include "module/log/namecache.h"
#include "module/policy/match.h"

enum {
    /* The labels of a name that a line describes: an A-label takes at least five octets, and
     * one of raw UTF-8 three, including its length octet. */
    XNM_DECODED_LABELS_MAX = (XN_WIRE_NAME_MAX - 1) / (1 + 2),

    /* All columns except the name: an IPv6 address, mnemonics, numbers and blanks; `u=""` and the
       words of idn=. */
    XNM_LOGLINE_COLUMNS_MAX = 300,
    /* The columns that each octet of a name (length octets included) adds at most. In its column:
     * one, or four for `\DDD`. In u=: the same again, or ten for a code point of a restricted
     * A-label, which costs at least one octet after its "xn--". In idn=: a number, a reason and two
     * marks for each label. Restricted labels of 63 octets are the worst case: (63 + 10 * 59 +
     * 19) / 64. A letter of raw UTF-8 in a label of its own takes (8 + 7 + 2 + 12) / 3. */
    XNM_LOGLINE_OCTET_MAX = 11,
    XNM_LOGLINE_NAME_MAX = XNM_LOGLINE_COLUMNS_MAX + XNM_LOGLINE_OCTET_MAX * (XN_WIRE_NAME_MAX - 1),
    /* Octets after which the rule file's base name is cut; each may become a `\u{1F}`. */
    XNM_LOGLINE_FILE_MAX = 64,
    /* The fields after match=, and those after target=, for which these leave room. */
    XNM_LOGLINE_WHY_MAX = sizeof " key=elsewhere label=127",
    XNM_LOGLINE_TAGS_MAX =
        sizeof " group= tags= mode=log-only" + XNM_GROUP_NAME_MAX + XNM_MATCH_TAGS_MAX,
    /* policy=, rule= with a line number of ten digits, and those fields. */
    XNM_LOGLINE_POLICY_MAX =
        64 + 6 * XNM_LOGLINE_FILE_MAX + XNM_LOGLINE_WHY_MAX + XNM_LOGLINE_TAGS_MAX,
    /* " f=aa,tc,rd,ra,ad,cd,do sec=indeterminate ede=65535" */
    XNM_LOGLINE_STATUS_MAX = 64,
    XNM_LOGLINE_EDE_TEXT_MAX = 128, /* octets after which an extended error's text is cut */
    /* A pipe takes this and a line feed at once. match=, target=, ede-text= and then the answers
     * get the octets that are left. */
    XNM_LOGLINE_TEXT_MAX = 4095,

    /* Parts of a JSON line: the fixed ones and the name, whose escapes of four octets have a
     * doubled backslash. */
    XNM_LOGLINE_SHORT_MAX = 1400 + sizeof ",\"policy.group\":\"\"" + XNM_GROUP_NAME_MAX +
                            XN_WIRE_TEXT_MAX * 5 / 4 + 1 + 6 * XNM_LOGLINE_FILE_MAX +
                            2 * XNM_MATCH_TAGS_MAX,
    /* The target, like the name. */
    XNM_LOGLINE_TARGET_MAX = 20 + XN_WIRE_TEXT_MAX * 5 / 4 + 1,
    /* The name in Unicode, or the rule's: two `\uXXXX` for a code point, the rest as above. Both
     * are in a line twice. */
    XNM_LOGLINE_UNICODE_MAX = 12 * XN_WIRE_NAME_MAX,
    /* For each decoded label its members with every reason. The line also has these labels again,
     * the rule file's path, and the text of an extended error. */
    XNM_LOGLINE_LABEL_MAX = 200,
    XNM_LOGLINE_JSON_MAX = XNM_LOGLINE_SHORT_MAX + XNM_LOGLINE_TARGET_MAX +
                           4 * XNM_LOGLINE_UNICODE_MAX + 6 * XNM_MATCH_FILE_MAX +
                           XNM_DECODED_LABELS_MAX * XNM_LOGLINE_LABEL_MAX + XN_WIRE_NAME_MAX +
                           10 * XNM_LOGLINE_EDE_TEXT_MAX,

    XNM_LOGLINE_MAX = XNM_LOGLINE_JSON_MAX + (int)XNM_LOGANSWERS_MAX
};
_Static_assert((int)XNM_LOGLINE_TEXT_MAX <= (int)XNM_LOGLINE_MAX, "the larger of both");
_Static_assert(XNM_FORMAT_TIME_LEN + 1 + (int)XNM_LOGLINE_NAME_MAX + (int)XNM_LOGLINE_POLICY_MAX +
                       (int)XNM_LOGLINE_STATUS_MAX <
                   (int)XNM_LOGLINE_TEXT_MAX,
               "all but these always fits");

/* Returns whether the configuration wants a line for this reply. Reads its name and `match`. */
static inline bool xnm_logline_wanted(const struct xnm_config *config,
                                      const struct xnm_reply *reply)
{
    if (config->log == XNM_LOG_NONE)
        return false;
    switch (config->log_names) {
    case XNM_LOG_NAMES_IDN:
        return xn_wire_has_ace(reply->qname, reply->qname_len);
    case XNM_LOG_NAMES_POLICY:
        return reply->match != NULL;
    default:
        return true;
    }
}

/* Writes what matched, as match= and policy.match have it: "zone казино.example", "name *.example",
 * "lookalike paypal.com", "invalid". If `unicode` is set and reply->match_name is not NULL, the
 * name is written like core/names/display.h does, else as A-labels. Writes no NUL. dst has room for
 * XNM_LOGLINE_SUBJECT_MAX octets. Returns the octets written; 0 as in xnm_match_subject. */
enum { XNM_LOGLINE_SUBJECT_MAX = (int)XNM_MATCH_WORD_MAX + (int)XN_DISPLAY_NAME_MAX };
size_t xnm_logline_subject(const struct xnm_reply *reply, bool unicode, char *dst);

/* Writes where the rule is, as rule= and policy.rule have it: the file's base name, cut after
 * XNM_LOGLINE_FILE_MAX octets, and the line. Writes no NUL. Returns the octets written. */
enum { XNM_LOGLINE_RULE_MAX = (int)XNM_LOGLINE_FILE_MAX + 1 + XNM_FORMAT_NUMBER_MAX };
size_t xnm_logline_rule(const struct xnm_match *match, char *dst);

/* Writes the text line of unbound-module-idn(8): with_time, the time and a blank, for targets that
 * add no time; the columns client, name, type, class, rcode, seconds, cached and `-`; then u=,
 * idn=, policy=, rule=, match=, key=, label=, target=, group=, tags=, mode=, f=, sec=, ede= and
 * ede-text=, where they apply. If the line could be longer than XNM_LOGLINE_TEXT_MAX, ede-text= is
 * left out, then target=, then match=, and nothing else.
 * `name` is what xn_name_read made of reply->qname. `known` is that name's place in
 * the cache, or NULL: if it has a text, this is copied and `name` is not read; else it gets one.
 * dst has room for XNM_LOGLINE_TEXT_MAX octets. Returns the octets written. */
size_t xnm_logline_text(const struct xnm_config *config, const struct xnm_reply *reply,
                        const struct xn_name *name, struct xnm_namecache_entry *known,
                        bool with_time, char *dst);

/* Returns whether a value needs no quotes in a line of text. */
bool xnm_logline_is_plain(const char *text, size_t len);

/* Writes text for inside quotes: a backslash before `"` and `\`, and `before` and `\u{…}` for
 * anything but printable ASCII. An octet that is not UTF-8 becomes U+FFFD. Returns the end. */
char *xnm_logline_escape(char *dst, const char *text, size_t len, const char *before);

/* Sets *client to the client that a line names: the one that a forwarder names, else the address
 * that the query came from; shortened as log-client says. False: the line names none. */
bool xnm_logline_client(const struct xnm_config *config, const struct xnm_reply *reply,
                        struct xnm_prefix *client);

/* Writes the words of the flags that are set, AA, TC, RD, RA, AD, CD and DO, with `between` between
 * them. case_bit 0x20: in lower case; else 0. Returns the end. */
char *xnm_logline_flags(char *dst, const struct xnm_reply *reply, const char *between,
                        int case_bit);

/* The words of each xnm_security; "" for unknown. */
extern const char xnm_logline_securities[][14];

/* Returns the octets of an extended error's text that a line has: at most XNM_LOGLINE_EDE_TEXT_MAX,
 * and no part of a UTF-8 sequence. Each is written with at most eight, `\u{FFFD}`. 0: no error, or
 * no text. */
enum { XNM_LOGLINE_EDE_SHOWN_MAX = 8 * (int)XNM_LOGLINE_EDE_TEXT_MAX + XN_DISPLAY_ESCAPE_MAX };
size_t xnm_logline_ede_len(const struct xnm_reply_error *error);

/* Writes the member dns.ede.extra_text, with a comma before it, if the error has a text: the octets
 * that a line has of it (xnm_logline_ede_len), with `\\u{…}` for each character but printable
 * ASCII. dst has room for XNM_LOGLINE_EDE_MEMBER_MAX octets. Returns the end. */
enum { XNM_LOGLINE_EDE_MEMBER_MAX = 40 + 9 * (int)XNM_LOGLINE_EDE_TEXT_MAX };
char *xnm_logline_ede_member(char *dst, const struct xnm_reply_error *error);

/* Writes the JSON line: one object of flat Elastic Common Schema keys, in ASCII. A member that
 * would make it longer than `limit` octets (at least XNM_LOGLINE_SHORT_MAX) is left out; these are
 * tried in this order: policy.match, idn.lookalike, policy.target, policy.file, dns.ede.extra_text,
 * and dns.question.name_unicode with idn.scripts and idn.labels. dst has room for
 * XNM_LOGLINE_JSON_MAX octets. `name` and `known` are as for xnm_logline_text. Returns the octets
 * written. */
size_t xnm_logline_json(const struct xnm_config *config, const struct xnm_reply *reply,
                        const struct xn_name *name, struct xnm_namecache_entry *known, size_t limit,
                        char *dst);

#endif
