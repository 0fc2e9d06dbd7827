/* SPDX-License-Identifier: BSD-3-Clause */
/* Declares what `unbound-idn explain` finds out about a name, its labels and the rule that decides,
 * and the two formats in which it prints that. */
#ifndef XN_TOOLS_EXPLAIN_EXPLAIN_H
#define XN_TOOLS_EXPLAIN_EXPLAIN_H

#include "core/idna/name.h"
#include "core/idna/ulabel.h"
#include "core/lookalike/lookalike.h"
#include "core/lookalike/script.h"
#include "core/names/presentation.h"
#include "core/names/toplevel.h"
#include "core/names/written.h"
#include "module/answer/structured.h"
#include "module/log/logline.h"
#include "module/policy/policy.h"
#include "tools/check/check.h"
#include "tools/codec/convert.h"
#include "tools/command/host.h"

/* --- labels --- */

struct explained_key {
    size_t len;   /* 0: no A-label stands for the label */
    bool differs; /* differs from the label as a reader sees it */
    uint8_t octets[XN_KEY_MAX];
};

/* One label of a written name. Before the first, all of it is zero. */
struct explained_label {
    size_t number;                        /* counted from 1 at the left */
    struct xn_presentation_cursor cursor; /* private: behind it */
    const uint8_t *written;
    size_t written_len;
    uint8_t ascii[XN_WRITTEN_ALABEL_MAX]; /* its form in the DNS, as text */
    size_t ascii_len;                     /* 0: it has none */
    uint8_t wire[XN_TOPLEVEL_WIRE_MAX]; /* that form before its TLD; wire[0] is 0 if it has none */
    size_t wire_len;
    bool idn; /* more than an ASCII label */
    bool raw; /* raw UTF-8, written with escapes as in a log; idn, too */
    xn_reasons reasons;
    uint32_t
        code_points[XN_ULABEL_MAX]; /* those that an A-label decodes to, if it does; those of
                                       raw UTF-8; else those written; only the first that fit */
    size_t code_point_count, left_out;
    bool decoded; /* its Punycode decodes, so conditions apply to it */
    struct xn_scripts scripts;
    xn_level level;
    struct explained_key exact, strict;
    /* The conditions of rules that it meets, except script and script-level. */
    xnm_trigger conditions[XNM_TRIGGER_COUNT - XNM_TRIGGER_INVALID];
    size_t condition_count;
};

/* Reads the next label of a name. Returns false after the last one, or if there is no name. */
struct explained_name;
bool explain_next_label(const struct xn_unicode *unicode, const struct explained_name *name,
                        struct explained_label *label);

/* Writes a label as core/names/display.h does; an invalid one as written, with escapes. */
void explain_add_display(struct buffer *out, const struct xn_unicode *unicode,
                         const struct explained_label *label);

/* --- the policy --- */

struct explain_policy {
    const struct xn_unicode *unicode;
    struct xnm_policy *policy; /* owned; NULL: none */
    struct xnm_policy *whole;  /* with the rules that the host leaves out; owned; NULL: none */
    struct check_host host;    /* that reads the policy; its word is NULL: any */
    bool configured;           /* there is a configuration, which may name no rule file */
    bool log_only;             /* policy-mode */
    uint16_t type;             /* the query type */
    const char *type_word;     /* the query type as written */
    bool type_given;           /* the user gave it and may want to see it again */
    struct xnm_prefix client;  /* that asks; address.len 0: unknown */
    time_t time;               /* of the query; 0: now */
};

/* Reads the policy of a configuration or rule file, as the host does; of NULL, that of the host's
 * configuration or, without a host, of the one the module would find, and there need not be one.
 * Errors go to standard error, as in check. False: the module would refuse it. */
bool explain_policy_open(struct explain_policy *policy, const char *file);
void explain_policy_close(struct explain_policy *policy);

/* A host's answer that differs from the rule's. */
typedef enum { EXPLAIN_AS_RULED, EXPLAIN_REFUSED, EXPLAIN_ALIAS_ALONE } explain_instead;

/* The extended error for a client that asks for structured ones. */
struct explained_error {
    bool any;
    int code;
    char text[XNM_STRUCTURED_MAX]; /* JSON, or another text with codes that have none */
    size_t len;                    /* 0: no text */
    bool is_json;
};

struct explained_decision {
    bool any; /* a rule matched; otherwise only `decision`, left_out and instead are set */
    const struct xnm_policy_rule *left_out; /* by the host, which would decide; NULL: none */
    struct xnm_decision decision;
    struct xnm_match match;
    const struct xnm_policy_rule *rule;
    char subject[XNM_LOGLINE_SUBJECT_MAX]; /* what matched, as the log has it */
    size_t subject_len;
    explain_instead instead;
    struct explained_error error;
};

/* Decides a name in wire format. */
void explain_decide(const struct explain_policy *policy, const uint8_t *wire, size_t wire_len,
                    struct explained_decision *decision);

/* Adds why a name looks like a protected one, such as "one letter missing from paypal.com". The
 * match must be one for which xnm_match_has_lookalike is true. */
void explain_add_imitation(const struct explained_decision *decision, struct buffer *out);

/* --- names --- */

struct explained_name {
    const char *input; /* as given */
    size_t input_len;
    struct host host;
    size_t label_count;
    struct xn_toplevel tld;
    struct conversion conversion; /* as encode and decode print it */
    xn_label_status status;
    xn_reasons reasons; /* of the name as a whole */
    bool raw;           /* it has a label of raw UTF-8 */
    struct buffer ask;  /* the name in ASCII that finds what a raw one was meant to find, if any */
    bool asked;         /* there is a policy, and the name can be asked for */
    struct explained_decision decision;
};

/* Finds the name to ask instead of a raw one. */
void explain_find_ask(const struct explain_policy *policy, struct explained_name *name);

/* Adds that the name is raw UTF-8, if it is, and what a rule decides, if one does: a sentence each.
 */
void explain_add_sentence(const struct explain_policy *policy, const struct explained_name *name,
                          struct buffer *out);

/* Adds the decision, or why there is none, and the rules. */
void explain_add_answer(const struct explain_policy *policy, const struct explained_name *name,
                        struct buffer *out);

/* Write everything about a name to `out`: some lines of text, or one line of JSON. */
void explain_as_text(const struct explain_policy *policy, const struct explained_name *name,
                     struct buffer *out);
void explain_as_json(const struct explain_policy *policy, const struct explained_name *name,
                     struct buffer *out);

#endif
