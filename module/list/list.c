/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/list/list.h"

#include "core/wire/walk.h"
#include "module/file/textline.h"
#include "module/list/rpz.h"
#include "module/list/tally.h"
#include "module/name/rulename.h"
#include "module/name/suffix.h"
#include "module/rule/protection.h"
#include "module/rule/rule.h"

#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

struct list {
    struct xnm_list_tally tally;
    struct xnm_textline line;
    const char *name; /* the current bad name, in the line */
    bool said;        /* its fault was reported */
};

/* --- reports --- */

static void bad(struct list *list, const char *at, const char *message)
{
    if (xnm_list_tally_count(&list->tally, XNM_LIST_TALLY_BAD))
        xnm_textline_error(&list->line, at, "%s", message);
}

static void skip(struct list *list, const char *at, const char *reason)
{
    if (xnm_list_tally_count(&list->tally, XNM_LIST_TALLY_SKIPPED))
        xnm_textline_warning(&list->line, at, "skipped: %s", reason);
}

/* --- names --- */

/* Returns a letter, a digit, a hyphen or an underscore in lower case; 0 for any other octet. */
static uint8_t plain(uint8_t octet)
{
    if ((unsigned)(octet | 0x20) - 'a' < 26)
        return octet | 0x20;
    return (unsigned)octet - '0' < 10 || octet == '-' || octet == '_' ? octet : 0;
}

static bool close_label(struct xnm_wirename *name, size_t start, size_t end)
{
    size_t len = end - start - 1;

    if (len == 0 || len > XN_WIRE_LABEL_MAX ||
        xn_wire_has_ace_prefix(name->octets + start + 1, len))
        return false;
    name->octets[start] = (uint8_t)len;
    return true;
}

/* Reads a plain name, as nearly every line of nearly every list has: seven times as fast as
 * xnm_rulename_read, which gives the same result for it, and reads all others. */
static bool read_plain(const char *at, const char *end, struct xnm_wirename *name)
{
    size_t start = 0, out = 1; /* start of the current label; end of the output */

    if (end - at > XN_WIRE_NAME_MAX - 1)
        return false;
    for (; at < end; at++) {
        uint8_t octet = plain((uint8_t)*at);

        if (octet != 0) {
            name->octets[out++] = octet;
        } else if (*at != '.' || !close_label(name, start, out)) {
            return false;
        } else {
            start = out++;
        }
    }
    if (out - start > 1) {
        if (out > XN_WIRE_NAME_MAX - 1 || !close_label(name, start, out))
            return false;
        start = out;
    }
    name->octets[start] = 0;
    name->len = (uint8_t)(start + 1);
    return start > 0;
}

/* Reports only the first fault of a bad name: one of 65,536 octets may have as many. */
static void say_fault(void *arg, xnm_severity severity, size_t at, const char *message)
{
    struct list *list = arg;

    (void)severity; /* only good names get warnings */
    if (!list->said)
        xnm_textline_error(&list->line, list->name + at, "%s", message);
    list->said = true;
}

/* Reads a name as in rule files, or `*.name`. A good name gets no warnings (another spelling, an
 * xn-- label that is not an A-label): it matches what its author wrote, who never sees our log, and
 * each reload would give as many lines. */
static bool read_name(struct list *list, const char *at, const char *end, struct xnm_wirename *name,
                      bool *wildcard)
{
    size_t len = (size_t)(end - at);

    if (xnm_rulename_read(list->tally.options->unicode, at, len, name, wildcard, NULL, NULL))
        return true;
    list->name = at;
    list->said = false;
    if (xnm_list_tally_count(&list->tally, XNM_LIST_TALLY_BAD))
        xnm_rulename_read(list->tally.options->unicode, at, len, name, wildcard, say_fault, list);
    return false;
}

/* Names in hosts files that stand for the machine itself or its neighbours. */
#define WIRE(literal)                                                                              \
    {                                                                                              \
        sizeof(literal), literal                                                                   \
    }
static const struct {
    size_t len; /* including the root label, which is the literal's NUL */
    const char *octets;
} local_names[] = {
    WIRE("\011localhost"),  WIRE("\011localhost\013localdomain"),
    WIRE("\012localhost4"), WIRE("\012localhost4\014localdomain4"),
    WIRE("\012localhost6"), WIRE("\012localhost6\014localdomain6"),
    WIRE("\005local"),      WIRE("\015broadcasthost"),
};

static bool is_local(const struct xnm_wirename *name)
{
    bool single = name->octets[0] + 2 == name->len;

    if (single && name->octets[0] > 4 && memcmp(name->octets + 1, "ip6-", 4) == 0)
        return true;
    for (size_t i = 0; i < sizeof local_names / sizeof *local_names; i++)
        if (name->len == local_names[i].len &&
            memcmp(name->octets, local_names[i].octets, name->len) == 0)
            return true;
    return false;
}

static bool is_octet_number(const uint8_t *label)
{
    unsigned value = 0;

    for (unsigned i = 1; i <= label[0]; i++) {
        if (label[i] < '0' || label[i] > '9' || value > 25)
            return false;
        value = value * 10 + (label[i] - '0');
    }
    return value <= 255;
}

/* True for four labels that are numbers up to 255: no name is like that, since no top-level domain
 * has digits only. */
static bool is_ipv4(const struct xnm_wirename *name)
{
    const uint8_t *label = name->octets;
    unsigned labels = 0;

    for (; *label != 0 && is_octet_number(label); label += *label + 1)
        labels++;
    return *label == 0 && labels == 4;
}

#define ADDRESS "an address, not a name"
static const char *reason_to_skip(const struct xnm_wirename *name)
{
    if (name->len == 1)
        return "the root, which would match every name";
    if (is_ipv4(name))
        return ADDRESS;
    return is_local(name) ? "a name of the machine itself" : NULL;
}

static bool is_protected(const struct list *list)
{
    return list->tally.rule->trigger == XNM_TRIGGER_LOOKALIKES;
}

static void take(struct list *list, const char *at, const struct xnm_wirename *name,
                 xnm_scope scope)
{
    struct xnm_list_entry entry = {
        .unread = list->line.at, .name = name->octets, .name_len = name->len, .scope = scope};
    const char *reason = reason_to_skip(name);

    if (reason)
        skip(list, at, reason);
    else if (xnm_list_tally_take(&list->tally, &entry))
        list->tally.short_names +=
            is_protected(list) &&
            !xnm_protection_can_match(&list->tally.rule->protection, name->octets, name->len);
    else if (!xnm_suffix_is_listed(name->octets, name->len))
        bad(list, at,
            is_protected(list)
                ? "this is a single label, like a top-level domain: expected a name below it"
                : "this is a single label, like a top-level domain: write suffixes=yes on the "
                  "rule if the list may have these");
    else if (xnm_list_tally_count(&list->tally, XNM_LIST_TALLY_SUFFIX))
        xnm_textline_error(
            &list->line, at, "this is a public suffix, below which a registry sells names: %s",
            is_protected(list) ? "expected a name below it"
                               : "write suffixes=yes on the rule if the list may have these");
}

static xnm_scope scope_of_names(const struct list *list)
{
    return list->tally.rule->trigger == XNM_TRIGGER_NAMES ? XNM_SCOPE_EXACT : XNM_SCOPE_ZONE;
}

/* --- entries --- */

static bool is_address(const char *at, const char *end)
{
    char text[INET6_ADDRSTRLEN];
    uint8_t address[16];
    const char *zone = memchr(at, '%', (size_t)(end - at)); /* fe80::1%lo0 */
    size_t len = (size_t)((zone ? zone : end) - at);

    if (len >= sizeof text)
        return false;
    memcpy(text, at, len);
    text[len] = '\0';
    if (memchr(text, ':', len))
        return inet_pton(AF_INET6, text, address) == 1;
    return !zone && inet_pton(AF_INET, text, address) == 1;
}

static bool contains(const char *at, const char *end, const char *text)
{
    return memmem(at, (size_t)(end - at), text, strlen(text)) != NULL;
}

static bool begins(const char *at, const char *end, const char *text)
{
    size_t len = strlen(text);

    return (size_t)(end - at) >= len && strncasecmp(at, text, len) == 0;
}

/* Why an ad blocker's entry is skipped; NULL: it is not. An entry that says more than a name does
 * is not ours to guess. The order of the checks matters. */
static const char *reason_to_skip_filter(const char *at, const char *end)
{
    static const char *const cosmetic[] = {"##", "#@", "#?", "#$", "#%", "$$"};

    if (begins(at, end, "@@"))
        return "an exception (@@) of an ad blocker's list";
    for (size_t i = 0; i < sizeof cosmetic / sizeof *cosmetic; i++)
        if (contains(at, end, cosmetic[i]))
            return "a cosmetic filter of an ad blocker's list";
    if (begins(at, end, "/"))
        return "a regular expression or a path";
    if (contains(at, end, "$"))
        return "a filter with modifiers ($)";
    if (contains(at, end, "|") || contains(at, end, "^"))
        return "a filter of an ad blocker's list that is not ||name^";
    return NULL;
}

/* Takes the name out of `||name^`. Returns false if the word is not of that form. */
static bool unwrap(const char **at, const char **end)
{
    if (*end - *at < 3 || !begins(*at, *end, "||") || (*end)[-1] != '^')
        return false;
    const char *name = *at + 2, *name_end = *end - 1;
    for (const char *c = name; c < name_end; c++)
        if (memchr("^|/:?=&$", *c, 8) || (*c == '*' && c > name))
            return false;
    *at = name;
    *end = name_end;
    return true;
}

/* Why an entry with more than a name is refused; NULL: it is not. Otherwise the message would be
 * about the first character that a name cannot have. */
static const char *reason_to_refuse(const char *at, const char *end)
{
    static const char *const dnsmasq[] = {"address=/", "server=/", "local=/"};
    const char *colon = memchr(at, ':', (size_t)(end - at));

    for (size_t i = 0; i < sizeof dnsmasq / sizeof *dnsmasq; i++)
        if (begins(at, end, dnsmasq[i]))
            return "this is a line of dnsmasq's configuration: expected the name alone";
    if (contains(at, end, "://"))
        return "this is a URL: expected the name alone";
    if (contains(at, end, "/"))
        return "a path or a prefix length follows the name: expected the name alone";
    if (colon && end - colon > 1 && colon[1] >= '0' && colon[1] <= '9')
        return "a port follows the name: expected the name alone";
    return NULL;
}

static void read_written(struct list *list, const char *at, const char *end, xnm_scope scope)
{
    struct xnm_wirename name;
    bool wildcard = false;

    if (!read_plain(at, end, &name) && !read_name(list, at, end, &name, &wildcard))
        return;
    if (wildcard && is_protected(list))
        bad(list, at,
            "'*.' does not go with protected names, because names below a look-alike are found "
            "anyway: expected the name without '*.'");
    else
        take(list, at, &name, wildcard ? XNM_SCOPE_BELOW : scope);
}

/* Reads a word that is not a plain name. */
static void read_other_word(struct list *list, const char *at, const char *end)
{
    const char *reason = reason_to_skip_filter(at, end);
    bool zone = end - at > 1 && *at == '.';

    if (!reason && is_address(at, end))
        reason = ADDRESS;
    if (reason)
        skip(list, at, reason);
    else if ((reason = reason_to_refuse(at, end)))
        bad(list, at, reason);
    else
        read_written(list, at + zone, end, zone ? XNM_SCOPE_ZONE : scope_of_names(list));
}

static void read_word(struct list *list, const char *at, const char *end)
{
    struct xnm_wirename name;

    if (read_plain(at, end, &name))
        take(list, at, &name, scope_of_names(list));
    else if (unwrap(&at, &end))
        read_written(list, at, end, XNM_SCOPE_ZONE);
    else
        read_other_word(list, at, end);
}

/* --- lines --- */

/* Reads an address and its names, as in a hosts file, or one entry. */
static void read_words(struct list *list, const char *at, const char *end)
{
    const char *first_end = xnm_textline_skip_word(at, end);
    const char *second = xnm_textline_skip_blanks(first_end, end);
    const char *reason = NULL;

    if (second == end) {
        read_word(list, at, first_end);
    } else if (!is_address(at, first_end)) {
        reason = reason_to_skip_filter(at, first_end);
        if (reason)
            skip(list, at, reason);
        else
            bad(list, second,
                "text follows the name: expected one name a line, or an address and its names");
    } else {
        for (at = second; at < end && !list->tally.stopped;
             at = xnm_textline_skip_blanks(xnm_textline_skip_word(at, end), end))
            read_word(list, at, xnm_textline_skip_word(at, end));
    }
}

static void read_line(struct list *list)
{
    const char *at = xnm_textline_skip_blanks(list->line.at, list->line.end);
    const char *end = xnm_textline_comment(list->line.at, at, list->line.end);
    struct xnm_wirename name;

    if (read_plain(list->line.at, list->line.end, &name))
        take(list, at, &name, scope_of_names(list));
    else if (at == end || *at == '!' || begins(at, end, "[Adblock"))
        return;
    else if (end - at > XNM_RULE_LINE_MAX)
        bad(list, at, "this line has more than 65536 octets: expected a name");
    else
        read_words(list, at, end);
}

/* --- files --- */

/* Recognizes what a failed download leaves behind, such as a page in HTML. Its lines would be
 * thousands of errors, and by chance a name. */
static const struct {
    size_t len;
    const char *first, *what;
} others[] = {
    {2, "\xFF\xFE", "UTF-16 text"},
    {2, "\xFE\xFF", "UTF-16 text"},
    {1, "<", "a web page"},
    {2, "\x1F\x8B", "a gzip file"},
    {6,
     "\xFD"
     "7zXZ",
     "an xz file"},
    {4, "\x28\xB5\x2F\xFD", "a zstd file"},
    {4, "PK\x03\x04", "a zip file"},
};

/* True, after an error, if the first line with text does not begin as a list or a zone does. */
static bool is_something_else(struct list *list, const char *text, size_t len)
{
    const struct xnm_list_tally *tally = &list->tally;
    struct xnm_textline *line = &list->line;
    const char *at = text + len;

    xnm_textline_open(line, tally->file, text, len, tally->options->diagnostics);
    while (at == line->text_end && xnm_textline_next(line)) {
        const char *first = xnm_textline_skip_blanks(line->at, line->end);
        at = first < line->end ? first : line->text_end;
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if ((size_t)(line->text_end - at) < others[i].len ||
            memcmp(at, others[i].first, others[i].len) != 0)
            continue;
        xnm_list_tally_count(&list->tally, XNM_LIST_TALLY_BAD);
        xnm_textline_error(line, at, "this is %s: expected %s", others[i].what,
                           tally->rule->trigger == XNM_TRIGGER_RPZ ? "a zone file"
                                                                   : "a list of names");
        return true;
    }
    return false;
}

static bool read_list(struct list *list, const char *text, size_t len)
{
    const struct xnm_list_tally *tally = &list->tally;

    xnm_textline_open(&list->line, tally->file, text, len, tally->options->diagnostics);
    while (!xnm_list_tally_is_stopped(tally) && xnm_textline_next(&list->line))
        read_line(list);
    return !xnm_list_tally_is_stopped(tally);
}

bool xnm_list_read(const struct xnm_list_options *options, const struct xnm_rule *rule,
                   const char *file, const char *text, size_t len, struct xnm_list_counts *counts)
{
    struct list list = {.tally = {.options = options, .rule = rule, .file = file}};
    bool good = false;

    if (!is_something_else(&list, text, len))
        good = rule->trigger == XNM_TRIGGER_RPZ ? xnm_rpz_read(&list.tally, text, len)
                                                : read_list(&list, text, len);
    xnm_list_tally_close(&list.tally, counts);
    return good;
}

bool xnm_list_has_shrunk(const struct xnm_rule *rule, size_t held, size_t entries)
{
    unsigned left = (unsigned)(XNM_RULE_SHRINK_ANY - rule->shrink);

    return (uint64_t)entries * 100 < (uint64_t)held * left;
}
