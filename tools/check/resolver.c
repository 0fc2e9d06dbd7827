/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/check/resolver.h"

#include "tools/check/elffile.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What Debian's Unbound has where unbound.conf says nothing. */
#define DEFAULT_FOLDER "/etc/unbound"

static const char *const daemons[] = {"/usr/sbin/unbound", "/usr/local/sbin/unbound"};
enum { DAEMON_COUNT = sizeof daemons / sizeof *daemons };

struct xnm_place resolver_place(const struct resolver *resolver,
                                const struct unboundconf_value *value)
{
    return value->text ? unboundconf_place(value) : resolver->place;
}

/* --- paths --- */

char *resolver_inside(const struct resolver *resolver, const char *path)
{
    struct buffer name = {0};

    if (path[0] != '/')
        buffer_text(&name, resolver->folder.data);
    buffer_text(&name, path);
    return buffer_string(&name);
}

char *resolver_outside(const struct resolver *resolver, const char *inside_path)
{
    struct buffer name = {0};

    buffer_format(&name, "%s%s", resolver->root.data, inside_path);
    return buffer_string(&name);
}

static const char *chroot_of(const struct resolver *resolver, size_t *len)
{
    const char *text = resolver->conf.chroot.text;

    if (!text)
        return elffile_builtin_chroot(&resolver->program, len);
    *len = strlen(text);
    return text;
}

/* Unbound changes the root, then into `directory` less what that has of the root's own path. */
static void find_folder(struct resolver *resolver)
{
    const char *folder = resolver->conf.directory.text, *root = resolver->root.data;
    struct buffer *prefix = &resolver->folder;

    folder = folder ? folder : DEFAULT_FOLDER;
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
    size_t len;
    const char *root = chroot_of(resolver, &len);
    struct xnm_place place = resolver_place(resolver, &resolver->conf.chroot);
    struct stat status;

    if (!root && resolver->daemon)
        check_note(resolver->checker, &place,
                   "chroot is not set, and the one that %s was built with is not known: checked as "
                   "if there were none; 'chroot: \"\"' makes sure",
                   resolver->daemon);
    while (root && len > 0 && root[len - 1] == '/')
        len--;
    buffer_add(&resolver->root, root, len);
    buffer_string(&resolver->root);
    find_folder(resolver);
    if (len > 0 && (stat(resolver->root.data, &status) != 0 || !S_ISDIR(status.st_mode)))
        RESOLVER_FAIL(resolver, &place, "chroot %s is no folder", resolver->root.data);
    else if (len > 0)
        check_note(resolver->checker, &place,
                   "paths are looked up below %s, and so are the libraries that the module needs",
                   resolver->root.data);
}

/* --- the daemon --- */

static void find_daemon(struct resolver *resolver, const char *daemon)
{
    for (size_t i = 0; !daemon && i < DAEMON_COUNT; i++)
        if (access(daemons[i], F_OK) == 0)
            daemon = daemons[i];
    if (!daemon) {
        RESOLVER_WARN(
            resolver, &resolver->place,
            "no unbound in /usr/sbin or /usr/local/sbin: that the module fits was not checked; "
            "--daemon FILE names one");
        return;
    }
    struct xnm_place place = {.file = daemon};
    const char *trouble = xnm_textfile_read(daemon, ELFFILE_SIZE_MAX, &resolver->program);
    if (trouble)
        RESOLVER_FAIL(resolver, &place, "%s: expected the program of Unbound", trouble);
    else
        resolver->daemon = daemon;
    if (resolver->daemon && !elffile_has_dynlib(&resolver->program))
        RESOLVER_FAIL(resolver, &place,
                      "this Unbound cannot load modules: expected one that was configured with "
                      "--with-dynlibmodule");
}

void resolver_find(struct resolver *resolver, const char *daemon)
{
    find_daemon(resolver, daemon);
    find_root(resolver);
}

void resolver_free(struct resolver *resolver)
{
    for (size_t i = 0; i < resolver->probes.count; i++)
        free((char *)resolver->probes.all[i].path);
    buffer_free(&resolver->folder);
    buffer_free(&resolver->root);
    xnm_textfile_free(&resolver->program);
    unboundconf_free(&resolver->conf);
}
