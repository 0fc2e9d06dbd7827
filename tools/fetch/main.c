/* SPDX-License-Identifier: BSD-3-Clause */
/* unbound-idn-fetch: `unbound-idn fetch` runs it, since it alone links libcurl. */
#include "core/idna/unicode.h"
#include "module/base/diagnostics.h"
#include "module/config/config.h"
#include "module/file/textfile.h"
#include "module/rule/rules.h"
#include "module/run/metrics.h"
#include "tools/check/check.h"
#include "tools/check/policyread.h"
#include "tools/command/command.h"
#include "tools/fetch/renew.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "Usage: unbound-idn fetch [OPTION]...\n"
    "\n"
    "Fetches each list whose rule has url=, and replaces its file if what comes is a\n"
    "list that the rule would take. Otherwise the file stays as it is. For a timer;\n"
    "the resolver sees new files by itself.\n"
    "\n"
    "  --config FILE       the configuration that names the rules\n"
    "                      [$UNBOUND_IDN_CONF or " XNM_CONFIG_DEFAULT_PATH "]\n"
    "  --metrics FILE      write when each list was good and bad, for Prometheus\n"
    "  --ca FILE           trust these certificates (PEM) [those of the system]\n"
    "  --time-max SECONDS  for one list, from its name to its last octet [120]\n"
    "  --size-max MIB      of one list, as it comes and decompressed [256]\n"
    "  --allow-http        also fetch http: URLs, whose lists anybody on the way can\n"
    "                      change\n"
    "\n"
    "Exit status: 0 if each list is now what its server has; 1 if one is not; 2 for\n"
    "wrong usage, or if the configuration or all rules cannot be read.\n";

enum { CONFIG = 1, METRICS, CA, TIME_MAX, SIZE_MAX_MIB, VALUES };
enum { SECONDS_MOST = 86400, MIB_MOST = 1024 };

static atomic_bool stop;

struct fetched {
    const struct xnm_rule *rule;
    struct note note;
    bool good;
};

struct session {
    struct xn_unicode *unicode;
    struct transfer_options options;
    struct xnm_config config;
    struct xnm_rules rules;
    struct fetched *lists; /* as many as there are rules */
    size_t count;
    bool failed; /* something is not as it should be */
};

/* --- rules --- */

static void read_rules(struct session *session, const char *path)
{
    const struct xnm_rules_options how = {.unicode = session->unicode,
                                          .diagnostics = &policyread_errors,
                                          .default_ttl = session->config.policy_ttl};
    const struct xnm_place place = {.file = path};
    struct xnm_textfile file;
    const char *why = xnm_textfile_read(path, XNM_RULES_SIZE_MAX, &file);

    if (why) {
        policyread_say(&place, why);
        session->failed = true;
        return;
    }
    session->failed |= !xnm_rules_parse(&session->rules, &how, path, file.text, file.len);
    xnm_textfile_free(&file);
}

/* Is the list one that an earlier rule had fetched? It cannot have two URLs. */
static bool is_done(struct session *session, const struct xnm_rule *rule)
{
    const struct xnm_place place = {rule->file, rule->line, rule->path_column};
    const struct xnm_rule *other = NULL;

    for (size_t i = 0; i < session->count && !other; i++)
        if (strcmp(session->lists[i].rule->path, rule->path) == 0)
            other = session->lists[i].rule;
    if (!other || strcmp(other->url, rule->url) == 0)
        return other;
    xnm_diagnose(&policyread_errors, XNM_ERROR, &place,
                 "the rule %s:%u has another URL for this file: expected one for each file",
                 other->file, other->line);
    session->failed = true;
    return true;
}

static void fetch_all(struct session *session)
{
    const struct xnm_rules *rules = &session->rules;

    session->lists = buffer_zeros(rules->count + 1, sizeof *session->lists);
    for (size_t i = 0; i < rules->count && !atomic_load(&stop); i++) {
        const struct xnm_rule *rule = &rules->rules[i];
        struct fetched *list = &session->lists[session->count];
        if (!rule->url || is_done(session, rule))
            continue;
        *list = (struct fetched){.rule = rule};
        list->good = renew_list(&session->options, session->unicode, rule, &list->note);
        session->failed |= !list->good;
        session->count++;
    }
    session->failed |= atomic_load(&stop);
}

/* --- metrics --- */

static void put(FILE *text, const struct session *session, const char *name, const char *what,
                long long (*value)(const struct fetched *list))
{
    fprintf(text, "# HELP unbound_idn_%s %s\n# TYPE unbound_idn_%s gauge\n", name, what, name);
    for (size_t i = 0; i < session->count; i++) {
        fprintf(text, "unbound_idn_%s{list=\"", name);
        xnm_metrics_put_label(text, session->lists[i].rule->path);
        fprintf(text, "\"} %lld\n", value(&session->lists[i]));
    }
}

static long long changed_at(const struct fetched *list)
{
    return list->note.mtime;
}

static long long good_at(const struct fetched *list)
{
    return list->note.good;
}

static long long bad_at(const struct fetched *list)
{
    return list->note.bad;
}

static long long is_bad(const struct fetched *list)
{
    return !list->good;
}

static long long entries_of(const struct fetched *list)
{
    return (long long)list->note.entries;
}

static bool write_metrics(const struct session *session, const char *path)
{
    const struct xnm_place place = {.file = path};
    const char *error = "out of memory";
    char *text = NULL;
    size_t len;
    FILE *stream = open_memstream(&text, &len);

    if (!stream)
        buffer_out_of_memory();
    put(stream, session, "fetch_changed_timestamp_seconds",
        "When a list's file was last replaced by a new one; 0: never.", changed_at);
    put(stream, session, "fetch_good_timestamp_seconds",
        "When a list's server last gave it, or said that it has not changed; 0: never.", good_at);
    put(stream, session, "fetch_bad_timestamp_seconds",
        "When a list could last not be fetched; 0: never.", bad_at);
    put(stream, session, "fetch_failed", "1: a list could not be fetched the last time.", is_bad);
    put(stream, session, "fetch_entries", "Entries of a list as it was fetched.", entries_of);
    bool good = fclose(stream) == 0 && xnm_metrics_write(path, text, len, &error);
    if (!good)
        policyread_say(&place, error);
    free(text);
    return good;
}

/* --- the command --- */

static void end(int number)
{
    (void)number;
    atomic_store(&stop, true);
}

static void catch_signals(void)
{
    const struct sigaction action = {.sa_handler = end}, ignored = {.sa_handler = SIG_IGN};

    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGPIPE, &ignored, NULL);
}

/* Returns false for what is not a number from 1 to `most`. NULL leaves the number as it is. */
static bool read_number(const char *text, unsigned most, unsigned *number)
{
    char *rest;

    if (!text)
        return true;
    unsigned long value = strtoul(text, &rest, 10);
    *number = (unsigned)value;
    return text[0] >= '0' && text[0] <= '9' && *rest == '\0' && value >= 1 && value <= most;
}

static int run(struct session *session, const char *metrics)
{
    for (size_t i = 0; i < session->config.policy_count; i++)
        read_rules(session, session->config.policies[i]);
    if (session->failed && session->rules.count == 0)
        return STATUS_USAGE;
    fetch_all(session);
    if (metrics && !write_metrics(session, metrics))
        session->failed = true;
    return session->failed ? STATUS_FINDING : STATUS_FINE;
}

static int run_with(struct session *session, const char *file, const char *metrics)
{
    int status = STATUS_USAGE;

    xnm_config_init(&session->config);
    if (xnm_config_load(&session->config, file, &policyread_errors)) {
        catch_signals();
        if (transfer_open()) {
            status = run(session, metrics);
            transfer_close();
        } else {
            fputs("unbound-idn fetch: libcurl cannot be initialized\n", stderr);
        }
    }
    for (size_t i = 0; i < session->count; i++)
        note_free(&session->lists[i].note);
    free(session->lists);
    xnm_rules_free(&session->rules);
    xnm_config_free(&session->config);
    return status;
}

/* A full disk is not a success. */
static int finish(int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    perror("unbound-idn: standard output");
    return STATUS_USAGE;
}

int main(int argc, char **argv)
{
    int allows_http = 0;
    const struct option known[] = {{"config", required_argument, NULL, CONFIG},
                                   {"metrics", required_argument, NULL, METRICS},
                                   {"ca", required_argument, NULL, CA},
                                   {"time-max", required_argument, NULL, TIME_MAX},
                                   {"size-max", required_argument, NULL, SIZE_MAX_MIB},
                                   {"allow-http", no_argument, &allows_http, 1},
                                   {"help", no_argument, NULL, COMMAND_HELP},
                                   {0}};
    const char *values[VALUES] = {NULL};
    unsigned seconds = 120, mebibytes = 256;
    struct session session = {0};
    bool is_default;
    int status = command_read_options("fetch", help, known, values, argc, argv);

    if (status >= 0)
        return finish(status);
    if (optind < argc)
        return command_usage_error("fetch", "expected no file but that of --config");
    if (!read_number(values[TIME_MAX], SECONDS_MOST, &seconds))
        return command_refuse_value("fetch", "--time-max", values[TIME_MAX],
                                    "expected seconds, 1 to 86400");
    if (!read_number(values[SIZE_MAX_MIB], MIB_MOST, &mebibytes))
        return command_refuse_value("fetch", "--size-max", values[SIZE_MAX_MIB],
                                    "expected MiB, 1 to 1024");
    if (!command_open_unicode(&session.unicode))
        return STATUS_USAGE;
    session.options = (struct transfer_options){.size_max = (size_t)mebibytes << 20,
                                                .seconds = seconds,
                                                .ca_file = values[CA],
                                                .allows_http = allows_http != 0,
                                                .stop = &stop};
    status = run_with(&session, values[CONFIG] ? values[CONFIG] : check_default_config(&is_default),
                      values[METRICS]);
    xn_unicode_close(session.unicode);
    return finish(status);
}
