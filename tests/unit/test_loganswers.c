/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests what lines say of records that anybody may have made: their form, their bounds, and that
 * nothing of them can act. */
#include "tests/unit/vectors.h"

#include "tests/unit/jsonline.h"
#include "tests/unit/logline_grammar.h"
#include "tests/unit/wirenames.h"

#include "module/log/loganswers.h"

enum { A = 1, NS = 2, CNAME = 5, SOA = 6, MX = 15, TXT = 16, KEY = 25, AAAA = 28, CAA = 257 };

static struct xn_unicode *unicode;

/* Records with one owner; or, with `same`, that many copies of the first. */
struct source {
    struct record {
        uint16_t type;
        const char *octets;
        size_t len;
    } records[4];
    size_t same;
};

static bool next(struct xnm_answers *walk, struct xnm_answer *answer)
{
    static const uint8_t owner[] = "\15xn--bcher-kva\7example";
    const struct source *source = walk->source;
    const struct record *record = &source->records[source->same ? 0 : walk->at];

    if (walk->at == (source->same ? source->same : COUNT(source->records)) || record->type == 0)
        return false;
    walk->at++;
    *answer = (struct xnm_answer){.owner = owner,
                                  .owner_len = sizeof owner,
                                  .type = record->type,
                                  .rclass = 1,
                                  .ttl = 60,
                                  .octets = (const uint8_t *)record->octets,
                                  .end = record->len};
    return true;
}

static const char *text_of(const struct source *source, const struct xnm_config *config, size_t cap)
{
    static char text[XNM_LOGANSWERS_ROOM + 1];
    const struct xnm_loganswers_names names = {unicode, 0};
    const struct xnm_reply reply = {.next_answer = next, .answer_source = source};

    text[xnm_loganswers_text(config, &names, &reply, cap, text)] = '\0';
    check_characters(text, (int32_t)strlen(text));
    return text;
}

#define OF(octets) octets, sizeof octets - 1

static struct row {
    const char *name, *text;
    struct source source;
} rows[] = {
    {"no record", "", {{{0, OF("")}}, 0}},
    {"two addresses",
     " a=192.0.2.11,2001:db8::1",
     {{{A, OF("\300\0\2\13")}, {AAAA, OF("\40\1\15\270\0\0\0\0\0\0\0\0\0\0\0\1")}}, 0}},
    {"an alias",
     " cname=\"b\xC3\xBC"
     "cher.example.\" a=192.0.2.11",
     {{{CNAME, OF("\15xn--bcher-kva\7example\0")}, {A, OF("\300\0\2\13")}}, 0}},
    {"the root", " ns=.", {{{NS, OF("\0")}}, 0}},
    {"a misleading name", " ns=\"p\\u{430}ypal.com.\"", {{{NS, OF("\15xn--pypal-4ve\3com\0")}}, 0}},
    {"a number and a name",
     " mx=10:mail.example.,20:.",
     {{{MX, OF("\0\12\4mail\7example\0")}, {MX, OF("\0\24\0")}}, 0}},
    {"texts",
     " txt=\"a b c,\\034\\044\\092\\000\"",
     {{{TXT, OF("\3a b\1c")}, {TXT, OF("\4\",\\\0")}}, 0}},
    {"a text of no octets", " txt=-", {{{TXT, OF("\0")}}, 0}},
    {"no octets at all", " type16=-", {{{TXT, OF("")}}, 0}},
    {"a comma in a name", " ns=\"a\\044b.\"", {{{NS, OF("\3a,b\0")}}, 0}},
    {"bidi controls", " txt=\"\\226\\128\\174\"", {{{TXT, OF("\3\342\200\256")}}, 0}},
    {"an address of three octets", " type1=c00002", {{{A, OF("\300\0\2")}}, 0}},
    {"a string that is cut", " type16=0561", {{{TXT, OF("\5a")}}, 0}},
    {"octets behind a name", " type2=0001", {{{NS, OF("\0\1")}}, 0}},
    {"a pointer into the header", " type2=c000", {{{NS, OF("\300\0")}}, 0}},
    {"an unknown type", " type65280=00ff", {{{65280, OF("\0\377")}}, 0}},
    {"a type that is another field's key", " type25=01", {{{KEY, OF("\1")}}, 0}},
    {"types in turn",
     " a=192.0.2.11 ns=. a=192.0.2.12",
     {{{A, OF("\300\0\2\13")}, {NS, OF("\0")}, {A, OF("\300\0\2\14")}}, 0}},
};

TEST_ROWS(test_text, rows, name)
{
    const struct row *row = *state;
    const struct xnm_config config = {.log_answers = XNM_LOG_ANSWERS_ALL};

    assert_string_equal(text_of(&row->source, &config, XNM_LOGANSWERS_MAX), row->text);
    if (*row->text) {
        assert_string_equal(text_of(&row->source, &config, strlen(row->text)), row->text);
        assert_string_equal(text_of(&row->source, &config, strlen(row->text) - 1), "");
    }
}

/* As many as 512 octets hold, and the count of all others. */
TEST(test_many, "4,096 addresses")
{
    static const char dots[] = "...+", *text;
    const struct source source = {{{A, OF("\377\377\377\377")}}, 4096};
    struct xnm_config config = {.log_answers = XNM_LOG_ANSWERS_ADDRESSES,
                                .log_name = XNM_LOG_NAME_ASCII};

    text = text_of(&source, &config, XNM_LOGANSWERS_MAX);
    const char *left = strstr(text, dots);
    assert_non_null(left);
    size_t shown = (size_t)(left - text - 3) / sizeof "255.255.255.255";
    assert_in_range(left - text, XNM_LOGANSWERS_FIELDS_MAX - 60, XNM_LOGANSWERS_FIELDS_MAX);
    assert_int_equal(shown + strtoul(left + sizeof dots - 1, NULL, 10), source.same);
}

/* Names of 255 octets that are all escaped, commas that grow fourfold, strings of no octets. */
TEST(test_longest, "the longest records")
{
    char name[XN_WIRE_NAME_MAX], commas[256], empty[60000] = "";
    const struct xnm_config config = {.log_answers = XNM_LOG_ANSWERS_ALL};
    const struct xnm_reply reply = {.next_answer = next};

    memset(name, 0xFF, sizeof name);
    for (size_t at = 0; at < 254; at += 64)
        name[at] = at < 192 ? 63 : 61;
    name[254] = 0;
    memset(commas, ',', sizeof commas);
    commas[0] = (char)255;
    const struct source sources[] = {{{{NS, name, sizeof name}}, 3},
                                     {{{SOA, name, sizeof name}}, 3},
                                     {{{CAA, commas, sizeof commas}}, 3},
                                     {{{TXT, commas, sizeof commas}}, 300},
                                     {{{TXT, empty, sizeof empty}}, 3}};
    for (size_t i = 0; i < COUNT(sources); i++) {
        struct xnm_reply one = reply;
        char json[XNM_LOGANSWERS_ROOM + 1] = "{\"a\":1";

        one.answer_source = &sources[i];
        assert_in_range(strlen(text_of(&sources[i], &config, XNM_LOGANSWERS_MAX)), 4,
                        XNM_LOGANSWERS_FIELDS_MAX + sizeof ",...+65535\"\"");
        size_t len = xnm_loganswers_json(&config, &one, XNM_LOGANSWERS_MAX, json + 6);
        assert_in_range(len, 1, XNM_LOGANSWERS_MAX);
        json[6 + len] = '}';
        json_decref(check_json(json, len + 7));
    }
}

TEST(test_json, "members of JSON")
{
    static const char resolved[] = ",\"dns.resolved_ip\":[\"192.0.2.11\"],\"dns.answers_count\":2";
    static const char answers[] =
        ",\"dns.answers\":[{\"name\":\"xn--bcher-kva.example\",\"type\":\"TXT\",\"class\":\"IN\","
        "\"ttl\":60,\"data\":\"a b,\\\\034\"},{\"name\":\"xn--bcher-kva.example\",\"type\":\"A\","
        "\"class\":\"IN\",\"ttl\":60,\"data\":\"192.0.2.11\"}]";
    const struct source source = {{{TXT, OF("\5a b,\"")}, {A, OF("\300\0\2\13")}}, 0};
    const struct xnm_reply reply = {.next_answer = next, .answer_source = &source};
    struct xnm_config config = {.log_answers = XNM_LOG_ANSWERS_ALL};
    char json[XNM_LOGANSWERS_ROOM], want[sizeof resolved + sizeof answers];
    size_t len = (size_t)sprintf(want, "%s%s", resolved, answers);

    assert_int_equal(xnm_loganswers_json(&config, &reply, len, json), len);
    assert_memory_equal(json, want, len);
    assert_int_equal(xnm_loganswers_json(&config, &reply, len - 1, json), sizeof resolved - 1);
    assert_int_equal(xnm_loganswers_json(&config, &reply, sizeof resolved - 2, json), 0);
    config.log_answers = XNM_LOG_ANSWERS_ADDRESSES;
    assert_int_equal(xnm_loganswers_json(&config, &reply, len, json), sizeof resolved - 1);
}

/* An extended error's text is cut between characters, and shown harmless. */
TEST(test_ede, "texts of extended errors")
{
    char json[XNM_LOGLINE_EDE_MEMBER_MAX];
    uint8_t text[200];
    struct xnm_reply_error error = {true, 15, 7, (const uint8_t *)"\"\\\x1B\xE2\x80\xAE\xFF"};
    static const char want[] =
        ",\"dns.ede.extra_text\":\"\\\"\\\\\\\\u{1B}\\\\u{202E}\\\\u{FFFD}\"";

    assert_int_equal(xnm_logline_ede_member(json, &error) - json, sizeof want - 1);
    assert_memory_equal(json, want, sizeof want - 1);
    memset(text, 0xC3, sizeof text);
    error = (struct xnm_reply_error){true, 15, sizeof text, text};
    assert_in_range(xnm_logline_ede_member(json, &error) - json, 1, XNM_LOGLINE_EDE_MEMBER_MAX);
    text[127] = 0xC3, text[128] = 0xA4;
    assert_int_equal(xnm_logline_ede_len(&error), 127);
    error.text_len = 0;
    assert_ptr_equal(xnm_logline_ede_member(json, &error), json);
}

TEST_MAIN_WITH_UNICODE(unicode)
