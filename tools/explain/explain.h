/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of `unbound-idn explain` share: what there is to say of a name, of each of its
 * labels and of the rule that decides, and the two forms in which it is said. */
#ifndef XN_TOOLS_EXPLAIN_EXPLAIN_H
#define XN_TOOLS_EXPLAIN_EXPLAIN_H

#include "core/idna/name.h"
#include "core/idna/presentation.h"
#include "core/lookalike/lookalike.h"
#include "core/lookalike/script.h"
#include "module/log/line.h"
#include "module/policy/policy.h"
#include "tools/codec/convert.h"

/* --- labels --- */

struct explained_key {
    size_t len;   /* 0 where no A-label stands for the label */
    bool differs; /* from the label as a reader sees it */
    uint8_t octets[XN_KEY_MAX];
};

/* One label of a written name. */
struct explained_label {
    size_t number; /* from the left, 1 the first */
    const uint8_t *written;
    size_t written_len;
    uint8_t ascii[XN_PRESENTATION_ALABEL_MAX]; /* what stands for it in the DNS, as text */
    size_t ascii_len;                          /* 0: nothing does */
    uint8_t wire[1 + XN_WIRE_LABEL_MAX + 1]; /* … as a name of this label alone; wire[0] is 0 where
                                                nothing stands for it */
    bool idn;                                /* not just an ASCII label */
    xn_reasons reasons;
    uint32_t code_points[XN_ULABEL_MAX]; /* of an A-label those it decodes to, if it does; else as
                                            it is written. Of more than fit the first. */
    size_t code_point_count, left_out;
    bool decoded; /* is a label whose Punycode decodes: conditions look at these */
    struct xn_scripts scripts;
    xn_level level;
    struct explained_key exact, strict;
};

/* Reads a label, which is UTF-8. */
void explain_label(const struct xn_unicode *unicode, size_t number, const uint8_t *written,
                   size_t len, struct explained_label *label);

/* The conditions of rules that a label fulfils, but for script and script-level. Returns how many.
 */
enum { EXPLAIN_CONDITIONS_MAX = XNM_TRIGGER_COUNT - XNM_TRIGGER_INVALID };
size_t explain_conditions(const struct xn_unicode *unicode, const struct explained_label *label,
                          xnm_trigger conditions[EXPLAIN_CONDITIONS_MAX]);

/* Writes a label as core/idna/display.h does; one that is none as it is written, with escapes. */
void explain_add_display(struct buffer *out, const struct xn_unicode *unicode,
                         const struct explained_label *label);

/* --- the policy --- */

struct explain_policy {
    const struct xn_unicode *unicode;
    struct xnm_policy *policy; /* owned; NULL: none */
    bool configured;           /* there is a configuration, and it may have named no rule file */
    bool log_only;             /* policy-mode */
    uint16_t type;             /* that is asked for */
    const char *type_word;     /* … as it is written */
    bool type_given;           /* by the user, who may want to see it again */
};

/* Reads the policy of a configuration or of a rule file; of NULL, the configuration that the module
 * finds, and none is fine. Errors go to standard error, as check has them. False: the module would
 * refuse. */
bool explain_policy_open(struct explain_policy *policy, const char *file);
void explain_policy_close(struct explain_policy *policy);

struct explained_decision {
    bool any; /* did a rule match? Nothing else is set where none did. */
    struct xnm_decision decision;
    struct xnm_match match;
    const struct xnm_policy_rule *rule;
    char subject[XNM_LOGLINE_SUBJECT_MAX]; /* what matched, as the log has it */
    size_t subject_len;
};

/* Decides a name in wire format. */
void explain_decide(const struct explain_policy *policy, const uint8_t *wire, size_t wire_len,
                    struct explained_decision *decision);

/* --- names --- */

struct explained_name {
    const char *input; /* as it was given */
    size_t input_len;
    const char *text; /* with the characters that `\u{…}` stands for in it */
    size_t len;
    size_t label_count;
    struct conversion conversion; /* the same as encode and decode say */
    xn_label_status status;
    xn_reasons reasons; /* of the name as a whole */
    bool asked;         /* there is a policy, and such a name can be asked for */
    struct explained_decision decision;
};

/* Adds what is decided, or why nothing is: the line that the eye looks for, and the rules. */
void explain_add_verdict(const struct explain_policy *policy, const struct explained_name *name,
                         struct buffer *out);

/* Write all of a name to `out`: some lines of text; or an object, in one line. */
void explain_as_text(const struct explain_policy *policy, const struct explained_name *name,
                     struct buffer *out);
void explain_as_json(const struct explain_policy *policy, const struct explained_name *name,
                     struct buffer *out);

#endif
