/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/name/rulename.h"

#include "core/idna/label.h"
#include "core/names/presentation.h"
#include "core/text/utf8char.h"
#include "core/wire/walk.h"
#include "module/name/namefault.h"

#include <stdio.h>

/* --- warnings: each at most once for a name, at its first place --- */

enum { MESSAGE_MAX = 512 };

struct warning {
    const struct xn_unicode *unicode;
    const uint8_t *text; /* the name as written */
    size_t len, at;      /* its length, and its offset in the caller's text */
    const struct xnm_wirename *name;
    xnm_rulename_diagnose *report;
    void *arg;
};

static void warn(const struct warning *warning, const uint8_t *at, const char *message)
{
    warning->report(warning->arg, XNM_WARNING, warning->at + (size_t)(at - warning->text), message);
}

/* Walks the labels of the name as written and in wire format, side by side. */
struct walk {
    struct xn_presentation_cursor written;
    struct xn_wire_cursor wire;
    const uint8_t *text, *octets;
    size_t text_len, octets_len;
};

static void walk_open(const struct warning *warning, struct walk *walk)
{
    xn_presentation_open(&walk->written, warning->text, warning->len);
    walk->wire.pos = warning->name->octets;
}

static bool walk_next(struct walk *walk)
{
    return xn_presentation_next(&walk->written, &walk->text, &walk->text_len) &&
           xn_wire_next(&walk->wire, &walk->octets, &walk->octets_len);
}

/* Warns of a label that begins with "xn--" and is not an A-label. */
static void warn_bad_alabel(const struct warning *warning)
{
    struct walk walk;
    uint32_t cps[XN_ULABEL_MAX];
    size_t cps_len;
    char message[MESSAGE_MAX];

    walk_open(warning, &walk);
    while (walk_next(&walk)) {
        if (!xn_wire_has_ace_prefix(walk.text, walk.text_len))
            continue;
        xn_reasons reasons =
            xn_label_decode(warning->unicode, walk.octets, walk.octets_len, cps, &cps_len);
        if (!(reasons & XN_INVALID_REASONS))
            continue;
        snprintf(message, sizeof message,
                 "'%.*s' is not a valid A-label (it %s): it matches these octets only",
                 (int)walk.text_len, (const char *)walk.text,
                 xn_reason_text(xn_reasons_worst(reasons)));
        warn(warning, walk.text, message);
        return;
    }
}

/* Returns how IDNA2003 read a character that now makes another name: the four that UTS 46 maps with
 * transitional processing. */
static const char *instead_of(uint32_t cp)
{
    switch (cp) {
    case 0xDF:
        return "with 'ss'";
    case 0x3C2:
        return "with 'σ'";
    case 0x200C:
    case 0x200D:
        return "without it";
    default:
        return NULL;
    }
}

static void warn_deviation(const struct warning *warning)
{
    char character[XNM_CHARACTER_MAX], message[MESSAGE_MAX];
    const char *instead = NULL;
    uint32_t cp = 0;

    for (size_t at = 0, step; at < warning->len; at += step) {
        step = xn_utf8_read(warning->text + at, warning->len - at, &cp);
        instead = instead_of(cp);
        if (!instead)
            continue;
        snprintf(message, sizeof message,
                 "%s makes this another name than %s: write both names if both are meant",
                 xnm_namefault_character(cp, character), instead);
        warn(warning, warning->text + at, message);
        return;
    }
}

/* --- the call --- */

bool xnm_rulename_read(const struct xn_unicode *unicode, const char *text, size_t len,
                       struct xnm_wirename *name, bool *wildcard, xnm_rulename_diagnose *report,
                       void *arg)
{
    struct xnm_namereader read = {.takes_wildcard = wildcard != NULL};
    bool good = xnm_namereader_read(unicode, text, len, name, &read, report, arg);

    if (wildcard)
        *wildcard = read.wildcard;
    if (good && report && read.remarkable) {
        const struct warning warning = {
            unicode, (const uint8_t *)text + read.at, read.len, read.at, name, report, arg};

        warn_bad_alabel(&warning);
        warn_deviation(&warning);
    }
    return good;
}
