/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/policy/searchcondition.h"

#include "core/idna/misread.h"
#include "core/lookalike/script.h"
#include "module/policy/data.h"
#include "module/policy/qname.h"
#include "module/rule/rule.h"

#include <stddef.h>
#include <string.h>

bool xnm_searchcondition_is_met(xnm_trigger trigger, const struct xnm_condition *condition,
                                const struct xn_shape *shape, const uint8_t *tld)
{
    const uint32_t *label = shape->code_points;
    size_t len = shape->len;

    if (trigger == XNM_TRIGGER_INVALID)
        return !xnm_qlabels_shape_is_valid(shape);
    if (!shape->ace)
        return false;
    switch (trigger) {
    case XNM_TRIGGER_SCRIPT:
        return (condition->outside ? xn_script_find_outside(&condition->scripts, label, len)
                                   : xn_script_find_in(&condition->scripts, label, len)) < len;
    case XNM_TRIGGER_SCRIPT_LEVEL:
        return xn_script_level(label, len) > condition->level;
    case XNM_TRIGGER_MIXED_DIGITS:
        return xn_misread_mixed_digit(label, len) < len;
    case XNM_TRIGGER_RESTRICTED:
        return xn_script_find_restricted(label, len) < len;
    case XNM_TRIGGER_WHOLESCRIPT:
        return tld && xn_script_is_wholescript(label, len) &&
               !xn_misread_fits_tld(tld + 1, tld[0], label, len);
    case XNM_TRIGGER_EMOJI:
        return xn_script_find_emoji(label, len) < len;
    default: /* XNM_TRIGGER_BIDI, the only other condition */
        return xn_script_find_rtl(label, len) < len;
    }
}

static bool meets(const struct xnm_policy_line *line, struct xnm_qlabels *labels, unsigned label)
{
    const struct xnm_qname *name = labels->name;
    unsigned last = name->labels - 1;

    if (line->rule.trigger == XNM_TRIGGER_INVALID)
        return !xnm_qlabels_is_valid(labels, label);
    return xnm_searchcondition_is_met(line->rule.trigger, &line->label_rule->condition,
                                      xnm_qlabels_at(labels, label),
                                      label < last ? name->octets + name->label_at[last] : NULL);
}

unsigned xnm_searchcondition_find(const struct xnm_policy_line *line, struct xnm_qlabels *labels)
{
    const struct xnm_condition *condition = &line->label_rule->condition;
    const struct xnm_qname *name = labels->name;
    size_t tld_at = name->label_at[name->labels - 1];

    if (xnm_condition_excepts(condition, name->octets + tld_at, name->len - tld_at))
        return 0;
    for (unsigned label = 0; label < name->labels; label++)
        if (xnm_qname_is_ace(name, label) && meets(line, labels, label))
            return label + 1;
    return 0;
}
