#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# tools/build/apt-source.sh with an archive that lists two versions of a package, and holds one more: the newest whose source is there.
# Prints TAP; run it from the top of the tree.
set -eu

# shellcheck source=tests/tap.sh
. "${0%/*}/tap.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release 2>/dev/null)
if ! command -v dpkg-scansources >/dev/null || [ -z "$release" ]; then
    echo '1..0 # SKIP this is not Debian'
    exit
fi

source_package() { # VERSION
    mkdir -p "$folder/demo/debian/source"
    echo '3.0 (native)' >"$folder/demo/debian/source/format"
    printf 'Source: demo\nMaintainer: nobody <nobody@demo.invalid>\n\nPackage: demo\nArchitecture: all\nDescription: none\n' \
        >"$folder/demo/debian/control"
    printf 'demo (%s) unstable; urgency=low\n\n  * None.\n\n -- nobody <nobody@demo.invalid>  Thu, 01 Jan 1970 00:00:00 +0000\n' "$1" \
        >"$folder/demo/debian/changelog"
    (cd "$archive/pool" && dpkg-source -b "$folder/demo" >/dev/null 2>&1)
}

archive=$folder/archive
lists=dists/$release/main
mkdir -p "$archive/pool" "$archive/$lists/source" "$archive/$lists/binary-$(dpkg --print-architecture)"
source_package 1.9
source_package 1.10
mkdir "$archive/old"
# Packages that the archive no longer lists, and one whose file in the archive is another one of the same name.
source_package 1.8
mv "$archive"/pool/demo_1.8.* "$archive/old"
known() { echo "demo $release 1.8 $1 old"; }
known "$(sha256sum <"$archive/old/demo_1.8.dsc" | cut -d ' ' -f 1)" >"$folder/known"
(cd "$archive" && dpkg-scansources pool 2>/dev/null >"$lists/source/Sources")
printf 'Package: demo\nVersion: 1.10\nArchitecture: all\nFilename: pool/demo.deb\n' >"$archive/$lists/binary-$(dpkg --print-architecture)/Packages"
printf 'Date: Thu, 01 Jan 1970 00:00:00 UTC\nCodename: %s\nArchitectures: %s\nComponents: main\nSHA256:\n' "$release" "$(dpkg --print-architecture)" >"$archive/dists/$release/Release"
(cd "$archive/dists/$release" && find main -type f -exec sh -c 'echo " $(sha256sum <"$1" | cut -d " " -f 1) $(stat -c %s "$1") $1"' sh {} \; >>Release)

# The machine, as the script sees it.
mkdir -p "$folder/etc/apt.conf.d" "$folder/state/lists/partial" "$folder/cache/archives/partial"
echo "deb file:$archive $release main" >"$folder/etc/sources.list"
cat >"$folder/apt.conf" <<END
Dir::Etc "$folder/etc";
Dir::State "$folder/state";
Dir::State::Lists "$folder/state/lists";
Dir::Cache "$folder/cache";
Acquire::AllowInsecureRepositories "true";
APT::Get::AllowUnauthenticated "true";
APT::Sandbox::User "";
END
export APT_CONFIG="$folder/apt.conf"
apt-get -q update >"$folder/log" 2>&1 || cat "$folder/log" >&2

fetched() { # [VERSION]: prints the version, or the script's last line
    rm -rf "$folder/made"
    APT_VERSION=${1:-} APT_KNOWN=$folder/known tools/build/apt-source.sh demo "$folder/made" 2>"$folder/log" | sed 's,.*/,,' | grep . || tail -n 1 "$folder/log"
}
result 'the newest' demo_1.10.dsc "$(fetched)"
result 'the one that is asked for' demo_1.9.dsc "$(fetched 1.9)"
result 'the one that was tested, where it is preferred' demo_1.8.dsc "$(APT_PREFER=known fetched)"
rm "$archive"/pool/demo_1.10.tar.*
result 'the one before, where the source of the newest is not there' demo_1.9.dsc "$(fetched)"
result 'no other than the one that is asked for' 'apt-source: the archive has no source of demo 1.10.' "$(fetched 1.10)"
result 'what there never was' 'apt-source: the archive has no source of demo 2.' "$(fetched 2)"
rm "$archive"/pool/demo_1.9.tar.*
result 'one that the archive still holds, where it has no source of those it lists' demo_1.8.dsc "$(fetched)"
result 'that one, asked for' demo_1.8.dsc "$(fetched 1.8)"
cp "$archive/old/demo_1.8.dsc" "$folder/demo_1.8.dsc"
echo >>"$archive/old/demo_1.8.dsc"
result 'not another file of that name' 'apt-source: the archive has no source of demo.' "$(fetched)"
mv "$folder/demo_1.8.dsc" "$archive/old"
echo >>"$(echo "$archive"/old/demo_1.8.tar.*)"
result 'nor other contents' 'apt-source: the archive has no source of demo.' "$(APT_PREFER=known fetched)"
echo "1..$number"
