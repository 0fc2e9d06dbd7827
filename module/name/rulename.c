/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/name/rulename.h"

#include "module/name/warning.h"

bool xnm_rulename_read(const struct xn_unicode *unicode, const char *text, size_t len,
                       struct xnm_wirename *name, bool *wildcard, xnm_rulename_diagnose *report,
                       void *arg)
{
    struct xnm_nameread read = {.takes_wildcard = wildcard != NULL};
    bool good = xnm_nameread(unicode, text, len, name, &read, report, arg);

    if (wildcard)
        *wildcard = read.wildcard;
    if (good && report && read.remarkable)
        xnm_namewarning_report(unicode, (const uint8_t *)text + read.at, read.len, read.at, name,
                               report, arg);
    return good;
}
