/* SPDX-License-Identifier: BSD-3-Clause */
/* The GNU build id (NT_GNU_BUILD_ID) of a program, running or in a file, which ties a module to its
 * daemon. */
#ifndef XNM_MODULE_BASE_BUILDID_H
#define XNM_MODULE_BASE_BUILDID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Each module contains this marker, followed by the id, in hexadecimal digits, of the daemon it was
 * built for. */
#define XNM_BUILD_ID_MARKER "unbound-idn-build-id="

enum { XNM_BUILD_ID_MAX = 2 * 64 }; /* digits; a longer id is cut */
struct xnm_build_id {
    char hex[XNM_BUILD_ID_MAX + 1];
};

/* Looks for the build id in one ELF segment of notes (PT_NOTE) of `len` octets, whose p_align is
 * `alignment`. Returns false if there is none. Reads nothing outside the segment. */
bool xnm_build_id_in_notes(const uint8_t *notes, size_t len, uint64_t alignment,
                           struct xnm_build_id *id);

/* Writes the build id of the running program to *id; "none" if it has none. Reads only what the
 * loader has mapped. */
void xnm_build_id_of_program(struct xnm_build_id *id);

/* Finds the build id in an ELF file of this machine's kind, whose `len` octets are in memory.
 * Returns false if there is none. Reads nothing outside them, whatever they are. */
bool xnm_build_id_of_image(const char *image, size_t len, struct xnm_build_id *id);

#endif
