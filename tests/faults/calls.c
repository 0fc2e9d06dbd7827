/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions that can be made to fail, and how each says that it did. */
#include "tests/faults/shim.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* In a call of the module's to the C library: what that allocates is the module's as well. */
static _Thread_local volatile unsigned inside; /* or GCC knows that no leaf function reads it */

/* Adds a row to a table, which is a section of this library. */
#define ROW(table, name, function)                                                                 \
    static const struct shim_function row_of_##function                                            \
        __attribute__((section(#table), used)) = {name, (uintptr_t)(function)};

/* A function that returns `bad` where it fails. */
#define FAILING(result, name, bad, error, parameters, arguments)                                   \
    static result name##_or_not parameters                                                         \
    {                                                                                              \
        return shim_fails(#name, error) ? (bad) : name arguments;                                  \
    }                                                                                              \
    ROW(shim_functions, #name, name##_or_not)

/* A function that fails where memory that it asks for is not there. */
#define INSIDE(result, name, parameters, arguments)                                                \
    static result name##_inside parameters                                                         \
    {                                                                                              \
        inside++;                                                                                  \
        result value = name arguments;                                                             \
        inside--;                                                                                  \
        return value;                                                                              \
    }                                                                                              \
    ROW(shim_functions, #name, name##_inside)

/* --- memory --- */

FAILING(void *, malloc, NULL, ENOMEM, (size_t len), (len))
FAILING(void *, calloc, NULL, ENOMEM, (size_t count, size_t len), (count, len))
FAILING(void *, realloc, NULL, ENOMEM, (void *old, size_t len), (old, len))
FAILING(void *, aligned_alloc, NULL, ENOMEM, (size_t align, size_t len), (align, len))
FAILING(char *, strdup, NULL, ENOMEM, (const char *text), (text))
FAILING(char *, strndup, NULL, ENOMEM, (const char *text, size_t len), (text, len))
FAILING(void *, mmap, MAP_FAILED, ENOMEM,
        (void *at, size_t len, int protection, int flags, int fd, off_t offset),
        (at, len, protection, flags, fd, offset))
FAILING(void *, mremap, MAP_FAILED, ENOMEM, (void *old, size_t old_len, size_t len, int flags),
        (old, old_len, len, flags))
FAILING(int, munmap, -1, ENOMEM, (void *at, size_t len), (at, len))

/* --- files --- */

static int open_or_not(const char *path, int flags, ...)
{
    va_list arguments;
    mode_t mode = 0;

    va_start(arguments, flags);
    if (flags & O_CREAT)
        mode = va_arg(arguments, mode_t);
    va_end(arguments);
    return shim_fails("open", EMFILE) ? -1 : open(path, flags, mode);
}
ROW(shim_functions, "open", open_or_not)

static int openat_or_not(int at, const char *path, int flags, ...)
{
    va_list arguments;
    mode_t mode = 0;

    va_start(arguments, flags);
    if (flags & O_CREAT)
        mode = va_arg(arguments, mode_t);
    va_end(arguments);
    return shim_fails("openat", EMFILE) ? -1 : openat(at, path, flags, mode);
}
ROW(shim_functions, "openat", openat_or_not)

/* Closed all the same, as Linux does. */
static int close_or_not(int fd)
{
    bool fails = shim_fails("close", EIO);
    int result = close(fd);

    if (fails)
        errno = EIO;
    return fails ? -1 : result;
}
ROW(shim_functions, "close", close_or_not)

FAILING(ssize_t, read, -1, EIO, (int fd, void *dst, size_t len), (fd, dst, len))
FAILING(ssize_t, pread, -1, EIO, (int fd, void *dst, size_t len, off_t at), (fd, dst, len, at))
FAILING(ssize_t, write, -1, ENOSPC, (int fd, const void *src, size_t len), (fd, src, len))
FAILING(ssize_t, send, -1, ENOBUFS, (int fd, const void *src, size_t len, int flags),
        (fd, src, len, flags))
FAILING(int, poll, -1, ENOMEM, (struct pollfd * fds, nfds_t count, int ms), (fds, count, ms))
FAILING(off_t, lseek, -1, EIO, (int fd, off_t offset, int whence), (fd, offset, whence))
FAILING(int, stat, -1, EIO, (const char *path, struct stat *status), (path, status))
FAILING(int, lstat, -1, EIO, (const char *path, struct stat *status), (path, status))
FAILING(int, fstat, -1, EIO, (int fd, struct stat *status), (fd, status))
FAILING(int, ftruncate, -1, EIO, (int fd, off_t len), (fd, len))
FAILING(int, fchmod, -1, EIO, (int fd, mode_t mode), (fd, mode))
FAILING(int, futimens, -1, EIO, (int fd, const struct timespec times[2]), (fd, times))
FAILING(int, rename, -1, EIO, (const char *from, const char *to), (from, to))
FAILING(int, renameat, -1, EIO, (int at, const char *from, int there, const char *to),
        (at, from, there, to))
FAILING(int, renameat2, -1, EIO,
        (int at, const char *from, int there, const char *to, unsigned flags),
        (at, from, there, to, flags))
FAILING(int, unlink, -1, EIO, (const char *path), (path))
FAILING(int, unlinkat, -1, EIO, (int at, const char *path, int flags), (at, path, flags))
FAILING(int, mkostemp, -1, EMFILE, (char *path, int flags), (path, flags))
FAILING(int, access, -1, EIO, (const char *path, int mode), (path, mode))
FAILING(int, faccessat, -1, EIO, (int at, const char *path, int mode, int flags),
        (at, path, mode, flags))
FAILING(ssize_t, getrandom, -1, EAGAIN, (void *dst, size_t len, unsigned flags), (dst, len, flags))
FAILING(int, pipe2, -1, EMFILE, (int fds[2], int flags), (fds, flags))
FAILING(pid_t, fork, -1, EAGAIN, (void), ())

static char *realpath_or_not(const char *path, char *dst, size_t dst_cap)
{
    (void)dst_cap;
    return shim_fails("realpath", ENOMEM) ? NULL : realpath(path, dst);
}
ROW(shim_functions, "__realpath_chk", realpath_or_not)

FAILING(int, glob, GLOB_NOSPACE, 0,
        (const char *pattern, int flags, int (*on_error)(const char *, int), glob_t *found),
        (pattern, flags, on_error, found))
FAILING(struct passwd *, getpwnam, NULL, EIO, (const char *name), (name))

/* --- streams --- */

/* Fails as the C library does if the write to the file fails. */
static int stream_fails(const char *name, FILE *stream)
{
    if (!shim_fails(name, ENOSPC))
        return 0;
    stream->_flags |= 0x20; /* _IO_ERR_SEEN */
    return EOF;
}

/* Closed all the same. */
static int fclose_or_not(FILE *stream)
{
    bool fails = shim_fails("fclose", ENOSPC);

    inside++;
    int result = fclose(stream);
    inside--;
    if (fails)
        errno = ENOSPC;
    return fails ? EOF : result;
}
ROW(shim_functions, "fclose", fclose_or_not)

static int fflush_or_not(FILE *stream)
{
    return stream && stream_fails("fflush", stream) ? EOF : fflush(stream);
}
ROW(shim_functions, "fflush", fflush_or_not)

static int fprintf_inside(FILE *stream, int flag, const char *format, ...)
{
    va_list arguments;

    (void)flag;
    va_start(arguments, format);
    inside++;
    int result = vfprintf(stream, format, arguments);
    inside--;
    va_end(arguments);
    return result;
}
ROW(shim_functions, "__fprintf_chk", fprintf_inside)

FAILING(FILE *, fopen, NULL, EMFILE, (const char *path, const char *mode), (path, mode))
FAILING(FILE *, fdopen, NULL, ENOMEM, (int fd, const char *mode), (fd, mode))
INSIDE(FILE *, open_memstream, (char **text, size_t *len), (text, len))
INSIDE(ssize_t, __getdelim, (char **line, size_t *cap, int end, FILE *stream),
       (line, cap, end, stream))
INSIDE(int, fputc, (int octet, FILE *stream), (octet, stream))
INSIDE(int, fputs, (const char *text, FILE *stream), (text, stream))
INSIDE(size_t, fwrite, (const void *src, size_t size, size_t count, FILE *stream),
       (src, size, count, stream))

/* --- threads --- */

/* These return the error. */
FAILING(int, pthread_create, EAGAIN, 0,
        (pthread_t * thread, const pthread_attr_t *attributes, void *(*run)(void *), void *arg),
        (thread, attributes, run, arg))
FAILING(int, pthread_mutex_init, ENOMEM, 0,
        (pthread_mutex_t * lock, const pthread_mutexattr_t *attributes), (lock, attributes))
FAILING(int, pthread_cond_init, ENOMEM, 0,
        (pthread_cond_t * condition, const pthread_condattr_t *attributes), (condition, attributes))
FAILING(int, pthread_condattr_init, ENOMEM, 0, (pthread_condattr_t * attributes), (attributes))
FAILING(int, pthread_condattr_setclock, EINVAL, 0, (pthread_condattr_t * attributes, clockid_t id),
        (attributes, id))
FAILING(int, pthread_key_create, EAGAIN, 0, (pthread_key_t * key, void (*destroy)(void *)),
        (key, destroy))
FAILING(int, pthread_setspecific, ENOMEM, 0, (pthread_key_t key, const void *value), (key, value))

/* --- the daemon's, in whose regions the module allocates --- */

struct regional;
struct ub_packed_rrset_key;
struct edns_option;
struct edns_data;
struct comm_reply;
struct mesh_reply;
struct mesh_state;
struct module_env;
struct respip_client_info;
struct module_qstate;
struct query_info;

#define OF_DAEMON(result, name, bad, parameters, arguments)                                        \
    __attribute__((weak)) result name parameters;                                                  \
    FAILING(result, name, bad, ENOMEM, parameters, arguments)

OF_DAEMON(void *, regional_alloc, NULL, (struct regional * region, size_t len), (region, len))
OF_DAEMON(void *, regional_alloc_zero, NULL, (struct regional * region, size_t len), (region, len))
OF_DAEMON(void *, regional_alloc_init, NULL,
          (struct regional * region, const void *src, size_t len), (region, src, len))
OF_DAEMON(struct ub_packed_rrset_key *, packed_rrset_copy_region, NULL,
          (struct ub_packed_rrset_key * rrset, struct regional *region, time_t now),
          (rrset, region, now))
OF_DAEMON(int, edns_opt_list_append, 0,
          (struct edns_option * *list, uint16_t code, size_t len, uint8_t *octets,
           struct regional *region),
          (list, code, len, octets, region))
OF_DAEMON(struct edns_option *, edns_opt_copy_region, NULL,
          (struct edns_option * list, struct regional *region), (list, region))
OF_DAEMON(struct mesh_state *, mesh_state_create, NULL,
          (struct module_env * env, struct query_info *info, struct respip_client_info *client,
           uint16_t flags, int prime, int valrec),
          (env, info, client, flags, prime, valrec))
/* The arguments are those of Unbound before 1.26.0. */
OF_DAEMON(int, mesh_state_add_reply, 0,
          (struct mesh_state * state, struct edns_data *edns, struct comm_reply *reply,
           uint16_t ident, uint16_t flags, const struct query_info *info),
          (state, edns, reply, ident, flags, info))
/* The arguments are those of Unbound before 1.25.0. */
OF_DAEMON(int, mesh_attach_sub, 0,
          (struct module_qstate * query, struct query_info *info, uint16_t flags, int prime,
           int valrec, struct module_qstate **sub),
          (query, info, flags, prime, valrec, sub))

/* Registering a callback allocates in the daemon; the module has no other way to it than a pointer
 * to this function. */
static bool is_of_registering(uintptr_t address)
{
    static uintptr_t begin, end;
    const ElfW(Sym) * symbol;
    Dl_info info;

    if (end == 0) {
        void *function = dlsym(RTLD_DEFAULT, "inplace_cb_register");
        end = 1;
        if (function && dladdr1(function, &info, (void **)&symbol, RTLD_DL_SYMENT) != 0) {
            begin = (uintptr_t)function;
            end = begin + symbol->st_size;
        }
    }
    return address >= begin && address < end;
}

static void *calloc_of_daemon(size_t count, size_t len)
{
    return is_of_registering((uintptr_t)__builtin_return_address(0)) && shim_fails("calloc", ENOMEM)
               ? NULL
               : calloc(count, len);
}
ROW(shim_functions_of_daemon, "calloc", calloc_of_daemon)

/* --- inside of the C library --- */

static void *malloc_inside(size_t len)
{
    return inside > 0 && shim_fails("malloc", ENOMEM) ? NULL : malloc(len);
}
ROW(shim_functions_inside, "malloc", malloc_inside)

static void *calloc_inside(size_t count, size_t len)
{
    return inside > 0 && shim_fails("calloc", ENOMEM) ? NULL : calloc(count, len);
}
ROW(shim_functions_inside, "calloc", calloc_inside)

static void *realloc_inside(void *old, size_t len)
{
    return inside > 0 && shim_fails("realloc", ENOMEM) ? NULL : realloc(old, len);
}
ROW(shim_functions_inside, "realloc", realloc_inside)

/* --- loading --- */

__attribute__((visibility("default"))) void *dlopen(const char *path, int flags)
{
    static void *(*real)(const char *, int);

    if (!real)
        real = (void *(*)(const char *, int))(uintptr_t)dlsym(RTLD_NEXT, "dlopen");
    return shim_dlopen(real, path, flags);
}
