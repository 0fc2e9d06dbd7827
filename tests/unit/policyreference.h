/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the rule that wins, as the design words it, by trying every rule on every name: slow, and
 * sharing nothing with the policy except its structs. */
#ifndef XN_TESTS_UNIT_POLICYREFERENCE_H
#define XN_TESTS_UNIT_POLICYREFERENCE_H

#include "module/build/build.h"
#include "module/build/clientset.h"
#include "module/policy/data.h"
#include "tests/unit/labelreference.h"

#include <ctype.h>
#include <stdlib.h>

enum { ITEMS_MAX = 4096, TAG_COUNT = 5 };

/* --- a policy as a list of what can match --- */

struct item {
    unsigned line; /* of its rule, from 1 */
    xnm_trigger trigger;
    xnm_action action;
    xnm_scope scope;
    struct xnm_wirename name;
    uint16_t types[3];
    unsigned type_count;
    struct xnm_protection protection; /* with the entry's own min= */
    uint8_t min;                      /* … 0: it has none */
    struct xnm_condition condition;   /* `except` is not owned */
    unsigned tag;                     /* TAG_COUNT: none */
    bool log_only;                    /* its line is only tried */
    bool exempts;                     /* of a list, as are these: */
    unsigned strength;                /* "exceptions beat, $important beats exceptions" */
    uint16_t of_type;                 /* $dnstype=; 0: all */
    bool but_type;                    /* … except this one */
    struct xnm_wirename denied;       /* $denyallow=; len 0: none */
    unsigned value;                   /* of an answer: last octet of its address */
    unsigned audience;                /* number from 1; 0: everybody, always */
};

struct set {
    const struct xn_unicode *unicode;
    struct item items[ITEMS_MAX];
    unsigned count, lines;
};

static inline bool is_list(xnm_trigger trigger)
{
    return trigger == XNM_TRIGGER_NAMES || trigger == XNM_TRIGGER_ZONES;
}

/* A look-alike or a condition. */
static inline bool is_label_rule(const struct item *item)
{
    return xnm_trigger_is_lookalike(item->trigger) || xnm_trigger_is_condition(item->trigger);
}

static inline bool has_value(xnm_action action)
{
    return action == XNM_ANSWER || action == XNM_REDIRECT || action == XNM_CNAME;
}

/* --- whom rules are for --- */

/* Who asks when, as numbers of a test. */
struct who {
    unsigned client, time;
};

/* The clients and times that a rule is for. Bit n: the n-th client, or time, is one of them. */
struct audience {
    const char *client, *when; /* as rules have them */
    unsigned clients, times;
};

/* "As if that line were not there". */
static inline void rules_for(const struct set *set, const struct audience *audiences,
                             const struct who *who, struct set *left)
{
    left->unicode = set->unicode;
    left->lines = set->lines;
    left->count = 0;
    for (unsigned i = 0; i < set->count; i++) {
        const struct audience *audience = &audiences[set->items[i].audience];
        if (audience->clients >> who->client & audience->times >> who->time & 1)
            left->items[left->count++] = set->items[i];
    }
}

/* --- the matcher --- */

/* Offsets of a name's labels. */
static inline unsigned labels_of(const struct xnm_wirename *name, unsigned *at)
{
    unsigned count = 0;

    for (unsigned i = 0; name->octets[i] != 0; i += name->octets[i] + 1U)
        at[count++] = i;
    return count;
}

static inline bool same_label(const uint8_t *a, const uint8_t *b)
{
    for (unsigned i = 0; i <= a[0]; i++) {
        if (tolower(a[i]) != tolower(b[i]))
            return false;
    }
    return true;
}

/* Returns how many labels `name` has left of `end`; -1: it does not end with that. */
static inline int labels_before(const struct xnm_wirename *name, const struct xnm_wirename *end)
{
    unsigned name_at[128], end_at[128];
    unsigned name_count = labels_of(name, name_at), end_count = labels_of(end, end_at);

    if (name_count < end_count)
        return -1;
    for (unsigned i = 1; i <= end_count; i++) {
        if (!same_label(name->octets + name_at[name_count - i],
                        end->octets + end_at[end_count - i]))
            return -1;
    }
    return (int)(name_count - end_count);
}

/* Returns whether two items match the same names. */
static inline bool has_same_subject(const struct item *a, const struct item *b)
{
    const struct xnm_protection *p = &a->protection, *q = &b->protection;
    const struct xnm_condition *c = &a->condition, *d = &b->condition;

    if (!is_label_rule(a))
        return !is_label_rule(b) && a->scope == b->scope && a->name.len == b->name.len &&
               labels_before(&a->name, &b->name) == 0;
    if (a->trigger != b->trigger)
        return false;
    if (xnm_trigger_is_lookalike(a->trigger))
        return a->name.len == b->name.len && labels_before(&a->name, &b->name) == 0 &&
               p->key == q->key && p->ascii == q->ascii && p->min == q->min &&
               p->any_tld == q->any_tld && p->any_label == q->any_label && p->near == q->near &&
               p->within == q->within && p->elsewhere == q->elsewhere && p->words == q->words;
    return memcmp(&c->scripts, &d->scripts, sizeof c->scripts) == 0 && c->outside == d->outside &&
           c->level == d->level && c->except_count == d->except_count;
}

/* A question, and the rules that it is asked of. */
struct asked {
    uint16_t qtype;
    bool from_a;
    bool without_tcp_only; /* as if there were none */
};

/* "A query for ANY is one for all types", as an answer made of A records is one for A; but "a
 * passthru must list" what it exempts. */
static inline bool has_type(const struct item *item, const struct asked *asked)
{
    bool has = item->type_count == 0;

    if (asked->without_tcp_only && item->action == XNM_TCP_ONLY)
        return false;
    for (unsigned i = 0; i < item->type_count; i++) {
        has |= item->types[i] == asked->qtype;
        if (item->action != XNM_PASSTHRU)
            has |= asked->qtype == 255 || (asked->from_a && item->types[i] == 1);
    }
    return has;
}

/* "$dnstype=value1 … ~value1", and for ANY as above. */
static inline bool has_modified_type(const struct item *item, const struct asked *asked)
{
    bool any = asked->qtype == 255, same = item->of_type == asked->qtype;
    bool exempts = item->exempts || item->action == XNM_PASSTHRU;

    if (item->of_type == 0)
        return true;
    if (item->but_type && exempts)
        return !same && !any;
    if (item->but_type)
        return !same || (asked->from_a && item->of_type != 1);
    return same || (!exempts && (any || (asked->from_a && item->of_type == 1)));
}

static inline bool matches(const struct item *item, const struct xnm_wirename *name,
                           const struct asked *asked)
{
    int before = labels_before(name, &item->name);

    if (is_label_rule(item) || !has_type(item, asked) || before < 0)
        return false;
    if (!has_modified_type(item, asked) ||
        (item->denied.len > 0 && labels_before(name, &item->denied) >= 0))
        return false;
    if (item->scope == XNM_SCOPE_EXACT)
        return before == 0;
    if (item->scope == XNM_SCOPE_NONE)
        return false;
    return item->scope == XNM_SCOPE_ZONE || before > 0;
}

/* The owner that a zone has for an item: `*.` before the name of what is below it, if that is not
 * too long for one. */
static inline struct xnm_wirename owner_of(const struct item *item)
{
    struct xnm_wirename owner = item->name;

    if (item->scope == XNM_SCOPE_BELOW && owner.len <= XN_WIRE_NAME_MAX - 2) {
        memmove(owner.octets + 2, owner.octets, owner.len);
        memcpy(owner.octets, "\001*", 2);
        owner.len = (uint8_t)(owner.len + 2);
    }
    return owner;
}

/* Returns whether the zone of an item has the name, or one below it. */
static inline bool exists_beside(const struct set *set, const struct item *item,
                                 const struct xnm_wirename *name)
{
    for (unsigned i = 0; i < set->count; i++) {
        struct xnm_wirename owner = owner_of(&set->items[i]);
        if (set->items[i].line == item->line && labels_before(&owner, name) >= 0)
            return true;
    }
    return name->len == 1;
}

/* RFC 4592, section 3.3.1: "the closest encloser is the node in the zone's tree of existing domain
 * names that has the most labels matching the query name", and the source of synthesis is `*.`
 * there. A name that exists has none. */
static inline bool is_synthesized(const struct set *set, const struct item *item,
                                  const struct xnm_wirename *name)
{
    struct xnm_wirename encloser = *name, owner = owner_of(item);

    if (exists_beside(set, item, name))
        return labels_before(name, &owner) == 0;
    do {
        encloser.len = (uint8_t)(encloser.len - encloser.octets[0] - 1);
        memmove(encloser.octets, name->octets + name->len - encloser.len, encloser.len);
    } while (!exists_beside(set, item, &encloser));
    return labels_before(&encloser, &item->name) == 0;
}

/* Returns whether the item only logs. */
static inline bool is_quiet(const struct item *item)
{
    return item->action == XNM_LOG || item->log_only;
}

/* "Rules written in rule files, and every `passthru` list". */
static inline bool in_tier_1(const struct item *item)
{
    if (is_quiet(item) || item->trigger == XNM_TRIGGER_RPZ || is_label_rule(item))
        return false;
    return !is_list(item->trigger) || item->action == XNM_PASSTHRU;
}

static inline bool in_tier_2(const struct item *item)
{
    return !is_quiet(item) && !is_label_rule(item) && !in_tier_1(item);
}

/* "exact over `*.` and zone, longer over shorter": 1 a, -1 b, 0 equals. */
static inline int longer(const struct item *a, const struct item *b)
{
    if ((a->scope == XNM_SCOPE_EXACT) != (b->scope == XNM_SCOPE_EXACT))
        return a->scope == XNM_SCOPE_EXACT ? 1 : -1;
    return (a->name.len > b->name.len) - (a->name.len < b->name.len);
}

/* "between equals `passthru`, else the earlier line": items are in the order of lines. */
static inline const struct item *
decide_tier_1(const struct set *set, const struct xnm_wirename *name, const struct asked *asked)
{
    const struct item *best = NULL;

    for (unsigned i = 0; i < set->count; i++) {
        const struct item *item = &set->items[i];
        if (!in_tier_1(item) || !matches(item, name, asked))
            continue;
        if (!best || longer(item, best) > 0)
            best = item;
        else if (longer(item, best) == 0 && item->action == XNM_PASSTHRU &&
                 best->action != XNM_PASSTHRU)
            best = item;
    }
    return best;
}

/* "Exceptions beat, $important beats exceptions"; of equal ones the longer. */
static inline int stronger(const struct item *a, const struct item *b)
{
    if (a->strength != b->strength)
        return a->strength > b->strength ? 1 : -1;
    return longer(a, b);
}

/* The item that decides in a list or zone, if any: an exemption has none decide. */
static inline const struct item *decide_in_list(const struct set *set, unsigned line,
                                                const struct xnm_wirename *name,
                                                const struct asked *asked)
{
    const struct item *best = NULL;

    for (unsigned i = 0; i < set->count; i++) {
        const struct item *item = &set->items[i];
        if (item->line != line || is_label_rule(item) || !matches(item, name, asked) ||
            (item->trigger == XNM_TRIGGER_RPZ && item->scope == XNM_SCOPE_BELOW &&
             !is_synthesized(set, item, name)))
            continue;
        if (!best || stronger(item, best) > 0)
            best = item;
    }
    return best && best->exempts ? NULL : best;
}

/* "Lists in file order; the first list with a match decides, inside it the longest"; where that
 * is tcp-only, "there is no rest" of it. */
static inline const struct item *
decide_tier_2(const struct set *set, const struct xnm_wirename *name, const struct asked *asked)
{
    const struct asked all = {asked->qtype, asked->from_a, false};

    for (unsigned line = 1; line <= set->lines; line++) {
        const struct item *best = decide_in_list(set, line, name, &all);
        if (best && in_tier_2(best) && !(asked->without_tcp_only && best->action == XNM_TCP_ONLY))
            return best;
    }
    return NULL;
}

/* "A protected name of any look-alike rule and all below it". */
static inline bool is_exempt(const struct set *set, const struct xnm_wirename *name)
{
    for (unsigned i = 0; i < set->count; i++)
        if (xnm_trigger_is_lookalike(set->items[i].trigger) &&
            labels_before(name, &set->items[i].name) >= 0)
            return true;
    return false;
}

static inline struct xnm_wirename lower_case(const struct xnm_wirename *name)
{
    struct xnm_wirename lower = {.len = name->len};

    for (unsigned i = 0; i < name->len; i++)
        lower.octets[i] = (uint8_t)tolower(name->octets[i]);
    return lower;
}

/* Tells how a label rule's item matches a name, which is a target or not. */
static inline struct match_kind match_label_rule(const struct set *set, const struct item *item,
                                                 const struct xnm_wirename *name,
                                                 const struct asked *asked, unsigned target)
{
    struct xnm_wirename lower = lower_case(name);

    if (!has_type(item, asked))
        return (struct match_kind){0};
    if (xnm_trigger_is_lookalike(item->trigger))
        return is_exempt(set, name) ? (struct match_kind){0}
                                    : kind_of(&item->protection, &item->name, &lower);
    return target > 0 ? (struct match_kind){0}
                      : condition_of(set->unicode, item->trigger, &item->condition, &lower);
}

/* --- what is expected --- */

/* An item that matched, and the name that it did. */
struct hit {
    const struct item *item;
    unsigned target;
    const struct xnm_wirename *name;
    struct match_kind match_kind;
};

struct expected {
    struct hit hit; /* that decides; item NULL: none */
    uint64_t tags;
    struct hit logs[ITEMS_MAX]; /* the best item of each line, on the first name */
    unsigned log_count;
};

/* "In file order, first match decides"; of one line's items the best. */
static inline struct hit decide_tier_3(const struct set *set, const struct xnm_wirename *name,
                                       const struct asked *asked, unsigned target)
{
    struct hit best = {.target = target, .name = name};

    for (unsigned i = 0; i < set->count; i++) {
        const struct item *item = &set->items[i];
        if (!is_label_rule(item) || item->action == XNM_LOG)
            continue;
        if (best.item && best.item->line != item->line)
            break;
        struct match_kind found = match_label_rule(set, item, name, asked, target);
        if (is_better(&found, &best.match_kind)) {
            best.item = item;
            best.match_kind = found;
        }
    }
    return best;
}

/* "Name triggers, then conditions", each by their lines. */
static inline bool logs_before(const struct item *a, const struct item *b)
{
    return is_label_rule(a) == is_label_rule(b) ? a->line < b->line : is_label_rule(b);
}

static inline void expect_log(const struct hit *hit, struct expected *expected)
{
    struct hit *log;
    unsigned at = 0;

    if (hit->item->tag < TAG_COUNT)
        expected->tags |= 1ULL << hit->item->tag;
    while (at < expected->log_count && logs_before(expected->logs[at].item, hit->item))
        at++;
    log = &expected->logs[at];
    if (at == expected->log_count || log->item->line != hit->item->line) {
        memmove(log + 1, log, (expected->log_count++ - at) * sizeof *log);
        *log = *hit;
    } else if (log->target == hit->target &&
               (is_label_rule(hit->item) ? is_better(&hit->match_kind, &log->match_kind)
                                         : longer(hit->item, log->item) > 0)) {
        *log = *hit;
    }
}

static inline void expect_logs(const struct set *set, const struct xnm_wirename *name,
                               const struct asked *asked, unsigned target, bool passed,
                               struct expected *expected)
{
    for (unsigned i = 0; i < set->count; i++) {
        struct hit hit = {.item = &set->items[i], .target = target, .name = name};
        if (!is_quiet(hit.item))
            continue;
        if (!is_label_rule(hit.item) && xnm_trigger_has_path(hit.item->trigger) &&
            decide_in_list(set, hit.item->line, name, asked) != hit.item)
            continue;
        if (is_label_rule(hit.item) && !passed)
            hit.match_kind = match_label_rule(set, hit.item, name, asked, target);
        if (hit.match_kind.label > 0 || matches(hit.item, name, asked))
            expect_log(&hit, expected);
    }
}

static inline struct hit decide_one(const struct set *set, const struct xnm_wirename *name,
                                    const struct asked *asked, unsigned target)
{
    struct hit hit = {.target = target, .name = name};

    hit.item = decide_tier_1(set, name, asked);
    if (!hit.item)
        hit.item = decide_tier_2(set, name, asked);
    return hit.item ? hit : decide_tier_3(set, name, asked, target);
}

static inline bool is_action(const struct hit *hit, xnm_action action)
{
    return hit->item && hit->item->action == action;
}

/* The rest decides as if there were no tcp-only rule, and where it refuses the name, that is the
 * decision. Otherwise tcp-only decides, unless a passthru rule precedes it. */
static inline void expect_hits(const struct set *set, const struct xnm_wirename *names,
                               unsigned count, const struct asked *asked, struct expected *expected)
{
    const struct asked rest = {asked->qtype, asked->from_a, true};

    expected->hit = (struct hit){.item = NULL};
    expected->tags = 0;
    expected->log_count = 0;
    for (unsigned target = 0; target < count; target++) {
        struct hit without = decide_one(set, &names[target], &rest, target);
        struct hit with = decide_one(set, &names[target], asked, target);
        bool passed = is_action(&without, XNM_PASSTHRU) && !is_label_rule(without.item);
        bool refused = without.item && without.item->action != XNM_PASSTHRU;
        expect_logs(set, &names[target], asked, target, passed, expected);
        if (refused)
            expected->hit = without;
        else if (is_action(&with, XNM_TCP_ONLY) && !is_action(&expected->hit, XNM_TCP_ONLY))
            expected->hit = with;
        else if (is_action(&with, XNM_PASSTHRU) && !expected->hit.item)
            expected->hit = with;
        if (refused || (target == 0 && is_action(&without, XNM_PASSTHRU)))
            return;
    }
}

/* The rule that decides adds its tag to those of the log rules. */
static inline void expect(const struct set *set, const struct xnm_wirename *names, unsigned count,
                          const struct asked *asked, struct expected *expected)
{
    expect_hits(set, names, count, asked, expected);
    if (expected->hit.item && expected->hit.item->tag < TAG_COUNT)
        expected->tags |= 1ULL << expected->hit.item->tag;
}

static const struct {
    const char *group, *prefix;
} groups[] = {{"kids", "192.0.2.0/24"},
              {"kids", "2001:db8:1::/64"},
              {"staff", "198.51.100.0/25"},
              {"staff", "192.0.2.128/25"}};

/* The first is an unknown client. */
static const char *const clients[] = {NULL,           "192.0.2.7",     "192.0.2.200",
                                      "198.51.100.9", "2001:db8:1::5", "::ffff:192.0.2.7",
                                      "203.0.113.1"};
enum { CLIENTS = COUNT(clients), TIMES = 4, EVERY = 0xFF };
static time_t times[TIMES]; /* Mon 10:00, Fri 23:30, Sat 05:59, Sun 12:00 */

/* The bits are worked out by hand. */
static const struct audience audiences[] = {
    {NULL, NULL, EVERY, EVERY},
    {"kids", NULL, 0x36, EVERY},
    {"!staff", NULL, 0x72, EVERY},
    {"192.0.2.7", NULL, 0x22, EVERY},
    {"!192.0.2.7,kids", NULL, 0x14, EVERY},
    {NULL, "Mon-Fri/08:00-16:00", EVERY, 0x1},
    {NULL, "Fri/22:00-06:00", EVERY, 0x6},
    {"kids", "Sat-Sun", 0x36, 0xC},
    {"staff", NULL, 0x0C, EVERY},
    {"!kids,staff", "22:00-06:00,Mon", 0x08, 0x7},
};

static inline const struct xnm_prefix *client_numbered(unsigned number, struct xnm_prefix *client)
{
    const char *text = clients[number];
    struct xnm_client address;

    if (!text)
        return NULL;
    assert_true(xnm_client_read(text, strlen(text), &address));
    *client = xnm_prefix_whole(&address);
    return client;
}

static inline void add_groups(struct xnm_policy_builder *builder)
{
    for (size_t i = 0; i < COUNT(groups); i += 2) {
        struct xnm_prefix prefixes[2];
        for (size_t n = 0; n < 2; n++)
            assert_null(
                xnm_prefix_read(groups[i + n].prefix, strlen(groups[i + n].prefix), &prefixes[n]));
        /* One prefix in a rule file, and one in a file of its own. */
        assert_true(xnm_clientset_add(xnm_policy_builder_policy(builder), groups[i].group, NULL,
                                      prefixes, 1));
        assert_true(xnm_clientset_add(xnm_policy_builder_policy(builder), groups[i].group, "f",
                                      prefixes + 1, 1));
    }
}

static inline void set_times(void)
{
    static const struct tm days[TIMES] = {{.tm_mday = 23, .tm_hour = 10},
                                          {.tm_mday = 27, .tm_hour = 23, .tm_min = 30},
                                          {.tm_mday = 28, .tm_hour = 5, .tm_min = 59},
                                          {.tm_mday = 29, .tm_hour = 12}};

    setenv("TZ", "XXX-2", 1);
    for (unsigned i = 0; i < TIMES; i++) {
        struct tm day = days[i];
        day.tm_year = 126;
        day.tm_mon = 10;
        times[i] = mktime(&day);
    }
}

/* Whether others get another answer, or another log line, for the same question. */
struct others {
    bool answer, decision;
};

static inline bool same_answer(const struct hit *a, const struct hit *b)
{
    const struct item *x = is_action(a, XNM_PASSTHRU) ? NULL : a->item;
    const struct item *y = is_action(b, XNM_PASSTHRU) ? NULL : b->item;

    return x && y ? x->line == y->line && x->value == y->value && a->target == b->target : x == y;
}

static inline struct others find_others(const struct set *set, const struct expected *expected,
                                        const struct xnm_wirename *names, unsigned count,
                                        const struct asked *asked)
{
    static struct set left;
    static struct expected of_other;
    struct others others = {false, false};

    for (unsigned n = 0; n < CLIENTS * TIMES; n++) {
        rules_for(set, audiences, &(struct who){n % CLIENTS, n / CLIENTS}, &left);
        expect(&left, names, count, asked, &of_other);
        others.answer |= !same_answer(&of_other.hit, &expected->hit);
        others.decision |= others.answer || of_other.tags != expected->tags ||
                           of_other.log_count != expected->log_count ||
                           !of_other.hit.item != !expected->hit.item;
    }
    return others;
}

/* Questions whose answer others do not get; is everybody's, and said to be; is so with rules that
 * are for some. */
static unsigned personal, shared, shared_with_some;

static inline void compare_others(const struct others *others, const struct xnm_decision *decision)
{
    if (others->answer)
        assert_true(decision->specific_answer);
    if (others->decision)
        assert_true(decision->specific_decision);
    assert_true(decision->specific_decision || !decision->specific_answer);
    personal += others->answer;
    shared += !others->answer && !decision->specific_answer;
    shared_with_some += decision->specific_decision && !decision->specific_answer;
}

#endif
