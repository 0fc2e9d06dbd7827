/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/check/elffile.h"

#include <elf.h>
#include <link.h>
#include <string.h>

static bool is_within(const struct xnm_textfile *image, uint64_t at, uint64_t len)
{
    return at <= image->len && len <= image->len - at;
}

static bool read_header(const struct xnm_textfile *image, ElfW(Ehdr) * header)
{
    const unsigned char class = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;

    if (!is_within(image, 0, sizeof *header))
        return false;
    memcpy(header, image->text, sizeof *header);
    return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 && header->e_ident[EI_CLASS] == class &&
           header->e_phentsize == sizeof(ElfW(Phdr)) &&
           is_within(image, header->e_phoff, (uint64_t)header->e_phnum * sizeof(ElfW(Phdr)));
}

/* Reads the segment number i. Returns false after the last. */
static bool read_segment(const struct xnm_textfile *image, size_t i, ElfW(Phdr) * segment)
{
    ElfW(Ehdr) header;

    if (!read_header(image, &header) || i >= header.e_phnum)
        return false;
    memcpy(segment, image->text + header.e_phoff + i * sizeof *segment, sizeof *segment);
    return true;
}

bool elffile_build_id(const struct xnm_textfile *image, struct xnm_build_id *id)
{
    ElfW(Phdr) segment;

    for (size_t i = 0; read_segment(image, i, &segment); i++) {
        if (segment.p_type == PT_NOTE && is_within(image, segment.p_offset, segment.p_filesz) &&
            xnm_build_id_in_notes((const uint8_t *)image->text + segment.p_offset, segment.p_filesz,
                                  segment.p_align, id))
            return true;
    }
    return false;
}

bool elffile_is_whole(const struct xnm_textfile *image)
{
    ElfW(Phdr) segment;
    bool whole = true, any = false;

    for (size_t i = 0; read_segment(image, i, &segment); i++) {
        any |= segment.p_type == PT_LOAD;
        if (segment.p_type == PT_LOAD)
            whole &= is_within(image, segment.p_offset, segment.p_filesz);
    }
    return any && whole;
}

/* --- libraries --- */

/* Finds the place in the file of what is mapped to an address. */
static bool find_mapped(const struct xnm_textfile *image, uint64_t address, uint64_t *at)
{
    ElfW(Phdr) segment;

    for (size_t i = 0; read_segment(image, i, &segment); i++) {
        if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
            address - segment.p_vaddr < segment.p_filesz) {
            *at = segment.p_offset + (address - segment.p_vaddr);
            return true;
        }
    }
    return false;
}

/* Reads the n-th entry of a kind. */
static bool find_dynamic(const struct xnm_textfile *image, int64_t tag, size_t n, uint64_t *value)
{
    ElfW(Phdr) segment = {0};
    ElfW(Dyn) entry;

    for (size_t i = 0; segment.p_type != PT_DYNAMIC; i++)
        if (!read_segment(image, i, &segment))
            return false;
    for (uint64_t at = 0; at + sizeof entry <= segment.p_filesz; at += sizeof entry) {
        if (!is_within(image, segment.p_offset + at, sizeof entry))
            return false;
        memcpy(&entry, image->text + segment.p_offset + at, sizeof entry);
        if (entry.d_tag == DT_NULL)
            return false;
        *value = entry.d_un.d_val;
        if (entry.d_tag == tag && n-- == 0)
            return true;
    }
    return false;
}

/* The file ends with a NUL, so every text in it does. */
const char *elffile_needed(const struct xnm_textfile *image, size_t n)
{
    uint64_t name, table, at;

    if (!find_dynamic(image, DT_NEEDED, n, &name) || !find_dynamic(image, DT_STRTAB, 0, &table) ||
        !find_mapped(image, table, &at) || !is_within(image, at, 1) || !is_within(image, at, name))
        return NULL;
    return image->text + at + name;
}

/* --- what texts tell --- */

/* Returns a pointer to the octet after a text, or NULL if the text is not there. */
static const char *find_behind(const struct xnm_textfile *image, const char *text)
{
    const char *at = image->len > 0 ? memmem(image->text, image->len, text, strlen(text)) : NULL;

    return at ? at + strlen(text) : NULL;
}

bool elffile_wanted_build_id(const struct xnm_textfile *image, struct xnm_build_id *id)
{
    const char *at = find_behind(image, XNM_BUILD_ID_MARKER), *end = image->text + image->len;
    size_t len = 0;

    if (!at)
        return false;
    while (at + len < end && len < XNM_BUILD_ID_MAX &&
           strchr("0123456789abcdef", at[len] ? at[len] : ' '))
        len++;
    memcpy(id->hex, at, len);
    id->hex[len] = '\0';
    return len > 0;
}

/* The name of a function that is linked in then alone, and exported: it outlives strip(1). The
 * keyword dynlib-file is in every Unbound. */
bool elffile_has_dynlib(const struct xnm_textfile *image)
{
    return find_behind(image, "dynlibmod_init") != NULL;
}
