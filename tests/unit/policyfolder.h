/* SPDX-License-Identifier: BSD-3-Clause */
/* Rule files and lists in the folder of a test (tests/unit/stateproc.h), the configuration that
 * names them, and what a policy says of a name. */
#ifndef XN_TESTS_UNIT_POLICYFOLDER_H
#define XN_TESTS_UNIT_POLICYFOLDER_H

#include "tests/unit/stateproc.h"

#include "module/config/config.h"
#include "module/policy/policy.h"

enum { PATHS_MAX = 4 };

/* Static storage, one of some. */
static inline const char *path_in(const char *name)
{
    static char paths[8][512];
    static unsigned next;
    char *path = paths[next++ % 8];

    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

/* Writes a file as editors and downloads do: beside it, then renamed. */
static inline void write_in(const char *name, const char *text)
{
    char beside[512];

    snprintf(beside, sizeof beside, "%s/.new", folder);
    FILE *stream = fopen(beside, "w");
    assert_non_null(stream);
    fputs(text, stream);
    assert_int_equal(fclose(stream), 0);
    assert_int_equal(rename(beside, path_in(name)), 0);
}

static inline void remove_in(const char *name)
{
    assert_int_equal(remove(path_in(name)), 0);
}

static inline void empty_folder(void)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;

    assert_non_null(dir);
    while ((entry = readdir(dir)))
        if (entry->d_name[0] != '.' || entry->d_name[1] == 'n')
            remove_in(entry->d_name);
    closedir(dir);
}

/* A configuration of these lines, in which @ stands for the folder. To be freed. */
static inline struct xnm_config config_of(const char *lines)
{
    struct xnm_config config;

    write_conf(lines);
    forget_reports();
    xnm_config_init(&config);
    assert_true(xnm_config_load(&config, conf, &diagnostics));
    expect_reports("");
    return config;
}

static inline bool match_of(const struct xnm_policy *policy, const char *name,
                            struct xnm_decision *decision)
{
    uint8_t wire[XN_WIRE_NAME_MAX];
    struct xnm_question question = {.qname = wire, .qtype = 1, .qclass = 1};

    question.qname_len = wire_of(name, wire);
    return policy && xnm_policy_decide(policy, &question, decision);
}

static inline bool decides(const struct xnm_policy *policy, const char *name)
{
    struct xnm_decision decision;

    return match_of(policy, name, &decision);
}

static inline bool changes_answer(const struct xnm_policy *policy, const char *name)
{
    struct xnm_decision decision;

    return match_of(policy, name, &decision) && xnm_decision_changes_answer(&decision);
}

#endif
