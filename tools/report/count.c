/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts one line of a log for `report`. */
#include "tools/report/report.h"

#include "core/idna/name.h"
#include "module/base/hashset.h"
#include "module/name/suffix.h"
#include "tools/logs/name.h"

#include <string.h>

/* --- tables --- */

enum {
    MIB = 1024 * 1024,
    NAMES_MAX = 65536,
    NAMES_OCTETS = 12 * MIB,
    TOP_NAMES_MAX = 32768,
    TOP_NAMES_OCTETS = 2 * MIB,
    BLOCKED_MAX = 16384,
    BLOCKED_OCTETS = 2 * MIB,
    CLIENTS_MAX = 131072,
    CLIENTS_OCTETS = 4 * MIB,
    RULES_MAX = 8192,
    RULES_OCTETS = 2 * MIB,
    MATCHES_MAX = 32768,
    MATCHES_OCTETS = 6 * MIB,
    LOOK_ALIKES_MAX = 32768,
    LOOK_ALIKES_OCTETS = 6 * MIB,
    ASKERS_MAX = 32768,
    ASKERS_OCTETS = 4 * MIB,
    TAGS_MAX = 1024,
    TAGS_OCTETS = 64 * 1024,
    ANSWERS_MAX = 1024,
    ANSWERS_OCTETS = 64 * 1024
};

void report_open(struct report *report, const struct xn_unicode *unicode,
                 struct report_rules *rules, bool with_clients)
{
    uint64_t seed = xnm_hashset_seed(report);

    *report = (struct report){.unicode = unicode, .given = rules, .with_clients = with_clients};
    tally_open(&report->top_names, TOP_NAMES_MAX, TOP_NAMES_OCTETS, 0, seed);
    tally_open(&report->blocked, BLOCKED_MAX, BLOCKED_OCTETS, 0, seed);
    tally_open(&report->idn_names, NAMES_MAX, NAMES_OCTETS, sizeof(xn_reasons), seed);
    tally_open(&report->client_use, CLIENTS_MAX, CLIENTS_OCTETS, 0, seed);
    tally_open(&report->rules, RULES_MAX, RULES_OCTETS, 0, seed);
    tally_open(&report->matches, MATCHES_MAX, MATCHES_OCTETS, 0, seed);
    tally_open(&report->look_alikes, LOOK_ALIKES_MAX, LOOK_ALIKES_OCTETS,
               sizeof(struct report_example), seed);
    tally_open(&report->askers, ASKERS_MAX, ASKERS_OCTETS, 0, seed);
    tally_open(&report->tags, TAGS_MAX, TAGS_OCTETS, 0, seed);
    tally_open(&report->answers, ANSWERS_MAX, ANSWERS_OCTETS, 0, seed);
}

void report_close(struct report *report)
{
    report_rules_close(report->given);
    tally_close(&report->top_names);
    tally_close(&report->blocked);
    tally_close(&report->idn_names);
    tally_close(&report->client_use);
    tally_close(&report->rules);
    tally_close(&report->matches);
    tally_close(&report->look_alikes);
    tally_close(&report->askers);
    tally_close(&report->tags);
    tally_close(&report->answers);
}

/* --- keys of several parts --- */

enum { PART_MAX = 4096, PARTS_MAX = 6 };

struct key {
    size_t len;
    uint8_t octets[PARTS_MAX * (2 + PART_MAX)];
};

/* Adds a part to a key, after its length: a part comes from the log and may hold anything. */
static void add_part(struct key *key, struct report_span part)
{
    size_t len = part.len < PART_MAX ? part.len : PART_MAX;

    key->octets[key->len++] = (uint8_t)(len >> 8);
    key->octets[key->len++] = (uint8_t)len;
    if (len > 0)
        memcpy(key->octets + key->len, part.at, len);
    key->len += len;
}

struct report_span report_part(const struct tally *tally, const struct tally_entry *entry,
                               size_t *at)
{
    const uint8_t *key = tally_key(tally, entry);

    if (*at >= entry->key_len)
        return (struct report_span){"", 0};
    size_t len = (size_t)key[*at] << 8 | key[*at + 1];
    *at += 2 + len;
    return (struct report_span){(const char *)key + *at - len, len};
}

static struct report_span text_span(const char *text)
{
    return (struct report_span){text, strlen(text)};
}

bool report_changes_answer(struct report_span action, struct report_span mode)
{
    return action.len > 0 && mode.len == 0 && !report_is_word(action, "log") &&
           !report_is_word(action, "passthru");
}

/* --- a reply --- */

/* A reply, with what every counter needs to know of it. */
struct reply {
    const struct report_line *line;
    struct report_span mode;
    uint8_t wire[XN_WIRE_NAME_MAX];
    size_t wire_len; /* 0: no question */
    bool idn, changed;
};

static bool is_look_alike(struct report_span match)
{
    static const char word[] = "lookalike";
    size_t len = sizeof word - 1;

    return match.len > len + 1 && memcmp(match.at, word, len) == 0 &&
           (match.at[len] == ' ' || (match.at[len] == 's' && match.at[len + 1] == ' '));
}

static xn_reasons find_reasons(const struct xn_unicode *unicode, const uint8_t *wire, size_t len)
{
    struct xn_name name;

    if (xn_name_read(unicode, wire, len, 0, &name) != XN_OK)
        return 0; /* impossible for a name that report_name_read made */
    return name.reasons;
}

static void count_reasons(struct report *report, xn_reasons reasons)
{
    report->by_status[xn_reasons_status(reasons)]++;
    for (xn_reason reason = 0; reasons; reason++, reasons >>= 1)
        report->by_reason[reason] += reasons & 1;
}

static void count_reply(struct tally_entry *entry, const struct reply *reply)
{
    entry->counts[COUNT_ALL]++;
    entry->counts[COUNT_CHANGED] += reply->changed;
}

static void count_idn(struct report *report, const struct reply *reply)
{
    xn_reasons reasons;
    bool fresh;
    struct tally_entry *entry =
        tally_find(&report->idn_names, reply->wire, reply->wire_len, &fresh);

    count_reply(entry, reply);
    if (fresh) {
        reasons = find_reasons(report->unicode, reply->wire, reply->wire_len);
        memcpy(tally_value(&report->idn_names, entry), &reasons, sizeof reasons);
    } else {
        memcpy(&reasons, tally_value(&report->idn_names, entry), sizeof reasons);
    }
    report->idn++;
    count_reasons(report, reasons);
}

static void count_name(struct report *report, const struct reply *reply)
{
    struct tally_entry *entry = tally_find(&report->top_names, reply->wire, reply->wire_len, NULL);
    count_reply(entry, reply);
    if (reply->idn)
        count_idn(report, reply);
}

/* Returns where the registrable domain of a name begins: the label before its public suffix. */
static size_t registrable_at(const uint8_t *wire, size_t len)
{
    size_t suffix = xnm_suffix_find(wire, len), at = 0, next = 0;

    for (; next < suffix; next += 1u + wire[next])
        at = next;
    return at;
}

/* Keeps the first name of those that count together. */
static void keep_example(const struct report *report, const struct tally_entry *entry, bool fresh,
                         struct report_span name)
{
    struct report_example example;

    memcpy(&example, tally_value(&report->look_alikes, entry), sizeof example);
    if (!fresh && (example.several ||
                   (name.len == example.len && memcmp(name.at, example.octets, name.len) == 0)))
        return;
    example.several = !fresh;
    if (fresh) {
        example.len = (uint8_t)name.len;
        memcpy(example.octets, name.at, name.len);
    }
    memcpy(tally_value(&report->look_alikes, entry), &example, sizeof example);
}

/* The look-alike is the qname, or an alias in the answer. The owner of a domain can make any number
 * of names below it, so the domain counts as one. */
static void count_look_alike(struct report *report, const struct reply *reply)
{
    const struct report_line *line = reply->line;
    struct report_span name = {(const char *)reply->wire, reply->wire_len};
    uint8_t target[XN_WIRE_NAME_MAX];
    struct key key;
    bool idn, fresh;

    key.len = 0;
    if (line->target.at)
        name =
            (struct report_span){(const char *)target,
                                 report_name_read(line->target.at, line->target.len, target, &idn)};
    report->lookalike++;
    if (name.len == 0)
        return;
    size_t at = registrable_at((const uint8_t *)name.at, name.len);
    add_part(&key, (struct report_span){name.at + at, name.len - at});
    add_part(&key, line->match);
    add_part(&key, line->key);
    add_part(&key, line->action);
    add_part(&key, reply->mode);
    struct tally_entry *entry = tally_find(&report->look_alikes, key.octets, key.len, &fresh);
    entry->counts[COUNT_ALL]++;
    keep_example(report, entry, fresh, name);
    if (!line->client.at || !report->with_clients)
        return;
    add_part(&key, line->client);
    tally_find(&report->askers, key.octets, key.len, NULL)->counts[COUNT_ALL]++;
}

/* Counts a name whose answer a rule changed, or would have changed. */
static void count_blocked(struct report *report, const struct reply *reply)
{
    struct key key;

    key.len = 0;
    if (!report_changes_answer(reply->line->action, text_span("")) || reply->wire_len == 0)
        return;
    add_part(&key, (struct report_span){(const char *)reply->wire, reply->wire_len});
    add_part(&key, reply->line->rule);
    add_part(&key, reply->line->action);
    add_part(&key, reply->mode);
    tally_find(&report->blocked, key.octets, key.len, NULL)->counts[COUNT_ALL]++;
}

/* Counts each tag of a reply. */
static void count_tags(struct report *report, const struct reply *reply)
{
    const char *at = reply->line->tags.at, *end = at ? at + reply->line->tags.len : at;

    for (const char *start = at; at; at++) {
        bool ends = at == end || *at == ',';
        if (ends && at > start) {
            struct tally_entry *entry =
                tally_find(&report->tags, (const uint8_t *)start, (size_t)(at - start), NULL);
            count_reply(entry, reply);
        }
        if (at == end)
            return;
        start = ends ? at + 1 : start;
    }
}

static void count_policy(struct report *report, const struct reply *reply)
{
    const struct report_line *line = reply->line;
    struct key key;

    key.len = 0;
    add_part(&key, line->rule);
    add_part(&key, line->action);
    add_part(&key, reply->mode);
    tally_find(&report->rules, key.octets, key.len, NULL)->counts[COUNT_ALL]++;
    add_part(&key, line->match);
    tally_find(&report->matches, key.octets, key.len, NULL)->counts[COUNT_ALL]++;
    report->ruled++;
    report->changed += reply->changed;
    count_tags(report, reply);
    count_blocked(report, reply);
    if (is_look_alike(line->match))
        count_look_alike(report, reply);
}

static void count_client(struct report *report, const struct reply *reply)
{
    struct report_span client = reply->line->client;

    struct tally_entry *entry = tally_find(&report->client_use, client.at, client.len, NULL);
    count_reply(entry, reply);
    entry->counts[COUNT_IDN] += reply->idn;
}

static void count_answer_part(struct report *report, const struct reply *reply, const char *what,
                              struct report_span value)
{
    struct key key;

    if (!value.at)
        return;
    key.len = 0;
    add_part(&key, text_span(what));
    add_part(&key, value);
    struct tally_entry *entry = tally_find(&report->answers, key.octets, key.len, NULL);
    count_reply(entry, reply);
}

/* Counts what was sent, apart from its records. */
static void count_answer(struct report *report, const struct reply *reply)
{
    count_answer_part(report, reply, "response code", reply->line->rcode);
    count_answer_part(report, reply, "validation", reply->line->security);
    count_answer_part(report, reply, "extended error", reply->line->ede);
}

static void count_time(struct report *report, const struct reply *reply)
{
    const uint64_t add[TIMELINE_SERIES] = {1, reply->idn, reply->changed};

    if (reply->line->time == REPORT_NO_TIME)
        report->untimed++;
    else
        timeline_add(&report->timeline, zone_wall(&report->zone, reply->line->time), add);
}

/* Why the rule changed nothing; "": it did. */
static const char *mode_of(const struct report_line *line)
{
    if (report_is_word(line->mode, "log-only"))
        return "log-only";
    return report_is_word(line->mode, "observed") ? "observed" : "";
}

bool report_count(struct report *report, struct report_line *line)
{
    struct reply reply = {.line = line};

    if (line->name.at)
        reply.wire_len = report_name_read(line->name.at, line->name.len, reply.wire, &reply.idn);
    if (line->name.at && reply.wire_len == 0)
        return false;
    report->logged_rules += line->action.at != NULL;
    if (report->given)
        report_rules_decide(report->given, reply.wire, reply.wire_len, line);
    reply.mode = text_span(mode_of(line));
    reply.changed = line->action.at && report_changes_answer(line->action, reply.mode);
    report->replies++;
    report->by_unbound += line->by_unbound;
    if (reply.wire_len > 0)
        count_name(report, &reply);
    if (line->action.at)
        count_policy(report, &reply);
    if (line->client.at && report->with_clients)
        count_client(report, &reply);
    count_answer(report, &reply);
    count_time(report, &reply);
    return true;
}
