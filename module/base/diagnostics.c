/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/base/diagnostics.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

static void ignore(void *arg, xnm_severity severity, const struct xnm_place *place,
                   const char *message)
{
    (void)arg, (void)severity, (void)place, (void)message;
}

const struct xnm_diagnostics xnm_diagnostics_ignored = {ignore, NULL};

void xnm_diagnostics_add(const struct xnm_diagnostics *diagnostics, xnm_severity severity,
                         const struct xnm_place *place, const char *format, ...)
{
    char message[1024];
    va_list args;

    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    diagnostics->report(diagnostics->arg, severity, place, message);
}

const char *xnm_diagnostics_quote(const char *text, size_t len, char *dst, size_t dst_cap)
{
    static const char cut[] = "...";
    size_t out = 0, cut_at = 0; /* cut_at: the last position before which the dots fit */

    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        bool plain = c >= 0x20 && c < 0x7F;

        if (out + sizeof cut <= dst_cap)
            cut_at = out;
        if (out + (plain ? 1 : 4) + 1 > dst_cap) {
            snprintf(dst + cut_at, dst_cap - cut_at, "%s", cut);
            return dst;
        }
        if (plain)
            dst[out++] = (char)c;
        else
            out += (size_t)snprintf(dst + out, 5, "\\x%02X", c);
    }
    dst[out] = '\0';
    return dst;
}

const char *xnm_diagnostics_text(const struct xnm_place *place, const char *message, char *dst,
                                 size_t dst_cap)
{
    if (place->line == 0)
        snprintf(dst, dst_cap, "%s: %s", place->file, message);
    else
        snprintf(dst, dst_cap, "%s:%u:%u: %s", place->file, place->line, place->column, message);
    return dst;
}
