/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/vectors.h"

#include "core/punycode/trace.h"
#include "core/text/utf8.h"
#include "tests/unit/exact.h"
#include "tests/unit/random.h"

enum { LONG = 1024 };

struct text {
    uint32_t cps[LONG];
    size_t len;
};

/* "u+0644 U+064A": the case of the u is the annotation of appendix A, which we do not have. */
static struct text parse_code_points(const char *field)
{
    struct text text = {.len = 0};

    for (const char *at = field; *at; at = strchr(at, ' ') ? strchr(at, ' ') + 1 : "")
        text.cps[text.len++] = (uint32_t)strtoul(at + 2, NULL, 16);
    return text;
}

static xn_status decode(const char *punycode, uint32_t *dst, size_t cap, size_t *len)
{
    size_t src_len = strlen(punycode);
    uint8_t *src = exact_copy(punycode, src_len);
    xn_status status = xn_punycode_decode(src, src_len, dst, cap, len);
    free(src);
    return status;
}

static xn_status encode(const uint32_t *cps, size_t len, char *dst, size_t cap, size_t *dst_len)
{
    uint32_t *src = exact_copy(cps, len * sizeof *cps);
    uint8_t *exact_dst = malloc(cap ? cap : 1);
    xn_status status = xn_punycode_encode(src, len, exact_dst, cap, dst_len);
    memcpy(dst, exact_dst, *dst_len);
    dst[*dst_len] = '\0';
    free(src);
    free(exact_dst);
    return status;
}

static void expect_decoded(const char *punycode, const struct text *expected)
{
    uint32_t dst[LONG];
    size_t len;

    assert_int_equal(decode(punycode, dst, LONG, &len), XN_OK);
    assert_int_equal(len, expected->len);
    assert_memory_equal(dst, expected->cps, len * sizeof *dst);
    /* Room for exactly the code points is enough, and one less is too little. */
    assert_int_equal(decode(punycode, dst, expected->len, &len), XN_OK);
    if (expected->len > 0) {
        assert_int_equal(decode(punycode, dst, expected->len - 1, &len), XN_NO_SPACE);
        assert_int_equal(len, 0);
    }
}

static void expect_encoded(const struct text *text, const char *expected)
{
    char dst[LONG];
    size_t len;

    assert_int_equal(encode(text->cps, text->len, dst, LONG - 1, &len), XN_OK);
    assert_string_equal(dst, expected);
    for (size_t cap = 0; cap < strlen(expected); cap++) {
        assert_int_equal(encode(text->cps, text->len, dst, cap, &len), XN_NO_SPACE);
        assert_int_equal(len, 0);
    }
    assert_int_equal(encode(text->cps, text->len, dst, strlen(expected), &len), XN_OK);
}

static void codes_sample(void **state)
{
    const struct vector *row = *state;
    struct text text = parse_code_points(row->fields[1]);
    char lower[LONG];

    /* The encoder writes lower-case digits: sample I alone has an upper-case one. */
    snprintf(lower, sizeof lower, "%s", row->fields[2]);
    if (row->fields[0][0] == 'I')
        *strchr(lower, 'D') = 'd';
    expect_decoded(row->fields[2], &text);
    expect_encoded(&text, lower);
}

static void codes_example(void **state)
{
    const struct vector *row = *state;
    struct text text = {.len = 0};
    size_t bad_at;

    assert_int_equal(xn_utf8_decode((const uint8_t *)row->fields[0], strlen(row->fields[0]),
                                    text.cps, LONG, &text.len, &bad_at),
                     XN_OK);
    expect_decoded(row->fields[1], &text);
    expect_encoded(&text, row->fields[1]);
}

/* --- traces of sections 7.2 and 7.3 --- */

struct trace_row {
    const char *digits;
    uint32_t delta, bias, code_point, index;
};

struct trace {
    const char *name, *punycode;
    struct trace_row rows[10];
};

static struct trace trace_b = {"trace of sample B",
                               "ihqwcrb4cv8a8dqg056pqjye",
                               {{"ihq", 19853, 21, 0x4E0D, 0},
                                {"wc", 64, 20, 0x4E2D, 1},
                                {"rb", 37, 13, 0x4E3A, 0},
                                {"4c", 56, 17, 0x4E48, 1},
                                {"v8a", 599, 32, 0x4EC0, 1},
                                {"8d", 130, 23, 0x4ED6, 0},
                                {"qg", 154, 25, 0x4EEC, 1},
                                {"056p", 46301, 84, 0x6587, 7},
                                {"qjye", 88531, 90, 0x8BF4, 6}}};

static struct trace trace_l = {"trace of sample L",
                               "3B-ww4c5e180e575a65lsy2b",
                               {{"ww4c", 62042, 27, 0x5148, 2},
                                {"5e", 139, 24, 0x516B, 2},
                                {"180e", 16683, 67, 0x5E74, 1},
                                {"575a", 34821, 82, 0x751F, 5},
                                {"65l", 14592, 67, 0x7D44, 3},
                                {"sy2b", 42088, 84, 0x91D1, 4}}};

static void expect_steps(const struct trace *trace, const struct xn_punycode_step *steps,
                         size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct trace_row *row = &trace->rows[i];

        assert_int_equal(steps[i].digits_len, strlen(row->digits));
        assert_memory_equal(trace->punycode + steps[i].digits_at, row->digits, steps[i].digits_len);
        assert_int_equal(steps[i].delta, row->delta);
        assert_int_equal(steps[i].bias, row->bias);
        assert_int_equal(steps[i].code_point, row->code_point);
        assert_int_equal(steps[i].index, row->index);
    }
    assert_null(trace->rows[count].digits);
}

static void traces_deltas(void **state)
{
    const struct trace *trace = *state;
    struct xn_punycode_step steps[LONG];
    uint32_t cps[LONG];
    uint8_t again[LONG];
    struct xn_punycode_notes notes = {.steps = steps};
    size_t len, again_len;

    assert_int_equal(xn_punycode_decode_traced((const uint8_t *)trace->punycode,
                                               strlen(trace->punycode), cps, LONG, &len, &notes),
                     XN_OK);
    expect_steps(trace, steps, notes.step_count);
    assert_int_equal(xn_punycode_encode_traced(cps, len, again, LONG, &again_len, &notes), XN_OK);
    assert_int_equal(again_len, strlen(trace->punycode));
    assert_memory_equal(again, trace->punycode, again_len);
    expect_steps(trace, steps, notes.step_count);
}

TEST(traces_refusal, "traces refusal")
{
    struct xn_punycode_step steps[8];
    uint32_t cps[8];
    struct xn_punycode_notes notes = {.steps = steps};
    size_t len;

    assert_int_equal(xn_punycode_decode_traced((const uint8_t *)"tda9", 4, cps, 8, &len, &notes),
                     XN_PUNY_TRUNCATED);
    assert_int_equal(notes.step_count, 1);
    assert_int_equal(steps[0].code_point, 0xFC);
}

/* --- refusals --- */

struct refusal {
    const char *punycode;
    xn_status status;
    size_t at; /* offset of the octet in question */
    const char *why;
};

static struct refusal refusals[] = {
    {"b\xC3\xBC-kva", XN_PUNY_NOT_BASIC, 1, "an octet above 0x7F among the literals"},
    {"bcher-kv\xC3", XN_PUNY_BAD_DIGIT, 8, "an octet above 0x7F among the digits (CVE-2017-14062)"},
    {"-90a", XN_PUNY_LEADING_DELIMITER, 0, "xn---90a"},
    {"-", XN_PUNY_LEADING_DELIMITER, 0, "xn---"},
    {"foo#bar", XN_PUNY_BAD_DIGIT, 3, "a letter that is no digit"},
    {"a_b", XN_PUNY_BAD_DIGIT, 1, "an underscore"},
    {"a b", XN_PUNY_BAD_DIGIT, 1, "a blank"},
    {"@", XN_PUNY_BAD_DIGIT, 0, "the octet before A"},
    {"[", XN_PUNY_BAD_DIGIT, 0, "the octet behind Z"},
    {"`", XN_PUNY_BAD_DIGIT, 0, "the octet before a"},
    {"{", XN_PUNY_BAD_DIGIT, 0, "the octet behind z"},
    {"/", XN_PUNY_BAD_DIGIT, 0, "the octet before 0"},
    {":", XN_PUNY_BAD_DIGIT, 0, "the octet behind 9"},
    {"9", XN_PUNY_TRUNCATED, 1, "CVE-2026-87080"},
    {"xx", XN_PUNY_TRUNCATED, 2, "BIND's fake A-label"},
    {"bcher-kv", XN_PUNY_TRUNCATED, 8, "one digit short"},
    {"9999999999a", XN_PUNY_OVERFLOW, 7, "more than 32 bits"},
    {"99999999", XN_PUNY_OVERFLOW, 7, "more than 32 bits before the end is missed"},
    {"0000h", XN_CP_RANGE, 0, "U+127252"},
    {"99999a", XN_CP_RANGE, 0, "U+48A3C1"},
    {"rk488f", XN_CP_RANGE, 0, "U+A3EFC1"},
    {"dn32h", XN_CP_RANGE, 0, "U+110000 is one too many"},
    {"ab-zd9k", XN_CP_SURROGATE, 3, "U+D800"},
    {"2j1bs7h18gi7t9eq", XN_CP_SURROGATE, 13, "U+DFD8"},
};

TEST_ROWS(places_decoder_refusals, refusals, why)
{
    const struct refusal *refusal = *state;
    uint32_t dst[LONG];
    size_t len = 1;

    assert_int_equal(decode(refusal->punycode, dst, LONG, &len), refusal->status);
    assert_int_equal(len, 0);
    len = 1;
    struct xn_punycode_notes notes = {.bad_at = LONG};
    assert_int_equal(xn_punycode_decode_traced((const uint8_t *)refusal->punycode,
                                               strlen(refusal->punycode), dst, LONG, &len, &notes),
                     refusal->status);
    assert_int_equal(len, 0);
    assert_int_equal(notes.bad_at, refusal->at);
}

TEST(takes_nul_as_literal, "takes nul as literal")
{
    uint32_t dst[4];
    size_t len;

    assert_int_equal(xn_punycode_decode((const uint8_t *)"\0", 1, dst, 4, &len), XN_PUNY_BAD_DIGIT);
    assert_int_equal(xn_punycode_decode((const uint8_t *)"\0-", 2, dst, 4, &len), XN_OK);
    assert_int_equal(len, 1);
    assert_int_equal(dst[0], 0);
}

TEST(refuses_surrogates_and_large_numbers, "refuses surrogates and large numbers")
{
    static const struct {
        uint32_t cp;
        xn_status status;
    } rows[] = {{0xD7FF, XN_OK},          {0xD800, XN_CP_SURROGATE}, {0xDFFF, XN_CP_SURROGATE},
                {0xE000, XN_OK},          {0x10FFFF, XN_OK},         {0x110000, XN_CP_RANGE},
                {UINT32_MAX, XN_CP_RANGE}};
    char dst[16];
    size_t len;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(encode(&rows[i].cp, 1, dst, sizeof dst - 1, &len), rows[i].status);
}

/* --- CVE-2022-3602: output of exactly the room there is --- */

TEST(fills_exact_room, "fills exact room")
{
    uint8_t *src;
    uint32_t *dst;
    size_t len;

    for (size_t cps = 511; cps <= 513; cps++) {
        src = malloc(cps + 2);
        memset(src, 'a', cps + 2);
        memcpy(src, "tda", 3); /* one "ü", then one more for each "a" */
        dst = malloc(512 * sizeof *dst);
        assert_int_equal(xn_punycode_decode(src, cps + 2, dst, 512, &len),
                         cps > 512 ? XN_NO_SPACE : XN_OK);
        assert_int_equal(len, cps > 512 ? 0 : cps);
        free(src);
        free(dst);
    }
}

/* --- both ways --- */

/* decode(encode(x)) = x: scalar values near each other, as words have them, and anywhere. */
TEST(decodes_what_it_encodes, "decodes what it encodes")
{
    uint32_t seed = 7;

    for (int i = 0; i < 200000; i++) {
        uint32_t cps[32], back[512], base = random_next(&seed) % 0x110000,
                                     spread = i % 2 ? 64 : 0x110000;
        uint8_t dst[512];
        size_t len = random_next(&seed) % 32, dst_len, back_len;

        for (size_t j = 0; j < len; j++) {
            cps[j] = (random_next(&seed) % 4 ? base + random_next(&seed) % spread
                                             : random_next(&seed) % 128) %
                     0x110000;
            if (cps[j] - 0xD800 < 0x800)
                cps[j] = 'x';
        }
        assert_int_equal(xn_punycode_encode(cps, len, dst, sizeof dst, &dst_len), XN_OK);
        assert_int_equal(xn_punycode_decode(dst, dst_len, back, 512, &back_len), XN_OK);
        assert_int_equal(back_len, len);
        assert_memory_equal(back, cps, len * sizeof *cps);
    }
}

/* --- places of refusals --- */

enum { SIZE = 16 };

static size_t random_input(uint32_t *seed, uint8_t *src)
{
    static const char digits[] = "abcdefghijklmnopqrstuvwxyz0123456789-99";
    size_t len = 1 + random_below(seed, SIZE);

    for (size_t i = 0; i < len; i++)
        src[i] = random_below(seed, 99) == 0 ? (uint8_t)random_next(seed)
                                             : (uint8_t)digits[random_below(seed, 39)];
    return len;
}

/* The result is that of the other functions. The place is behind the steps that were taken. The
 * input before it is no reason to refuse the whole, except that it may be cut off. */
TEST(places_random_refusals, "places random refusals")
{
    uint32_t seed = 20261123;
    unsigned seen[XN_UNICODE_DATA] = {0};

    for (unsigned round = 0; round < 2000000; round++) {
        struct xn_punycode_step steps[SIZE];
        uint8_t src[SIZE];
        uint32_t dst[SIZE], again[SIZE];
        struct xn_punycode_notes notes = {.steps = steps, .bad_at = 99};
        size_t src_len = random_input(&seed, src), len, again_len, taken = 0;
        size_t cap = random_below(&seed, 4) == 0 ? random_below(&seed, SIZE) : SIZE;

        xn_status status = xn_punycode_decode_traced(src, src_len, dst, cap, &len, &notes);
        seen[status]++;
        assert_int_equal(status, xn_punycode_decode(src, src_len, again, cap, &again_len));
        size_t bad_at = notes.bad_at, count = notes.step_count;
        assert_int_equal(len, again_len);
        if (status == XN_OK)
            assert_memory_equal(dst, again, len * sizeof *dst);
        if (status == XN_OK || status == XN_PUNY_TRUNCATED)
            assert_int_equal(bad_at, src_len);
        else
            assert_in_range(bad_at, 0, src_len - 1);
        if (count > 0)
            taken = steps[count - 1].digits_at + steps[count - 1].digits_len;
        assert_true(bad_at >= taken);
        if (count > 0 && (status == XN_CP_RANGE || status == XN_CP_SURROGATE))
            assert_int_equal(bad_at, taken);
        if (status == XN_PUNY_BAD_DIGIT) {
            xn_status before = xn_punycode_decode(src, bad_at, dst, SIZE, &len);
            assert_true(before == XN_OK || before == XN_PUNY_TRUNCATED);
        }
    }
    for (int status = XN_PUNY_NOT_BASIC; status <= XN_CP_RANGE; status++)
        assert_true(seen[status] > 100);
}

TEST(reports_place_without_room, "reports place without room")
{
    uint32_t dst[4];
    struct xn_punycode_notes notes = {.bad_at = 9};
    size_t len = 9;

    assert_int_equal(xn_punycode_decode_traced(NULL, 0, NULL, 0, &len, &notes), XN_OK);
    assert_int_equal(len, 0);
    assert_int_equal(notes.bad_at, 0);
    assert_int_equal(xn_punycode_decode_traced((const uint8_t *)"abc-", 4, dst, 2, &len, &notes),
                     XN_NO_SPACE);
    assert_int_equal(notes.bad_at, 2);
    assert_int_equal(xn_punycode_decode_traced((const uint8_t *)"tdatda", 6, dst, 1, &len, &notes),
                     XN_NO_SPACE);
    assert_int_equal(notes.bad_at, 3);
}

/* --- the encoder --- */

static struct encoding {
    const char *name;
    uint32_t src[4];
    size_t len, cap;
    xn_status status;
    size_t bad_at;
} encodings[] = {
    {"nothing", {0}, 0, 0, XN_OK, 0},
    {"all is well", {'a', 0xFC}, 2, 16, XN_OK, 2},
    {"a surrogate", {'a', 0xFC, 0xD800, 0xDFFF}, 4, 16, XN_CP_SURROGATE, 2},
    {"beyond Unicode", {0xFC, 0x110000, 0xD800}, 3, 16, XN_CP_RANGE, 1},
    {"no room for a literal", {'a', 'b', 'c'}, 3, 2, XN_NO_SPACE, 2},
    {"no room for the delimiter", {'a', 'b', 'c'}, 3, 3, XN_NO_SPACE, 3},
    {"no room for the digits of the least", {0x20AC, 'a', 0xFC}, 3, 2, XN_NO_SPACE, 2},
    {"no room for the digits of the next", {0x20AC, 'a', 0xFC}, 3, 5, XN_NO_SPACE, 0},
};

TEST_ROWS(places_encoder_refusals, encodings, name)
{
    const struct encoding *row = *state;
    uint8_t dst[16], again[16];
    struct xn_punycode_notes notes = {.bad_at = 9};
    size_t len = 9, again_len = 9;

    assert_int_equal(xn_punycode_encode_traced(row->src, row->len, dst, row->cap, &len, &notes),
                     row->status);
    assert_int_equal(notes.bad_at, row->bad_at);
    assert_int_equal(xn_punycode_encode(row->src, row->len, again, row->cap, &again_len),
                     row->status);
    assert_int_equal(len, again_len);
    assert_memory_equal(dst, again, len);
}

/* The delta of U+10FFFF beside h literals, (0x10FFFF - 0x80) * (h + 1), needs 32 bits with 3854 of
 * them (CVE-2026-74765: more than a signed int holds), and 33 with two more. */
TEST(refuses_large_delta, "refuses large delta")
{
    enum { LEN = 3855, AT = 1234 };
    static uint32_t src[LEN + 2], back[LEN + 2];
    static uint8_t dst[LEN + 20];
    struct xn_punycode_notes notes = {.steps = NULL};
    size_t len, back_len;

    for (size_t i = 0; i < LEN + 2; i++)
        src[i] = 'a';
    src[AT] = 0x10FFFF;
    assert_int_equal(xn_punycode_encode_traced(src, LEN, dst, sizeof dst, &len, &notes), XN_OK);
    assert_int_equal(notes.bad_at, LEN);
    assert_int_equal(xn_punycode_decode(dst, len, back, LEN + 2, &back_len), XN_OK);
    assert_int_equal(back_len, LEN);
    assert_memory_equal(back, src, LEN * sizeof *src);
    assert_int_equal(xn_punycode_encode_traced(src, LEN + 2, dst, sizeof dst, &len, &notes),
                     XN_PUNY_OVERFLOW);
    assert_int_equal(notes.bad_at, AT);
    assert_int_equal(xn_punycode_encode(src, LEN + 2, dst, sizeof dst, &len), XN_PUNY_OVERFLOW);
    assert_int_equal(len, 0);
}

/* A length that 32 bits do not hold is refused before anything is read. */
TEST(refuses_large_length, "refuses large length")
{
    struct xn_punycode_notes notes = {.bad_at = 0};
    size_t len = 1;

    assert_int_equal(xn_punycode_decode_traced(NULL, UINT32_MAX, NULL, 0, &len, &notes),
                     XN_PUNY_OVERFLOW);
    assert_int_equal(notes.bad_at, UINT32_MAX - 1);
    assert_int_equal(len, 0);
    len = 1;
    assert_int_equal(xn_punycode_encode_traced(NULL, UINT32_MAX, NULL, 0, &len, &notes),
                     XN_PUNY_OVERFLOW);
    assert_int_equal(notes.bad_at, UINT32_MAX - 1);
    assert_int_equal(len, 0);
}

/* A delta of 2^32 - 256 fits, and one for each of 255 more literals; the next does not. */
TEST(refuses_counted_delta, "refuses counted delta")
{
    enum { LITERALS = 3855 };
    uint32_t *cps = malloc((LITERALS + 1) * sizeof *cps);
    uint8_t *dst = malloc(2 * LITERALS);
    struct xn_punycode_notes notes = {.bad_at = 0};
    size_t len;

    for (size_t i = 0; i < LITERALS; i++)
        cps[i] = 'a';
    cps[LITERALS] = 0x80 + (UINT32_MAX - 255) / (LITERALS + 1);
    assert_int_equal(
        xn_punycode_encode_traced(cps, LITERALS + 1, dst, (size_t)2 * LITERALS, &len, &notes),
        XN_PUNY_OVERFLOW);
    assert_int_equal(notes.bad_at, LITERALS);
    free(dst);
    free(cps);
}

int main(void)
{
    add_vectors("tests/vectors/rfc3492-samples.tsv", "sample", codes_sample);
    add_vectors("tests/vectors/punycode-examples.tsv", "example", codes_example);
    add_test(trace_b.name, traces_deltas, &trace_b);
    add_test(trace_l.name, traces_deltas, &trace_l);
    return run_unit();
}
