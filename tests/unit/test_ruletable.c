/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the parser with the table of actions, triggers and options that go together, and runs
 * the manual's examples. */
#include "tests/unit/ruletext.h"

#include "module/build/build.h"
#include "module/build/clientset.h"
#include "module/config/config.h"
#include "module/policy/policy.h"
#include "tests/unit/wirenames.h"

/* For each action: the words of a line before its trigger and after its options, and its
 * defaults. */
static const struct form {
    const char *before, *behind;
    int ede;
} forms[XNM_ACTION_COUNT] = {
    [XNM_ACTION_NONE] = {"", "", XNM_EDE_DEFAULT},
    [XNM_PASSTHRU] = {"", "", XNM_EDE_OFF},
    [XNM_NXDOMAIN] = {"", "", 15},
    [XNM_NODATA] = {"", "", 15},
    [XNM_REFUSE] = {"", "", 15},
    [XNM_DROP] = {"", "", XNM_EDE_OFF},
    [XNM_REDIRECT] = {"192.0.2.1", "", 4},
    [XNM_CNAME] = {"walled.example", "", 4},
    [XNM_ANSWER] = {"", "A 192.0.2.1", 4},
    [XNM_TCP_ONLY] = {"", "", XNM_EDE_OFF},
    [XNM_LOG] = {"", "", XNM_EDE_OFF},
};

static const char *const values[XNM_OPTION_COUNT] = {
    [XNM_OPTION_TYPE] = "type=A",
    [XNM_OPTION_TTL] = "ttl=5",
    [XNM_OPTION_EDE] = "ede=17",
    [XNM_OPTION_WHY] = "why=x",
    [XNM_OPTION_SUB_ERROR] = "sub-error=spam",
    [XNM_OPTION_TAG] = "tag=t",
    [XNM_OPTION_SUFFIXES] = "suffixes=yes",
    [XNM_OPTION_MODE] = "mode=log-only",
    [XNM_OPTION_ACTION] = "action=nodata",
    [XNM_OPTION_SHRINK] = "shrink=20%",
    [XNM_OPTION_ORIGIN] = "origin=o",
    [XNM_OPTION_SKIP] = "skip=ip,nsip",
    [XNM_OPTION_EXPIRE] = "expire=yes",
    [XNM_OPTION_URL] = "url=https://lists.example/a",
    [XNM_OPTION_KEY] = "key=strict",
    [XNM_OPTION_TLD] = "tld=any",
    [XNM_OPTION_LABEL] = "label=any",
    [XNM_OPTION_ASCII] = "ascii=safe",
    [XNM_OPTION_MIN] = "min=5",
    [XNM_OPTION_NEAR] = "near=1",
    [XNM_OPTION_WITHIN] = "within=yes",
    [XNM_OPTION_WORDS] = "words=w",
    [XNM_OPTION_ELSEWHERE] = "elsewhere=yes",
    [XNM_OPTION_EXCEPT] = "except=ru",
    [XNM_OPTION_CLIENT] = "client=!192.0.2.0/24",
    [XNM_OPTION_WHEN] = "when=Mon-Fri/08:00-16:00",
};

/* Returns words that may follow the trigger. */
static const char *subject_for(xnm_trigger trigger)
{
    static const char *const subjects[] = {[XNM_SUBJECT_NONE] = "",
                                           [XNM_SUBJECT_NAME] = "protected.example",
                                           [XNM_SUBJECT_PATH] = "list",
                                           [XNM_SUBJECT_SCRIPTS] = "in Cyrl,Grek",
                                           [XNM_SUBJECT_LEVEL] = "moderate"};

    return subjects[xnm_ruletable_subject(trigger)];
}

static int write_form(char *text, size_t cap, xnm_action action, xnm_trigger trigger,
                      const char *option)
{
    if (action == XNM_ACTION_NONE)
        return snprintf(text, cap, "rpz x %s", option);
    return snprintf(text, cap, "%s %s %s %s %s %s", xnm_action_word(action), forms[action].before,
                    xnm_trigger_word(trigger), subject_for(trigger), option, forms[action].behind);
}

static void expect_form(xnm_action action, xnm_trigger trigger, const char *option, bool goes)
{
    static char reports[REPORTS_MAX];
    struct xnm_rules rules = {0};
    char text[256];
    int len = write_form(text, sizeof text, action, trigger, option);
    bool good = read_rules(&rules, "f", text, (size_t)len, reports);

    if (good != goes)
        fail_msg("%s: %s", text, reports);
    assert_int_equal(rules.count, goes);
    if (goes && strstr(option, "ede=") == NULL)
        assert_int_equal(rules.rules[0].ede, forms[action].ede);
    xnm_rules_free(&rules);
}

/* The parser does what the table says, of every option with every action and trigger. */
static void test_combination(void **state)
{
    xnm_action action = (xnm_action)(uintptr_t)*state;

    for (xnm_trigger trigger = 0; trigger < XNM_TRIGGER_COUNT; trigger++) {
        if ((action == XNM_ACTION_NONE) != (trigger == XNM_TRIGGER_RPZ))
            continue;
        expect_form(action, trigger, "", xnm_ruletable_trigger_goes(trigger, action));
        for (xnm_option option = 0; option < XNM_OPTION_COUNT; option++)
            expect_form(action, trigger, values[option],
                        xnm_ruletable_option_goes(option, action, trigger));
    }
}

/* Returns whether a rule for paypal.com with these options decides the name. */
static bool looks_alike(const char *name, const char *options)
{
    const struct xnm_policy_settings settings = {.ttl = DEFAULT_TTL};
    static char reports[REPORTS_MAX];
    struct xnm_rules rules = {0};
    struct xnm_decision decision;
    uint8_t wire[XN_WIRE_NAME_MAX];
    struct xnm_question question = {
        .qname = wire, .qname_len = wire_of(name, wire), .qtype = 1, .qclass = 1};
    char text[128];
    int len = snprintf(text, sizeof text, "nxdomain lookalike paypal.com %s", options);

    assert_true(read_rules(&rules, "f", text, (size_t)len, reports));
    struct xnm_policy_builder *builder = xnm_policy_builder_new(&settings);
    assert_true(xnm_policy_builder_rule(builder, &rules.rules[0], NULL));
    struct xnm_policy *policy = xnm_policy_finish(builder, &xnm_diagnostics_ignored, NULL);
    bool found = xnm_policy_decide(policy, &question, &decision);
    xnm_policy_free(policy);
    xnm_rules_free(&rules);
    return found;
}

/* Each name in the manual's table of look-alikes is found with each option beside it, and without
 * any it is not. */
TEST(test_manual_lookalikes, "the manual's look-alikes")
{
    static const char head[] = ".It Em name asked for Ta Em as shown Ta Em with\n";
    char name[128], option[64];
    size_t len;
    char *manual = file_text("doc/idn-policy.5", &len);
    const char *at = strstr(manual, head) + sizeof head - 1;

    for (; strncmp(at, ".It ", 4) == 0; at = strchr(at, '\n') + 1) {
        assert_int_equal(sscanf(at, ".It %127s Ta %*s Ta %63[^\n]", name, option), 2);
        if (strcmp(option, "every rule") == 0) {
            assert_true(looks_alike(name, ""));
        } else if (strcmp(option, "none") == 0) {
            assert_false(looks_alike(name, "key=strict ascii=wide tld=any"));
            assert_false(looks_alike(name, "key=strict ascii=wide label=any"));
        } else {
            assert_memory_equal(option, "Ic ", 3);
            assert_false(looks_alike(name, ""));
            for (char *rest, *each = strtok_r(option + 3, " ,", &rest); each;
                 each = strtok_r(NULL, " ,", &rest))
                assert_true(looks_alike(name, each));
        }
    }
    assert_memory_equal(at, ".El\n", 4);
    free(manual);
}

/* The text of the first literal block of a section. */
static const char *literal_block(const char *manual, const char *section, size_t *len)
{
    static const char open[] = ".Bd -literal\n";
    const char *at = strstr(manual, section);

    assert_non_null(at);
    at = strstr(at, open) + sizeof open - 1;
    *len = (size_t)(strstr(at, ".Ed\n") - at);
    return at;
}

/* --- clients --- */

/* The rules of CLIENTS AND TIMES, with their groups. */
static struct xnm_policy *policy_of_clients(const char *text, size_t len)
{
    const struct xnm_policy_settings settings = {.ttl = DEFAULT_TTL};
    static char reports[REPORTS_MAX];
    struct xnm_rules rules = {0};
    struct xnm_policy_builder *builder = xnm_policy_builder_new(&settings);

    assert_true(read_rules(&rules, "f", text, len, reports));
    assert_string_equal(reports, "");
    assert_true(xnm_rules_check_groups(&rules, &xnm_diagnostics_ignored));
    for (size_t i = 0; i < rules.group_count; i++) {
        struct xnm_prefix *prefixes = (struct xnm_prefix *)(void *)rules.groups[i].prefixes.octets;
        size_t count = xnm_group_prefix_count(&rules.groups[i]);
        assert_true(xnm_prefixes_sort(prefixes, count, NULL));
        assert_true(xnm_clientset_add(xnm_policy_builder_policy(builder), rules.groups[i].name,
                                      NULL, prefixes, count));
    }
    for (size_t i = 0; i < rules.count; i++)
        assert_true(xnm_policy_builder_rule(builder, &rules.rules[i], NULL));
    xnm_rules_free(&rules);
    return xnm_policy_finish(builder, &xnm_diagnostics_ignored, NULL);
}

/* "Mon 10:00" of some week. */
static time_t time_of(const char *day, const char *clock)
{
    static const char days[] = "SunMonTueWedThuFriSat";
    struct tm local = {.tm_year = 126, .tm_mon = 10, .tm_isdst = -1};

    local.tm_mday = 22 + (int)(strstr(days, day) - days) / 3; /* a Sunday */
    assert_int_equal(sscanf(clock, "%d:%d", &local.tm_hour, &local.tm_min), 2);
    return mktime(&local);
}

/* Each row of the manual's table of clients, times and names is what is decided. */
TEST(test_manual_clients, "the manual's clients and times")
{
    static const char head[] = ".It Em client Ta Em time Ta Em name Ta Em decision\n";
    char client[64], day[8], clock[8], name[64], decided[16];
    size_t len, text_len;
    char *manual = file_text("doc/idn-policy.5", &len);
    const char *text = literal_block(manual, ".Sh CLIENTS AND TIMES\n", &text_len);
    const char *at = strstr(manual, head) + sizeof head - 1;
    struct xnm_policy *policy = policy_of_clients(text, text_len);
    unsigned rows = 0;

    for (; strncmp(at, ".It ", 4) == 0; at = strchr(at, '\n') + 1, rows++) {
        struct xnm_prefix who;
        struct xnm_decision decision;
        uint8_t wire[XN_WIRE_NAME_MAX];
        assert_int_equal(
            sscanf(at, ".It %63s Ta %7s %7s Ta %63s Ta %15s", client, day, clock, name, decided),
            5);
        bool known = xnm_prefix_read(client, strlen(client), &who) == NULL;
        assert_true(known || strcmp(client, "unknown") == 0);
        struct xnm_question question = {.qname = wire,
                                        .qname_len = wire_of(name, wire),
                                        .qtype = 1,
                                        .qclass = 1,
                                        .client = known ? &who : NULL,
                                        .time = time_of(day, clock)};
        bool any = xnm_policy_decide(policy, &question, &decision);
        const struct xnm_policy_answer *answer = decision.answer ? decision.answer
                                                 : any           ? &decision.logs[0]
                                                                 : NULL;
        assert_string_equal(answer ? xnm_action_word(answer->action) : "none", decided);
        assert_true(decision.specific_answer && decision.specific_decision);
    }
    assert_memory_equal(at, ".El\n", 4);
    assert_int_equal(rows, 8);
    xnm_policy_free(policy);
    free(manual);
}

/* The manual's examples are rules, and its errors are said. */
TEST(test_manual_examples, "the manual's examples")
{
    static const char bad[] =
        "\nnxdomain  zone  a.example  type=A\n\n\nredirect 192.0.2.256 zone a.example\n";
    static char reports[REPORTS_MAX];
    struct xnm_rules rules = {0};
    size_t len, text_len;
    char *manual = file_text("doc/idn-policy.5", &len);
    const char *text = literal_block(manual, ".Sh SYNOPSIS\n", &text_len);

    assert_true(read_rules(&rules, "synopsis", text, text_len, reports));
    assert_string_equal(reports, "");
    text = literal_block(manual, ".Sh EXAMPLES\n", &text_len);
    assert_true(read_rules(&rules, "examples", text, text_len, reports));
    assert_string_equal(reports, "");
    assert_int_equal(rules.count, 7 + 11);
    text = literal_block(manual, ".Sh FILES AND ERRORS\n", &text_len);
    assert_false(read_rules(&rules, "idn-policy.conf", bad, sizeof bad - 1, reports));
    assert_int_equal(strlen(reports), text_len);
    assert_memory_equal(reports, text, text_len);
    free(manual);
    xnm_rules_free(&rules);
}

int main(void)
{
    for (uintptr_t action = 0; action < XNM_ACTION_COUNT; action++)
        add_test(xnm_action_word((xnm_action)action), test_combination, (void *)action);
    return run_unit();
}
