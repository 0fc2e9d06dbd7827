/* SPDX-License-Identifier: BSD-3-Clause */
/* bench_lookalike_policy CONFIGURATION...: whether the policy of each of these files finds a name,
 * a digit each, 1 for yes: for each line of standard input, a name as A-labels. */
#include "core/idna/unicode.h"
#include "module/config/config.h"
#include "module/load/policyfiles.h"
#include "module/policy/policy.h"
#include "tests/unit/wirenames.h"

#include <stdio.h>
#include <stdlib.h>

enum { POLICIES_MAX = 8 };

static void fail(const char *what, const char *of)
{
    fprintf(stderr, "bench_lookalike_policy: %s%s\n", what, of);
    exit(1);
}

static void report(void *arg, xnm_severity severity, const struct xnm_place *place,
                   const char *message)
{
    char text[1024];

    (void)arg;
    if (severity == XNM_ERROR)
        fail(xnm_diagnostics_text(place, message, text, sizeof text), "");
}
static const struct xnm_diagnostics diagnostics = {report, NULL};

static struct xnm_policy *read_policy(const struct xn_unicode *unicode, const char *path)
{
    struct xnm_config config;
    struct xnm_policyfiles_options options = {
        .config = &config, .unicode = unicode, .diagnostics = &diagnostics};
    struct xnm_policyfiles files;

    xnm_config_init(&config);
    if (!xnm_config_load(&config, path, &diagnostics) || !xnm_policyfiles_read(&options, &files) ||
        !files.policy)
        fail("no policy in ", path);
    xnm_sources_free(&files.sources);
    xnm_config_free(&config);
    return files.policy;
}

static bool finds(const struct xnm_policy *policy, const char *name)
{
    uint8_t wire[XN_WIRE_NAME_MAX];
    struct xnm_question question = {.qname = wire, .qtype = 1, .qclass = 1};
    struct xnm_decision decision;

    if (strlen(name) + 2 > sizeof wire)
        fail("too long: ", name);
    question.qname_len = wire_of(name, wire);
    return xnm_policy_decide(policy, &question, &decision);
}

int main(int argc, char **argv)
{
    struct xnm_policy *policies[POLICIES_MAX];
    struct xn_unicode *unicode;
    char *line = NULL;
    size_t cap = 0, count = (size_t)argc - 1;

    if (count == 0 || count > POLICIES_MAX)
        fail("usage: bench_lookalike_policy CONFIGURATION...", "");
    if (xn_unicode_open(&unicode) != XN_OK)
        fail("ICU cannot be opened", "");
    for (size_t i = 0; i < count; i++)
        policies[i] = read_policy(unicode, argv[i + 1]);
    while (getline(&line, &cap, stdin) > 0) {
        line[strcspn(line, "\n")] = '\0';
        for (size_t i = 0; i < count; i++)
            putchar(finds(policies[i], line) ? '1' : '0');
        putchar('\n');
    }
    free(line);
    for (size_t i = 0; i < count; i++)
        xnm_policy_free(policies[i]);
    xn_unicode_close(unicode);
}
