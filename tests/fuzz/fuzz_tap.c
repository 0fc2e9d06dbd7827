/* SPDX-License-Identifier: BSD-3-Clause */
/* A sender of dnstap, who may send anything: from frames to lines of the log. The first octet says
 * how the rest is cut into pieces, whether START precedes it, and how the lines are written.
 * The same frames come out however they are cut; each reply is one line. */
#include "tests/fuzz/files.h"

#include "tests/unit/logline_grammar.h"
#include "tools/tap/frames.h"
#include "tools/tap/reply.h"

#include <jansson.h>
#include <unistd.h>

static const char rules[] = "nxdomain zone xn--80aodfsg.example\n"
                            "refuse name target.example\n"
                            "drop lookalike paypal.com\n"
                            "log invalid tag=odd\n";

static char line[XNM_LOGWRITER_HOST_LINE_MAX + 1];
static size_t line_count;

static void keep_line(void *arg, const char *text, size_t len)
{
    (void)arg;
    assert_true(len < sizeof line);
    memcpy(line, text, len);
    line[len] = '\0';
    line_count++;
}

static void no_notice(void *arg, const char *text, size_t len)
{
    (void)arg;
    (void)text;
    (void)len;
}

/* Its files are gone when it is open. */
static struct xnm_state *open_state(const char *log)
{
    char folder[] = "/tmp/fuzz_tap.XXXXXX", conf[64], rule_file[64], text[128];

    assert_non_null(mkdtemp(folder));
    snprintf(text, sizeof text, "idn:\n  log: %s\n  policy: rules\n  watch: no\n", log);
    write_file(folder, "rules", rules, rule_file);
    write_file(folder, "conf", text, conf);
    struct xnm_state *state =
        xnm_state_open(&(struct xnm_state_options){.engine = xnm_engine_new(),
                                                   .config_path = conf,
                                                   .host_log = {keep_line, NULL, true},
                                                   .notices = {no_notice, NULL, false},
                                                   .diagnostics = &xnm_diagnostics_ignored,
                                                   .observes = true,
                                                   .to_host = true});
    assert_non_null(state);
    remove(conf);
    remove(rule_file);
    remove(folder);
    return state;
}

static void check_json(void)
{
    json_t *object = json_loads(line, JSON_REJECT_DUPLICATES, NULL);

    assert_non_null(object);
    check_characters(line, (int32_t)strlen(line));
    json_decref(object);
}

/* A line without its time. */
static void check_text(void)
{
    const char *at = strchr(line, ' ');

    assert_ptr_equal(at, line + 27);
    assert_int_equal(line[26], 'Z');
    check_characters(line, (int32_t)strlen(line));
    check_line(at + 1);
}

static void take(const uint8_t *frame, size_t len, bool is_json)
{
    static struct xnm_state *states[2];
    static struct tap_replies *replies;
    size_t before = line_count;
    uint8_t *copy = exact_copy(frame, len);

    if (!replies)
        replies = tap_replies_new();
    if (!states[is_json])
        states[is_json] = open_state(is_json ? "json" : "text");
    tap_kind kind = tap_replies_take(replies, states[is_json], 1, copy, len);
    free(copy);
    assert_int_equal(line_count - before, kind == TAP_REPLY);
    if (kind == TAP_REPLY && is_json)
        check_json();
    else if (kind == TAP_REPLY)
        check_text();
}

/* The outcome of a stream, for comparison. */
struct outcome {
    size_t frames, octets, answers;
    tap_frames_result last;
    const char *fault;
};

/* Everything that is there. */
static void take_frames(struct tap_frames *frames, struct outcome *outcome, bool takes,
                        bool is_json)
{
    const uint8_t *data;
    size_t len;

    while ((outcome->last = tap_frames_next(frames, &data, &len)) == TAP_DATA ||
           outcome->last == TAP_ANSWER) {
        if (outcome->last == TAP_ANSWER) {
            assert_in_range(frames->answer_len, 1, sizeof frames->answer);
            outcome->answers++;
            continue;
        }
        assert_in_range(len, 1, TAP_FRAME_MAX);
        outcome->frames++;
        outcome->octets += len;
        if (takes)
            take(data, len, is_json);
    }
    outcome->fault = frames->fault;
}

static struct outcome read_stream(const uint8_t *octets, size_t len, size_t piece, bool takes,
                                  bool is_json)
{
    struct outcome outcome = {0};
    struct tap_frames frames;

    assert_true(tap_frames_open(&frames));
    for (size_t at = 0; at < len && outcome.last == TAP_MORE;) {
        size_t room, left = len - at;
        uint8_t *to = tap_frames_room(&frames, &room);
        assert_non_null(to);
        assert_in_range(room, 1, 4 + TAP_FRAME_MAX);
        size_t take_now = piece < room ? piece : room;
        take_now = take_now < left ? take_now : left;
        memcpy(to, octets + at, take_now);
        tap_frames_add(&frames, take_now);
        at += take_now;
        take_frames(&frames, &outcome, takes, is_json);
    }
    tap_frames_close(&frames);
    return outcome;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t start[] = "\0\0\0\0\0\0\0\x22\0\0\0\2\0\0\0\1\0\0\0\x16"
                                   "protobuf:dnstap.Dnstap";
    uint8_t options = take_octet(&data, &size);
    size_t before = options & 1 ? sizeof start - 1 : 0, len = before + size;
    uint8_t *stream = malloc(len + 1);

    memcpy(stream, start, before);
    if (size > 0)
        memcpy(stream + before, data, size);
    struct outcome whole = read_stream(stream, len, len, true, options & 2);
    struct outcome cut = read_stream(stream, len, 1 + (options >> 2), false, false);
    assert_int_equal(cut.frames, whole.frames);
    assert_int_equal(cut.octets, whole.octets);
    assert_int_equal(cut.answers, whole.answers);
    assert_int_equal(cut.last, whole.last);
    assert_ptr_equal(cut.fault, whole.fault);
    free(stream);
    return 0;
}
