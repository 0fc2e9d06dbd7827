/* SPDX-License-Identifier: BSD-3-Clause */
/* What a log line says of the rule that matched, in both formats. */
#include "tests/unit/vectors.h"

#include "tests/unit/exact.h"
#include "tests/unit/jsonline.h"
#include "tests/unit/wirenames.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define COLUMNS "192.0.2.7 www.example. A IN NXDOMAIN 0.000031 0 -"
#define KAZINO "\xD0\xBA\xD0\xB0\xD0\xB7\xD0\xB8\xD0\xBD\xD0\xBE"

static struct xn_unicode *unicode;

/* A reply and the line it gets. */
struct scene {
    struct sockaddr_storage client;
    uint8_t qname[XN_WIRE_NAME_MAX];
    struct xn_name name, matched;
    struct xnm_match match;
    struct xnm_reply reply;
    struct xnm_config config;
    char *line;
};

static void set_question(struct scene *scene, const char *qname, size_t qname_len)
{
    scene->client = client_of("192.0.2.7");
    memcpy(scene->qname, qname, qname_len);
    assert_int_equal(xn_name_read(unicode, scene->qname, qname_len, 0, &scene->name), XN_OK);
    scene->reply = (struct xnm_reply){.client = &scene->client,
                                      .qname = scene->qname,
                                      .qname_len = qname_len,
                                      .type_name = "A",
                                      .class_name = "IN",
                                      .rcode = 3,
                                      .rcode_name = "NXDOMAIN",
                                      .elapsed_us = 31,
                                      .match = &scene->match,
                                      .match_name = &scene->matched};
}

static void set_match(struct scene *scene, const uint8_t *wire, size_t len)
{
    scene->match.name.len = (uint8_t)len;
    memcpy(scene->match.name.octets, wire, len);
    assert_int_equal(xn_name_read(unicode, scene->match.name.octets, len, 0, &scene->matched),
                     XN_OK);
}

static struct scene *new_scene(const char *name)
{
    struct scene *scene = calloc(1, sizeof *scene);
    uint8_t wire[XN_WIRE_NAME_MAX];
    size_t len = wire_of("www.example", wire);

    set_question(scene, (const char *)wire, len);
    set_match(scene, wire, wire_of(name, wire));
    scene->match.action = XNM_NXDOMAIN;
    scene->match.trigger = XNM_TRIGGER_ZONE;
    scene->match.line = 12;
    strcpy(scene->match.file, "/etc/unbound/idn-policy.conf");
    return scene;
}

static void free_scene(struct scene *scene)
{
    free(scene->line);
    free(scene);
}

static const char *text_of(struct scene *scene)
{
    char *dst = malloc(XNM_LOGLINE_TEXT_MAX);
    size_t len = xnm_logline_text(&scene->config, &scene->reply, &scene->name, false, dst);

    assert_true(len <= XNM_LOGLINE_TEXT_MAX);
    scene->line = strndup(dst, len);
    free(dst);
    check_characters(scene->line, (int32_t)len, false);
    return scene->line;
}

static json_t *json_of(struct scene *scene, size_t limit)
{
    char *dst = malloc(XNM_LOGLINE_JSON_MAX);
    size_t len = xnm_logline_json(&scene->config, &scene->reply, &scene->name, limit, dst);
    json_error_t error;

    assert_true(len <= limit);
    for (size_t i = 0; i < len; i++)
        assert_in_range(dst[i], 0x20, 0x7E);
    json_t *object = json_loadb(dst, len, JSON_REJECT_DUPLICATES, &error);
    if (!object)
        fail_msg("%s: %.*s", error.text, (int)len, dst);
    check_object(object, json_keys, COUNT(json_keys));
    free(dst);
    return object;
}

/* --- the fields --- */

static struct row {
    const char *title, *name, *file, *tags;
    xnm_action action;
    xnm_trigger trigger;
    bool log_only, wildcard, ascii, denied;
    const char *fields, *match, *rule;
} rows[] = {
    {"a zone", "example", "/etc/unbound/idn-policy.conf", "", XNM_NXDOMAIN, XNM_TRIGGER_ZONE, false,
     false, false, true, " policy=nxdomain rule=idn-policy.conf:12 match=\"zone example\"",
     "zone example", "idn-policy.conf:12"},
    {"a wildcard", "example", "p", "", XNM_NODATA, XNM_TRIGGER_NAME, false, true, false, true,
     " policy=nodata rule=p:12 match=\"name *.example\"", "name *.example", "p:12"},
    {"a name in Unicode", "xn--80aodfsg.example", "p", "", XNM_REFUSE, XNM_TRIGGER_NAMES, false,
     false, false, true, " policy=refuse rule=p:12 match=\"names " KAZINO ".example\"",
     "names " KAZINO ".example", "p:12"},
    {"the same with log-name: ascii", "xn--80aodfsg.example", "p", "", XNM_DROP, XNM_TRIGGER_ZONES,
     false, false, true, true, " policy=drop rule=p:12 match=\"zones xn--80aodfsg.example\"",
     "zones xn--80aodfsg.example", "p:12"},
    {"a restricted name is escaped", "xn--pypal-4ve.com", "p", "", XNM_REDIRECT, XNM_TRIGGER_RPZ,
     false, false, false, false, " policy=redirect rule=p:12 match=\"rpz p\\u{430}ypal.com\"",
     "rpz p\\u{430}ypal.com", "p:12"},
    {"the root", "", "p", "", XNM_CNAME, XNM_TRIGGER_ZONE, false, false, false, false,
     " policy=cname rule=p:12 match=\"zone .\"", "zone .", "p:12"},
    {"all below the root", "", "p", "", XNM_NXDOMAIN, XNM_TRIGGER_NAME, false, true, false, true,
     " policy=nxdomain rule=p:12 match=\"name *.\"", "name *.", "p:12"},
    {"tags", "example", "p", "watch,list-2", XNM_LOG, XNM_TRIGGER_ZONE, false, false, false, false,
     " policy=log rule=p:12 match=\"zone example\" tags=watch,list-2", "zone example", "p:12"},
    {"log-only is no denial", "example", "p", "", XNM_NXDOMAIN, XNM_TRIGGER_ZONE, true, false,
     false, false, " policy=nxdomain rule=p:12 match=\"zone example\" mode=log-only",
     "zone example", "p:12"},
    {"passthru", "example", "p", "", XNM_PASSTHRU, XNM_TRIGGER_NAME, false, false, false, false,
     " policy=passthru rule=p:12 match=\"name example\"", "name example", "p:12"},
    {"tcp-only", "example", "p", "", XNM_TCP_ONLY, XNM_TRIGGER_NAME, false, false, false, false,
     " policy=tcp-only rule=p:12 match=\"name example\"", "name example", "p:12"},
    {"answer", "example", "p", "", XNM_ANSWER, XNM_TRIGGER_NAME, false, false, false, false,
     " policy=answer rule=p:12 match=\"name example\"", "name example", "p:12"},
    {"a blank in the file's name", "example", "/x/my rules", "", XNM_NXDOMAIN, XNM_TRIGGER_ZONE,
     false, false, false, true, " policy=nxdomain rule=\"my rules:12\" match=\"zone example\"",
     "zone example", "my rules:12"},
    {"a hostile file's name", "example", "a\"b\\\n\xE2\x80\xAE\xFF", "", XNM_NXDOMAIN,
     XNM_TRIGGER_ZONE, false, false, false, true,
     " policy=nxdomain rule=\"a\\\"b\\\\\\u{A}\\u{202E}\\u{FFFD}:12\" match=\"zone example\"",
     "zone example", NULL},
};

static struct scene *scene_of(const struct row *row)
{
    struct scene *scene = new_scene(row->name);

    scene->match.action = row->action;
    scene->match.trigger = row->trigger;
    scene->match.log_only = row->log_only;
    scene->match.wildcard = row->wildcard;
    scene->config.log_name = row->ascii ? XNM_LOG_NAME_ASCII : XNM_LOG_NAME_BOTH;
    strcpy(scene->match.file, row->file);
    strcpy(scene->match.tags, row->tags);
    return scene;
}

static void test_text(void **state)
{
    const struct row *row = *state;
    struct scene *scene = scene_of(row);
    const char *line = text_of(scene);

    assert_memory_equal(line, COLUMNS, sizeof COLUMNS - 1);
    assert_string_equal(line + sizeof COLUMNS - 1, row->fields);
    free_scene(scene);
}

static const char *string_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static void check_tags(const json_t *tags, const char *expected)
{
    char joined[XNM_MATCH_TAGS_MAX] = "";

    for (size_t i = 0; i < json_array_size(tags); i++) {
        strcat(joined, i > 0 ? "," : "");
        strcat(joined, json_string_value(json_array_get(tags, i)));
    }
    assert_string_equal(joined, expected);
    assert_int_equal(tags != NULL, expected[0] != '\0');
}

static void test_json(void **state)
{
    const struct row *row = *state;
    struct scene *scene = scene_of(row);

    if (!row->rule) { /* its controls stand in the JSON, escaped: see test_text for the rest */
        free_scene(scene);
        return;
    }
    json_t *object = json_of(scene, XNM_LOGLINE_JSON_MAX);
    assert_string_equal(string_of(object, "policy.action"), xnm_action_word(row->action));
    assert_string_equal(string_of(object, "policy.match"), row->match);
    assert_string_equal(string_of(object, "policy.rule"), row->rule);
    assert_string_equal(string_of(object, "policy.file"), row->file);
    assert_int_equal(json_integer_value(json_object_get(object, "policy.line")), 12);
    assert_int_equal(json_object_get(object, "policy.mode") != NULL, row->log_only);
    assert_int_equal(json_array_size(json_object_get(object, "event.type")), row->denied ? 2 : 1);
    check_tags(json_object_get(object, "tags"), row->tags);
    json_decref(object);
    free_scene(scene);
}

static void test_drop(void **state)
{
    struct scene *scene = new_scene("example");

    (void)state;
    scene->match.action = XNM_DROP;
    scene->reply.rcode = XNM_NO_RCODE;
    assert_memory_equal(text_of(scene), "192.0.2.7 www.example. A IN - 0.000031 0 - policy=drop ",
                        55);
    json_t *object = json_of(scene, XNM_LOGLINE_JSON_MAX);
    assert_null(json_object_get(object, "dns.response_code"));
    json_decref(object);
    free_scene(scene);
}

static void test_no_rule(void **state)
{
    struct scene *scene = new_scene("example");

    (void)state;
    scene->reply.match = NULL;
    scene->reply.match_name = NULL;
    assert_string_equal(text_of(scene), COLUMNS);
    json_t *object = json_of(scene, XNM_LOGLINE_JSON_MAX);
    assert_null(json_object_get(object, "policy.action"));
    json_decref(object);
    free_scene(scene);
}

/* --- the longest --- */

static struct longest longest[] = {
    {"odd octets", ESCAPED, 63, NULL},
    {"restricted labels", 0x430, 63, NULL},
    {"emoji", 0x1F600, 63, NULL},
    {"labels of one letter", AS_IT_IS, 1, "a"},
    {"a good label", 0xFC, 63, NULL},
    {"invalid labels", AS_IT_IS, 7, "xn--a-z"},
    {"many scripts", EACH_SCRIPT, 63, NULL},
};

static struct scene *longest_scene(const struct longest *row)
{
    struct scene *scene = new_scene("example");
    uint8_t wire[XN_WIRE_NAME_MAX];
    size_t len = put_longest(row, wire);

    set_question(scene, (const char *)wire, len);
    set_match(scene, wire, len);
    scene->match.log_only = true;
    scene->match.wildcard = true;
    scene->match.trigger = XNM_TRIGGER_NAMES;
    scene->match.action = XNM_TCP_ONLY;
    scene->match.line = UINT32_MAX;
    memset(scene->match.file, '\x01', sizeof scene->match.file - 1);
    for (size_t i = 0; i < sizeof scene->match.tags - 1; i++)
        scene->match.tags[i] = i % 2 ? ',' : 'a';
    scene->match.tags[sizeof scene->match.tags - 2] = 'a';
    return scene;
}

/* All but match= is there, and match= whole or not at all. */
static void test_longest_text(void **state)
{
    struct scene *scene = longest_scene(*state);
    const char *line = text_of(scene);
    const char *match = strstr(line, " match=\""), *rest = strstr(line, " tags=");

    assert_non_null(strstr(line, " policy=tcp-only rule=\"\\u{1}\\u{1}"));
    assert_non_null(rest);
    assert_string_equal(line + strlen(line) - 14, " mode=log-only");
    if (match) {
        assert_memory_equal(match + 8, "names *.", 8);
        assert_true(match < rest);
        assert_int_equal(rest[-1], '"');
    }
    free_scene(scene);
}

static void test_longest_json(void **state)
{
    static const size_t limits[] = {XNM_LOGLINE_SHORT_MAX, 4095, 10239, XNM_LOGLINE_JSON_MAX};

    for (size_t i = 0; i < COUNT(limits); i++) {
        struct scene *scene = longest_scene(*state);
        scene->match.file[100] = '\0';
        for (size_t at = 0; at < 100; at++)
            scene->match.file[at] = 'f';
        json_t *object = json_of(scene, limits[i]);
        assert_string_equal(string_of(object, "policy.action"), "tcp-only");
        assert_int_equal(json_integer_value(json_object_get(object, "policy.line")), UINT32_MAX);
        if (limits[i] == XNM_LOGLINE_JSON_MAX)
            assert_non_null(string_of(object, "policy.match"));
        json_decref(object);
        free_scene(scene);
    }
}

int main(void)
{
    struct test_group group = {0};

    if (xn_unicode_open(&unicode) != XN_OK)
        return 1;
    for (size_t i = 0; i < COUNT(rows); i++) {
        add_test(&group, rows[i].title, test_text, &rows[i]);
        add_test(&group, rows[i].title, test_json, &rows[i]);
    }
    add_test(&group, "a drop has no rcode", test_drop, NULL);
    add_test(&group, "no rule, no field", test_no_rule, NULL);
    for (size_t i = 0; i < COUNT(longest); i++) {
        add_test(&group, longest[i].name, test_longest_text, &longest[i]);
        add_test(&group, longest[i].name, test_longest_json, &longest[i]);
    }
    int failed = run_group("logpolicy", &group);
    xn_unicode_close(unicode);
    free(group.tests);
    return failed;
}
