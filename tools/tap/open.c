/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens, reopens and closes the log, the metrics and the policy of `tap`. */
#include "tools/tap/tap.h"

#include "tools/text/buffer.h"

#include <string.h>
#include <unistd.h>

/* --- what is said --- */

/* Writes a message in one call, because several threads write messages. */
void tap_say(const char *line)
{
    struct buffer text = {0};

    buffer_text(&text, "unbound-idn tap: ");
    buffer_visible(&text, line, strlen(line));
    buffer_text(&text, "\n");
    fwrite(text.data, 1, text.len, stderr);
    buffer_free(&text);
}

static void diagnose(void *arg, xnm_severity severity, const struct xnm_place *place,
                     const char *message)
{
    char text[2048], line[2048 + 16];

    (void)arg;
    xnm_diagnostic_text(place, message, text, sizeof text);
    snprintf(line, sizeof line, "%s: %s", severity == XNM_ERROR ? "error" : "warning", text);
    tap_say(line);
}

static void notice(void *arg, const char *line, size_t len)
{
    char copy[2048];

    (void)arg;
    snprintf(copy, sizeof copy, "%.*s", (int)(len < sizeof copy ? len : sizeof copy - 1), line);
    tap_say(copy);
}

/* Writes a file's lines: all of them, however slow the reader of standard output is. */
static void write_line(void *arg, const char *line, size_t len)
{
    (void)arg;
    fwrite(line, 1, len, stdout);
    putchar('\n');
}

/* --- metrics --- */

static void put(FILE *text, const char *name, const char *label, uint64_t value)
{
    fprintf(text, "unbound_idn_tap_%s%s %llu\n", name, label, (unsigned long long)value);
}

static void head(FILE *text, const char *name, const char *type, const char *help)
{
    fprintf(text, "# HELP unbound_idn_tap_%s %s\n# TYPE unbound_idn_tap_%s %s\n", name, help, name,
            type);
}

static void put_metrics(void *arg, FILE *text)
{
    static const char *const kinds[TAP_KINDS] = {"{kind=\"reply\"}", "{kind=\"query\"}",
                                                 "{kind=\"other\"}", "{kind=\"malformed\"}"};
    const struct tap *tap = arg;
    const struct tap_senders *senders = tap->senders;
    struct tap_senders_counts counts = {0};

    if (senders)
        counts = tap_senders_counts(senders);
    head(text, "frames_total", "counter", "Frames of senders, by kind.");
    for (tap_kind kind = TAP_REPLY; kind < TAP_KINDS; kind++)
        put(text, "frames_total", kinds[kind], tap_replies_count(tap->replies, kind));
    head(text, "senders", "gauge", "Senders that are connected.");
    put(text, "senders", "", counts.connected);
    head(text, "senders_total", "counter", "Senders that connected, and those that were dropped.");
    put(text, "senders_total", "{result=\"accepted\"}", counts.accepted);
    put(text, "senders_total", "{result=\"dropped\"}", counts.dropped);
}

/* --- opening --- */

/* Octets of lines that wait for a busy disk: at 100,000 a second, some 1.4 seconds of text. */
enum { LOG_RING = 16 << 20 };

static struct xnm_state *open_state(struct tap *tap)
{
    return xnm_state_open(&(struct xnm_state_options){
        .engine = tap->engine,
        .config_path = tap->config ? tap->config : XNM_CONFIG_DEFAULT_PATH,
        .config_may_be_missing = !tap->config,
        .host_log = {write_line, NULL, .adds_no_time = true},
        .notices = {notice, NULL},
        .diagnostics = &tap->diagnostics,
        .threads = tap->listens,
        .behind = true,
        .observes = true,
        .must_read = true,
        .to_host = !tap->listens,
        .log_to = tap->listens ? "/dev/stdout" : NULL,
        .log_ring = LOG_RING,
        .more = {put_metrics, tap},
    });
}

bool tap_open(struct tap *tap)
{
    tap->diagnostics = (struct xnm_diagnostics){diagnose, NULL};
    tap->engine = xnm_engine_new();
    tap->replies = tap_replies_new();
    if (!tap->engine || !tap->replies)
        buffer_out_of_memory();
    tap->state = open_state(tap);
    return tap->state != NULL;
}

void tap_reopen(struct tap *tap)
{
    xnm_state_close(tap->state);
    tap->state = open_state(tap);
}

void tap_close(struct tap *tap)
{
    xnm_state_close(tap->state);
    xnm_engine_free(tap->engine);
    tap_replies_free(tap->replies);
}
