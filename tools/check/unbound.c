/* SPDX-License-Identifier: BSD-3-Clause */
/* `check --unbound-conf`: reports whether that Unbound would start with the module. */
#include "tools/check/check.h"

#include "module/base/buildid.h"
#include "module/base/order.h"
#include "module/config/config.h"
#include "module/file/textfile.h"
#include "module/load/policyfiles.h"
#include "tools/check/checkconf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { IMAGE_SIZE_MAX = 1 << 28 /* octets of a daemon or a module */ };

struct resolver {
    struct checker *checker;
    struct checkconf conf;
    struct xnm_place place; /* unbound.conf as a whole: the lines of its settings are not known */
    const char *daemon;     /* its path; NULL: none was found */
    struct xnm_textfile program; /* its file */
    struct buffer root;          /* the chroot without a final slash, and a NUL; "": none */
    struct buffer folder;        /* what a relative path inside it begins with, and a NUL */
};

#define FAIL(resolver, ...)                                                                        \
    xnm_diagnostics_add(&(resolver)->checker->diagnostics, XNM_ERROR, &(resolver)->place,          \
                        __VA_ARGS__)
#define WARN(resolver, ...)                                                                        \
    xnm_diagnostics_add(&(resolver)->checker->diagnostics, XNM_WARNING, &(resolver)->place,        \
                        __VA_ARGS__)

/* --- the daemon --- */

static void fail_daemon(struct resolver *resolver, const char *daemon, const char *trouble,
                        const char *expected)
{
    const struct xnm_place place = {.file = daemon};

    xnm_diagnostics_add(&resolver->checker->diagnostics, XNM_ERROR, &place, "%s: expected %s",
                        trouble, expected);
}

/* Returns whether the daemon can load modules, or was not read. The function dynlibmod_init is
 * exported, so its name outlives strip(1), and is in no Unbound without modules. */
static bool can_load_modules(const struct resolver *resolver)
{
    const struct xnm_textfile *program = &resolver->program;

    return !resolver->daemon ||
           (program->len > 0 &&
            memmem(program->text, program->len, "dynlibmod_init", strlen("dynlibmod_init")));
}

/* Returns the daemon's path, whether it can be read or not, or NULL. */
static const char *find_daemon(struct resolver *resolver, const char *daemon)
{
    static const char *const usual[] = {"/usr/sbin/unbound", "/usr/local/sbin/unbound"};

    for (size_t i = 0; !daemon && i < sizeof usual / sizeof *usual; i++)
        if (access(usual[i], F_OK) == 0)
            daemon = usual[i];
    const char *trouble =
        daemon ? xnm_textfile_read(daemon, IMAGE_SIZE_MAX, &resolver->program) : NULL;
    if (!daemon)
        WARN(resolver, "no unbound in /usr/sbin or /usr/local/sbin: whether the module fits was "
                       "not checked; name the daemon with --daemon FILE");
    else if (trouble)
        fail_daemon(resolver, daemon, trouble, "the program of Unbound");
    else
        resolver->daemon = daemon;
    return daemon;
}

/* --- paths --- */

/* Returns the name by which the daemon knows a path of its configuration. The caller frees it. */
static char *inside(const struct resolver *resolver, const char *path)
{
    struct buffer name = {0};

    buffer_text(&name, path[0] == '/' ? "" : resolver->folder.data);
    buffer_text(&name, path);
    return buffer_string(&name);
}

/* Returns our name for a path of the daemon's. The caller frees it. */
static char *outside(const struct resolver *resolver, const char *inside_path)
{
    struct buffer name = {0};

    buffer_format(&name, "%s%s", resolver->root.data, inside_path);
    return buffer_string(&name);
}

/* Finds the daemon's folder: Unbound changes its root, then to `directory`, without the path of the
 * root if it begins with that. */
static void find_folder(struct resolver *resolver)
{
    const char *folder = resolver->conf.directory.data, *root = resolver->root.data;
    struct buffer *prefix = &resolver->folder;

    if (root[0] && strncmp(folder, root, strlen(root)) == 0)
        folder += strlen(root);
    buffer_text(prefix, root[0] && folder[0] != '/' ? "/" : "");
    buffer_text(prefix, strcmp(folder, ".") == 0 ? "" : folder);
    if (prefix->len > 0 && prefix->data[prefix->len - 1] != '/')
        buffer_text(prefix, "/");
    buffer_string(prefix);
}

static void find_root(struct resolver *resolver)
{
    const char *root = resolver->conf.chroot.data;
    size_t len = strlen(root);
    struct stat status;

    while (len > 0 && root[len - 1] == '/')
        len--;
    buffer_add(&resolver->root, root, len);
    root = buffer_string(&resolver->root);
    find_folder(resolver);
    if (len > 0 && (stat(root, &status) != 0 || !S_ISDIR(status.st_mode)))
        FAIL(resolver, "chroot %s is not a folder", root);
    else if (len > 0)
        check_note(resolver->checker, &resolver->place,
                   "paths are looked up below %s, Unbound's chroot ('chroot: \"\"' for none), and "
                   "so are the libraries that the module needs",
                   root);
}

/* --- module-config --- */

static bool is_word(const char *word, size_t len, const char *text)
{
    return len == strlen(text) && memcmp(word, text, len) == 0;
}

/* Reports the order to write. dynlib comes after python, since unbound-checkconf accepts no other
 * order of these two; python keeps no answers. */
static void report_no_dynlib(struct resolver *resolver)
{
    const char *order = resolver->conf.module_config.data, *at = order;
    struct buffer better = {0};
    size_t len;
    const char *word = xnm_order_word(&at, &len);

    if (word && is_word(word, len, "python")) {
        buffer_text(&better, "python ");
        word = xnm_order_word(&at, &len);
    }
    buffer_text(&better, "dynlib");
    for (; word; word = xnm_order_word(&at, &len))
        buffer_format(&better, " %.*s", (int)len, word);
    FAIL(resolver, "no dynlib in module-config \"%s\": expected \"%s\"", order,
         buffer_string(&better));
    buffer_free(&better);
}

static bool has_word(const char *order, const char *text)
{
    size_t len;

    for (const char *word; (word = xnm_order_word(&order, &len));)
        if (is_word(word, len, text))
            return true;
    return false;
}

/* Returns the number of words before the n-th "dynlib", the first being number 0. */
static size_t position_of(const char *order, size_t n)
{
    size_t position = 0, len;

    for (const char *word; (word = xnm_order_word(&order, &len)); position++)
        if (is_word(word, len, "dynlib") && n-- == 0)
            break;
    return position;
}

/* Reports a cache before our module, which is the dynlib of this index. With a policy, the module
 * then refuses to start. */
static void check_before(struct resolver *resolver, size_t index, bool has_policy)
{
    const char *order = resolver->conf.module_config.data;
    size_t len;
    const char *cache = xnm_order_cache_before(order, position_of(order, index), &len);

    if (cache)
        xnm_diagnostics_add(&resolver->checker->diagnostics, has_policy ? XNM_ERROR : XNM_WARNING,
                            &resolver->place,
                            "\"%s\": %.*s is before dynlib and would cache what %s policy answers: "
                            "put dynlib first",
                            order, (int)len, cache, has_policy ? "the" : "a");
}

/* --- the module --- */

/* Reads the build id after the first marker in a module's file. Returns false if there is none: the
 * module is not ours. */
static bool read_wanted(const struct xnm_textfile *module, struct xnm_build_id *wanted)
{
    static const char marker[] = XNM_BUILD_ID_MARKER;
    const char *at =
        module->len > 0 ? memmem(module->text, module->len, marker, sizeof marker - 1) : NULL;

    if (!at)
        return false;
    at += sizeof marker - 1;
    size_t len = strspn(at, "0123456789abcdef");
    len = len < XNM_BUILD_ID_MAX ? len : XNM_BUILD_ID_MAX;
    memcpy(wanted->hex, at, len);
    wanted->hex[len] = '\0';
    return len > 0;
}

static void check_build_id(struct resolver *resolver, const char *path,
                           const struct xnm_build_id *wanted)
{
    struct xnm_build_id id = {"none"};

    if (!resolver->daemon)
        return;
    if (!xnm_build_id_of_image(resolver->program.text, resolver->program.len, &id) ||
        strcmp(id.hex, wanted->hex) != 0)
        FAIL(resolver,
             "%s was made for an Unbound with build id %s, and that of %s is %s: install the "
             "module that was made for it",
             path, wanted->hex, resolver->daemon, id.hex);
    else
        check_note(resolver->checker, &resolver->place, "%s was made for %s, build id %s", path,
                   resolver->daemon, id.hex);
}

typedef enum { ENTRY_OURS, ENTRY_OTHER, ENTRY_UNKNOWN } entry;

/* Checks the module that an entry names. The daemon looks for a name without a slash where the
 * system has its libraries. */
static entry check_entry(struct resolver *resolver, const char *file)
{
    struct xnm_textfile module;
    struct xnm_build_id wanted;
    entry kind = ENTRY_UNKNOWN;

    if (!strchr(file, '/')) {
        WARN(resolver,
             "'%s' has no '/', so it is looked for among the system's libraries: expected a path",
             file);
        return kind;
    }
    char *name = inside(resolver, file), *path = outside(resolver, name);
    const char *trouble = xnm_textfile_read(path, IMAGE_SIZE_MAX, &module);
    if (trouble) {
        FAIL(resolver, "cannot read %s: %s: expected a module", path, trouble);
    } else {
        kind = read_wanted(&module, &wanted) ? ENTRY_OURS : ENTRY_OTHER;
        xnm_textfile_free(&module);
    }
    if (kind == ENTRY_OURS) {
        check_build_id(resolver, path, &wanted);
        check_library(&resolver->checker->diagnostics, &resolver->place, path, resolver->daemon,
                      resolver->root.data);
    }
    free(path);
    free(name);
    return kind;
}

/* Checks the entries of the dynlib modules: the n-th dynlib of module-config loads the n-th entry.
 * Returns the index of ours, or `modules` if none is. */
static size_t check_entries(struct resolver *resolver, size_t modules)
{
    const struct checkconf *conf = &resolver->conf;
    size_t ours = modules, unknown = 0, count = conf->dynlib_file_count;

    if (count < modules)
        FAIL(resolver,
             "%zu dynlib in module-config, and %zu dynlib-file in dynlib: clauses: expected one "
             "for each",
             modules, count);
    for (size_t i = 0; i < modules && i < count; i++) {
        const char *file = checkconf_dynlib_file(conf, i);
        entry kind = check_entry(resolver, file);
        unknown += kind == ENTRY_UNKNOWN;
        if (kind == ENTRY_OURS && ours < modules)
            FAIL(resolver,
                 "%s is the idn module, which an earlier entry loads: expected one dynlib-file, "
                 "and one dynlib in module-config, for it",
                 file);
        else if (kind == ENTRY_OURS)
            ours = i;
    }
    if (ours == modules && !unknown && count >= modules)
        FAIL(resolver, "%s is not the idn module: expected idn.so in this entry%s",
             checkconf_dynlib_file(conf, modules - 1), modules > 1 ? " or in an earlier one" : "");
    return ours;
}

/* --- the module's configuration --- */

/* Returns the path of the module's configuration, as the daemon knows it. It is in the entry after
 * those of the dynlib modules, which Unbound itself never opens. The caller frees it. */
static char *find_config(struct resolver *resolver, size_t modules, bool *is_default)
{
    const char *file = checkconf_dynlib_file(&resolver->conf, modules);
    bool is_named = file && file[0];

    *is_default = false;
    char *name = inside(resolver, is_named ? file : check_default_config(is_default));
    char *path = outside(resolver, name);
    if (is_named)
        check_note(resolver->checker, &resolver->place, "%s is the module's configuration", path);
    else
        check_note(resolver->checker, &resolver->place,
                   "no dynlib-file names the module's configuration, so it is the daemon's "
                   "$UNBOUND_IDN_CONF or " XNM_CONFIG_DEFAULT_PATH "; this checked %s",
                   path);
    free(path);
    return name;
}

/* Returns whether a configuration without errors names rule files. */
static bool has_policy(const struct resolver *resolver, const char *name)
{
    struct xnm_config config;
    char *path = outside(resolver, name);

    xnm_config_init(&config);
    bool found =
        xnm_config_load(&config, path, &xnm_diagnostics_ignored) && config.policy.file_count > 0;
    xnm_config_free(&config);
    free(path);
    return found;
}

/* --- all of it --- */

/* Returns whether the policy is a script of Unbound's python module, which needs no dynlib. */
static bool is_python(const struct checkconf *conf)
{
    return has_word(conf->module_config.data, "python") &&
           strstr(conf->python_script.data, "unbound-idn/unbound.py");
}

/* Reports a daemon that cannot load modules. Call it before unbound-checkconf reports `dynlib:`,
 * which that Unbound does not know. */
static void check_loads_modules(struct resolver *resolver, const char *checkconf)
{
    struct checkconf conf = {0};

    if (can_load_modules(resolver))
        return;
    bool good =
        checkconf && checkconf_read(checkconf, &resolver->place, &xnm_diagnostics_ignored, &conf);
    if (!good || !is_python(&conf))
        fail_daemon(resolver, resolver->daemon, "this Unbound cannot load modules",
                    "one that was configured with --with-dynlibmodule");
    checkconf_free(&conf);
}

static bool read_conf(struct resolver *resolver, const char *checkconf, const char *daemon)
{
    const struct xnm_diagnostics *diagnostics = &resolver->checker->diagnostics;
    char *program = checkconf_find(checkconf, daemon);

    check_loads_modules(resolver, program);
    if (!program) {
        FAIL(resolver, "no unbound-checkconf beside the daemon, in /usr/sbin or /usr/local/sbin: "
                       "expected the one that came with the daemon");
        return false;
    }
    bool accepted = checkconf_accepts(program, &resolver->place, diagnostics);
    bool good = checkconf_read(program, &resolver->place,
                               accepted ? diagnostics : &xnm_diagnostics_ignored, &resolver->conf);
    free(program);
    return good;
}

unsigned check_python_lacks(const char *order)
{
    return XNM_LACKS_TRANSPORT | (has_word(order, "subnetcache") ? 0 : XNM_LACKS_CLIENTS);
}

static void check_python(struct resolver *resolver, const char *user)
{
    const struct checkconf *conf = &resolver->conf;
    bool is_default;
    const char *config = check_default_config(&is_default);
    const struct check_opened what = {.root = "",
                                      .user = "",
                                      .module = "",
                                      .config = is_default ? "" : config,
                                      .lacks = check_python_lacks(conf->module_config.data)};

    check_note(resolver->checker, &resolver->place, "the policy is %s, which reads %s",
               conf->python_script.data, config);
    check_as_user(resolver->checker, &resolver->place, user, &what);
}

static void check_dynlib(struct resolver *resolver, const char *user)
{
    size_t modules = xnm_order_dynlib_count(resolver->conf.module_config.data);
    bool is_default;

    find_root(resolver);
    if (modules == 0) {
        report_no_dynlib(resolver);
        return;
    }
    size_t ours = check_entries(resolver, modules);
    bool is_found = ours < modules;
    char *config = find_config(resolver, modules, &is_default);
    char *module = inside(resolver, is_found ? checkconf_dynlib_file(&resolver->conf, ours) : "");
    const struct check_opened what = {.root = resolver->root.data,
                                      .user = "",
                                      .module = is_found ? module : "",
                                      .config = is_default ? "" : config};
    check_before(resolver, is_found ? ours : 0, has_policy(resolver, config));
    check_as_user(resolver->checker, &resolver->place, user, &what);
    free(module);
    free(config);
}

void check_unbound(struct checker *checker, const char *file, const struct check_daemon *what)
{
    struct resolver resolver = {.checker = checker, .place = {.file = file}};
    const char *daemon = find_daemon(&resolver, what->daemon);

    if (read_conf(&resolver, what->checkconf, daemon))
        (is_python(&resolver.conf) ? check_python : check_dynlib)(
            &resolver, what->user ? what->user : resolver.conf.username.data);
    check_finish_file(checker, file);
    buffer_free(&resolver.folder);
    buffer_free(&resolver.root);
    xnm_textfile_free(&resolver.program);
    checkconf_free(&resolver.conf);
}
