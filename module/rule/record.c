/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the records of redirect, cname and answer rules. */
#include "module/base/rrtype.h"
#include "module/rule/ruleline.h"
#include "module/zone/zonefile.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

enum { ADDRESSES_MAX = 64 };

/* --- addresses and targets --- */

/* Adds a record, whose RDATA the rule then owns. */
static void add_record(struct xnm_ruleline *line, const char *at, const struct xnm_record *record)
{
    struct xnm_rule *rule = &line->rule;
    struct xnm_record *records =
        realloc(rule->records, (rule->record_count + 1) * sizeof *rule->records);

    if (!records) {
        free(record->rdata);
        xnm_textline_no_memory(&line->text, at);
        return;
    }
    rule->records = records;
    rule->records[rule->record_count++] = *record;
}

static void add_copied_record(struct xnm_ruleline *line, const char *at, uint16_t type,
                              const void *rdata, size_t len)
{
    struct xnm_record record = {.type = type, .rdata_len = (uint16_t)len, .rdata = malloc(len)};

    if (!record.rdata) {
        xnm_textline_no_memory(&line->text, at);
        return;
    }
    memcpy(record.rdata, rdata, len);
    add_record(line, at, &record);
}

/* Reads a word as an address in network order. Returns its octets; 0: it is no address. */
static size_t read_address(const struct xnm_word *word, uint8_t address[16])
{
    char text[INET6_ADDRSTRLEN];

    if (word->len >= sizeof text)
        return 0;
    memcpy(text, word->text, word->len);
    text[word->len] = '\0';
    if (inet_pton(AF_INET, text, address) == 1)
        return 4;
    return inet_pton(AF_INET6, text, address) == 1 ? 16 : 0;
}

void xnm_rulerecord_address(struct xnm_ruleline *line, const struct xnm_word *word)
{
    const struct xnm_rule *rule = &line->rule;
    char quote[XNM_RULELINE_QUOTE_MAX];
    uint8_t address[16];
    size_t len = read_address(word, address);

    xnm_ruleline_quote(word->text, word->len, quote);
    if (len == 0) {
        xnm_textline_error(&line->text, word->at,
                           "'%s' is not an IP address: expected one such as 192.0.2.80 or "
                           "2001:db8::80",
                           quote);
        return;
    }
    for (size_t i = 0; i < rule->record_count; i++) {
        if (rule->records[i].rdata_len == len &&
            memcmp(rule->records[i].rdata, address, len) == 0) {
            xnm_textline_error(&line->text, word->at,
                               "%s was already given: expected each address once", quote);
            return;
        }
    }
    if (rule->record_count == ADDRESSES_MAX)
        xnm_textline_error(&line->text, word->at, "too many addresses: expected %d at most",
                           ADDRESSES_MAX);
    else
        add_copied_record(line, word->at, len == 4 ? XNM_TYPE_A : XNM_TYPE_AAAA, address, len);
}

void xnm_rulerecord_target(struct xnm_ruleline *line, const struct xnm_word *word)
{
    struct xnm_wirename target;

    line->target_at = word->at;
    if (!xnm_ruleline_name(line, &(struct xnm_ruleline_part){word, word->text, word->len}, &target,
                           NULL))
        return;
    if (target.len == 1)
        xnm_textline_error(&line->text, word->at,
                           "an alias cannot lead to the root: expected a name, or nxdomain as the "
                           "action");
    else
        add_copied_record(line, word->at, XNM_TYPE_CNAME, target.octets, target.len);
}

/* --- type and RDATA --- */

/* Returns whether an option's KEY= begins here. */
static bool is_option(const char *at, const char *end)
{
    for (unsigned n = 0; n < XNM_OPTION_COUNT; n++) {
        size_t len = strlen(xnm_option_word(n));
        if ((size_t)(end - at) > len && memcmp(at, xnm_option_word(n), len) == 0 && at[len] == '=')
            return true;
    }
    return false;
}

/* Returns the end of the RDATA that begins at `at`: a comment or the end of the line. As in zone
 * files, a backslash escapes the next octet, in quotes and outside. *option is the first word
 * outside quotes that looks like an option, or NULL. */
static const char *rdata_end(const struct xnm_textline *text, const char *at, const char **option)
{
    bool quoted = false;

    *option = NULL;
    for (const char *c = at; c < text->end; c++) {
        bool begins = !quoted && xnm_textline_is_blank(c[-1]);

        if (begins && *c == '#')
            return c;
        if (begins && !*option && is_option(c, text->end))
            *option = c;
        if (*c == '\\' && c + 1 < text->end)
            c++;
        else if (*c == '"')
            quoted = !quoted;
    }
    return text->end;
}

/* Returns the type, or 0 after reporting an error. */
static uint16_t read_type(struct xnm_ruleline *line, const struct xnm_word *word)
{
    uint16_t type = word->quoted ? 0 : xnm_zonefile_type(word->text, word->len);
    char quote[XNM_RULELINE_QUOTE_MAX];

    if (type == 0)
        xnm_textline_error(
            &line->text, word->at,
            "'%s' is not a record type: expected one such as A, TXT or TYPE65280 "
            "and then its RDATA (write a TTL before the type, as ttl=SECONDS, and no class)",
            xnm_ruleline_quote(word->text, word->len, quote));
    return type;
}

void xnm_rulerecord_rdata(struct xnm_ruleline *line, const struct xnm_word *word)
{
    struct xnm_zonefile_error error;
    struct xnm_record record;
    const char *option, *at = xnm_textline_skip_blanks(line->pos, line->text.end);
    const char *end = rdata_end(&line->text, at, &option);
    uint16_t type = read_type(line, word);

    if (type == 0)
        return;
    end = xnm_textline_trim(at, end);
    if (option)
        xnm_textline_error(
            &line->text, option,
            "an option follows the type: expected options before the type, or quotes around text");
    else if (xnm_zonefile_rdata(line->options->unicode, type, at, (size_t)(end - at), &record,
                                &error))
        add_record(line, at, &record);
    else
        xnm_textline_error(&line->text, at + error.at, "%s", error.message);
}

static bool covers(const struct xnm_rule *rule, const uint8_t *name, size_t len)
{
    size_t before = xnm_wirename_before(name, len, rule->name.octets, rule->name.len);

    return before != SIZE_MAX && rule->scope != (before == 0 ? XNM_SCOPE_BELOW : XNM_SCOPE_EXACT);
}

void xnm_rulerecord_finish(struct xnm_ruleline *line)
{
    const struct xnm_rule *rule = &line->rule;
    const struct xnm_record *alias = rule->records;

    if (rule->action == XNM_CNAME && rule->record_count == 1 && rule->name.len > 0 &&
        (rule->trigger == XNM_TRIGGER_NAME || rule->trigger == XNM_TRIGGER_ZONE) &&
        covers(rule, alias->rdata, alias->rdata_len))
        xnm_textline_error(&line->text, line->target_at,
                           "this alias leads to a name that the rule itself matches: expected a "
                           "target that it does not match");
}
