/* SPDX-License-Identifier: BSD-3-Clause */
/* Random changes of rule files, lists and zones: after each, the policy decides like one that is
 * made from nothing with what should be in force. */
#include "tests/unit/vectors.h"

#include "tests/unit/nametext.h"
#include "tests/unit/policyfilesread.h"

#include "module/build/build.h"
#include "module/policy/policy.h"

#include "module/rule/rule.h"

#include <time.h>

enum { LISTS = 5, NAMES = 60, ROUNDS = 60, QUESTIONS = 10000 };

/* The names of a list that should be in force, and those of its file. */
struct list {
    bool has[NAMES], writes[NAMES];
    bool is_bad; /* there is no file, or it is no list */
};

static const char *const rules[LISTS] = {"nxdomain zones", "refuse names", "rpz", "passthru zones",
                                         "log names"};

static void put_name(FILE *file, unsigned list, unsigned name)
{
    if (list == 2)
        fprintf(file, name % 3 ? "n%u.example CNAME .\n" : "*.n%u.example CNAME *.\n", name);
    else
        fprintf(file, "n%u.example\n", name);
}

/* Writes a file with these names. */
static void write_names(const char *path, unsigned list, const bool has[NAMES])
{
    FILE *file = fopen(path_in(path), "w");

    assert_non_null(file);
    if (list == 2)
        fputs("$ORIGIN z.\n$TTL 60\n@ SOA ns. admin. 1 2 3 400000 5\n", file);
    for (unsigned name = 0; name < NAMES; name++)
        if (has[name])
            put_name(file, list, name);
    assert_int_equal(fclose(file), 0);
}

static unsigned count(const bool has[NAMES])
{
    unsigned names = 0;

    for (unsigned name = 0; name < NAMES; name++)
        names += has[name];
    return names;
}

/* A new file is in force when it is read, unless it has lost more than half. */
static void take_files(struct list *lists)
{
    for (struct list *list = lists; list < lists + LISTS; list++)
        if (!list->is_bad && 2 * count(list->writes) >= count(list->has))
            memcpy(list->has, list->writes, sizeof list->has);
}

static void change(uint64_t *seed, struct list *lists, unsigned number)
{
    struct list *list = &lists[number];
    unsigned kind = below(seed, 6);
    char path[16];

    snprintf(path, sizeof path, "list%u", number);
    list->is_bad = kind <= 1;
    if (kind == 0)
        remove(path_in(path));
    if (kind == 1)
        write_in(path, "<!DOCTYPE html>\n<html><body>502 Bad Gateway</body></html>\n");
    if (list->is_bad)
        return;
    memcpy(list->writes, list->has, sizeof list->writes);
    if (kind == 2) { /* cut off */
        memset(list->writes, 0, sizeof list->writes);
        list->writes[below(seed, NAMES)] = true;
    }
    for (unsigned names = kind > 3 ? below(seed, 8) : 0; names > 0; names--)
        list->writes[below(seed, NAMES)] ^= true;
    write_names(path, number, list->writes);
}

/* Writes a rule file with rules of its own before the lists, which are called so. */
static void write_rules(const char *path, const char *prefix, unsigned written)
{
    FILE *file = fopen(path_in(path), "w");

    assert_non_null(file);
    for (unsigned i = 0; i < written; i++)
        fprintf(file, "drop name r%u.example\n", i);
    for (unsigned i = 0; i < LISTS; i++)
        fprintf(file, "%s %s%u\n", rules[i], prefix, i);
    assert_int_equal(fclose(file), 0);
}

/* Asks both policies random names. */
static void expect_same(uint64_t *seed, const struct xnm_policy *policy,
                        const struct xnm_policy *fresh)
{
    for (unsigned i = 0; i < QUESTIONS; i++) {
        static const char *const forms[] = {"n%u.example", "a.n%u.example", "r%u.example"};
        struct xnm_wirename name;
        struct xnm_decision is, should;
        char text[32];
        snprintf(text, sizeof text, forms[below(seed, 3)], below(seed, NAMES));
        wirename_of(text, &name);
        const struct xnm_question question = {
            .qname = name.octets, .qname_len = name.len, .qtype = 1, .qclass = 1};
        assert_int_equal(xnm_policy_decide(policy, &question, &is),
                         xnm_policy_decide(fresh, &question, &should));
        assert_int_equal(is.answer == NULL, should.answer == NULL);
        assert_int_equal(is.log_count, should.log_count);
        if (!is.answer)
            continue;
        assert_int_equal(is.answer->action, should.answer->action);
        assert_int_equal(is.answer->rule->line, should.answer->rule->line);
    }
}

/* Writes lists with what should be in force, and makes a policy of them. */
static void read_fresh(const struct list *lists, unsigned written, struct xnm_policyfiles *fresh)
{
    char path[16];

    for (unsigned i = 0; i < LISTS; i++) {
        snprintf(path, sizeof path, "fresh%u", i);
        write_names(path, i, lists[i].has);
    }
    write_rules("more", "fresh", written);
    assert_true(read_all("policy: @/more\n", NULL, fresh));
    assert_int_equal(fresh->bad_lists, 0);
}

/* Returns how many lists have the same table in both policies. */
static unsigned count_shared(const struct xnm_policy *a, const struct xnm_policy *b)
{
    unsigned shared = 0;

    for (size_t i = 0; i < xnm_policy_rule_count(b); i++) {
        const struct xnm_policy_rule *shown = xnm_policy_rule(b, i);
        const struct xnm_rule rule = {.trigger = shown->trigger, .path = (char *)shown->subject};
        if (xnm_trigger_has_path(shown->trigger) && xnm_policy_table(a, &rule, false))
            shared += xnm_policy_table(a, &rule, false) == xnm_policy_table(b, &rule, false);
    }
    return shared;
}

static void follows_changes(void **state)
{
    const struct timespec tick = {.tv_nsec = 25000000};
    struct list lists[LISTS] = {0};
    struct xnm_policyfiles now = {0}, next, fresh;
    unsigned shared = 0;
    uint64_t seed = *(const unsigned *)*state;

    for (unsigned i = 0; i < LISTS; i++) {
        char path[16];
        snprintf(path, sizeof path, "list%u", i);
        for (unsigned name = 0; name < NAMES; name++)
            lists[i].writes[name] = below(&seed, 2);
        write_names(path, i, lists[i].writes);
    }
    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned written = below(&seed, 20);
        write_rules("rules", "list", written);
        nanosleep(&tick, NULL); /* files that change in the same tick are read each time */
        assert_true(read_all(ONE, now.policy, &next));
        take_files(lists);
        read_fresh(lists, written, &fresh);
        expect_same(&seed, next.policy, fresh.policy);
        shared += now.policy ? count_shared(now.policy, next.policy) : 0;
        free_policyfiles(&fresh);
        free_policyfiles(&now);
        now = next;
        for (unsigned changes = below(&seed, 3); changes > 0; changes--)
            change(&seed, lists, below(&seed, LISTS));
    }
    assert_true(shared > ROUNDS);
    free_policyfiles(&now);
    empty_folder();
}

BEFORE_MAIN(tests)
{
    static const unsigned seeds[] = {1, 2, 3, 4};

    for (size_t i = 0; i < COUNT(seeds); i++)
        add_named_test(follows_changes, &seeds[i], "seed %u", seeds[i]);
}

TEST_MAIN_OF_POLICYFILES
