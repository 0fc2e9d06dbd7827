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

static const struct check_host hosts[] = {
    {.word = "module",
     .file = "/usr/lib/unbound/idn.so",
     .user = "unbound",
     .config = "/etc/unbound/idn.conf"},
    {.word = "python",
     .file = "/usr/share/unbound-idn/unbound.py",
     .user = "unbound",
     .config = "/etc/unbound/idn.conf",
     .alias_alone = true},
    {.word = "kresd",
     .file = "/usr/lib/*/knot-resolver/kres_modules/idn.lua",
     .user = "knot-resolver",
     .config = "/etc/knot-resolver/idn.conf"},
    {.word = "recursor",
     .file = "/usr/share/unbound-idn/recursor.lua",
     .user = "pdns",
     .config = "/etc/powerdns/idn.conf"},
    {.word = "dnsdist",
     .file = "/usr/share/unbound-idn/dnsdist.lua",
     .user = "_dnsdist",
     .config = "/etc/dnsdist/idn.conf",
     .alias_alone = true},
};
enum { HOST_COUNT = sizeof hosts / sizeof *hosts };
const char check_no_host[] = "expected module, python, kresd, recursor or dnsdist";

static bool is_installed(const struct check_host *host)
{
    glob_t found;
    bool any = glob(host->file, GLOB_NOSORT, NULL, &found) == 0;

    if (any)
        globfree(&found);
    return any;
}

/* Without an unbound.conf that can be read, it is what Unbound's usual module-config lacks. */
void check_find_lacks(struct check_host *host)
{
    const struct xnm_place place = {.file = "/etc/unbound/unbound.conf"};
    struct checkconf conf = {0};

    if (strcmp(host->word, "python") != 0)
        return;
    char *program = checkconf_find(NULL, NULL);
    bool good = program && checkconf_read(program, &place, &xnm_diagnostics_ignored, &conf);
    host->lacks = check_python_lacks(good ? conf.module_config.data : "");
    checkconf_free(&conf);
    free(program);
}

bool check_find_host(const char *word, struct check_host *host)
{
    for (size_t i = 0; i < HOST_COUNT; i++) {
        if (strcmp(hosts[i].word, word) != 0)
            continue;
        *host = hosts[i];
        return true;
    }
    return false;
}

static void check_host(struct checker *checker, struct check_host host, const char *config,
                       const char *user)
{
    const char *file = config ? config : host.config;
    const struct xnm_place place = {.file = file};

    check_find_lacks(&host);
    const struct check_opened what = {
        .root = "", .user = "", .module = "", .config = file, .lacks = host.lacks};
    check_note(checker, &place, "as %s reads it, for --host %s", user ? user : host.user,
               host.word);
    check_as_user(checker, &place, user ? user : host.user, &what);
}

bool check_hosts(struct checker *checker, const char *word, const char *config, const char *user)
{
    bool any = false;

    for (const struct check_host *host = hosts; host < hosts + HOST_COUNT; host++) {
        if (word ? strcmp(host->word, word) != 0 : !is_installed(host))
            continue;
        check_host(checker, *host, config, user);
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
    if (xnm_config_load(&config, path, &xnm_diagnostics_ignored) &&
        !check_is_rule_file(&config, file))
        check_note(checker, &place,
                   "not in force: %s does not name this file: expected a line "
                   "'policy: FILE' there",
                   path);
    xnm_config_free(&config);
}
