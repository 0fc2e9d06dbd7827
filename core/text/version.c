/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/text/version.h"

const char *xn_version(void)
{
    return XN_VERSION;
}
