/* SPDX-License-Identifier: BSD-3-Clause */
/* A JSON line has a greatest length, and every name gives one. */
#include "tests/unit/vectors.h"

#include "core/names/display.h"
#include "tests/unit/exact.h"
#include "tests/unit/jsonline.h"
#include "tests/unit/wirenames.h"

#define X4(label) label label label label

enum {
    EMOJI = 1 << XN_EMOJI,
    PIPE_LINE_MAX = 4095,
    HOST_LINE_MAX = 10000 /* of Unbound's log, which would cut at 10,239 */
};

static struct xn_unicode *unicode;

static struct xn_name *read_name(const uint8_t *qname, size_t len, xn_reasons ignored)
{
    struct xn_name *name = malloc(sizeof *name);

    assert_int_equal(xn_name_read(unicode, qname, len, ignored, name), XN_OK);
    return name;
}

/* --- the longest lines --- */

/* Short labels that cost most octets of JSON for each of theirs were found by trying every label of
 * up to nine octets. */
static struct longest longests[] = {
    {"42 labels with one reason", AS_IT_IS, 5, "xn--a"},
    {"28 labels with two reasons, one of them longest", AS_IT_IS, 8, "xn--04bf"},
    {"28 labels with three restricted reasons", AS_IT_IS, 8, "xn--rlfb"},
    {"31 labels that begin with a hyphen", AS_IT_IS, 7, "xn----a"},
    {"labels with a hyphen and a mark", AS_IT_IS, 8, "xn--bcbb"},
    {"labels that are not NFC", AS_IT_IS, 7, "xn--hba"},
    {"50 labels of a bare prefix", 0, 4, NULL},
    {"four labels of U+10FFFF", 0x10FFFF, 63, NULL},
    {"four labels of U+10000", 0x10000, 63, NULL},
    {"four labels of an emoji", 0x1F600, 63, NULL},
    {"four labels of a letter of two surrogates", 0x20000, 63, NULL},
    {"four labels of a letter from right to left", 0x5D0, 63, NULL},
    {"four labels of joiners", 0x200D, 63, NULL},
    {"short labels of a letter of two surrogates", 0x20000, 9, NULL},
    {"middling labels of a letter of two surrogates", 0x20000, 24, NULL},
    {"short labels of U+10FFFF", 0x10FFFF, 8, NULL},
    {"short labels of an emoji", 0x1F600, 8, NULL},
    {"a letter each of many scripts", EACH_SCRIPT, 63, NULL},
    {"labels of many scripts", MIXED_SCRIPT, 63, NULL},
    {"four labels of octets that are escaped", ESCAPED, 63, NULL},
    {"127 labels of an octet that is escaped", ESCAPED, 1, NULL},
    {"four A-labels of octets that are escaped", AS_IT_IS, 63,
     "xn--\"\"\"\"\"\"\"\"\"\"\"" X4("\\\\\\\\\\\\") X4("\xFF\xFF\xFF\xFF\xFF\xFF")},
    RAW_LONGESTS,
};

/* Fields that may be left out, in the order in which they are taken in. */
static const char *const optional[] = {"dns.question.name_unicode", "idn.scripts", "idn.labels"};
enum { OPTIONAL = COUNT(optional) };

/* Octets of each in the line, with its comma and key; 0 if it is not there. */
static void measure(const struct line *whole, size_t lens[OPTIONAL])
{
    for (size_t i = 0; i < OPTIONAL; i++) {
        char before[64];
        int before_len = snprintf(before, sizeof before, ",\"%s\":", optional[i]);
        const char *at = strstr(whole->text, before);
        json_error_t error;

        lens[i] = 0;
        if (!at)
            continue;
        json_t *value =
            json_loads(at + before_len, JSON_DISABLE_EOF_CHECK | JSON_DECODE_ANY, &error);
        assert_non_null(value);
        lens[i] = (size_t)(before_len + error.position);
        json_decref(value);
    }
}

/* The line has every field that fits into this limit, and nothing else. */
static void check_limit(const struct xnm_config *config, const struct xnm_reply *reply,
                        const struct xn_name *name, const struct line *whole, size_t limit)
{
    size_t lens[OPTIONAL], expected_len = whole->len;

    if (limit < XNM_LOGLINE_SHORT_MAX)
        return;
    struct line line = line_of(config, reply, name, limit);
    json_t *expected = json_copy(whole->object);
    measure(whole, lens);
    for (size_t i = 0; i < OPTIONAL; i++)
        expected_len -= lens[i];
    assert_true(expected_len <= XNM_LOGLINE_SHORT_MAX);
    for (size_t i = 0; i < OPTIONAL; i++) {
        if (expected_len + lens[i] <= limit)
            expected_len += lens[i];
        else
            json_object_del(expected, optional[i]);
    }
    assert_int_equal(line.len, expected_len);
    assert_true(json_equal(line.object, expected));
    json_decref(expected);
    free_line(&line);
}

static size_t longest_len;  /* of all lines so far */
static unsigned cut_counts; /* lines that are longer than the least limit */

/* Whole; in what a pipe and Unbound's log take; and with just enough, just too little, for each of
 * what may be left out. */
static void check_longest(const struct xnm_config *config, const struct xnm_reply *reply,
                          const struct xn_name *name)
{
    struct line whole = line_of(config, reply, name, XNM_LOGLINE_JSON_MAX);
    size_t lens[OPTIONAL], sum;

    if (name->ace_count > 0)
        assert_int_equal(json_array_size(json_object_get(whole.object, "idn.labels")),
                         name->ace_count);
    measure(&whole, lens);
    check_limit(config, reply, name, &whole, XNM_LOGLINE_SHORT_MAX);
    check_limit(config, reply, name, &whole, PIPE_LINE_MAX);
    check_limit(config, reply, name, &whole, HOST_LINE_MAX);
    for (unsigned left_out = 0; left_out < 1 << OPTIONAL; left_out++) {
        sum = whole.len;
        for (size_t i = 0; i < OPTIONAL; i++)
            sum -= left_out >> i & 1 ? lens[i] : 0;
        check_limit(config, reply, name, &whole, sum);
        check_limit(config, reply, name, &whole, sum - 1);
    }
    longest_len = whole.len > longest_len ? whole.len : longest_len;
    cut_counts += whole.len > XNM_LOGLINE_SHORT_MAX;
    free_line(&whole);
}

/* Each field is tested while all others have their longest values. */
TEST_ROWS(test_longest, longests, name)
{
    const struct longest *row = *state;
    struct sockaddr_storage client = client_of("2001:db8:1111:2222:3333:4444:5555:6666");
    uint8_t wire[XN_WIRE_NAME_MAX];
    size_t len = put_longest(row, wire);
    uint8_t *qname = exact_copy(wire, len);
    struct xnm_reply reply = {.client = &client,
                              .qname = qname,
                              .qname_len = len,
                              .qtype = 65535,
                              .qclass = 65535,
                              .rcode = INT32_MAX,
                              .elapsed_us = UINT64_MAX / 1000,
                              .id = 65535};

    assert_true(len > XN_WIRE_NAME_MAX - 9);
    ((struct sockaddr_in6 *)(void *)&client)->sin6_port = 65535;
    for (unsigned i = 0; i < 4; i++) {
        struct xnm_config config = {.log_name = (uint8_t)(i / 2)};
        struct xn_name *name = read_name(qname, len, i % 2 ? EMOJI : 0);
        check_longest(&config, &reply, name);
        free(name);
    }
    free(qname);
}

/* If this fails, the rows above no longer reach what they are there for. */
TEST(test_limits_were_tested, "lines were longer than limits")
{
    print_message("# the longest line has %zu octets\n", longest_len);
    assert_true(longest_len > PIPE_LINE_MAX);
    assert_true(cut_counts >= 10);
}

/* --- any name --- */

static const char *string_of(const struct line *line, const char *key)
{
    return json_string_value(json_object_get(line->object, key));
}

/* Against what the text line is made of; xn_name_decode_raw has read the name. */
static void check_members(const struct line *line, const struct xnm_config *config,
                          const struct xnm_reply *reply, const struct xn_name *name)
{
    bool ascii = config->log_name == XNM_LOG_NAME_ASCII;
    xn_reasons raw = xn_reason_bit(XN_RAW_UTF8);
    bool plain = name->ace_count == 0 && !(name->reasons & raw);
    char text[XN_DISPLAY_NAME_MAX + 1];
    size_t len = xn_wire_to_text(reply->qname, text);

    text[len > 1 ? len - 1 : len] = '\0';
    assert_string_equal(string_of(line, "dns.question.name"), text);
    assert_int_equal(!string_of(line, "idn.status"), plain);
    assert_int_equal(!json_object_get(line->object, "idn.scripts"), plain);
    assert_int_equal(!json_object_get(line->object, "idn.labels"), plain);
    assert_int_equal(!string_of(line, "dns.question.name_unicode"),
                     plain || (name->reasons & ~raw) || ascii);
    assert_int_equal(!string_of(line, "dns.response_code"), reply->rcode == XNM_NO_RCODE);
    if (plain)
        return;
    assert_string_equal(string_of(line, "idn.status"),
                        xn_label_status_word(xn_reasons_status(name->reasons)));
    if (string_of(line, "dns.question.name_unicode")) {
        text[xn_display_name(name, text)] = '\0';
        assert_string_equal(string_of(line, "dns.question.name_unicode"), text);
    }
}

/* An object for each A-label or raw label, in their order. */
static void check_labels(const json_t *labels, const struct xnm_config *config,
                         const struct xn_name *name)
{
    char text[XN_DISPLAY_LABEL_MAX + 1];
    size_t found = 0;

    for (size_t i = 0; i < name->label_count; i++) {
        const struct xn_label *label = &name->labels[i];
        const json_t *object = json_array_get(labels, found);

        if (!label->ace && !label->raw)
            continue;
        found++;
        assert_int_equal((int)json_number_value(json_object_get(object, "index")), i + 1);
        text[xn_wire_label_to_text(name->wire + label->at, label->len, text)] = '\0';
        assert_string_equal(json_string_value(json_object_get(object, "a")), text);
        assert_string_equal(json_string_value(json_object_get(object, "status")),
                            xn_label_status_word(xn_reasons_status(label->reasons)));
        assert_int_equal(json_array_size(json_object_get(object, "reason")),
                         __builtin_popcount(label->reasons));
        if (config->log_name == XNM_LOG_NAME_ASCII) {
            assert_null(json_object_get(object, "u"));
            continue;
        }
        text[xn_display_label(name, label, text)] = '\0';
        assert_string_equal(json_string_value(json_object_get(object, "u")), text);
    }
    assert_int_equal(json_array_size(labels), found);
}

TEST(test_random, "100,000 random names")
{
    static const char *const clients[] = {"192.0.2.7", "2001:db8:1:2fff::7", "neither"};
    uint64_t seed = 20261121;

    for (int i = 0; i < 100000; i++) {
        struct xnm_config config = {.log_name = (uint8_t)below(&seed, 2),
                                    .log_client = (uint8_t)below(&seed, 3)};
        struct sockaddr_storage client = client_of(clients[below(&seed, 3)]);
        uint8_t wire[XN_WIRE_NAME_MAX];
        size_t len = i % 2 ? random_raw_name(&seed, wire) : random_name(&seed, wire);
        uint8_t *qname = exact_copy(wire, len);
        struct xnm_reply reply = {.client = &client,
                                  .qname = qname,
                                  .qname_len = len,
                                  .qtype = (uint16_t)below(&seed, 65536),
                                  .rcode = (int)below(&seed, 24) - 1,
                                  .transport = (xnm_transport)below(&seed, 5),
                                  .elapsed_us = below(&seed, UINT32_MAX)};
        struct xn_name *name = read_name(qname, len, below(&seed, 2) ? EMOJI : 0);
        struct line line = line_of(&config, &reply, name, XNM_LOGLINE_JSON_MAX);

        xn_name_decode_raw(0, name);
        check_members(&line, &config, &reply, name);
        check_labels(json_object_get(line.object, "idn.labels"), &config, name);
        free_line(&line);
        free(name);
        free(qname);
    }
}

TEST_MAIN_WITH_UNICODE(unicode)
