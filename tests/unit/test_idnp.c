/* SPDX-License-Identifier: BSD-3-Clause */
/* libidnpolicy: handles, and what they decide. */
#include "core/text/version.h"
#include "tests/unit/idnphandle.h"

/* --- opening --- */

TEST(test_version, "version")
{
    unsigned major, minor, patch;

    assert_string_equal(IDNP_VERSION_TEXT, XN_VERSION);
    assert_string_equal(idnp_version_text(), XN_VERSION);
    assert_int_equal(sscanf(XN_VERSION, "%u.%u.%u", &major, &minor, &patch), 3);
    assert_int_equal(idnp_version(), major * 10000 + minor * 100 + patch);
    assert_int_equal(idnp_version(), IDNP_VERSION);
}

TEST(test_errors, "errors at opening")
{
    char small[128], expected[256];

    assert_null(try_handle("lg: none\nlogs: none\nrequired: yes\n", NULL));
    assert_non_null(strstr(open_errors, "idn.conf:2:1: "));
    assert_non_null(strstr(open_errors, "idn.conf:3:1: "));
    const char *end = strchr(open_errors, '\n') + 1;
    size_t first = (size_t)(end - open_errors);
    snprintf(expected, sizeof expected, "%.*s", (int)first, open_errors);
    char *cut = malloc(first + 1);
    assert_null(idnp_open(conf, NULL, cut, first + 1)); /* room for one line and its NUL */
    assert_string_equal(cut, expected);
    assert_null(idnp_open(conf, NULL, cut, first));
    assert_string_equal(cut, "");
    assert_null(idnp_open(conf, NULL, NULL, 0));
    free(cut);
    struct idnp *without = idnp_open(path_in("none"), NULL, open_errors, sizeof open_errors);
    assert_non_null(without); /* no rules are in force */
    assert_non_null(strstr(open_errors, "No such file"));
    assert_int_equal(ask(without, "a.example"), IDNP_LEAVE);
    idnp_close(without);
    const struct idnp_options size = {.size = sizeof size - 1}, flags = {sizeof flags, 8, 0, 0};
    assert_null(idnp_open(conf, &size, small, sizeof small));
    assert_string_equal(small, "options: size is not that of a struct idnp_options\n");
    assert_null(idnp_open(conf, &flags, small, sizeof small));
    assert_string_equal(small, "options: flags has a flag that this library, " IDNP_VERSION_TEXT
                               ", does not know\n");
    write_in("rules", "refus name a.example\n");
    assert_null(try_handle("policy: @/rules\nrequired: yes\n", NULL));
    assert_non_null(strstr(open_errors, "/rules:1:1: "));
}

static void *open_in_thread(void *seen)
{
    *(struct idnp **)seen = idnp_open_shared(conf, NULL, NULL, 0);
    return NULL;
}

/* Callers that open a file by the same path share a handle, until each has closed it. */
TEST(test_shared, "shared handles")
{
    static struct idnp *seen[8];
    pthread_t threads[COUNT(seen)];

    write_in("rules", "refus name a.example\n");
    write_conf("log: none\npolicy: @/rules\nrequired: yes\n");
    assert_null(idnp_open_shared(conf, NULL, open_errors, sizeof open_errors));
    assert_non_null(strstr(open_errors, "/rules:1:1: "));
    write_in("rules", "refuse name a.example\n");
    for (size_t i = 0; i < COUNT(seen); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, open_in_thread, &seen[i]), 0);
    for (size_t i = 0; i < COUNT(seen); i++)
        pthread_join(threads[i], NULL);
    struct idnp *own = idnp_open(conf, NULL, NULL, 0);
    struct idnp *other = idnp_open_shared(path_in("./idn.conf"), NULL, NULL, 0);
    assert_non_null(seen[0]);
    assert_true(own && own != seen[0] && other && other != seen[0] && other != own);
    idnp_close(other);
    idnp_close(own);
    for (size_t i = 0; i < COUNT(seen); i++) {
        assert_ptr_equal(seen[i], seen[0]);
        assert_int_equal(ask(seen[0], "a.example"), IDNP_ANSWER);
        idnp_close(seen[i]);
    }
    write_in("rules", "nxdomain name a.example\n");
    struct idnp *again = idnp_open_shared(conf, NULL, NULL, 0);
    ask(again, "a.example");
    assert_int_equal(decision->rcode, 3);
    idnp_close(again);
}

TEST(test_bad_arguments, "bad arguments")
{
    struct idnp *idnp = open_with_rules(every_action);
    static const uint8_t root[] = {0}, broken[] = {1, 'a'};
    struct idnp_question question = {
        .size = sizeof question, .qname = root, .qname_len = 1, .qtype = A, .qclass = IN};
    struct idnp_reply reply = {.size = sizeof reply, .qname = root, .qname_len = 1};

    assert_int_equal(idnp_decide(idnp, &question, decision), IDNP_LEAVE);
    assert_int_equal(idnp_decide(idnp, &question, NULL), IDNP_BAD_ARGUMENT);
    assert_int_equal(idnp_decide(NULL, &question, decision), IDNP_BAD_ARGUMENT);
    assert_int_equal(idnp_decide(idnp, NULL, decision), IDNP_BAD_ARGUMENT);
    question.qname_len = 0;
    assert_int_equal(idnp_decide(idnp, &question, decision), IDNP_BAD_ARGUMENT);
    question.qname = broken;
    question.qname_len = sizeof broken;
    assert_int_equal(idnp_decide(idnp, &question, decision), IDNP_BAD_ARGUMENT);
    assert_int_equal(decision->result, IDNP_BAD_ARGUMENT);
    static const uint32_t sizes[] = {0, 1, offsetof(struct idnp_question, subnet) - 1, 4097,
                                     UINT32_MAX};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        question = (struct idnp_question){.size = sizes[i], .qname = root, .qname_len = 1};
        assert_int_equal(idnp_decide(idnp, &question, decision), IDNP_BAD_ARGUMENT);
    }
    assert_int_equal(idnp_report(idnp, &reply, NULL), 0);
    assert_int_equal(idnp_report(NULL, &reply, NULL), IDNP_BAD_ARGUMENT);
    assert_int_equal(idnp_report(idnp, NULL, NULL), IDNP_BAD_ARGUMENT);
    reply.address_len = 5;
    assert_int_equal(idnp_report(idnp, &reply, NULL), IDNP_BAD_ARGUMENT);
    reply.address_len = 0;
    reply.rcode = -2;
    assert_int_equal(idnp_report(idnp, &reply, NULL), IDNP_BAD_ARGUMENT);
    reply.rcode = 0;
    reply.transport = IDNP_TRANSPORT_DOQ + 1;
    assert_int_equal(idnp_report(idnp, &reply, NULL), IDNP_BAD_ARGUMENT);
    assert_int_equal(idnp_metrics(NULL, NULL, 0), 0);
    assert_int_equal(idnp_generation(NULL), 0);
    assert_int_equal(idnp_message(NULL, open_errors, 10), IDNP_NO_MESSAGE);
    write_conf("required: yes\npolicy: @/none\n");
    assert_null(idnp_open_shared(conf, NULL, NULL, 0));
    idnp_close(idnp);
    idnp_close(NULL);
    idnp_decision_free(NULL);
}

/* --- deciding --- */

static const struct asked {
    const char *name;
    xnm_action action; /* NONE: no rule matches */
    int32_t over_udp, over_tcp;
} asked[] = {
    {"www.example", XNM_ACTION_NONE, IDNP_LEAVE, IDNP_LEAVE},
    {"pass.example", XNM_PASSTHRU, IDNP_LEAVE, IDNP_LEAVE},
    {"www.nx.example", XNM_NXDOMAIN, IDNP_ANSWER, IDNP_ANSWER},
    {"xn--80aodfsg.example", XNM_NODATA, IDNP_ANSWER, IDNP_ANSWER},
    {"A.EXAMPLE", XNM_REFUSE, IDNP_ANSWER, IDNP_ANSWER},
    {"d.example", XNM_DROP, IDNP_DROP, IDNP_ANSWER},
    {"r.example", XNM_REDIRECT, IDNP_ANSWER, IDNP_ANSWER},
    {"c.example", XNM_CNAME, IDNP_ANSWER, IDNP_ANSWER},
    {"txt.example", XNM_ANSWER, IDNP_ANSWER, IDNP_ANSWER},
    {"tcp.example", XNM_TCP_ONLY, IDNP_TRUNCATE, IDNP_LEAVE},
    {"log.example", XNM_LOG, IDNP_LEAVE, IDNP_LEAVE},
    {"xn--pypal-4ve.com", XNM_NXDOMAIN, IDNP_ANSWER, IDNP_ANSWER},
};

/* The decision has what module/answer makes of the same decision by the policy. */
static void expect_response(struct idnp *idnp, const struct xnm_question *question,
                            const struct xnm_aliaschain *chain)
{
    static struct xnm_response response;
    struct xnm_aliaschain walked = *chain;
    struct xnm_decision by_policy;
    uint8_t ede[XNM_EDE_OPTION_MAX];
    uint32_t n = 0;

    const struct xnm_policy *policy = xnm_policyhandle_enter(xnm_state_force(idnp->state), NULL);
    assert_true(
        xnm_policy_decide_answer(policy, question, xnm_aliaschain_next, &walked, &by_policy));
    assert_true(xnm_aliaschain_cut(&walked, by_policy.target));
    xnm_response_make(xnm_policy_settings(policy), &by_policy, question, &walked, &response);
    assert_int_equal(decision->rcode, response.rcode);
    assert_int_equal(decision->ttl, by_policy.answer->ttl);
    for (size_t i = 0; i < response.set_count; i++) {
        const struct xnm_response_set *set = &response.sets[i];
        for (size_t j = 0; j < set->count; j++, n++) {
            const struct idnp_record *record = &decision->records[n];
            assert_int_equal(record->type, set->records[j].type);
            assert_int_equal(record->ttl, set->records[j].ttl);
            assert_int_equal(record->rclass, IN);
            assert_int_equal(record->owner_len, set->owner_len);
            assert_memory_equal(record->owner, set->owner, set->owner_len);
            assert_int_equal(record->rdata_len, set->records[j].rdata_len);
            assert_memory_equal(record->rdata, set->records[j].rdata, record->rdata_len);
            assert_int_equal(record->section, response.has_soa && i + 1 == response.set_count
                                                  ? IDNP_SECTION_AUTHORITY
                                                  : IDNP_SECTION_ANSWER);
        }
    }
    assert_int_equal(decision->record_count, n);
    assert_int_equal(decision->follow != NULL, response.follow_alias);
    if (decision->follow)
        assert_memory_equal(decision->follow, response.alias.octets, decision->follow_len);
    size_t ede_len = xnm_response_ede(by_policy.answer, ede);
    assert_int_equal(decision->ede, ede_len > 0 ? ede[0] << 8 | ede[1] : -1);
    assert_int_equal(strlen(decision->ede_text), ede_len > 2 ? ede_len - 2 : 0);
    assert_memory_equal(decision->ede_text, ede + 2, strlen(decision->ede_text));
    xnm_policyhandle_leave();
}

static bool has_response(const struct asked *row)
{
    return row->action != XNM_DROP && row->over_tcp == IDNP_ANSWER;
}

static void expect_asked(struct idnp *idnp, const struct asked *row, uint16_t qtype, bool is_udp)
{
    static const struct xnm_aliaschain none;
    uint8_t wire[XN_WIRE_NAME_MAX];
    const struct xnm_question question = {
        .qname = wire, .qname_len = wire_of(row->name, wire), .qtype = qtype, .qclass = IN};
    int32_t result = ask_for(idnp, row->name, qtype, is_udp ? IDNP_UDP : 0);

    assert_int_equal(result, is_udp ? row->over_udp : row->over_tcp);
    assert_int_equal(decision->matched, row->action != XNM_ACTION_NONE);
    assert_int_equal(decision->log_only, 0);
    assert_string_equal(decision->action,
                        row->action == XNM_ACTION_NONE ? "" : xnm_action_word(row->action));
    if (has_response(row))
        expect_response(idnp, &question, &none);
    else if (result != IDNP_ANSWER)
        assert_int_equal(decision->record_count, 0);
    else
        assert_int_equal(decision->rcode, 5); /* a drop on a connection */
}

TEST(test_actions, "actions")
{
    static const uint16_t types[] = {A, AAAA, TXT, MX, CNAME, ANY};
    struct idnp *idnp = open_with_rules(every_action);

    for (size_t i = 0; i < COUNT(asked); i++)
        for (size_t j = 0; j < COUNT(types); j++)
            for (int udp = 0; udp < 2; udp++)
                expect_asked(idnp, &asked[i], types[j], udp);
    idnp_close(idnp);
}

TEST(test_why, "why")
{
    struct idnp *idnp = open_with_rules(every_action);

    ask(idnp, "www.nx.example");
    assert_string_equal(decision->file, path_in("rules"));
    assert_int_equal(decision->line, 2);
    assert_string_equal(decision->subject, "zone nx.example");
    assert_int_equal(decision->ede, 17);
    assert_string_equal(decision->ede_text, "bl\u00F6d");
    assert_int_equal(decision->ttl, 77);
    assert_string_equal(decision->key, "");
    assert_int_equal(decision->generation, idnp_generation(idnp));
    ask(idnp, "www.xn--pypal-4ve.com");
    assert_string_equal(decision->subject, "lookalike paypal.com");
    assert_string_equal(decision->key, "exact");
    assert_int_equal(decision->label, 2);
    ask(idnp, "log.example");
    assert_string_equal(decision->tags, "seen");
    ask(idnp, "www.example");
    assert_int_equal(decision->line, 0);
    assert_string_equal(decision->file, "");
    assert_string_equal(decision->subject, "");
    assert_string_equal(decision->tags, "");
    assert_int_equal(decision->ede, -1);
    idnp_close(idnp);
}

TEST(test_log_only, "log-only")
{
    write_in("rules", every_action);
    struct idnp *idnp = open_handle("log: none\npolicy: @/rules\npolicy-mode: log-only\n");
    for (size_t i = 0; i < COUNT(asked); i++) {
        assert_int_equal(ask(idnp, asked[i].name), IDNP_LEAVE);
        assert_int_equal(decision->matched, asked[i].action != XNM_ACTION_NONE);
        assert_int_equal(decision->log_only, decision->matched && asked[i].action != XNM_PASSTHRU &&
                                                 asked[i].action != XNM_LOG);
        assert_int_equal(decision->record_count, 0);
    }
    idnp_close(idnp);
}

/* --- alias chains --- */

static struct idnp_record link_of(const char *owner, const char *target, uint16_t type)
{
    static uint8_t names[80][XN_WIRE_NAME_MAX];
    static size_t next;
    uint8_t *a = names[next++ % COUNT(names)], *b = names[next++ % COUNT(names)];

    return (struct idnp_record){.owner = a,
                                .rdata = b,
                                .owner_len = (uint32_t)wire_of(owner, a),
                                .rdata_len = (uint32_t)wire_of(target, b),
                                .ttl = 11,
                                .type = type};
}

TEST(test_chain, "alias chains")
{
    struct idnp *idnp = open_with_rules(every_action);
    uint8_t wire[XN_WIRE_NAME_MAX];
    const struct idnp_question question = {.size = sizeof question,
                                           .qname = wire,
                                           .qname_len = (uint32_t)wire_of("q.example", wire),
                                           .qtype = A,
                                           .qclass = IN};
    const struct xnm_question same = {
        .qname = wire, .qname_len = question.qname_len, .qtype = A, .qclass = IN};
    struct idnp_record chain[] = {
        link_of("q.example", "x.old.test", CNAME), link_of("old.test", "new.test", DNAME),
        link_of("x.old.test", "x.new.test", CNAME), link_of("x.new.test", "w.nx.example", CNAME),
        link_of("w.nx.example", "end.test", CNAME)};
    struct xnm_aliaschain links = {.count = COUNT(chain)};

    for (size_t i = 0; i < COUNT(chain); i++)
        links.links[i] =
            (struct xnm_aliaschain_link){chain[i].owner, chain[i].owner_len, chain[i].type,
                                         chain[i].ttl,   chain[i].rdata,     chain[i].rdata_len};
    assert_int_equal(idnp_decide_answer(idnp, &question, chain, 3, decision), IDNP_LEAVE);
    assert_int_equal(idnp_decide_answer(idnp, &question, chain, COUNT(chain), decision),
                     IDNP_ANSWER);
    assert_int_equal(decision->target_count, 3);
    assert_string_equal(decision->target, "w.nx.example");
    assert_int_equal(decision->record_count, 5); /* up to the refused name, and the SOA */
    expect_response(idnp, &same, &links);
    assert_int_equal(idnp_decide_answer(idnp, &question, NULL, 1, decision), IDNP_BAD_ARGUMENT);
    assert_int_equal(idnp_decide_answer(idnp, &question, chain, 33, decision), IDNP_BAD_ARGUMENT);
    chain[0].type = A;
    assert_int_equal(idnp_decide_answer(idnp, &question, chain, 1, decision), IDNP_BAD_ARGUMENT);
    chain[0].type = CNAME;
    chain[0].rdata_len--;
    assert_int_equal(idnp_decide_answer(idnp, &question, chain, 1, decision), IDNP_BAD_ARGUMENT);
    idnp_close(idnp);
}

/* --- several --- */

TEST(test_two_handles, "two handles")
{
    write_in("rules", "refuse name a.example\n");
    struct idnp *one = open_handle("log-to: @/log\npolicy: @/rules\n");
    write_in("others", "refuse name b.example\nrefuse name a.example\n");
    write_conf("log-to: @/other\npolicy: @/others\npolicy-mode: log-only\n");
    struct idnp *two = idnp_open(conf, NULL, open_errors, sizeof open_errors);
    assert_non_null(two);
    assert_int_equal(ask(one, "b.example"), IDNP_LEAVE);
    assert_int_equal(decision->matched, 0);
    assert_int_equal(ask(two, "b.example"), IDNP_LEAVE);
    assert_int_equal(decision->log_only, 1);
    tell(two, "b.example", decision);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(ask(one, "a.example"), IDNP_ANSWER);
        tell(one, "a.example", decision);
    }
    assert_int_equal(*xnm_idnpdecision_memory(decision)->match.counters[0], 2);
    ask(two, "a.example");
    assert_int_equal(*xnm_idnpdecision_memory(decision)->match.counters[0],
                     0); /* the same rule's, elsewhere */
    assert_int_equal(
        metric_of(one, "unbound_idn_policy_replies_total{action=\"refuse\",mode=\"enforce\"}"), 2);
    assert_int_equal(metric_of(one, "unbound_idn_policy_rules"), 1);
    assert_int_equal(
        metric_of(two, "unbound_idn_policy_replies_total{action=\"refuse\",mode=\"enforce\"}"), 0);
    assert_int_equal(metric_of(two, "unbound_idn_policy_rules"), 2);
    idnp_close(one);
    assert_int_equal(ask(two, "b.example"), IDNP_LEAVE);
    assert_int_equal(decision->matched, 1);
    assert_null(strstr(read_text(log_path), "b.example"));
    tell(two, "b.example", decision);
    idnp_close(two);
    assert_non_null(strstr(read_text(other_path), "b.example"));
    assert_null(strstr(read_text(other_path), " a.example"));
}

TEST(test_swap, "a swap")
{
    struct idnp *idnp = open_with_rules("refuse name a.example\n");
    uint64_t before = idnp_generation(idnp);

    assert_int_equal(ask(idnp, "a.example"), IDNP_ANSWER);
    write_in("rules", "refuse name b.example\n");
    WAIT_FOR(ask(idnp, "b.example") == IDNP_ANSWER);
    assert_int_equal(ask(idnp, "a.example"), IDNP_LEAVE);
    assert_int_not_equal(idnp_generation(idnp), before);
    write_in("rules", "refus name a.example\n"); /* the last good one stays */
    WAIT_FOR(metric_of(idnp, "unbound_idn_policy_loads_total{result=\"bad\"}") == 1);
    assert_int_equal(ask(idnp, "b.example"), IDNP_ANSWER);
    idnp_close(idnp);
}

/* Questions and handles that differ a little: what is remembered of one is not another's. */
TEST(test_remembered, "questions that are remembered")
{
    char longest[64];

    struct idnp *none = open_with_rules("refuse name other.example\n");
    struct idnp *some = open_with_rules("refuse name a.example\nrefuse name b.example type=TXT\n"
                                        "nodata name d.example type=A\n");
    for (int i = 0; i < 3; i++) {
        assert_int_equal(ask(none, "a.example"), IDNP_LEAVE);
        assert_int_equal(decision->matched, 0);
        assert_int_equal(ask(some, "a.example"), IDNP_ANSWER);
        assert_int_equal(ask(some, "A.EXAMPLE"), IDNP_ANSWER);
        assert_int_equal(ask(none, "A.EXAMPLE"), IDNP_LEAVE);
        assert_int_equal(ask_for(some, "b.example", A, 0), IDNP_LEAVE);
        assert_int_equal(ask_for(some, "b.example", TXT, 0), IDNP_ANSWER);
        assert_int_equal(ask_for(some, "d.example", AAAA, 0), IDNP_LEAVE);
        assert_int_equal(ask_for(some, "d.example", AAAA, IDNP_FROM_A), IDNP_ANSWER);
    }
    for (int i = 0; i < 9000; i++) { /* many more than there is room for */
        snprintf(longest, sizeof longest, "%.*d.example", 1 + i % 40, i);
        assert_int_equal(ask(some, longest), IDNP_LEAVE);
        assert_int_equal(ask(some, "a.example"), IDNP_ANSWER);
    }
    idnp_close(none);
    idnp_close(some);
    some = open_with_rules("refuse name b.example\n"); /* at the same address, maybe */
    assert_int_equal(ask(some, "b.example"), IDNP_ANSWER);
    idnp_close(some);
}

static uint32_t report_of(const char *lines, const char *name)
{
    struct idnp *idnp = open_handle(lines);

    ask(idnp, name);
    uint32_t wanted = decision->report;
    ask(idnp, name); /* from what is remembered */
    assert_int_equal(decision->report, wanted);
    idnp_close(idnp);
    return wanted;
}

TEST(test_report, "replies of which to report")
{
    static const struct {
        const char *lines;
        uint32_t plain, idn, matched;
    } rows[] = {
        {"policy: @/rules\nlog-to: @/log\n", 1, 1, 1},
        {"policy: @/rules\nlog-to: @/log\nlog-names: idn\n", 0, 1, 1},
        {"policy: @/rules\nlog-to: @/log\nlog-names: policy\n", 0, 0, 1},
        {"policy: @/rules\nlog: none\n", 0, 0, 1},
        {"policy: @/rules\nlog: none\nmetrics-file: @/metrics\n", 1, 1, 1},
    };

    write_in("rules", every_action);
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_int_equal(report_of(rows[i].lines, "www.example"), rows[i].plain);
        assert_int_equal(report_of(rows[i].lines, "www.xn--bcher-kva.example"), rows[i].idn);
        assert_int_equal(report_of(rows[i].lines, "log.example"), rows[i].matched);
    }
}

TEST_MAIN_IN_PROCESSES(open_decision, close_decision)
