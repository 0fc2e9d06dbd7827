/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/rule/ruletable.h"

#include "core/text/near.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define BIT(n) (1U << (n))

enum {
    /* an rpz line has no action; its zone has the actions */
    RPZ = BIT(XNM_ACTION_NONE),
    EVERY_ACTION = BIT(XNM_PASSTHRU) | BIT(XNM_NXDOMAIN) | BIT(XNM_NODATA) | BIT(XNM_REFUSE) |
                   BIT(XNM_DROP) | BIT(XNM_REDIRECT) | BIT(XNM_CNAME) | BIT(XNM_ANSWER) |
                   BIT(XNM_TCP_ONLY) | BIT(XNM_LOG),
    /* nxdomain is about a name with all its types; answer has the type in its record */
    BY_TYPE = EVERY_ACTION & ~(BIT(XNM_NXDOMAIN) | BIT(XNM_ANSWER)),
    WITH_RECORDS = BIT(XNM_NXDOMAIN) | BIT(XNM_NODATA) | BIT(XNM_REDIRECT) | BIT(XNM_CNAME) |
                   BIT(XNM_ANSWER), /* for nxdomain and nodata the SOA record */
    WITH_REPLY = WITH_RECORDS | BIT(XNM_REFUSE),
    BY_TRIGGER = EVERY_ACTION | RPZ, /* only the trigger decides whether the option is valid */

    EVERY_TRIGGER = BIT(XNM_TRIGGER_COUNT) - 1,
    WITH_ACTION = EVERY_TRIGGER & ~BIT(XNM_TRIGGER_RPZ),
    NAMED = BIT(XNM_TRIGGER_NAME) | BIT(XNM_TRIGGER_ZONE),
    LISTS = BIT(XNM_TRIGGER_NAMES) | BIT(XNM_TRIGGER_ZONES) | BIT(XNM_TRIGGER_RPZ),
    WITH_FILE = LISTS | BIT(XNM_TRIGGER_LOOKALIKES),
    LOOKALIKES = BIT(XNM_TRIGGER_LOOKALIKE) | BIT(XNM_TRIGGER_LOOKALIKES),

    /* A protected name is exempt from look-alike rules without a rule. */
    BUT_PASSTHRU = EVERY_ACTION & ~BIT(XNM_PASSTHRU)
};

/* The actions: the words before the trigger, whether RDATA ends the line, and the default of
 * ede=. */
static const struct {
    const char *word;
    xnm_argument argument;
    bool has_rdata;
    int ede;
} actions[XNM_ACTION_COUNT] = {
    [XNM_ACTION_NONE] = {"rpz", XNM_ARGUMENT_NONE, false, XNM_EDE_DEFAULT},
    [XNM_PASSTHRU] = {"passthru", XNM_ARGUMENT_NONE, false, XNM_EDE_OFF},
    [XNM_NXDOMAIN] = {"nxdomain", XNM_ARGUMENT_NONE, false, XNM_EDE_BLOCKED},
    [XNM_NODATA] = {"nodata", XNM_ARGUMENT_NONE, false, XNM_EDE_BLOCKED},
    [XNM_REFUSE] = {"refuse", XNM_ARGUMENT_NONE, false, XNM_EDE_BLOCKED},
    [XNM_DROP] = {"drop", XNM_ARGUMENT_NONE, false, XNM_EDE_OFF},
    [XNM_REDIRECT] = {"redirect", XNM_ARGUMENT_ADDRESSES, false, XNM_EDE_FORGED},
    [XNM_CNAME] = {"cname", XNM_ARGUMENT_TARGET, false, XNM_EDE_FORGED},
    [XNM_ANSWER] = {"answer", XNM_ARGUMENT_NONE, true, XNM_EDE_FORGED},
    [XNM_TCP_ONLY] = {"tcp-only", XNM_ARGUMENT_NONE, false, XNM_EDE_OFF},
    [XNM_LOG] = {"log", XNM_ARGUMENT_NONE, false, XNM_EDE_OFF},
};

/* The triggers: the words after each, and the actions it is valid with. */
static const struct {
    const char *word;
    xnm_subject subject;
    unsigned actions;
} triggers[XNM_TRIGGER_COUNT] = {
    [XNM_TRIGGER_NAME] = {"name", XNM_SUBJECT_NAME, EVERY_ACTION},
    [XNM_TRIGGER_ZONE] = {"zone", XNM_SUBJECT_NAME, EVERY_ACTION},
    [XNM_TRIGGER_NAMES] = {"names", XNM_SUBJECT_PATH, EVERY_ACTION},
    [XNM_TRIGGER_ZONES] = {"zones", XNM_SUBJECT_PATH, EVERY_ACTION},
    [XNM_TRIGGER_RPZ] = {"rpz", XNM_SUBJECT_PATH, RPZ},
    [XNM_TRIGGER_LOOKALIKE] = {"lookalike", XNM_SUBJECT_NAME, BUT_PASSTHRU},
    [XNM_TRIGGER_LOOKALIKES] = {"lookalikes", XNM_SUBJECT_PATH, BUT_PASSTHRU},
    [XNM_TRIGGER_INVALID] = {"invalid", XNM_SUBJECT_NONE, EVERY_ACTION},
    [XNM_TRIGGER_SCRIPT] = {"script", XNM_SUBJECT_SCRIPTS, EVERY_ACTION},
    [XNM_TRIGGER_SCRIPT_LEVEL] = {"script-level", XNM_SUBJECT_LEVEL, EVERY_ACTION},
    [XNM_TRIGGER_MIXED_DIGITS] = {"mixed-digits", XNM_SUBJECT_NONE, EVERY_ACTION},
    [XNM_TRIGGER_RESTRICTED] = {"restricted", XNM_SUBJECT_NONE, EVERY_ACTION},
    [XNM_TRIGGER_WHOLESCRIPT] = {"wholescript", XNM_SUBJECT_NONE, EVERY_ACTION},
    [XNM_TRIGGER_EMOJI] = {"emoji", XNM_SUBJECT_NONE, EVERY_ACTION},
    [XNM_TRIGGER_BIDI] = {"bidi", XNM_SUBJECT_NONE, EVERY_ACTION},
};

/* The options: the actions and the triggers that each is valid with. */
static const struct {
    const char *word;
    unsigned actions, triggers;
} options[XNM_OPTION_COUNT] = {
    [XNM_OPTION_TYPE] = {"type", BY_TYPE, WITH_ACTION},
    [XNM_OPTION_TTL] = {"ttl", WITH_RECORDS, WITH_ACTION},
    [XNM_OPTION_EDE] = {"ede", WITH_REPLY | RPZ, EVERY_TRIGGER},
    [XNM_OPTION_WHY] = {"why", WITH_REPLY | RPZ, EVERY_TRIGGER},
    [XNM_OPTION_SUB_ERROR] = {"sub-error", WITH_REPLY | RPZ, EVERY_TRIGGER},
    [XNM_OPTION_TAG] = {"tag", BY_TRIGGER, EVERY_TRIGGER},
    [XNM_OPTION_SUFFIXES] = {"suffixes", BY_TRIGGER, NAMED | LISTS},
    [XNM_OPTION_SHRINK] = {"shrink", BY_TRIGGER, WITH_FILE},
    [XNM_OPTION_MODE] = {"mode", BY_TRIGGER, LISTS},
    [XNM_OPTION_ORIGIN] = {"origin", RPZ, BIT(XNM_TRIGGER_RPZ)},
    [XNM_OPTION_SKIP] = {"skip", RPZ, BIT(XNM_TRIGGER_RPZ)},
    [XNM_OPTION_ACTION] = {"action", RPZ, BIT(XNM_TRIGGER_RPZ)},
    [XNM_OPTION_EXPIRE] = {"expire", RPZ, BIT(XNM_TRIGGER_RPZ)},
    [XNM_OPTION_URL] = {"url", BY_TRIGGER, WITH_FILE},
    [XNM_OPTION_KEY] = {"key", BY_TRIGGER, LOOKALIKES},
    [XNM_OPTION_TLD] = {"tld", BY_TRIGGER, LOOKALIKES},
    [XNM_OPTION_LABEL] = {"label", BY_TRIGGER, LOOKALIKES},
    [XNM_OPTION_ASCII] = {"ascii", BY_TRIGGER, LOOKALIKES},
    [XNM_OPTION_MIN] = {"min", BY_TRIGGER, LOOKALIKES},
    [XNM_OPTION_NEAR] = {"near", BY_TRIGGER, LOOKALIKES},
    [XNM_OPTION_WITHIN] = {"within", BY_TRIGGER, LOOKALIKES},
    [XNM_OPTION_WORDS] = {"words", BY_TRIGGER, LOOKALIKES},
    [XNM_OPTION_ELSEWHERE] = {"elsewhere", BY_TRIGGER, LOOKALIKES},
    [XNM_OPTION_EXCEPT] = {"except", BY_TRIGGER, LOOKALIKES | BIT(XNM_TRIGGER_WHOLESCRIPT)},
    [XNM_OPTION_CLIENT] = {"client", BY_TRIGGER, EVERY_TRIGGER},
    [XNM_OPTION_WHEN] = {"when", BY_TRIGGER, EVERY_TRIGGER},
};

/* Advice for options that are invalid with an action. */
static const struct {
    xnm_option option;
    unsigned actions;
    const char *hint;
} hints[] = {
    {XNM_OPTION_TYPE, BIT(XNM_NXDOMAIN), "use nodata"},
    {XNM_OPTION_TYPE, BIT(XNM_ANSWER), "write the type before the RDATA"},
    {XNM_OPTION_TYPE, RPZ, "the zone's records have types"},
    {XNM_OPTION_TTL, RPZ, "the zone's records have TTLs"},
};

static const char group_word[] = "group", tag_word[] = "tag";

/* --- actions, triggers and options --- */

const char *xnm_action_word(xnm_action action)
{
    return actions[action].word;
}

const char *xnm_trigger_word(xnm_trigger trigger)
{
    return triggers[trigger].word;
}

const char *xnm_option_word(xnm_option option)
{
    return options[option].word;
}

xnm_argument xnm_ruletable_argument(xnm_action action)
{
    return actions[action].argument;
}

bool xnm_ruletable_has_rdata(xnm_action action)
{
    return actions[action].has_rdata;
}

int xnm_action_ede(xnm_action action)
{
    return actions[action].ede;
}

xnm_subject xnm_ruletable_subject(xnm_trigger trigger)
{
    return triggers[trigger].subject;
}

bool xnm_trigger_is_lookalike(xnm_trigger trigger)
{
    return trigger == XNM_TRIGGER_LOOKALIKE || trigger == XNM_TRIGGER_LOOKALIKES;
}

bool xnm_trigger_is_condition(xnm_trigger trigger)
{
    return trigger >= XNM_TRIGGER_INVALID;
}

bool xnm_trigger_has_path(xnm_trigger trigger)
{
    return triggers[trigger].subject == XNM_SUBJECT_PATH;
}

/* --- combinations --- */

bool xnm_ruletable_trigger_goes(xnm_trigger trigger, xnm_action action)
{
    return triggers[trigger].actions & BIT(action);
}

bool xnm_ruletable_option_has(xnm_option option, xnm_action action)
{
    return options[option].actions & BIT(action);
}

bool xnm_ruletable_option_goes(xnm_option option, xnm_action action, xnm_trigger trigger)
{
    return xnm_ruletable_option_has(option, action) && (options[option].triggers & BIT(trigger)) &&
           xnm_ruletable_trigger_goes(trigger, action);
}

const char *xnm_ruletable_hint(xnm_option option, xnm_action action)
{
    for (size_t i = 0; i < COUNT(hints); i++)
        if (hints[i].option == option && (hints[i].actions & BIT(action)))
            return hints[i].hint;
    return NULL;
}

const char *xnm_ruletable_trigger_hint(xnm_trigger trigger)
{
    return xnm_trigger_is_lookalike(trigger)
               ? "use passthru name or passthru zone (a protected name and all names below it are "
                 "exempt anyway)"
               : NULL;
}

/* --- by word --- */

/* Keywords are never quoted; a name or a path that looks like one can be. */
static bool is_keyword(const struct xnm_word *word, const char *keyword)
{
    return !word->quoted && xnm_word_is(word, keyword);
}

bool xnm_ruletable_find_action(const struct xnm_word *word, xnm_action *action)
{
    for (*action = 0; *action < XNM_ACTION_COUNT; ++*action)
        if (is_keyword(word, actions[*action].word))
            return true;
    return false;
}

bool xnm_ruletable_is_group(const struct xnm_word *word)
{
    return is_keyword(word, group_word);
}

bool xnm_ruletable_is_tag(const struct xnm_word *word)
{
    return is_keyword(word, tag_word);
}

bool xnm_ruletable_find_trigger(const struct xnm_word *word, xnm_trigger *trigger)
{
    for (*trigger = 0; *trigger < XNM_TRIGGER_COUNT; ++*trigger)
        if (is_keyword(word, triggers[*trigger].word))
            return true;
    return false;
}

bool xnm_ruletable_find_option(const char *text, size_t len, xnm_option *option)
{
    for (*option = 0; *option < XNM_OPTION_COUNT; ++*option)
        if (strlen(options[*option].word) == len && memcmp(options[*option].word, text, len) == 0)
            return true;
    return false;
}

/* --- lists for messages --- */

typedef const char *word_of(unsigned n);

enum { RPZ_LAST = XNM_ACTION_COUNT, GROUP_LAST, TAG_LAST };

static const char *action_word(unsigned n)
{
    if (n == GROUP_LAST || n == TAG_LAST)
        return n == GROUP_LAST ? group_word : tag_word;
    return actions[n == RPZ_LAST ? XNM_ACTION_NONE : n].word;
}

static const char *trigger_word(unsigned n)
{
    return triggers[n].word;
}

static const char *option_word(unsigned n)
{
    return options[n].word;
}

/* Lists the words of the set bits, each with `suffix`; `conjunction` joins the last two. */
static const char *list(unsigned bits, word_of *word, const char *suffix, const char *conjunction,
                        char dst[XNM_RULETABLE_LIST_MAX])
{
    size_t len = 0;

    dst[0] = '\0';
    for (unsigned n = 0; bits >> n != 0 && len < XNM_RULETABLE_LIST_MAX; n++) {
        if (!(bits & BIT(n)))
            continue;
        bool last = bits >> n == 1;
        const char *joint = len == 0 ? "" : last ? conjunction : ", ";
        len += (size_t)snprintf(dst + len, XNM_RULETABLE_LIST_MAX - len, "%s%s%s", joint, word(n),
                                suffix);
    }
    return dst;
}

/* Returns the nearest of the set bits' words, the first of several; NULL: none is near, or the text
 * is one of them (in quotes). */
static const char *nearest(unsigned bits, word_of *word, const char *text, size_t len)
{
    struct xn_near near = {.text = text, .len = len, .edits = XN_NEAR_FAR};

    for (unsigned n = 0; bits >> n != 0; n++)
        if (bits & BIT(n))
            xn_near_try(&near, word(n));
    return near.edits == 0 && memcmp(text, near.word, len) == 0 ? NULL : near.word;
}

/* "rpz" comes last in lists, since its form differs. */
static unsigned rpz_last(unsigned bits)
{
    return (bits & ~(unsigned)RPZ) | (bits & RPZ ? BIT(RPZ_LAST) : 0);
}

static unsigned all_actions(void)
{
    return rpz_last(EVERY_ACTION | RPZ) | BIT(GROUP_LAST) | BIT(TAG_LAST);
}

static unsigned triggers_of(xnm_action action)
{
    unsigned bits = 0;

    for (unsigned n = 0; n < XNM_TRIGGER_COUNT; n++)
        if (xnm_ruletable_trigger_goes(n, action))
            bits |= BIT(n);
    return bits;
}

static unsigned options_of(xnm_action action, xnm_trigger trigger)
{
    unsigned bits = 0;

    for (unsigned n = 0; n < XNM_OPTION_COUNT; n++)
        if (xnm_ruletable_option_goes(n, action, trigger))
            bits |= BIT(n);
    return bits;
}

/* Returns the action that other programs call by this word; NULL: none. */
static const char *translate(const struct xnm_word *word)
{
    static const struct {
        const char *theirs, *ours;
    } words[] = {
        {"block", "nxdomain"},     {"deny", "nxdomain"},           {"blacklist", "nxdomain"},
        {"blocklist", "nxdomain"}, {"reject", "refuse"},           {"allow", "passthru"},
        {"permit", "passthru"},    {"whitelist", "passthru"},      {"allowlist", "passthru"},
        {"rewrite", "redirect"},   {"always_nxdomain", "nxdomain"}};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (word->len == strlen(words[i].theirs) &&
            strncasecmp(word->text, words[i].theirs, word->len) == 0)
            return words[i].ours;
    return NULL;
}

const char *xnm_ruletable_near_action(const struct xnm_word *word)
{
    const char *translated = translate(word);

    return translated ? translated : nearest(all_actions(), action_word, word->text, word->len);
}

const char *xnm_ruletable_near_trigger(xnm_action action, const struct xnm_word *word)
{
    return nearest(triggers_of(action), trigger_word, word->text, word->len);
}

const char *xnm_ruletable_near_option(xnm_action action, xnm_trigger trigger, const char *text,
                                      size_t len)
{
    return nearest(options_of(action, trigger), option_word, text, len);
}

const char *xnm_ruletable_list_actions(char dst[XNM_RULETABLE_LIST_MAX])
{
    return list(all_actions(), action_word, "", " or ", dst);
}

const char *xnm_ruletable_list_triggers(xnm_action action, char dst[XNM_RULETABLE_LIST_MAX])
{
    return list(triggers_of(action), trigger_word, "", " or ", dst);
}

const char *xnm_ruletable_list_options(xnm_action action, xnm_trigger trigger,
                                       char dst[XNM_RULETABLE_LIST_MAX])
{
    return list(options_of(action, trigger), option_word, "=", " or ", dst);
}

const char *xnm_ruletable_list_users(xnm_option option, xnm_action action,
                                     char dst[XNM_RULETABLE_LIST_MAX])
{
    if (xnm_ruletable_option_has(option, action))
        return list(options[option].triggers, trigger_word, "", " and ", dst);
    return list(rpz_last(options[option].actions), action_word, "", " and ", dst);
}
