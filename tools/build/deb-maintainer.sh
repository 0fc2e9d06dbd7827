# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# For scripts to read in: who builds the packages (DEB_MAINTAINER), also as sed's s|…|…| wants it.
# shellcheck disable=SC2034 # used there
maintainer=${DEB_MAINTAINER:-unbound-idn authors <packages@unbound-idn.invalid>}
maintainer_in_sed=$(printf '%s\n' "$maintainer" | sed 's:[\\/&|]:\\&:g')
