/* SPDX-License-Identifier: BSD-3-Clause */
/* The keys and types of a JSON line as the tests know them from the Elastic Common Schema, written
 * independently of the code that writes lines. */
#ifndef XN_TESTS_UNIT_JSONLINE_H
#define XN_TESTS_UNIT_JSONLINE_H

#include <stdlib.h>

#include <jansson.h>

#include "module/log/line.h"
#include "tests/unit/logline_grammar.h"

/* `kind`: string, number, boolean or array of strings; labels: that of idn.labels. */
struct json_key {
    const char *key;
    enum { STRING, NUMBER, BOOLEAN, STRINGS, LABELS } kind;
    bool always;
};

static const struct json_key json_keys[] = {
    {"@timestamp", STRING, true},
    {"ecs.version", STRING, true},
    {"event.kind", STRING, true},
    {"event.category", STRINGS, true},
    {"event.type", STRINGS, true},
    {"event.dataset", STRING, true},
    {"event.duration", NUMBER, false},
    {"client.ip", STRING, false},
    {"client.port", NUMBER, false},
    {"network.transport", STRING, true},
    {"network.protocol", STRING, true},
    {"unbound.transport", STRING, true},
    {"unbound.cached", BOOLEAN, false},
    {"dns.type", STRING, true},
    {"dns.id", STRING, true},
    {"dns.question.name", STRING, true},
    {"dns.question.type", STRING, true},
    {"dns.question.class", STRING, true},
    {"dns.response_code", STRING, false},
    {"dns.question.name_unicode", STRING, false},
    {"idn.status", STRING, false},
    {"idn.scripts", STRINGS, false},
    {"idn.labels", LABELS, false},
    {"tags", STRINGS, false},
    {"policy.action", STRING, false},
    {"policy.match", STRING, false},
    {"policy.rule", STRING, false},
    {"policy.file", STRING, false},
    {"policy.line", NUMBER, false},
    {"policy.mode", STRING, false},
    {"policy.key", STRING, false},
    {"policy.label", NUMBER, false},
    {"policy.target", STRING, false},
    {"policy.group", STRING, false},
    {"idn.lookalike", STRING, false},
};

/* The keys of the objects in idn.labels. */
static const struct json_key json_label_keys[] = {
    {"index", NUMBER, true},  {"a", STRING, true},       {"u", STRING, false},
    {"status", STRING, true}, {"reason", STRINGS, true},
};

static inline void check_object(const json_t *object, const struct json_key *keys, size_t count);

static inline void check_string(const json_t *value)
{
    assert_true(json_is_string(value));
    assert_true(json_string_length(value) > 0);
    check_characters(json_string_value(value), (int32_t)json_string_length(value), false);
}

static inline void check_value(const json_t *value, const struct json_key *key)
{
    size_t i;
    json_t *item;

    switch (key->kind) {
    case STRING:
        check_string(value);
        break;
    case NUMBER:
        if (!json_is_number(value) || json_number_value(value) < 0)
            fail_msg("%s is no number", key->key);
        break;
    case BOOLEAN:
        assert_true(json_is_boolean(value));
        break;
    case STRINGS:
    case LABELS:
        assert_true(json_is_array(value));
        json_array_foreach(value, i, item)
        {
            if (key->kind == STRINGS)
                check_string(item);
            else
                check_object(item, json_label_keys,
                             sizeof json_label_keys / sizeof *json_label_keys);
        }
        break;
    }
}

static inline void check_object(const json_t *object, const struct json_key *keys, size_t count)
{
    size_t found = 0;

    assert_true(json_is_object(object));
    for (size_t i = 0; i < count; i++) {
        const json_t *value = json_object_get(object, keys[i].key);
        if (value) {
            check_value(value, &keys[i]);
            found++;
        } else if (keys[i].always) {
            fail_msg("no %s", keys[i].key);
        }
    }
    if (found != json_object_size(object))
        fail_msg("%zu keys, of which %zu are known", json_object_size(object), found);
}

/* One object on one line of printable ASCII, no key twice, every key with its type. The caller
 * frees the result with json_decref. */
static inline json_t *check_json(const char *line, size_t len)
{
    json_error_t error;

    for (size_t i = 0; i < len; i++)
        if (line[i] < 0x20 || line[i] > 0x7E)
            fail_msg("octet 0x%02X in: %.*s", (unsigned char)line[i], (int)len, line);
    json_t *object =
        json_loadb(line, len, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &error);
    if (!object)
        fail_msg("%s: %.*s", error.text, (int)len, line);
    check_object(object, json_keys, sizeof json_keys / sizeof *json_keys);
    return object;
}

/* --- lines --- */

/* A line with a NUL behind it, in memory of its own; and what stands in it. */
struct line {
    char *text;
    size_t len;
    json_t *object;
};

static inline void free_line(struct line *line)
{
    json_decref(line->object);
    free(line->text);
}

/* A line that is made of a known name is the same, unless there is no room for what is known. */
static inline void expect_same_line(const struct xnm_config *config, const struct xnm_reply *reply,
                                    const struct xn_name *name, size_t limit,
                                    const struct line *line, char *dst)
{
    struct xnm_known_name known = {0};

    assert_int_equal(xnm_logline_json(config, reply, name, &known, limit, dst), line->len);
    assert_memory_equal(dst, line->text, line->len);
    size_t len = xnm_logline_json(config, reply, known.has_text ? NULL : name, &known, limit, dst);
    if (len == 0) {
        assert_true(known.has_text && line->len + known.column_len >= limit);
        return;
    }
    assert_int_equal(len, line->len);
    assert_memory_equal(dst, line->text, len);
}

/* Within the limit, in a buffer of the size asked for. */
static inline struct line line_of(const struct xnm_config *config, const struct xnm_reply *reply,
                                  const struct xn_name *name, size_t limit)
{
    char *dst = malloc(XNM_LOGLINE_JSON_MAX);
    struct line line = {.len = xnm_logline_json(config, reply, name, NULL, limit, dst)};

    assert_true(line.len <= XNM_LOGLINE_JSON_MAX);
    if (limit >= XNM_LOGLINE_SHORT_MAX)
        assert_true(line.len <= limit);
    line.text = strndup(dst, line.len);
    if (name->ace_count > 0)
        expect_same_line(config, reply, name, limit, &line, dst);
    free(dst);
    line.object = check_json(line.text, line.len);
    return line;
}

#endif
