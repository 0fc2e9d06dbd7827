/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded into a daemon: makes one call of the module fail. The module is idn.so and every
 * library that comes with it (ICU, ldns, liburcu, libpsl), which the daemon has no other use for;
 * with XN_FAULTS_PROGRAM it is the program itself and its libraries. Their calls are led here by
 * their own tables of addresses, so that all others stay as they are, and the functions of the
 * daemon that the module calls can be had too: a preloaded library does not come before those. */
#include "tests/faults/shim.h"

#include "tests/faults/control.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__)
enum { SLOT = R_X86_64_JUMP_SLOT, POINTER = R_X86_64_GLOB_DAT };
#elif defined(__aarch64__)
enum { SLOT = R_AARCH64_JUMP_SLOT, POINTER = R_AARCH64_GLOB_DAT };
#endif

enum { STACK_MAX = 48 };

static struct control *control; /* NULL: nothing is asked for */

/* --- whose calls --- */

static struct object {
    const struct link_map *map;
    uintptr_t begin, end;
} objects[OBJECTS_MAX];
static atomic_size_t object_count;

static const struct object *object_of(uintptr_t address)
{
    size_t count = atomic_load(&object_count);

    for (size_t i = 0; i < count; i++) {
        if (address >= objects[i].begin && address < objects[i].end)
            return &objects[i];
    }
    return NULL;
}

static int find_extent(struct dl_phdr_info *info, size_t size, void *object_)
{
    struct object *object = object_;

    (void)size;
    if (info->dlpi_addr != object->map->l_addr)
        return 0;
    object->begin = UINTPTR_MAX;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uintptr_t begin = info->dlpi_addr + part->p_vaddr;

        if (part->p_type != PT_LOAD)
            continue;
        if (begin < object->begin)
            object->begin = begin;
        if (begin + part->p_memsz > object->end)
            object->end = begin + part->p_memsz;
    }
    return 1;
}

/* --- what fails --- */

static _Thread_local bool looks; /* at the stack, which may allocate itself */

static void describe(struct call *call, const char *name)
{
    void *stack[STACK_MAX];
    int depth = backtrace(stack, STACK_MAX);
    size_t frames = 0;

    *call = (struct call){.place = 0xcbf29ce484222325};
    strncpy(call->name, name, sizeof call->name - 1);
    for (const char *at = name; *at; at++)
        call->place = (call->place ^ (unsigned char)*at) * 0x100000001b3;
    for (int i = 0; i < depth; i++) {
        const struct object *object = object_of((uintptr_t)stack[i]);
        if (!object)
            continue;
        uint64_t frame = (uint64_t)(object - objects) << OBJECT_SHIFT |
                         ((uintptr_t)stack[i] - object->map->l_addr);
        call->place = (call->place ^ frame) * 0x100000001b3;
        if (frames < FRAMES_MAX)
            call->frames[frames++] = frame;
    }
}

static bool is_chosen(const struct call *call)
{
    if (call->place != control->place || atomic_fetch_add(&control->met, 1) + 1 != control->turn)
        return false;
    atomic_fetch_add(&control->fired, 1);
    return true;
}

static void record(const struct call *call)
{
    unsigned number = atomic_fetch_add(&control->call_count, 1);

    if (number < CALLS_MAX)
        control->calls[number] = *call;
}

bool shim_fails(const char *name, int error)
{
    unsigned mode = control ? atomic_load(&control->mode) : IDLE;
    int before = errno;
    struct call call;
    bool fails = false;

    if (mode == IDLE || looks)
        return false;
    looks = true;
    describe(&call, name);
    looks = false;
    if (mode == RECORD)
        record(&call);
    else
        fails = is_chosen(&call);
    errno = fails ? error : before;
    return fails;
}

/* --- leading calls here --- */

/* Overwrites a slot. Slots that were bound at the start are read-only by now. A slot is aligned,
 * and so lies in one page. */
static void put(uintptr_t *slot, uintptr_t function)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);

    if (mprotect((void *)((uintptr_t)slot / page * page), page, PROT_READ | PROT_WRITE) != 0) {
        perror("faults: mprotect");
        abort();
    }
    *slot = function;
}

struct tables {
    const ElfW(Rela) * relocations[2];
    size_t sizes[2];
    const ElfW(Sym) * symbols;
    const char *names;
};

static struct tables tables_of(const struct link_map *map)
{
    struct tables tables = {0};

    for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++) {
        switch (entry->d_tag) {
        case DT_RELA:
            tables.relocations[0] = (const void *)entry->d_un.d_ptr;
            break;
        case DT_RELASZ:
            tables.sizes[0] = entry->d_un.d_val;
            break;
        case DT_JMPREL:
            tables.relocations[1] = (const void *)entry->d_un.d_ptr;
            break;
        case DT_PLTRELSZ:
            tables.sizes[1] = entry->d_un.d_val;
            break;
        case DT_SYMTAB:
            tables.symbols = (const void *)entry->d_un.d_ptr;
            break;
        case DT_STRTAB:
            tables.names = (const void *)entry->d_un.d_ptr;
            break;
        default:
            break;
        }
    }
    return tables;
}

/* Leads the calls of a library to the functions of a table. */
#define LEAD(map, table) lead(map, __start_##table, __stop_##table)
static void lead(const struct link_map *map, const struct shim_function *begin,
                 const struct shim_function *end)
{
    struct tables tables = tables_of(map);

    for (size_t kind = 0; kind < 2; kind++) {
        for (size_t i = 0; i < tables.sizes[kind] / sizeof(ElfW(Rela)); i++) {
            const ElfW(Rela) *one = &tables.relocations[kind][i];
            unsigned long type = ELF64_R_TYPE(one->r_info);
            const char *name = tables.names + tables.symbols[ELF64_R_SYM(one->r_info)].st_name;

            if (type != SLOT && type != POINTER)
                continue;
            for (const struct shim_function *f = begin; f < end; f++) {
                if (strcmp(f->name, name) == 0)
                    put((uintptr_t *)(map->l_addr + one->r_offset), f->function);
            }
        }
    }
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void take(const struct link_map *map)
{
    size_t number = atomic_load(&object_count);

    if (number == OBJECTS_MAX) {
        fputs("faults: too many libraries\n", stderr);
        abort();
    }
    objects[number] = (struct object){.map = map};
    dl_iterate_phdr(find_extent, &objects[number]);
    strncpy(control->objects[number],
            map->l_name[0] ? base_name(map->l_name) : program_invocation_short_name,
            OBJECT_NAME_MAX - 1);
    control->object_count = (uint32_t)number + 1;
    atomic_store(&object_count, number + 1);
    LEAD(map, shim_functions);
}

/* --- loading --- */

static const struct link_map *all_maps(void)
{
    static struct link_map *first;

    if (!first)
        dlinfo(dlopen(NULL, RTLD_LAZY), RTLD_DI_LINKMAP, &first);
    return first;
}

static bool is_among(const struct link_map *map, const struct link_map **known, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (known[i] == map)
            return true;
    }
    return false;
}

/* A library that a module loads belongs to the module. */
void *shim_dlopen(void *(*real)(const char *, int), const char *path, int flags)
{
    const struct link_map *before[256];
    size_t count = 0;

    if (!control || !path || strcmp(base_name(path), "idn.so") != 0)
        return real(path, flags);
    for (const struct link_map *map = all_maps(); map && count < 256; map = map->l_next)
        before[count++] = map;
    void *handle = real(path, flags);
    for (const struct link_map *map = all_maps(); handle && map; map = map->l_next) {
        if (!is_among(map, before, count))
            take(map);
    }
    return handle;
}

/* Tells whether a library is one of the program's own, not the C library or another general one. */
static bool is_of_program(const char *name)
{
    static const char *const others[] = {"libc.",   "libm.",    "libgcc", "ld-",       "linux-",
                                         "libasan", "libubsan", "faults", "libcrypto", "libssl"};

    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (strncmp(name, others[i], strlen(others[i])) == 0)
            return false;
    }
    return true;
}

static struct control *map_control(const char *path)
{
    int fd = open(path, O_RDWR | O_CLOEXEC);
    void *octets = fd < 0 ? MAP_FAILED
                          : mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

    if (octets == MAP_FAILED) {
        perror(path);
        abort();
    }
    close(fd);
    return octets;
}

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("XN_FAULTS");
    void *stack[1];

    if (!path)
        return;
    backtrace(stack, 1); /* the first one loads a library */
    control = map_control(path);
    for (const struct link_map *map = all_maps(); map; map = map->l_next) {
        if (strncmp(base_name(map->l_name), "libc.", 5) == 0)
            LEAD(map, shim_functions_inside);
        else if (getenv("XN_FAULTS_PROGRAM") && is_of_program(base_name(map->l_name)))
            take(map);
    }
    if (!getenv("XN_FAULTS_PROGRAM"))
        LEAD(all_maps(), shim_functions_of_daemon);
}
