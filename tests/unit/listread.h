/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads lists and keeps, as text, what comes of them and what is said. */
#ifndef XN_TESTS_UNIT_LISTREAD_H
#define XN_TESTS_UNIT_LISTREAD_H

#include "module/base/diagnostics.h"
#include "tests/unit/vectors.h"

#include "core/wire/wire.h"
#include "module/list/list.h"
#include "module/policy/policy.h"
#include "tests/unit/exact.h"

#define OCTETS(literal) literal, sizeof literal - 1

enum { LIST_TEXT_MAX = 1 << 16 };

struct list_result {
    char entries[LIST_TEXT_MAX]; /* a line each, "zone a.example." */
    char reports[LIST_TEXT_MAX]; /* a line each, "E 1:2 message"; "E 0:0" is of the whole file */
    size_t entries_len, reports_len;
    size_t entries_max; /* after these, the sink says stop; 0: never */
    struct xnm_list_counts counts;
    bool good;
};

static struct xn_unicode *list_unicode;

static inline void list_append(char *text, size_t *len, const char *line)
{
    size_t line_len = strlen(line);

    assert_true(*len + line_len + 2 < LIST_TEXT_MAX);
    memcpy(text + *len, line, line_len);
    memcpy(text + *len + line_len, "\n", 2);
    *len += line_len + 1;
}

static inline void list_report(void *arg, xnm_severity severity, const struct xnm_place *place,
                               const char *message)
{
    struct list_result *result = arg;
    char line[2048];

    assert_string_equal(place->file, "list");
    assert_null(strchr(message, '\n'));
    snprintf(line, sizeof line, "%c %u:%u %s", severity == XNM_ERROR ? 'E' : 'W', place->line,
             place->column, message);
    list_append(result->reports, &result->reports_len, line);
}

/* " strength=3 exempts types=~1,28 denied=12": octets of names. */
static inline size_t list_print_modifiers(const struct xnm_modifiers *modifiers, char *line,
                                          size_t line_cap)
{
    size_t len = 0;

    line[0] = '\0';
    if (modifiers->strength > 0)
        len += (size_t)snprintf(line, line_cap, " strength=%u", modifiers->strength);
    len += (size_t)snprintf(line + len, line_cap - len, "%s", modifiers->exempts ? " exempts" : "");
    for (unsigned i = 0; i < modifiers->type_count; i++)
        len += (size_t)snprintf(line + len, line_cap - len, "%s%u",
                                i > 0                  ? ","
                                : modifiers->but_types ? " types=~"
                                                       : " types=",
                                modifiers->types[i]);
    if (modifiers->denied_len > 0)
        len += (size_t)snprintf(line + len, line_cap - len, " denied=%u", modifiers->denied_len);
    return len;
}

/* "nxdomain exact a.example. ttl=60"; of a record "type=1 rdata=c0000201" besides. */
static inline void list_print(const struct xnm_list_entry *entry, char *line, size_t line_cap)
{
    static const char *const scopes[] = {"exact", "zone", "below", "none"};
    static const char *const actions[XNM_ACTION_COUNT] = {
        "", "passthru ", "nxdomain ", "nodata ", "", "drop ", "", "cname ", "answer ", "tcp-only "};
    char name[XN_WIRE_TEXT_MAX + 1];
    size_t len;

    name[xn_wire_to_text(entry->name, name)] = '\0';
    len = (size_t)snprintf(line, line_cap, "%s%s %s", actions[entry->action], scopes[entry->scope],
                           name);
    if (entry->modifiers)
        len += list_print_modifiers(entry->modifiers, line + len, line_cap - len);
    if (entry->min > 0)
        len += (size_t)snprintf(line + len, line_cap - len, " min=%u", entry->min);
    if (entry->action != XNM_ACTION_NONE)
        len += (size_t)snprintf(line + len, line_cap - len, " ttl=%u%s", entry->ttl,
                                entry->prefix ? " prefix" : "");
    if (!entry->record)
        return;
    assert_int_equal(entry->record->ttl, entry->ttl);
    len += (size_t)snprintf(line + len, line_cap - len, " type=%u rdata=", entry->record->type);
    for (size_t i = 0; i < entry->record->rdata_len && len + 3 < line_cap; i++)
        len += (size_t)snprintf(line + len, line_cap - len, "%02x", entry->record->rdata[i]);
}

static inline bool list_sink(void *arg, const struct xnm_list_entry *entry)
{
    struct list_result *result = arg;
    struct xn_wire_cursor cursor;
    char line[4096];

    assert_int_equal(xn_wire_open(&cursor, entry->name, entry->name_len), XN_OK);
    for (size_t i = 0; i < entry->name_len; i++)
        assert_false(entry->name[i] >= 'A' && entry->name[i] <= 'Z');
    assert_true((entry->record != NULL) ==
                (entry->action == XNM_CNAME || entry->action == XNM_ANSWER));
    list_print(entry, line, sizeof line);
    list_append(result->entries, &result->entries_len, line);
    return --result->entries_max != 0;
}

static inline void list_read(struct list_result *result, const struct xnm_rule *rule,
                             const char *text, size_t len, size_t entries_max)
{
    const struct xnm_diagnostics diagnostics = {list_report, result};
    char *exact = exact_copy(text, len);

    memset(result, 0, sizeof *result);
    memset(&result->counts, 0xAA, sizeof result->counts);
    result->entries_max = entries_max;
    const struct xnm_list_options options = {
        .unicode = list_unicode, .diagnostics = &diagnostics, .entry = list_sink, .arg = result};
    result->good = xnm_list_read(&options, rule, "list", exact, len, &result->counts);
    free(exact);
}

/* Counts the lines of a list that the reports are about: one each, or as many as a report says. */
static inline size_t list_reported(const char *reports)
{
    size_t sum = 0;

    for (const char *end; (end = strchr(reports, '\n')); reports = end + 1) {
        const char *all = strstr(reports, " in all, the first");
        size_t count = 1;
        if (all && all < end) {
            while (all[-1] != ' ')
                all--;
            count = strtoul(all, NULL, 10);
        }
        sum += count;
    }
    return sum;
}

/* Entries that are none but only names that there are. */
static inline size_t list_bare(const char *entries)
{
    size_t sum = 0;

    for (; (entries = strstr(entries, "none ")); entries++)
        sum++;
    return sum;
}

/* A pseudo-random number below a limit: the same in each run (xorshift, Marsaglia 2003). */
static inline size_t list_random(uint64_t *state, size_t limit)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (size_t)(*state % limit);
}

#endif
