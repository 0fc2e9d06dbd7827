/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/filter/labelscan.h"

#include "tools/filter/labeledge.h"

#include "core/idna/label.h"
#include "core/idna/misread.h"
#include "core/idna/property.h"
#include "core/names/presentation.h"
#include "core/text/utf8char.h"
#include "core/wire/walk.h"

#include <string.h>

#include <xxhash.h>

enum {
    PREFIX_LEN = XN_WIRE_ACE_PREFIX_LEN,
    NAME_MAX = 253, /* octets of a name as text, without a final dot */
    LABEL_SHOWN_MAX = XN_ULABEL_TEXT
};
_Static_assert((int)LABEL_SHOWN_MAX <= (int)LABELSCAN_SHOWN_MAX, "what is shown is short");
_Static_assert((int)LABELEDGE_BEFORE <= (int)LABELSCAN_BEFORE, "a label's start is seen");
_Static_assert(NAME_MAX + 2 + LABELEDGE_AFTER <= LABELSCAN_AFTER, "a name's end is seen");

struct window {
    const uint8_t *text;
    size_t len;
    bool last;
};

/* A piece of text, decided up to `end`. `shown` replaces it, unless that is empty. */
struct piece {
    size_t end, shown_len;
    uint8_t shown[LABEL_SHOWN_MAX];
};

/* --- finding "xn--" --- */

/* Returns the first place from `at` on where "xn--" begins, in upper or lower case, or len. Most
 * time is spent here. */
static size_t find_prefix(const uint8_t *text, size_t at, size_t len)
{
    for (const uint8_t *hyphens; len - at >= PREFIX_LEN; at = (size_t)(hyphens - text) - 1) {
        hyphens = memmem(text + at + 2, len - at - 2, "--", 2);
        if (!hyphens)
            break;
        if (xn_wire_has_ace_prefix(hyphens - 2, PREFIX_LEN))
            return (size_t)(hyphens - text) - 2;
    }
    return len;
}

/* Returns how many octets at the end of a text may begin an "xn--". */
static size_t partial_prefix(const uint8_t *text, size_t len)
{
    for (size_t partial = PREFIX_LEN - 1; partial > 0; partial--) {
        uint8_t whole[PREFIX_LEN] = "xn--";

        if (len < partial)
            continue;
        memcpy(whole, text + len - partial, partial);
        if (xn_wire_has_ace_prefix(whole, PREFIX_LEN))
            return partial;
    }
    return 0;
}

/* --- showing a label --- */

/* The TLD of the name that a label is in. */
struct tld {
    const uint8_t *octets;
    size_t len; /* 0: there is no name */
};

/* No label is written in so many octets: whether it is shown depends on its TLD (XN_WHOLESCRIPT).
 */
enum { BY_TLD = LABEL_SHOWN_MAX + 1 };

/* Checks a label that begins with "xn--", and writes it for people. Returns the number of octets
 * written, or 0 if the label stays as it is. A tld of NULL is unknown: the result may be BY_TLD. */
static size_t write_shown(const struct labelscan *scan, const struct tld *tld, const uint8_t *label,
                          size_t len, uint8_t dst[LABEL_SHOWN_MAX])
{
    uint32_t cps[XN_ULABEL_MAX];
    size_t cps_len, out;
    xn_reasons reasons = xn_label_decode_text(scan->unicode, label, len, cps, &cps_len, dst, &out);

    if (reasons & ~xn_reason_bit(XN_WHOLESCRIPT))
        return 0;
    if (reasons != 0 && !tld)
        return BY_TLD;
    if (reasons != 0 && !xn_misread_fits_tld(tld->octets, tld->len, cps, cps_len))
        return 0;
    for (size_t i = 0; i < cps_len; i++)
        if (xn_unicode_is_joiner(cps[i]))
            return 0;
    return out;
}

/* Does the same for a label in upper or lower case; if its TLD is unknown, from the cache if it is
 * there. */
static size_t show_label(const struct labelscan *scan, const struct tld *tld, const uint8_t *label,
                         size_t len, uint8_t dst[LABEL_SHOWN_MAX])
{
    uint8_t lower[XN_WIRE_LABEL_MAX];

    xn_wire_lower(lower, label, len);
    if (tld)
        return write_shown(scan, tld, lower, len, dst);
    /* Labels that collide here on purpose are only checked again. */
    struct labelscan_seen *seen = &scan->seen[XXH3_64bits(lower, len) % LABELSCAN_SEEN];
    if (seen->len == len && memcmp(seen->octets, lower, len) == 0) {
        memcpy(dst, seen->octets + len, seen->shown_len);
        return seen->shown_len;
    }
    size_t shown_len = write_shown(scan, NULL, lower, len, dst);
    if (len + shown_len <= sizeof seen->octets) {
        seen->len = (uint8_t)len;
        seen->shown_len = (uint8_t)shown_len;
        memcpy(seen->octets, lower, len);
        memcpy(seen->octets + len, dst, shown_len);
    }
    return shown_len;
}

/* --- a label in its place --- */

static bool is_name_octet(uint8_t octet)
{
    return xn_presentation_is_plain(octet) || octet == '.';
}

/* Returns the end of the label at `at`. */
static size_t label_end(const struct window *window, size_t at)
{
    size_t end = at + PREFIX_LEN;

    while (end < window->len && xn_presentation_is_plain(window->text[end]))
        end++;
    return end;
}

/* Returns the last label of a name, which may end with a dot. */
static struct tld tld_of(const uint8_t *name, size_t len)
{
    size_t end = len - (name[len - 1] == '.'), at = end;

    while (at > 0 && name[at - 1] != '.')
        at--;
    return (struct tld){name + at, end - at};
}

/* Finds the TLD of the rest of a name, from one of its labels on. Returns false if more text is
 * needed. */
static bool find_tld(const struct window *window, size_t at, struct tld *tld)
{
    const uint8_t *name = window->text + at;
    size_t left = window->len - at, len = 0;

    while (len < left && len <= NAME_MAX + 1 && is_name_octet(name[len]) &&
           !(len > 0 && name[len] == '.' && name[len - 1] == '.'))
        len++;
    *tld = len <= NAME_MAX + 1 ? tld_of(name, len) : (struct tld){name, 0};
    return len < left || len > NAME_MAX + 1 || window->last;
}

/* Reads the label at `at`, if one begins there, where there is an "xn--". Returns false if more
 * text is needed. */
static bool read_label(const struct labelscan *scan, const struct window *window, size_t at,
                       struct piece *piece)
{
    bool begins = labeledge_begins(scan->unicode, window->text, at);
    size_t end = begins ? label_end(window, at) : at + PREFIX_LEN;

    piece->end = end;
    piece->shown_len = 0;
    if (!begins || end - at > XN_WIRE_LABEL_MAX)
        return true;
    labeledge_ending ending =
        labeledge_ends(scan->unicode, window->text, end, window->len, window->last);
    if (ending == LABELEDGE_ENDS)
        piece->shown_len = show_label(scan, NULL, window->text + at, end - at, piece->shown);
    if (piece->shown_len == BY_TLD) {
        struct tld tld;
        if (!find_tld(window, at, &tld))
            return false;
        piece->shown_len = show_label(scan, &tld, window->text + at, end - at, piece->shown);
    }
    return ending != LABELEDGE_UNDECIDED;
}

/* --- the text --- */

static void write_text(const struct labelscan *scan, const uint8_t *text, size_t from, size_t to)
{
    if (to > from)
        scan->write(scan->to, text + from, to - from);
}

size_t labelscan_read(const struct labelscan *scan, const uint8_t *text, size_t from, size_t len,
                      bool last)
{
    const struct window window = {text, len, last};
    size_t undecided_at =
        len - (last || len - from < 1 ? 0 : partial_prefix(text + from, len - from));
    struct piece piece;

    for (size_t at = from; (at = find_prefix(text, at, len)) < len; at = piece.end) {
        if (!read_label(scan, &window, at, &piece)) {
            undecided_at = at;
            break;
        }
        if (piece.shown_len == 0)
            continue;
        write_text(scan, text, from, at);
        scan->write(scan->to, piece.shown, piece.shown_len);
        from = piece.end;
    }
    write_text(scan, text, from, undecided_at);
    return undecided_at;
}
