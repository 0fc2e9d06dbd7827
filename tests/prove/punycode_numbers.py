# SPDX-License-Identifier: BSD-3-Clause
"""Annotations that prove.py adds to a copy of core/punycode/punycode.c, so that WP shows that no number in its loops wraps, beside what
numbers.h says of its functions; and mistakes that have to be found."""

MAXINT = 2 ** 32 - 1
# The highest results of adapt(): five times round its loop, and 36 * delta / (delta + 38).
BIAS_MAX = 5 * 36 + 35

OUTPUT = "sink->len, sink->dst[0 .. sink->cap - 1]"


def either(cases):
    return " || ".join(f"({case})" for case in cases)


def annotation(assigns, *invariants):
    return "\n".join(["/*@", *(f"loop invariant {invariant};" for invariant in invariants), f"loop assigns {assigns}; */"])


# A turn divides by 35, multiplies by 10 at least, or divides by 10 at least.
ADAPT = annotation("k, delta", either(f"k == {36 * n} && delta <= {MAXINT // 35 ** n}" for n in range(6)))
READ = annotation("k, w, *pos, *delta",
                  either(f"k == {36 * (n + 1)} && w >= {10 ** n}" for n in range(10)),
                  r"\base_addr(*pos) == \base_addr(end) && *pos <= end",
                  r"36 * (*pos - \at(*pos, Pre)) == k - 36")
WRITE = annotation(f"k, q, {OUTPUT}",
                   either(f"k == {36 * (n + 1)} && q <= {MAXINT // 10 ** n}" for n in range(11)),
                   r"sink->len >= \at(sink->len, Pre)")
DECODE = annotation("n, i, bias, pos, count, dst[0 .. dst_cap - 1], notes->step_count",
                    r"\base_addr(pos) == \base_addr(src) && src + consumed <= pos <= end && end == src + src_len",
                    "literals <= count <= literals + (pos - (src + consumed)) && literals <= consumed",
                    "count <= dst_cap || count == literals",
                    "i <= count && bias <= BIAS_MAX")
LITERALS = annotation(f"j, *b, {OUTPUT}",
                      "j <= src_len && *b <= j && *b == below(src, j, 0x80) && are_code_points(src, j)")
NEXT = annotation("j, m",
                  "j <= src_len", "n <= m",
                  "m == 0xFFFFFFFF ==> below(src, j, n) == j",
                  r"m != 0xFFFFFFFF ==> m <= 0x10FFFF && \exists integer at; 0 <= at < j && src[at] == m",
                  r"\forall integer x; n <= x <= m ==> below(src, j, x) == below(src, j, n)")
ENCODE = annotation(f"n, delta, bias, h, {OUTPUT}, notes->step_count",
                    "h < src_len ==> h == below(src, src_len, n)",
                    "b <= h", "h <= src_len", "bias <= BIAS_MAX", "n <= 0x110000")
# h is how many have been written: those below n, and of those that are n the ones before j.
ENCODE_ONE = annotation(f"j, i, delta, bias, h, {OUTPUT}, notes->step_count",
                        "j <= src_len && i <= j && b <= h <= src_len && bias <= BIAS_MAX",
                        "below(src, j, n + 1) >= below(src, j, n)",
                        "h == below(src, src_len, n) + below(src, j, n + 1) - below(src, j, n)",
                        "below(src, j, n + 1) > below(src, j, n) ==> delta <= j",
                        r"\forall integer at; 0 <= at < j && src[at] == n ==> below(src, j, n + 1) > below(src, j, n)")

# Before which line what is added. Assertions are shown, too: they are steps that the provers do not find.
ADDED = {
    "static bool put(": '#include "tests/prove/numbers.h"',
    "    for (; delta > (base": ADAPT,
    "    for (uint32_t k = base;; k += base) {\n        if (*pos": READ,
    "    while (b > 0 && src": annotation("b", "b <= src_len"),
    "    for (size_t j = 0; j < b;": annotation("j, dst[0 .. b - 1]", "j <= b"),
    "    for (; at > i;": annotation("at, dst[0 .. out]", "i <= at <= out"),
    "    while (pos < end) {": DECODE,
    "    for (uint32_t k = base;; k += base) {\n        uint32_t t": WRITE,
    "    for (size_t j = 0; j < src_len; j++) {\n": LITERALS,
    "    for (size_t j = 0; j < src_len; j++)\n": NEXT,
    "        if (src[j] >= n && src[j] < m)":
        r"/*@ assert \forall integer x; below(src, j + 1, x) == below(src, j, x) + (src[j] < x ? 1 : 0); */",
    "    while (j + 1 < src_len &&": annotation("j", "j <= src_len"),
    "    while (h < src_len) {": ENCODE,
    "        delta += (m - n) * (h + 1);":
        "/*@ assert (uint32_t)(m - n) == m - n && (uint32_t)(h + 1) == h + 1; */\n"
        "/*@ assert m - n <= (0xFFFFFFFF - delta) / (h + 1); */\n"
        "/*@ assert (m - n) * (h + 1) <= 0xFFFFFFFF - delta; */",
    "        for (size_t j = 0; j < src_len && h < src_len; j++) {": ENCODE_ONE,
}

# A loop has one annotation: these are Eva's.
EVAS = ["/*@ loop unroll 5; */", "/*@ loop unroll 11; */", "/*@ loop invariant count <= dst_cap; */"]

# The functions whose numbers are proved; the others are proved to keep the promises of numbers.h.
FUNCTIONS = ["adapt", "threshold", "multiply", "read_delta", "copy_literals", "insert", "decode_insertions", "decode", "put",
             "write_delta", "write_literals", "next_code_point", "place_of", "encode_insertions", "encode"]

MUTANTS = [
    ("multiply", "if (*w > maxint / factor)", "if (*w > maxint / factor + 1)"),
    ("read_delta", "if (digit > (maxint - *delta) / w)", "if (digit > maxint / w)"),
    ("decode_insertions", "if (delta > maxint - i)", "if (delta == maxint)"),
    ("decode_insertions", "if (i / numpoints > maxint - n)", "if (i / numpoints > maxint - n + 1)"),
    ("encode_insertions", "if (m - n > (maxint - delta) / (h + 1))", "if (m - n > maxint / (h + 1))"),
    ("encode_insertions", "if (delta == maxint)", "if (delta == maxint - 1)"),
    ("next_code_point", "if (src[j] >= n && src[j] < m)", "if (src[j] > n && src[j] < m)"),
]
