/* SPDX-License-Identifier: BSD-3-Clause */
/* Log lines: text of the grammar that tests know, JSON that jansson reads, no character that could
 * do harm; and `unbound-idn report` reads the name in them as what was asked. An input is five
 * octets of options and five lines: the name asked for, the name of the rule, the CNAME target, the
 * rule file, and what a condition's words and tags are. Its last octets are the time, and all
 * octets after the options are the RDATA of several records and the text of an extended error, too.
 */
#include "tests/fuzz/names.h"

#include "module/log/loganswers.h"
#include "tests/unit/jsonline.h"
#include "tests/unit/wirenames.h"
#include "tools/logs/line.h"
#include "tools/logs/logname.h"

enum { EMOJI = 1 << XN_EMOJI };

struct scene {
    struct xnm_config config;
    struct sockaddr_storage client;
    struct xnm_reply reply;
    struct xnm_match match;
    uint8_t qname[XN_WIRE_NAME_MAX];
    size_t qname_len;
    struct xn_name name, match_name;
    xn_reasons ignored;
    size_t limit; /* of the JSON line */
    struct answers {
        const uint8_t *octets;
        size_t size;
        uint8_t options[5];
        uint8_t owner[XN_WIRE_NAME_MAX];
        size_t owner_len;
    } answers;
};

/* As many records as the options say, of types that they choose; each has the same octets, from
 * another place on. */
static bool next_answer(struct xnm_answers *walk, struct xnm_answer *answer)
{
    static const uint16_t types[] = {1,  28, 5,  2,  6,  15, 16,  33,   35,
                                     43, 44, 52, 64, 13, 25, 257, 65280};
    const struct answers *answers = walk->source;
    size_t count = answers->options[3] & 0xF;

    if (walk->at == count * count)
        return false;
    size_t at = walk->at * answers->options[2] % (answers->size + 1);
    *answer = (struct xnm_answer){
        .owner = answers->owner,
        .owner_len = answers->owner_len,
        .type = types[(answers->options[1] + walk->at) % COUNT(types)],
        .rclass = (uint16_t)(1 + answers->options[1] % 3),
        .ttl = (uint32_t)walk->at << 24,
        .octets = answers->octets,
        .at = at,
        .end = types[(answers->options[1] + walk->at) % COUNT(types)] == 1 && answers->size - at > 4
                   ? at + 4
                   : answers->size};
    walk->at++;
    return true;
}

static size_t take_name(const uint8_t **data, size_t *size, uint8_t *wire)
{
    const uint8_t *line;
    size_t len = take_line(data, size, &line);

    return name_from(line, len, wire);
}

static void choose_options(struct scene *scene, const uint8_t *options)
{
    static const char *const clients[] = {"192.0.2.7", "2001:db8:1:2fff:a:b:c:7",
                                          "::ffff:192.0.2.7", "none"};

    scene->config.log_name = options[0] & 1;
    scene->config.log_client = (uint8_t)((options[0] >> 2 & 3) % 3);
    scene->config.show_emoji = options[0] >> 5 & 1;
    scene->ignored = scene->config.show_emoji ? EMOJI : 0;
    scene->client = client_of(clients[options[0] >> 6]);
    scene->reply = (struct xnm_reply){.client = &scene->client,
                                      .qtype = options[1],
                                      .qclass = 1,
                                      .type_name = options[1] & 1 ? "A" : NULL,
                                      .class_name = options[1] & 2 ? "IN" : NULL,
                                      .rcode = options[1] % 24 - 1,
                                      .elapsed_us = (uint64_t)options[2] << (options[1] & 31),
                                      .cached = options[2] & 1,
                                      .observed = options[4] >> 6 & 1,
                                      .id = (uint16_t)(options[2] << 4),
                                      .transport = (xnm_transport)(options[2] % 5)};
    if (options[4] >> 7)
        scene->reply.elapsed_us = XNM_NO_TIME;
    scene->match.action = (xnm_action)(1 + options[3] % (XNM_ACTION_COUNT - 1));
    scene->match.trigger = (xnm_trigger)((options[3] >> 4) % XNM_TRIGGER_COUNT);
    scene->match.log_only = options[4] & 1;
    scene->match.wildcard = options[4] >> 1 & 1;
    scene->match.match_kind = (xnm_match_kind)(options[4] >> 2 & 3);
    scene->match.label = 1 + (options[4] >> 3 & 1);
    scene->match.line = 1u << (options[4] & 31);
    scene->limit = (size_t)XNM_LOGLINE_SHORT_MAX + 100u * options[4];
}

/* Up to the year 9999. */
static struct timespec time_of(const uint8_t *data, size_t size)
{
    enum { OCTETS = 9 };
    uint64_t seconds = 0;
    uint32_t fraction = 0;

    for (size_t i = size < OCTETS ? size : OCTETS; i > 4; i--)
        seconds = seconds << 8 | data[size - i];
    for (size_t i = size < 4 ? size : 4; i > 0; i--)
        fraction = fraction << 8 | data[size - i];
    return (struct timespec){.tv_sec = (time_t)(seconds % 253402300800),
                             .tv_nsec = (long)(fraction % 1000000000)};
}

/* Words with commas between them, as rules may have them: no other octet comes so far. */
static void take_words(const uint8_t **data, size_t *size, struct xnm_match *match)
{
    static const char octets[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    const uint8_t *line;
    size_t len = take_line(data, size, &line), out = 0;
    bool comma = false;

    for (size_t i = 0; i < len && out < sizeof match->subject - 2; i++) {
        bool word = memchr(octets, line[i], sizeof octets - 1) != NULL;
        if (word && comma)
            match->subject[out++] = ',';
        if (word)
            match->subject[out++] = (char)line[i];
        comma = out > 0 && (line[i] == ',' || (comma && !word));
    }
    memcpy(match->tags, match->subject, out);
    memset(match->group, 'g', *size % sizeof match->group);
}

/* A path of visible ASCII and of octets that are no UTF-8: the JSON line has others as they are,
 * escaped, and is not to be looked at for what they are (tests/unit/test_logpolicy.c). */
static void take_file(const uint8_t **data, size_t *size, struct xnm_match *match)
{
    const uint8_t *line;
    size_t len = take_line(data, size, &line), out = 0;

    for (size_t i = 0; i < len && out < sizeof match->file - 2; i++)
        if ((line[i] >= 0x20 && line[i] <= 0x7E) || line[i] >= 0xF8)
            match->file[out++] = (char)line[i];
    match->file[out] = 'f'; /* no path is empty or ends with a slash */
}

static void take_scene(const uint8_t *data, size_t size, struct scene *scene)
{
    uint8_t options[5];

    memset(scene, 0, sizeof *scene);
    for (size_t i = 0; i < sizeof options; i++)
        options[i] = take_octet(&data, &size);
    choose_options(scene, options);
    memcpy(scene->answers.options, options, sizeof options);
    scene->answers.octets = data;
    scene->answers.size = size;
    scene->reply.error =
        (struct xnm_reply_error){options[4] & 1, (uint16_t)(options[3] << 4), size, data};
    scene->reply.has_flags = options[0] >> 1 & 1;
    scene->reply.flags = (uint16_t)(options[2] << 8 | options[3]);
    scene->reply.dnssec_ok = options[1] & 1;
    scene->reply.security = (xnm_security)(options[4] % 5);
    scene->reply.next_answer = next_answer;
    scene->reply.answer_source = &scene->answers;
    scene->reply.when = time_of(data, size);
    scene->qname_len = take_name(&data, &size, scene->qname);
    memcpy(scene->answers.owner, scene->qname, scene->qname_len);
    scene->answers.owner_len = scene->qname_len;
    if (size == 0)
        return; /* no rule matched */
    scene->match.name.len = (uint8_t)take_name(&data, &size, scene->match.name.octets);
    scene->match.target.len = (uint8_t)take_name(&data, &size, scene->match.target.octets);
    if (scene->match.target.len == 1)
        scene->match.target.len = 0;
    take_file(&data, &size, &scene->match);
    take_words(&data, &size, &scene->match);
    assert_int_equal(xn_name_read(target_unicode(), scene->match.name.octets, scene->match.name.len,
                                  scene->ignored, &scene->match_name),
                     XN_OK);
    scene->reply.match = &scene->match;
    scene->reply.match_name = &scene->match_name;
}

/* The time equals gmtime's. */
static void expect_time(const struct scene *scene, const char *text)
{
    char want[80];
    struct tm utc;

    assert_non_null(gmtime_r(&scene->reply.when.tv_sec, &utc));
    size_t len = strftime(want, sizeof want, "%Y-%m-%dT%H:%M:%S", &utc);
    sprintf(want + len, ".%06ldZ", scene->reply.when.tv_nsec / 1000);
    expect_octets(text, XNM_FORMAT_TIME_LEN, want, strlen(want));
}

/* A line is wanted for every name, for IDNs, or for names that a rule matches. */
static void expect_wanted(const struct scene *scene)
{
    const bool wanted[] = {[XNM_LOG_NAMES_ALL] = true,
                           [XNM_LOG_NAMES_IDN] = scene->name.ace_count > 0,
                           [XNM_LOG_NAMES_POLICY] = scene->reply.match != NULL};

    for (uint8_t log = XNM_LOG_TEXT; log <= XNM_LOG_NONE; log++)
        for (uint8_t names = XNM_LOG_NAMES_ALL; names <= XNM_LOG_NAMES_POLICY; names++) {
            const struct xnm_config config = {.log = log, .log_names = names};
            assert_int_equal(xnm_logline_wanted(&config, &scene->reply),
                             log != XNM_LOG_NONE && wanted[names]);
        }
}

/* Asserts that the name in a line is the one asked for, and that no other field is in its place. */
static void expect_report(const struct scene *scene, const char *text, size_t len)
{
    static struct logs_line line;
    struct logs_clock clock = {.now = 1795300000};
    uint8_t asked[XN_WIRE_NAME_MAX], wire[XN_WIRE_NAME_MAX];
    bool idn, enforced = !scene->match.log_only;

    assert_true(logs_line_read(&clock, text, len, &line));
    xn_wire_lower(asked, scene->qname, scene->qname_len);
    assert_non_null(line.name.at);
    expect_octets(wire, logs_name_read(line.name.at, line.name.len, wire, &idn), asked,
                  scene->qname_len);
    assert_int_equal(line.action.at != NULL, scene->reply.match != NULL);
    if (!scene->reply.match)
        return;
    assert_true(logs_is_word(line.action, xnm_action_word(scene->match.action)));
    assert_int_equal(line.mode.at == NULL, enforced);
}

/* Behind a line as log.c writes them: the fields are of the grammar, and as many octets as are
 * allowed; the members are JSON. */
static void expect_answers(const struct scene *scene)
{
    static char line[XNM_LOGANSWERS_ROOM + 64];
    static const char columns[] = "- . A IN NOERROR 0.000001 0 -";
    const struct xnm_loganswers_names names = {target_unicode(), scene->ignored};
    struct xnm_config config = scene->config;

    for (uint8_t log = XNM_LOG_ANSWERS_ADDRESSES; log <= XNM_LOG_ANSWERS_ALL; log++) {
        char *end = line + sprintf(line, "%s", columns);
        config.log_answers = log;
        end[xnm_loganswers_text(&config, &names, &scene->reply, XNM_LOGANSWERS_MAX, end)] = '\0';
        assert_in_range(strlen(end), 0,
                        XNM_LOGANSWERS_FIELDS_MAX + sizeof " type65535=\"...+65535\"");
        check_characters(line, (int32_t)strlen(line));
        check_line(line);
        end = line + sprintf(line, "{\"a\":1");
        end += xnm_loganswers_json(&config, &scene->reply, XNM_LOGANSWERS_MAX, end);
        *end++ = '}';
        json_decref(check_json(line, (size_t)(end - line)));
    }
}

static void expect_text(const struct scene *scene)
{
    char *dst = malloc(XNM_LOGLINE_TEXT_MAX), *line;
    size_t len = xnm_logline_text(&scene->config, &scene->reply, &scene->name, NULL, true, dst);

    assert_in_range(len, 1, XNM_LOGLINE_TEXT_MAX);
    line = strndup(dst, len);
    assert_int_equal(strlen(line), len);
    check_characters(line, (int32_t)len);
    expect_time(scene, line);
    check_line(line + XNM_FORMAT_TIME_LEN + 1);
    expect_report(scene, dst, len);
    struct xnm_namecache_entry known = {0};
    for (int time = 0; time < 2; time++) { /* the second time by what the first one kept */
        assert_int_equal(xnm_logline_text(&scene->config, &scene->reply,
                                          known.has_text ? NULL : &scene->name, &known, true, dst),
                         len);
        expect_octets(dst, len, line, len);
    }
    free(line);
    free(dst);
}

static void expect_json(const struct scene *scene)
{
    struct line line = line_of(&scene->config, &scene->reply, &scene->name, scene->limit);

    expect_time(scene, line.text + strlen("{\"@timestamp\":\""));
    expect_report(scene, line.text, line.len);
    free_line(&line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct scene scene;

    take_scene(data, size, &scene);
    uint8_t *qname = exact_copy(scene.qname, scene.qname_len);
    scene.reply.qname = qname;
    scene.reply.qname_len = scene.qname_len;
    assert_int_equal(
        xn_name_read(target_unicode(), qname, scene.qname_len, scene.ignored, &scene.name), XN_OK);
    expect_wanted(&scene);
    expect_text(&scene);
    expect_json(&scene);
    expect_answers(&scene);
    free(qname);
    return 0;
}
