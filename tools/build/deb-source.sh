#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# deb-source.sh FOLDER VERSION SUITE WHAT: makes debian/ in FOLDER, into which DIST, the tarball that `make dist` made, is unpacked
# first if there is one: the source of Debian packages of that version. WHAT is said in its changelog. DEB_MAINTAINER: see deb.sh.
set -eu

folder=$1 version=$2 suite=$3 what=$4
# shellcheck source=tools/build/deb-maintainer.sh
. "$(dirname "$0")/deb-maintainer.sh"

if [ -n "${DIST:-}" ]; then
    rm -rf "$folder"
    mkdir -p "$folder"
    tar -xzf "$DIST" -C "$folder" --strip-components=1
fi
rm -rf "$folder/debian"
cp -r "$folder/tools/deb" "$folder/debian"
cd "$folder"
# Debian has no ITP bug for this package.
case $version in
*-*)
    for package in $(sed -n 's/^Package: //p' debian/control); do
        echo initial-upload-closes-no-bugs >"debian/$package.lintian-overrides"
    done ;;
*) echo '3.0 (native)' >debian/source/format ;;
esac
sed -i "s|@MAINTAINER@|$maintainer_in_sed|" debian/control
sed -e '1,/^Copyright/d' -e 's/^$/./' -e 's/^/ /' LICENSE | sed '1d' >debian/license
sed -i -e '/@LICENSE@/r debian/license' -e '/@LICENSE@/d' debian/copyright
cp conf/logrotate/unbound-module-idn debian/unbound-module-idn.logrotate
for unit in tap.service tap.socket fetch.service fetch.timer; do cp "conf/systemd/unbound-idn-$unit" "debian/unbound-idn.unbound-idn-$unit"; done
{
    printf 'unbound-idn (%s) %s; urgency=medium\n\n  * %s\n\n' "$version" "$suite" "$what"
    printf ' -- %s  %s\n' "$maintainer" "$(date -R -u -r Makefile)"
} >debian/changelog
