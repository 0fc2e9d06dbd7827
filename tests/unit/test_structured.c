/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests structured errors: which members the object has, its escapes, and what fits. */
#include "module/rule/rule.h"
#include "tests/unit/vectors.h"

#include "module/answer/structured.h"
#include "tests/unit/exact.h"

#define WIRE(text)                                                                                 \
    {                                                                                              \
        sizeof(text), text                                                                         \
    }
#define CONTACT "\"c\":[\"mailto:a@b.example\",\"tel:110\"]"

static const struct xnm_why_settings none = {.code = 65001, .language = "en"},
                                     contact = {.code = 65001,
                                                .contact = "mailto:a@b.example tel:110",
                                                .language = "en"},
                                     organization = {.code = 65001,
                                                     .organization = "Us \"&\" \\",
                                                     .language = "en-GB"},
                                     german = {.code = 65001, .language = "de"};

static struct row {
    const char *what;
    const struct xnm_why_settings *settings;
    int ede;
    const char *ede_text, *why;
    xnm_sub_error sub_error;
    bool lookalike;
    int code; /* -1: no option */
    const char *text;
} rows[] = {
    {"nothing to say", &none, 15, NULL, NULL, 0, false, 15, ""},
    {"an organization is no reason", &organization, 15, NULL, NULL, 0, false, 15, ""},
    {"contact", &contact, 15, NULL, NULL, 0, false, 15, "{" CONTACT "}"},
    {"contact, censored", &contact, 16, NULL, NULL, 0, false, 16, "{" CONTACT "}"},
    {"why", &none, 15, NULL, "x", 0, false, 15, "{\"j\":\"x\",\"l\":\"en\"}"},
    {"the text of ede=", &none, 17, "x", NULL, 0, false, 17, "{\"j\":\"x\",\"l\":\"en\"}"},
    {"why beside it", &none, 17, "x", "y", 0, false, 17, "{\"j\":\"y\",\"l\":\"en\"}"},
    {"sub-error", &none, 15, NULL, NULL, 6, false, 15, "{\"s\":6}"},
    {"sub-error, organization", &organization, 15, NULL, NULL, 1, false, 15,
     "{\"s\":1,\"o\":\"Us \\\"&\\\" \\\\\",\"l\":\"en-GB\"}"},
    {"all", &contact, 15, NULL, "x", 2, false, 15,
     "{" CONTACT ",\"j\":\"x\",\"s\":2,\"l\":\"en\"}"},
    {"a tag's sub-error, censored", &none, 16, NULL, "x", 2, false, 16,
     "{\"j\":\"x\",\"l\":\"en\"}"},
    {"a tag's sub-error of a policy, filtered", &none, 17, NULL, "x", 5, false, 17,
     "{\"j\":\"x\",\"l\":\"en\"}"},
    {"another sub-error, filtered", &none, 17, NULL, NULL, 4, false, 17, "{\"s\":4}"},
    {"another code", &contact, 18, "x", "y", 2, false, 18, "y"},
    {"another code, plain", &contact, 18, "x", NULL, 0, false, 18, "x"},
    {"off", &contact, XNM_EDE_OFF, NULL, "x", 2, false, -1, ""},
    {"forged", &contact, 4, NULL, NULL, 0, false, -1, ""},
    {"forged with a text", &contact, 4, "x", NULL, 0, false, -1, ""},
    {"forged with a reason", &none, 4, NULL, "x", 0, false, 15, "{\"j\":\"x\",\"l\":\"en\"}"},
    {"forged with a sub-error", &none, 4, "x", NULL, 5, false, 15, "{\"s\":5}"},
    {"look-alike", &none, 15, NULL, NULL, 0, true, 15,
     "{\"j\":\"xn--pypal-4ve.com imitates paypal.com\",\"l\":\"en\"}"},
    {"look-alike, forged", &none, 4, NULL, NULL, 0, true, 15,
     "{\"j\":\"xn--pypal-4ve.com imitates paypal.com\",\"l\":\"en\"}"},
    {"look-alike, in German", &german, 15, NULL, NULL, 0, true, 15,
     "{\"j\":\"xn--pypal-4ve.com \xE2\x89\xA0 paypal.com\",\"l\":\"de\"}"},
    {"look-alike with a reason", &none, 15, NULL, "x", 0, true, 15, "{\"j\":\"x\",\"l\":\"en\"}"},
    {"look-alike, another code", &none, 18, NULL, NULL, 0, true, 18, ""},
    /* Nothing else can be in an operator's text; if it were, it could not leave its string. */
    {"controls", &none, 15, NULL, "\x01\n\x7F\xC2\x85", 0, false, 15,
     "{\"j\":\"\\u0001\\u000a\\u007f\\u0085\",\"l\":\"en\"}"},
    {"direction of text", &none, 15, NULL, "a\xE2\x80\xAE\xE2\x81\xA6z", 0, false, 15,
     "{\"j\":\"a\\u202e\\u2066z\",\"l\":\"en\"}"},
    {"beyond the BMP", &none, 15, NULL, "\xF0\x9F\x98\x80\xF3\xA0\x80\x81", 0, false, 15,
     "{\"j\":\"\xF0\x9F\x98\x80\\udb40\\udc01\",\"l\":\"en\"}"},
    {"no UTF-8", &none, 15, NULL, "a\xFF\xC3", 0, false, 15,
     "{\"j\":\"a\\ufffd\\ufffd\",\"l\":\"en\"}"},
};

/* The caller frees it. */
static struct xnm_protected_name *make_paypal(void)
{
    static const uint8_t paypal[] = "\6paypal\3com";
    struct xnm_protected_name *name = calloc(1, sizeof *name + sizeof paypal);

    assert_non_null(name);
    name->len = sizeof paypal;
    memcpy(name->octets, paypal, sizeof paypal);
    return name;
}

static size_t write_row(const struct row *row, uint8_t *dst, size_t room)
{
    const struct xnm_policy_answer answer = {.action = XNM_NXDOMAIN,
                                             .ede = row->ede,
                                             .ede_text = row->ede_text,
                                             .why = row->why,
                                             .sub_error = row->sub_error};
    struct xnm_protected_name *lookalike = row->lookalike ? make_paypal() : NULL;
    const struct xnm_decision decision = {
        .answer = &answer, .name = WIRE("\15xn--pypal-4ve\3com"), .lookalike = lookalike};
    size_t len = xnm_structured_write(row->settings, &decision, dst, room);

    free(lookalike);
    return len;
}

TEST_ROWS(test_row, rows, what)
{
    const struct row *row = *state;
    uint8_t data[XNM_STRUCTURED_MAX];
    size_t len = write_row(row, data, sizeof data);

    if (row->code < 0) {
        assert_int_equal(len, 0);
        return;
    }
    assert_true(len >= 2);
    assert_int_equal(data[0] << 8 | data[1], row->code);
    assert_int_equal(len - 2, strlen(row->text));
    assert_memory_equal(data + 2, row->text, len - 2);
}

/* Without room for all, the justification and the organization go, then the text, then the option.
 */
TEST(test_room, "what fits")
{
    static const struct xnm_why_settings all = {
        .code = 65001, .contact = "tel:110", .organization = "Us", .language = "en"};
    static const char brief[] = "{\"c\":[\"tel:110\"],\"s\":3}";
    const struct row row = {"", &all, 15, NULL, "x", 3, false, 15, ""};
    uint8_t data[XNM_STRUCTURED_MAX];
    size_t whole = write_row(&row, data, sizeof data);

    for (size_t room = 0; room <= whole; room++) {
        uint8_t *exact = exact_copy(data, room); /* a sanitizer sees what is written behind it */
        size_t len = write_row(&row, exact, room);
        if (room == whole)
            assert_int_equal(len, whole);
        else if (room >= 2 + strlen(brief))
            assert_int_equal(len, 2 + strlen(brief));
        else
            assert_int_equal(len, room < 2 ? 0 : 2);
        if (len == 2 + strlen(brief))
            assert_memory_equal(exact + 2, brief, strlen(brief));
        free(exact);
    }
}

/* A name of escapes alone is too long to be named. */
TEST(test_long_names, "long names")
{
    const struct xnm_policy_answer answer = {.action = XNM_REFUSE, .ede = 15};
    struct xnm_protected_name *lookalike = make_paypal();
    struct xnm_decision decision = {.answer = &answer, .lookalike = lookalike};
    uint8_t data[XNM_STRUCTURED_MAX];

    for (unsigned label = 0; label < 3; label++) {
        decision.name.octets[label * 64] = 63;
        memset(decision.name.octets + label * 64 + 1, '"', 63);
    }
    decision.name.octets[192] = 0;
    decision.name.len = 193;
    assert_int_equal(xnm_structured_write(&none, &decision, data, sizeof data), 2);
    decision.name.octets[64] = 0;
    decision.name.len = 65;
    assert_true(xnm_structured_write(&none, &decision, data, sizeof data) > 2 + 63 * 5);
    free(lookalike);
}

TEST_MAIN
