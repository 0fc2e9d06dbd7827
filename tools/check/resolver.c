/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/check/resolver.h"

#include "tools/check/elffile.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const daemons[] = {"/usr/sbin/unbound", "/usr/local/sbin/unbound"};
enum { DAEMON_COUNT = sizeof daemons / sizeof *daemons };

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

/* Unbound changes the root, then into `directory` less what that has of the root's own path. */
static void find_folder(struct resolver *resolver)
{
    const char *folder = resolver->conf.directory, *root = resolver->root.data;
    struct buffer *prefix = &resolver->folder;

    if (root[0] && strncmp(folder, root, strlen(root)) == 0)
        folder += strlen(root);
    buffer_text(prefix, root[0] && folder[0] != '/' ? "/" : "");
    buffer_text(prefix, strcmp(folder, ".") == 0 ? "" : folder);
    if (prefix->len > 0 && prefix->data[prefix->len - 1] != '/')
        buffer_text(prefix, "/");
    buffer_string(prefix);
}

void resolver_find_root(struct resolver *resolver)
{
    const char *root = resolver->conf.chroot;
    size_t len = strlen(root);
    struct stat status;

    while (len > 0 && root[len - 1] == '/')
        len--;
    buffer_add(&resolver->root, root, len);
    buffer_string(&resolver->root);
    find_folder(resolver);
    if (len > 0 && (stat(resolver->root.data, &status) != 0 || !S_ISDIR(status.st_mode)))
        RESOLVER_FAIL(resolver, "chroot %s is not a folder", resolver->root.data);
    else if (len > 0)
        check_note(
            resolver->checker, &resolver->place,
            "paths are looked up below %s, Unbound's chroot ('chroot: \"\"' for none), and so are "
            "the libraries that the module needs",
            resolver->root.data);
}

/* --- the daemon --- */

static void fail_daemon(struct resolver *resolver, const char *daemon, const char *trouble)
{
    const struct xnm_place place = {.file = daemon};

    xnm_diagnose(&resolver->checker->diagnostics, XNM_ERROR, &place, "%s", trouble);
}

static void read_daemon(struct resolver *resolver, const char *daemon)
{
    const char *trouble = xnm_textfile_read(daemon, ELFFILE_SIZE_MAX, &resolver->program);
    struct buffer message = {0};

    if (trouble) {
        buffer_format(&message, "%s: expected the program of Unbound", trouble);
        fail_daemon(resolver, daemon, buffer_string(&message));
        buffer_free(&message);
        return;
    }
    resolver->daemon = daemon;
    if (!elffile_has_dynlib(&resolver->program))
        fail_daemon(resolver, daemon,
                    "this Unbound cannot load modules: expected one that was configured with "
                    "--with-dynlibmodule");
}

const char *resolver_find_daemon(struct resolver *resolver, const char *daemon)
{
    for (size_t i = 0; !daemon && i < DAEMON_COUNT; i++)
        if (access(daemons[i], F_OK) == 0)
            daemon = daemons[i];
    if (daemon)
        read_daemon(resolver, daemon);
    else
        RESOLVER_WARN(resolver, "no unbound in /usr/sbin or /usr/local/sbin: whether the module "
                                "fits was not checked; name the daemon with --daemon FILE");
    return daemon;
}

void resolver_free(struct resolver *resolver)
{
    for (size_t i = 0; i < resolver->probes.count; i++)
        free((char *)resolver->probes.all[i].path);
    buffer_free(&resolver->folder);
    buffer_free(&resolver->root);
    xnm_textfile_free(&resolver->program);
    checkconf_free(&resolver->conf);
}
