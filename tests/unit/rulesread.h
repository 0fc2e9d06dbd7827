/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads rule files and keeps what is reported of them. */
#ifndef XN_TESTS_UNIT_RULESREAD_H
#define XN_TESTS_UNIT_RULESREAD_H

#include "tests/unit/vectors.h"

#include "module/rule/rulefile.h"
#include "module/rule/ruleline.h"
#include "tests/unit/exact.h"

enum { REPORTS_MAX = 1 << 16, DEFAULT_TTL = 60 };

/* All reports of a call, each as "file:line:column: message" on a line of its own; warnings have
 * "warning: " before the message. Those that find no room are left out. */
static inline void collect(void *arg, xnm_severity severity, const struct xnm_place *place,
                           const char *message)
{
    char *reports = arg, text[1100];
    size_t len = strlen(reports);

    assert_null(strpbrk(message, "\n\t\x1b"));
    snprintf(text, sizeof text, "%s%s", severity == XNM_WARNING ? "warning: " : "", message);
    if (REPORTS_MAX - len < 2)
        return;
    xnm_diagnostics_text(place, text, reports + len, REPORTS_MAX - len - 1);
    strcat(reports, "\n");
}

static inline struct xn_unicode *unicode(void)
{
    static struct xn_unicode *opened;

    if (!opened)
        assert_int_equal(xn_unicode_open(&opened), XN_OK);
    return opened;
}

static inline bool read_rules(struct xnm_rules *rules, const char *file, const char *text,
                              size_t len, char *reports)
{
    struct xnm_diagnostics diagnostics = {collect, reports};
    struct xnm_rules_options options = {unicode(), &diagnostics, DEFAULT_TTL};
    char *exact = exact_copy(text, len);

    reports[0] = '\0';
    bool good = xnm_rules_parse(rules, &options, file, exact, len);
    free(exact);
    return good;
}

/* Returns a file's text with a NUL; the caller frees it. */
static inline char *file_text(const char *path, size_t *len)
{
    enum { FILE_MAX = 1 << 20 };
    FILE *stream = fopen(path, "r");
    char *text = calloc(1, FILE_MAX);

    if (!stream || !text) {
        perror(path);
        abort();
    }
    *len = fread(text, 1, FILE_MAX - 1, stream);
    fclose(stream);
    return text;
}

#endif
