/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/policyfolder.h"

#include "core/idna/name.h"
#include "module/policy/match.h"
#include "tests/unit/waiting.h"

static bool refuses(const struct xnm_state *state, const char *name)
{
    bool refused = decides(xnm_policyhandle_enter(xnm_state_force(state), NULL), name);

    xnm_policyhandle_leave();
    return refused;
}

static unsigned count_of(const char *part)
{
    unsigned count = 0;

    for (const char *text = read_reports(); (text = strstr(text, part)); text++)
        count++;
    return count;
}

static bool has_metric(const struct xnm_state *opened, const char *line)
{
    size_t len;
    char *text = xnm_state_metrics(opened, &len);
    bool found = text && strstr(text, line);

    free(text);
    return found;
}

static void write_rules(const char *rules)
{
    write_in("rules", rules);
    write_conf("log: none\npolicy: @/rules\nrequired: yes\n");
}

/* A typo is no reason to leave anybody without DNS, unless the rules are required. */
TEST(reminds_of_missing_rules, "an error in the first rule file")
{
    setenv("XN_LOOK_MS", "2", 1);
    assert_int_equal(XNM_RELOAD_LOOK_MS * XNM_RELOAD_REMIND_LOOKS, 60000); /* each minute */
    write_rules("refus name a.example\n");
    assert_null(open_state());
    assert_int_equal(count_of("/rules:1:1: "), 1);
    assert_int_equal(count_of("NO RULES"), 0);
    write_conf("log: none\npolicy: @/rules\n");
    struct xnm_state *opened = open_state();
    assert_non_null(opened);
    assert_int_equal(count_of("/rules:1:1: "), 1);
    assert_int_equal(count_of("NO RULES ARE IN FORCE"), 1);
    WAIT_FOR(count_of("'unbound-idn check', name\n") >= 2);
    assert_int_equal(count_of("/rules:1:1: "), 1);
    assert_true(has_metric(opened, "\nunbound_idn_policy_in_force 0\n"));
    assert_false(refuses(opened, "a.example"));
    write_in("rules", "refuse name a.example\n");
    WAIT_FOR(refuses(opened, "a.example"));
    unsigned said = count_of("NO RULES");
    pause_ns(2 * XNM_RELOAD_REMIND_LOOKS * 2000000L);
    assert_int_equal(count_of("NO RULES"), said);
    assert_true(has_metric(opened, "\nunbound_idn_policy_in_force 1\n"));
    assert_true(xnm_state_has_policy(opened));
    assert_int_equal(xnm_state_config(opened)->policy.file_count, 1);
    xnm_state_close(opened);
    empty_folder();
}

/* A configuration that cannot be read at the start, or names no rules, brings them once it does. */
TEST(watches_the_configuration, "idn.conf is watched")
{
    setenv("XN_LOOK_MS", "2", 1);
    write_in("rules", "refuse name a.example\n");
    write_in("more", "refuse name b.example\n");
    write_conf("policy @/rules\n");
    struct xnm_state *opened = open_state();
    assert_non_null(opened);
    assert_true(xnm_state_may_get_policy(opened));
    assert_false(xnm_state_has_policy(opened));
    WAIT_FOR(count_of("NO RULES") == 2);
    write_conf("log: none\npolicy: @/rules\n");
    WAIT_FOR(refuses(opened, "a.example"));
    assert_true(xnm_state_has_policy(opened));
    assert_false(xnm_state_is_log_only(opened));
    forget_reports();
    write_conf("log: none\npolicy: @/rules\npolicy: @/more\npolicy-mode: log-only\n");
    WAIT_FOR(refuses(opened, "b.example"));
    assert_true(xnm_state_is_log_only(opened));
    write_in("more", "refuse name c.example\n");
    WAIT_FOR(refuses(opened, "c.example")); /* the new file is watched, too */
    expect_reports("");
    write_conf("log: none\npolicy: @/rules\npolicy-mode: lg-only\n");
    WAIT_FOR(count_of("in force before stays in force") == 1);
    assert_true(refuses(opened, "c.example"));
    xnm_state_close(opened);
    opened = open_state(); /* at a reload with that error, what was watched counts */
    assert_true(refuses(opened, "c.example"));
    assert_true(xnm_state_is_log_only(opened));
    write_conf("log: none\n");
    WAIT_FOR(!refuses(opened, "c.example"));
    assert_false(has_metric(opened, "unbound_idn_policy_in_force"));
    xnm_state_close(opened);
    empty_folder();
}

/* The keys of the log and of the metrics wait for a reload, and that is said once. */
TEST(reports_keys_for_reload, "keys that wait for a reload")
{
    setenv("XN_LOOK_MS", "2", 1);
    write_in("rules", "refuse name a.example\n");
    write_conf("log: none\n");
    struct xnm_state *opened = open_state();
    write_conf("log-to: @/log\nshow-emoji: yes\nmetrics-interval: 7\npolicy: @/rules\n");
    WAIT_FOR(refuses(opened, "a.example"));
    expect_reports("warning: @/idn.conf: changed, but not in force before a reload or restart: "
                   "log, log-to, show-emoji, metrics-interval\n");
    xnm_state_close(opened);
    assert_int_equal(access(log_path, F_OK), -1);
    xnm_state_close(open_state());
    assert_int_equal(access(log_path, F_OK), 0);
    empty_folder();
}

/* Neither log nor metrics: replies are wanted for the rules' sake, and their hits counted. */
TEST(counts_hits, "replies are wanted, and hits counted")
{
    static const uint8_t name[] = "\001A\007eXample";
    const struct xnm_question question = {
        .qname = name, .qname_len = sizeof name, .qtype = 1, .qclass = 1};
    struct xnm_decision decision;
    struct xnm_match match;

    write_conf("log: none\npolicy: @/rules\n");
    write_in("rules", "refuse name a.example\n");
    struct xnm_state *opened = open_state();
    assert_non_null(opened);
    assert_true(xnm_state_wants_replies(opened));
    const struct xnm_policy *policy = xnm_policyhandle_enter(xnm_state_force(opened), NULL);
    assert_true(xnm_policy_decide(policy, &question, &decision));
    xnm_match_from(policy, &decision, false, &match);
    _Atomic uint64_t *hits = xnm_policy_rule(policy, 0)->counter;
    xnm_policyhandle_leave();
    for (unsigned i = 1; i < 4; i++) {
        xnm_state_reply(opened, &(struct xnm_reply){.match = &match});
        assert_int_equal(*hits, i);
    }
    xnm_state_reply(opened, &(struct xnm_reply){.match = NULL});
    assert_int_equal(*hits, 3);
    xnm_state_close(opened);
    empty_folder();
}

/* The host decides the mode, and where lines and metrics go. */
TEST(obeys_the_host, "what the host decides")
{
    static const uint8_t name[] = "\001a\007example";
    struct sockaddr_storage client = {0};
    const struct xnm_reply reply = {.client = &client, .qname = name, .qname_len = sizeof name};

    write_conf("log-to: @/other\nmetrics-file: @/metrics\npolicy: @/rules\npolicy-mode: enforce\n");
    write_in("rules", "refuse name a.example\n");
    life = xnm_engine_new();
    struct xnm_state_options options = {.engine = life,
                                        .config_path = conf,
                                        .host_log = {keep_host_line, NULL, .adds_no_time = true},
                                        .notices = {keep_host_line, NULL},
                                        .diagnostics = &diagnostics,
                                        .observes = true,
                                        .to_host = true};
    struct xnm_state *opened = xnm_state_open(&options);
    assert_non_null(opened);
    assert_int_equal(xnm_state_config(opened)->policy.mode, XNM_POLICY_LOG_ONLY);
    xnm_state_reply(opened, &reply);
    xnm_state_close(opened);
    assert_non_null(strstr(host_lines, "1970-01-01T00:00:00.000000Z - a.example. TYPE0 "));
    assert_int_equal(access(other_path, F_OK), -1);
    assert_int_equal(access(metrics_path, F_OK), -1);
    write_conf("policy: @/rules\n");
    options.to_host = false;
    options.log_to = other_path;
    opened = xnm_state_open(&options);
    assert_non_null(opened);
    xnm_state_reply(opened, &reply);
    xnm_state_close(opened);
    assert_int_equal(access(other_path, F_OK), 0);
    empty_folder();
}

/* The log reads the name of the rule itself: a caller need not set match_name. */
TEST(reads_the_name_of_a_match, "a match whose name is not read")
{
    static const uint8_t name[] = "\001a\007example";
    static struct xn_name other;
    struct sockaddr_storage client = {0};
    struct xnm_match match = {.action = XNM_REFUSE,
                              .trigger = XNM_TRIGGER_NAME,
                              .name = {.len = 2}, /* no name: an octet follows the root */
                              .file = "rules"};
    const struct xnm_reply reply = {.client = &client,
                                    .qname = name,
                                    .qname_len = sizeof name,
                                    .match = &match,
                                    .match_name = &other};
    struct xn_unicode *unicode;

    assert_int_equal(xn_unicode_open(&unicode), XN_OK);
    assert_int_equal(xn_name_read(unicode, (const uint8_t *)"\005other", 7, 0, &other), XN_OK);
    xn_unicode_close(unicode);
    write_conf("log-name: both\n");
    host_lines[0] = '\0';
    struct xnm_state *opened = open_state();
    assert_non_null(opened);
    xnm_state_reply(opened, &reply);
    xnm_state_close(opened);
    assert_non_null(strstr(host_lines, " match=\"name \""));
    empty_folder();
}

/* The configuration is broken, and what its forerunner logged to is gone: lines are lost, but
 * the policy is in force. */
TEST(applies_rules_without_a_log, "a policy without a log")
{
    assert_int_equal(mkdir(path_in("logs"), 0700), 0);
    write_conf("log-to: @/logs/log\npolicy: @/rules\n");
    write_in("rules", "refuse name a.example\n");
    xnm_state_close(open_state());
    assert_int_equal(remove(path_in("logs/log")), 0);
    remove_in("logs");
    write_conf("log: xml\n");
    struct xnm_state *opened = open_state();
    assert_non_null(opened);
    assert_non_null(
        strstr(read_reports(), "/logs/log: cannot log to it: No such file or directory\n"));
    assert_true(xnm_state_has_policy(opened));
    assert_true(xnm_state_wants_replies(opened));
    assert_true(refuses(opened, "a.example"));
    give_reply(opened, "a.example");
    xnm_state_close(opened);
    empty_folder();
}

TEST_MAIN_IN_PROCESSES(NULL, NULL)
