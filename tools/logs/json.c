/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a log line in JSON, with flat keys of the Elastic Common Schema. */
#include "tools/logs/line.h"

#include "module/base/format.h"

#include <jansson.h>
#include <string.h>

/* The members whose values are kept as they are. */
static const struct {
    const char *key;
    size_t at;
} members[] = {
    {"client.ip", offsetof(struct report_line, client)},
    {"dns.question.name", offsetof(struct report_line, name)},
    {"dns.question.type", offsetof(struct report_line, type)},
    {"dns.question.class", offsetof(struct report_line, class)},
    {"dns.response_code", offsetof(struct report_line, rcode)},
    {"policy.action", offsetof(struct report_line, action)},
    {"policy.rule", offsetof(struct report_line, rule)},
    {"policy.match", offsetof(struct report_line, match)},
    {"policy.key", offsetof(struct report_line, key)},
    {"policy.target", offsetof(struct report_line, target)},
    {"policy.mode", offsetof(struct report_line, mode)},
    {"unbound.security", offsetof(struct report_line, security)},
};

/* Copies a string into line->text, where there is room: decoded text is never longer than in the
 * line. Returns no value if it is no string. */
static struct report_span copy(struct report_line *line, const json_t *string)
{
    struct report_span span = {NULL, 0};

    if (!json_is_string(string))
        return span;
    span = (struct report_span){line->text + line->text_len, json_string_length(string)};
    memcpy(line->text + line->text_len, json_string_value(string), span.len);
    line->text_len += span.len;
    return span;
}

/* Copies the tags of a reply, with commas between them. */
static void take_tags(struct report_line *line, const json_t *tags)
{
    char *start = line->text + line->text_len;
    const json_t *tag;
    size_t i;

    json_array_foreach(tags, i, tag)
    {
        if (i > 0)
            line->text[line->text_len++] = ',';
        copy(line, tag);
    }
    if (json_is_array(tags))
        line->tags = (struct report_span){start, (size_t)(line->text + line->text_len - start)};
}

/* Writes the info code of an extended error as text does. Its digits are no more than in the line.
 */
static void take_ede(struct report_line *line, const json_t *code)
{
    char *start = line->text + line->text_len;

    if (!json_is_integer(code) || json_integer_value(code) < 0 ||
        json_integer_value(code) > UINT16_MAX)
        return;
    char *end = xnm_format_number(start, (uint64_t)json_integer_value(code));
    line->ede = (struct report_span){start, (size_t)(end - start)};
    line->text_len += line->ede.len;
}

static void take_time(struct report_clock *clock, struct report_line *line, const json_t *value)
{
    size_t len = json_string_length(value);
    int64_t time;

    if (len > 0 && report_time_read(clock, json_string_value(value), len, &time) == len)
        line->time = time;
}

static void take_members(struct report_clock *clock, struct report_line *line, const json_t *object)
{
    const json_t *cached = json_object_get(object, "unbound.cached");

    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        struct report_span *field = (struct report_span *)(void *)((char *)line + members[i].at);
        *field = copy(line, json_object_get(object, members[i].key));
    }
    if (!line->client.at) /* a network that a forwarder has named */
        line->client = copy(line, json_object_get(object, "client.address"));
    take_tags(line, json_object_get(object, "tags"));
    take_ede(line, json_object_get(object, "dns.ede.info_code"));
    take_time(clock, line, json_object_get(object, "@timestamp"));
    if (json_is_boolean(cached))
        line->cached = json_is_true(cached) ? '1' : '0';
}

/* Checks values: an object with a name but no type, or with a malformed address, is not from our
 * log. */
static bool is_reply(const struct report_line *line)
{
    return line->name.at && line->name.len > 0 && report_is_mnemonic(line->type) &&
           (!line->class.at || report_is_mnemonic(line->class)) &&
           (!line->rcode.at || report_is_mnemonic(line->rcode)) &&
           (!line->client.at || report_is_address(line->client));
}

bool report_json_read(struct report_clock *clock, const char *text, size_t len,
                      struct report_line *line)
{
    json_t *object = json_loadb(text, len, JSON_ALLOW_NUL, NULL);

    if (!object)
        return false;
    take_members(clock, line, object);
    json_decref(object);
    return is_reply(line);
}
