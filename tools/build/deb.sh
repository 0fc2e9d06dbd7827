#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Builds the Debian packages: Unbound from the distribution's own source package, with --with-dynlibmodule added, and
# this project's, whose module fits that Unbound. Each release is built in a folder of its own (debroot.sh). Needs root.
#
#   BUILD/deb, BUILD/deb-SUITE   the packages
#   BUILD/debroot/SUITE/log      what the long steps printed
#
#   UNBOUND_SUITE    for this release (default: the machine's)
#   UNBOUND_VERSION  of the distribution's Unbounds this one (default: the newest)
#   DEB_ALLOW_OLDER  1: also an Unbound that is older than apt's, for tests
#   DEB_REVISION     distinguishes builds of one and the same Unbound [1]
#   DEB_MAINTAINER   who builds the packages, and is asked about them: NAME <ADDRESS>
#   DIST             the tarball that `make dist` made
# shellcheck disable=SC2016 # expanded in there, or by dpkg-gencontrol
set -eu

here=$(cd "$(dirname "$0")" && pwd)
build=${BUILD:-build}
# shellcheck source=tools/build/deb-maintainer.sh
. "$here/deb-maintainer.sh"

# shellcheck source=tools/build/apt-archive.sh
. "$here/apt-archive.sh"
suite=${UNBOUND_SUITE:-$codename}
roots=$build/debroot/$suite
root=$roots/build
log=$roots/log
out=$build/deb
[ "$suite" = "$codename" ] || out=$out-$suite
debs=$root/build/debs

say() { echo "deb: $*"; }
fail() { say "$*" >&2; exit 1; }
[ "$(id -u)" = 0 ] || fail "packages are built in a debootstrap folder, which needs root."

# The steps are run as a condition, where set -e is off: each joins its commands with &&.
step() { # TEXT COMMAND...
    say "$1"
    shift
    if ! "$@" >>"$log" 2>&1; then
        tail -n 20 "$log" >&2
        fail "this failed; the whole log is $log."
    fi
}
online() { "$here/debroot.sh" online "$root" "$@"; }
inside() { "$here/debroot.sh" run "$root" "$@"; }

# ---- the folder ---------------------------------------------------------------------------------

prepare() {
    "$here/debroot.sh" make "$suite" "$roots/base" && "$here/debroot.sh" copy "$roots/base" "$root" &&
    online apt-get install -q -y --no-install-recommends build-essential
}

# Lists that are younger than an hour are good enough for the next build.
refresh() { # FOLDER OF LISTS, COMMAND...
    [ -n "$(find "$1" -name '*_Sources*' -mmin -60)" ] || { shift && "$@" -q -o APT::Update::Error-Mode=any update; }
}

# ---- Unbound ------------------------------------------------------------------------------------

# shellcheck source=tools/build/deb-choose.sh
. "$here/deb-choose.sh"
# On this machine, which the packages of its own release may be for.
installed() { [ "$suite" != "$codename" ] || dpkg-query -W -f '${Version}\n' unbound 2>/dev/null || :; }
is_built() { [ "$(cat "$debs/version" 2>/dev/null)" = "$1" ] && ls "$debs"/*.buildinfo >/dev/null 2>&1; } # VERSION OF OURS

# The newest first. This machine's apt is asked: a folder for the build takes a minute, and would be of no use without the source.
versions() { apt-cache -c "$apt/apt.conf" madison unbound | awk '/Packages$/ { print $3 }' | uniq; }

fetch() { # VERSION
    rm -rf "$roots/source" && mkdir "$roots/source" &&
    (cd "$roots/source" && apt-get -c "$apt/apt.conf" source -q --download-only "unbound=$1") >>"$log" 2>&1
}

# Its package provides a name that contains the daemon's build id. The maintainer is ours, not Debian's.
change_control() { # FOLDER
    ! grep -q '^Provides:\|execute_before_dh_gencontrol\|override_dh_gencontrol' "$1/debian/control" "$1/debian/rules" &&
    sed -i -e 's/^Package: unbound$/&\nProvides: ${unbound:Build}/' \
        -e "s/^Maintainer: \(.*\)/Maintainer: $maintainer_in_sed\nXS-Original-Maintainer: \1/" "$1/debian/control" &&
    cat >>"$1/debian/rules" <<'END_OF_RULES'

execute_before_dh_gencontrol:
	readelf -n debian/unbound/usr/sbin/unbound | \
	    sed -n 's/^ *Build ID: *\(.\{20\}\).*/unbound:Build=unbound-buildid-\1/p' >> debian/unbound.substvars
END_OF_RULES
}

# The date is that of Debian's own entry, and one second: it makes the packages reproducible.
enter_in_changelog() { # FOLDER VERSION
    date=$(date -R -u -d "@$(($(dpkg-parsechangelog -l "$1/debian/changelog" -S Timestamp) + 1))") &&
    {
        printf 'unbound (%s) %s; urgency=medium\n\n' "$2" "$suite"
        printf '  * Rebuilt with --with-dynlibmodule, for unbound-module-idn.\n\n'
        printf ' -- %s  %s\n\n' "$maintainer" "$date"
        cat "$1/debian/changelog"
    } >"$1/changelog.new" && mv "$1/changelog.new" "$1/debian/changelog"
}

unpack_unbound() {
    rm -rf "$root/build/unbound" "$root/build/source" && cp -r "$roots/source" "$root/build/source" &&
    online apt-get build-dep -q -y --no-install-recommends unbound &&
    inside sh -c 'cd /build && dpkg-source --no-check -x source/*.dsc unbound' &&
    sed -i 's/^CONFIGURE_ARGS = /&--with-dynlibmodule /' "$root/build/unbound/debian/rules" &&
    change_control "$root/build/unbound" && enter_in_changelog "$root/build/unbound" "$1"
}

# Debian's own tests of Unbound have passed when Debian built it.
package() { # FOLDER [NAME=VALUE...]
    folder=$1
    shift
    inside env "$@" DEB_BUILD_OPTIONS="nocheck noautodbgsym parallel=$(nproc)" \
        sh -c 'cd "$1" && dpkg-buildpackage -b -us -uc' package "/build/$folder"
}

build_unbound() {
    package unbound && grep -q '^#define WITH_DYNLIBMODULE 1' "$root/build/unbound/b/unbound/config.h" &&
    rm -rf "$debs" "$root/build/daemon" && mkdir -p "$debs" &&
    cp "$root"/build/unbound_*.deb "$root"/build/unbound_*.buildinfo "$debs" && rm -f "$root"/build/*.deb "$root"/build/*.buildinfo &&
    dpkg-deb -x "$debs"/unbound_*.deb "$root/build/daemon"
}

# ---- this project -------------------------------------------------------------------------------

# Each Unbound has a package of the module of its own, so its version is in the module's. These packages are native.
version_of_module() { # VERSION OF UNBOUND
    echo "$(basename "$DIST" .tar.gz | sed 's/^unbound-idn-//')+$(echo "$1" | tr - .)"
}

unpack_project() { # VERSION OF UNBOUND
    "$here/deb-source.sh" "$root/build/unbound-idn" "$(version_of_module "$1")" "$suite" "Built for Unbound $1." &&
    online apt-get build-dep -q -y --no-install-recommends /build/unbound-idn
}

build_project() {
    package unbound-idn UNBOUND_SRC=/build/unbound UNBOUND_BIN=/build/daemon/usr/sbin/unbound \
        UNBOUND_BUILD="$(dpkg-deb -f "$debs"/unbound_*.deb Provides)" &&
    rm -rf "$out.new" && mkdir -p "$out.new" && cp "$debs"/*.deb "$debs"/*.buildinfo "$out.new" &&
    mv "$root"/build/*.deb "$root"/build/*.buildinfo "$out.new" && /usr/bin/python3 "$here/spdx.py" "$out.new" >"$out.new/unbound-idn.spdx.json" &&
    rm -rf "$out" && mv "$out.new" "$out"
}

# ---- what is done already is not done again -------------------------------------------------------

mkdir -p "$roots"
: >"$log"
apt=$(cd "$roots" && pwd)/apt
private_apt "$apt"
sources_of 'deb deb-src' "$suite" | private_sources "$apt" || fail "this machine has no package source for Debian's $codename."
step "looking for Unbound's source" refresh "$apt/lists" apt-get -c "$apt/apt.conf"
choose
[ -d "$root/build" ] || { step "a Debian $suite in $root" prepare && mkdir "$root/build"; }
step "looking for updates of what it is built with" refresh "$root/var/lib/apt/lists" online apt-get

if ! is_built "$version"; then
    step "unpacking Unbound for $version" unpack_unbound "$version"
    step "building Unbound $version (some minutes)" build_unbound
    echo "$version" >"$debs/version"
fi

made="$version $(sha256sum <"$DIST")"
if [ "$(cat "$out/made" 2>/dev/null)" != "$made" ]; then
    step "unpacking this project" unpack_project "$version"
    step "building its packages" build_project
    echo "$made" >"$out/made"
fi
ls "$out"/*.deb
say_how_to_install "$out"
