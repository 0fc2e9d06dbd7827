/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells systemd about a daemon's start, reload and end. */
#ifndef XN_TOOLS_TAP_PROCESS_H
#define XN_TOOLS_TAP_PROCESS_H

#include "tools/tap/socket.h"

/* Sends a state such as "READY=1" to systemd, if it wants to know (sd_notify(3), which has this
 * protocol for programs without libsystemd). */
void tap_process_notify(const char *state);

/* Tells systemd that idn.conf is read again, with the time, as Type=notify-reload needs it. */
void tap_process_notify_reload(void);

#endif
