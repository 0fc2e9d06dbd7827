/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads configurations and keeps what is reported of them. */
#ifndef XN_TESTS_UNIT_CONFREAD_H
#define XN_TESTS_UNIT_CONFREAD_H

#include "module/base/diagnostics.h"
#include "tests/unit/vectors.h"

#include "module/config/config.h"
#include "tests/unit/exact.h"

enum { REPORTS_MAX = 1 << 14 };

/* All reports of a call, each as "file:line:column: message" on a line of its own, a warning with
 * " [warning]" behind it. */
static inline void collect(void *arg, xnm_severity severity, const struct xnm_place *place,
                           const char *message)
{
    char *reports = arg;
    size_t len = strlen(reports);

    assert_null(strchr(message, '\n'));
    xnm_diagnostic_text(place, message, reports + len, REPORTS_MAX - len - 16);
    strcat(reports, severity == XNM_ERROR ? "\n" : " [warning]\n");
}

static inline bool parse(struct xnm_config *config, const char *file, const char *text, size_t len,
                         char *reports)
{
    struct xnm_diagnostics diagnostics = {collect, reports};
    char *exact = exact_copy(text, len);

    reports[0] = '\0';
    xnm_config_init(config);
    bool good = xnm_config_parse(config, file, exact, len, &diagnostics);
    free(exact);
    return good;
}

static inline bool load(struct xnm_config *config, const char *file, char *reports)
{
    struct xnm_diagnostics diagnostics = {collect, reports};

    reports[0] = '\0';
    xnm_config_init(config);
    return xnm_config_load(config, file, &diagnostics);
}

#endif
