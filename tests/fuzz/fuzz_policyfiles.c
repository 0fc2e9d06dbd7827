/* SPDX-License-Identifier: BSD-3-Clause */
/* All files of a policy, and those that take their place: read as a swap reads them, or refused
 * with an error. What is in force decides any name for any client, what it says to be every
 * client's decision is, and its metrics can be read. An input is texts with a line `=` between
 * them: a rule file, a list, a zone, a file of addresses, and the same four again. In place of
 * these, a text `-` is a file that is gone, and an empty one leaves the file as it was. */
#include "tests/fuzz/target.h"

#include "module/answer/response.h"
#include "module/base/diagnostics.h"
#include "module/config/config.h"
#include "module/load/policyfiles.h"
#include "module/policy/match.h"
#include "module/run/metrics.h"
#include "tests/unit/logline_grammar.h"
#include "tests/unit/policytext.h"
#include "tests/unit/prometheus.h"
#include "tools/rules/rpzexport.h"

#include <fcntl.h>
#include <unistd.h>

/* --- the files --- */

enum { FILES = 4 };
static const char *const file_names[FILES] = {"rules", "list", "zone", "addresses"};
static char folder[64];

static void open_folder(void)
{
    strcpy(folder, "/dev/shm/xn-fuzz-XXXXXX");
    assert_non_null(mkdtemp(folder));
}

static const char *path_of(const char *name)
{
    static char path[128];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void close_folder(void)
{
    for (unsigned i = 0; i < FILES; i++)
        unlink(path_of(file_names[i]));
    assert_int_equal(rmdir(folder), 0);
}

/* Takes the text before the next line `=`. */
static size_t take_text(const uint8_t **data, size_t *size, const uint8_t **text)
{
    const uint8_t *end = memmem(*data, *size, "\n=\n", 3);
    size_t len = end ? (size_t)(end + 1 - *data) : *size, behind = len + (end ? 2 : 0);

    *text = *data;
    *data += behind;
    *size -= behind;
    return len;
}

/* Returns whether a file has changed. */
static bool write_files(const uint8_t **data, size_t *size)
{
    bool changed = false;

    for (unsigned i = 0; i < FILES; i++) {
        const uint8_t *text;
        size_t len = take_text(data, size, &text);
        const char *path = path_of(file_names[i]);
        if (len == 0)
            continue;
        changed = true;
        unlink(path);
        if (text[0] == '-' && (len == 1 || text[1] == '\n'))
            continue;
        int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        assert_int_equal(write(fd, text, len), len);
        close(fd);
    }
    return changed;
}

/* --- reading them --- */

static void count_errors(void *arg, xnm_severity severity, const struct xnm_place *place,
                         const char *message)
{
    size_t *errors = arg;

    assert_true(message[0] != '\0');
    check_characters(message, (int32_t)strlen(message));
    assert_memory_equal(place->file, folder, strlen(folder));
    *errors += severity == XNM_ERROR;
}

/* Without a policy if there is none. */
static struct xnm_policyfiles read_files(const struct xnm_policy *before)
{
    static const char text[] = "idn:\n    policy: rules\n    policy-memory: 64m\n";
    size_t errors = 0;
    const struct xnm_diagnostics diagnostics = {count_errors, &errors};
    struct xnm_config config;
    struct xnm_policyfiles read;

    xnm_config_init(&config);
    assert_true(
        xnm_config_parse(&config, path_of("idn.conf"), text, sizeof text - 1, &diagnostics));
    const struct xnm_policyfiles_options options = {.config = &config,
                                                    .unicode = text_unicode(),
                                                    .diagnostics = &diagnostics,
                                                    .counters = text_counters(),
                                                    .before = before};
    bool good = xnm_policyfiles_read(&options, &read);
    assert_int_equal(good, read.policy != NULL);
    assert_true((read.policy && read.bad_lists == 0) || errors > 0);
    assert_false(read.no_memory);
    assert_in_range(read.sources.count, 1, SIZE_MAX);
    xnm_config_free(&config);
    return read;
}

/* --- what is in force --- */

static const char *const names[] = {
    ".",
    "example",
    "x.example",
    "a.x.example",
    "www.x.example",
    "a.www.x.example",
    "r.example",
    "b.r.example",
    "a.example",
    "b.a.example",
    "w.example",
    "b.w.example",
    "one.test",
    "b.one.test",
    "two.test",
    "b.c.two.test",
    "three.test",
    "b.three.test",
    "b\u00FCcher.test",
    "p.test",
    "d.test",
    "b.d.test",
    "i.test",
    "test",
    "nothing.test",
    "paypal.com",
    "p\u0430ypal.com",
    "www.p\u0430ypal.com",
    "p\u0430ypal.com.test",
    "g\u043E\u043Egle.org",
    "goog1e.com",
    "google.co.uk",
    "\u043E\u043Eps.de",
    "oops.de",
    "\u0430pple.evil.example",
    "f\u0430cebok.com",
    "m\u0443-f\u0430cebook.net",
    "mycrosoft.com",
    "\u0440\u0430\u0443.ru",
    "\u0440\u0430\u0443.com",
    "\u4E2D\u56FD.com",
    "xn--a-.com",
    "xn--zz--zz.x.example",
    "www.example p\u0430ypal.com",
    "b.example one.test",
    "b.example two.test nothing.test",
};
enum { NAMES = sizeof names / sizeof *names };

static void expect_line(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        assert_true((uint8_t)text[i] >= ' ' && text[i] != 0x7F);
}

static void expect_response(const struct xnm_policy *policy, const struct xnm_decision *decision,
                            const struct xnm_question *question)
{
    static struct xnm_response response;
    uint8_t ede[2 + XNM_RULE_EDE_TEXT_MAX];

    assert_in_range(decision->answer->action, XNM_ACTION_NONE + 1, XNM_ACTION_COUNT - 1);
    assert_int_not_equal(decision->answer->action, XNM_LOG);
    assert_in_range(decision->answer->ttl, 0, INT32_MAX);
    assert_in_range(xnm_response_ede(decision->answer, ede), 0, sizeof ede);
    if (decision->answer->action == XNM_PASSTHRU)
        return;
    xnm_response_make(xnm_policy_settings(policy), decision, question,
                      &(struct xnm_aliaschain){.count = 0}, &response);
    for (unsigned i = 0; i < response.record_count; i++) {
        const struct xnm_record *record = &response.records[i];
        assert_in_range(record->ttl, 0, INT32_MAX);
        free(exact_copy(record->rdata, record->rdata_len));
    }
}

static void expect_match(const struct xnm_policy *policy, const struct xnm_decision *decision)
{
    char subject[XNM_MATCH_SUBJECT_MAX];
    struct xnm_match match;

    xnm_match_from(policy, decision, false, &match);
    expect_line(subject, xnm_match_subject(&match, subject));
    expect_line(match.tags, strlen(match.tags));
    assert_in_range(match.counter_count, 1, 1 + XNM_DECISION_LOGS_MAX);
    xnm_match_count(&match);
}

/* The clients that ask, after one without an address; they all ask at noon on a Monday. */
static const struct xnm_prefix fuzz_clients[] = {
    {{4, {192, 0, 2, 7}}, 32},
    {{4, {198, 51, 100, 129}}, 32},
    {{16, {0x20, 0x01, 0x0d, 0xb8, 0, 1, [15] = 1}}, 128},
    {{4, {192, 0, 2, 0}}, 24},
};
enum { FUZZ_CLIENTS = 1 + sizeof fuzz_clients / sizeof *fuzz_clients, FUZZ_TIME = 1795435200 };

static bool decide_for(const struct xnm_policy *policy, const char *chained, uint16_t qtype,
                       unsigned asker, struct xnm_decision *decision)
{
    struct text_chain chain = {.rest = chained};
    struct xnm_question question = {.qtype = qtype,
                                    .qclass = 1,
                                    .client = asker > 0 ? &fuzz_clients[asker - 1] : NULL,
                                    .time = FUZZ_TIME};

    next_of_text_chain(&chain, &question.qname, &question.qname_len);
    const struct xnm_wirename qname = chain.name;
    question.qname = qname.octets;
    xnm_policy_decide_below(policy, &question, decision);
    if (!xnm_policy_decide_answer(policy, &question, next_of_text_chain, &chain, decision))
        return false;
    expect_match(policy, decision);
    if (decision->answer)
        expect_response(policy, decision, &question);
    return true;
}

static bool is_same(const struct xnm_policy_answer *a, const struct xnm_policy_answer *b)
{
    return rpzexport_is_same(a, b) && (!a || a->rule == b->rule);
}

/* A decision that is said to be everybody's is. */
static void decide(const struct xnm_policy *policy, const char *chained, uint16_t qtype)
{
    unsigned askers = xnm_policy_has_limits(policy) ? FUZZ_CLIENTS : 1;
    struct xnm_decision first, other;
    bool matched = decide_for(policy, chained, qtype, 0, &first);

    for (unsigned asker = 1; asker < askers; asker++) {
        bool matches = decide_for(policy, chained, qtype, asker, &other);
        assert_true(other.specific_decision || !other.specific_answer);
        if (!first.specific_decision) {
            assert_int_equal(matches, matched);
            assert_true(is_same(other.answer, first.answer));
            assert_int_equal(other.log_count, first.log_count);
        }
        if (!first.specific_answer && xnm_decision_changes_answer(&first))
            assert_true(is_same(other.answer, first.answer));
        else if (!first.specific_answer)
            assert_false(xnm_decision_changes_answer(&other));
    }
}

static bool take_owner(void *arg, const struct rpzowner *owner)
{
    *(size_t *)arg += owner->name_len;
    return true;
}

static void leave_out(void *arg, const struct rpzowner *owner, const char *why)
{
    *(size_t *)arg += owner->name_len + strlen(why);
}

static void expect_rules(const struct xnm_policy *policy)
{
    size_t octets = 0;

    for (size_t i = 0; i < xnm_policy_rule_count(policy); i++) {
        const struct xnm_policy_rule *rule = xnm_policy_rule(policy, i);
        octets += strlen(rule->file) + strlen(rule->subject);
        assert_in_range(rule->action, XNM_ACTION_NONE, XNM_ACTION_COUNT - 1);
        assert_in_range(rule->trigger, XNM_TRIGGER_NAME, XNM_TRIGGER_COUNT - 1);
        assert_non_null(rule->counter);
        assert_true(rule->tag < 0 || xnm_policy_tag(policy, (unsigned)rule->tag));
    }
    const struct rpzexport how = {.policy = policy,
                                  .origin_len = 1,
                                  .owner = take_owner,
                                  .left_out = leave_out,
                                  .arg = &octets};
    assert_true(rpzexport(&how));
}

/* Answers, log lines and a zone file of it. */
static void use(const struct xnm_policy *policy)
{
    static const uint16_t types[] = {1, 16, 28, 255};

    setenv("TZ", "UTC0", 1);
    for (size_t i = 0; i < NAMES; i++)
        for (size_t type = 0; type < sizeof types / sizeof *types; type++)
            decide(policy, names[i], types[type]);
    expect_rules(policy);
}

static void expect_metrics(const struct xnm_policy *policy, const struct xnm_policyfiles *read)
{
    static struct samples samples;
    struct xnm_metrics *metrics = xnm_metrics_new();
    const struct xnm_metrics_extra extra = {
        .policy = policy,
        .reload = {.bad_lists = read->bad_lists, .list_bad_lines = read->bad_lines}};
    size_t len;
    char *text = xnm_metrics_text(metrics, &extra, &len);

    assert_int_equal(strlen(text), len);
    read_samples(text, &samples);
    assert_int_equal(value_of(&samples, "unbound_idn_policy_rules"), xnm_policy_rule_count(policy));
    assert_int_equal(value_of(&samples, "unbound_idn_policy_names"),
                     xnm_policy_entry_count(policy));
    free(text);
    xnm_metrics_free(metrics);
}

static void expect_policy(const struct xnm_policyfiles *read)
{
    use(read->policy);
    expect_metrics(read->policy, read);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct xnm_policyfiles first, second;

    open_folder();
    write_files(&data, &size);
    first = read_files(NULL);
    if (first.policy)
        expect_policy(&first);
    if (write_files(&data, &size)) {
        second = read_files(first.policy);
        if (second.policy)
            expect_policy(&second);
        xnm_policy_free(second.policy);
        xnm_sources_free(&second.sources);
    }
    xnm_policy_free(first.policy);
    xnm_sources_free(&first.sources);
    close_folder();
    return 0;
}
