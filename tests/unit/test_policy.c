/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/vectors.h"

#include "tests/unit/policytext.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { A = 1, CNAME = 5, MX = 15, AAAA = 28, ANY = 255, IN = 1, CH = 3 };

/* --- which rule wins --- */

static struct decision_row {
    const char *name;
    const char *policy;
    const char *names; /* the query name, then targets */
    uint16_t qtype;
    const char *expected;
} decisions[] = {
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

    {"a rule over a longer feed", "refuse names list\n+ a.example\nnxdomain zone example",
     "a.example", A, "nxdomain:3 .example"},
    {"passthru over a feed", "refuse names list\n+ a.example\npassthru zone example", "a.example",
     A, "passthru:3 .example"},
    {"a passthru list over a feed", "refuse names l\n+ a.example\npassthru zones m\n+ .example",
     "a.example", A, "passthru:3 .example"},
    {"the first feed", "refuse zones l\n+ .example\nnxdomain names m\n+ a.example", "a.example", A,
     "refuse:1 .example"},
    {"the first feed with a match", "refuse names l\n+ b.example\nnxdomain names m\n+ a.example",
     "a.example", A, "nxdomain:3 a.example"},
    {"in a feed the longest", "refuse zones l\n+ .example\n+ .a.example", "b.a.example", A,
     "refuse:1 .a.example"},
    {"in an RPZ zone exact over `*.`", "rpz rpz z\n+ *.example refuse\n+ a.example nxdomain",
     "a.example", A, "nxdomain:1 a.example"},
    {"in an RPZ zone passthru is its own", "rpz rpz z\n+ *.example passthru\n+ a.example nxdomain",
     "a.example", A, "nxdomain:1 a.example"},
    {"an RPZ zone's passthru ends the feeds",
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
    {"a feed's type", "nodata names l type=28\n+ a.example\nrefuse names m\n+ a.example",
     "a.example", A, "refuse:3 a.example"},
    {"ANY is no type of its own", "nodata zone example type=28", "a.example", ANY, "-"},
    {"ANY where it is listed", "nodata zone example type=255", "a.example", ANY,
     "nodata:1 .example"},
    {"ANY for a rule of every type", "nodata zone example", "a.example", ANY, "nodata:1 .example"},

    {"a log rule alone", "log zone example tag=w", "a.example", A, "- .example log:1 tags=w"},
    {"a log rule without a tag", "log zone example", "a.example", A, "- .example log:1"},
    {"a log rule of another type", "log zone example tag=w type=28", "a.example", A, "-"},
    {"a longer log rule decides nothing", "nxdomain zone example\nlog name a.example tag=w",
     "a.example", A, "nxdomain:1 .example log:2 tags=w"},
    {"a log feed", "log names l tag=w\n+ a.example\nnxdomain names m\n+ a.example", "a.example", A,
     "nxdomain:3 a.example log:1 tags=w"},
    {"a log feed says a line once", "log zones l tag=w\n+ .example\n+ .a.example\n+ a.example",
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
     "a.example t.example u.example", A, "tcp-only:1 t.example @1"},
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

    {"a feed that was taken back", "nxdomain names l\n+ a.example\nforget\n+ b.example",
     "a.example", A, "-"},
    {"… and what came behind", "nxdomain names l\n+ a.example\nforget\n+ b.example", "b.example", A,
     "nxdomain:1 b.example"},
    {"an RPZ zone that was taken back",
     "rpz rpz z\n+ a.example answer 1\n+ a.example answer 2\nforget\n+ a.example refuse",
     "a.example", A, "refuse:1 a.example"},
};

static void test_decision(void **state)
{
    const struct decision_row *row = *state;
    struct xnm_policy *policy = policy_of(row->policy, NULL, NULL);
    struct xnm_decision decision;

    assert_string_equal(decided(policy, row->names, row->qtype, IN, &decision), row->expected);
    assert_string_equal(decided(policy, row->names, row->qtype, CH, &decision), "-");
    xnm_policy_free(policy);
}

int main(void)
{
    struct test_group group = {0};

    for (size_t i = 0; i < COUNT(decisions); i++)
        add_test(&group, decisions[i].name, test_decision, &decisions[i]);
    return run_group("policy", &group);
}
