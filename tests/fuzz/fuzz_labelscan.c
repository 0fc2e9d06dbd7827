/* SPDX-License-Identifier: BSD-3-Clause */
/* `unbound-idn filter`: what is written is what was read, but for whole A-labels, each as its
 * U-label, and that always where it begins a line and a blank is behind it; and however the stream
 * is cut, the same is written. The first two octets of an input are two places to cut at. */
#include "tests/fuzz/target.h"

#include "core/idna/label.h"
#include "core/idna/property.h"
#include "core/text/utf8.h"
#include "core/wire/wire.h"
#include "tools/filter/labelscan.h"

enum { SIZE_LIMIT = 4096 };

struct written {
    uint8_t *octets;
    size_t len, cap;
};

static void add(void *to, const uint8_t *octets, size_t len)
{
    struct written *written = to;

    assert_true(len > 0);
    while (written->len + len > written->cap) {
        written->cap = 2 * written->cap + SIZE_LIMIT;
        written->octets = realloc(written->octets, written->cap);
        assert_non_null(written->octets);
    }
    memcpy(written->octets + written->len, octets, len);
    written->len += len;
}

/* Gives the text in pieces that end at `cuts` and at its end, with no octet more before each than
 * is asked for. */
static struct written scan(const uint8_t *text, size_t size, const size_t *cuts, size_t cut_count)
{
    static struct labelscan_seen seen[LABELSCAN_SEEN];
    struct written written = {0};
    const struct labelscan labels = {
        .unicode = target_unicode(), .seen = seen, .write = add, .to = &written};
    size_t from = 0;

    for (size_t i = 0; i <= cut_count; i++) {
        bool last = i == cut_count;
        size_t end = last ? size : cuts[i];
        size_t start = from > LABELSCAN_BEFORE ? from - LABELSCAN_BEFORE : 0;
        uint8_t *window = exact_copy(text + start, end - start);
        size_t next = start + labelscan_read(&labels, window, from - start, end - start, last);

        free(window);
        assert_in_range(next, from, end);
        assert_in_range(end - next, 0, LABELSCAN_AFTER - 1);
        assert_null(end > next ? memchr(text + next, '\n', end - next) : NULL);
        from = next;
    }
    assert_int_equal(from, size);
    return written;
}

static bool is_label_octet(uint8_t octet)
{
    return (octet >= 'a' && octet <= 'z') || (octet >= 'A' && octet <= 'Z') ||
           (octet >= '0' && octet <= '9') || octet == '-' || octet == '_';
}

/* Returns whether a label may begin here: no octet of a label precedes it, or those that do may end
 * an escape, such as "\n", "\u000a", "%2F", "#011" or a terminal's "[01;31m", "[4:3m". */
static bool may_begin(const uint8_t *text, size_t at)
{
    size_t start = at;

    while (start > 0 && is_label_octet(text[start - 1]))
        start--;
    return start == at || (start > 0 && memchr("\\%#[;:?", text[start - 1], 7));
}

/* Octets of the label that begins here; 0: none does. */
static size_t run_at(const uint8_t *text, size_t size, size_t at)
{
    size_t len = 0;

    while (at + len < size && is_label_octet(text[at + len]))
        len++;
    return len > 0 && may_begin(text, at) ? len : 0;
}

/* Writes the text that a run may be shown as, if it is an A-label without a finding and without
 * joiners, which are invisible. Returns the length of the text. */
static size_t show(const uint8_t *run, size_t len, uint8_t *dst)
{
    uint32_t cps[XN_ULABEL_MAX];
    size_t count, out = 0;

    if (len > XN_WIRE_LABEL_MAX || !xn_wire_has_ace_prefix(run, len) ||
        xn_label_decode(target_unicode(), run, len, cps, &count) &
            ~xn_reason_bit(XN_WHOLESCRIPT)) /* hidden only before a TLD of another script */
        return 0;
    for (size_t i = 0; i < count; i++)
        if (xn_unicode_is_joiner(cps[i]))
            return 0;
    for (size_t i = 0; i < count; i++)
        out += xn_utf8_write(cps[i], dst + out);
    return out;
}

/* Returns whether the run begins a line, and ends it or a word: then it is a label in any text. */
static bool stands_alone(const uint8_t *text, size_t size, size_t at, size_t len)
{
    return (at == 0 || text[at - 1] == '\n') &&
           (at + len == size || text[at + len] == '\n' || text[at + len] == ' ');
}

static void expect_only_labels_changed(const struct written *written, const uint8_t *text,
                                       size_t size)
{
    size_t at = 0, out = 0;

    while (at < size) {
        uint8_t shown[12 * XN_ULABEL_MAX + 1];
        size_t run = run_at(text, size, at), shown_len = show(text + at, run, shown);
        size_t left = written->len - out;

        if (shown_len > 0 && shown_len <= left &&
            memcmp(written->octets + out, shown, shown_len) == 0) {
            at += run;
            out += shown_len;
        } else {
            assert_false(shown_len > 0 && stands_alone(text, size, at, run));
            assert_true(left > 0);
            assert_int_equal(written->octets[out++], text[at++]);
        }
    }
    assert_int_equal(out, written->len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t first = take_octet(&data, &size);
    uint8_t piece = take_octet(&data, &size);
    size_t cuts[SIZE_LIMIT], cut_count = 0;

    if (size > SIZE_LIMIT)
        return 0;
    struct written whole = scan(data, size, NULL, 0);
    expect_only_labels_changed(&whole, data, size);

    for (size_t at = first; at < size; at += piece + 1u)
        cuts[cut_count++] = at;
    struct written parts = scan(data, size, cuts, cut_count);
    expect_octets(parts.octets, parts.len, whole.octets, whole.len);
    free(parts.octets);
    free(whole.octets);
    return 0;
}
