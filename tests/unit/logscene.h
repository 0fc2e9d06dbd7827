/* SPDX-License-Identifier: BSD-3-Clause */
/* A reply to www.example that a rule matched, and its log line in both formats. */
#ifndef XN_TESTS_UNIT_LOGSCENE_H
#define XN_TESTS_UNIT_LOGSCENE_H

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

static inline void set_question(struct scene *scene, const char *qname, size_t qname_len)
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

static inline void set_match(struct scene *scene, const uint8_t *wire, size_t len)
{
    scene->match.name.len = (uint8_t)len;
    memcpy(scene->match.name.octets, wire, len);
    assert_int_equal(xn_name_read(unicode, scene->match.name.octets, len, 0, &scene->matched),
                     XN_OK);
}

static inline struct scene *new_scene(const char *name)
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

static inline void free_scene(struct scene *scene)
{
    free(scene->line);
    free(scene);
}

static inline const char *text_of(struct scene *scene)
{
    char *dst = malloc(XNM_LOGLINE_TEXT_MAX);
    size_t len = xnm_logline_text(&scene->config, &scene->reply, &scene->name, NULL, false, dst);

    assert_true(len <= XNM_LOGLINE_TEXT_MAX);
    scene->line = strndup(dst, len);
    free(dst);
    check_characters(scene->line, (int32_t)len);
    return scene->line;
}

static inline json_t *json_of(struct scene *scene, size_t limit)
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

#endif
