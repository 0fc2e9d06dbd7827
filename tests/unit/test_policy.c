/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/vectors.h"

#include "tests/unit/policyrows.h"

/* --- which rule wins --- */

/* Lists with modifiers. */
#define DENIED "nxdomain zones l\n+ .a.example / denied=b.a.example"
#define EXEMPT(types) "drop zones l\n+ .example\n+ .a.example / exempt " types
#define PASSES(types) "drop zones l\n+ .example\npassthru zones m\n+ .a.example / " types

static struct decision_row decisions[] = {
    {"name leaves what is below", "nxdomain name a.example", "b.a.example", A, "-"},
    {"zone ends at a label", "nxdomain zone a.example", "ba.example", A, "-"},
    {"`*.` leaves the name itself", "nxdomain name *.a.example", "a.example", A, "-"},
    {"compares only letters without case", "nxdomain name [a.example", "{a.example", A, "-"},
    {"the root as a zone matches every name", "refuse zone . suffixes=yes", "a.example", A,
     "refuse:1 .."},
    {"`*.` of the root matches every name", "refuse name *.. suffixes=yes", "example", A,
     "refuse:1 *.."},
    {"`*.` of the root leaves the root", "refuse name *.. suffixes=yes", ".", A, "-"},

    {"prefers the longer name", "nxdomain zone example\nrefuse zone a.example", "b.a.example", A,
     "refuse:2 .a.example"},
    {"prefers name to zone", "nxdomain zone a.example\nrefuse name a.example", "a.example", A,
     "refuse:2 a.example"},
    {"prefers a longer rule to passthru", "passthru zone example\nrefuse zone a.example",
     "a.example", A, "refuse:2 .a.example"},
    {"prefers the earlier line", "nxdomain zone a.example\nrefuse name *.a.example", "b.a.example",
     A, "nxdomain:1 .a.example"},
    {"prefers passthru between equals", "nxdomain zone a.example\npassthru name *.a.example",
     "b.a.example", A, "passthru:2 *.a.example"},
    {"prefers the earlier of a passthru rule and list",
     "passthru zones list\n+ .a.example\npassthru zone a.example", "b.a.example", A,
     "passthru:1 .a.example"},

    {"prefers a rule to a longer list", "refuse names list\n+ a.example\nnxdomain zone example",
     "a.example", A, "nxdomain:3 .example"},
    {"prefers a passthru list to a list",
     "refuse names l\n+ a.example\npassthru zones m\n+ .example", "a.example", A,
     "passthru:3 .example"},
    {"takes the first list with a match",
     "refuse names l\n+ b.example\nnxdomain names m\n+ a.example", "a.example", A,
     "nxdomain:3 a.example"},
    {"takes the longest of a list", "refuse zones l\n+ .example\n+ .a.example", "b.a.example", A,
     "refuse:1 .a.example"},
    {"an RPZ passthru decides within its zone",
     "rpz rpz z\n+ *.example passthru\n+ a.example nxdomain", "a.example", A,
     "nxdomain:1 a.example"},
    {"an RPZ wildcard matches at the closest encloser",
     "rpz rpz z\n+ *.example drop\n+ a.example nxdomain", "x.b.example", A, "drop:1 *.example"},
    {"an RPZ wildcard leaves names below another owner",
     "rpz rpz z\n+ *.example drop\n+ a.example nxdomain", "x.a.example", A, "-"},
    {"an RPZ wildcard leaves an empty non-terminal",
     "rpz rpz z\n+ *.example drop\n+ x.a.example nxdomain", "a.example", A, "-"},
    {"an RPZ wildcard leaves names below that",
     "rpz rpz z\n+ *.example drop\n+ x.a.example nxdomain", "y.a.example", A, "-"},
    {"an RPZ wildcard leaves the parent of another wildcard",
     "rpz rpz z\n+ *.example drop\n+ *.a.example nxdomain", "a.example", A, "-"},
    {"an RPZ wildcard leaves an owner without an action",
     "rpz rpz z\n+ *.example drop\n+ a.example none", "a.example", A, "-"},
    {"an RPZ wildcard leaves names below such an owner",
     "rpz rpz z\n+ *.example drop\n+ a.example none", "x.a.example", A, "-"},
    {"an RPZ wildcard matches `*` itself", "rpz rpz z\n+ *.example drop", "*.example", A,
     "drop:1 *.example"},
    {"an RPZ wildcard leaves `*` below another name",
     "rpz rpz z\n+ *.example drop\n+ a.*.b.example nodata", "*.b.example", A, "-"},
    {"the root's RPZ wildcard matches any name", "rpz rpz z\n+ *. drop\n+ a none", "x.b", A,
     "drop:1 *.."},
    {"the root's RPZ wildcard leaves an owner", "rpz rpz z\n+ *. drop\n+ a none", "x.a", A, "-"},
    {"an RPZ wildcard ignores owners of other zones",
     "rpz rpz y\n+ *.example drop\nrpz rpz z\n+ a.example passthru", "x.a.example", A,
     "drop:1 *.example"},
    {"takes the next zone where an owner exempts none",
     "rpz rpz y\n+ *.example drop\n+ a.example passthru\nrpz rpz z\n+ *.example nxdomain",
     "x.a.example", A, "nxdomain:4 *.example"},
    {"a list has no closest encloser", "drop zones l\n+ *.example\n+ *.b.a.example", "a.example", A,
     "drop:1 *.example"},
    {"prefers a rule to an RPZ zone's passthru",
     "rpz rpz z\n+ a.example passthru\nnxdomain zone example", "a.example", A,
     "nxdomain:3 .example"},
    {"takes the first entry of an RPZ owner", "rpz rpz z\n+ a.example drop\n+ a.example answer 1",
     "a.example", A, "drop:1 a.example"},

    {"takes the next best for another type",
     "nxdomain zone example\nnodata zone a.example type=28 type=15", "a.example", A,
     "nxdomain:1 .example"},
    {"a list's type leaves others",
     "nodata names l type=28\n+ a.example\nrefuse names m\n+ a.example", "a.example", A,
     "refuse:3 a.example"},
    {"ANY is every type", "nodata zone example type=28", "a.example", ANY, "nodata:1 .example"},
    {"ANY matches where it is listed", "nodata zone example type=255", "a.example", ANY,
     "nodata:1 .example"},

    {"a longer log rule decides nothing", "nxdomain zone example\nlog name a.example tag=w",
     "a.example", A, "nxdomain:1 .example log:2 tags=w"},
    {"a tried list leaves one in force to decide",
     "drop zones l mode=log-only\n+ .example\nrefuse names m\n+ a.example", "a.example", A,
     "refuse:3 a.example log:1"},
    {"a tried passthru list exempts nothing",
     "passthru names l mode=log-only\n+ a.example\nnxdomain zone example", "a.example", A,
     "nxdomain:3 .example log:1"},
    {"logs a zone that is tried", "rpz rpz z mode=log-only\n+ a.example drop\n+ *.example nodata",
     "b.example", A, "- *.example log:1"},
    {"logs a tried zone with action=", "rpz rpz z mode=log-only action=nodata\n+ a.example drop",
     "a.example", A, "- a.example log:1"},
    {"logs a list once", "log zones l tag=w\n+ .example\n+ .a.example\n+ a.example", "a.example", A,
     "- a.example log:1 tags=w"},
    {"logs rules in the order of lines",
     "log name a.example tag=w\nlog zone example tag=v\nlog zone .", "a.example", A,
     "- a.example log:1,2,3 tags=w,v"},
    {"logs rules under a passthru", "log zone example tag=w\npassthru zone example", "a.example", A,
     "passthru:2 .example log:1 tags=w"},
    {"logs the first eight rules, and every tag",
     "log zone . tag=a\nlog zone . tag=b\nlog zone . tag=c\nlog zone . tag=d\nlog zone . tag=e\n"
     "log zone . tag=f\nlog zone . tag=g\nlog zone . tag=h\nlog zone . tag=i\nlog zone . tag=j",
     "example", A, "- .. log:1,2,3,4,5,6,7,8 tags=a,b,c,d,e,f,g,h,i,j"},
    {"logs the first eight lines, found from the last on",
     "log name b.a tag=a\nlog name b.a tag=b\nlog name b.a tag=c\nlog name b.a tag=d\n"
     "log name b.a tag=e\nlog name b.a tag=f\nlog name b.a tag=g\nlog name b.a tag=h\n"
     "log zone a tag=i\nlog zone . tag=j",
     "b.a", A, "- b.a log:1,2,3,4,5,6,7,8 tags=a,b,c,d,e,f,g,h,i,j"},

    {"prefers a refusal to a longer tcp-only", "nxdomain zone example\ntcp-only name a.example",
     "a.example", A, "nxdomain:1 .example"},
    {"tcp-only decides within its zone", "rpz rpz z\n+ *.example drop\n+ a.example tcp-only",
     "a.example", A, "tcp-only:1 a.example"},
    {"a list behind a tcp-only zone refuses",
     "rpz rpz z\n+ *.example drop\n+ a.example tcp-only\nrefuse zones l\n+ .example", "a.example",
     A, "refuse:4 .example"},
    {"a list behind two tcp-only zones refuses",
     "tcp-only name a.example\nrpz rpz z\n+ *.example drop\n+ a.example tcp-only\n"
     "rpz rpz y\n+ *.example drop\n+ a.example tcp-only\nrefuse zones l\n+ .example",
     "a.example", A, "refuse:8 .example"},
    {"tcp-only decides where nothing refuses",
     "rpz rpz z\n+ *.example drop\n+ a.example tcp-only\nrpz rpz y\n+ *.example drop\n"
     "+ a.example tcp-only",
     "a.example", A, "tcp-only:1 a.example"},
    {"a later condition refuses under tcp-only", "tcp-only invalid\nrefuse invalid",
     "xn--a.example", A, "refuse:2 xn--a.example #1"},
    {"tcp-only prevails over a shorter passthru", "passthru zone example\ntcp-only name a.example",
     "a.example", A, "tcp-only:2 a.example"},
    {"tcp-only yields to a longer passthru", "tcp-only zone example\npassthru name a.example",
     "a.example", A, "passthru:2 a.example"},
    {"tcp-only keeps what passthru exempts",
     "passthru zone example\ntcp-only name a.example\ndrop names l\n+ a.example", "a.example", A,
     "tcp-only:2 a.example"},
    {"tcp-only yields to an earlier passthru condition", "passthru invalid\ntcp-only invalid",
     "xn--a.example", A, "passthru:1 xn--a.example #1"},

    {"passthru for a type leaves ANY", "passthru name a.example type=1\nnodata zone example type=1",
     "a.example", ANY, "nodata:2 .example"},
    {"passthru for ANY exempts ANY", "passthru name a.example type=255\nnodata zone example type=1",
     "a.example", ANY, "passthru:1 a.example"},

    {"takes the first refused target", "nxdomain name u.example\nrefuse name t.example",
     "a.example t.example u.example", A, "refuse:2 t.example @1"},
    {"passthru on the query name exempts all targets",
     "passthru name a.example\nnxdomain name t.example", "a.example t.example", A,
     "passthru:1 a.example"},
    {"passthru exempts a target", "passthru name t.example", "a.example t.example u.example", A,
     "passthru:1 t.example @1"},
    {"passthru exempts that target only", "passthru name t.example\nnxdomain name u.example",
     "a.example t.example u.example", A, "nxdomain:2 u.example @2"},
    {"a refused target overrides tcp-only", "tcp-only name a.example\nnxdomain name t.example",
     "a.example t.example", A, "nxdomain:2 t.example @1"},
    {"tcp-only matches behind an exempt target", "passthru name t.example\ntcp-only name u.example",
     "a.example t.example u.example", A, "tcp-only:2 u.example @2"},
    {"tcp-only on a target yields to passthru of the query name",
     "passthru name a.example\ntcp-only name t.example", "a.example t.example", A,
     "passthru:1 a.example"},
    {"logs a target", "log name t.example tag=w", "a.example t.example", A,
     "- t.example @1 log:1 tags=w"},
    {"logs all names that were looked at",
     "log name t.example tag=w\nlog name a.example tag=v\nlog name u.example tag=u\n"
     "nxdomain name t.example",
     "a.example t.example u.example", A, "nxdomain:4 t.example @1 log:1,2 tags=w,v"},
    {"logs behind a tcp-only name", "tcp-only name a.example\nlog name t.example",
     "a.example t.example", A, "tcp-only:1 a.example log:2"},
    {"logs nothing behind a passthru", "log name t.example tag=w\npassthru name a.example",
     "a.example t.example", A, "passthru:2 a.example"},

    {"drops a list that was taken back", "nxdomain names l\n+ a.example\nforget\n+ b.example",
     "a.example", A, "-"},
    {"keeps what follows a list that was taken back",
     "nxdomain names l\n+ a.example\nforget\n+ b.example", "b.example", A, "nxdomain:1 b.example"},
    {"an entry leaves a denied name", DENIED, "b.a.example", A, "-"},
    {"an entry leaves names below a denied name", DENIED, "c.b.a.example", A, "-"},
    {"an entry matches beside a denied name", DENIED, "c.a.example", A, "nxdomain:1 .a.example"},
    {"an entry matches a name that ends like a denied one", DENIED, "cb.a.example", A,
     "nxdomain:1 .a.example"},
    {"an entry matches above a denied name", DENIED, "a.example", A, "nxdomain:1 .a.example"},
    {"another list matches a denied name", DENIED "\nrefuse zones m\n+ .a.example", "b.a.example",
     A, "refuse:3 .a.example"},
    {"an entry for a type matches ANY", "nxdomain names l\n+ a.example / type=28", "a.example", ANY,
     "nodata:1 a.example"},
    {"an entry for all types but one matches ANY", "drop names l\n+ a.example / but-type=28",
     "a.example", ANY, "drop:1 a.example"},
    {"a passthru list's entry for a type", PASSES("type=28"), "a.example", AAAA,
     "passthru:3 .a.example"},
    {"a passthru list's entry for a type leaves others", PASSES("type=28"), "a.example", A,
     "drop:1 .example"},
    {"a passthru list's entry for a type leaves ANY", PASSES("type=28"), "a.example", ANY,
     "drop:1 .example"},
    {"a passthru list's entry for ANY", PASSES("type=255"), "a.example", ANY,
     "passthru:3 .a.example"},
    {"a passthru list's entry for all types but one leaves ANY", PASSES("but-type=28"), "a.example",
     ANY, "drop:1 .example"},
    {"an exemption for a type leaves ANY", EXEMPT("type=28"), "a.example", ANY, "drop:1 .example"},
    {"an exemption for all types but one leaves ANY", EXEMPT("but-type=28"), "a.example", ANY,
     "drop:1 .example"},
    {"an exemption leaves other lists",
     "drop zones l\n+ .example\nrefuse zones m\n"
     "+ .a.example / exempt",
     "a.example", A, "drop:1 .example"},
    {"an important entry overrides an exemption",
     "drop zones l\n+ .example / important\n+ .a.example / exempt", "a.example", A,
     "drop:1 .example"},
    {"drops a zone that was taken back",
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

TEST_ROWS(test_refusal, refusals, name)
{
    const struct refusal_row *row = *state;
    struct xnm_policy *policy = policy_of(row->policy, NULL, NULL);
    struct xnm_decision decision;

    decided(policy, "a.example", A, IN, &decision);
    assert_int_equal(xnm_decision_changes_answer(&decision), row->changes);
    assert_int_equal(xnm_decision_refuses(&decision), row->refuses);
    xnm_policy_free(policy);
}

ADD_ROWS(test_decision, decisions, name)
TEST_MAIN
