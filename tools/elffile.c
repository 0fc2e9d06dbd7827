/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/elffile.h"

#include <elf.h>
#include <link.h>
#include <string.h>

/* Kept in the module's read-only data by module/host.c. */
static const char marker[] = "unbound-idn-build-id=";

static bool is_within(const struct buffer *image, uint64_t at, uint64_t len)
{
    return at <= image->len && len <= image->len - at;
}

static uint64_t padded(uint64_t len, uint64_t alignment)
{
    return (len + alignment - 1) / alignment * alignment;
}

static void write_hex(const char *octets, size_t len, struct elffile_build_id *id)
{
    static const char digits[] = "0123456789abcdef";
    size_t out = 0;

    for (size_t i = 0; i < len && out < ELFFILE_BUILD_ID_MAX; i++) {
        id->hex[out++] = digits[(unsigned char)octets[i] >> 4];
        id->hex[out++] = digits[(unsigned char)octets[i] & 0xF];
    }
    id->hex[out] = '\0';
}

/* One segment of notes: header, name, description, the last two padded to the segment's alignment.
 */
static bool find_in_notes(const struct buffer *image, uint64_t at, uint64_t end, uint64_t alignment,
                          struct elffile_build_id *id)
{
    ElfW(Nhdr) note;

    while (at <= end && end - at >= sizeof note) {
        memcpy(&note, image->data + at, sizeof note);
        uint64_t name = at + sizeof note;
        uint64_t description = at + padded(sizeof note + note.n_namesz, alignment);
        uint64_t next = at + padded(description - at + note.n_descsz, alignment);

        if (description + note.n_descsz > end)
            return false;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && note.n_descsz > 0 &&
            memcmp(image->data + name, "GNU", 4) == 0) {
            write_hex(image->data + description, note.n_descsz, id);
            return true;
        }
        at = next;
    }
    return false;
}

static bool read_header(const struct buffer *image, ElfW(Ehdr) * header)
{
    const unsigned char class = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;

    if (!is_within(image, 0, sizeof *header))
        return false;
    memcpy(header, image->data, sizeof *header);
    return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 && header->e_ident[EI_CLASS] == class &&
           header->e_phentsize == sizeof(ElfW(Phdr)) &&
           is_within(image, header->e_phoff, (uint64_t)header->e_phnum * sizeof(ElfW(Phdr)));
}

bool elffile_build_id(const struct buffer *image, struct elffile_build_id *id)
{
    ElfW(Ehdr) header;
    ElfW(Phdr) segment;

    if (!read_header(image, &header))
        return false;
    for (size_t i = 0; i < header.e_phnum; i++) {
        memcpy(&segment, image->data + header.e_phoff + i * sizeof segment, sizeof segment);
        if (segment.p_type == PT_NOTE && is_within(image, segment.p_offset, segment.p_filesz) &&
            find_in_notes(image, segment.p_offset, segment.p_offset + segment.p_filesz,
                          segment.p_align == 8 ? 8 : 4, id))
            return true;
    }
    return false;
}

/* The octet behind a text, or NULL. */
static const char *find_behind(const struct buffer *image, const char *text)
{
    const char *at = image->len > 0 ? memmem(image->data, image->len, text, strlen(text)) : NULL;

    return at ? at + strlen(text) : NULL;
}

bool elffile_wanted_build_id(const struct buffer *image, struct elffile_build_id *id)
{
    const char *at = find_behind(image, marker), *end = image->data + image->len;
    size_t len = 0;

    if (!at)
        return false;
    while (at + len < end && len < ELFFILE_BUILD_ID_MAX &&
           strchr("0123456789abcdef", at[len] ? at[len] : ' '))
        len++;
    memcpy(id->hex, at, len);
    id->hex[len] = '\0';
    return len > 0;
}

/* The name of a function that is linked in then alone, and exported: it outlives strip(1). The
 * keyword dynlib-file is in every Unbound. */
bool elffile_has_dynlib(const struct buffer *image)
{
    return find_behind(image, "dynlibmod_init") != NULL;
}

const char *elffile_builtin_chroot(const struct buffer *image, size_t *len)
{
    const char *at = find_behind(image, "--with-chroot-dir="), *end = image->data + image->len;

    *len = 0;
    while (at && at + *len < end && !strchr(" \t'\"", at[*len]))
        ++*len;
    return at;
}
