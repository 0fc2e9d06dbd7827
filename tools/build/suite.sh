#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# suite.sh NAME SUITE PACKAGE...: unpacks another Debian suite's packages and all that they need into BUILD/NAME; what testing does
# not have is unstable's. Nothing is installed, and the machine's package sources are read, never changed. Needs no root.
set -eu

name=$1 suite=$2
shift 2
dir=${BUILD:-build}/$name
[ "$(cat "$dir/wanted" 2>/dev/null)" != "$suite $*" ] || exit 0
rm -rf "$dir"
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
apt=$dir/apt
fail() { echo "suite: $*" >&2; exit 1; }

# shellcheck source=tools/build/apt-archive.sh
. "$(dirname "$0")/apt-archive.sh"

private_apt "$apt"
mkdir "$dir/debs"
use() { sources_of deb "$@" | private_sources "$apt" || fail "this machine has no package source for Debian's $codename."; }
use "$suite"
# As if nothing were installed: the suite's own libraries are needed, libc too.
echo 'Dir::State::Status "/dev/null";' >>"$apt/apt.conf"
ask() { apt-get -c "$apt/apt.conf" -q "$@"; }

echo "suite: fetching $suite's $*"
update() { ask -o APT::Update::Error-Mode=any update >>"$dir/log" 2>&1 || fail "apt-get update failed; see $dir/log."; }
update
if [ "$suite" = testing ] && ! ask install -s --no-install-recommends "$@" >>"$dir/log" 2>&1; then
    echo 'APT::Default-Release "testing";' >>"$apt/apt.conf"
    use testing unstable
    update
fi
packages=$(ask install -s --no-install-recommends "$@" | awk '$1 == "Inst" { print $2 }')
# shellcheck disable=SC2086 # a list of words
(cd "$dir/debs" && ask download $packages) >>"$dir/log" 2>&1 || fail "the download failed; see $dir/log."
for deb in "$dir"/debs/*.deb; do dpkg-deb -x "$deb" "$dir"; done
rm -rf "$dir/debs" "$apt"
echo "$packages" >"$dir/packages"
echo "$suite $*" >"$dir/wanted"
