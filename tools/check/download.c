/* SPDX-License-Identifier: BSD-3-Clause */
/* Answers `unbound-idn fetch`: which lists have a URL, and whether a download may replace one. */
#include "tools/check/check.h"

#include "module/config/config.h"
#include "module/file/folder.h"
#include "module/file/textfile.h"
#include "module/list/list.h"
#include "module/rule/rulefile.h"
#include "tools/check/policyread.h"
#include "tools/command/command.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* --- rules --- */

struct reading {
    const struct xn_unicode *unicode;
    const struct xnm_diagnostics *diagnostics;
    const char *path; /* of the configuration */
    struct xnm_config config;
    struct xnm_rules rules;
    bool failed; /* a rule file cannot be read, or has an error */
};

static void read_rules(struct reading *reading, const char *path)
{
    const struct xnm_rules_options how = {.unicode = reading->unicode,
                                          .diagnostics = reading->diagnostics,
                                          .default_ttl = reading->config.policy.ttl};
    const struct xnm_place place = {.file = path};
    struct xnm_textfile file;
    const char *why = xnm_textfile_read(path, XNM_RULES_SIZE_MAX, &file);

    if (why) {
        xnm_diagnostics_add(reading->diagnostics, XNM_ERROR, &place, "%s", why);
        reading->failed = true;
        return;
    }
    reading->failed |= !xnm_rules_parse(&reading->rules, &how, path, file.text, file.len);
    xnm_textfile_free(&file);
}

/* Returns whether the configuration could be read. */
static bool open_reading(struct reading *reading, const char *config)
{
    reading->path = config;
    xnm_config_init(&reading->config);
    if (!xnm_config_load(&reading->config, config, reading->diagnostics))
        return false;
    for (size_t i = 0; i < reading->config.policy.file_count; i++)
        read_rules(reading, reading->config.policy.files[i]);
    return true;
}

static void close_reading(struct reading *reading)
{
    xnm_rules_free(&reading->rules);
    xnm_config_free(&reading->config);
}

/* Returns the first rule with url= that names the list, or NULL. */
static const struct xnm_rule *rule_of(const struct reading *reading, const char *list)
{
    const struct xnm_rules *rules = &reading->rules;

    for (size_t i = 0; i < rules->count; i++)
        if (rules->rules[i].url && strcmp(rules->rules[i].path, list) == 0)
            return &rules->rules[i];
    return NULL;
}

/* --- which lists have a URL --- */

/* Returns whether a text is printed as it is: a path may have any octet but NUL. */
static bool is_printed_as_it_is(const char *text)
{
    struct buffer visible = {0};

    buffer_visible(&visible, text, strlen(text));
    bool result = strcmp(buffer_string(&visible), text) == 0;
    buffer_free(&visible);
    return result;
}

/* Returns why the list's folder cannot be opened, or NULL. */
static const char *folder_trouble(const char *list)
{
    const char *name;
    int folder = xnm_folder_open(list, &name);

    if (folder < 0)
        return xnm_folder_error(errno);
    close(folder);
    return NULL;
}

/* Returns whether a list would take the place of the configuration or of a rule file. */
static bool is_source(const struct reading *reading, const char *list)
{
    return check_is_same_file(list, reading->path) || check_is_rule_file(&reading->config, list);
}

static void print_url(const struct xnm_rule *rule, const struct xnm_place *place)
{
    const char *trouble = folder_trouble(rule->path);
    struct buffer line = {0};

    buffer_message(&line, place, "");
    while (line.len > 0 && strchr(": ", line.data[line.len - 1]))
        line.len--;
    buffer_format(&line, "\t%s\t%s", rule->path, rule->url);
    if (trouble)
        buffer_format(&line, "\t%s", trouble);
    puts(buffer_string(&line));
    buffer_free(&line);
}

static bool print_rule(const struct reading *reading, const struct xnm_rule *rule)
{
    const struct xnm_place place = {rule->file, rule->line, rule->path_column};
    const struct xnm_rule *first = rule_of(reading, rule->path);

    if (first != rule && strcmp(first->url, rule->url) == 0)
        return true;
    if (first != rule) {
        xnm_diagnostics_add(
            reading->diagnostics, XNM_ERROR, &place,
            "the rule %s:%u has another URL for this file: expected one for each file", first->file,
            first->line);
        return false;
    }
    if (is_source(reading, rule->path)) {
        xnm_diagnostics_add(
            reading->diagnostics, XNM_ERROR, &place,
            "this is a rule file or the configuration, and would be replaced by the "
            "download: expected the path of a list");
        return false;
    }
    if (!is_printed_as_it_is(rule->path)) {
        xnm_diagnostics_add(
            reading->diagnostics, XNM_ERROR, &place,
            "the path of this file has a character that cannot be printed: expected none "
            "in the path of a file with url=");
        return false;
    }
    print_url(rule, &place);
    return true;
}

int check_urls(const struct xn_unicode *unicode, const char *config)
{
    struct reading reading = {.unicode = unicode, .diagnostics = &policyread_errors};
    int status = STATUS_USAGE;

    if (open_reading(&reading, config) && !(reading.failed && reading.rules.count == 0)) {
        for (size_t i = 0; i < reading.rules.count; i++)
            if (reading.rules.rules[i].url)
                reading.failed |= !print_rule(&reading, &reading.rules.rules[i]);
        status = reading.failed ? STATUS_FINDING : STATUS_FINE;
    }
    close_reading(&reading);
    return status;
}

/* --- whether a download may replace a list --- */

struct contents {
    struct xnm_list_counts counts;
    char first[256]; /* the first error; "": there is none */
};

static bool pass_over(void *arg, const struct xnm_list_entry *entry)
{
    (void)arg, (void)entry;
    return true;
}

static void keep_first_error(void *arg, xnm_severity severity, const struct xnm_place *place,
                             const char *message)
{
    struct contents *contents = arg;
    struct buffer text = {0};

    if (severity != XNM_ERROR || contents->first[0])
        return;
    if (place->line)
        buffer_format(&text, "line %u: ", place->line);
    buffer_visible(&text, message, strlen(message));
    snprintf(contents->first, sizeof contents->first, "%.*s",
             (int)buffer_fitting(text.data, text.len, sizeof contents->first - 1), text.data);
    buffer_free(&text);
}

/* Returns whether the engine would accept the text as the rule's list. */
static bool read_text(const struct xn_unicode *unicode, const struct xnm_rule *rule,
                      const struct xnm_textfile *file, struct contents *contents)
{
    const struct xnm_diagnostics diagnostics = {keep_first_error, contents};
    const struct xnm_list_options how = {
        .unicode = unicode, .diagnostics = &diagnostics, .entry = pass_over};

    return xnm_list_read(&how, rule, rule->path, file->text, file->len, &contents->counts);
}

/* Returns the entries of the present list, which is not kept if it is itself rejected. */
static size_t present_entries(const struct xn_unicode *unicode, const struct xnm_rule *rule)
{
    struct xnm_textfile file;
    struct contents contents = {0};

    if (xnm_textfile_read(rule->path, XNM_LIST_SIZE_MAX, &file))
        return 0;
    bool good = read_text(unicode, rule, &file, &contents);
    xnm_textfile_free(&file);
    return good ? contents.counts.entries : 0;
}

/* Returns the line of the first control character that no text has; 0: there is none. */
static size_t binary_line(const char *text, size_t len)
{
    size_t line = 1;

    for (size_t i = 0; i < len; i++) {
        line += text[i] == '\n';
        if ((unsigned char)text[i] < ' ' && !memchr("\t\n\v\f\r\x1A", text[i], 6))
            return line;
    }
    return 0;
}

__attribute__((format(printf, 1, 2))) static int reject(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    return STATUS_FINDING;
}

static const char *entry_word(size_t count)
{
    return count == 1 ? "entry" : "entries";
}

static int judge(const struct xn_unicode *unicode, const struct xnm_rule *rule,
                 const struct xnm_textfile *file)
{
    struct contents contents = {0};
    size_t binary = binary_line(file->text, file->len), present = present_entries(unicode, rule);
    bool whole = read_text(unicode, rule, file, &contents);
    size_t entries = contents.counts.entries;
    size_t bad = contents.counts.bad + contents.counts.suffixes;

    if (!whole)
        return reject("%s", contents.first);
    if (binary)
        return reject("line %zu has a control character: expected text", binary);
    if (entries == 0 && bad > 0)
        return reject("no line is valid: %s", contents.first);
    if (bad > entries)
        return reject("it has more bad lines (%zu) than entries (%zu): %s", bad, entries,
                      contents.first);
    if (entries == 0 && rule->shrink < XNM_RULE_SHRINK_ANY)
        return reject("it is empty: expected a list, or shrink=any on the rule");
    if (xnm_list_has_shrunk(rule, present, entries))
        return reject("it has %zu %s, but the file has %zu: a loss of more than shrink=%d%%",
                      entries, entry_word(entries), present, rule->shrink);
    printf("%zu %s\n", entries, entry_word(entries));
    return STATUS_FINE;
}

int check_download(const struct xn_unicode *unicode, const char *config, const char *download,
                   const char *list)
{
    struct reading reading = {.unicode = unicode, .diagnostics = &xnm_diagnostics_ignored};
    struct xnm_textfile file;
    int status = STATUS_USAGE;
    const struct xnm_rule *rule = open_reading(&reading, config) ? rule_of(&reading, list) : NULL;
    const char *why = rule ? xnm_textfile_read(download, XNM_LIST_SIZE_MAX, &file) : NULL;

    if (!rule) {
        command_file_error("unbound-idn check", list,
                           "no rule of the configuration names this list and has url=");
    } else if (why) {
        command_file_error("unbound-idn check", download, why);
    } else {
        status = judge(unicode, rule, &file);
        xnm_textfile_free(&file);
    }
    close_reading(&reading);
    return status;
}
