/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads groups of clients, and client= and when=. */
#include "module/rule/rulefile.h"
#include "module/rule/ruleline.h"

#include <stdlib.h>
#include <string.h>

/* --- group --- */

static struct xnm_group *find_group(const struct xnm_rules *rules, const char *name, size_t len)
{
    for (size_t i = 0; i < rules->group_count; i++)
        if (strlen(rules->groups[i].name) == len && memcmp(rules->groups[i].name, name, len) == 0)
            return &rules->groups[i];
    return NULL;
}

/* Finds or adds the group of a name. NULL: an error was reported. */
static struct xnm_group *group_of(struct xnm_ruleline *line, struct xnm_rules *rules,
                                  const struct xnm_word *name)
{
    struct xnm_group *group = find_group(rules, name->text, name->len);

    if (group)
        return group;
    if (rules->group_count == XNM_GROUPS_MAX) {
        xnm_textline_error(&line->text, name->at, "too many groups: expected %d at most",
                           XNM_GROUPS_MAX);
        return NULL;
    }
    group = realloc(rules->groups, (rules->group_count + 1) * sizeof *group);
    if (!group) {
        xnm_textline_no_memory(&line->text, name->at);
        return NULL;
    }
    rules->groups = group;
    group += rules->group_count++;
    *group = (struct xnm_group){
        .file = line->rule.file, .line = line->rule.line, .column = line->rule.column};
    memcpy(group->name, name->text, name->len);
    return group;
}

static void add_file(struct xnm_ruleline *line, struct xnm_group *group,
                     const struct xnm_word *word, size_t key_len)
{
    const struct xnm_ruleline_part key = {word, word->text, key_len};
    const struct xnm_ruleline_part value = {word, word->text + key_len + 1,
                                            word->len - key_len - 1};
    const char *at = xnm_ruleline_place(&value, 0);
    struct xnm_group_file *files;
    unsigned column;
    char *path;

    if (!xnm_ruleline_is(&key, "file")) {
        xnm_ruleline_refuse(line, &key, 0, "is not an option of group: expected file=");
        return;
    }
    if (group->file_count == XNM_GROUP_FILES_MAX) {
        xnm_textline_error(&line->text, at, "too many files of one group: expected %d at most",
                           XNM_GROUP_FILES_MAX);
        return;
    }
    path = xnm_ruleline_path(line, at, value.text, value.len, "", &column);
    if (!path)
        return;
    for (size_t i = 0; i < group->file_count; i++) {
        if (strcmp(group->files[i].path, path) == 0) {
            xnm_ruleline_refuse(line, &value, 0,
                                "was already given for this group: expected each file once");
            free(path);
            return;
        }
    }
    files = realloc(group->files, (group->file_count + 1) * sizeof *files);
    if (!files) {
        free(path);
        xnm_textline_no_memory(&line->text, at);
        return;
    }
    group->files = files;
    files[group->file_count++] = (struct xnm_group_file){
        .path = path, .file = line->rule.file, .line = line->rule.line, .path_column = column};
}

/* Warns about a prefix that another one of the group contains, or that contains another one.
 * Compares it only with the first ones of the group. module/load/linefile.c reads the prefixes in
 * files. */
static void check_overlap(struct xnm_ruleline *line, const struct xnm_group *group,
                          const struct xnm_word *word, const struct xnm_prefix *prefix)
{
    const struct xnm_prefix *others =
        (const struct xnm_prefix *)(const void *)group->prefixes.octets;
    enum { COMPARED_MAX = 1000 };
    size_t count = xnm_group_prefix_count(group);
    char text[XNM_PREFIX_TEXT_MAX], other[XNM_PREFIX_TEXT_MAX];

    if (count >= COMPARED_MAX)
        return;
    for (size_t i = 0; i < count; i++) {
        bool is_inside = xnm_prefix_holds(&others[i], prefix);
        if (!is_inside && !xnm_prefix_holds(prefix, &others[i]))
            continue;
        xnm_textline_warning(&line->text, word->at, "'%s' %s '%s', which group %s already has",
                             xnm_prefix_text(prefix, text), is_inside ? "is in" : "holds",
                             xnm_prefix_text(&others[i], other), group->name);
        return;
    }
}

static void add_prefix(struct xnm_ruleline *line, struct xnm_group *group,
                       const struct xnm_word *word)
{
    const struct xnm_ruleline_part part = {word, word->text, word->len};
    struct xnm_prefix prefix, *added;
    const char *fault = xnm_prefix_read(word->text, word->len, &prefix);

    if (fault) {
        xnm_ruleline_refuse(line, &part, 0, "%s", fault);
        return;
    }
    check_overlap(line, group, word, &prefix);
    added = xnm_arena_add(&group->prefixes, sizeof *added);
    if (added)
        *added = prefix;
    else
        xnm_textline_no_memory(&line->text, word->at);
}

void xnm_rulegroup_read(struct xnm_ruleline *line, const struct xnm_word *keyword,
                        struct xnm_rules *rules)
{
    static const char needs[] = "a name, and then addresses, prefixes or file=PATH";
    struct xnm_word word;
    struct xnm_group *group;
    unsigned count = 0;

    line->rule.column = xnm_textline_place(&line->text, keyword->at).column;
    xnm_word_result result = xnm_ruleline_word(line, &word);
    if (result == XNM_WORD_NONE)
        xnm_textline_error(&line->text, line->pos, "group needs %s", needs);
    if (result != XNM_WORD_FOUND)
        return;
    if (!xnm_group_is_name(word.text, word.len)) {
        const struct xnm_ruleline_part part = {&word, word.text, word.len};
        xnm_ruleline_refuse(line, &part, 0,
                            "is not a name of a group: expected a letter of ASCII, and then up to "
                            "%d letters, digits, '.', '_' or '-'",
                            XNM_GROUP_NAME_MAX - 1);
        return;
    }
    group = group_of(line, rules, &word);
    if (!group)
        return;
    for (; (result = xnm_ruleline_word(line, &word)) == XNM_WORD_FOUND; count++) {
        size_t key_len = xnm_ruleoption_key(&word);
        if (key_len > 0)
            add_file(line, group, &word, key_len);
        else
            add_prefix(line, group, &word);
    }
    if (result == XNM_WORD_NONE && count == 0)
        xnm_textline_error(&line->text, line->pos, "group needs %s", needs);
}

/* --- client=, when= --- */

/* Adds a part to a list at its place in their order. Returns false after reporting an error. */
static bool add_part(struct xnm_ruleline *line, const struct xnm_ruleline_part *part, char **list,
                     const char *text)
{
    size_t len = strlen(text), old = *list ? strlen(*list) : 0, place = old, part_len;
    const char *at = *list, *other;
    unsigned count = 0;
    char *grown;

    while (xnm_limit_next(&at, &other, &part_len)) {
        int order = strncmp(other, text, part_len);
        if (order == 0 && part_len == len) {
            xnm_ruleline_refuse(line, part, 0, "was already given: expected each part once");
            return false;
        }
        if (place == old && order > 0)
            place = (size_t)(other - *list);
        count++;
    }
    if (count == XNM_LIMIT_PARTS_MAX) {
        xnm_textline_error(&line->text, xnm_ruleline_place(part, 0),
                           "too many parts: expected %d at most", XNM_LIMIT_PARTS_MAX);
        return false;
    }
    grown = realloc(*list, old + len + 2);
    if (!grown) {
        xnm_textline_no_memory(&line->text, xnm_ruleline_place(part, 0));
        return false;
    }
    *list = grown;
    if (old == 0) {
        memcpy(grown, text, len + 1);
        return true;
    }
    if (place == old) {
        grown[old] = ',';
        memcpy(grown + old + 1, text, len + 1);
        return true;
    }
    memmove(grown + place + len + 1, grown + place, old - place + 1);
    memcpy(grown + place, text, len);
    grown[place + len] = ',';
    return true;
}

static void add_client(struct xnm_ruleline *line, const struct xnm_ruleline_part *part)
{
    struct xnm_limit_client client;
    char text[XNM_LIMIT_PART_MAX];
    const char *fault = xnm_limit_client_read(part->text, part->len, &client);

    if (part->len == 0)
        xnm_textline_error(&line->text, xnm_ruleline_place(part, 0),
                           "a client is missing: expected groups, addresses and prefixes with "
                           "commas between them, without white space");
    else if (fault)
        xnm_ruleline_refuse(line, part, 0, "%s", fault);
    else
        add_part(line, part, &line->rule.client, xnm_limit_client_text(&client, text));
}

void xnm_rulegroup_client(struct xnm_ruleline *line, const struct xnm_ruleline_part *value)
{
    line->rule.client_column = xnm_textline_place(&line->text, xnm_ruleline_place(value, 0)).column;
    xnm_ruleline_split(line, value, add_client);
}

static void add_span(struct xnm_ruleline *line, const struct xnm_ruleline_part *part)
{
    struct xnm_limit_span span;
    char text[XNM_LIMIT_PART_MAX];
    const char *fault = xnm_limit_span_read(part->text, part->len, &span);

    if (fault)
        xnm_ruleline_refuse(line, part, 0, "%s", fault);
    else
        add_part(line, part, &line->rule.when, xnm_limit_span_text(&span, text));
}

void xnm_rulegroup_when(struct xnm_ruleline *line, const struct xnm_ruleline_part *value)
{
    xnm_ruleline_split(line, value, add_span);
}

void xnm_rulegroup_finish(struct xnm_ruleline *line)
{
    const struct xnm_rule *rule = &line->rule;
    const char *client_at = line->option_at[XNM_OPTION_CLIENT];
    const char *at = client_at ? client_at : line->option_at[XNM_OPTION_WHEN];

    if (!at || rule->path || rule->name.len != 1 || rule->scope == XNM_SCOPE_EXACT ||
        rule->action == XNM_LOG || rule->action == XNM_PASSTHRU)
        return;
    xnm_textline_warning(&line->text, at,
                         "this rule is about every name, but not for %s: so no answer is stored in "
                         "the cache%s",
                         client_at ? "every client" : "every time",
                         client_at ? " (to refuse clients altogether, use the resolver's own "
                                     "access control)"
                                   : "");
}

/* --- all rules --- */

static bool check_rule(const struct xnm_rules *rules, const struct xnm_rule *rule,
                       const struct xnm_diagnostics *diagnostics)
{
    struct xnm_place place = {rule->file, rule->line, rule->client_column};
    const char *at = rule->client, *part;
    struct xnm_group *group;
    bool good = true;
    size_t len;

    while (xnm_limit_next(&at, &part, &len)) {
        size_t but = part[0] == '!';
        if (!xnm_group_is_name(part + but, len - but))
            continue;
        group = find_group(rules, part + but, len - but);
        if (group)
            group->used = true;
        else
            xnm_diagnostics_add(diagnostics, XNM_ERROR, &place,
                                "there is no group '%.*s': expected a line 'group %.*s' with its "
                                "addresses, in any rule file",
                                (int)(len - but), part + but, (int)(len - but), part + but);
        good &= group != NULL;
    }
    return good;
}

bool xnm_rules_check_groups(struct xnm_rules *rules, const struct xnm_diagnostics *diagnostics)
{
    bool good = true;

    for (size_t i = 0; i < rules->count; i++)
        good &= check_rule(rules, &rules->rules[i], diagnostics);
    for (size_t i = 0; i < rules->group_count; i++) {
        const struct xnm_group *group = &rules->groups[i];
        if (!group->used)
            xnm_diagnostics_add(diagnostics, XNM_WARNING,
                                &(struct xnm_place){group->file, group->line, group->column},
                                "no client= names the group '%s'", group->name);
    }
    return good;
}
