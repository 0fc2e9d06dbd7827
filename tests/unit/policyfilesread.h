/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the files that a configuration names, as one policy. */
#ifndef XN_TESTS_UNIT_POLICYFILESREAD_H
#define XN_TESTS_UNIT_POLICYFILESREAD_H

#include "tests/unit/policyfolder.h"

#include "module/load/policyfiles.h"

#define ONE "policy: @/rules\n"
#define TWO "policy: @/rules\npolicy: @/more\n"

static struct xn_unicode *unicode;

/* Reads a policy with these lines as the configuration, and the other options. Returns whether that
 * worked; the caller frees `read` in either case. */
static inline bool read_policyfiles(const char *lines, const struct xnm_policyfiles_options *more,
                                    struct xnm_policyfiles *read)
{
    struct xnm_config config = config_of(lines);
    struct xnm_policyfiles_options options = *more;

    options.config = &config;
    options.unicode = unicode;
    options.diagnostics = &diagnostics;
    bool good = xnm_policyfiles_read(&options, read);
    xnm_config_free(&config);
    return good;
}

/* Writes so many lines, each with its number in it, after a head. */
static inline void write_lines(const char *file, const char *head, const char *line, unsigned count)
{
    FILE *stream = fopen(path_in(file), "w");

    assert_non_null(stream);
    fputs(head, stream);
    for (unsigned i = 0; i < count; i++) {
        fprintf(stream, line, i);
        putc('\n', stream);
    }
    assert_int_equal(fclose(stream), 0);
}

static inline void free_policyfiles(struct xnm_policyfiles *read)
{
    xnm_policy_free(read->policy);
    xnm_sources_free(&read->sources);
}

/* After this policy: what lists it had is kept where they are lost. NULL: none. */
static inline bool read_all(const char *lines, const struct xnm_policy *before,
                            struct xnm_policyfiles *read)
{
    return read_policyfiles(lines, &(struct xnm_policyfiles_options){.before = before}, read);
}

static inline int run_policyfiles(void)
{
    if (!make_folder() || xn_unicode_open(&unicode) != XN_OK)
        return 1;
    int failed = run_unit();
    xn_unicode_close(unicode);
    remove_folder();
    return failed;
}

#define TEST_MAIN_OF_POLICYFILES                                                                   \
    int main(void)                                                                                 \
    {                                                                                              \
        return run_policyfiles();                                                                  \
    }

#endif
