/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/vectors.h"

#include "tests/unit/policyrows.h"

/* --- which rule wins --- */

/* Lists with modifiers. */
#define DENIED "nxdomain zones l\n+ .a.example / denied=b.a.example"
#define EXEMPT(types) "drop zones l\n+ .example\n+ .a.example / exempt " types

static struct decision_row decisions[] = {
    {"no rules", "", "a.example", A, "-"},
    {"another name", "nxdomain name a.example", "b.example", A, "-"},
    {"a name", "nxdomain name a.example", "a.example", A, "nxdomain:1 a.example"},
    {"a name is not what is below", "nxdomain name a.example", "b.a.example", A, "-"},
    {"a name is not what is above", "nxdomain name a.example", "example", A, "-"},
    {"a zone's own name", "nxdomain zone a.example", "a.example", A, "nxdomain:1 .a.example"},
    {"below a zone", "nxdomain zone a.example", "c.b.a.example", A, "nxdomain:1 .a.example"},
    {"a zone ends at a label", "nxdomain zone a.example", "ba.example", A, "-"},
    {"`*.` is not the name itself", "nxdomain name *.a.example", "a.example", A, "-"},
    {"`*.` is below", "nxdomain name *.a.example", "c.b.a.example", A, "nxdomain:1 *.a.example"},
    {"any case", "nxdomain zone a.example", "B.A.eXAMPLe", A, "nxdomain:1 .a.example"},
    {"only letters have a case", "nxdomain name [a.example", "{a.example", A, "-"},
    {"the root as a zone", "refuse zone .", "a.example", A, "refuse:1 .."},
    {"the root's own name", "refuse name .", ".", A, "refuse:1 ."},
    {"the root is exact", "refuse name .", "example", A, "-"},
    {"`*.` of the root", "refuse name *..", "example", A, "refuse:1 *.."},
    {"`*.` of the root, not the root", "refuse name *..", ".", A, "-"},

    {"longer over shorter", "nxdomain zone example\nrefuse zone a.example", "b.a.example", A,
     "refuse:2 .a.example"},
    {"… in any order", "refuse zone a.example\nnxdomain zone example", "b.a.example", A,
     "refuse:1 .a.example"},
    {"exact over zone", "nxdomain zone a.example\nrefuse name a.example", "a.example", A,
     "refuse:2 a.example"},
    {"exact over a zone's passthru", "passthru zone a.example\nrefuse name a.example", "a.example",
     A, "refuse:2 a.example"},
    {"longer over a shorter passthru", "passthru zone example\nrefuse zone a.example", "a.example",
     A, "refuse:2 .a.example"},
    {"the earlier line", "nxdomain zone a.example\nrefuse name *.a.example", "b.a.example", A,
     "nxdomain:1 .a.example"},
    {"… the other way round", "refuse name *.a.example\nnxdomain zone a.example", "b.a.example", A,
     "refuse:1 *.a.example"},
    {"passthru between equals", "nxdomain zone a.example\npassthru name *.a.example", "b.a.example",
     A, "passthru:2 *.a.example"},
    {"… of one name", "nxdomain zone a.example\npassthru zone a.example", "b.a.example", A,
     "passthru:2 .a.example"},
    {"a list's passthru between equals",
     "nxdomain zone a.example\npassthru zones list\n+ .a.example", "b.a.example", A,
     "passthru:2 .a.example"},
    {"a list's passthru is longer", "nxdomain zone example\npassthru names list\n+ a.example",
     "a.example", A, "passthru:2 a.example"},

    {"a rule over a longer list", "refuse names list\n+ a.example\nnxdomain zone example",
     "a.example", A, "nxdomain:3 .example"},
    {"passthru over a list", "refuse names list\n+ a.example\npassthru zone example", "a.example",
     A, "passthru:3 .example"},
    {"a passthru list over a list", "refuse names l\n+ a.example\npassthru zones m\n+ .example",
     "a.example", A, "passthru:3 .example"},
    {"the first list", "refuse zones l\n+ .example\nnxdomain names m\n+ a.example", "a.example", A,
     "refuse:1 .example"},
    {"the first list with a match", "refuse names l\n+ b.example\nnxdomain names m\n+ a.example",
     "a.example", A, "nxdomain:3 a.example"},
    {"in a list the longest", "refuse zones l\n+ .example\n+ .a.example", "b.a.example", A,
     "refuse:1 .a.example"},
    {"in an RPZ zone exact over `*.`", "rpz rpz z\n+ *.example refuse\n+ a.example nxdomain",
     "a.example", A, "nxdomain:1 a.example"},
    {"in an RPZ zone passthru is its own", "rpz rpz z\n+ *.example passthru\n+ a.example nxdomain",
     "a.example", A, "nxdomain:1 a.example"},
    {"in an RPZ zone `*.` at the closest encloser",
     "rpz rpz z\n+ *.example drop\n+ a.example nxdomain", "x.b.example", A, "drop:1 *.example"},
    {"… not above it", "rpz rpz z\n+ *.example drop\n+ a.example nxdomain", "x.a.example", A, "-"},
    {"… nor for what has others below it", "rpz rpz z\n+ *.example drop\n+ x.a.example nxdomain",
     "a.example", A, "-"},
    {"… nor beside these", "rpz rpz z\n+ *.example drop\n+ x.a.example nxdomain", "y.a.example", A,
     "-"},
    {"… nor where there is another `*.`", "rpz rpz z\n+ *.example drop\n+ *.a.example nxdomain",
     "a.example", A, "-"},
    {"… nor for a name without an action", "rpz rpz z\n+ *.example drop\n+ a.example none",
     "a.example", A, "-"},
    {"… nor below it", "rpz rpz z\n+ *.example drop\n+ a.example none", "x.a.example", A, "-"},
    {"… nor below `*` itself", "rpz rpz z\n+ *.example drop", "x.*.example", A, "-"},
    {"… which it covers", "rpz rpz z\n+ *.example drop", "*.example", A, "drop:1 *.example"},
    {"… and all of the root's", "rpz rpz z\n+ *. drop\n+ a none", "x.b", A, "drop:1 *.."},
    {"… but names that there are", "rpz rpz z\n+ *. drop\n+ a none", "x.a", A, "-"},
    {"another zone's names are its own",
     "rpz rpz y\n+ *.example drop\nrpz rpz z\n+ a.example passthru", "x.a.example", A,
     "drop:1 *.example"},
    {"… and its turn comes",
     "rpz rpz y\n+ *.example drop\n+ a.example passthru\nrpz rpz z\n+ *.example nxdomain",
     "x.a.example", A, "nxdomain:4 *.example"},
    {"a list has no closest encloser", "drop zones l\n+ *.example\n+ *.b.a.example", "a.example", A,
     "drop:1 *.example"},
    {"an RPZ zone's passthru ends the lists",
     "rpz rpz z\n+ a.example passthru\nnxdomain names l\n+ a.example", "a.example", A,
     "passthru:1 a.example"},
    {"… but no rule", "rpz rpz z\n+ a.example passthru\nnxdomain zone example", "a.example", A,
     "nxdomain:3 .example"},
    {"the first of an RPZ owner", "rpz rpz z\n+ a.example drop\n+ a.example answer 1", "a.example",
     A, "drop:1 a.example"},
    {"… even of a passthru", "rpz rpz z\n+ a.example drop\n+ a.example passthru", "a.example", A,
     "drop:1 a.example"},

    {"a type", "nodata zone example type=28", "a.example", AAAA, "nodata:1 .example"},
    {"another type", "nodata zone example type=28", "a.example", A, "-"},
    {"the next best for another type",
     "nxdomain zone example\nnodata zone a.example type=28 type=15", "a.example", A,
     "nxdomain:1 .example"},
    {"the second of its types", "nxdomain zone example\nnodata zone a.example type=28 type=15",
     "a.example", MX, "nodata:2 .a.example"},
    {"the same name for another type", "nodata zone example type=28\nrefuse zone example",
     "a.example", A, "refuse:2 .example"},
    {"a list's type", "nodata names l type=28\n+ a.example\nrefuse names m\n+ a.example",
     "a.example", A, "refuse:3 a.example"},
    {"ANY is every type", "nodata zone example type=28", "a.example", ANY, "nodata:1 .example"},
    {"ANY where it is listed", "nodata zone example type=255", "a.example", ANY,
     "nodata:1 .example"},
    {"ANY for a rule of every type", "nodata zone example", "a.example", ANY, "nodata:1 .example"},

    {"a log rule alone", "log zone example tag=w", "a.example", A, "- .example log:1 tags=w"},
    {"a log rule without a tag", "log zone example", "a.example", A, "- .example log:1"},
    {"a log rule of another type", "log zone example tag=w type=28", "a.example", A, "-"},
    {"a longer log rule decides nothing", "nxdomain zone example\nlog name a.example tag=w",
     "a.example", A, "nxdomain:1 .example log:2 tags=w"},
    {"a log list", "log names l tag=w\n+ a.example\nnxdomain names m\n+ a.example", "a.example", A,
     "nxdomain:3 a.example log:1 tags=w"},
    {"a list that is tried", "nxdomain names l tag=w mode=log-only\n+ a.example", "a.example", A,
     "- a.example log:1 tags=w"},
    {"… beside one in force", "drop zones l mode=log-only\n+ .example\nrefuse names m\n+ a.example",
     "a.example", A, "refuse:3 a.example log:1"},
    {"a passthru list that is tried",
     "passthru names l mode=log-only\n+ a.example\nnxdomain zone example", "a.example", A,
     "nxdomain:3 .example log:1"},
    {"a zone that is tried", "rpz rpz z mode=log-only\n+ a.example drop\n+ *.example nodata",
     "b.example", A, "- *.example log:1"},
    {"… with an override", "rpz rpz z mode=log-only action=nodata\n+ a.example drop", "a.example",
     A, "- a.example log:1"},
    {"… on a target", "nxdomain names l mode=log-only\n+ t.example", "a.example t.example", A,
     "- t.example @1 log:1"},
    {"a log list says a line once", "log zones l tag=w\n+ .example\n+ .a.example\n+ a.example",
     "a.example", A, "- a.example log:1 tags=w"},
    {"log rules by their lines", "log name a.example tag=w\nlog zone example tag=v\nlog zone .",
     "a.example", A, "- a.example log:1,2,3 tags=w,v"},
    {"log rules under a passthru", "log zone example tag=w\npassthru zone example", "a.example", A,
     "passthru:2 .example log:1 tags=w"},
    {"the first eight log rules, every tag",
     "log zone . tag=a\nlog zone . tag=b\nlog zone . tag=c\nlog zone . tag=d\nlog zone . tag=e\n"
     "log zone . tag=f\nlog zone . tag=g\nlog zone . tag=h\nlog zone . tag=i\nlog zone . tag=j",
     "example", A, "- .. log:1,2,3,4,5,6,7,8 tags=a,b,c,d,e,f,g,h,i,j"},
    {"… found from the last on",
     "log name b.a tag=a\nlog name b.a tag=b\nlog name b.a tag=c\nlog name b.a tag=d\n"
     "log name b.a tag=e\nlog name b.a tag=f\nlog name b.a tag=g\nlog name b.a tag=h\n"
     "log zone a tag=i\nlog zone . tag=j",
     "b.a", A, "- b.a log:1,2,3,4,5,6,7,8 tags=a,b,c,d,e,f,g,h,i,j"},

    {"a refusal over a longer tcp-only", "nxdomain zone example\ntcp-only name a.example",
     "a.example", A, "nxdomain:1 .example"},
    {"… of the same name", "tcp-only name a.example\nrefuse name a.example", "a.example", A,
     "refuse:2 a.example"},
    {"… of a list", "tcp-only name a.example\ndrop names l\n+ a.example", "a.example", A,
     "drop:2 a.example"},
    {"… of a list behind a tcp-only one",
     "tcp-only names k\n+ a.example\nnodata zones l\n+ .example", "a.example", A,
     "nodata:3 .example"},
    {"… but not of the same zone", "rpz rpz z\n+ *.example drop\n+ a.example tcp-only", "a.example",
     A, "tcp-only:1 a.example"},
    {"… whose longer entry refuses", "rpz rpz z\n+ *.example tcp-only\n+ a.example drop",
     "a.example", A, "drop:1 a.example"},
    {"… of the list behind such a zone",
     "rpz rpz z\n+ *.example drop\n+ a.example tcp-only\nrefuse zones l\n+ .example", "a.example",
     A, "refuse:4 .example"},
    {"… behind two of them",
     "tcp-only name a.example\nrpz rpz z\n+ *.example drop\n+ a.example tcp-only\n"
     "rpz rpz y\n+ *.example drop\n+ a.example tcp-only\nrefuse zones l\n+ .example",
     "a.example", A, "refuse:8 .example"},
    {"tcp-only where two such zones refuse less",
     "rpz rpz z\n+ *.example drop\n+ a.example tcp-only\nrpz rpz y\n+ *.example drop\n"
     "+ a.example tcp-only",
     "a.example", A, "tcp-only:1 a.example"},
    {"… of a condition", "tcp-only name xn--a.example\nrefuse invalid", "xn--a.example", A,
     "refuse:2 xn--a.example #1"},
    {"… of a later condition", "tcp-only invalid\nrefuse invalid", "xn--a.example", A,
     "refuse:2 xn--a.example #1"},
    {"a refusal for another type", "tcp-only name a.example\nnodata zone example type=1",
     "a.example", MX, "tcp-only:1 a.example"},
    {"tcp-only and a shorter passthru", "passthru zone example\ntcp-only name a.example",
     "a.example", A, "tcp-only:2 a.example"},
    {"tcp-only and a longer passthru", "tcp-only zone example\npassthru name a.example",
     "a.example", A, "passthru:2 a.example"},
    {"tcp-only and a passthru of the same name", "tcp-only name a.example\npassthru name a.example",
     "a.example", A, "passthru:2 a.example"},
    {"a passthru holds behind tcp-only",
     "passthru zone example\ntcp-only name a.example\ndrop names l\n+ a.example", "a.example", A,
     "tcp-only:2 a.example"},
    {"a tcp-only condition and a later passthru", "tcp-only invalid\npassthru invalid",
     "xn--a.example", A, "tcp-only:1 xn--a.example #1"},
    {"… and an earlier one", "passthru invalid\ntcp-only invalid", "xn--a.example", A,
     "passthru:1 xn--a.example #1"},

    {"ANY for each action", "tcp-only name a.example type=28", "a.example", ANY,
     "tcp-only:1 a.example"},
    {"… to log", "log name a.example type=28 tag=w", "a.example", ANY, "- a.example log:1 tags=w"},
    {"a passthru for a type is none for ANY",
     "passthru name a.example type=1\nnodata zone example type=1", "a.example", ANY,
     "nodata:2 .example"},
    {"… unless it lists ANY", "passthru name a.example type=255\nnodata zone example type=1",
     "a.example", ANY, "passthru:1 a.example"},

    {"a target", "nxdomain name t.example", "a.example t.example", A, "nxdomain:1 t.example @1"},
    {"a later target", "nxdomain name t.example", "a.example b.example t.example u.example", A,
     "nxdomain:1 t.example @2"},
    {"the first refused", "nxdomain name u.example\nrefuse name t.example",
     "a.example t.example u.example", A, "refuse:2 t.example @1"},
    {"the query name first", "nxdomain name t.example\ndrop name a.example", "a.example t.example",
     A, "drop:2 a.example"},
    {"passthru on the query name", "passthru name a.example\nnxdomain name t.example",
     "a.example t.example", A, "passthru:1 a.example"},
    {"passthru on a target", "passthru name t.example", "a.example t.example u.example", A,
     "passthru:1 t.example @1"},
    {"… is for that target", "passthru name t.example\nnxdomain name u.example",
     "a.example t.example u.example", A, "nxdomain:2 u.example @2"},
    {"the first of two passthru targets", "passthru zone example", "a.test t.example u.example", A,
     "passthru:1 .example @1"},
    {"tcp-only on a target", "tcp-only name t.example\nnxdomain name u.example",
     "a.example t.example u.example", A, "nxdomain:2 u.example @2"},
    {"tcp-only on the query name", "tcp-only name a.example\nnxdomain name t.example",
     "a.example t.example", A, "nxdomain:2 t.example @1"},
    {"tcp-only where nothing is refused", "tcp-only name t.example\nnxdomain name b.example",
     "a.example t.example u.example", A, "tcp-only:1 t.example @1"},
    {"the first of two tcp-only names", "tcp-only zone example", "a.example t.example", A,
     "tcp-only:1 .example"},
    {"tcp-only behind an exempt target", "passthru name t.example\ntcp-only name u.example",
     "a.example t.example u.example", A, "tcp-only:2 u.example @2"},
    {"tcp-only before an exempt target", "passthru name u.example\ntcp-only name t.example",
     "a.example t.example u.example", A, "tcp-only:2 t.example @1"},
    {"an exempt chain over TCP alone",
     "passthru zone a.example\ntcp-only name a.example\ndrop name t.example", "a.example t.example",
     A, "tcp-only:2 a.example"},
    {"an exempt chain with a tcp-only name", "passthru name a.example\ntcp-only name t.example",
     "a.example t.example", A, "passthru:1 a.example"},
    {"a log rule on a target", "log name t.example tag=w", "a.example t.example", A,
     "- t.example @1 log:1 tags=w"},
    {"log rules of all names looked at",
     "log name t.example tag=w\nlog name a.example tag=v\nlog name u.example tag=u\n"
     "nxdomain name t.example",
     "a.example t.example u.example", A, "nxdomain:4 t.example @1 log:1,2 tags=w,v"},
    {"a log rule on several names", "log zone example tag=w", "a.example t.example", A,
     "- .example log:1 tags=w"},
    {"no log rules behind a passthru", "log name t.example tag=w\npassthru name a.example",
     "a.example t.example", A, "passthru:2 a.example"},

    {"a list that was taken back", "nxdomain names l\n+ a.example\nforget\n+ b.example",
     "a.example", A, "-"},
    {"… and what came behind", "nxdomain names l\n+ a.example\nforget\n+ b.example", "b.example", A,
     "nxdomain:1 b.example"},
    {"a name that an entry denies", DENIED, "b.a.example", A, "-"},
    {"… below it", DENIED, "c.b.a.example", A, "-"},
    {"… beside it", DENIED, "c.a.example", A, "nxdomain:1 .a.example"},
    {"… that ends like it", DENIED, "cb.a.example", A, "nxdomain:1 .a.example"},
    {"… above it", DENIED, "a.example", A, "nxdomain:1 .a.example"},
    {"… and another list has none", DENIED "\nrefuse zones m\n+ .a.example", "b.a.example", A,
     "refuse:3 .a.example"},
    {"an entry for a type", "nxdomain names l\n+ a.example / type=28", "a.example", AAAA,
     "nodata:1 a.example"},
    {"… for another one", "nxdomain names l\n+ a.example / type=28", "a.example", A, "-"},
    {"… for any", "nxdomain names l\n+ a.example / type=28", "a.example", ANY,
     "nodata:1 a.example"},
    {"an entry for all types but one", "drop names l\n+ a.example / but-type=28", "a.example", AAAA,
     "-"},
    {"… for another one", "drop names l\n+ a.example / but-type=28", "a.example", A,
     "drop:1 a.example"},
    {"… for any", "drop names l\n+ a.example / but-type=28", "a.example", ANY, "drop:1 a.example"},
    {"an exemption for a type", EXEMPT("type=28"), "a.example", AAAA, "-"},
    {"… for another one", EXEMPT("type=28"), "a.example", A, "drop:1 .example"},
    {"… for any", EXEMPT("type=28"), "a.example", ANY, "drop:1 .example"},
    {"an exemption for all types but one", EXEMPT("but-type=28"), "a.example", AAAA,
     "drop:1 .example"},
    {"… for another one", EXEMPT("but-type=28"), "a.example", A, "-"},
    {"… for any", EXEMPT("but-type=28"), "a.example", ANY, "drop:1 .example"},
    {"an exemption of another list",
     "drop zones l\n+ .example\nrefuse zones m\n"
     "+ .a.example / exempt",
     "a.example", A, "drop:1 .example"},
    {"an important entry over an exemption",
     "drop zones l\n+ .example / important\n+ .a.example / exempt", "a.example", A,
     "drop:1 .example"},
    {"an RPZ zone that was taken back",
     "rpz rpz z\n+ a.example answer 1\n+ a.example answer 2\nforget\n+ a.example refuse",
     "a.example", A, "refuse:1 a.example"},
};

/* --- what a decision does to the answer --- */

static struct refusal_row {
    const char *name, *policy;
    bool changes, refuses;
} refusals[] = {
    {"no rule", "drop name b.example", false, false},
    {"a log rule", "log name a.example", false, false},
    {"a passthru", "passthru name a.example", false, false},
    {"a tcp-only", "tcp-only name a.example", true, false},
    {"a drop", "drop name a.example", true, true},
    {"an answer", "answer name a.example 1", true, true},
};

static void test_refusal(void **state)
{
    const struct refusal_row *row = *state;
    struct xnm_policy *policy = policy_of(row->policy, NULL, NULL);
    struct xnm_decision decision;

    decided(policy, "a.example", A, IN, &decision);
    assert_int_equal(xnm_decision_changes_answer(&decision), row->changes);
    assert_int_equal(xnm_decision_refuses(&decision), row->refuses);
    xnm_policy_free(policy);
}

/* --- questions that are more than a name --- */

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
static void test_bad_target(void **state)
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
    assert_null(decision.verdict);
    assert_true(one.target->len == 0 || one.given == false);
    xnm_policy_free(policy);
}

/* The name that the resolver looks up instead of the query name is decided like that. */
static void test_looked_up(void **state)
{
    struct xnm_policy *policy =
        policy_of("drop name a.example\nrefuse name b.example\nlog name b.example", NULL, NULL);
    struct xnm_wirename a, b, c;
    struct xnm_question question = {.qtype = A, .qclass = IN};
    struct xnm_decision decision;

    (void)state;
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
    const char *name, *wanted, *group; /* client=, and whose group is said to have decided */
} clients[] = {
    {"a group", "kids", "kids"},
    {"… after a prefix that has the client, too", "192.0.2.7,kids", "kids"},
    {"the first of two", "kids,all", "kids"},
    {"… in the other order", "all,kids", "all"},
    {"a group after one that does not have the client", "staff,kids", "kids"},
    {"… which is excluded", "!staff,kids", "kids"},
    {"a prefix alone", "192.0.2.0/25", NULL},
    {"those who are not in a group", "!staff", NULL},
    {"one who is in a group that is excluded", "!kids,all", "-"},
    {"one who is in none", "staff", "-"},
};

static void test_client(void **state)
{
    const struct client_row *row = *state;
    struct xnm_question question = {.qtype = A, .qclass = IN, .time = 1};
    struct xnm_client client;
    struct xnm_decision decision;
    struct xnm_wirename a;
    char text[256];

    snprintf(text, sizeof text,
             "group kids 192.0.2.0/24\ngroup all 192.0.0.0/16\ngroup staff 198.51.100.0/24\n"
             "drop name a.example client=%s",
             row->wanted);
    struct xnm_policy *policy = policy_of(text, NULL, NULL);
    wirename_of("a.example", &a);
    question.qname = a.octets;
    question.qname_len = a.len;
    assert_true(xnm_client_from((const uint8_t[]){192, 0, 2, 7}, 4, &client));
    question.client = &client;
    if (row->group && row->group[0] == '-') {
        assert_false(xnm_policy_decide(policy, &question, &decision));
    } else {
        assert_true(xnm_policy_decide(policy, &question, &decision));
        assert_true(decision.personal && decision.varies);
        assert_int_equal(decision.group != NULL, row->group != NULL);
        if (row->group)
            assert_string_equal(decision.group, row->group);
    }
    xnm_policy_free(policy);
}

/* A time that the calendar does not have is in no rule's time. */
static void test_no_such_time(void **state)
{
    struct xnm_policy *policy = policy_of("drop name a.example when=Sun-Sat", NULL, NULL);
    struct xnm_wirename a;
    struct xnm_question question = {.qtype = A, .qclass = IN, .time = 1};
    struct xnm_decision decision;

    (void)state;
    wirename_of("a.example", &a);
    question.qname = a.octets;
    question.qname_len = a.len;
    assert_true(xnm_policy_decide(policy, &question, &decision));
    question.time = INT64_MAX;
    assert_false(xnm_policy_decide(policy, &question, &decision));
    xnm_policy_free(policy);
}

int main(void)
{
    struct test_group group = {0};

    ADD_TESTS(&group, decisions, name, test_decision);
    ADD_TESTS(&group, refusals, name, test_refusal);
    ADD_TESTS(&group, targets, name, test_bad_target);
    add_test(&group, "a name that is looked up instead", test_looked_up, NULL);
    ADD_TESTS(&group, clients, name, test_client);
    add_test(&group, "a time that no calendar has", test_no_such_time, NULL);
    return run_group("policy", &group);
}
