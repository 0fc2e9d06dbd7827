/* SPDX-License-Identifier: BSD-3-Clause */
/* Random names against random policies: what is decided is what the text of "Which rule wins" says,
 * read word by word by a matcher that tries every rule on every name. */
#include "module/base/diagnostics.h"
#include "module/rule/rule.h"
#include "tests/unit/vectors.h"

#include "tests/unit/policyreference.h"
#include "tests/unit/policytext.h"
#include "tests/unit/randomnames.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SETS = 500 }; /* each takes several times as long */
#else
enum { SETS = 2500 };
#endif
enum { NAMES_PER_SET = 40, CHAIN_MAX = 4, ENOUGH = SETS / 10 };

/* Questions that were decided or logged by each: that none is missing. */
static unsigned matched_by[XNM_TRIGGER_COUNT];
static unsigned alike_by[XNM_MATCH_KIND_COUNT];
static unsigned tried, modified, exempted; /* … by lists that are only tried, by entries with
                                              modifiers; left alone because of an exemption */

static const char *const tags[TAG_COUNT] = {"v", "w", "x", "y", "z"};

/* --- what is compared --- */

/* Returns whether the item is an answer for the same trigger as `first`: the answer then has the
 * records of both. */
static bool goes_with(const struct item *item, const struct item *first)
{
    bool written = !xnm_trigger_has_path(first->trigger) && !xnm_trigger_has_path(item->trigger);

    if (item->line != first->line && !written)
        return false;
    return item->action == XNM_ANSWER && item->audience == first->audience &&
           has_same_subject(item, first) && item->type_count == first->type_count &&
           memcmp(item->types, first->types, sizeof item->types) == 0;
}

static unsigned expect_values(const struct set *set, const struct item *first, uint8_t *values)
{
    unsigned count = 0;

    for (unsigned i = 0; i < set->count; i++) {
        const struct item *item = &set->items[i];
        if (item != first && !(first->action == XNM_ANSWER && goes_with(item, first)))
            continue;
        if (has_value(item->action) && !memchr(values, (int)item->value, count))
            values[count++] = (uint8_t)item->value;
    }
    return count;
}

static void compare_answer(const struct set *set, const struct item *item,
                           const struct xnm_policy_answer *answer)
{
    uint8_t values[256];
    unsigned count = expect_values(set, item, values);

    assert_int_equal(answer->action, item->action);
    assert_int_equal(answer->rule->line, item->line);
    assert_int_equal(answer->record_count, count);
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(answer->records[i].rdata[0], values[i]);
}

static void compare_name(const struct hit *hit, const struct xnm_decision *decision)
{
    const struct item *item = hit->item;
    bool label_rule = is_label_rule(item), lookalike = xnm_trigger_is_lookalike(item->trigger);
    struct xnm_wirename name = label_rule ? lower_case(hit->name) : item->name;

    matched_by[item->trigger]++;
    assert_int_equal(decision->target, hit->target);
    if (hit->target > 0) {
        struct xnm_wirename target = lower_case(hit->name);
        assert_int_equal(decision->target_name.len, target.len);
        assert_memory_equal(decision->target_name.octets, target.octets, target.len);
    }
    assert_int_equal(decision->scope, label_rule ? XNM_SCOPE_EXACT : item->scope);
    assert_int_equal(decision->name.len, name.len);
    assert_memory_equal(decision->name.octets, name.octets, name.len);
    assert_int_equal(decision->label, hit->match_kind.label);
    assert_int_equal(decision->lookalike != NULL, lookalike);
    if (!lookalike)
        return;
    assert_int_equal(decision->match_kind, hit->match_kind.how);
    alike_by[decision->match_kind]++;
    assert_int_equal(decision->lookalike->len, item->name.len);
    assert_memory_equal(decision->lookalike->octets, item->name.octets, item->name.len);
}

static void compare(const struct set *set, const struct expected *expected,
                    const struct xnm_policy *policy, const struct xnm_decision *decision)
{
    unsigned logs = expected->log_count;
    uint64_t decided_tags = 0;

    assert_int_equal(decision->answer != NULL, expected->hit.item != NULL);
    if (expected->hit.item) {
        compare_answer(set, expected->hit.item, decision->answer);
        compare_name(&expected->hit, decision);
    } else if (logs > 0) {
        compare_name(&expected->logs[0], decision);
    } else {
        assert_int_equal(decision->name.len, 0);
        assert_null(decision->lookalike);
        assert_int_equal(decision->label, 0);
    }
    if (logs > XNM_DECISION_LOGS_MAX)
        logs = XNM_DECISION_LOGS_MAX;
    assert_int_equal(decision->log_count, logs);
    for (unsigned i = 0; i < logs; i++) {
        assert_int_equal(decision->logs[i].rule->line, expected->logs[i].item->line);
        assert_int_equal(decision->logs[i].action, expected->logs[i].item->action);
        tried += decision->logs[i].action != XNM_LOG;
    }
    for (unsigned n = 0; n < XNM_TAGS_MAX; n++) {
        const char *tag = decision->tags >> n & 1 ? xnm_policy_tag(policy, n) : NULL;
        for (unsigned i = 0; tag && i < TAG_COUNT; i++)
            decided_tags |= (uint64_t)(strcmp(tag, tags[i]) == 0) << i;
    }
    assert_int_equal(decided_tags, expected->tags);
}

/* --- at random --- */

static void add_random_condition(uint64_t *seed, struct item *item)
{
    static const char *const scripts[] = {"Latn", "Cyrl", "Hebr"};
    static struct xnm_wirename tlds[] = {{4, "\2uk"}, {5, "\3com"}};
    unsigned bits = 1 + below(seed, 7);

    if (item->trigger == XNM_TRIGGER_WHOLESCRIPT) {
        item->condition.except = tlds;
        item->condition.except_count = below(seed, 3);
    } else if (item->trigger == XNM_TRIGGER_SCRIPT_LEVEL) {
        item->condition.level = XN_LEVEL_HIGHLY + below(seed, 3);
    } else if (item->trigger == XNM_TRIGGER_SCRIPT) {
        item->condition.outside = below(seed, 2);
        for (unsigned i = 0; i < 3; i++)
            if (bits >> i & 1)
                assert_true(xn_script_set_add(&item->condition.scripts, scripts[i], 4));
    }
}

/* One policy has triggers of all kinds, the next mostly look-alikes and conditions. */
static xnm_trigger random_trigger(uint64_t *seed, bool label_rule)
{
    if (!label_rule || below(seed, 3) == 0)
        return (xnm_trigger)below(seed, XNM_TRIGGER_COUNT);
    return (xnm_trigger)(XNM_TRIGGER_LOOKALIKE + below(seed, 2));
}

static struct item random_rule(uint64_t *seed, bool label_rule, bool for_some)
{
    struct item item = {.trigger = short_rows > 0 ? random_lookalike(seed)
                                                  : random_trigger(seed, label_rule),
                        .tag = below(seed, TAG_COUNT + 1),
                        .value = below(seed, 5)};

    if (for_some && below(seed, 2))
        item.audience = below(seed, COUNT(audiences));
    if (item.trigger != XNM_TRIGGER_RPZ)
        item.action = (xnm_action)(1 + below(seed, XNM_ACTION_COUNT - 1));
    if (item.trigger != XNM_TRIGGER_RPZ && below(seed, 4) == 0) /* zones have no types */
        item.type_count = 1 + below(seed, 3);
    for (unsigned i = 0; i < item.type_count; i++)
        item.types[i] = (uint16_t)(1 + below(seed, 3));
    item.log_only =
        (is_list(item.trigger) || item.trigger == XNM_TRIGGER_RPZ) && below(seed, 4) == 0;
    if (xnm_trigger_is_lookalike(item.trigger))
        item.protection = random_protection(seed);
    if (xnm_trigger_is_condition(item.trigger))
        add_random_condition(seed, &item);
    return item;
}

static char *path_of(const struct item *item, char path[8])
{
    snprintf(path, 8, "l%u", item->line % 100000);
    return path;
}

static bool add_rule(struct xnm_policy_builder *builder, const struct item *item)
{
    uint8_t rdata[1] = {(uint8_t)item->value};
    struct xnm_record record = {.type = 16, .rdata_len = 1, .rdata = rdata};
    char tag[2] = {0}, path[8];
    struct xnm_rule rule = {.action = item->action,
                            .trigger = item->trigger,
                            .file = "rules",
                            .line = item->line,
                            .column = 1,
                            .scope = item->scope,
                            .name = item->name,
                            .type_count = (uint8_t)item->type_count,
                            .path = path_of(item, path),
                            .log_only = item->log_only,
                            .protection = item->protection,
                            .condition = item->condition};

    memcpy(rule.types, item->types, sizeof item->types);
    rule.ede = xnm_action_ede(item->action);
    if (item->tag < TAG_COUNT) {
        tag[0] = tags[item->tag][0];
        rule.tag = tag;
    }
    rule.client = (char *)audiences[item->audience].client;
    rule.when = (char *)audiences[item->audience].when;
    rule.records = has_value(item->action) ? &record : NULL;
    rule.record_count = has_value(item->action) ? 1 : 0;
    return xnm_policy_builder_rule(builder, &rule, NULL);
}

static bool add_entry(struct xnm_policy_builder *builder, const struct item *item)
{
    uint8_t rdata[1] = {(uint8_t)item->value};
    struct xnm_record record = {.type = 16, .rdata_len = 1, .rdata = rdata};
    struct xnm_list_entry entry = {.name = item->name.octets,
                                   .name_len = item->name.len,
                                   .scope = item->scope,
                                   .min = item->min};
    struct xnm_modifiers modifiers = {.exempts = item->exempts,
                                      .strength = (uint8_t)item->strength,
                                      .but_types = item->but_type,
                                      .type_count = item->of_type > 0,
                                      .types = {item->of_type},
                                      .denied = item->denied.octets,
                                      .denied_len = item->denied.len};

    if (item->exempts || item->strength > 0 || item->of_type > 0 || item->denied.len > 0)
        entry.modifiers = &modifiers;
    if (item->trigger == XNM_TRIGGER_RPZ) {
        entry.action = item->action;
        entry.record = has_value(item->action) ? &record : NULL;
    }
    return xnm_policy_builder_entry(builder, &entry);
}

/* Returns whether an earlier item of the zone has the item's owner, a name or a wildcard. An owner
 * with a CNAME has no other records. */
static bool is_owner(const struct set *set, const struct item *item)
{
    const struct xnm_wirename owner = owner_of(item);
    const struct item *other = set->items;
    struct xnm_wirename with = owner_of(other);

    while (other != item && (other->line != item->line || with.len != owner.len ||
                             memcmp(with.octets, owner.octets, owner.len) != 0))
        with = owner_of(++other);
    return other != item;
}

/* Adds modifiers that DNS filter syntax allows. In a list of passthru none is stronger. */
static void add_random_modifiers(uint64_t *seed, struct item *item)
{
    if (item->action != XNM_PASSTHRU) {
        item->exempts = below(seed, 3) == 0;
        item->strength = item->exempts ? below(seed, 2) : 0; /* 0: of a server's configuration */
        item->strength += below(seed, 4) == 0 ? 2 : 0;
    }
    if (below(seed, 4) == 0) {
        item->of_type = (uint16_t)(1 + below(seed, 4));
        item->but_type = below(seed, 2);
    }
    if (below(seed, 3) == 0)
        item->denied = random_below(seed, &item->name, 1 + below(seed, 2));
    for (unsigned i = 0; i < item->denied.len; i++)
        item->denied.octets[i] = (uint8_t)tolower(item->denied.octets[i]);
    if (item->action == XNM_NXDOMAIN && item->of_type > 0 && !item->exempts)
        item->action = XNM_NODATA;
}

/* Long enough for near= and within=, if the rule has one of them, as often as not. */
static struct xnm_wirename random_protected_by(uint64_t *seed, const struct item *rule)
{
    bool parts = rule->protection.near || rule->protection.within;

    return parts && below(seed, 2) ? random_long(seed) : random_protected(seed);
}

static void add_random_list(uint64_t *seed, const struct item *rule, unsigned most, struct set *set,
                            struct xnm_policy_builder *builder)
{
    bool modifies = is_list(rule->trigger) && below(seed, 2);

    for (unsigned left = below(seed, most); left > 0 && set->count < ITEMS_MAX; left--) {
        struct item *item = &set->items[set->count++];
        *item = *rule;
        item->name = rule->trigger == XNM_TRIGGER_LOOKALIKES ? random_protected_by(seed, rule)
                                                             : random_entry(seed);
        item->scope = (xnm_scope)below(seed, 3);
        if (rule->trigger == XNM_TRIGGER_LOOKALIKES)
            item->min = random_min(seed, &item->protection);
        if (modifies && below(seed, 2))
            add_random_modifiers(seed, item);
        if (rule->trigger == XNM_TRIGGER_RPZ && item->scope == XNM_SCOPE_ZONE)
            item->scope = XNM_SCOPE_NONE;
        if (rule->trigger == XNM_TRIGGER_RPZ && is_owner(set, item)) {
            set->count--;
            continue;
        }
        if (rule->trigger == XNM_TRIGGER_RPZ) {
            do
                item->action = (xnm_action)(1 + below(seed, XNM_ACTION_COUNT - 1));
            while (item->action == XNM_LOG || item->action == XNM_REDIRECT);
            item->value = below(seed, 5);
        }
        assert_true(add_entry(builder, item));
    }
}

static struct xnm_policy_builder *new_builder(void)
{
    const struct xnm_policy_settings settings = {.ttl = 60};

    struct xnm_policy_builder *builder = xnm_policy_builder_new(&settings);

    add_groups(builder);
    add_text_sets(builder, random_sets, RANDOM_SETS);
    return builder;
}

static void ignore(void *arg, xnm_severity severity, const struct xnm_place *place,
                   const char *message)
{
    (void)arg, (void)severity, (void)place, (void)message;
}
static const struct xnm_diagnostics silent = {ignore, NULL};

static struct xnm_policy *random_policy(uint64_t *seed, struct set *set, struct item *rules)
{
    struct xnm_policy_builder *builder = new_builder();
    bool large = below(seed, 50) == 0, label_rule = below(seed, 2);
    bool for_some = below(seed, 3) > 0;

    set->count = 0;
    set->lines = below(seed, large ? 60 : 10);
    for (unsigned i = 0; i < set->lines; i++) {
        rules[i] = random_rule(seed, label_rule, for_some);
        rules[i].line = i + 1;
        rules[i].scope =
            rules[i].trigger == XNM_TRIGGER_ZONE ? XNM_SCOPE_ZONE : (xnm_scope)(2 * below(seed, 2));
        rules[i].name = rules[i].trigger == XNM_TRIGGER_LOOKALIKE
                            ? random_protected_by(seed, &rules[i])
                            : random_entry(seed);
        assert_true(add_rule(builder, &rules[i]));
        if (!xnm_trigger_has_path(rules[i].trigger))
            set->items[set->count++] = rules[i];
        else
            add_random_list(seed, &rules[i], large ? 100 : 8, set, builder);
    }
    return xnm_policy_finish(builder, &silent, NULL);
}

/* The same rules, with all lists taken from the other policy. */
static struct xnm_policy *kept_policy(const struct set *set, const struct item *rules,
                                      const struct xnm_policy *from)
{
    struct xnm_policy_builder *builder = new_builder();

    for (unsigned i = 0; i < set->lines; i++) {
        char path[8];
        struct xnm_rule rule = {.trigger = rules[i].trigger, .path = path_of(&rules[i], path)};
        assert_true(add_rule(builder, &rules[i]));
        if (xnm_trigger_has_path(rule.trigger))
            assert_int_equal(keep_text_list(builder, from, &rule),
                             xnm_policy_rule(from, i)->entry_count);
    }
    return xnm_policy_finish(builder, &silent, NULL);
}

/* --- asking --- */

static struct xnm_wirename random_question(uint64_t *seed, const struct set *set)
{
    struct xnm_wirename name;

    if (set->count > 0 && below(seed, 4) > 0)
        name = random_below(seed, &set->items[below(seed, set->count)].name, below(seed, 3));
    else
        name = random_entry(seed);
    if (below(seed, 2))
        name = disguised(seed, &name);
    for (unsigned i = 0; i < name.len; i++) { /* lengths are no letters */
        if (name.octets[i] >= 'a' && name.octets[i] <= 'z' && below(seed, 2))
            name.octets[i] = (uint8_t)(name.octets[i] - 0x20);
    }
    return name;
}

static void ask(const struct set *set, const struct xnm_policy *policy,
                const struct xnm_wirename *names, unsigned count, const struct asked *asked,
                const struct who *who, bool with_others)
{
    static struct set left;
    static struct expected expected;
    struct targets targets = {.names = names, .at = 1, .count = count};
    uint8_t *qname = malloc(names[0].len);
    struct xnm_prefix client;
    struct xnm_question question = {.qname = qname,
                                    .qname_len = names[0].len,
                                    .qtype = asked->qtype,
                                    .qclass = asked->from_a ? 255 : 1,
                                    .from_a = asked->from_a,
                                    .client = client_numbered(who->client, &client),
                                    .time = times[who->time]};
    struct xnm_decision decision;
    bool matched;

    memcpy(qname, names[0].octets, names[0].len);
    rules_for(set, audiences, who, &left);
    expect(&left, names, count, asked, &expected);
    matched = xnm_policy_decide_answer(policy, &question, next_target, &targets, &decision);
    assert_int_equal(matched, expected.hit.item || expected.log_count > 0);
    compare(&left, &expected, policy, &decision);
    modified +=
        expected.hit.item && (expected.hit.item->strength > 0 || expected.hit.item->of_type > 0 ||
                              expected.hit.item->denied.len > 0);
    for (unsigned i = 0; i < left.count && !matched; i++)
        if (left.items[i].exempts && matches(&left.items[i], &names[0], asked)) {
            exempted++;
            break;
        }
    if (with_others) {
        struct others others = find_others(set, &expected, names, count, asked);
        compare_others(&others, &decision);
    }
    free(targets.exact);
    free(qname);
}

static struct asked random_asked(uint64_t *seed)
{
    uint16_t qtype = (uint16_t)(1 + below(seed, 5));

    return (struct asked){.qtype = qtype == 5 ? 255 : qtype, .from_a = below(seed, 4) == 0};
}

static void ask_random(uint64_t seed, unsigned sets)
{
    static struct set set;
    static struct item rules[64];

    set_times();
    set.unicode = text_unicode();
    for (unsigned number = 0; number < sets; number++) {
        struct xnm_policy *policy = random_policy(&seed, &set, rules);
        struct xnm_policy *kept = kept_policy(&set, rules, policy);
        for (unsigned i = 0; i < NAMES_PER_SET; i++) {
            struct xnm_wirename names[CHAIN_MAX];
            unsigned count = below(&seed, 2) ? 1 : 1 + below(&seed, CHAIN_MAX);
            const struct asked asked = random_asked(&seed);
            for (unsigned n = 0; n < count; n++)
                names[n] = random_question(&seed, &set);
            const struct who who = {below(&seed, CLIENTS), below(&seed, TIMES)};
            ask(&set, policy, names, count, &asked, &who, i % 10 == 0);
            ask(&set, kept, names, count, &asked, &who, false);
        }
        xnm_policy_free(kept);
        xnm_policy_free(policy);
    }
}

TEST(test_property, "questions to random policies")
{
    short_rows = 0;
    ask_random(0x5eed1, SETS);
    for (unsigned i = 0; i < XNM_TRIGGER_COUNT; i++)
        assert_true(matched_by[i] > ENOUGH);
    for (unsigned i = 0; i < XNM_MATCH_KIND_COUNT; i++)
        assert_true(alike_by[i] > ENOUGH / 2);
    assert_true(tried > ENOUGH && modified > ENOUGH && exempted > ENOUGH);
    assert_true(personal > ENOUGH && shared > 20 * ENOUGH && shared_with_some > ENOUGH / 5);
}

/* Look-alike rules alone, and labels of four and five characters. */
TEST(test_lookalikes, "questions to random look-alike rules")
{
    unsigned near = alike_by[XNM_MATCH_KIND_NEAR], within = alike_by[XNM_MATCH_KIND_WITHIN];

    short_rows = SHORT_ROWS;
    ask_random(0x1abe1, SETS / 10);
    assert_true(alike_by[XNM_MATCH_KIND_NEAR] - near > ENOUGH / 4);
    assert_true(alike_by[XNM_MATCH_KIND_WITHIN] - within > ENOUGH / 10);
}

TEST_MAIN
