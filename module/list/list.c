/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/list/list.h"

#include "module/base/number.h"
#include "module/list/reader.h"
#include "module/list/rpzfile.h"
#include "module/rule/rule.h"

#include <arpa/inet.h>
#include <string.h>

/* --- words --- */

static xnm_scope scope_of_names(const struct xnm_list_reader *list)
{
    return list->tally.rule->trigger == XNM_TRIGGER_NAMES ? XNM_SCOPE_EXACT : XNM_SCOPE_ZONE;
}

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

/* Returns why an entry with more than a name is refused; NULL: it is not. Without this, the message
 * would be about the first character that a name cannot have. */
static const char *reason_to_refuse(const char *at, const char *end)
{
    const char *colon = memchr(at, ':', (size_t)(end - at));

    if (memmem(at, (size_t)(end - at), "://", 3))
        return "this is a URL: expected the name alone";
    if (memchr(at, '/', (size_t)(end - at)))
        return "a path or a prefix length follows the name: expected the name alone";
    if (colon && end - colon > 1 && colon[1] >= '0' && colon[1] <= '9')
        return "a port follows the name: expected the name alone";
    return NULL;
}

/* Reads a word that is not a plain name. */
static void read_other_word(struct xnm_list_reader *list, const char *at, const char *end)
{
    bool zone = end - at > 1 && *at == '.';
    const char *reason;

    if (xnm_list_filter(list, at, end))
        return;
    if (is_address(at, end))
        xnm_list_skip(list, at, XNM_LIST_SKIP_ADDRESS);
    else if ((reason = reason_to_refuse(at, end)))
        xnm_list_bad(list, at, reason);
    else
        xnm_list_take_written(list, at + zone, end, zone ? XNM_SCOPE_ZONE : scope_of_names(list));
}

static void read_word(struct xnm_list_reader *list, const char *at, const char *end)
{
    struct xnm_wirename name;

    if (xnm_list_plain_name(at, end, &name))
        xnm_list_take(list, at, &name, scope_of_names(list));
    else
        read_other_word(list, at, end);
}

/* --- lines --- */

static void read_hosts(struct xnm_list_reader *list, const char *at, const char *end)
{
    size_t before = list->tally.counts.entries;

    for (; at < end && !list->tally.stopped;
         at = xnm_textline_skip_blanks(xnm_textline_skip_word(at, end), end))
        read_word(list, at, xnm_textline_skip_word(at, end));
    list->tally.of_syntax[XNM_LIST_HOSTS] += list->tally.counts.entries - before;
}

/* Reads the length of min=, which follows the names of a line. */
static bool read_min(struct xnm_list_reader *list, const char *at, const char *end)
{
    uint32_t min;

    if (xnm_number_read(at, (size_t)(end - at), XN_WIRE_LABEL_MAX, &min) && min > 0) {
        list->min = (uint8_t)min;
        return true;
    }
    xnm_list_bad(list, at, "this is not a length of labels: expected 1 to 63 characters");
    return false;
}

/* Reads an address and its names, as in a hosts file, or one entry. */
static void read_words(struct xnm_list_reader *list, const char *at, const char *end)
{
    const char *first_end = xnm_textline_skip_word(at, end);
    const char *second = xnm_textline_skip_blanks(first_end, end);

    if (second == end)
        read_word(list, at, first_end);
    else if (is_address(at, first_end))
        read_hosts(list, second, end);
    else if (!xnm_list_filter(list, at, end))
        xnm_list_bad(list, second,
                     xnm_list_is_protected(list)
                         ? "text follows the name: expected one name a line, or an address and its "
                           "names, with nothing after them except 'min='"
                         : "text follows the name: expected one name a line, or an address and its "
                           "names");
}

/* Reads a line of protected names, of which the last word may be their min=. */
static void read_protected(struct xnm_list_reader *list, const char *at, const char *end)
{
    static const char option[] = "min=";
    const char *last_end = end, *last;

    while (xnm_textline_is_blank(last_end[-1]))
        last_end--;
    for (last = last_end; last > at && !xnm_textline_is_blank(last[-1]);)
        last--;
    if (last == at || !xnm_list_begins(last, last_end, option)) {
        read_words(list, at, end);
    } else if (read_min(list, last + strlen(option), last_end)) {
        read_words(list, at, last);
        list->min = 0;
    }
}

/* Returns whether a line is a cosmetic filter for every page, such as `##x`; `# x` and `####` are
 * comments. */
static bool is_cosmetic(const char *at, const char *end)
{
    size_t marks = 0;

    while (at + marks < end && at[marks] == '#')
        marks++;
    if (marks == 1)
        return end - at > 3 && memchr("@?$%", at[1], 4) && at[2] == '#';
    return (marks == 2 || marks == 3) && at + marks < end && !xnm_textline_is_blank(at[marks]);
}

static void read_names(struct xnm_list_reader *list, const char *at, const char *end)
{
    if (xnm_list_is_protected(list))
        read_protected(list, at, end);
    else
        read_words(list, at, end);
}

/* Returns whether a line is of the configuration of dnsmasq, Unbound or BIND, in which lists are
 * published, too. */
static bool is_configuration(const char *at, const char *end)
{
    static const char *const keys[] = {"address=/", "server=/",    "local=/",
                                       "server:",   "local-zone:", "local-data:"};

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (xnm_list_begins(at, end, keys[i]))
            return true;
    return xnm_list_begins(at, end, "zone") && end - at > 4 &&
           (xnm_textline_is_blank(at[4]) || at[4] == '"') && memchr(at, '{', (size_t)(end - at));
}

static void read_line(struct xnm_list_reader *list)
{
    const char *at = xnm_textline_skip_blanks(list->line.at, list->line.end);
    const char *end = xnm_textline_comment(list->line.at, at, list->line.end);
    struct xnm_wirename name;

    if (xnm_list_plain_name(list->line.at, list->line.end, &name))
        xnm_list_take(list, at, &name, scope_of_names(list));
    else if (at == end && is_cosmetic(at, list->line.end))
        xnm_list_skip(list, at, XNM_LIST_SKIP_COSMETIC);
    else if (at == end || *at == '!' || xnm_list_begins(at, end, "[Adblock") ||
             xnm_list_begins(at, end, "// "))
        return;
    else if (end - at > XNM_RULE_LINE_MAX)
        xnm_list_bad(list, at, "this line has more than 65536 octets: expected a name");
    else if (is_configuration(at, end))
        xnm_list_bad(list, at,
                     "this is a line of a server's configuration: expected a name; fetch the list "
                     "as names, as a hosts file, for ad blockers or as a response policy zone");
    else
        read_names(list, at, end);
}

/* --- files --- */

/* The first octets of files that are not lists, such as a page in HTML after a failed download.
 * Each line would be an error, or by chance a name. */
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
    {4,
     "\x7F"
     "ELF",
     "a program"},
};

/* Returns whether the file is no list or zone, by its first line with text, and reports that. */
static bool is_something_else(struct xnm_list_reader *list, const char *text, size_t len)
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
        xnm_list_tally_count(&list->tally.counts.bad);
        xnm_textline_error(line, at, "this is %s: expected %s", others[i].what,
                           tally->rule->trigger == XNM_TRIGGER_RPZ ? "a zone file"
                                                                   : "a list of names");
        return true;
    }
    return false;
}

static bool read_list(struct xnm_list_reader *list, const char *text, size_t len)
{
    const struct xnm_list_tally *tally = &list->tally;

    xnm_textline_open(&list->line, tally->file, text, len, tally->options->diagnostics);
    while (!xnm_list_tally_is_stopped(tally) && xnm_textline_next(&list->line)) {
        read_line(list);
        xnm_list_tally_watch(tally, len - (size_t)(list->line.next - text));
    }
    return !xnm_list_tally_is_stopped(tally);
}

bool xnm_list_read(const struct xnm_list_options *options, const struct xnm_rule *rule,
                   const char *file, const char *text, size_t len, struct xnm_list_counts *counts)
{
    struct xnm_list_reader list = {
        .tally = {.options = options, .rule = rule, .file = file, .size = len}};
    bool good = false;

    if (!is_something_else(&list, text, len))
        good = rule->trigger == XNM_TRIGGER_RPZ ? xnm_rpzfile_read(&list.tally, text, len)
                                                : read_list(&list, text, len);
    xnm_list_tally_close(&list.tally);
    *counts = list.tally.counts;
    return good;
}

bool xnm_list_has_shrunk(const struct xnm_rule *rule, size_t before, size_t entries)
{
    unsigned left = (unsigned)(XNM_RULE_SHRINK_ANY - rule->shrink);

    return (uint64_t)entries * 100 < (uint64_t)before * left;
}
