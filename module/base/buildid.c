/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/base/buildid.h"

#include "module/base/format.h"

#include <elf.h>
#include <link.h>
#include <string.h>

static uint64_t padded(uint64_t len, uint64_t alignment)
{
    return (len + alignment - 1) / alignment * alignment;
}

/* A note is a header, a name and a description. The last two are padded to 8 octets if the segment
 * is aligned to 8, else to 4. */
bool xnm_build_id_in_notes(const uint8_t *notes, size_t len, uint64_t alignment,
                           struct xnm_build_id *id)
{
    ElfW(Nhdr) note;
    uint64_t at = 0;

    alignment = alignment == 8 ? 8 : 4;
    while (at <= len && len - at >= sizeof note) {
        memcpy(&note, notes + at, sizeof note);
        const uint8_t *name = notes + at + sizeof note;
        uint64_t description = at + padded(sizeof note + (uint64_t)note.n_namesz, alignment);

        if (description + note.n_descsz > len)
            return false;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && note.n_descsz > 0 &&
            memcmp(name, "GNU", 4) == 0) {
            size_t kept =
                note.n_descsz < XNM_BUILD_ID_MAX / 2 ? note.n_descsz : XNM_BUILD_ID_MAX / 2;
            *xnm_format_octets(id->hex, notes + description, kept) = '\0';
            return true;
        }
        at = padded(description + note.n_descsz, alignment);
    }
    return false;
}

/* dl_iterate_phdr starts with the main program: one call is enough. */
static int read_main_program(struct dl_phdr_info *info, size_t size, void *id)
{
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];

        if (segment->p_type == PT_NOTE) {
            /* NOLINTNEXTLINE(performance-no-int-to-ptr): the loader passes an integer */
            const uint8_t *at = (const uint8_t *)(info->dlpi_addr + segment->p_vaddr);
            if (xnm_build_id_in_notes(at, segment->p_memsz, segment->p_align, id))
                break;
        }
    }
    return 1;
}

void xnm_build_id_of_program(struct xnm_build_id *id)
{
    *id = (struct xnm_build_id){"none"};
    dl_iterate_phdr(read_main_program, id);
}

static bool is_within(size_t size, uint64_t at, uint64_t len)
{
    return at <= size && len <= size - at;
}

static bool read_header(const char *image, size_t len, ElfW(Ehdr) * header)
{
    const unsigned char class = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;

    if (len < sizeof *header)
        return false;
    memcpy(header, image, sizeof *header);
    return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 && header->e_ident[EI_CLASS] == class &&
           header->e_phentsize == sizeof(ElfW(Phdr)) &&
           is_within(len, header->e_phoff, (uint64_t)header->e_phnum * sizeof(ElfW(Phdr)));
}

bool xnm_build_id_of_image(const char *image, size_t len, struct xnm_build_id *id)
{
    ElfW(Ehdr) header;
    ElfW(Phdr) segment;

    if (!read_header(image, len, &header))
        return false;
    for (size_t i = 0; i < header.e_phnum; i++) {
        memcpy(&segment, image + header.e_phoff + i * sizeof segment, sizeof segment);
        if (segment.p_type == PT_NOTE && is_within(len, segment.p_offset, segment.p_filesz) &&
            xnm_build_id_in_notes((const uint8_t *)image + segment.p_offset, segment.p_filesz,
                                  segment.p_align, id))
            return true;
    }
    return false;
}
