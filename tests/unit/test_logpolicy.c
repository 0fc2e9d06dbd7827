/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests what a log line says about the rule that matched, in both formats. */
#include "tests/unit/vectors.h"

#include "tests/unit/exact.h"
#include "tests/unit/jsonline.h"
#include "tests/unit/wirenames.h"

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
    size_t len = xnm_logline_text(&scene->config, &scene->reply, &scene->name, NULL, false, dst);

    assert_true(len <= XNM_LOGLINE_TEXT_MAX);
    scene->line = strndup(dst, len);
    free(dst);
    check_characters(scene->line, (int32_t)len);
    return scene->line;
}

static json_t *json_of(struct scene *scene, size_t limit)
{
    char *dst = malloc(XNM_LOGLINE_JSON_MAX);
    size_t len = xnm_logline_json(&scene->config, &scene->reply, &scene->name, NULL, limit, dst);
    json_error_t error;

    assert_true(len <= limit);
    for (size_t i = 0; i < len; i++)
        assert_in_range(dst[i], 0x20, 0x7E);
    json_t *object = json_loadb(dst, len, JSON_REJECT_DUPLICATES, &error);
    if (!object)
        fail_msg("%s: %.*s", error.text, (int)len, dst);
    check_value(object);
    free(dst);
    return object;
}

#define COLUMNS "192.0.2.7 www.example. A IN NXDOMAIN 0.000031 0 -"
#define KAZINO "\xD0\xBA\xD0\xB0\xD0\xB7\xD0\xB8\xD0\xBD\xD0\xBE"

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

static const char *string_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static void check_member(const json_t *object, const char *key, const char *expected)
{
    const char *found = string_of(object, key);

    assert_int_equal(found != NULL, expected != NULL);
    if (expected)
        assert_string_equal(found, expected);
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

/* The same reply, as another program's answer: "observed" is in the place of "log-only". */
static void check_observed(struct scene *scene, bool log_only)
{
    free(scene->line);
    scene->reply.observed = true;
    const char *mode = strstr(text_of(scene), " mode=");
    assert_string_equal(mode ? mode : "", log_only ? " mode=observed" : "");
    json_t *object = json_of(scene, XNM_LOGLINE_JSON_MAX);
    check_member(object, "policy.mode", log_only ? "observed" : NULL);
    json_decref(object);
}

TEST_ROWS(writes_rules, rows, title)
{
    const struct row *row = *state;
    struct scene *scene = scene_of(row);
    const char *line = text_of(scene);

    assert_memory_equal(line, COLUMNS, sizeof COLUMNS - 1);
    assert_string_equal(line + sizeof COLUMNS - 1, row->fields);
    if (row->rule) { /* else its controls are escaped in the JSON */
        json_t *object = json_of(scene, XNM_LOGLINE_JSON_MAX);
        check_member(object, "policy.action", xnm_action_word(row->action));
        check_member(object, "policy.match", row->match);
        check_member(object, "policy.rule", row->rule);
        check_member(object, "policy.file", row->file);
        check_member(object, "policy.mode", row->log_only ? "log-only" : NULL);
        assert_int_equal(json_integer_value(json_object_get(object, "policy.line")), 12);
        assert_int_equal(json_array_size(json_object_get(object, "event.type")),
                         row->denied ? 2 : 1);
        check_tags(json_object_get(object, "tags"), row->tags);
        json_decref(object);
        check_observed(scene, row->log_only);
    }
    free_scene(scene);
}

/* --- of look-alikes and conditions --- */

static struct why_row {
    const char *title;
    xnm_trigger trigger;
    const char *name;    /* NULL: there is none */
    const char *subject; /* of a condition */
    xnm_match_kind match_kind;
    unsigned label;
    const char *fields, *match, *lookalike; /* the latter of JSON; NULL: not there */
    int log_name;
} whys[] = {
    {"a look-alike", XNM_TRIGGER_LOOKALIKE, "paypal.com", "", XNM_MATCH_KIND_EXACT, 1,
     " match=\"lookalike paypal.com\" key=exact label=1", "lookalike paypal.com", "paypal.com",
     XNM_LOG_NAME_BOTH},
    {"one of a list, in Unicode", XNM_TRIGGER_LOOKALIKES, "xn--80aodfsg.example", "",
     XNM_MATCH_KIND_STRICT, 127, " match=\"lookalikes " KAZINO ".example\" key=strict label=127",
     "lookalikes " KAZINO ".example", KAZINO ".example", XNM_LOG_NAME_BOTH},
    {"with log-name: ascii", XNM_TRIGGER_LOOKALIKES, "xn--80aodfsg.example", "",
     XNM_MATCH_KIND_STRICT, 2, " match=\"lookalikes xn--80aodfsg.example\" key=strict label=2",
     "lookalikes xn--80aodfsg.example", "xn--80aodfsg.example", XNM_LOG_NAME_ASCII},
    {"a protected name that might mislead", XNM_TRIGGER_LOOKALIKE, "xn--pypal-4ve.com", "",
     XNM_MATCH_KIND_EXACT, 3, " match=\"lookalike p\\u{430}ypal.com\" key=exact label=3",
     "lookalike p\\u{430}ypal.com", "p\\u{430}ypal.com", XNM_LOG_NAME_BOTH},
    {"a look-alike whose name is gone", XNM_TRIGGER_LOOKALIKE, NULL, "", XNM_MATCH_KIND_EXACT, 0,
     "", NULL, NULL, XNM_LOG_NAME_BOTH},
    {"a zone whose name is gone", XNM_TRIGGER_ZONE, NULL, "", XNM_MATCH_KIND_EXACT, 0, "", NULL,
     NULL, XNM_LOG_NAME_BOTH},
    {"a condition whose label is gone", XNM_TRIGGER_SCRIPT, NULL, "in Grek", XNM_MATCH_KIND_EXACT,
     0, "", NULL, NULL, XNM_LOG_NAME_BOTH},
    {"a condition", XNM_TRIGGER_INVALID, NULL, "", XNM_MATCH_KIND_EXACT, 2,
     " match=invalid label=2", "invalid", NULL, XNM_LOG_NAME_BOTH},
    {"a condition with a hyphen", XNM_TRIGGER_MIXED_DIGITS, NULL, "", XNM_MATCH_KIND_EXACT, 1,
     " match=mixed-digits label=1", "mixed-digits", NULL, XNM_LOG_NAME_BOTH},
    {"a condition of two words", XNM_TRIGGER_SCRIPT_LEVEL, NULL, "moderate", XNM_MATCH_KIND_EXACT,
     1, " match=\"script-level moderate\" label=1", "script-level moderate", NULL,
     XNM_LOG_NAME_ASCII},
    {"a condition with a list", XNM_TRIGGER_SCRIPT, NULL, "not-in Latn,Cyrl", XNM_MATCH_KIND_EXACT,
     127, " match=\"script not-in Latn,Cyrl\" label=127", "script not-in Latn,Cyrl", NULL,
     XNM_LOG_NAME_BOTH},
};

static struct scene *why_scene(const struct why_row *row)
{
    struct scene *scene = new_scene(row->name ? row->name : "");

    if (!row->name) {
        scene->match.name.len = 0;
        scene->reply.match_name = NULL;
    }
    scene->match.trigger = row->trigger;
    scene->match.match_kind = row->match_kind;
    scene->match.label = row->label;
    scene->match.log_only = true;
    scene->config.log_name = (uint8_t)row->log_name;
    strcpy(scene->match.subject, row->subject);
    strcpy(scene->match.tags, "a,b");
    strcpy(scene->match.group, "kids");
    return scene;
}

TEST_ROWS(writes_reasons, whys, title)
{
    const struct why_row *row = *state;
    struct scene *scene = why_scene(row);
    char expected[512];

    snprintf(expected, sizeof expected,
             COLUMNS " policy=nxdomain rule=idn-policy.conf:12%s group=kids tags=a,b mode=log-only",
             row->fields);
    assert_string_equal(text_of(scene), expected);
    json_t *object = json_of(scene, XNM_LOGLINE_JSON_MAX);
    const json_t *label = json_object_get(object, "policy.label");
    check_member(object, "policy.match", row->match);
    check_member(object, "policy.key",
                 row->lookalike ? xnm_match_kind_word(row->match_kind) : NULL);
    check_member(object, "policy.group", "kids");
    check_member(object, "idn.lookalike", row->lookalike);
    assert_int_equal(label != NULL, row->label > 0);
    assert_int_equal(json_integer_value(label), row->label);
    json_decref(object);
    free_scene(scene);
}

/* --- of targets --- */

static struct target_row {
    const char *target; /* NULL: it is about the query name */
    const char *text, *json;
    bool ascii;
} targets[] = {
    {NULL, "", NULL, false},
    {"t.example", " target=t.example", "t.example", false},
    {"www.xn--pypal-4ve.com", " target=www.xn--pypal-4ve.com", "www.xn--pypal-4ve.com", false},
    {"www.xn--pypal-4ve.com", " target=www.xn--pypal-4ve.com", "www.xn--pypal-4ve.com", true},
    {"_x.*.example", " target=\"_x.*.example\"", "_x.*.example", false},
    {"a\"b\\c\xFF", " target=\"a\\034b\\092c\\255\"", "a\\034b\\092c\\255", false},
    {"", " target=.", ".", false},
};

static void set_target(struct scene *scene, const char *target)
{
    scene->match.target.len = target ? (uint8_t)wire_of(target, scene->match.target.octets) : 0;
}

TEST_NUMBERED_ROWS(writes_targets, targets)
{
    const struct target_row *row = *state;
    struct scene *scene = new_scene("paypal.com");
    char expected[512];

    set_target(scene, row->target);
    scene->match.trigger = XNM_TRIGGER_LOOKALIKE;
    scene->match.label = 2;
    scene->config.log_name = row->ascii ? XNM_LOG_NAME_ASCII : XNM_LOG_NAME_BOTH;
    strcpy(scene->match.tags, "a,b");
    snprintf(expected, sizeof expected,
             COLUMNS " policy=nxdomain rule=idn-policy.conf:12 match=\"lookalike paypal.com\" "
                     "key=exact label=2%s tags=a,b",
             row->text);
    assert_string_equal(text_of(scene), expected);
    json_t *object = json_of(scene, XNM_LOGLINE_JSON_MAX);
    check_member(object, "policy.target", row->json);
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
    scene->match.target.len = (uint8_t)len;
    memcpy(scene->match.target.octets, wire, len);
    scene->match.log_only = true;
    scene->match.wildcard = true;
    scene->match.trigger = XNM_TRIGGER_LOOKALIKES;
    scene->match.match_kind = XNM_MATCH_KIND_STRICT;
    scene->match.label = XN_WIRE_LABELS_MAX;
    scene->match.action = XNM_TCP_ONLY;
    scene->match.line = UINT32_MAX;
    memset(scene->match.file, '\x01', sizeof scene->match.file - 1);
    for (size_t i = 0; i < sizeof scene->match.tags - 1; i++)
        scene->match.tags[i] = i % 2 ? ',' : 'a';
    scene->match.tags[sizeof scene->match.tags - 2] = 'a';
    return scene;
}

/* All but match= and target= is there, and these whole or not at all. */
TEST_ROWS(writes_longest_text, longest, name)
{
    struct scene *scene = longest_scene(*state);
    const char *line = text_of(scene);
    const char *match = strstr(line, " match=\""), *rest = strstr(line, " key=");
    const char *target = strstr(line, " target=");

    assert_non_null(strstr(line, " policy=tcp-only rule=\"\\u{1}\\u{1}"));
    assert_non_null(rest);
    assert_memory_equal(rest, " key=strict label=127 ", 22);
    assert_ptr_equal(target ? target : strstr(line, " tags="), rest + 21);
    assert_non_null(strstr(line, " tags=a,a"));
    assert_string_equal(line + strlen(line) - 14, " mode=log-only");
    if (match) {
        assert_memory_equal(match + 8, "lookalikes *.", 13);
        assert_true(match < rest);
        assert_int_equal(rest[-1], '"');
    }
    free_scene(scene);
}

static size_t text_len_with(struct scene *scene, const char *target)
{
    set_target(scene, target);
    free(scene->line);
    return strlen(text_of(scene));
}

/* It has what room the others may need, to the last octet, and takes none from match=. */
TEST(leaves_room_for_targets, "room for a target")
{
    struct scene *scene = longest_scene(&longest[2]);
    size_t without = text_len_with(scene, NULL), tags_len = strlen(strstr(scene->line, " tags="));
    size_t room =
        XNM_LOGLINE_TEXT_MAX - XNM_LOGLINE_STATUS_MAX - XNM_LOGLINE_TAGS_MAX - (without - tags_len);
    bool has_match = strstr(scene->line, " match=");
    unsigned fitting = 0, tries = 0;

    for (size_t octets = 8; octets <= 250; octets++) {
        for (size_t plain = 0; plain < 4 && octets % 64 != 0; plain++, tries++) {
            size_t dots = octets / 64, escaped = octets - dots - plain;
            size_t needed = strlen(" target=\"\"") + 4 * escaped + plain + dots;
            char target[256] = "";
            for (size_t i = 0; i < octets; i++)
                target[i] = i % 64 == 63 ? '.' : i < plain ? 'a' : '\xFF';
            fitting += needed <= room;
            assert_int_equal(text_len_with(scene, target), without + (needed <= room ? needed : 0));
            assert_int_equal(strstr(scene->line, " match=") != NULL, has_match);
        }
    }
    assert_in_range(fitting, 1, tries - 1); /* else the row reaches no limit any more */
    free_scene(scene);
}

TEST_ROWS(writes_longest_json, longest, name)
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
        assert_string_equal(string_of(object, "policy.key"), "strict");
        assert_int_equal(json_integer_value(json_object_get(object, "policy.label")), 127);
        if (limits[i] == XNM_LOGLINE_JSON_MAX) {
            assert_non_null(string_of(object, "policy.match"));
            assert_non_null(string_of(object, "idn.lookalike"));
            assert_non_null(string_of(object, "policy.target"));
            assert_non_null(string_of(object, "policy.file"));
        }
        json_decref(object);
        free_scene(scene);
    }
}

/* Where the policy's members leave no room for what is known of a name, the line is the same as for
 * an unknown name (expect_same_line). */
TEST(writes_known_names, "no room for what is known")
{
    struct scene *scene = longest_scene(&longest[0]);
    unsigned whole = 0, tries = 0;

    set_question(scene, "\15xn--bcher-kva\7example", sizeof "\15xn--bcher-kva\7example");
    memset(scene->match.file, 'f', sizeof scene->match.file - 1);
    for (size_t limit = XNM_LOGLINE_SHORT_MAX; limit < XNM_LOGLINE_JSON_MAX; limit += 11, tries++) {
        struct line line = line_of(&scene->config, &scene->reply, &scene->name, limit);
        whole += json_object_get(line.object, "idn.labels") != NULL;
        free_line(&line);
    }
    assert_in_range(whole, 1, tries - 1);
    free_scene(scene);
}

TEST_MAIN_WITH_UNICODE(unicode)
