/* SPDX-License-Identifier: BSD-3-Clause */
/* The fast ways through Punycode give what the plain one gives, which `make prove` shows to be safe
 * by itself: result, output, length, and nothing is read or written beside what the caller gave.
 *
 *     equal short              every short payload
 *     equal points             every code point, alone and in company
 *     equal random SEED COUNT  labels of four kinds
 *
 * XN_CPU=generic in the environment: of the variant that every processor has. Prints TAP, and what
 * was asked where two ways differ. */
#include "core/punycode/label.h"
#include "core/punycode/trace.h"
#include "core/text/cpu.h"
#include "core/text/utf8.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LEN_MAX = XN_PUNYLABEL_MAX + 4, OCTETS_MAX = 6 * LEN_MAX, PRINTED_MAX = 20 };

/* --- what is asked, and what was wrong --- */

static struct {
    const char *way;
    const uint8_t *octets; /* or */
    const uint32_t *cps;
    size_t len, cap;
} asked;
static uint64_t calls, accepted, texts, wrong;

static void print_asked(const char *what)
{
    printf("# %s, %zu elements, room for %zu: %s:", asked.way, asked.len, asked.cap, what);
    for (size_t i = 0; i < asked.len; i++)
        printf(asked.octets ? " %02X" : " U+%04X",
               (unsigned)(asked.octets ? asked.octets[i] : asked.cps[i]));
    printf("\n");
}

static void expect(bool good, const char *otherwise)
{
    if (!good && wrong++ < PRINTED_MAX)
        print_asked(otherwise);
}

/* --- buffers that begin or end where there is no memory --- */

enum { FENCED = 4096, BEHIND = 32, UNTOUCHED = 0xA5 };

struct fenced {
    uint8_t *octets; /* FENCED of them */
    uint8_t *behind; /* of what was placed last: room that is left */
};
static struct fenced source, target;

static struct fenced open_fenced(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *pages = mmap(NULL, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (page != FENCED || pages == MAP_FAILED ||
        mprotect(pages + page, page, PROT_READ | PROT_WRITE) != 0) {
        printf("Bail out! no pages of %d octets\n", FENCED);
        exit(1);
    }
    return (struct fenced){pages + page, pages + 2 * page};
}

/* Every other call at the end of the page, every other at its beginning. */
static void *place(struct fenced *fenced, size_t size)
{
    bool first = calls & 1;

    fenced->behind = fenced->octets + (first ? size : FENCED);
    if (first)
        memset(fenced->behind, UNTOUCHED, BEHIND);
    return fenced->behind - size;
}

static bool is_untouched_behind(const struct fenced *fenced)
{
    if (fenced->behind == fenced->octets + FENCED)
        return true;
    for (size_t i = 0; i < BEHIND; i++)
        if (fenced->behind[i] != UNTOUCHED)
            return false;
    return true;
}

static void say_where_it_ended(int signal)
{
    print_asked("reads or writes beside a buffer");
    printf("Bail out! signal %d\n", signal);
    fflush(stdout);
    _exit(1);
}

/* --- comparing: here a further way is added --- */

static void expect_same(xn_status status, const void *got, size_t got_len, xn_status plain_status,
                        const void *plain, size_t plain_len, size_t element)
{
    expect(status == plain_status, "another result");
    expect(got_len == plain_len, "another length");
    if (status == XN_OK && got_len == plain_len)
        expect(memcmp(got, plain, got_len * element) == 0, "another output");
    expect(is_untouched_behind(&target), "writes behind the output's room");
    calls++;
    accepted += plain_status == XN_OK;
}

/* The text of a label, where the fast way writes it, is what is written one by one. */
static void check_text(const uint8_t *octets, size_t len, const uint32_t *cps, size_t cps_len)
{
    uint8_t *src = place(&source, len), plain[XN_PUNYLABEL_TEXT];
    uint8_t *text = place(&target, XN_PUNYLABEL_TEXT);
    uint32_t dst[XN_PUNYLABEL_MAX];
    size_t dst_len, text_len, plain_len = 0;

    memcpy(src, octets, len);
    asked.way = "decode to text";
    if (!xn_punylabel_decode_text(src, len, dst, &dst_len, text, &text_len))
        return;
    for (size_t i = 0; i < cps_len; i++)
        plain_len += xn_utf8_write(cps[i], plain + plain_len);
    expect(dst_len == cps_len && memcmp(dst, cps, cps_len * sizeof *cps) == 0, "other code points");
    expect_same(XN_OK, text, text_len, XN_OK, plain, plain_len, sizeof *plain);
    texts++;
}

/* Returns whether it is Punycode that fits; cps has room for LEN_MAX. */
static bool decode(const uint8_t *octets, size_t len, size_t cap, uint32_t *cps, size_t *cps_len)
{
    struct xn_punycode_step steps[LEN_MAX];
    uint8_t *src = place(&source, len);
    uint32_t *dst = place(&target, cap * sizeof *dst);
    struct xn_punycode_notes notes = {.steps = steps};
    size_t dst_len;

    memcpy(src, octets, len);
    asked.way = "decode", asked.octets = octets, asked.len = len, asked.cap = cap;
    xn_status plain = xn_punycode_decode_traced(octets, len, cps, cap, cps_len, &notes);
    xn_status status = xn_punycode_decode(src, len, dst, cap, &dst_len);
    expect_same(status, dst, dst_len, plain, cps, *cps_len, sizeof *cps);
    if (len <= XN_PUNYLABEL_MAX && cap >= len)
        check_text(octets, len, cps, *cps_len);
    return plain == XN_OK;
}

/* The same; octets has room for OCTETS_MAX. */
static bool encode(const uint32_t *cps, size_t len, size_t cap, uint8_t *octets, size_t *octets_len)
{
    struct xn_punycode_step steps[LEN_MAX];
    uint32_t *src = place(&source, len * sizeof *src);
    uint8_t *dst = place(&target, cap);
    struct xn_punycode_notes notes = {.steps = steps};
    size_t dst_len;

    memcpy(src, cps, len * sizeof *src);
    asked.way = "encode", asked.octets = NULL, asked.cps = cps, asked.len = len, asked.cap = cap;
    xn_status plain = xn_punycode_encode_traced(cps, len, octets, cap, octets_len, &notes);
    xn_status status = xn_punycode_encode(src, len, dst, cap, &dst_len);
    expect_same(status, dst, dst_len, plain, octets, *octets_len, sizeof *octets);
    return plain == XN_OK;
}

static bool same_but_case(const uint8_t *a, const uint8_t *b, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (a[i] != b[i] && ((a[i] ^ b[i]) != 0x20 || (a[i] | 0x20) < 'a' || (a[i] | 0x20) > 'z'))
            return false;
    return true;
}

/* A string has one Punycode but for the case of its letters. */
static void check_payload(const uint8_t *octets, size_t len, size_t cap)
{
    uint32_t cps[LEN_MAX];
    uint8_t again[OCTETS_MAX];
    size_t cps_len, again_len;

    if (!decode(octets, len, cap, cps, &cps_len))
        return;
    encode(cps, cps_len, LEN_MAX + 1, again, &again_len);
    expect(again_len == len && same_but_case(again, octets, len), "not what was decoded");
}

static void check_code_points(const uint32_t *cps, size_t len, size_t cap)
{
    uint8_t octets[OCTETS_MAX];
    uint32_t again[LEN_MAX];
    size_t octets_len, again_len;

    if (!encode(cps, len, cap, octets, &octets_len) || octets_len > LEN_MAX)
        return;
    decode(octets, octets_len, octets_len, again, &again_len);
    expect(again_len == len && memcmp(again, cps, len * sizeof *cps) == 0, "not what was encoded");
}

/* --- every short payload, every code point --- */

static const char ldh[] = "abcdefghijklmnopqrstuvwxyz0123456789-ABCDEFGHIJKLMNOPQRSTUVWXYZ";

static void check_short_payloads(void)
{
    enum { KINDS = sizeof ldh - 1 };
    uint8_t octets[4];

    check_payload(octets, 0, 0);
    for (size_t len = 1; len <= 3; len++)
        for (uint32_t number = 0; number < 1u << 8 * len; number++) {
            for (size_t i = 0; i < len; i++)
                octets[i] = (uint8_t)(number >> 8 * i);
            check_payload(octets, len, len);
        }
    for (uint32_t number = 0; number < KINDS * KINDS * KINDS * KINDS; number++) {
        for (uint32_t i = 0, left = number; i < 4; i++, left /= KINDS)
            octets[i] = (uint8_t)ldh[left % KINDS];
        check_payload(octets, 4, 4);
    }
}

static void check_code_point(uint32_t cp)
{
    static const uint32_t company[] = {'a', 0x80, 0xFC, 0x4E00, 0xD7FF, 0xE000, 0x10FFFF};

    check_code_points(&cp, 1, LEN_MAX);
    check_code_points((uint32_t[]){cp, cp}, 2, LEN_MAX);
    for (size_t i = 0; i < sizeof company / sizeof *company; i++) {
        check_code_points((uint32_t[]){cp, company[i]}, 2, LEN_MAX);
        check_code_points((uint32_t[]){company[i], cp}, 2, LEN_MAX);
    }
}

/* Those that are none: the next 65,536, and what is one, or ASCII, without its upper bits. */
static void check_every_code_point(void)
{
    for (uint32_t cp = 0; cp < 0x120000; cp++)
        check_code_point(cp);
    for (int bit = 21; bit < 32; bit++)
        for (uint32_t low = 0; low < 0x400; low++) {
            check_code_point((UINT32_C(1) << bit) + low);
            check_code_point((UINT32_C(1) << bit) - 1 - low);
            check_code_point(UINT32_MAX << bit | low);
        }
}

/* --- random labels --- */

/* SplitMix64. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);

    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static uint32_t random_below(uint64_t *state, uint32_t end)
{
    return (uint32_t)((next_random(state) >> 32) * end >> 32);
}

static size_t random_octets(uint64_t *state, uint8_t *octets)
{
    size_t len = random_below(state, LEN_MAX + 1);

    for (size_t i = 0; i < len; i++)
        octets[i] = (uint8_t)next_random(state);
    return len;
}

/* Small digits, of which one ends a delta, are as frequent as others in one label of two. */
static size_t random_digits(uint64_t *state, uint8_t *octets)
{
    size_t len = random_below(state, LEN_MAX + 1);
    uint32_t kinds = random_below(state, 2) ? sizeof ldh - 1 : 1 + random_below(state, 36);

    for (size_t i = 0; i < len; i++)
        octets[i] = (uint8_t)ldh[random_below(state, kinds)];
    if (len > 0 && random_below(state, 2))
        octets[random_below(state, (uint32_t)len)] = '-';
    return len;
}

/* Neighbours, as words have them, ASCII between them, and now and then something from anywhere. */
static size_t random_code_points(uint64_t *state, uint32_t *cps)
{
    static const uint32_t blocks[] = {0x80,   0xE0,   0x400,  0x5D0,  0x627,   0x900,   0xE01,
                                      0x4E00, 0xAC00, 0xD7F0, 0xFFF0, 0x1F600, 0x10FFF0};
    uint32_t block = blocks[random_below(state, sizeof blocks / sizeof *blocks)];
    uint32_t spread = 1u << random_below(state, 14), ascii = random_below(state, 9);
    size_t len = random_below(state, LEN_MAX + 1);

    for (size_t i = 0; i < len; i++)
        cps[i] = random_below(state, 8) < ascii ? random_below(state, 0x80)
                                                : block + random_below(state, spread);
    if (len > 0 && random_below(state, 8) == 0)
        cps[random_below(state, (uint32_t)len)] =
            random_below(state, 4) ? random_below(state, 0x111000) : (uint32_t)next_random(state);
    return len;
}

/* Makes a mutant of the encoder's output: one to three octets are changed, left out or cut off. */
static size_t random_mutant(uint64_t *state, uint8_t *octets)
{
    uint8_t encoded[OCTETS_MAX];
    uint32_t cps[LEN_MAX];
    size_t len;

    if (xn_punycode_encode(cps, random_code_points(state, cps), encoded, sizeof encoded, &len) !=
            XN_OK ||
        len == 0)
        return 0;
    len = len < LEN_MAX ? len : LEN_MAX;
    memcpy(octets, encoded, len);
    for (uint32_t changes = 1 + random_below(state, 3); len > 0 && changes > 0; changes--) {
        size_t at = random_below(state, (uint32_t)len);
        switch (random_below(state, 8)) {
        case 0:
            octets[at] = (uint8_t)next_random(state);
            break;
        case 1:
            memmove(octets + at, octets + at + 1, --len - at);
            break;
        case 2:
            len = at;
            break;
        default:
            octets[at] = (uint8_t)ldh[random_below(state, sizeof ldh - 1)];
        }
    }
    return len;
}

static void check_random_label(uint64_t *state)
{
    uint32_t cps[LEN_MAX], kind = random_below(state, 4);
    uint8_t octets[LEN_MAX];
    size_t len = kind == 0   ? random_octets(state, octets)
                 : kind == 1 ? random_digits(state, octets)
                 : kind == 2 ? random_mutant(state, octets)
                             : random_code_points(state, cps);
    bool tight = random_below(state, 8) == 0;

    if (kind == 3)
        check_code_points(cps, len, tight ? random_below(state, OCTETS_MAX) : XN_PUNYLABEL_MAX);
    else
        check_payload(octets, len, tight ? random_below(state, LEN_MAX + 1) : len);
}

static void check_random_labels(uint64_t seed, uint64_t count)
{
    for (uint64_t state = seed; count > 0; count--)
        check_random_label(&state);
}

int main(int argc, char **argv)
{
    char what[64];

    setvbuf(stdout, NULL, _IOLBF, 0);
    source = open_fenced();
    target = open_fenced();
    signal(SIGSEGV, say_where_it_ended);
    signal(SIGBUS, say_where_it_ended);
    if (argc == 2 && strcmp(argv[1], "short") == 0) {
        snprintf(what, sizeof what, "every payload up to 3 octets, 4 LDH");
        check_short_payloads();
    } else if (argc == 2 && strcmp(argv[1], "points") == 0) {
        snprintf(what, sizeof what, "every code point");
        check_every_code_point();
    } else if (argc == 4 && strcmp(argv[1], "random") == 0) {
        snprintf(what, sizeof what, "%s random labels, seed %s", argv[3], argv[2]);
        check_random_labels(strtoull(argv[2], NULL, 0), strtoull(argv[3], NULL, 0));
    } else {
        fprintf(stderr, "usage: equal short | points | random SEED COUNT\n");
        return 2;
    }
    bool good = wrong == 0 && accepted > 0 && texts > 0;
    printf("%s 1 - %s (%s): %" PRIu64 " calls, %" PRIu64 " accepted, %" PRIu64 " as text, %" PRIu64
           " differ\n1..1\n",
           good ? "ok" : "not ok", what, xn_cpu_is_haswell() ? "haswell" : "generic", calls,
           accepted, texts, wrong);
    return !good;
}
