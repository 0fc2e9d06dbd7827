/* SPDX-License-Identifier: BSD-3-Clause */
/* Rule files: refused with an error at its place, or read into rules that are complete, whose names
 * and records are the same written into a zone; and what is complete makes a policy, which decides
 * any name. */
#include "module/build/build.h"
#include "tests/fuzz/decisions.h"
#include "tests/fuzz/reports.h"
#include "tests/fuzz/zonelines.h"

#include "module/answer/structured.h"
#include "module/rule/rulefile.h"
#include "tests/unit/wirenames.h"

static void expect_name(const struct xnm_wirename *name)
{
    struct xn_wire_cursor cursor;

    assert_int_equal(xn_wire_open(&cursor, name->octets, name->len), XN_OK);
    for (size_t i = 0; i < name->len; i++)
        assert_false(name->octets[i] >= 'A' && name->octets[i] <= 'Z');
    expect_name_text(name->octets, name->len);
}

static void expect_records(const struct xnm_rule *rule)
{
    bool has_records = rule->action == XNM_REDIRECT || rule->action == XNM_CNAME ||
                       rule->action == XNM_ANSWER || rule->override == XNM_CNAME;

    assert_int_equal(rule->record_count > 0, has_records);
    for (size_t i = 0; i < rule->record_count; i++) {
        assert_in_range(rule->records[i].ttl, 0, INT32_MAX);
        expect_record_text(&rule->records[i]);
    }
}

static void expect_rule(const struct xnm_rule *rule, const struct reports *reports)
{
    assert_in_range(rule->action, XNM_ACTION_NONE, XNM_ACTION_COUNT - 1);
    assert_in_range(rule->trigger, XNM_TRIGGER_NAME, XNM_TRIGGER_COUNT - 1);
    assert_int_equal(rule->action == XNM_ACTION_NONE, rule->trigger == XNM_TRIGGER_RPZ);
    assert_in_range(rule->line, 1, reports->lines);
    assert_in_range(rule->column, 1, reports->size);
    assert_in_range(rule->type_count, 0, XNM_RULE_TYPES_MAX);
    assert_int_equal(rule->path != NULL, xnm_trigger_has_path(rule->trigger));
    assert_non_null(memchr(rule->subject, '\0', sizeof rule->subject));
    if (rule->trigger == XNM_TRIGGER_NAME || rule->trigger == XNM_TRIGGER_ZONE ||
        rule->trigger == XNM_TRIGGER_LOOKALIKE)
        expect_name(&rule->name);
    for (size_t i = 0; i < rule->condition.except_count; i++)
        expect_name(&rule->condition.except[i]);
    if (rule->except) {
        assert_true(xnm_trigger_is_lookalike(rule->trigger));
        assert_true(rule->except->path[0] != '\0');
        assert_in_range(rule->except->path_column, rule->column, reports->size);
    }
    if (rule->origin)
        expect_name(rule->origin);
    if (rule->tag)
        assert_in_range(strlen(rule->tag), 1, XNM_RULE_TAG_MAX);
    if (rule->ede_text) {
        assert_in_range(strlen(rule->ede_text), 0, XNM_RULE_EDE_TEXT_MAX);
        check_characters(rule->ede_text, (int32_t)strlen(rule->ede_text));
    }
    if (rule->why) {
        assert_in_range(strlen(rule->why), 1, XNM_RULE_EDE_TEXT_MAX);
        check_characters(rule->why, (int32_t)strlen(rule->why));
    }
    assert_in_range(rule->sub_error, XNM_SUB_ERROR_NONE, XNM_SUB_ERROR_COUNT - 1);
    assert_true(!rule->sub_error || xnm_sub_error_goes(rule->sub_error, rule->ede));
    assert_true(!(rule->why || rule->sub_error) || xnm_why_goes(rule->ede));
    expect_records(rule);
}

/* The extended error of a decision fits into any room, is never Forged Answer, and has nothing that
 * is invisible. */
static void expect_error(const struct xnm_policy *policy, const struct xnm_decision *decision)
{
    const struct xnm_why_settings *settings = &xnm_policy_settings(policy)->why;
    static const size_t rooms[] = {0, 1, 2, 20, 60, 300, XNM_STRUCTURED_MAX};

    for (size_t i = 0; decision->answer && i < sizeof rooms / sizeof *rooms; i++) {
        uint8_t *data = malloc(rooms[i]);
        size_t len = xnm_structured_write(settings, decision, data, rooms[i]);
        assert_in_range(len, 0, rooms[i]);
        assert_int_not_equal(len, 1);
        if (len > 2) {
            assert_false(data[0] == 0 && data[1] == XNM_EDE_FORGED);
            check_characters((const char *)data + 2, (int32_t)len - 2);
        }
        free(data);
    }
}

static void expect_decisions(const struct xnm_policy *policy)
{
    static const char *const names[] = {"", "example", "www.example", "xn--pypal-4ve.com",
                                        "a.b.c.d"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        uint8_t wire[XN_WIRE_NAME_MAX];
        size_t len = wire_of(names[i], wire);
        uint8_t *qname = exact_copy(wire, len);
        struct xnm_question question = {.qname = qname, .qname_len = len, .qtype = 1, .qclass = 1};
        struct xnm_decision decision;
        if (xnm_policy_decide(policy, &question, &decision)) {
            assert_true(decision.answer || decision.log_count > 0);
            expect_error(policy, &decision);
        }
        free(qname);
    }
}

/* A rule about a name decides that name, or logs it. */
static void expect_own_name(const struct xnm_policy *policy, const struct xnm_rule *rule)
{
    if (rule->trigger == XNM_TRIGGER_NAME || rule->trigger == XNM_TRIGGER_ZONE)
        expect_decided(policy, &rule->name, rule->scope, rule->type_count > 0 ? rule->types[0] : 1);
}

static void expect_policy(const struct xnm_rules *rules, const struct xnm_diagnostics *diagnostics)
{
    struct xnm_policy_settings settings = {
        .ttl = 60, .why = {.code = 65001, .contact = "tel:110", .language = "en"}};
    struct xnm_policy_builder *builder;
    const char *why = NULL;

    settings.soa_mname.len = settings.soa_rname.len = 1;
    builder = xnm_policy_builder_new(&settings);
    assert_non_null(builder);
    for (size_t i = 0; i < rules->count && !why; i++)
        if (!xnm_policy_builder_rule(builder, &rules->rules[i], &why))
            assert_non_null(why);
    if (why) {
        xnm_policy_builder_free(builder);
        return;
    }
    bool no_memory = true;
    struct xnm_policy *policy = xnm_policy_finish(builder, diagnostics, &no_memory);
    if (!policy) { /* one rule too many about a name */
        assert_false(no_memory);
        return;
    }
    assert_int_equal(xnm_policy_rule_count(policy), rules->count);
    expect_decisions(policy);
    for (size_t i = 0; i < rules->count; i++)
        expect_own_name(policy, &rules->rules[i]);
    xnm_policy_free(policy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct reports reports = reports_of(data, size);
    const struct xnm_diagnostics diagnostics = {expect_report, &reports};
    const struct xnm_rules_options options = {target_unicode(), &diagnostics, 60};
    char *text = exact_copy(data, size);
    struct xnm_rules rules = {0};
    bool good = xnm_rules_parse(&rules, &options, REPORTS_FILE, text, size);

    free(text);
    assert_int_equal(good, reports.errors == 0);
    for (size_t i = 0; i < rules.count; i++)
        expect_rule(&rules.rules[i], &reports);
    xnm_rules_apply_tags(&rules, &diagnostics);
    if (good)
        expect_policy(&rules, &diagnostics);
    xnm_rules_free(&rules);
    return 0;
}
