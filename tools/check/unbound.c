/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/check/check.h"

#include "module/base/order.h"
#include "module/config/config.h"
#include "module/file/folder.h"
#include "tools/check/elffile.h"
#include "tools/check/privileges.h"
#include "tools/check/resolver.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LIBRARY_MAX = 64 /* a module needs eight */ };

static void add_probe(struct resolver *resolver, const char *path, privileges_use use)
{
    struct resolver_probes *probes = &resolver->probes;
    struct buffer copy = {0};

    if (probes->count == RESOLVER_PROBE_MAX)
        return;
    buffer_text(&copy, path);
    probes->all[probes->count++] = (struct privileges_probe){buffer_string(&copy), use, 0};
}

static void check_build_id(struct resolver *resolver, const char *path,
                           const struct xnm_build_id *wanted)
{
    struct xnm_build_id id = {"none"};

    if (!resolver->daemon)
        return;
    if (!elffile_build_id(&resolver->program, &id) || strcmp(id.hex, wanted->hex) != 0)
        RESOLVER_FAIL(
            resolver,
            "%s was made for an Unbound with build id %s, and that of %s is %s: install the module "
            "that was made for it",
            path, wanted->hex, resolver->daemon, id.hex);
    else
        check_note(resolver->checker, &resolver->place, "%s was made for %s, build id %s", path,
                   resolver->daemon, id.hex);
}

/* --- module-config --- */

static bool is_word(const char *word, size_t len, const char *text)
{
    return len == strlen(text) && memcmp(word, text, len) == 0;
}

/* Adds the words of `order` with dynlib before them, one space between each. dynlib comes after
 * python, since unbound-checkconf accepts no other order of these two; python keeps no answers. */
static void add_dynlib(const char *order, struct buffer *result)
{
    size_t len;
    const char *word = xnm_order_word(&order, &len);

    if (word && is_word(word, len, "python")) {
        buffer_text(result, "python ");
        word = xnm_order_word(&order, &len);
    }
    buffer_text(result, "dynlib");
    for (; word; word = xnm_order_word(&order, &len))
        buffer_format(result, " %.*s", (int)len, word);
}

static void report_no_dynlib(struct resolver *resolver)
{
    struct buffer better = {0};

    add_dynlib(resolver->conf.module_config, &better);
    RESOLVER_FAIL(resolver, "no dynlib in module-config \"%s\": expected \"%s\"",
                  resolver->conf.module_config, buffer_string(&better));
    buffer_free(&better);
}

/* Returns how many words stand before the n-th "dynlib", the first being number 0. */
static size_t position_of(const char *order, size_t n)
{
    size_t position = 0, len;

    for (const char *word; (word = xnm_order_word(&order, &len)); position++)
        if (is_word(word, len, "dynlib") && n-- == 0)
            break;
    return position;
}

/* `index`: which of the dynlib modules is ours. With a policy it then refuses to start. */
static void check_before(struct resolver *resolver, size_t index, bool has_policy)
{
    const char *order = resolver->conf.module_config;
    size_t len;
    const char *cache = xnm_order_cache_before(order, position_of(order, index), &len);

    if (cache)
        xnm_diagnose(&resolver->checker->diagnostics, has_policy ? XNM_ERROR : XNM_WARNING,
                     &resolver->place,
                     "\"%s\": %.*s stands before dynlib and would cache what %s policy answers: "
                     "put dynlib first",
                     order, (int)len, cache, has_policy ? "the" : "a");
}

/* --- the entries of dynlib: --- */

typedef enum { ENTRY_OURS, ENTRY_OTHER, ENTRY_UNKNOWN } entry;

/* The daemon has it already when it loads a module: its own, or the loader. */
static bool is_of_daemon(const struct resolver *resolver, const char *library)
{
    const char *own;

    for (size_t i = 0; (own = elffile_needed(&resolver->program, i)); i++)
        if (strcmp(own, library) == 0)
            return true;
    return strncmp(library, "ld-", strlen("ld-")) == 0;
}

/* Returns whether a library is below the chroot at the path where this system has it, with /usr
 * before that or without. What a chroot's own ld.so.cache may find elsewhere is not known. */
static bool is_below_root(const struct resolver *resolver, void *library)
{
    static const char usr[] = "/usr";
    struct link_map *map;

    if (dlinfo(library, RTLD_DI_LINKMAP, &map) != 0 || map->l_name[0] != '/')
        return true;
    const char *bare = strncmp(map->l_name, "/usr/", strlen("/usr/")) == 0
                           ? map->l_name + strlen(usr)
                           : map->l_name;
    const char *const starts[] = {"", usr, "/etc/ld.so.cache"};
    bool found = false;

    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        struct buffer path = {0};

        buffer_format(&path, "%s%s%s", resolver->root.data, starts[i], i < 2 ? bare : "");
        found |= access(buffer_string(&path), F_OK) == 0;
        buffer_free(&path);
    }
    return found;
}

/* Checks a library by its name alone: nothing of the module's own is run, nor what a path in it
 * leads to, nor what is below a chroot. */
static void check_library(struct resolver *resolver, const char *path, const char *library)
{
    void *loaded = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
    const char *root = resolver->root.data;

    if (!loaded && !root[0])
        RESOLVER_FAIL(resolver, "%s needs a library that cannot be loaded: %s", path, dlerror());
    if (loaded && root[0] && !is_of_daemon(resolver, library) && !is_below_root(resolver, loaded))
        RESOLVER_FAIL(resolver,
                      "%s needs %s, which is not below %s: expected each library of the module's "
                      "there, in the same folder as outside",
                      path, library, root);
}

static void check_libraries(struct resolver *resolver, const char *path,
                            const struct xnm_textfile *compiled)
{
    const char *library;

    if (!elffile_is_whole(compiled))
        RESOLVER_FAIL(resolver, "%s is truncated: install it again", path);
    for (size_t i = 0; i < LIBRARY_MAX && (library = elffile_needed(compiled, i)); i++)
        if (!strchr(library, '/'))
            check_library(resolver, path, library);
}

/* A name without a slash is looked for where the system has its libraries. */
static entry check_module(struct resolver *resolver, const char *file)
{
    struct xnm_textfile compiled;
    struct xnm_build_id wanted;
    entry kind = ENTRY_UNKNOWN;

    if (!strchr(file, '/')) {
        RESOLVER_WARN(
            resolver,
            "'%s' has no '/', so it is looked for among the system's libraries: expected a path",
            file);
        return kind;
    }
    char *name = resolver_inside(resolver, file), *path = resolver_outside(resolver, name);
    const char *trouble = xnm_textfile_read(path, ELFFILE_SIZE_MAX, &compiled);
    if (trouble) {
        RESOLVER_FAIL(resolver, "cannot read %s: %s: expected a module", path, trouble);
    } else if (!elffile_wanted_build_id(&compiled, &wanted)) {
        kind = ENTRY_OTHER;
    } else {
        kind = ENTRY_OURS;
        check_build_id(resolver, path, &wanted);
        check_libraries(resolver, path, &compiled);
        add_probe(resolver, name, PRIVILEGES_READ);
    }
    if (!trouble)
        xnm_textfile_free(&compiled);
    free(path);
    free(name);
    return kind;
}

static bool find_entry(const struct resolver *resolver, const char *file, struct stat *status)
{
    char *name = resolver_inside(resolver, file), *path = resolver_outside(resolver, name);
    bool found = stat(path, status) == 0;

    free(path);
    free(name);
    return found;
}

/* The module refuses to be loaded twice from one file; it cannot know of a copy. */
static void report_second(struct resolver *resolver, const char *first, const char *second)
{
    struct stat a, b;

    if (find_entry(resolver, first, &a) && find_entry(resolver, second, &b) &&
        a.st_dev == b.st_dev && a.st_ino == b.st_ino)
        RESOLVER_FAIL(
            resolver,
            "%s is already loaded by an earlier entry: expected one dynlib-file, and one dynlib in "
            "module-config, for it",
            second);
    else
        RESOLVER_WARN(resolver,
                      "%s is the idn module, which an earlier entry loads from another file: each "
                      "reply would be logged twice, and each query decided twice",
                      second);
}

/* Each dynlib of module-config loads the entry of its number. Returns which is ours. */
static size_t check_modules(struct resolver *resolver, size_t modules)
{
    const struct checkconf *conf = &resolver->conf;
    size_t ours = modules, unknown = 0;

    if (conf->dynlib_file_count < modules)
        RESOLVER_FAIL(
            resolver,
            "%zu dynlib in module-config, and %zu dynlib-file in dynlib: clauses: expected one for "
            "each",
            modules, conf->dynlib_file_count);
    for (size_t i = 0; i < modules && i < conf->dynlib_file_count; i++) {
        entry kind = check_module(resolver, conf->dynlib_files[i]);
        unknown += kind == ENTRY_UNKNOWN;
        if (kind == ENTRY_OURS && ours == modules)
            ours = i;
        else if (kind == ENTRY_OURS)
            report_second(resolver, conf->dynlib_files[ours], conf->dynlib_files[i]);
    }
    if (ours == modules && !unknown && conf->dynlib_file_count >= modules)
        RESOLVER_FAIL(resolver, "%s is not the idn module: expected idn.so in this entry%s",
                      conf->dynlib_files[modules - 1], modules > 1 ? " or in an earlier one" : "");
    return ours < modules ? ours : 0;
}

/* --- configuration and log --- */

static bool runs_as_root(const struct resolver *resolver)
{
    return resolver->account ? resolver->account->pw_uid == 0 : geteuid() == 0;
}

/* Checks the log file, whose `name` is the one that the module has. */
static void check_log_file(struct resolver *resolver, const char *name)
{
    char *path = resolver_outside(resolver, name);
    struct stat status;
    bool there = lstat(path, &status) == 0;

    if (there && S_ISREG(status.st_mode) && status.st_nlink > 1 && runs_as_root(resolver))
        RESOLVER_FAIL(resolver,
                      "log-to: %s: root does not log to a file with a second name (a hard link): "
                      "expected a file with one name",
                      path);
    else if (there && !S_ISREG(status.st_mode))
        RESOLVER_FAIL(resolver, "log-to: %s: %s: expected a regular file", path,
                      S_ISLNK(status.st_mode) ? "a symbolic link" : "not a regular file");
    else
        add_probe(resolver, name, PRIVILEGES_APPEND);
    free(path);
}

/* The file has a count of its own, in the middle of that of unbound.conf. */
static void check_config_apart(const struct resolver *resolver, const char *path, const char *name,
                               bool is_default, struct xnm_config *config)
{
    struct checker *checker = resolver->checker;
    struct check_counts counts = checker->counts;

    checker->counts = (struct check_counts){.failed = counts.failed};
    check_config(checker, path, name, is_default, config);
    if (config->policy_count > 0)
        check_policy_as(checker, config, name, resolver->account, resolver->root.data);
    check_finish_file(checker, path);
    counts.failed = checker->counts.failed;
    checker->counts = counts;
}

/* The files that a configuration has the module write. */
static void probe_files(struct resolver *resolver, const struct xnm_config *config)
{
    const char *log = config->log == XNM_LOG_NONE ? NULL : config->log_to;

    if (log && strcmp(log, "/dev/stdout") != 0 && strcmp(log, "/dev/stderr") != 0)
        check_log_file(resolver, log);
    if (config->metrics_file)
        add_probe(resolver, config->metrics_file, PRIVILEGES_REPLACE);
}

/* The entry behind those of the dynlib modules, which Unbound itself never opens. Returns whether
 * there is a policy. */
static bool check_configuration(struct resolver *resolver, size_t modules)
{
    const struct checkconf *conf = &resolver->conf;
    bool is_named = modules < conf->dynlib_file_count && conf->dynlib_files[modules][0];
    bool is_default = false;
    const char *written =
        is_named ? conf->dynlib_files[modules] : check_default_config(&is_default);
    char *name = resolver_inside(resolver, written), *path = resolver_outside(resolver, name);

    if (is_named)
        check_note(resolver->checker, &resolver->place, "%s is the module's configuration", path);
    else
        check_note(resolver->checker, &resolver->place,
                   "no dynlib-file names the module's configuration, so it is the daemon's "
                   "$UNBOUND_IDN_CONF or " XNM_CONFIG_DEFAULT_PATH "; this checked %s",
                   path);
    struct xnm_config config;
    check_config_apart(resolver, path, name, is_default, &config);
    if (access(path, R_OK) == 0)
        add_probe(resolver, name, PRIVILEGES_READ);
    probe_files(resolver, &config);
    bool has_policy = config.policy_count > 0;
    xnm_config_free(&config);
    free(path);
    free(name);
    return has_policy;
}

/* --- privileges --- */

/* Without its metrics file the module runs all the same. */
static void report_probe(struct resolver *resolver, const char *user,
                         const struct privileges_probe *probe)
{
    char *path = resolver_outside(resolver, probe->path);
    const char *verb = probe->use == PRIVILEGES_READ ? "read" : "write";
    xnm_severity severity = probe->use == PRIVILEGES_REPLACE ? XNM_WARNING : XNM_ERROR;

    if (probe->error && user[0])
        xnm_diagnose(&resolver->checker->diagnostics, severity, &resolver->place,
                     "user '%s' cannot %s %s: %s", user, verb, path,
                     xnm_folder_error(probe->error));
    else if (probe->error)
        xnm_diagnose(&resolver->checker->diagnostics, severity, &resolver->place,
                     "cannot %s %s: %s", verb, path, xnm_folder_error(probe->error));
    free(path);
}

/* Unbound reads the module and its configuration when it has become this user, at the start and at
 * each reload. */
static void check_privileges(struct resolver *resolver)
{
    struct resolver_probes *probes = &resolver->probes;
    const char *user = resolver->user, *trouble = NULL;
    const struct passwd *account = resolver->account;

    if (user[0] && !account) {
        RESOLVER_FAIL(resolver,
                      "user '%s' does not exist: expected the user that the daemon runs as", user);
        return;
    }
    if (account && geteuid() != 0 && geteuid() != account->pw_uid)
        trouble = "only root can try";
    else
        trouble = privileges_try(account, resolver->root.data, probes->all, probes->count);
    if (trouble)
        check_note(resolver->checker, &resolver->place,
                   "what user '%s' may read and write was not checked: %s", user, trouble);
    for (size_t i = 0; i < probes->count; i++)
        report_probe(resolver, user, &probes->all[i]);
}

/* --- all of it --- */

/* The configuration as it would be with the draft. */
static void add_draft(struct resolver *resolver, struct check_draft *draft)
{
    struct checkconf *conf = &resolver->conf;

    draft->is_loaded = xnm_order_dynlib_count(conf->module_config) > 0;
    if (draft->is_loaded)
        return;
    add_dynlib(conf->module_config, &draft->order);
    conf->module_config = buffer_string(&draft->order);
    checkconf_put_first(conf, draft->module, draft->config);
}

/* Returns whether the settings are known. With a draft the file is accepted without it, or that is
 * not asked. */
static bool read_conf(struct resolver *resolver, const char *checkconf, const char *daemon,
                      struct check_draft *draft)
{
    const struct xnm_diagnostics *diagnostics = &resolver->checker->diagnostics;
    char *program = checkconf_find(checkconf, daemon);

    if (!program) {
        RESOLVER_FAIL(resolver,
                      "no unbound-checkconf beside the daemon, in /usr/sbin or /usr/local/sbin: "
                      "expected the one that came with the daemon");
        return false;
    }
    bool accepted = draft || checkconf_accepts(program, &resolver->place, diagnostics);
    bool good =
        checkconf_read(program, &resolver->place,
                       accepted && !draft ? diagnostics : &xnm_diagnose_silently, &resolver->conf);
    if (draft && good)
        add_draft(resolver, draft);
    if (draft && (!good || draft->is_loaded) &&
        checkconf_accepts(program, &resolver->place, diagnostics) && !good)
        RESOLVER_FAIL(resolver, "%s does not say which modules the daemon has", program);
    free(program);
    return good;
}

static void check_all(struct resolver *resolver, const char *user)
{
    const struct checkconf *conf = &resolver->conf;
    size_t modules = xnm_order_dynlib_count(conf->module_config);

    resolver_find_root(resolver);
    if (modules == 0) {
        report_no_dynlib(resolver);
        return;
    }
    resolver->user = user ? user : conf->username;
    resolver->account = resolver->user[0] ? getpwnam(resolver->user) : NULL;
    size_t ours = check_modules(resolver, modules);
    check_before(resolver, ours, check_configuration(resolver, modules));
    check_privileges(resolver);
}

void check_unbound(struct checker *checker, const char *file, const struct check_daemon *what,
                   struct check_draft *draft)
{
    struct resolver resolver = {.checker = checker, .place = {.file = file}};
    const char *daemon = resolver_find_daemon(&resolver, what->daemon);

    if (read_conf(&resolver, what->checkconf, daemon, draft))
        check_all(&resolver, what->user);
    check_finish_file(checker, file);
    resolver_free(&resolver);
}
