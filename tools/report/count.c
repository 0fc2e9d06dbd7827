/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts one line of a log for `report`. */
#include "tools/report/report.h"

#include "core/idna/name.h"
#include "module/base/hashset.h"
#include "module/name/suffix.h"
#include "tools/logs/logname.h"

#include <string.h>

/* --- tables --- */

enum { KIB = 1024, MIB = 1024 * KIB };

const struct report_table report_tables[REPORT_TABLES] = {
    [REPORT_LOOK_ALIKES] = {"look_alikes", 32768, 6 * MIB, sizeof(struct report_example),
                            .parts = {".domain", "match", "key", "action", "mode"}},
    [REPORT_ASKERS] = {"look_alike_clients", 32768, 4 * MIB,
                       .parts = {".domain", "match", "key", "action", "mode", "client"}},
    [REPORT_BLOCKED] = {"blocked", 16384, 2 * MIB, .parts = {".name", "rule", "action", "mode"}},
    [REPORT_RULES] = {"rules", 8192, 2 * MIB, .parts = {"rule", "action", "mode"}},
    [REPORT_MATCHES] = {"matches", 32768, 6 * MIB, .parts = {"rule", "action", "mode", "match"}},
    [REPORT_TAGS] = {"tags", 1024, 64 * KIB, .changed = true, .parts = {"tag"}},
    [REPORT_NAMES] = {"names", 32768, 2 * MIB, .changed = true, .parts = {".name"}},
    [REPORT_ANSWERS] = {"answers", 1024, 64 * KIB, .changed = true, .parts = {"what", "value"}},
    [REPORT_IDN_NAMES] = {"idn_names", 65536, 12 * MIB, sizeof(xn_reasons), true, {".name"}},
    [REPORT_CLIENTS] = {"clients", 131072, 4 * MIB, .changed = true, .parts = {"client"}},
};

void report_open(struct report *report, const struct xn_unicode *unicode,
                 struct report_rules *rules, bool with_clients)
{
    uint64_t seed = xnm_hashset_seed(report);

    *report = (struct report){.unicode = unicode, .given = rules, .with_clients = with_clients};
    for (size_t i = 0; i < REPORT_TABLES; i++)
        tally_open(&report->tallies[i], report_tables[i].entries_max, report_tables[i].octets_max,
                   report_tables[i].value_len, seed);
}

void report_close(struct report *report)
{
    report_rules_close(report->given);
    for (size_t i = 0; i < REPORT_TABLES; i++)
        tally_close(&report->tallies[i]);
}

/* --- keys of several parts --- */

enum { PART_MAX = 4096 };

struct key {
    size_t len;
    uint8_t octets[REPORT_PARTS_MAX * (2 + PART_MAX)];
};

/* Adds a part to a key, after its length: a part comes from the log and may hold anything. */
static void add_part(struct key *key, struct logs_span part)
{
    size_t len = part.len < PART_MAX ? part.len : PART_MAX;

    key->octets[key->len++] = (uint8_t)(len >> 8);
    key->octets[key->len++] = (uint8_t)len;
    if (len > 0)
        memcpy(key->octets + key->len, part.at, len);
    key->len += len;
}

void report_parts(const struct report *report, report_table_id id, const struct tally_entry *entry,
                  struct logs_span parts[REPORT_PARTS_MAX])
{
    const char *key = (const char *)tally_key(&report->tallies[id], entry);
    bool has_one = !report_tables[id].parts[1];

    for (size_t i = 0, at = 0; i < REPORT_PARTS_MAX; i++) {
        size_t len = 0;

        if (has_one)
            len = i == 0 ? entry->key_len : 0;
        else if (at < entry->key_len) {
            len = (size_t)(uint8_t)key[at] << 8 | (uint8_t)key[at + 1];
            at += 2;
        }
        parts[i] = (struct logs_span){key + at, len};
        at += len;
    }
}

bool report_changes_answer(struct logs_span action, struct logs_span mode)
{
    return action.len > 0 && mode.len == 0 && !logs_is_word(action, "log") &&
           !logs_is_word(action, "passthru");
}

/* --- a reply --- */

/* A reply, with what several counters need. */
struct reply {
    const struct logs_line *line;
    struct logs_span mode;
    uint8_t wire[XN_WIRE_NAME_MAX];
    size_t wire_len; /* 0: no question */
    bool idn, changed;
};

static bool is_look_alike(struct logs_span match)
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
        return 0; /* impossible for a name that logs_name_read made */
    return name.reasons;
}

static void count_reasons(struct report *report, xn_reasons reasons)
{
    report->by_status[xn_reasons_status(reasons)]++;
    for (xn_reason reason = 0; reasons; reason++, reasons >>= 1)
        report->by_reason[reason] += reasons & 1;
}

/* Counts a reply for a key of a table, whose entry it returns. */
static struct tally_entry *count_in(struct report *report, report_table_id id, const void *key,
                                    size_t len, const struct reply *reply, bool *fresh)
{
    struct tally_entry *entry = tally_find(&report->tallies[id], key, len, fresh);

    entry->counts[COUNT_ALL]++;
    entry->counts[COUNT_IDN] += reply->idn;
    entry->counts[COUNT_CHANGED] += reply->changed;
    return entry;
}

static void count_key(struct report *report, report_table_id id, const struct key *key,
                      const struct reply *reply)
{
    count_in(report, id, key->octets, key->len, reply, NULL);
}

static void count_idn(struct report *report, const struct reply *reply)
{
    xn_reasons reasons;
    bool fresh;
    const struct tally_entry *entry =
        count_in(report, REPORT_IDN_NAMES, reply->wire, reply->wire_len, reply, &fresh);
    void *value = tally_value(&report->tallies[REPORT_IDN_NAMES], entry);

    if (fresh) {
        reasons = find_reasons(report->unicode, reply->wire, reply->wire_len);
        memcpy(value, &reasons, sizeof reasons);
    } else {
        memcpy(&reasons, value, sizeof reasons);
    }
    report->idn++;
    count_reasons(report, reasons);
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
static void keep_example(void *value, bool fresh, struct logs_span name)
{
    struct report_example example;

    memcpy(&example, value, sizeof example);
    if (!fresh && (example.several ||
                   (name.len == example.len && memcmp(name.at, example.octets, name.len) == 0)))
        return;
    example.several = !fresh;
    if (fresh) {
        example.len = (uint8_t)name.len;
        memcpy(example.octets, name.at, name.len);
    }
    memcpy(value, &example, sizeof example);
}

/* The look-alike is the qname, or an alias in the answer. The owner of a domain can make any number
 * of names below it, so they count as one. */
static void count_look_alike(struct report *report, const struct reply *reply)
{
    const struct logs_line *line = reply->line;
    struct logs_span name = {(const char *)reply->wire, reply->wire_len};
    uint8_t target[XN_WIRE_NAME_MAX];
    struct key key;
    bool idn, fresh;

    key.len = 0;
    if (line->target.at)
        name = (struct logs_span){(const char *)target,
                                  logs_name_read(line->target.at, line->target.len, target, &idn)};
    report->lookalike++;
    if (name.len == 0)
        return;
    size_t at = registrable_at((const uint8_t *)name.at, name.len);
    add_part(&key, (struct logs_span){name.at + at, name.len - at});
    add_part(&key, line->match);
    add_part(&key, line->key);
    add_part(&key, line->action);
    add_part(&key, reply->mode);
    const struct tally_entry *entry =
        count_in(report, REPORT_LOOK_ALIKES, key.octets, key.len, reply, &fresh);
    keep_example(tally_value(&report->tallies[REPORT_LOOK_ALIKES], entry), fresh, name);
    if (!line->client.at || !report->with_clients)
        return;
    add_part(&key, line->client);
    count_key(report, REPORT_ASKERS, &key, reply);
}

/* Counts a name whose answer a rule changed, or would have changed. */
static void count_blocked(struct report *report, const struct reply *reply)
{
    struct key key;

    key.len = 0;
    if (!report_changes_answer(reply->line->action, logs_span_of("")) || reply->wire_len == 0)
        return;
    add_part(&key, (struct logs_span){(const char *)reply->wire, reply->wire_len});
    add_part(&key, reply->line->rule);
    add_part(&key, reply->line->action);
    add_part(&key, reply->mode);
    count_key(report, REPORT_BLOCKED, &key, reply);
}

/* Counts each tag of a reply. */
static void count_tags(struct report *report, const struct reply *reply)
{
    const char *at = reply->line->tags.at, *end = at ? at + reply->line->tags.len : at;

    for (const char *start = at; at; at++) {
        bool ends = at == end || *at == ',';
        if (ends && at > start)
            count_in(report, REPORT_TAGS, start, (size_t)(at - start), reply, NULL);
        if (at == end)
            return;
        start = ends ? at + 1 : start;
    }
}

static void count_policy(struct report *report, const struct reply *reply)
{
    const struct logs_line *line = reply->line;
    struct key key;

    key.len = 0;
    add_part(&key, line->rule);
    add_part(&key, line->action);
    add_part(&key, reply->mode);
    count_key(report, REPORT_RULES, &key, reply);
    add_part(&key, line->match);
    count_key(report, REPORT_MATCHES, &key, reply);
    report->ruled++;
    report->changed += reply->changed;
    count_tags(report, reply);
    count_blocked(report, reply);
    if (is_look_alike(line->match))
        count_look_alike(report, reply);
}

/* Counts the parts of the answer, apart from its records. */
static void count_answer(struct report *report, const struct reply *reply)
{
    const struct {
        const char *what;
        struct logs_span value;
    } parts[] = {{"response code", reply->line->rcode},
                 {"validation", reply->line->security},
                 {"extended error", reply->line->ede}};
    struct key key;

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (!parts[i].value.at)
            continue;
        key.len = 0;
        add_part(&key, logs_span_of(parts[i].what));
        add_part(&key, parts[i].value);
        count_key(report, REPORT_ANSWERS, &key, reply);
    }
}

static void count_time(struct report *report, const struct reply *reply)
{
    const uint64_t add[TIMELINE_SERIES] = {1, reply->idn, reply->changed};

    if (reply->line->time == LOGS_NO_TIME)
        report->untimed++;
    else
        timeline_add(&report->timeline, logs_zone_wall(&report->zone, reply->line->time), add);
}

/* Returns why the rule changed nothing, or "" if it did. */
static const char *mode_of(const struct logs_line *line)
{
    if (logs_is_word(line->mode, "log-only"))
        return "log-only";
    return logs_is_word(line->mode, "observed") ? "observed" : "";
}

bool report_count(struct report *report, struct logs_line *line)
{
    struct reply reply = {.line = line};

    if (line->name.at)
        reply.wire_len = logs_name_read(line->name.at, line->name.len, reply.wire, &reply.idn);
    if (line->name.at && reply.wire_len == 0)
        return false;
    if (report->given)
        report_rules_decide(report->given, reply.wire, reply.wire_len, line);
    reply.mode = logs_span_of(mode_of(line));
    reply.changed = line->action.at && report_changes_answer(line->action, reply.mode);
    report->replies++;
    report->by_unbound += line->by_unbound;
    if (reply.wire_len > 0)
        count_in(report, REPORT_NAMES, reply.wire, reply.wire_len, &reply, NULL);
    if (reply.idn)
        count_idn(report, &reply);
    if (line->action.at)
        count_policy(report, &reply);
    if (line->client.at && report->with_clients)
        count_in(report, REPORT_CLIENTS, line->client.at, line->client.len, &reply, NULL);
    count_answer(report, &reply);
    count_time(report, &reply);
    return true;
}
