/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads zone files with one entry in memory at a time. libldns' own reader of files cannot be used:
 * it knows no Unicode, allocates 200 kB for each record, counts lines wrongly in comments between
 * parentheses, and takes a $GENERATE for an owner. */
#include "core/text/utf8char.h"
#include "module/base/diagnostics.h"
#include "module/base/rrtype.h"
#include "module/base/thread.h"
#include "module/zone/form.h"
#include "module/zone/zonefile.h"
#include "module/zone/zonerdata.h"

#include <stdlib.h>
#include <string.h>

enum {
    ERRORS_REPORTED_MAX = 20,
    TTL_DEFAULT = 3600 /* seconds, if a zone has no TTL and no SOA record: ldns's value */
};

/* Whether there is an owner for a record that begins with white space. */
typedef enum { OWNER_NONE, OWNER_KNOWN, OWNER_BAD } owner_state;

struct reader {
    struct xnm_zonefile_options options;
    const char *file;
    struct xnm_zonetokens tokens;
    struct xnm_wirename origin, owner;
    owner_state owner_state;
    bool has_default_ttl, has_last_ttl;
    uint32_t default_ttl, last_ttl; /* the TTL of $TTL, and of the record before */
    const char *first;              /* first word of the current entry */
    size_t errors;
    struct xnm_zonerdata *rdata;
    bool stopped;
};

/* --- reports --- */

/* Returns the place of an octet of the current entry. */
static struct xnm_place place_of(const struct reader *reader, const char *at)
{
    const char *end = reader->tokens.end, *c = reader->tokens.entry;
    struct xnm_place place = {reader->file, reader->tokens.line, 1};

    while (c < at) {
        uint32_t cp;
        size_t len = xn_utf8_read((const uint8_t *)c, (size_t)(end - c), &cp);

        place.column++;
        if (*c == '\n') {
            place.line++;
            place.column = 1;
        }
        c += len > 0 ? len : 1;
    }
    return place;
}

/* Reports an error. A reading that was stopped has none, since its text ends too early. */
static void report_error(struct reader *reader, const struct xnm_zonefault *fault)
{
    if (xnm_stop_is_set(reader->options.stop))
        return;
    reader->errors++;
    if (!reader->options.diagnostics) {
        reader->stopped = true;
    } else if (reader->errors <= ERRORS_REPORTED_MAX) {
        struct xnm_place place = place_of(reader, fault->at);
        xnm_diagnostics_add(reader->options.diagnostics, XNM_ERROR, &place, "%s", fault->message);
    }
}

static void report_rest(const struct reader *reader)
{
    const struct xnm_place place = {reader->file, 0, 0};

    if (reader->options.diagnostics && reader->errors > ERRORS_REPORTED_MAX)
        xnm_diagnostics_add(reader->options.diagnostics, XNM_ERROR, &place,
                            "%zu errors in all, of which the first %d are shown", reader->errors,
                            ERRORS_REPORTED_MAX);
}

static void report_no_memory(struct reader *reader)
{
    const struct xnm_place place = {reader->file, 0, 0};

    reader->errors++;
    if (reader->options.diagnostics)
        xnm_diagnostics_add(reader->options.diagnostics, XNM_ERROR, &place, "out of memory");
}

/* --- words --- */

static bool is_word(const struct xnm_zonetoken *token, const char *word)
{
    return !token->quoted && token->len == strlen(word) &&
           strncasecmp(token->at, word, token->len) == 0;
}

/* Reads the next token, which the entry must have. */
static bool need(struct reader *reader, struct xnm_zonetoken *token, const char *expected,
                 struct xnm_zonefault *fault)
{
    xnm_zonetoken_result result = xnm_zonetokens_next(&reader->tokens, token, fault);

    if (result == XNM_ZONETOKEN_NONE)
        return xnm_zonefault_set(fault, reader->tokens.at, "the entry ends too early: expected %s",
                                 expected);
    return result == XNM_ZONETOKEN_FOUND;
}

static bool need_end(struct reader *reader, struct xnm_zonefault *fault)
{
    struct xnm_zonetoken token;
    xnm_zonetoken_result result = xnm_zonetokens_next(&reader->tokens, &token, fault);

    if (result == XNM_ZONETOKEN_FOUND)
        return xnm_zonefault_set(fault, token.at, "text follows: expected the end of the line");
    return result == XNM_ZONETOKEN_NONE;
}

static bool read_ttl(const struct xnm_zonetoken *token, uint32_t *ttl, struct xnm_zonefault *fault)
{
    char quoted[64];

    if (!token->quoted && xnm_zoneform_ttl(token->at, token->len, ttl))
        return true;
    return xnm_zonefault_set(
        fault, token->at,
        "\"%s\" is not a TTL: expected seconds, or a time such as 1h30m, at most "
        "2147483647 seconds",
        xnm_diagnostics_quote(token->at, token->len, quoted, sizeof quoted));
}

/* --- directives --- */

static bool read_origin(struct reader *reader, struct xnm_zonefault *fault)
{
    struct xnm_zonetoken token;
    struct xnm_wirename origin = {0};

    if (!need(reader, &token, "a domain name after $ORIGIN", fault) ||
        !xnm_zonerdata_name(reader->options.unicode, &token, &reader->origin, &origin, fault) ||
        !need_end(reader, fault))
        return false;
    reader->origin = origin;
    return true;
}

static bool read_default_ttl(struct reader *reader, struct xnm_zonefault *fault)
{
    struct xnm_zonetoken token;
    uint32_t ttl = 0;

    if (!need(reader, &token, "a TTL after $TTL", fault) || !read_ttl(&token, &ttl, fault) ||
        !need_end(reader, fault))
        return false;
    reader->has_default_ttl = true;
    reader->default_ttl = ttl;
    return true;
}

static bool read_directive(struct reader *reader, const struct xnm_zonetoken *word,
                           struct xnm_zonefault *fault)
{
    char quoted[64];

    if (is_word(word, "$ORIGIN"))
        return read_origin(reader, fault);
    if (is_word(word, "$TTL"))
        return read_default_ttl(reader, fault);
    if (is_word(word, "$INCLUDE") || is_word(word, "$GENERATE"))
        return xnm_zonefault_set(fault, word->at,
                                 "%.*s is not supported: expected the records themselves",
                                 (int)word->len, word->at);
    return xnm_zonefault_set(fault, word->at,
                             "\"%s\" is unknown: expected $ORIGIN, $TTL or a record",
                             xnm_diagnostics_quote(word->at, word->len, quoted, sizeof quoted));
}

/* --- records --- */

/* The fields between the owner and the RDATA. */
struct record_head {
    uint16_t type;
    bool has_class, has_ttl;
    uint32_t ttl;
};

typedef enum { CLASS_NONE, CLASS_IN, CLASS_OTHER } class_word;

static class_word class_of(const struct xnm_zonetoken *token)
{
    if (is_word(token, "IN") || is_word(token, "CLASS1"))
        return CLASS_IN;
    if (is_word(token, "CH") || is_word(token, "HS") || is_word(token, "CS") ||
        is_word(token, "NONE"))
        return CLASS_OTHER;
    return !token->quoted && token->len > 5 && strncasecmp(token->at, "CLASS", 5) == 0 ? CLASS_OTHER
                                                                                       : CLASS_NONE;
}

static bool read_type(const struct xnm_zonetoken *token, struct record_head *head,
                      struct xnm_zonefault *fault)
{
    char quoted[64];

    head->type = token->quoted ? 0 : xnm_zonefile_type(token->at, token->len);
    if (head->type != 0 && head->type != XNM_TYPE_ANY)
        return true;
    return xnm_zonefault_set(fault, token->at,
                             "\"%s\" is not a type of data: expected one such as CNAME, A or TXT",
                             xnm_diagnostics_quote(token->at, token->len, quoted, sizeof quoted));
}

/* Reads one of TTL, class and type, which comes last. *done becomes true if it was the type. */
static bool read_head_word(const struct xnm_zonetoken *token, struct record_head *head, bool *done,
                           struct xnm_zonefault *fault)
{
    class_word class = head->has_class ? CLASS_NONE : class_of(token);

    *done = false;
    if (!head->has_ttl && !token->quoted && token->at[0] >= '0' && token->at[0] <= '9')
        return head->has_ttl = read_ttl(token, &head->ttl, fault);
    if (class == CLASS_OTHER)
        return xnm_zonefault_set(fault, token->at,
                                 "only records of class IN are answered: "
                                 "expected IN, or no class");
    if (class == CLASS_IN)
        return head->has_class = true;
    return *done = read_type(token, head, fault);
}

static bool read_head(struct reader *reader, struct xnm_zonetoken *token, bool has_token,
                      struct record_head *head, struct xnm_zonefault *fault)
{
    static const char expected[] = "a type such as CNAME, A or TXT";
    bool done = false;

    if (!has_token && !need(reader, token, expected, fault))
        return false;
    while (read_head_word(token, head, &done, fault) && !done)
        if (!need(reader, token, expected, fault))
            return false;
    return done;
}

/* Returns the MINIMUM field of a SOA record, which is the last. */
static uint32_t soa_minimum(const struct xnm_zonerdata *rdata)
{
    const uint8_t *at = rdata->octets + rdata->len - 4;

    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Returns the TTL of a record whose RDATA has been read: RFC 2308, section 4; without $TTL, RFC
 * 1035, section 5.1. */
static uint32_t ttl_of(struct reader *reader, const struct record_head *head)
{
    if (!head->has_ttl && reader->has_default_ttl)
        return reader->default_ttl;
    if (head->has_ttl)
        reader->last_ttl = head->ttl;
    else if (!reader->has_last_ttl && head->type == XNM_TYPE_SOA)
        reader->last_ttl = soa_minimum(reader->rdata);
    else if (!reader->has_last_ttl)
        return TTL_DEFAULT;
    reader->has_last_ttl = true;
    return reader->last_ttl;
}

static void pass_entry(struct reader *reader, const struct record_head *head)
{
    const struct xnm_place place = place_of(reader, reader->first);
    const struct xnm_zonefile_entry entry = {.owner = reader->owner.octets,
                                             .owner_len = reader->owner.len,
                                             .type = head->type,
                                             .ttl = ttl_of(reader, head),
                                             .rdata = reader->rdata->octets,
                                             .rdata_len = reader->rdata->len,
                                             .left = (size_t)(reader->tokens.end - reader->first),
                                             .line = place.line,
                                             .column = place.column};

    if (reader->errors == 0 && !reader->options.entry(reader->options.arg, &entry))
        reader->stopped = true;
}

/* Reads an owner. A bad owner is reported only on its own line, not on lines that use it again. */
static bool read_owner(struct reader *reader, const struct xnm_zonetoken *token,
                       struct xnm_zonefault *fault)
{
    bool good =
        xnm_zonerdata_name(reader->options.unicode, token, &reader->origin, &reader->owner, fault);

    reader->owner_state = good ? OWNER_KNOWN : OWNER_BAD;
    return good;
}

/* Reads a record. Its first token has been read: the owner, unless the entry is indented. */
static bool read_record(struct reader *reader, struct xnm_zonetoken *token, bool indented,
                        struct xnm_zonefault *fault)
{
    struct record_head head = {0};

    if (indented && reader->owner_state == OWNER_BAD)
        return true;
    if (indented && reader->owner_state == OWNER_NONE)
        return xnm_zonefault_set(fault, token->at,
                                 "no record before this one has an owner: expected a name at "
                                 "the start of the line");
    if (!indented && !read_owner(reader, token, fault))
        return false;
    if (!read_head(reader, token, indented, &head, fault))
        return false;
    if (head.type == XNM_TYPE_SOA && reader->origin.len == 0)
        reader->origin = reader->owner;
    reader->rdata->len = 0; /* the data of DNSSEC's records is not used */
    if (!xnm_zonefile_is_dnssec(head.type) &&
        !xnm_zonerdata_read(reader->options.unicode, head.type, &reader->tokens, &reader->origin,
                            reader->rdata, fault))
        return false;
    pass_entry(reader, &head);
    return true;
}

static bool read_entry(struct reader *reader, bool indented, struct xnm_zonefault *fault)
{
    struct xnm_zonetoken token;

    if (!need(reader, &token, "a record", fault))
        return false;
    reader->first = token.quoted ? token.at - 1 : token.at; /* the quotation mark */
    if (!indented && !token.quoted && token.at[0] == '$')
        return read_directive(reader, &token, fault);
    return read_record(reader, &token, indented, fault);
}

static bool is_stopped(const struct reader *reader)
{
    return reader->stopped || xnm_stop_is_set(reader->options.stop);
}

/* Skips the rest of an entry. Bad quotes and parentheses in it are reported even after another
 * error. */
static void leave_entry(struct reader *reader)
{
    struct xnm_zonetoken token;
    struct xnm_zonefault fault;
    xnm_zonetoken_result result;

    while (!is_stopped(reader) &&
           (result = xnm_zonetokens_next(&reader->tokens, &token, &fault)) != XNM_ZONETOKEN_NONE)
        if (result == XNM_ZONETOKEN_BAD)
            report_error(reader, &fault);
}

/* --- zones --- */

static bool read_zone(struct reader *reader)
{
    struct xnm_zonefault fault;
    bool indented;

    reader->rdata = xnm_zonerdata_new(XNM_RDATA_MAX);
    if (!reader->rdata)
        report_no_memory(reader);
    while (reader->rdata && !is_stopped(reader) &&
           xnm_zonetokens_next_entry(&reader->tokens, &indented)) {
        if (!read_entry(reader, indented, &fault))
            report_error(reader, &fault);
        leave_entry(reader);
    }
    free(reader->rdata);
    report_rest(reader);
    return reader->errors == 0;
}

bool xnm_zonefile_read(const struct xnm_zonefile_options *options, const char *file,
                       const char *text, size_t len, const struct xnm_wirename *origin)
{
    struct reader reader = {.options = *options, .file = file, .origin = *origin};

    xnm_zonetokens_open(&reader.tokens, text, len);
    reader.tokens.stop = options->stop;
    return read_zone(&reader);
}

static bool keep_soa_owner(void *arg, const struct xnm_zonefile_entry *entry)
{
    struct xnm_wirename *origin = arg;

    if (entry->type != XNM_TYPE_SOA)
        return true;
    memcpy(origin->octets, entry->owner, entry->owner_len);
    origin->len = (uint8_t)entry->owner_len;
    return false;
}

bool xnm_zonefile_origin(const struct xnm_zonefile_options *options, const char *text, size_t len,
                         struct xnm_wirename *origin)
{
    struct reader reader = {.options = {.unicode = options->unicode,
                                        .stop = options->stop,
                                        .entry = keep_soa_owner,
                                        .arg = origin}};

    origin->len = 0;
    xnm_zonetokens_open(&reader.tokens, text, len);
    reader.tokens.stop = options->stop;
    return read_zone(&reader) && origin->len > 0;
}
