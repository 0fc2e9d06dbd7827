/* SPDX-License-Identifier: BSD-3-Clause */
/* That no number in the Punycode loops wraps, which C allows and RFC 3492, section 6.4, does not:
 * what the functions of core/punycode/punycode.c may rely on and what they promise, for Frama-C's
 * WP. tests/prove/punycode_numbers.py has this included in a copy of that file, behind its structs,
 * and the loops' invariants. BIAS_MAX is from there. About memory nothing is asked here: Eva is. */
#ifndef XN_TESTS_PROVE_NUMBERS_H
#define XN_TESTS_PROVE_NUMBERS_H

/* Shown as all else is, and here because the provers would not think of them. */
/*@ lemma product_fits: \forall integer a, b, c;
      0 <= a && 0 <= b && 0 < c && a <= b / c ==> a * c <= b;
    lemma product_of_sums_fits: \forall integer m, n, h, b;
      n <= m && 0 <= h && 0 <= b && m - n <= b / (h + 1) ==> (m - n) * (h + 1) <= b;
    lemma quotient_below: \forall integer a, b, c; 0 <= a && 0 < c && a < b * c ==> a / c < b;
    lemma quotient_at_most: \forall integer a, b, c;
      0 <= a && 0 < b <= c ==> 0 <= a / c <= a / b;
    lemma product_at_least: \forall integer a, b, c; 0 <= a && 0 <= b <= c ==> b * a <= a * c; */

/* Counts the code points among the first `len` that are smaller than n. */
/*@ axiomatic Below {
      logic integer below{L}(uint32_t *src, integer len, integer n) reads src[0 .. len - 1];
      axiom none_below{L}: \forall uint32_t *src, integer n; below(src, 0, n) == 0;
      axiom one_more_below{L}: \forall uint32_t *src, integer len, n; len >= 0 ==>
        below(src, len + 1, n) == below(src, len, n) + (src[len] < n ? 1 : 0);
    }
    predicate are_code_points{L}(uint32_t *src, integer len) =
      \forall integer j; 0 <= j < len ==> src[j] <= 0x10FFFF; */

/*@ assigns \nothing;
    ensures \result <= 36; */
static uint32_t decode_digit(uint8_t cp);

/*@ assigns \nothing;
    ensures \result == 0 ==> cp <= 0x10FFFF; */
static xn_status check_code_point(uint32_t cp);

/*@ assigns \nothing;
    ensures \result <==> cp < 0x80; */
static bool is_basic(uint32_t cp);

/*@ requires digit <= 35;
    assigns \nothing; */
static uint8_t encode_digit(uint32_t digit);

/*@ assigns notes->bad_at;
    ensures \result == status; */
static xn_status refuse(struct xn_punycode_notes *notes, xn_status status, size_t at);

/*@ requires numpoints >= 1;
    assigns \nothing;
    ensures \result <= BIAS_MAX; */
static uint32_t adapt(uint32_t delta, uint32_t numpoints, bool firsttime);

/*@ requires bias <= BIAS_MAX;
    assigns \nothing;
    ensures 1 <= \result <= 26; */
static uint32_t threshold(uint32_t k, uint32_t bias);

/*@ requires 10 <= factor <= 35;
    assigns *w;
    ensures \result != 0 ==> *w == \old(*w) * factor && *w >= 10 * \old(*w); */
static bool multiply(uint32_t *w, uint32_t factor);

/*@ requires bias <= BIAS_MAX;
    requires \base_addr(*pos) == \base_addr(end) && *pos <= end;
    assigns *pos, *delta;
    ensures \base_addr(*pos) == \base_addr(end) && \old(*pos) <= *pos <= end;
    ensures \result != XN_PUNY_TRUNCATED ==> \old(*pos) < *pos; */
static xn_status read_delta(const uint8_t **pos, const uint8_t *end, uint32_t bias,
                            uint32_t *delta);

/*@ requires src_len < 0xFFFFFFFF;
    requires \separated(consumed, dst + (0 .. dst_cap - 1), notes);
    assigns dst[0 .. dst_cap - 1], *consumed, notes->bad_at;
    ensures \result == 0 ==> *consumed <= src_len; */
static xn_status copy_literals(const uint8_t *src, size_t src_len, uint32_t *dst, size_t dst_cap,
                               struct xn_punycode_notes *notes, size_t *consumed);

/*@ requires i <= out;
    assigns dst[0 .. out]; */
static void insert(uint32_t *dst, size_t out, uint32_t i, uint32_t n);

/*@ requires notes->steps == \null;
    assigns notes->step_count; */
static void note_step(struct xn_punycode_notes *notes, size_t number, struct xn_punycode_step step);

/*@ requires consumed <= src_len < 0xFFFFFFFF && *out <= consumed;
    requires notes->steps == \null && \separated(out, dst + (0 .. dst_cap - 1), notes); */
static xn_status decode_insertions(const uint8_t *src, size_t consumed, size_t src_len,
                                   uint32_t *dst, size_t dst_cap, size_t *out,
                                   struct xn_punycode_notes *notes);

/*@ assigns sink->len, sink->dst[0 .. sink->cap - 1];
    ensures \old(sink->len) <= sink->len <= \old(sink->len) + 1; */
static bool put(struct sink *sink, uint8_t octet);

/*@ requires bias <= BIAS_MAX;
    assigns sink->len, sink->dst[0 .. sink->cap - 1];
    ensures sink->len >= \old(sink->len); */
static bool write_delta(struct sink *sink, uint32_t delta, uint32_t bias);

/*@ requires src_len < 0xFFFFFFFF && \separated(b, src + (0 .. src_len - 1), sink, notes);
    assigns *b, sink->len, sink->dst[0 .. sink->cap - 1], notes->bad_at;
    ensures \result == 0 ==>
      are_code_points(src, src_len) && *b == below(src, src_len, 0x80) && *b <= src_len; */
static xn_status write_literals(const uint32_t *src, size_t src_len, struct sink *sink, uint32_t *b,
                                struct xn_punycode_notes *notes);

/*@ requires below(src, src_len, n) < src_len && are_code_points(src, src_len);
    assigns \nothing;
    ensures n <= \result <= 0x10FFFF;
    ensures below(src, src_len, \result) == below(src, src_len, n);
    ensures \exists integer j; 0 <= j < src_len && src[j] == \result; */
static uint32_t next_code_point(const uint32_t *src, size_t src_len, uint32_t n);

/*@ requires src_len < 0xFFFFFFFF;
    assigns \nothing; */
static size_t place_of(const uint32_t *src, size_t src_len, uint32_t cp);

/*@ requires src_len < 0xFFFFFFFF && are_code_points(src, src_len);
    requires b == below(src, src_len, 0x80) && b <= src_len;
    requires notes->steps == \null; */
static xn_status encode_insertions(const uint32_t *src, size_t src_len, struct sink *sink,
                                   uint32_t b, struct xn_punycode_notes *notes);

/*@ requires notes->steps == \null && \separated(notes, dst + (0 .. dst_cap - 1)); */
static xn_status decode(const uint8_t *src, size_t src_len, uint32_t *dst, size_t dst_cap,
                        size_t *dst_len, struct xn_punycode_notes *notes);

/*@ requires notes->steps == \null; */
static xn_status encode(const uint32_t *src, size_t src_len, uint8_t *dst, size_t dst_cap,
                        size_t *dst_len, struct xn_punycode_notes *notes);

#endif
