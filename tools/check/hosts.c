/* SPDX-License-Identifier: BSD-3-Clause */
/* The hosts that read a configuration: how each is found, its user, and what it reads. */
#include "tools/check/check.h"

#include "module/config/config.h"
#include "module/load/policyfiles.h"
#include "tools/check/checkconf.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const struct host {
    const char *word, *file; /* installed; glob(7) */
    const char *user, *config;
} hosts[] = {
    {"module", "/usr/lib/unbound/idn.so", "unbound", "/etc/unbound/idn.conf"},
    {"python", "/usr/share/unbound-idn/unbound.py", "unbound", "/etc/unbound/idn.conf"},
    {"kresd", "/usr/lib/*/knot-resolver/kres_modules/idn.lua", "knot-resolver",
     "/etc/knot-resolver/idn.conf"},
    {"recursor", "/usr/share/unbound-idn/recursor.lua", "pdns", "/etc/powerdns/idn.conf"},
    {"dnsdist", "/usr/share/unbound-idn/dnsdist.lua", "_dnsdist", "/etc/dnsdist/idn.conf"},
};
enum { HOST_COUNT = sizeof hosts / sizeof *hosts };

bool check_is_host(const char *word)
{
    for (size_t i = 0; i < HOST_COUNT; i++)
        if (strcmp(hosts[i].word, word) == 0)
            return true;
    return false;
}

static bool is_installed(const struct host *host)
{
    glob_t found;
    bool any = glob(host->file, GLOB_NOSORT, NULL, &found) == 0;

    if (any)
        globfree(&found);
    return any;
}

/* Returns what the installed Unbound's python module lacks. Without an unbound.conf that can be
 * read, it is what Unbound's usual module-config lacks. */
static unsigned installed_python_lacks(void)
{
    const struct xnm_place place = {.file = "/etc/unbound/unbound.conf"};
    char *program = checkconf_find(NULL, NULL);
    struct checkconf conf = {0};
    bool good = program && checkconf_read(program, &place, &xnm_diagnose_silently, &conf);
    unsigned lacks = check_python_lacks(good ? conf.module_config.data : "");

    checkconf_free(&conf);
    free(program);
    return lacks;
}

static void check_host(struct checker *checker, const struct host *host, const char *config,
                       const char *user)
{
    const char *file = config ? config : host->config;
    const struct xnm_place place = {.file = file};
    bool is_python = strcmp(host->word, "python") == 0;
    const struct check_opened what = {.root = "",
                                      .user = "",
                                      .module = "",
                                      .config = file,
                                      .lacks = is_python ? installed_python_lacks() : 0};

    check_note(checker, &place, "as %s reads it, for --host %s", user ? user : host->user,
               host->word);
    check_as_user(checker, &place, user ? user : host->user, &what);
}

bool check_hosts(struct checker *checker, const char *word, const char *config, const char *user)
{
    bool any = false;

    for (const struct host *host = hosts; host < hosts + HOST_COUNT; host++) {
        if (word ? strcmp(host->word, word) != 0 : !is_installed(host))
            continue;
        check_host(checker, host, config, user);
        any = true;
    }
    return any;
}

bool check_is_same_file(const char *path, const char *other)
{
    struct stat one, two;

    return strcmp(path, other) == 0 || (stat(path, &one) == 0 && stat(other, &two) == 0 &&
                                        one.st_dev == two.st_dev && one.st_ino == two.st_ino);
}

bool check_is_rule_file(const struct xnm_config *config, const char *file)
{
    for (size_t i = 0; i < config->policy.file_count; i++)
        if (check_is_same_file(file, config->policy.files[i]))
            return true;
    return false;
}

void check_note_unnamed(struct checker *checker, const char *file)
{
    const struct xnm_place place = {.file = file};
    struct xnm_config config;
    bool is_default;
    const char *path = check_default_config(&is_default);

    xnm_config_init(&config);
    if (xnm_config_load(&config, path, &xnm_diagnose_silently) &&
        !check_is_rule_file(&config, file))
        check_note(checker, &place,
                   "not in force: %s names no such rule file; its line would be "
                   "'policy: FILE'",
                   path);
    xnm_config_free(&config);
}
