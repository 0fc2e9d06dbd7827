/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions with more than a name: targets that are no names, a name that is looked up instead, a
 * client, a time, and records that others are made of. */
#include "tests/unit/vectors.h"

#include "tests/unit/policyrows.h"

/* --- targets --- */

#define OCTETS_64                                                                                  \
    "\x40"                                                                                         \
    "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define LABEL_63                                                                                   \
    "\x3F"                                                                                         \
    "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde"

static const struct target {
    const char *name, *octets;
    size_t len;
} targets[] = {
    {"no octet", "", 0},
    {"no root label",
     "\x01t\x07"
     "example",
     10},
    {"octets after the root label",
     "\x01t\x07"
     "example\0\0",
     12},
    {"a label of 64 octets",
     OCTETS_64 "\x07"
               "example",
     74},
    {"256 octets",
     LABEL_63 LABEL_63 LABEL_63 "\x37"
                                "0123456789abcdef0123456789abcdef0123456789abcde\x07"
                                "example",
     256},
};

struct one_target {
    const struct target *target;
    bool given;
};

static bool next_target(void *arg, const uint8_t **octets, size_t *len)
{
    struct one_target *one = arg;

    *octets = (const uint8_t *)one->target->octets;
    *len = one->target->len;
    one->given = !one->given;
    return one->given;
}

/* A target that is no name is no name of a zone. */
TEST_ROWS(test_bad_target, targets, name)
{
    struct one_target one = {.target = *state};
    struct xnm_policy *policy = policy_of("drop zone example", NULL, NULL);
    struct xnm_question question = {.qname = (const uint8_t *)"\x01"
                                                              "a\x04test",
                                    .qname_len = 8,
                                    .qtype = A,
                                    .qclass = IN};
    struct xnm_decision decision;

    assert_false(xnm_policy_decide_answer(policy, &question, next_target, &one, &decision));
    assert_null(decision.answer);
    assert_true(one.target->len == 0 || one.given == false);
    xnm_policy_free(policy);
}

/* --- names that are looked up --- */

/* The name that the resolver looks up instead of the query name is decided like that. */
TEST(test_looked_up, "a name that is looked up instead")
{
    struct xnm_policy *policy =
        policy_of("drop name a.example\nrefuse name b.example\nlog name b.example", NULL, NULL);
    struct xnm_wirename a, b, c;
    struct xnm_question question = {.qtype = A, .qclass = IN};
    struct xnm_decision decision;

    wirename_of("a.example", &a);
    wirename_of("b.example", &b);
    wirename_of("c.example", &c);
    question.qname = c.octets;
    question.qname_len = c.len;
    question.looked_up = &b;
    assert_true(xnm_policy_decide(policy, &question, &decision));
    assert_string_equal(decision_text(policy, &decision), "refuse:2 b.example log:3");
    question.looked_up = &c;
    assert_false(xnm_policy_decide(policy, &question, &decision));
    question.looked_up = NULL;
    assert_false(xnm_policy_decide(policy, &question, &decision));
    question.qname = a.octets;
    question.qname_len = a.len;
    question.looked_up = &b;
    assert_true(xnm_policy_decide(policy, &question, &decision));
    assert_string_equal(decision_text(policy, &decision), "drop:1 a.example");
    xnm_policy_free(policy);
}

/* --- clients --- */

static struct client_row {
    /* client=, whose group is said to have decided, and the client; NULL: 192.0.2.7 */
    const char *name, *wanted, *group, *client;
} clients[] = {
    {"a group", "kids", "kids", NULL},
    {"… after a prefix that has the client, too", "192.0.2.7,kids", "kids", NULL},
    {"the first of two", "kids,all", "kids", NULL},
    {"… in the other order", "all,kids", "all", NULL},
    {"a group after one that does not have the client", "staff,kids", "kids", NULL},
    {"… which is excluded", "!staff,kids", "kids", NULL},
    {"a prefix alone", "192.0.2.0/25", NULL, NULL},
    {"those who are not in a group", "!staff", NULL, NULL},
    {"one who is in a group that is excluded", "!kids,all", "-", NULL},
    {"one who is in none", "staff", "-", NULL},
    {"a network in a group", "kids", "kids", "192.0.2.0/24"},
    {"a part of it", "kids", "kids", "192.0.2.128/25"},
    {"a network that reaches beyond the group's end", "kids", "-", "192.0.2.0/23"},
    {"… beyond its begin", "edge", "-", "198.51.100.0/24"},
    {"… that two prefixes of a group hold together", "edge", "edge", "198.51.100.128/25"},
    {"a network in a prefix", "192.0.2.0/24", NULL, "192.0.2.0/24"},
    {"… longer than it", "192.0.2.0/25", "-", "192.0.2.0/24"},
    {"… of which one address is excluded", "!192.0.2.7,kids", "-", "192.0.2.0/24"},
    {"… of which a group is excluded", "!kids,all", "-", "192.0.0.0/16"},
    {"… of which none is excluded", "!staff,kids", "kids", "192.0.2.0/24"},
};

TEST_ROWS(test_client, clients, name)
{
    const struct client_row *row = *state;
    struct xnm_question question = {.qtype = A, .qclass = IN, .time = 1};
    struct xnm_prefix client;
    struct xnm_decision decision;
    struct xnm_wirename a;
    char text[256];

    snprintf(text, sizeof text,
             "group kids 192.0.2.0/24\ngroup all 192.0.0.0/16\ngroup staff 198.51.100.0/24\n"
             "group edge 198.51.100.128/26 198.51.100.192/26\n"
             "drop name a.example client=%s",
             row->wanted);
    struct xnm_policy *policy = policy_of(text, NULL, NULL);
    wirename_of("a.example", &a);
    question.qname = a.octets;
    question.qname_len = a.len;
    const char *asker = row->client ? row->client : "192.0.2.7";
    assert_null(xnm_prefix_read(asker, strlen(asker), &client));
    question.client = &client;
    if (row->group && row->group[0] == '-') {
        assert_false(xnm_policy_decide(policy, &question, &decision));
    } else {
        assert_true(xnm_policy_decide(policy, &question, &decision));
        assert_true(decision.specific_answer && decision.specific_decision);
        assert_int_equal(decision.group != NULL, row->group != NULL);
        if (row->group)
            assert_string_equal(decision.group, row->group);
    }
    xnm_policy_free(policy);
}

/* A time that the calendar does not have is in no rule's time. */
TEST(test_no_such_time, "a time that no calendar has")
{
    struct xnm_policy *policy = policy_of("drop name a.example when=Sun-Sat", NULL, NULL);
    struct xnm_wirename a;
    struct xnm_question question = {.qtype = A, .qclass = IN, .time = 1};
    struct xnm_decision decision;

    wirename_of("a.example", &a);
    question.qname = a.octets;
    question.qname_len = a.len;
    assert_true(xnm_policy_decide(policy, &question, &decision));
    question.time = INT64_MAX;
    assert_false(xnm_policy_decide(policy, &question, &decision));
    xnm_policy_free(policy);
}

/* --- records that others are made of --- */

/* AAAA records that DNS64 makes are made of A records. */
static struct made_row {
    const char *name, *policy;
    const char *made, *given; /* what is decided for AAAA, made of A records or not */
} made[] = {
    {"a refusal for A", "drop name a.example type=1", "drop:1 a.example", "-"},
    {"a refusal for AAAA", "drop name a.example type=28", "drop:1 a.example", "drop:1 a.example"},
    {"an exemption for A", "drop zone example\npassthru name a.example type=1", "drop:1 .example",
     "drop:1 .example"},
    {"an exemption for AAAA", "drop zone example\npassthru name a.example type=28",
     "passthru:2 a.example", "passthru:2 a.example"},
    {"a list's entry for A", "drop names l\n+ a.example / type=1", "drop:1 a.example", "-"},
    {"a passthru list's entry for A", "drop zone example\npassthru names l\n+ a.example / type=1",
     "drop:1 .example", "drop:1 .example"},
    {"a list's entry for all but AAAA", "drop names l\n+ a.example / but-type=28",
     "drop:1 a.example", "-"},
    {"a list's entry for all but A", "drop names l\n+ a.example / but-type=1", "drop:1 a.example",
     "drop:1 a.example"},
    {"a refusal for MX", "drop name a.example type=15", "-", "-"},
};

TEST_ROWS(test_made, made, name)
{
    const struct made_row *row = *state;
    struct xnm_policy *policy = policy_of(row->policy, NULL, NULL);
    struct xnm_question question = {.qtype = AAAA, .qclass = IN, .from_a = true};
    struct xnm_decision decision;
    struct xnm_wirename a;

    wirename_of("a.example", &a);
    question.qname = a.octets;
    question.qname_len = a.len;
    xnm_policy_decide(policy, &question, &decision);
    assert_string_equal(decision_text(policy, &decision), row->made);
    question.from_a = false;
    xnm_policy_decide(policy, &question, &decision);
    assert_string_equal(decision_text(policy, &decision), row->given);
    xnm_policy_free(policy);
}

TEST_MAIN
