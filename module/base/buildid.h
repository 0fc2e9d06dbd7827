/* SPDX-License-Identifier: BSD-3-Clause */
/* What ties a module to its daemon: the linker's id of the very build, NT_GNU_BUILD_ID. */
#ifndef XNM_MODULE_BASE_BUILDID_H
#define XNM_MODULE_BASE_BUILDID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Stands in each module before the id, in hexadecimal digits, of the daemon it was made for. */
#define XNM_BUILD_ID_MARKER "unbound-idn-build-id="

enum { XNM_BUILD_ID_MAX = 2 * 64 }; /* digits; what is longer is cut */
struct xnm_build_id {
    char hex[XNM_BUILD_ID_MAX + 1];
};

/* Looks for the build id in one segment of notes (ELF, PT_NOTE) of `len` octets whose p_align is
 * `alignment`. False if it has none; nothing outside the segment is read. */
bool xnm_build_id_in_notes(const uint8_t *notes, size_t len, uint64_t alignment,
                           struct xnm_build_id *id);

/* The build id of the program that runs; "none" if it has none. Reads what the loader has mapped,
 * and nothing of the program's own. */
void xnm_build_id_of_program(struct xnm_build_id *id);

#endif
