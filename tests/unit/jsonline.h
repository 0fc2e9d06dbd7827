/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON lines, which jansson reads. */
#ifndef XN_TESTS_UNIT_JSONLINE_H
#define XN_TESTS_UNIT_JSONLINE_H

#include <stdlib.h>

#include <jansson.h>

#include "module/log/logline.h"
#include "tests/unit/logline_grammar.h"

/* Checks the strings in a value, at any depth. */
static inline void check_value(const json_t *value)
{
    const char *key;
    size_t i;
    json_t *item;

    if (json_is_string(value)) {
        assert_true(json_string_length(value) > 0);
        check_characters(json_string_value(value), (int32_t)json_string_length(value));
    }
    json_array_foreach(value, i, item) check_value(item);
    json_object_foreach((json_t *)(uintptr_t)value, key, item) check_value(item);
}

/* One object on one line of printable ASCII, no key twice, no text empty or with a character that a
 * text line may not have. Which keys there are is checked in lines of daemons
 * (tests/unbound/jsonline.py). The caller frees the result with json_decref. */
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
    assert_true(json_is_object(object));
    check_value(object);
    return object;
}

/* --- lines --- */

/* A line with a NUL behind it, in memory of its own, and the object in the line. */
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

/* A line that is made of a known name is the same, also if what is known does not fit. */
static inline void expect_same_line(const struct xnm_config *config, const struct xnm_reply *reply,
                                    const struct xn_name *name, size_t limit,
                                    const struct line *line, char *dst)
{
    struct xnm_namecache_entry known = {0};

    xnm_logline_json(config, reply, name, &known, XNM_LOGLINE_JSON_MAX, dst);
    assert_int_equal(
        xnm_logline_json(config, reply, known.has_text ? NULL : name, &known, limit, dst),
        line->len);
    assert_memory_equal(dst, line->text, line->len);
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
