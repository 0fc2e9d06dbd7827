/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/vectors.h"

#include "module/base/diagnostics.h"
#include "module/rule/rule.h"
#include "tests/unit/policytext.h"
#include "tests/unit/wirenames.h"
#include "tools/rules/rpzexport.h"

enum { OWNERS_MAX = 4096, LISTING_MAX = 1 << 16, ORIGIN_LEN = 13 };

/* --- a zone in memory --- */

struct owner {
    struct xnm_wirename name;
    bool wildcard;
    bool is_decided; /* false: that nothing is decided there is written */
    struct xnm_policy_answer answer;
};

struct zone {
    const struct xnm_policy *policy;
    struct owner owners[OWNERS_MAX];
    size_t count, stop_at;
    char left_out[LISTING_MAX];
};

/* Writes the policy's decision at an owner of the zone. Returns whether there is one. */
static bool decided_at(const struct xnm_policy *policy, const struct rpzowner *owner,
                       struct xnm_policy_answer *answer)
{
    const struct xnm_question question = {
        .qname = owner->name, .qname_len = owner->name_len, .qtype = 1, .qclass = 1};
    struct xnm_decision decision;

    if (owner->wildcard)
        xnm_policy_decide_below(policy, &question, &decision);
    else
        xnm_policy_decide(policy, &question, &decision);
    *answer = decision.made;
    return decision.answer;
}

/* NULL: nothing is decided there. */
static const struct xnm_policy_answer *answer_of(const struct owner *owner)
{
    return owner->is_decided ? &owner->answer : NULL;
}

static const struct owner *find_above(const struct zone *zone, const struct xnm_wirename *name);

static bool take(void *arg, const struct rpzowner *given)
{
    struct zone *zone = arg;
    struct owner *owner = &zone->owners[zone->count++];

    assert_true(zone->count < OWNERS_MAX);
    assert_non_null(given->answer);
    owner->name.len = (uint8_t)given->name_len;
    memcpy(owner->name.octets, given->name, given->name_len);
    owner->wildcard = given->wildcard;
    owner->is_decided = decided_at(zone->policy, given, &owner->answer);
    if (owner->is_decided) {
        assert_ptr_equal(owner->answer.rule, given->answer->rule);
        assert_true(rpzexport_is_same(&owner->answer, given->answer));
    } else {
        const struct owner *above = find_above(zone, &owner->name);
        assert_int_equal(given->answer->action, XNM_PASSTHRU);
        assert_non_null(above);
    }
    return zone->count != zone->stop_at;
}

static size_t put(char *dst, const uint8_t *name, bool wildcard,
                  const struct xnm_policy_answer *answer)
{
    size_t len = (size_t)sprintf(dst, "%s", wildcard ? "*." : "");

    len += xn_wire_to_text(name, dst + len) - 1;
    return len + (size_t)sprintf(dst + len, " %s\n",
                                 xnm_action_word(answer ? answer->action : XNM_PASSTHRU));
}

static void note(void *arg, const struct rpzowner *owner, const char *why)
{
    struct zone *zone = arg;

    assert_non_null(why);
    put(zone->left_out + strlen(zone->left_out), owner->name, owner->wildcard, owner->answer);
}

static bool export(const struct xnm_policy *policy, struct zone *zone)
{
    const struct rpzexport how = {
        .policy = policy, .origin_len = ORIGIN_LEN, .owner = take, .left_out = note, .arg = zone};

    zone->policy = policy;
    zone->count = 0;
    zone->left_out[0] = '\0';
    return rpzexport(&how);
}

/* --- what is written --- */

struct row {
    const char *policy, *zone, *left_out;
};

/* One line, since it names a test. */
static const char *title_of(const struct row *row)
{
    char *title = strdup(row->policy[0] ? row->policy : "no rules");

    for (char *at = title; (at = strchr(at, '\n'));)
        *at = ';';
    return title;
}

static const struct row rows[] = {
    {"nxdomain zone x.example", "x.example nxdomain\n*.x.example nxdomain\n", ""},
    {"nxdomain zone . suffixes=yes", "*. nxdomain\n", ""},
    /* what is below an exception stays as it is, and so does what stands between */
    {"nxdomain zone x\npassthru name sub.x",
     "x nxdomain\n*.x nxdomain\nsub.x passthru\n*.sub.x nxdomain\n", ""},
    {"nxdomain zone x\npassthru name a.b.x",
     "x nxdomain\n*.x nxdomain\nb.x nxdomain\n*.b.x nxdomain\na.b.x passthru\n*.a.b.x nxdomain\n",
     ""},
    {"nxdomain name *.x\npassthru name a.b.x",
     "*.x nxdomain\nb.x nxdomain\n*.b.x nxdomain\na.b.x passthru\n*.a.b.x nxdomain\n", ""},
    {"nxdomain zone . suffixes=yes\npassthru name a.b",
     "*. nxdomain\nb nxdomain\n*.b nxdomain\na.b passthru\n*.a.b nxdomain\n", ""},
    /* what says the same is not written */
    {"nxdomain zone x\nnxdomain zone a.x\nnxdomain name b.x", "x nxdomain\n*.x nxdomain\n", ""},
    {"nxdomain zone x\nnodata names list\n+ a.x\n+ b.x", "x nxdomain\n*.x nxdomain\n", ""},
    {"passthru zone x\nnodata zones list\n+ .a.x\n+ .y",
     "x passthru\n*.x passthru\ny nodata\n*.y nodata\n", ""},
    {"answer zone x 1\nanswer zone a.x 1\nanswer zone b.x 2",
     "x answer\n*.x answer\nb.x answer\n*.b.x answer\n", ""},
    /* names between that nothing is said of */
    {"drop name a.b.c\ntcp-only name b.c", "b.c tcp-only\na.b.c drop\n", ""},
    /* canonical order: by the last label first, octet by octet, the shorter first */
    {"drop names list\n+ b.a\n+ a.b\n+ ab\n+ a\n+ a.a\n+ a-a\n+ aa.a",
     "a drop\na.a drop\naa.a drop\nb.a drop\na-a drop\nab drop\na.b drop\n", ""},
    /* what no zone can say */
    {"rpz rpz list\n+ 8.2.0.192.rpz-client-ip drop\n+ rpz-x nodata\n+ .y.rpz-ip passthru\n+ x drop",
     "x drop\n",
     "8.2.0.192.rpz-client-ip drop\ny.rpz-ip passthru\n*.y.rpz-ip passthru\nrpz-x nodata\n"},
    {"drop zones list\n+ .a.*.x\n+ .*.y", "", "a.*.x drop\n*.a.*.x drop\n*.y drop\n*.*.y drop\n"},
    {"drop zone x\nnodata zones list\n+ .a.*.x", "x drop\n*.x drop\n", ""},
    /* what a zone that was read has between its wildcard and a name is not covered */
    {"rpz rpz z\n+ *.b nxdomain\n+ a.b drop", "*.b nxdomain\na.b drop\n*.a.b passthru\n", ""},
    {"rpz rpz z\n+ *.b nxdomain\n+ x.a.b drop",
     "*.b nxdomain\na.b passthru\n*.a.b passthru\nx.a.b drop\n*.x.a.b passthru\n", ""},
    {"rpz rpz z\n+ *.b nxdomain\n+ *.a.b drop", "*.b nxdomain\na.b passthru\n*.a.b drop\n", ""},
    {"rpz rpz z\n+ *.b nxdomain\n+ a.b none", "*.b nxdomain\na.b passthru\n*.a.b passthru\n", ""},
    {"rpz rpz z\n+ *.b nxdomain\n+ a.b passthru\nrefuse zones l\n+ .b",
     "b refuse\n*.b nxdomain\na.b passthru\n*.a.b refuse\n", ""},
    {"rpz rpz z\n+ *.b nxdomain\n+ a.rpz-ip.c none\n+ a.*.b drop", "*.b nxdomain\n",
     "*.*.b passthru\na.*.b drop\n"},
    /* log rules say nothing */
    {"", "", ""},
};

static void test_row(void **state)
{
    static struct zone zone;
    static char text[LISTING_MAX];
    const struct row *row = *state;
    struct xnm_policy *policy = policy_of(row->policy, NULL, &xnm_diagnostics_ignored);
    size_t len = 0;

    assert_non_null(policy);
    assert_true(export(policy, &zone));
    text[0] = '\0';
    for (size_t i = 0; i < zone.count; i++)
        len += put(text + len, zone.owners[i].name.octets, zone.owners[i].wildcard,
                   answer_of(&zone.owners[i]));
    assert_string_equal(text, row->zone);
    assert_string_equal(zone.left_out, row->left_out);
    xnm_policy_free(policy);
}

TEST(test_stop, "a consumer that stops")
{
    static struct zone zone;
    struct xnm_policy *policy =
        policy_of("drop zone a\ndrop zone b", NULL, &xnm_diagnostics_ignored);

    zone.stop_at = 2;
    assert_false(export(policy, &zone));
    assert_int_equal(zone.count, 2);
    zone.stop_at = 0;
    xnm_policy_free(policy);
}

/* Names as long as they can be: 255 octets less the origin's, one more, and `*.` of these. */
TEST(test_lengths, "as long as names can be")
{
    static struct zone zone;
    static const struct {
        unsigned len; /* octets in wire format */
        size_t owners;
    } lengths[] = {{XN_WIRE_NAME_MAX + 1 - ORIGIN_LEN - 2, 2},
                   {XN_WIRE_NAME_MAX + 1 - ORIGIN_LEN - 1, 1},
                   {XN_WIRE_NAME_MAX + 1 - ORIGIN_LEN, 1},
                   {XN_WIRE_NAME_MAX + 1 - ORIGIN_LEN + 1, 0},
                   {XN_WIRE_NAME_MAX, 0}};

    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        char text[400] = "drop zones list\n+ .", *end = text + strlen(text);
        for (unsigned left = lengths[i].len - 1, len; left > 0; left -= len + 1) {
            len = left > 64 ? (left == 65 ? 62 : 63) : left - 1;
            memset(end, 'a', len);
            end[len] = '.';
            end += len + 1;
        }
        end[-1] = '\0';
        struct xnm_policy *policy = policy_of(text, NULL, &xnm_diagnostics_ignored);
        assert_true(export(policy, &zone));
        assert_int_equal(zone.count, lengths[i].owners);
        assert_int_equal(zone.left_out[0] == '\0', lengths[i].owners == 2);
        xnm_policy_free(policy);
    }
}

/* --- whether resolvers find the same --- */

static size_t labels_of(const struct xnm_wirename *name)
{
    size_t labels = 0;

    for (const uint8_t *at = name->octets; *at != 0; at += *at + 1)
        labels++;
    return labels;
}

/* Without so many labels at its start. */
static struct xnm_wirename tail_of(const struct xnm_wirename *name, size_t labels)
{
    struct xnm_wirename tail;
    const uint8_t *at = name->octets;

    while (labels-- > 0)
        at += *at + 1;
    tail.len = (uint8_t)(name->len - (at - name->octets));
    memcpy(tail.octets, at, tail.len);
    return tail;
}

static bool is_equal(const struct xnm_wirename *a, const struct xnm_wirename *b)
{
    return a->len == b->len && memcmp(a->octets, b->octets, a->len) == 0;
}

static const struct owner *find(const struct zone *zone, const struct xnm_wirename *name,
                                bool wildcard)
{
    for (size_t i = 0; i < zone->count; i++)
        if (zone->owners[i].wildcard == wildcard && is_equal(&zone->owners[i].name, name))
            return &zone->owners[i];
    return NULL;
}

/* Returns whether an owner is at a name or below it. The zone's own name exists. */
static bool exists(const struct zone *zone, const struct xnm_wirename *name)
{
    for (size_t i = 0; i < zone->count; i++) {
        const struct xnm_wirename *owner = &zone->owners[i].name;
        size_t labels = labels_of(owner), above = labels_of(name);
        if (labels < above)
            continue;
        struct xnm_wirename tail = tail_of(owner, labels - above);
        if (is_equal(&tail, name))
            return true;
    }
    return name->len == 1;
}

/* RFC 4592: the closest encloser alone. */
static const struct owner *find_by_encloser(const struct zone *zone,
                                            const struct xnm_wirename *name)
{
    const struct owner *owner = find(zone, name, false);

    if (owner || exists(zone, name))
        return owner;
    for (size_t labels = 1;; labels++) {
        struct xnm_wirename tail = tail_of(name, labels);
        if (exists(zone, &tail))
            return find(zone, &tail, true);
    }
}

/* The nearest `*.` above. */
static const struct owner *find_above(const struct zone *zone, const struct xnm_wirename *name)
{
    const struct owner *owner = NULL;
    size_t labels = labels_of(name);

    for (size_t passed = 1; !owner && passed <= labels; passed++) {
        struct xnm_wirename tail = tail_of(name, passed);
        owner = find(zone, &tail, true);
    }
    return owner;
}

static const struct owner *find_by_nearest(const struct zone *zone, const struct xnm_wirename *name)
{
    const struct owner *owner = find(zone, name, false);

    return owner ? owner : find_above(zone, name);
}

/* PASSTHRU is what a zone has for nothing, too; but not nothing for PASSTHRU. */
static bool says(const struct owner *owner, const struct xnm_policy_answer *decided)
{
    if (owner && (!owner->is_decided || owner->answer.action == XNM_PASSTHRU))
        return !decided || decided->action == XNM_PASSTHRU;
    return rpzexport_is_same(owner ? answer_of(owner) : NULL, decided);
}

/* An origin that leaves no room for `*.`: the root's own is left out, and nothing is above it. */
TEST(test_long_origin, "an origin as long as it can be")
{
    static struct zone zone;
    struct xnm_policy *policy =
        policy_of("rpz rpz list\n+ *. nxdomain", NULL, &xnm_diagnostics_ignored);
    const struct rpzexport how = {.policy = policy,
                                  .origin_len = XN_WIRE_NAME_MAX - 1,
                                  .owner = take,
                                  .left_out = note,
                                  .arg = &zone};

    zone.count = 0;
    zone.left_out[0] = '\0';
    assert_true(rpzexport(&how));
    assert_int_equal(zone.count, 0);
    assert_string_equal(zone.left_out, "*. nxdomain\n");
    xnm_policy_free(policy);
}

static uint32_t random_below_number(uint64_t *seed, uint32_t limit)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33) % limit;
}

/* Few labels, so that names nest and meet. */
static size_t put_random_name(uint64_t *seed, unsigned labels_max, char *dst)
{
    unsigned labels = random_below_number(seed, labels_max + 1);
    size_t len = 0;

    for (unsigned i = 0; i < labels; i++)
        len += (size_t)sprintf(
            dst + len, "%s%c", i > 0 ? "." : "",
            "ab!"[random_below_number(seed, 10) == 0 ? 2 : random_below_number(seed, 2)]);
    if (labels == 0)
        len = (size_t)sprintf(dst, ".");
    return len;
}

static const char *random_scoped(uint64_t *seed, char *text)
{
    static const char *const scopes[] = {"", ".", "*."};
    size_t len = (size_t)sprintf(text, "%s", scopes[random_below_number(seed, 3)]);

    put_random_name(seed, 5, text + len);
    if (strcmp(text, "*..") == 0 || strcmp(text, "..") == 0) /* all below the root */
        strcpy(text, "*.");
    return text;
}

static void put_random_policy(uint64_t *seed, char *dst)
{
    static const char *const actions[] = {"passthru",   "nxdomain",   "nodata",   "drop",
                                          "tcp-only",   "redirect 1", "answer 1", "answer 2",
                                          "redirect 2", "nxdomain"};
    char name[64];

    for (unsigned lines = random_below_number(seed, 9); lines > 0; lines--) {
        char action[16];
        strcpy(action, actions[random_below_number(seed, 10)]);
        char *value = strchr(action, ' ');
        if (value)
            *value++ = '\0';
        unsigned kind = random_below_number(seed, 4);
        if (kind < 2) {
            random_scoped(seed, name);
            bool zone = kind == 1 && strncmp(name, "*.", 2) != 0 && strcmp(name, ".") != 0;
            dst += sprintf(dst, "%s %s %s %s\n", action, zone ? "zone" : "name",
                           zone && name[0] == '.' ? name + 1 : name, value ? value : "");
            continue;
        }
        dst += sprintf(dst, kind == 2 ? "%s names list %s\n" : "rpz rpz list\n", action,
                       value ? value : "");
        for (unsigned entries = random_below_number(seed, 12); entries > 0; entries--)
            dst += sprintf(
                dst, kind == 2 ? "+ %s\n" : "+ %s %s\n", random_scoped(seed, name),
                random_below_number(seed, 8) == 0 ? "none" : actions[random_below_number(seed, 5)]);
    }
    *dst = '\0';
}

TEST(test_property, "120000 names, looked for in two ways, by 2000 random policies")
{
    enum { POLICIES = 2000, NAMES = 60 };
    static struct zone zone;
    static char text[1 << 14];
    uint64_t seed = 0x5eed;
    size_t decided = 0;

    for (unsigned n = 0; n < POLICIES; n++) {
        put_random_policy(&seed, text);
        struct xnm_policy *policy = policy_of(text, NULL, &xnm_diagnostics_ignored);
        assert_true(export(policy, &zone));
        assert_string_equal(zone.left_out, "");
        for (unsigned i = 0; i < NAMES; i++) {
            char name[64];
            struct xnm_wirename wire;
            struct xnm_decision decision;
            put_random_name(&seed, 6, name);
            wirename_of(name, &wire);
            if (wire.len == 1)
                continue;
            const struct xnm_question question = {
                .qname = wire.octets, .qname_len = wire.len, .qtype = 1, .qclass = 1};
            xnm_policy_decide(policy, &question, &decision);
            const struct owner *a = find_by_encloser(&zone, &wire);
            const struct owner *b = find_by_nearest(&zone, &wire);
            if (!says(a, decision.answer) || !says(b, decision.answer))
                fail_msg("%s differs by:\n%s", name, text);
            decided += decision.answer != NULL;
        }
        xnm_policy_free(policy);
    }
    assert_true(decided > 30000);
}

/* --- records that a response policy zone can hold --- */

enum { ORIGIN_LEN_RECORDS = 13 };

/* One that a resolver refuses would keep the whole zone from it. BIND 9.18.49, NSD 4.6 and Knot DNS
 * 3.2 were asked. */
TEST(test_records, "records")
{
    static const struct {
        uint16_t type;
        const char *rdata;
        size_t len;
        bool good;
    } cases[] = {
        {1, "\1\2\3\4", 4, true},
        {16, "", 1, true},
        {12, "", 1, true},
        {65280, "", 0, true},
        {65279, "", 0, false},
        {65535, "", 0, false},
        {2, "", 1, false},                  /* NS */
        {3, "", 1, false},                  /* MD */
        {42, "\0\1", 2, false},             /* APL */
        {55, "\4", 1, false},               /* HIP */
        {262, "\1", 1, false},              /* WALLET */
        {35, "\0\0\0\0\1S\0\0\0", 9, true}, /* NAPTR */
        {35, "\0\0\0\0\0\0\1x\0", 9, false},
        {44, "\1\1xxxxxxxxxxxxxxxxxxxx", 22, true}, /* SSHFP */
        {44, "\1\2xxxxxxxxxxxxxxxxxxxx", 22, false},
        {44, "\1\1", 2, false},
        {44, "\1\2xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", 34, true},
        {52, "\3\1\1x", 4, true}, /* TLSA */
        {52, "\3\1\1", 3, false},
        {257, "\0\5issuex", 8, true}, /* CAA */
        {257, "\0\5ISSUEx", 8, false},
        {257, "\0\0", 2, false},
        {65, "\0\1\0", 3, true},                         /* HTTPS */
        {65, "\0\1\1x\0\0\1\0\3\2h2\0\2\0\0", 16, true}, /* alpn, no-default-alpn */
        {65, "\0\1\0\0\1\0\3\5h2", 10, false},
        {65, "\0\1\0\0\1\0\1\0", 8, false},
        {65, "\0\1\0\0\1\0\0", 7, false},
        {65, "\0\1\0\0\2\0\0", 7, false},
        {65, "\0\1\0\0\0\0\2\0\3", 9, false}, /* mandatory */
        {64, "\0\1\0\0\7\0\1/", 8, false},    /* dohpath */
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct xnm_record record = {.type = cases[i].type,
                                          .rdata_len = (uint16_t)cases[i].len,
                                          .rdata = (uint8_t *)(uintptr_t)cases[i].rdata};
        if ((rpzexport_record_fault(&record) == NULL) != cases[i].good)
            fail_msg("case %zu", i);
    }
}

/* --- rules --- */

TEST(test_refusals, "refusals")
{
    static const uint8_t target[] = "\002ab", odd[] = "\001*\001b",
                         reserved[] = "\001a\010rpz-drop";
    struct xnm_record records[] = {{5, sizeof target, 60, (uint8_t *)(uintptr_t)target},
                                   {5, sizeof odd, 60, (uint8_t *)(uintptr_t)odd},
                                   {5, sizeof reserved, 60, (uint8_t *)(uintptr_t)reserved},
                                   {2, sizeof target, 60, (uint8_t *)(uintptr_t)target},
                                   {43, sizeof target, 60, (uint8_t *)(uintptr_t)target},
                                   {16, RPZEXPORT_RDATA_MAX + 1, 60, NULL},
                                   {16, RPZEXPORT_RDATA_MAX, 60, NULL}};
    static const struct {
        const char *name;
        xnm_action action;
        xnm_trigger trigger;
        xnm_scope scope;
        int record; /* -1: none */
        unsigned types;
        bool good;
    } cases[] = {
        {"x", XNM_NXDOMAIN, XNM_TRIGGER_NAME, XNM_SCOPE_EXACT, -1, 0, true},
        {"x", XNM_NODATA, XNM_TRIGGER_ZONE, XNM_SCOPE_ZONE, -1, 1, false},
        {"x", XNM_REFUSE, XNM_TRIGGER_NAME, XNM_SCOPE_EXACT, -1, 0, false},
        {"x", XNM_LOG, XNM_TRIGGER_NAME, XNM_SCOPE_EXACT, -1, 0, false},
        {"x", XNM_NXDOMAIN, XNM_TRIGGER_LOOKALIKE, XNM_SCOPE_ZONE, -1, 0, false},
        {"", XNM_NXDOMAIN, XNM_TRIGGER_LOOKALIKES, XNM_SCOPE_ZONE, -1, 0, false},
        {"", XNM_NXDOMAIN, XNM_TRIGGER_INVALID, XNM_SCOPE_EXACT, -1, 0, false},
        {"", XNM_NXDOMAIN, XNM_TRIGGER_BIDI, XNM_SCOPE_EXACT, -1, 0, false},
        {"", XNM_NXDOMAIN, XNM_TRIGGER_NAME, XNM_SCOPE_EXACT, -1, 0, false},
        {"", XNM_NXDOMAIN, XNM_TRIGGER_NAME, XNM_SCOPE_BELOW, -1, 0, true},
        {"", XNM_NXDOMAIN, XNM_TRIGGER_ZONE, XNM_SCOPE_ZONE, -1, 0, true},
        {"", XNM_NXDOMAIN, XNM_TRIGGER_ZONES, XNM_SCOPE_EXACT, -1, 0, true},
        {"", XNM_REFUSE, XNM_TRIGGER_ZONES, XNM_SCOPE_EXACT, -1, 0, false},
        {"", XNM_ACTION_NONE, XNM_TRIGGER_RPZ, XNM_SCOPE_EXACT, -1, 0, true},
        {"rpz-ip", XNM_DROP, XNM_TRIGGER_ZONE, XNM_SCOPE_ZONE, -1, 0, false},
        {"a.rpz-x", XNM_DROP, XNM_TRIGGER_ZONE, XNM_SCOPE_ZONE, -1, 0, false},
        {"rpz-ip.x", XNM_DROP, XNM_TRIGGER_ZONE, XNM_SCOPE_ZONE, -1, 0, true},
        {"*.x", XNM_DROP, XNM_TRIGGER_NAME, XNM_SCOPE_BELOW, -1, 0, false},
        {"x", XNM_CNAME, XNM_TRIGGER_NAME, XNM_SCOPE_EXACT, 0, 0, true},
        {"x", XNM_CNAME, XNM_TRIGGER_NAME, XNM_SCOPE_EXACT, 1, 0, false},
        {"x", XNM_CNAME, XNM_TRIGGER_NAME, XNM_SCOPE_EXACT, 2, 0, false},
        {"x", XNM_ANSWER, XNM_TRIGGER_NAME, XNM_SCOPE_EXACT, 3, 0, false},
        {"x", XNM_ANSWER, XNM_TRIGGER_NAME, XNM_SCOPE_EXACT, 4, 0, false},
        {"x", XNM_ANSWER, XNM_TRIGGER_NAME, XNM_SCOPE_EXACT, 5, 0, false},
        {"x", XNM_ANSWER, XNM_TRIGGER_NAME, XNM_SCOPE_EXACT, 6, 0, true},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct xnm_rule rule = {.action = cases[i].action,
                                .trigger = cases[i].trigger,
                                .scope = cases[i].scope,
                                .type_count = (uint8_t)cases[i].types};
        rule.name.len = (uint8_t)wire_of(cases[i].name, rule.name.octets);
        if (cases[i].record >= 0) {
            rule.records = &records[cases[i].record];
            rule.record_count = 1;
        }
        if ((rpzexport_refusal(&rule, ORIGIN_LEN_RECORDS) == NULL) != cases[i].good)
            fail_msg("case %zu", i);
    }
}

int main(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        add_test(title_of(&rows[i]), test_row, (void *)(uintptr_t)&rows[i]);
    return run_unit();
}
