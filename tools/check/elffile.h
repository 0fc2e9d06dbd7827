/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads from the files of a module and a daemon, without running either, whether they fit each
 * other. */
#ifndef XN_TOOLS_CHECK_ELFFILE_H
#define XN_TOOLS_CHECK_ELFFILE_H

#include "module/base/buildid.h"
#include "module/file/textfile.h"

/* Octets of a daemon or a module that is read. */
enum { ELFFILE_SIZE_MAX = 1 << 28 };

/* The NT_GNU_BUILD_ID of an ELF file of this machine's kind. False if there is none; whatever the
 * octets are, none outside them is read. */
bool elffile_build_id(const struct xnm_textfile *image, struct xnm_build_id *id);

/* The build id of the daemon that a module was made for. False if this is no module of ours. */
bool elffile_wanted_build_id(const struct xnm_textfile *image, struct xnm_build_id *id);

/* Returns whether the file has everything that the loader maps of it, that is, was not cut off. */
bool elffile_is_whole(const struct xnm_textfile *image);

/* The n-th library that it needs, the first being number 0: text of the image's. NULL: there are
 * fewer. */
const char *elffile_needed(const struct xnm_textfile *image, size_t n);

/* Returns whether a daemon was configured with --with-dynlibmodule. */
bool elffile_has_dynlib(const struct xnm_textfile *image);

#endif
