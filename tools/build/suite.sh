#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# suite.sh NAME SUITE PACKAGE...: unpacks another Debian suite's packages and all that they need into BUILD/NAME. Nothing is
# installed, and the machine's package sources are read, never changed. Needs no root.
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
sources_of deb "$suite" | private_sources "$apt" || fail "this machine has no package source for Debian's $codename."
# As if nothing were installed: the suite's own libraries are needed, libc too.
echo 'Dir::State::Status "/dev/null";' >>"$apt/apt.conf"
ask() { apt-get -c "$apt/apt.conf" -q "$@"; }

echo "suite: fetching $suite's $*"
ask -o APT::Update::Error-Mode=any update >"$dir/log" 2>&1 || fail "apt-get update failed; see $dir/log."
packages=$(ask install -s --no-install-recommends "$@" | awk '$1 == "Inst" { print $2 }')
# shellcheck disable=SC2086 # a list of words
(cd "$dir/debs" && ask download $packages) >>"$dir/log" 2>&1 || fail "the download failed; see $dir/log."
for deb in "$dir"/debs/*.deb; do dpkg-deb -x "$deb" "$dir"; done
rm -rf "$dir/debs" "$apt"
echo "$packages" >"$dir/packages"
echo "$suite $*" >"$dir/wanted"
