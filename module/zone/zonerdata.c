/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/zone/zonerdata.h"

#include "core/wire/walk.h"
#include "module/base/diagnostics.h"
#include "module/zone/field.h"
#include "module/zone/form.h"
#include "module/zone/zonetext.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    const struct xn_unicode *unicode;
    uint16_t type;
    struct xnm_zonetokens *tokens;
    const struct xnm_wirename *origin;
    struct xnm_zonerdata *rdata;
    struct xnm_zonefault *fault;
};

struct xnm_zonerdata *xnm_zonerdata_new(size_t len)
{
    /* An octet may become an escape of four; an A-label is longer than its U-label, by less. */
    enum { SLACK = 256 };
    size_t text_cap = 4 * (len < XNM_RDATA_MAX ? len : XNM_RDATA_MAX) + SLACK;
    struct xnm_zonerdata *rdata = malloc(sizeof *rdata + text_cap);

    if (rdata)
        rdata->text_cap = text_cap;
    return rdata;
}

/* Appends the origin to a name, in place of its root label. */
static bool add_origin(struct xnm_wirename *name, const struct xnm_wirename *origin)
{
    if (name->len - 1 + origin->len > XN_WIRE_NAME_MAX)
        return false;
    memcpy(name->octets + name->len - 1, origin->octets, origin->len);
    name->len = (uint8_t)(name->len - 1 + origin->len);
    return true;
}

static bool unknown_origin(const char *at, struct xnm_zonefault *fault)
{
    return xnm_zonefault_set(fault, at,
                             "this name is relative, and the origin is unknown: expected "
                             "a final dot, a $ORIGIN line, an SOA record before it, or origin= in "
                             "the rule file");
}

/* Reads `@`, the origin. */
static bool origin_itself(const char *at, const struct xnm_wirename *origin,
                          struct xnm_wirename *name, struct xnm_zonefault *fault)
{
    if (!origin)
        return xnm_zonefault_set(fault, at, "'@' has no meaning here: expected a domain name");
    *name = *origin;
    return true;
}

bool xnm_zonerdata_name(const struct xn_unicode *unicode, const struct xnm_zonetoken *token,
                        const struct xnm_wirename *origin, struct xnm_wirename *name,
                        struct xnm_zonefault *fault)
{
    char text[XNM_ZONETEXT_NAME_MAX + 1];
    bool absolute;

    name->len = 0;
    if (!xnm_zonetext_name(unicode, token, text, &absolute, fault))
        return false;
    if (!absolute && origin && origin->len == 0)
        return unknown_origin(token->at, fault);
    if (strcmp(text, "@") == 0)
        return origin_itself(token->at, origin, name, fault);
    const char *why = xnm_zonefield_read_name(text, name);
    if (why && xnm_zonetext_bad_label(unicode, token, fault))
        return false;
    if (!why && !absolute && origin && !add_origin(name, origin))
        why = "this name and the origin are too long: expected at most 255 octets in wire format";
    return !why || xnm_zonefault_set(fault, token->at, "%s", why);
}

/* --- fields as text --- */

static bool too_long(const struct reading *reading, const char *at)
{
    return xnm_zonefault_set(reading->fault, at,
                             "this record is too long: expected at most 65535 octets");
}

static bool bad_field(const struct reading *reading, const struct xnm_zonetoken *token,
                      const struct xnm_zonefield *field)
{
    char quoted[64];

    return xnm_zonefault_set(reading->fault, token->at, "\"%s\": expected %s",
                             xnm_diagnostics_quote(token->at, token->len, quoted, sizeof quoted),
                             field->expected);
}

/* Reports a field that ldns did not read. */
static bool refused_field(const struct reading *reading, const struct xnm_zonetoken *token,
                          const struct xnm_zonefield *field)
{
    return errno == ENOMEM ? xnm_zonefault_set(reading->fault, token->at, "out of memory")
                           : bad_field(reading, token, field);
}

/* Appends the wire format of a token's text. */
static bool read_text(const struct reading *reading, const struct xnm_zonetoken *token,
                      const struct xnm_zonefield *field, const char *text)
{
    struct xnm_zonerdata *rdata = reading->rdata;
    size_t len, room = XNM_RDATA_MAX - rdata->len;

    if (!xnm_zonefield_read(field, text, rdata->octets + rdata->len, room, &len))
        return refused_field(reading, token, field);
    if (len > room)
        return too_long(reading, token->at);
    rdata->len += len;
    return true;
}

/* Adds a token to rdata->text. */
static bool add_token(const struct reading *reading, const struct xnm_zonetoken *token,
                      const struct xnm_zonefield *field, size_t *len)
{
    struct xnm_zonerdata *rdata = reading->rdata;
    size_t octets_max = field->wire == XNM_ZONEFIELD_STRING ? UINT8_MAX : XNM_RDATA_MAX;
    struct xnm_zonetoken raw = *token;

    if (field->writing == XNM_ZONEFIELD_TEXT)
        return xnm_zonetext_string(token, octets_max, rdata->text, rdata->text_cap, len,
                                   reading->fault);
    if (field->writing != XNM_ZONEFIELD_WORDS || token->quoted)
        return xnm_zonetext_word(token, rdata->text, rdata->text_cap, len, reading->fault);
    raw.quoted = true; /* quotes inside a word belong to it */
    return xnm_zonetext_string(&raw, octets_max, rdata->text, rdata->text_cap, len, reading->fault);
}

/* Adds one of the words that ldns reads together later. Service parameters are also read one by
 * one, so that the one at fault is known. */
static bool add_word(const struct reading *reading, const struct xnm_zonetoken *token,
                     const struct xnm_zonefield *field, size_t *len)
{
    const char *word = reading->rdata->text + *len;
    size_t ignored;

    if (!add_token(reading, token, field, len))
        return false;
    if (*len >= XNM_RDATA_MAX)
        return too_long(reading, token->at);
    if (!field->has_form(word))
        return bad_field(reading, token, field);
    if (!xnm_zonefield_read(field, word, NULL, 0, &ignored))
        return refused_field(reading, token, field);
    reading->rdata->text[(*len)++] = ' ';
    return true;
}

/* Reads a field that extends to the end of the entry. */
static bool read_rest(const struct reading *reading, const struct xnm_zonefield *field,
                      const struct xnm_zonetoken *first)
{
    bool words = field->writing == XNM_ZONEFIELD_WORDS;
    struct xnm_zonetoken token = *first;
    xnm_zonetoken_result result = XNM_ZONETOKEN_FOUND;
    size_t len = 0;

    while (result == XNM_ZONETOKEN_FOUND) {
        if (!(words ? add_word : add_token)(reading, &token, field, &len))
            return false;
        result = xnm_zonetokens_next(reading->tokens, &token, reading->fault);
    }
    if (result == XNM_ZONETOKEN_BAD)
        return false;
    reading->rdata->text[len] = '\0';
    if (!words && !field->has_form(reading->rdata->text))
        return bad_field(reading, first, field);
    return read_text(reading, first, field, reading->rdata->text);
}

static bool read_name(const struct reading *reading, const struct xnm_zonetoken *token)
{
    struct xnm_zonerdata *rdata = reading->rdata;
    struct xnm_wirename name;

    if (!xnm_zonerdata_name(reading->unicode, token, reading->origin, &name, reading->fault))
        return false;
    if (name.len > XNM_RDATA_MAX - rdata->len)
        return too_long(reading, token->at);
    memcpy(rdata->octets + rdata->len, name.octets, name.len);
    rdata->len += name.len;
    return true;
}

static bool read_field(const struct reading *reading, const struct xnm_zonefield *field,
                       const struct xnm_zonetoken *token)
{
    const char *text = reading->rdata->text;
    size_t len = 0;

    if (field->writing == XNM_ZONEFIELD_NAME)
        return read_name(reading, token);
    if (field->writing == XNM_ZONEFIELD_DIGITS || field->writing == XNM_ZONEFIELD_WORDS)
        return read_rest(reading, field, token);
    if (!add_token(reading, token, field, &len))
        return false;
    if (field->has_form && !field->has_form(text))
        return bad_field(reading, token, field);
    return read_text(reading, token, field, text);
}

/* --- fields of a type --- */

static bool missing(const struct reading *reading, const struct xnm_zonefield *field)
{
    char word[XNM_ZONEFIELD_TYPE_MAX];

    return xnm_zonefault_set(reading->fault, reading->tokens->at,
                             "%s data ends too early: expected %s",
                             xnm_zonefield_type_word(reading->type, word),
                             field ? field->expected : "'\\# LENGTH HEXADECIMAL' (RFC 3597)");
}

static bool has_more(const struct reading *reading, const struct xnm_zonetoken *token)
{
    char word[XNM_ZONEFIELD_TYPE_MAX];

    return xnm_zonefault_set(reading->fault, token->at - token->quoted,
                             "text follows the last field of %s data: expected %s",
                             xnm_zonefield_type_word(reading->type, word),
                             reading->tokens->depth > 0 ? "the ')' for the '(' before it"
                                                        : "the end of the line");
}

static bool unreadable(const struct reading *reading, const struct xnm_zonetoken *token)
{
    char word[XNM_ZONEFIELD_TYPE_MAX];

    return xnm_zonefault_set(reading->fault, token->at - token->quoted,
                             "%s data cannot be read as text: expected '\\# LENGTH HEXADECIMAL' "
                             "(RFC 3597)",
                             xnm_zonefield_type_word(reading->type, word));
}

static bool read_fields(const struct reading *reading, struct xnm_zonetoken *token)
{
    xnm_zonetoken_result result = XNM_ZONETOKEN_FOUND;
    size_t least, most, n = 0;

    xnm_zonefield_count(reading->type, &least, &most);
    for (; n < most && result == XNM_ZONETOKEN_FOUND; n++) {
        const struct xnm_zonefield *field = xnm_zonefield_of(reading->type, n);
        if (!field)
            return unreadable(reading, token);
        if (!read_field(reading, field, token))
            return false;
        result = xnm_zonetokens_next(reading->tokens, token, reading->fault);
    }
    if (result == XNM_ZONETOKEN_FOUND)
        return has_more(reading, token);
    if (result == XNM_ZONETOKEN_NONE && n < least)
        return missing(reading, xnm_zonefield_of(reading->type, n));
    return result == XNM_ZONETOKEN_NONE;
}

/* --- RFC 3597 --- */

/* Reads the length, and empties *rdata again. */
static bool read_length(const struct reading *reading, size_t *length)
{
    struct xnm_zonerdata *rdata = reading->rdata;
    struct xnm_zonetoken token;

    *length = 0;
    xnm_zonetoken_result result = xnm_zonetokens_next(reading->tokens, &token, reading->fault);
    if (result == XNM_ZONETOKEN_NONE)
        return missing(reading, &xnm_zonefield_length);
    if (result == XNM_ZONETOKEN_BAD || !read_field(reading, &xnm_zonefield_length, &token))
        return false;
    *length = (size_t)(rdata->octets[0] << 8 | rdata->octets[1]);
    rdata->len = 0;
    return true;
}

static bool read_generic(const struct reading *reading)
{
    struct xnm_zonetoken token;
    size_t length;

    if (!read_length(reading, &length))
        return false;
    xnm_zonetoken_result result = xnm_zonetokens_next(reading->tokens, &token, reading->fault);
    if (result == XNM_ZONETOKEN_BAD)
        return false;
    if (result == XNM_ZONETOKEN_NONE)
        return length == 0 || missing(reading, &xnm_zonefield_octets);
    if (!read_field(reading, &xnm_zonefield_octets, &token))
        return false;
    return reading->rdata->len == length || bad_field(reading, &token, &xnm_zonefield_octets);
}

/* --- wire format --- */

/* Returns the length in octets of the field at the start of the data; more than len: the data has
 * another form. */
static size_t field_len(const struct xnm_zonefield *field, const uint8_t *octets, size_t len)
{
    size_t name;

    switch (field->wire) {
    case XNM_ZONEFIELD_WIRE_NAME:
        name = xnm_wirename_len(octets, len);
        return name > 0 ? name : len + 1;
    case XNM_ZONEFIELD_STRING:
        return len > 0 ? (size_t)octets[0] + 1 : 1;
    case XNM_ZONEFIELD_SVCPARAMS:
        return xnm_zoneform_svcparams_wire(octets, len) ? len : len + 1;
    case XNM_ZONEFIELD_REST:
        return len;
    default:
        return (size_t)field->wire;
    }
}

/* Returns whether the octets have the fields of the type, each of the length that its form has. If
 * not, *expected is the expected form. Names in them become lower case. */
static bool walk_fields(uint16_t type, uint8_t *octets, size_t len, const char **expected)
{
    size_t least, most, at = 0;

    xnm_zonefield_count(type, &least, &most);
    for (size_t n = 0; n < most && (n < least || at < len); n++) {
        const struct xnm_zonefield *field = xnm_zonefield_of(type, n);
        if (!field)
            return true; /* the form of the rest is unknown */
        size_t octets_of_field = field_len(field, octets + at, len - at);
        *expected = field->expected;
        if (octets_of_field > len - at)
            return false;
        if (field->wire == XNM_ZONEFIELD_WIRE_NAME)
            xn_wire_lower(octets + at, octets + at, octets_of_field);
        at += octets_of_field;
    }
    *expected = "fewer octets";
    return at == len;
}

/* Returns whether RDATA, written at `at`, has the fields of its type. If not, sets the fault. */
static bool check_structure(const struct reading *reading, const char *at)
{
    struct xnm_zonerdata *rdata = reading->rdata;
    char word[XNM_ZONEFIELD_TYPE_MAX];
    const char *expected;

    if (walk_fields(reading->type, rdata->octets, rdata->len, &expected))
        return true;
    return xnm_zonefault_set(reading->fault, at, "this is not the form of %s data: expected %s",
                             xnm_zonefield_type_word(reading->type, word), expected);
}

bool xnm_zonerdata_read(const struct xn_unicode *unicode, uint16_t type,
                        struct xnm_zonetokens *tokens, const struct xnm_wirename *origin,
                        struct xnm_zonerdata *rdata, struct xnm_zonefault *fault)
{
    const struct reading reading = {unicode, type, tokens, origin, rdata, fault};
    struct xnm_zonetoken token;

    rdata->len = 0;
    xnm_zonetoken_result result = xnm_zonetokens_next(tokens, &token, fault);
    if (result == XNM_ZONETOKEN_NONE)
        return missing(&reading, xnm_zonefield_of(type, 0));
    if (result == XNM_ZONETOKEN_BAD)
        return false;
    const char *start = token.at - token.quoted;
    bool generic = !token.quoted && token.len == 2 && memcmp(token.at, "\\#", 2) == 0;
    if (!(generic ? read_generic(&reading) : read_fields(&reading, &token)))
        return false;
    return check_structure(&reading, start);
}
