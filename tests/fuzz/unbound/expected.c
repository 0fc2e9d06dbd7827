/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/fuzz/unbound/expected.h"

#include "tests/fuzz/target.h"
#include "tests/unit/nametext.h"
#include "tests/unit/policyreference.h"

#include <ldns/ldns.h>

/* --- the rules --- */

/* The records that a reply may have for a refused name: none, one address, or one CNAME. */
enum leaves { NOTHING, ADDRESS, ALIAS };
static const struct rule {
    const char *text, *name;
    xnm_scope scope;
    uint16_t qtype; /* 0: any */
    enum leaves leaves;
    enum { ALL, OVER_UDP, INSIDE } whose;
} rules[] = {{"nxdomain zone r", "r", XNM_SCOPE_ZONE, 0, NOTHING, ALL},
             {"refuse name q.a", "q.a", XNM_SCOPE_EXACT, 0, NOTHING, ALL},
             {"nodata name *.w.e", "w.e", XNM_SCOPE_BELOW, 0, NOTHING, ALL},
             {"redirect 192.0.2.1 zone d.f", "d.f", XNM_SCOPE_ZONE, 0, ADDRESS, ALL},
             {"cname e name c.a", "c.a", XNM_SCOPE_EXACT, 0, ALIAS, ALL},
             {"nodata name t.a type=A", "t.a", XNM_SCOPE_EXACT, LDNS_RR_TYPE_A, NOTHING, ALL},
             {"tcp-only name u.e", "u.e", XNM_SCOPE_EXACT, 0, NOTHING, OVER_UDP},
             {"drop name k.e", "k.e", XNM_SCOPE_EXACT, 0, NOTHING, ALL},
             {"nxdomain name i.e client=192.0.2.0/24", "i.e", XNM_SCOPE_EXACT, 0, NOTHING, INSIDE}};
static const char exempting[] = "passthru name p.f\n";
static const char redirected_to[] = "\300\0\2\1";

static const char alias_to[] = "\1e", exempt[] = "\1p\1f"; /* wire names, with their NUL */

static bool is_name(const ldns_rdf *name, const char *wire)
{
    return ldns_rdf_size(name) == strlen(wire) + 1 &&
           memcmp(ldns_rdf_data(name), wire, ldns_rdf_size(name)) == 0;
}

enum { RULES = sizeof rules / sizeof *rules };
static struct item items[RULES]; /* as the reference matcher has them */

const char *expected_rules(void)
{
    static char text[1024];

    strcpy(text, exempting);
    for (size_t i = 0; i < RULES; i++) {
        items[i] = (struct item){
            .scope = rules[i].scope, .types = {rules[i].qtype}, .type_count = rules[i].qtype != 0};
        wirename_of(rules[i].name, &items[i].name);
        strcat(strcat(text, rules[i].text), "\n");
    }
    return text;
}

static const struct rule *rule_of(const ldns_rdf *name, uint16_t qtype)
{
    const struct asked asked = {.qtype = qtype};
    struct xnm_wirename wire = {.len = (uint8_t)ldns_rdf_size(name)};

    memcpy(wire.octets, ldns_rdf_data(name), wire.len);
    for (size_t i = 0; i < RULES; i++)
        if (matches(&items[i], &wire, &asked))
            return &rules[i];
    return NULL;
}

/* --- what clients get --- */

static const ldns_rr *question_of(const ldns_pkt *message)
{
    return ldns_rr_list_rr(ldns_pkt_question(message), 0);
}

static uint16_t qtype_of(const ldns_pkt *message)
{
    return (uint16_t)ldns_rr_get_type(question_of(message));
}

static bool is_left(const ldns_rr *rr, const struct rule *rule)
{
    const ldns_rdf *rdata = ldns_rr_rd_count(rr) > 0 ? ldns_rr_rdf(rr, 0) : NULL;

    switch (rule->leaves) {
    case ADDRESS:
        return ldns_rr_get_type(rr) == LDNS_RR_TYPE_A && ldns_rdf_size(rdata) == 4 &&
               memcmp(ldns_rdf_data(rdata), redirected_to, 4) == 0;
    case ALIAS:
        return ldns_rr_get_type(rr) == LDNS_RR_TYPE_CNAME && is_name(rdata, alias_to);
    case NOTHING:
        break;
    }
    return false;
}

/* `ruling`: the rule of the chain. */
static bool is_not_for(const struct rule *rule, const struct rule *ruling, struct client client)
{
    return rule->whose == INSIDE ? !client.is_inside
                                 : rule->whose == OVER_UDP && (client.is_tcp || ruling != rule);
}

static void expect_none_refused(const ldns_pkt *reply, const struct rule *ruling,
                                struct client client)
{
    const ldns_rr_list *answer = ldns_pkt_answer(reply), *more = ldns_pkt_additional(reply);

    for (size_t i = 0; i < ldns_rr_list_rr_count(answer); i++) {
        const ldns_rr *rr = ldns_rr_list_rr(answer, i);
        const struct rule *rule = rule_of(ldns_rr_owner(rr), qtype_of(reply));
        if (rule && ldns_rr_get_type(rr) != LDNS_RR_TYPE_DNAME && !is_not_for(rule, ruling, client))
            assert_true(is_left(rr, rule));
    }
    for (size_t i = 0; i < ldns_rr_list_rr_count(more); i++) {
        const ldns_rr *rr = ldns_rr_list_rr(more, i);
        const struct rule *rule = rule_of(ldns_rr_owner(rr), (uint16_t)ldns_rr_get_type(rr));
        assert_true(!rule || is_not_for(rule, ruling, client));
    }
}

/* The names that a reply's aliases lead to, from the question's on. A name may have several. */
struct chain {
    const ldns_rdf *names[40];
    size_t count;
};

static void add_name(struct chain *chain, const ldns_rdf *name)
{
    for (size_t i = 0; i < chain->count; i++)
        if (ldns_dname_compare(chain->names[i], name) == 0)
            return;
    assert_in_range(chain->count, 0, sizeof chain->names / sizeof *chain->names - 1);
    chain->names[chain->count++] = name;
}

static struct chain chain_of(const ldns_pkt *reply)
{
    struct chain chain = {.count = 0};

    add_name(&chain, ldns_rr_owner(question_of(reply)));
    for (size_t i = 0; i < chain.count; i++)
        for (size_t at = 0; at < ldns_pkt_ancount(reply); at++) {
            const ldns_rr *rr = ldns_rr_list_rr(ldns_pkt_answer(reply), at);
            if (ldns_rr_get_type(rr) == LDNS_RR_TYPE_CNAME &&
                ldns_dname_compare(ldns_rr_owner(rr), chain.names[i]) == 0)
                add_name(&chain, ldns_rr_rdf(rr, 0));
        }
    return chain;
}

static bool asks_for_exempt(const ldns_pkt *reply)
{
    return is_name(ldns_rr_owner(question_of(reply)), exempt);
}

/* Returns the first rule for a name of the chain, but a tcp-only rule only where there is no other.
 * NULL: there is none for this client. */
static const struct rule *rule_of_chain(const ldns_pkt *reply, struct client client)
{
    const struct chain chain = chain_of(reply);
    const struct rule *first = NULL;

    for (size_t i = 0; i < chain.count; i++) {
        const struct rule *rule = rule_of(chain.names[i], qtype_of(reply));
        if (rule && rule->whose == OVER_UDP && !client.is_tcp)
            first = rule;
        else if (rule && !is_not_for(rule, rule, client))
            return rule;
    }
    return first;
}

static bool has_aliases_alone(const ldns_rr_list *answer)
{
    for (size_t i = 0; i < ldns_rr_list_rr_count(answer); i++) {
        ldns_rr_type type = ldns_rr_get_type(ldns_rr_list_rr(answer, i));
        if (type != LDNS_RR_TYPE_CNAME && type != LDNS_RR_TYPE_DNAME)
            return false;
    }
    return true;
}

/* Nothing decides the target of the policy's own alias. */
void expect_reply(const uint8_t *message, size_t len, struct client client)
{
    ldns_pkt *reply = NULL;

    trace(client.is_tcp ? "reply over TCP" : "reply over UDP", message, len);
    assert_int_equal(ldns_wire2pkt(&reply, message, len), LDNS_STATUS_OK);
    assert_int_equal(ldns_pkt_qdcount(reply), 1);
    const struct rule *rule = rule_of_chain(reply, client);
    if (!asks_for_exempt(reply) && (!rule || rule->leaves != ALIAS))
        expect_none_refused(reply, rule, client);
    if (!asks_for_exempt(reply) && rule && rule->leaves == NOTHING && rule->whose != OVER_UDP)
        assert_true(has_aliases_alone(ldns_pkt_answer(reply)));
    ldns_pkt_free(reply);
}

/* --- the trace --- */

void trace(const char *what, const uint8_t *message, size_t len)
{
    ldns_pkt *packet = NULL;

    if (!getenv("XN_TRACE"))
        return;
    fprintf(stderr, "---- %s\n", what);
    if (len > 0 && ldns_wire2pkt(&packet, message, len) == LDNS_STATUS_OK)
        ldns_pkt_print(stderr, packet);
    ldns_pkt_free(packet);
}
