#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Builds the Debian packages that need no rebuilt resolver, on this machine and for its release, in BUILD/deb-hosts: the libraries, the
# command and the policy in unmodified resolvers. Needs no root. DIST, DEB_MAINTAINER: see deb.sh.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
build=${BUILD:-build}
out=$build/deb-hosts
# shellcheck source=tools/build/apt-archive.sh
. "$here/apt-archive.sh"

made=$(sha256sum <"$DIST")
if [ "$(cat "$out/made" 2>/dev/null)" != "$made" ]; then
    rm -rf "$out"
    "$here/deb-source.sh" "$out/source" "$(basename "$DIST" .tar.gz | sed 's/^unbound-idn-//')" "$codename" 'For unmodified resolvers.'
    echo "deb: building in $out (a minute)"
    # The variables of this make are not for the build in there.
    (cd "$out/source" && env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS -u BUILD DEB_BUILD_OPTIONS="nocheck noautodbgsym parallel=$(nproc)" \
        dpkg-buildpackage -b -us -uc -Ppkg.unbound-idn.hosts) >"$out/log" 2>&1 || { tail -n 20 "$out/log" >&2; exit 1; }
    rm -rf "$out/source"
    /usr/bin/python3 "$here/spdx.py" "$out" >"$out/unbound-idn.spdx.json"
    echo "$made" >"$out/made"
fi
ls "$out"/*.deb
