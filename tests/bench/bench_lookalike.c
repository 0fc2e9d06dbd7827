/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what the keys say about labels, for tests/bench/lookalike.py to count. A label is UTF-8
 * and is mapped (UTS 46) like typed text; an invalid label has an empty line.
 *
 * bench_lookalike pairs: for each line PROTECTED TAB LABEL the wire label and how both look alike,
 *     four digits, 1 for yes: by the exact key, by the strict one, and as ASCII, safe and wide.
 * bench_lookalike shown: for each line LABEL the reasons not to show it under a TLD of another
 *     script, between commas: an empty line if there are none, "-" if it has no A-label.
 * bench_lookalike labels FILE: for each line LABEL the wire label, the conditions it fulfils
 *     between commas, and every label of FILE that it looks like, with the same four digits. */
#include "core/idna/label.h"
#include "core/idna/mapping.h"
#include "core/idna/misread.h"
#include "core/idna/unicode.h"
#include "core/lookalike/script.h"
#include "core/lookalike/shape.h"
#include "core/wire/wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(const char *what, const char *label)
{
    fprintf(stderr, "bench_lookalike: %s%s\n", what, label);
    exit(1);
}

static const struct xn_unicode *open_unicode(void)
{
    struct xn_unicode *unicode;

    if (xn_unicode_open(&unicode) != XN_OK)
        fail("ICU cannot be opened", "");
    return unicode;
}

/* Reads the next line without its newline; false at the end. */
static bool read_line(FILE *file, char **line, size_t *cap)
{
    ssize_t len = getline(line, cap, file);

    if (len > 0 && (*line)[len - 1] == '\n')
        (*line)[len - 1] = '\0';
    return len > 0;
}

/* --- labels --- */

struct label {
    uint8_t wire[63];
    size_t len;
    struct xn_shape shape;
    uint8_t loose[XN_KEY_MAX];
    size_t loose_len;
};

/* False: it is none, or not a valid one. */
static bool read_label(const struct xn_unicode *unicode, const char *text, struct label *label)
{
    xn_reasons reasons = xn_unicode_map_label(unicode, (const uint8_t *)text, strlen(text),
                                              label->wire, &label->len);

    if ((reasons & XN_INVALID_REASONS) || label->len == 0)
        return false;
    xn_shape_read(label->wire, label->len, &label->shape);
    label->loose_len = xn_shape_key(&label->shape, XN_KEY_LOOSE, label->loose);
    return true;
}

static bool same_loose(const struct label *a, const struct label *b)
{
    return a->loose_len == b->loose_len && memcmp(a->loose, b->loose, a->loose_len) == 0;
}

/* --- looking alike --- */

static const struct {
    xn_key key;
    xn_ascii ascii;
} ways[] = {{XN_KEY_EXACT, XN_ASCII_OFF},
            {XN_KEY_STRICT, XN_ASCII_OFF},
            {XN_KEY_EXACT, XN_ASCII_SAFE},
            {XN_KEY_EXACT, XN_ASCII_WIDE}};
enum { WAYS = sizeof ways / sizeof *ways };

/* Writes a digit for each way. Returns whether they look alike in any. */
static bool compare(const struct label *protected, const struct label *asked, char digits[WAYS + 1])
{
    bool any = false;

    for (size_t i = 0; i < WAYS; i++) {
        bool alike = xn_lookalike_compare(&protected->shape, &asked->shape, ways[i].key,
                                          ways[i].ascii) == XN_LOOKS_ALIKE;
        digits[i] = alike ? '1' : '0';
        any |= alike;
    }
    digits[WAYS] = '\0';
    if (digits[0] > digits[1])
        fail("alike by the exact key and not by the strict one: ", (const char *)protected->wire);
    if (any && !same_loose(protected, asked))
        fail("the loose key loses a look-alike of ", (const char *)protected->wire);
    return any;
}

static void compare_pairs(const struct xn_unicode *unicode)
{
    struct label protected, asked;
    char *line = NULL, digits[WAYS + 1];
    size_t cap = 0;

    while (read_line(stdin, &line, &cap)) {
        char *tab = strchr(line, '\t');
        if (!tab)
            fail("a line without a TAB: ", line);
        *tab = '\0';
        if (!read_label(unicode, line, &protected))
            fail("no label to protect: ", line);
        if (read_label(unicode, tab + 1, &asked)) {
            compare(&protected, &asked, digits);
            printf("%.*s\t%s", (int)asked.len, (const char *)asked.wire, digits);
        }
        putchar('\n');
    }
    free(line);
}

/* --- protected labels, by their loose key --- */

struct lookalikes {
    char *text;
    struct label label;
};

static int order(const struct label *a, const struct label *b)
{
    size_t len = a->loose_len < b->loose_len ? a->loose_len : b->loose_len;
    int order = memcmp(a->loose, b->loose, len);

    return order ? order : (a->loose_len > b->loose_len) - (a->loose_len < b->loose_len);
}

static int order_lookalikes(const void *a, const void *b)
{
    const struct lookalikes *const x = a, *const y = b;
    int difference = order(&x->label, &y->label);

    return difference ? difference : strcmp(x->text, y->text);
}

static struct lookalikes *read_lookalikes(const struct xn_unicode *unicode, const char *path,
                                          size_t *count)
{
    FILE *file = fopen(path, "r");
    struct lookalikes *lookalikes = NULL;
    char *line = NULL;
    size_t cap = 0, room = 0;

    if (!file)
        fail("cannot be read: ", path);
    for (*count = 0; read_line(file, &line, &cap); ++*count) {
        if (*count == room) {
            room = room * 2 + 1024;
            lookalikes = realloc(lookalikes, room * sizeof *lookalikes);
            if (!lookalikes)
                fail("no memory", "");
        }
        lookalikes[*count].text = strdup(line);
        if (!read_label(unicode, line, &lookalikes[*count].label))
            fail("no label to protect: ", line);
    }
    free(line);
    fclose(file);
    qsort(lookalikes, *count, sizeof *lookalikes, order_lookalikes);
    return lookalikes;
}

/* The first whose loose key is not before that of the label. */
static size_t find(const struct lookalikes *lookalikes, size_t count, const struct label *label)
{
    size_t low = 0;

    while (low < count) {
        size_t middle = low + (count - low) / 2;
        if (order(&lookalikes[middle].label, label) < 0)
            low = middle + 1;
        else
            count = middle;
    }
    return low;
}

static void print_hits(const struct lookalikes *lookalikes, size_t count, const struct label *label)
{
    char digits[WAYS + 1];

    for (size_t i = find(lookalikes, count, label);
         i < count && same_loose(&lookalikes[i].label, label); i++)
        if (compare(&lookalikes[i].label, label, digits))
            printf("\t%s=%s", lookalikes[i].text, digits);
}

/* --- conditions --- */

static void print_conditions(const struct xn_unicode *unicode, const struct label *label)
{
    uint32_t ulabel[XN_ULABEL_MAX];
    size_t len;
    xn_reasons reasons;

    printf("\t,");
    if (!xn_wire_has_ace_prefix(label->wire, label->len))
        return;
    reasons = xn_label_decode(unicode, label->wire, label->len, ulabel, &len);
    printf("%s,", xn_level_word(xn_script_level(ulabel, len)));
    const struct {
        const char *word;
        bool fires;
    } conditions[] = {
        {"invalid", reasons & XN_INVALID_REASONS},
        {"mixed-digits", xn_misread_mixed_digit(ulabel, len) < len},
        {"restricted", xn_script_find_restricted(ulabel, len) < len},
        {"wholescript", xn_script_is_wholescript(ulabel, len)},
        {"emoji", xn_script_find_emoji(ulabel, len) < len},
        {"bidi", xn_script_find_rtl(ulabel, len) < len},
    };
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
        if (conditions[i].fires)
            printf("%s,", conditions[i].word);
}

static void print_reasons(const struct xn_unicode *unicode)
{
    uint32_t ulabel[XN_ULABEL_MAX];
    struct label label;
    char *line = NULL;
    size_t cap = 0, len;

    while (read_line(stdin, &line, &cap)) {
        if (!read_label(unicode, line, &label) || !xn_wire_has_ace_prefix(label.wire, label.len)) {
            puts("-");
            continue;
        }
        xn_reasons reasons = xn_label_decode(unicode, label.wire, label.len, ulabel, &len);
        for (xn_reason reason = 0; reason < XN_REASON_COUNT; reason++)
            if (reasons & xn_reason_bit(reason))
                printf("%s,", xn_reason_word(reason));
        putchar('\n');
    }
    free(line);
}

static void judge_labels(const struct xn_unicode *unicode, const char *path)
{
    size_t count, cap = 0;
    struct lookalikes *lookalikes = read_lookalikes(unicode, path, &count);
    struct label label;
    char *line = NULL;

    while (read_line(stdin, &line, &cap)) {
        if (read_label(unicode, line, &label)) {
            printf("%.*s", (int)label.len, (const char *)label.wire);
            print_conditions(unicode, &label);
            print_hits(lookalikes, count, &label);
        }
        putchar('\n');
    }
    free(line);
    for (size_t i = 0; i < count; i++)
        free(lookalikes[i].text);
    free(lookalikes);
}

int main(int argc, char **argv)
{
    const struct xn_unicode *unicode = open_unicode();

    if (argc == 2 && strcmp(argv[1], "pairs") == 0)
        compare_pairs(unicode);
    else if (argc == 2 && strcmp(argv[1], "shown") == 0)
        print_reasons(unicode);
    else if (argc == 3 && strcmp(argv[1], "labels") == 0)
        judge_labels(unicode, argv[2]);
    else
        fail("usage: bench_lookalike pairs | bench_lookalike shown | bench_lookalike labels FILE",
             "");
}
