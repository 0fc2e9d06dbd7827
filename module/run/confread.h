/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads idn.conf for a host, which may override some of it. */
#ifndef XNM_MODULE_RUN_CONFREAD_H
#define XNM_MODULE_RUN_CONFREAD_H

#include <stdbool.h>

struct xnm_config;
struct xnm_state_options;

/* Reads the configuration that the options name. Every error is reported. Returns whether there was
 * none; *config, which holds what was understood, is the caller's to free in either case. */
bool xnm_confread(const struct xnm_state_options *options, struct xnm_config *config);

/* Replaces a configuration with errors: no rules, and no log, because the line with the error may
 * have limited what is logged. The metrics file stays. */
void xnm_confread_stand_in(struct xnm_config *config);

#endif
