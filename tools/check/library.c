/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks ldd(1) whether the loader could load a module. */
#include "tools/check/check.h"

#include "tools/text/program.h"

#include <string.h>
#include <unistd.h>

enum { LDD_SECONDS = 10 };

#define FAIL(...) xnm_diagnostics_add(diagnostics, XNM_ERROR, place, __VA_ARGS__)

/* Writes a line for each library to `lines`: "NAME => PATH (0x…)", "NAME => not found" or
 * "PATH (0x…)". Returns NULL, or why the file cannot be loaded. */
static const char *list(const char *path, struct buffer *lines, struct buffer *errors)
{
    char *argv[] = {"/usr/bin/ldd", "--", (char *)path, NULL};
    int status = 0;
    const char *trouble = program_run(LDD_SECONDS, argv, NULL, lines, errors, &status);

    buffer_string(lines);
    buffer_string(errors);
    errors->data[strcspn(errors->data, "\n")] = '\0';
    return trouble ? trouble : status != 0 ? errors->data : NULL;
}

/* Returns whether a library is below the chroot at the path where this system has it, with /usr
 * before that or without. What a chroot's own ld.so.cache may find elsewhere is not known. */
static bool is_below(const char *root, const char *library)
{
    const char *bare = strncmp(library, "/usr/", 5) == 0 ? library + 4 : library;
    const char *const starts[] = {"", "/usr", "/etc/ld.so.cache"};
    bool found = false;

    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        struct buffer path = {0};

        buffer_format(&path, "%s%s%s", root, starts[i], i < 2 ? bare : "");
        found |= access(buffer_string(&path), F_OK) == 0;
        buffer_free(&path);
    }
    return found;
}

struct question {
    const struct xnm_diagnostics *diagnostics;
    const struct xnm_place *place;
    const char *path, *root, *loaded; /* lines of the daemon's libraries */
};

static void check_line(const struct question *question, char *line)
{
    const struct xnm_diagnostics *diagnostics = question->diagnostics;
    const struct xnm_place *place = question->place;
    char *name = line + strspn(line, " \t"), *arrow = strstr(name, " => ");
    char *found = arrow ? arrow + strlen(" => ") : name;

    name[strcspn(name, " ")] = '\0';
    if (arrow && strcmp(found, "not found") == 0) {
        FAIL("%s needs a library that cannot be loaded: %s", question->path, name);
        return;
    }
    found[strcspn(found, " ")] = '\0';
    if (question->root[0] && found[0] == '/' && arrow && !strstr(question->loaded, found) &&
        !is_below(question->root, found))
        FAIL("%s needs %s, which is not below %s: expected each library of the module's there, in "
             "the same folder as outside",
             question->path, name, question->root);
}

void check_library(const struct xnm_diagnostics *diagnostics, const struct xnm_place *place,
                   const char *path, const char *daemon, const char *root)
{
    struct buffer lines = {0}, errors = {0}, loaded = {0}, ignored = {0};
    const char *trouble = list(path, &lines, &errors);
    struct question question = {diagnostics, place, path, root, ""};

    if (root[0] && daemon && !list(daemon, &loaded, &ignored))
        question.loaded = loaded.data;
    if (trouble)
        FAIL("%s cannot be loaded: install it again (%s)", path, trouble);
    for (char *rest = lines.data, *line; !trouble && (line = strtok_r(rest, "\n", &rest));)
        check_line(&question, line);
    buffer_free(&lines);
    buffer_free(&errors);
    buffer_free(&loaded);
    buffer_free(&ignored);
}
