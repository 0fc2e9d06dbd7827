/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/idna/unicode.h"
#include "module/compiled/file.h"
#include "module/compiled/write.h"
#include "module/file/textline.h"
#include "module/policy/policy.h"
#include "tools/check/policyread.h"
#include "tools/command/command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char help[] =
    "Usage: unbound-idn compile FILE... -o FILE\n"
    "\n"
    "Compiles the rules, with the lists that they name, into one file that the module\n"
    "loads in a moment. To use it, write a rule file with one line, 'compiled PATH',\n"
    "and no other rule. FILE is one configuration, whose policy-ttl is used too, or\n"
    "one or more rule files, which are read in order. The same rules and lists always\n"
    "give the same file.\n"
    "\n"
    "  -o FILE  the file to write; if it exists, it must be a compiled policy or\n"
    "           empty, and is replaced as a whole or not at all\n"
    "\n"
    "Bad lines in a list are reported and left out, as the module does.\n"
    "Exit status: 0 if the file was written; 2 if not, and an older file stays: wrong\n"
    "usage, rules that the module would refuse, or a list without any entry.\n";

enum { OUTPUT = 1, VALUES };

struct session {
    struct xn_unicode *unicode;
    struct policyread read;
    const char *output;
    char *beside; /* the path it is written to before it is renamed */
    struct timespec begun;
};

__attribute__((format(printf, 2, 3))) static bool fail(const char *file, const char *format, ...)
{
    const struct xnm_place place = {.file = file};
    char message[512];
    va_list args;

    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    policyread_say(&place, message);
    return false;
}

static bool fail_to_write(const struct session *session, int error)
{
    return fail(session->output, "cannot be written: %s", strerror(error));
}

/* --- the output file --- */

/* May the existing file be replaced? Not a file of the operator's, which becomes the output if one
 * argument is missing; nor the target of a link, such as /dev/stdout. */
static bool is_output(const struct session *session, const struct stat *there)
{
    struct stat link;

    if (!S_ISREG(there->st_mode))
        return fail(session->output, "is not a regular file: expected one, or none");
    if (there->st_size > 0)
        return xnm_compiled_is_file(session->output) ||
               fail(session->output,
                    "exists and is not a compiled policy: name another file, or remove this one");
    if (lstat(session->output, &link) == 0 && S_ISLNK(link.st_mode))
        return fail(session->output, "is a link to an empty file: name that file itself");
    return true;
}

static bool may_replace(const struct session *session)
{
    const struct xnm_sources *sources = &session->read.files.sources;
    struct stat there;

    if (stat(session->output, &there) != 0)
        return errno == ENOENT || fail_to_write(session, errno);
    for (size_t i = 0; i < sources->count; i++)
        if (sources->files[i].read.dev == there.st_dev &&
            sources->files[i].read.ino == there.st_ino)
            return fail(session->output, "is one of the files to be compiled: name another file");
    return is_output(session, &there);
}

static int open_beside(struct session *session)
{
    static const char suffix[] = ".XXXXXX";
    size_t len = strlen(session->output);
    mode_t mask = umask(0);
    int fd = -1;

    umask(mask);
    session->beside = malloc(len + sizeof suffix);
    if (!session->beside)
        return -1;
    memcpy(session->beside, session->output, len);
    memcpy(session->beside + len, suffix, sizeof suffix);
    fd = mkostemp(session->beside, O_CLOEXEC);
    if (fd < 0) {
        int error = errno;
        free(session->beside);
        session->beside = NULL;
        errno = error;
        return -1;
    }
    if (fchmod(fd, 0666 & ~mask) == 0)
        return fd;
    int error = errno;
    close(fd);
    errno = error;
    return -1;
}

/* The file's mtime is when reading began: a source changed since then is not in it. */
static bool write_beside(struct session *session, const struct xnm_arena *compiled)
{
    const struct timespec times[] = {session->begun, session->begun};
    int fd = open_beside(session), error = 0;

    if (fd < 0)
        return fail_to_write(session, errno);
    if (!xnm_textfile_write(fd, compiled->octets, compiled->len) || futimens(fd, times) != 0 ||
        fsync(fd) != 0)
        error = errno;
    if (close(fd) != 0 && error == 0)
        error = errno;
    return error == 0 || fail_to_write(session, error);
}

/* Whoever reads the compiled file takes a relative path from its folder. */
static bool leads_elsewhere(const struct session *session, const char *source)
{
    char *path = xnm_textline_path(session->output, source, strlen(source));
    struct stat here, there;
    bool both = path && stat(source, &here) == 0 && stat(path, &there) == 0;

    free(path);
    return both && (here.st_dev != there.st_dev || here.st_ino != there.st_ino);
}

static bool fail_by_stale(const struct session *session, const char *source)
{
    if (leads_elsewhere(session, source))
        return fail(source,
                    "leads to another file from the folder of '%s': use an absolute path, or run "
                    "this in that folder",
                    session->output);
    return fail(source, "was changed while it was compiled: expected a file that nobody is "
                        "writing to");
}

/* Reads the output file again, as the module will: that counts, not what was to be written. */
static bool reads_back(const struct session *session)
{
    const struct xnm_policy_settings settings = {.unicode = session->unicode,
                                                 .ttl = XNM_COMPILED_ANY_TTL};
    struct xnm_compiled_load read;
    const struct xnm_compiled_bounds all = {SIZE_MAX, UINT64_MAX}; /* were just read */
    const char *why = xnm_compiled_load(&settings, session->beside, NULL, &read);

    if (why)
        return fail(session->output, "the file that was written %s", why);
    const char *stale =
        xnm_compiled_age(read.policy, session->beside, read.stamp.mtime, &all).stale;
    bool good = !stale || fail_by_stale(session, stale);
    xnm_policy_free(read.policy);
    return good;
}

/* The name is on disk only when its folder is. Not every file system supports that. */
static void sync_folder(const char *file)
{
    const char *slash = strrchr(file, '/');
    char *folder = slash ? strndup(file, (size_t)(slash - file) + 1) : NULL;
    int fd = open(folder ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    free(folder);
}

static bool put_in_place(struct session *session, const struct xnm_arena *compiled)
{
    bool good = write_beside(session, compiled) && reads_back(session);

    if (good && rename(session->beside, session->output) != 0)
        good = fail_to_write(session, errno);
    if (good)
        sync_folder(session->output);
    else if (session->beside)
        unlink(session->beside);
    free(session->beside);
    return good;
}

/* --- the policy --- */

static bool read_policy(struct session *session, char **files, size_t count)
{
    session->read = (struct policyread){
        .how = {.unicode = session->unicode,
                .diagnostics = &policyread_errors,
                .no_compiled =
                    "is already compiled: expected the rule files that it was compiled from"},
        .nothing = "nothing is written",
        .keeps_sources = true};
    return policyread_files(&session->read, files, count) &&
           policyread_has_every_list(&session->read);
}

static bool write_image(struct session *session)
{
    struct xnm_policyfiles *files = &session->read.files;
    struct xnm_arena compiled;
    const char *source;
    const char *why = xnm_compiled_write(files->policy, &files->sources, &compiled, &source);

    xnm_policy_free(
        files->policy); /* a million names: not together with the two compiled policies */
    files->policy = NULL;
    if (why)
        return fail(source ? source : session->output, "%s%s",
                    source ? "" : "nothing is written: ", why);
    bool good = put_in_place(session, &compiled);
    xnm_arena_free(&compiled);
    return good;
}

/* --- the command --- */

static int run(struct session *session, char **files, size_t count)
{
    bool good = read_policy(session, files, count) && may_replace(session) && write_image(session);

    xnm_policy_free(session->read.files.policy);
    xnm_sources_free(&session->read.files.sources);
    return good ? STATUS_FINE : STATUS_USAGE;
}

int compile_main(int argc, char **argv)
{
    const struct option known[] = {
        {"o", required_argument, NULL, OUTPUT}, {"help", no_argument, NULL, COMMAND_HELP}, {0}};
    const char *values[VALUES] = {NULL};
    struct session session = {0};
    int status = command_read_options("compile", help, known, values, argc, argv);

    if (status >= 0)
        return status;
    if (optind == argc || !values[OUTPUT] || !values[OUTPUT][0])
        return command_usage_error("compile", "expected rule files, and -o with the file to write");
    /* The clock that the kernel uses for file times. */
    clock_gettime(CLOCK_REALTIME_COARSE, &session.begun);
    session.output = values[OUTPUT];
    if (!command_open_unicode(&session.unicode))
        return STATUS_USAGE;
    status = run(&session, argv + optind, (size_t)(argc - optind));
    xn_unicode_close(session.unicode);
    return status;
}
