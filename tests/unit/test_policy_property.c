/* SPDX-License-Identifier: BSD-3-Clause */
/* Random names against random policies: what is decided is what the text of "Which rule wins" says,
 * read word by word by a matcher that tries every rule on every name. */
#include "tests/unit/vectors.h"

#include "tests/unit/policyreference.h"
#include "tests/unit/policytext.h"

enum { SETS = 2500, NAMES_PER_SET = 40, CHAIN_MAX = 4 };

static const char *const tags[TAG_COUNT] = {"v", "w", "x", "y", "z"};

/* --- what is compared --- */

/* Is it an answer for the same trigger, the records of which are given together? */
static bool goes_with(const struct item *item, const struct item *first)
{
    bool written = !is_list(first->trigger) && first->trigger != XNM_TRIGGER_RPZ;
    bool item_written = !is_list(item->trigger) && item->trigger != XNM_TRIGGER_RPZ;

    if (item->line != first->line && !(written && item_written))
        return false;
    return item->action == XNM_ANSWER && item->scope == first->scope &&
           item->name.len == first->name.len && labels_before(&item->name, &first->name) == 0 &&
           item->type_count == first->type_count &&
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

static void compare_verdict(const struct set *set, const struct item *item,
                            const struct xnm_verdict *verdict)
{
    uint8_t values[256];
    unsigned count = expect_values(set, item, values);

    assert_int_equal(verdict->action, item->action);
    assert_int_equal(verdict->rule->line, item->line);
    assert_int_equal(verdict->record_count, count);
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(verdict->records[i].rdata[0], values[i]);
}

static void compare_name(const struct item *item, unsigned target,
                         const struct xnm_decision *decision)
{
    assert_int_equal(decision->target, target);
    assert_int_equal(decision->scope, item->scope);
    assert_int_equal(decision->name.len, item->name.len);
    assert_memory_equal(decision->name.octets, item->name.octets, item->name.len);
}

static void compare(const struct set *set, const struct expected *expected,
                    const struct xnm_policy *policy, const struct xnm_decision *decision)
{
    unsigned logs = expected->log_count;
    uint64_t decided_tags = 0;

    assert_int_equal(decision->verdict != NULL, expected->item != NULL);
    if (expected->item) {
        compare_verdict(set, expected->item, decision->verdict);
        compare_name(expected->item, expected->target, decision);
    } else if (logs > 0) {
        compare_name(expected->logs[0], expected->log_targets[0], decision);
    } else {
        assert_int_equal(decision->name.len, 0);
    }
    if (logs > XNM_DECISION_LOGS_MAX)
        logs = XNM_DECISION_LOGS_MAX;
    assert_int_equal(decision->log_count, logs);
    for (unsigned i = 0; i < logs; i++) {
        assert_int_equal(decision->logs[i]->rule->line, expected->logs[i]->line);
        assert_int_equal(decision->logs[i]->action, XNM_LOG);
    }
    for (unsigned n = 0; n < XNM_TAGS_MAX; n++) {
        const char *tag = decision->tags >> n & 1 ? xnm_policy_tag(policy, n) : NULL;
        for (unsigned i = 0; tag && i < TAG_COUNT; i++)
            decided_tags |= (uint64_t)(strcmp(tag, tags[i]) == 0) << i;
    }
    assert_int_equal(decided_tags, expected->tags);
}

/* --- at random --- */

static void prepend_label(struct xnm_wirename *name, const char *label, size_t len)
{
    if (name->len + len + 1 > XN_WIRE_NAME_MAX)
        return;
    memmove(name->octets + len + 1, name->octets, name->len);
    name->octets[0] = (uint8_t)len;
    memcpy(name->octets + 1, label, len);
    name->len = (uint8_t)(name->len + len + 1);
}

/* Few labels, so that names meet; some have every octet, and lengths at the limits. */
static void prepend_random_label(uint64_t *seed, struct xnm_wirename *name)
{
    static const char *const words[] = {"a", "b", "c", "ab", "xn--e1afmkfd", "example", "@`[{"};
    char label[63];

    if (below(seed, 40) > 0) {
        const char *word = words[below(seed, sizeof words / sizeof *words)];
        prepend_label(name, word, strlen(word));
        return;
    }
    for (unsigned i = 0; i < sizeof label; i++)
        label[i] = (char)("a\0\x01?z\x7F\x80\xFF"[below(seed, 8)]);
    prepend_label(name, label, below(seed, 2) ? 63 : 1 + below(seed, 40));
}

static struct xnm_wirename random_below(uint64_t *seed, const struct xnm_wirename *end,
                                        unsigned labels)
{
    struct xnm_wirename name = *end;

    while (labels-- > 0)
        prepend_random_label(seed, &name);
    return name;
}

static struct xnm_wirename random_entry(uint64_t *seed)
{
    const struct xnm_wirename root = {1, {0}};
    struct xnm_wirename name = random_below(seed, &root, below(seed, 5));

    if (below(seed, 50) == 0) {
        name = root;
        for (unsigned left = 120 + below(seed, 8); left > 0; left--)
            prepend_label(&name, "a", 1);
    }
    return name;
}

static struct item random_rule(uint64_t *seed)
{
    struct item item = {.trigger = (xnm_trigger)below(seed, XNM_TRIGGER_COUNT),
                        .tag = below(seed, TAG_COUNT + 1),
                        .value = below(seed, 5)};

    if (item.trigger != XNM_TRIGGER_RPZ)
        item.action = (xnm_action)(1 + below(seed, XNM_ACTION_COUNT - 1));
    if (below(seed, 4) == 0)
        item.type_count = 1 + below(seed, 3);
    for (unsigned i = 0; i < item.type_count; i++)
        item.types[i] = (uint16_t)(1 + below(seed, 3));
    return item;
}

static bool add_rule(struct xnm_policy_builder *builder, const struct item *item)
{
    uint8_t rdata[1] = {(uint8_t)item->value};
    struct xnm_record record = {.type = 16, .rdata_len = 1, .rdata = rdata};
    char tag[2] = {0}, path[] = "list";
    struct xnm_rule rule = {.action = item->action,
                            .trigger = item->trigger,
                            .file = "rules",
                            .line = item->line,
                            .column = 1,
                            .scope = item->scope,
                            .name = item->name,
                            .type_count = (uint8_t)item->type_count,
                            .path = path};

    path[0] = (char)('A' + item->line % 64); /* keep_feed finds a feed by it */
    path[1] = (char)('A' + item->line / 64);
    memcpy(rule.types, item->types, sizeof item->types);
    rule.ede = xnm_action_ede(item->action);
    if (item->action == XNM_LOG && item->tag < TAG_COUNT) {
        tag[0] = tags[item->tag][0];
        rule.tag = tag;
    }
    rule.records = has_value(item->action) ? &record : NULL;
    rule.record_count = has_value(item->action) ? 1 : 0;
    return xnm_policy_builder_rule(builder, &rule, NULL);
}

static bool add_entry(struct xnm_policy_builder *builder, const struct item *item)
{
    uint8_t rdata[1] = {(uint8_t)item->value};
    struct xnm_record record = {.type = 16, .rdata_len = 1, .rdata = rdata};
    struct xnm_feed_entry entry = {
        .name = item->name.octets, .name_len = item->name.len, .scope = item->scope};

    if (item->trigger == XNM_TRIGGER_RPZ) {
        entry.action = item->action;
        entry.record = has_value(item->action) ? &record : NULL;
    }
    return xnm_policy_builder_entry(builder, &entry);
}

static void add_random_feed(uint64_t *seed, const struct item *rule, unsigned most, struct set *set,
                            struct xnm_policy_builder *builder)
{
    for (unsigned left = below(seed, most); left > 0 && set->count < ITEMS_MAX; left--) {
        struct item *item = &set->items[set->count++];
        *item = *rule;
        item->name = random_entry(seed);
        item->scope = (xnm_scope)below(seed, 3);
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

    return xnm_policy_builder_new(&settings);
}

static void ignore(void *arg, xnm_severity severity, const struct xnm_place *place,
                   const char *message)
{
    (void)arg, (void)severity, (void)place, (void)message;
}
static const struct xnm_reporter silent = {ignore, NULL};

static struct xnm_policy *random_policy(uint64_t *seed, struct set *set, struct item *rules)
{
    struct xnm_policy_builder *builder = new_builder();
    bool large = below(seed, 50) == 0;

    set->count = 0;
    set->lines = below(seed, large ? 60 : 10);
    for (unsigned i = 0; i < set->lines; i++) {
        rules[i] = random_rule(seed);
        rules[i].line = i + 1;
        rules[i].scope =
            rules[i].trigger == XNM_TRIGGER_ZONE ? XNM_SCOPE_ZONE : (xnm_scope)(2 * below(seed, 2));
        rules[i].name = random_entry(seed);
        assert_true(add_rule(builder, &rules[i]));
        if (rules[i].trigger == XNM_TRIGGER_NAME || rules[i].trigger == XNM_TRIGGER_ZONE)
            set->items[set->count++] = rules[i];
        else
            add_random_feed(seed, &rules[i], large ? 100 : 8, set, builder);
    }
    return xnm_policy_finish(builder, &silent);
}

/* The same rules, with all feeds taken from the other policy. */
static struct xnm_policy *kept_policy(const struct set *set, const struct item *rules,
                                      const struct xnm_policy *from)
{
    struct xnm_policy_builder *builder = new_builder();

    for (unsigned i = 0; i < set->lines; i++) {
        assert_true(add_rule(builder, &rules[i]));
        if (rules[i].trigger != XNM_TRIGGER_NAME && rules[i].trigger != XNM_TRIGGER_ZONE)
            assert_int_equal(xnm_policy_builder_keep_feed(builder, from),
                             xnm_policy_rule(from, i)->entry_count);
    }
    return xnm_policy_finish(builder, &silent);
}

/* --- asking --- */

static struct xnm_wirename random_question(uint64_t *seed, const struct set *set)
{
    struct xnm_wirename name;

    if (set->count > 0 && below(seed, 4) > 0)
        name = random_below(seed, &set->items[below(seed, set->count)].name, below(seed, 3));
    else
        name = random_entry(seed);
    for (unsigned i = 0; i < name.len; i++) { /* lengths are no letters */
        if (name.octets[i] >= 'a' && name.octets[i] <= 'z' && below(seed, 2))
            name.octets[i] = (uint8_t)(name.octets[i] - 0x20);
    }
    return name;
}

struct targets {
    const struct xnm_wirename *names;
    unsigned at, count;
    uint8_t *exact; /* the last one given */
};

static bool next_target(void *arg, const uint8_t **target, size_t *len)
{
    struct targets *targets = arg;

    free(targets->exact);
    targets->exact = NULL;
    if (targets->at == targets->count)
        return false;
    const struct xnm_wirename *name = &targets->names[targets->at++];
    targets->exact = malloc(name->len);
    memcpy(targets->exact, name->octets, name->len);
    *target = targets->exact;
    *len = name->len;
    return true;
}

static void ask(const struct set *set, const struct xnm_policy *policy,
                const struct xnm_wirename *names, unsigned count, uint16_t qtype)
{
    static struct expected expected;
    struct targets targets = {.names = names, .at = 1, .count = count};
    uint8_t *qname = malloc(names[0].len);
    struct xnm_question question = {qname, names[0].len, qtype, 1};
    struct xnm_decision decision;
    bool matched;

    memcpy(qname, names[0].octets, names[0].len);
    expect(set, names, count, qtype, &expected);
    matched = xnm_policy_decide_answer(policy, &question, next_target, &targets, &decision);
    assert_int_equal(matched, expected.item || expected.log_count > 0);
    compare(set, &expected, policy, &decision);
    free(targets.exact);
    free(qname);
}

static void test_property(void **state)
{
    static struct set set;
    static struct item rules[64];
    uint64_t seed = 0x5eed;

    (void)state;
    for (unsigned number = 0; number < SETS; number++) {
        struct xnm_policy *policy = random_policy(&seed, &set, rules);
        struct xnm_policy *kept = kept_policy(&set, rules, policy);
        for (unsigned i = 0; i < NAMES_PER_SET; i++) {
            struct xnm_wirename names[CHAIN_MAX];
            unsigned count = below(&seed, 2) ? 1 : 1 + below(&seed, CHAIN_MAX);
            uint16_t qtype = (uint16_t)(1 + below(&seed, 4));
            for (unsigned n = 0; n < count; n++)
                names[n] = random_question(&seed, &set);
            ask(&set, policy, names, count, qtype);
            ask(&set, kept, names, count, qtype);
        }
        xnm_policy_free(kept);
        xnm_policy_free(policy);
    }
}

int main(void)
{
    struct test_group group = {0};

    add_test(&group, "100000 questions to 2500 random policies", test_property, NULL);
    return run_group("policy property", &group);
}
