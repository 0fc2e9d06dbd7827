/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/run/metrics.h"

#include "core/idna/property.h"
#include "core/names/display.h"
#include "core/text/hexadecimal.h"
#include "core/text/utf8char.h"
#include "module/file/folder.h"
#include "module/file/textfile.h"
#include "module/policy/match.h"
#include "module/rule/action.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    CACHE_LINE = 64,
    THREADS_MAX = 256,
    RCODES = 16, /* those of the header: an extended one counts by its low four bits */
    TRANSPORTS = XNM_TRANSPORT_DOQ + 1,
    STATUSES = XN_LABEL_INVALID + 1
};

enum mode { MODE_ENFORCE, MODE_LOG_ONLY, MODE_OBSERVED, MODES };

typedef _Atomic uint64_t counter;

struct counters {
    _Alignas(CACHE_LINE) counter replies[TRANSPORTS][RCODES];
    counter names[STATUSES]; /* with A-labels, by the worst one's status */
    counter policy[XNM_ACTION_COUNT][MODES];
    counter lookalikes[XNM_MATCH_KIND_COUNT];
    counter withheld;
};

struct xnm_metrics {
    struct counters threads[THREADS_MAX];
    counter lines_written, lines_lost, reloads_good, reloads_bad;
};

/* Threads are numbered from 1; with more than THREADS_MAX, some share a place. */
static atomic_uint numbers;
static _Thread_local unsigned my_number;

static void add(counter *to, uint64_t number)
{
    atomic_fetch_add_explicit(to, number, memory_order_relaxed);
}

static uint64_t get(const counter *from)
{
    return atomic_load_explicit(from, memory_order_relaxed);
}

static struct counters *my_counters(struct xnm_metrics *metrics)
{
    if (my_number == 0)
        my_number = atomic_fetch_add_explicit(&numbers, 1, memory_order_relaxed) + 1;
    return &metrics->threads[my_number % THREADS_MAX];
}

struct xnm_metrics *xnm_metrics_new(void)
{
    struct xnm_metrics *metrics = aligned_alloc(CACHE_LINE, sizeof *metrics);

    return metrics ? memset(metrics, 0, sizeof *metrics) : NULL;
}

void xnm_metrics_free(struct xnm_metrics *metrics)
{
    free(metrics);
}

static enum mode mode_of(const struct xnm_reply *reply)
{
    if (!reply->match->log_only)
        return MODE_ENFORCE;
    return reply->observed ? MODE_OBSERVED : MODE_LOG_ONLY;
}

void xnm_metrics_count_reply(struct xnm_metrics *metrics, const struct xnm_reply *reply,
                             const xn_reasons *idn)
{
    struct counters *counters = my_counters(metrics);

    if (reply->rcode != XNM_NO_RCODE)
        add(&counters->replies[reply->transport][reply->rcode & (RCODES - 1)], 1);
    if (idn)
        add(&counters->names[xn_reasons_status(*idn)], 1);
    if (reply->match)
        add(&counters->policy[reply->match->action][mode_of(reply)], 1);
    if (reply->match && xnm_match_has_lookalike(reply->match))
        add(&counters->lookalikes[reply->match->match_kind], 1);
}

void xnm_metrics_count_withheld(struct xnm_metrics *metrics)
{
    add(&my_counters(metrics)->withheld, 1);
}

void xnm_metrics_count_reload(struct xnm_metrics *metrics, bool good)
{
    add(good ? &metrics->reloads_good : &metrics->reloads_bad, 1);
}

void xnm_metrics_add_lines(struct xnm_metrics *metrics, uint64_t written, uint64_t lost)
{
    add(&metrics->lines_written, written);
    add(&metrics->lines_lost, lost);
}

/* --- the text --- */

static const char *const rcode_names[RCODES] = {
    "NOERROR", "FORMERR", "SERVFAIL", "NXDOMAIN", "NOTIMPL", "REFUSED", "YXDOMAIN", "YXRRSET",
    "NXRRSET", "NOTAUTH", "NOTZONE",  "RCODE11",  "RCODE12", "RCODE13", "RCODE14",  "RCODE15"};
static const char *const transport_names[TRANSPORTS] = {[XNM_TRANSPORT_UDP] = "udp",
                                                        [XNM_TRANSPORT_TCP] = "tcp",
                                                        [XNM_TRANSPORT_DOT] = "dot",
                                                        [XNM_TRANSPORT_DOH] = "doh",
                                                        [XNM_TRANSPORT_DOQ] = "doq"};

static void put_head(FILE *text, const char *name, const char *type, const char *help)
{
    fprintf(text, "# HELP unbound_idn_%s %s\n# TYPE unbound_idn_%s %s\n", name, help, name, type);
}

static void put_sample(FILE *text, const char *name, const char *labels, uint64_t value)
{
    fprintf(text, "unbound_idn_%s{%s} %llu\n", name, labels, (unsigned long long)value);
}

/* Writes a metric with one sample and no labels. */
static void put_single(FILE *text, const char *name, const char *type, const char *help,
                       uint64_t value)
{
    put_head(text, name, type, help);
    fprintf(text, "unbound_idn_%s %llu\n", name, (unsigned long long)value);
}

/* Writes two samples of one label, such as `"good"` and `"bad"`. */
static void put_pair(FILE *text, const char *name, const char *const labels[2], uint64_t first,
                     uint64_t second)
{
    put_sample(text, name, labels[0], first);
    put_sample(text, name, labels[1], second);
}

#define SUM_OF_THREADS(sum, member)                                                                \
    for (size_t thread = 0; thread < THREADS_MAX; thread++)                                        \
    (sum) += get(&metrics->threads[thread].member)

/* Writes the counts that are not 0, and those of NOERROR, so that the metric always has a sample.
 */
static void put_replies(FILE *text, const struct xnm_metrics *metrics)
{
    char labels[64];

    put_head(text, "replies_total", "counter", "Replies given to clients.");
    for (size_t transport = 0; transport < TRANSPORTS; transport++) {
        for (size_t rcode = 0; rcode < RCODES; rcode++) {
            uint64_t sum = 0;

            SUM_OF_THREADS(sum, replies[transport][rcode]);
            if (sum == 0 && rcode != 0)
                continue;
            snprintf(labels, sizeof labels, "rcode=\"%s\",transport=\"%s\"", rcode_names[rcode],
                     transport_names[transport]);
            put_sample(text, "replies_total", labels, sum);
        }
    }
}

static void put_names(FILE *text, const struct xnm_metrics *metrics)
{
    char labels[64];

    put_head(text, "names_total", "counter", "Names asked for that have an xn-- label, by status.");
    for (size_t status = 0; status < STATUSES; status++) {
        uint64_t sum = 0;

        SUM_OF_THREADS(sum, names[status]);
        snprintf(labels, sizeof labels, "status=\"%s\"",
                 xn_label_status_word((xn_label_status)status));
        put_sample(text, "names_total", labels, sum);
    }
}

static void put_log(FILE *text, const struct xnm_metrics *metrics,
                    const struct xnm_metrics_extra *extra)
{
    static const char *const lines[] = {"result=\"written\"", "result=\"lost\""};
    static const char *const reloads[] = {"result=\"good\"", "result=\"bad\""};

    put_head(text, "log_lines_total", "counter",
             "Log lines: one for each reply that is to be logged.");
    put_pair(text, "log_lines_total", lines, get(&metrics->lines_written) + extra->written,
             get(&metrics->lines_lost) + extra->lost);
    put_head(text, "reloads_total", "counter",
             "Reloads; a bad one kept the last good configuration.");
    put_pair(text, "reloads_total", reloads, get(&metrics->reloads_good),
             get(&metrics->reloads_bad));
}

/* --- the policy's part --- */

static const char *const mode_names[MODES] = {"enforce", "log-only", "observed"};

static void put_actions(FILE *text, const struct xnm_metrics *metrics)
{
    char labels[64];

    put_head(text, "policy_replies_total", "counter",
             "Replies that a rule matched, by its action.");
    for (xnm_action action = XNM_PASSTHRU; action < XNM_ACTION_COUNT; action++) {
        for (size_t mode = 0; mode < MODES; mode++) {
            uint64_t sum = 0;

            SUM_OF_THREADS(sum, policy[action][mode]);
            if (sum == 0 && mode != MODE_ENFORCE)
                continue;
            snprintf(labels, sizeof labels, "action=\"%s\",mode=\"%s\"", xnm_action_word(action),
                     mode_names[mode]);
            put_sample(text, "policy_replies_total", labels, sum);
        }
    }
}

static void put_withheld(FILE *text, const struct xnm_metrics *metrics)
{
    uint64_t sum = 0;

    SUM_OF_THREADS(sum, withheld);
    put_single(text, "policy_withheld_total", "counter",
               "Replies withheld as they left: the policy refuses what the cache holds.", sum);
}

static void put_lookalikes(FILE *text, const struct xnm_metrics *metrics)
{
    char labels[32];

    put_head(text, "lookalike_replies_total", "counter",
             "Replies whose match was a look-alike, by the key that found it.");
    for (xnm_match_kind match_kind = 0; match_kind < XNM_MATCH_KIND_COUNT; match_kind++) {
        uint64_t sum = 0;
        SUM_OF_THREADS(sum, lookalikes[match_kind]);
        snprintf(labels, sizeof labels, "key=\"%s\"", xnm_match_kind_word(match_kind));
        put_sample(text, "lookalike_replies_total", labels, sum);
    }
}

/* Writes a label's value, escaped like in the log; each backslash of those escapes is then doubled
 * like any other. U+FFFD replaces an octet that is not UTF-8. */
void xnm_metrics_put_label(FILE *text, const char *value)
{
    for (size_t len = strlen(value), octets; len > 0; value += octets, len -= octets) {
        char escape[XN_DISPLAY_ESCAPE_MAX];
        uint32_t cp;

        octets = xn_utf8_read((const uint8_t *)value, len, &cp);
        if (octets == 0) {
            octets = 1;
            cp = 0xFFFD;
        }
        bool is_shown = xn_unicode_is_shown(cp);
        if (cp == '"' || cp == '\\' || !is_shown)
            fputc('\\', text);
        if (is_shown) {
            fwrite(value, 1, octets, text);
        } else {
            size_t escaped = xn_hexadecimal_escape(cp, escape);
            fwrite(escape, 1, escaped, text);
        }
    }
}

static void put_rule(FILE *text, const struct xnm_policy *policy,
                     const struct xnm_policy_rule *rule)
{
    fputs("unbound_idn_rule_replies_total{file=\"", text);
    xnm_metrics_put_label(text, rule->file);
    fprintf(text, "\",line=\"%u\",action=\"%s\",trigger=\"%s\",subject=\"", rule->line,
            xnm_action_word(rule->action), xnm_trigger_word(rule->trigger));
    xnm_metrics_put_label(text, rule->subject);
    if (rule->tag >= 0)
        fprintf(text, "\",tag=\"%s", xnm_policy_tag(policy, (unsigned)rule->tag));
    fprintf(text, "\"} %llu\n", (unsigned long long)get(rule->counter));
}

static void put_rules(FILE *text, const struct xnm_policy *policy)
{
    size_t count = xnm_policy_rule_count(policy);

    put_head(
        text, "rule_replies_total", "counter",
        "Replies by the rule that matched: a line of a rule file, with all names of its list.");
    for (size_t i = 0; i < count; i++) {
        const struct xnm_policy_rule *rule = xnm_policy_rule(policy, i);

        if (count <= XNM_METRICS_RULES_MAX || get(rule->counter) > 0)
            put_rule(text, policy, rule);
    }
}

static void put_policy(FILE *text, const struct xnm_metrics *metrics,
                       const struct xnm_metrics_extra *extra)
{
    static const char *const results[] = {"result=\"good\"", "result=\"bad\""};
    const struct xnm_policyhandle_counts *reload = &extra->reload;

    put_single(text, "policy_rules", "gauge", "Lines of rule files in force.",
               xnm_policy_rule_count(extra->policy));
    put_single(text, "policy_names", "gauge",
               "Names in force, including protected names and those of lists.",
               xnm_policy_entry_count(extra->policy));
    put_single(text, "policy_bytes", "gauge", "Memory of the policy in force.",
               xnm_policy_memory(extra->policy));
    put_single(text, "policy_enforced", "gauge",
               "1: the policy changes answers; 0: policy-mode is log-only.", extra->enforced);
    put_head(text, "policy_loaded_timestamp_seconds", "gauge",
             "When the policy in force was made.");
    fprintf(text, "unbound_idn_policy_loaded_timestamp_seconds %.3f\n", reload->loaded_at);
    put_head(text, "policy_loads_total", "counter",
             "Policies read; after a bad one the last good one stayed in force.");
    put_pair(text, "policy_loads_total", results, reload->swaps, reload->failures);
    put_single(text, "policy_bad_lists", "gauge", "Lists that could not be read or had bad lines.",
               reload->bad_lists);
    put_single(text, "policy_bad_lines", "gauge", "Lines of lists that are not names.",
               reload->list_bad_lines);
    put_single(text, "policy_skipped_lines", "gauge",
               "Lines of lists that mean more than a name, and were skipped.",
               reload->list_skipped_lines);
    put_single(text, "policy_expired_zones", "gauge",
               "Response policy zones without news for longer than the EXPIRE of their SOA record.",
               reload->expired_zones);
    put_actions(text, metrics);
    put_withheld(text, metrics);
    put_lookalikes(text, metrics);
    put_rules(text, extra->policy);
}

char *xnm_metrics_text(const struct xnm_metrics *metrics, const struct xnm_metrics_extra *extra,
                       size_t *len)
{
    char *result = NULL;
    FILE *text = open_memstream(&result, len);

    if (!text)
        return NULL;
    put_replies(text, metrics);
    put_names(text, metrics);
    put_log(text, metrics, extra);
    if (extra->policy || extra->reload.missing)
        put_single(text, "policy_in_force", "gauge",
                   "1: rules are in force; 0: they could not be read, and the resolver runs "
                   "without them.",
                   extra->policy != NULL);
    if (extra->policy)
        put_policy(text, metrics, extra);
    if (extra->more.put)
        extra->more.put(extra->more.arg, text);
    bool failed = ferror(text);
    if (fclose(text) == 0 && !failed)
        return result;
    free(result);
    return NULL;
}

/* --- the file --- */

static bool write_new(int folder, const char *name, const char *text, size_t len)
{
    int fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);

    if (fd < 0)
        return false;
    bool good = fchmod(fd, 0644) == 0 && xnm_textfile_write(fd, text, len);
    int error = errno;
    if (close(fd) != 0 && good) {
        error = errno;
        good = false;
    }
    errno = error;
    return good;
}

#define METRICS_BEGINNING "# HELP unbound_idn_"

/* Returns whether a file belongs to another program: its text does not begin like our metrics, or
 * may not be read. A symbolic link is replaced, not its target. */
static bool is_foreign(int folder, const char *name)
{
    char text[sizeof METRICS_BEGINNING - 1];
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

    if (fd < 0)
        return errno == EACCES;
    ssize_t len = read(fd, text, sizeof text);
    close(fd);
    return len > 0 && (len < (ssize_t)sizeof text || memcmp(text, METRICS_BEGINNING, sizeof text));
}

const char xnm_metrics_foreign[] =
    "the file has another text: expected none, or metrics of this program";

bool xnm_metrics_is_foreign(const char *path)
{
    const char *name;
    int folder = xnm_folder_open(path, &name);

    if (folder < 0)
        return false;
    bool foreign = is_foreign(folder, name);
    close(folder);
    return foreign;
}

/* Writes the text to a file with the name `beside`, and renames that to `name`. Returns 0, or an
 * errno. */
static int replace(int folder, const char *name, const char *beside, const char *text, size_t len)
{
    if (unlinkat(folder, beside, 0) != 0 && errno != ENOENT)
        return errno;
    if (write_new(folder, beside, text, len) && renameat(folder, beside, folder, name) == 0)
        return 0;
    int error = errno;
    unlinkat(folder, beside, 0);
    return error;
}

bool xnm_metrics_write(const char *path, const char *text, size_t len, const char **error)
{
    char beside[PATH_MAX];
    const char *name;

    if ((size_t)snprintf(beside, sizeof beside, "%s.new", path) >= sizeof beside) {
        *error = "the path is too long";
        return false;
    }
    int folder = xnm_folder_open(path, &name);
    bool foreign = folder >= 0 && is_foreign(folder, name);
    int trouble = folder < 0 ? errno
                  : foreign  ? EEXIST
                             : replace(folder, name, beside + (name - path), text, len);
    if (folder >= 0)
        close(folder);
    if (trouble)
        *error = foreign ? xnm_metrics_foreign : xnm_folder_error(trouble);
    return trouble == 0;
}
