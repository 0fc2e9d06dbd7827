/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what the reader of lists finds in a file, an entry a line, for tests/bench/listsyntax.py:
 *     bench_lists names|zones|rpz FILE
 * "zone a.example. strength exempts types denied", where the last four are numbers or `-`; of a
 * response policy zone, "exact a.example. nodata"; then, on standard error, the counts. */
#include "core/idna/unicode.h"
#include "core/wire/walk.h"
#include "module/base/diagnostics.h"
#include "module/file/textfile.h"
#include "module/list/list.h"
#include "module/rule/rule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MAX = 1 << 30 };

static void print_modifiers(const struct xnm_modifiers *modifiers)
{
    printf(" %u %d ", modifiers->strength, modifiers->exempts);
    for (unsigned i = 0; i < modifiers->type_count; i++)
        printf("%s%u", i > 0 ? "," : modifiers->but_types ? "~" : "", modifiers->types[i]);
    printf("%s %u", modifiers->type_count == 0 ? "-" : "", modifiers->denied_len);
}

static bool print_entry(void *arg, const struct xnm_list_entry *entry)
{
    static const char *const scopes[] = {"exact", "zone", "below", "none"};
    char name[XN_WIRE_TEXT_MAX + 1];

    (void)arg;
    name[xn_wire_to_text(entry->name, name)] = '\0';
    printf("%s %s", scopes[entry->scope], name);
    if (entry->modifiers)
        print_modifiers(entry->modifiers);
    if (entry->action != XNM_ACTION_NONE)
        printf(" %s", xnm_action_word(entry->action));
    putchar('\n');
    return true;
}

static struct xnm_rule rule_of(const char *trigger)
{
    struct xnm_rule rule = {.action = XNM_NXDOMAIN, .trigger = XNM_TRIGGER_NAMES};

    if (strcmp(trigger, "rpz") == 0)
        rule = (struct xnm_rule){.action = XNM_ACTION_NONE, .trigger = XNM_TRIGGER_RPZ};
    else if (strcmp(trigger, "zones") == 0)
        rule.trigger = XNM_TRIGGER_ZONES;
    return rule;
}

int main(int argc, char **argv)
{
    struct xnm_list_counts counts;
    struct xn_unicode *unicode;
    struct xnm_textfile file;

    if (argc != 3 || xn_unicode_open(&unicode) != XN_OK ||
        xnm_textfile_read(argv[2], FILE_MAX, &file))
        return 2;
    const struct xnm_rule rule = rule_of(argv[1]);
    const struct xnm_list_options options = {
        .unicode = unicode, .diagnostics = &xnm_diagnostics_ignored, .entry = print_entry};
    bool good = xnm_list_read(&options, &rule, argv[2], file.text, file.len, &counts);
    fprintf(stderr, "%s %zu %zu %zu\n", xnm_list_syntax_word(counts.syntax), counts.entries,
            counts.skipped, counts.bad + counts.suffixes);
    xnm_textfile_free(&file);
    xn_unicode_close(unicode);
    return good ? 0 : 1;
}
