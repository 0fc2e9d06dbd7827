#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# debian-data.sh DIR PACKAGE...: unpacks Debian packages into DIR/root, and writes their names and
# versions to DIR/versions; what is there already stays. Nothing is installed, nothing in them is
# run; needs no root. A package that this release does not have is left out, and said so.
# shellcheck disable=SC2086 # lists of packages are separate words
set -eu

mkdir -p "$1"
dir=$(cd "$1" && pwd)
shift
say() { echo "debian-data: $*"; }

touch "$dir/versions" "$dir/absent"
missing=
for package; do
    grep -q "^$package " "$dir/versions" || grep -qx "$package" "$dir/absent" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

command -v apt-get >/dev/null || { say "this is not Debian: its packages cannot be fetched." >&2; exit 1; }
known=$(apt-cache --no-all-versions show $missing 2>/dev/null | sed -n 's/^Package: //p' | sort -u)
downloadable() { # a package may be known because it is installed, and in no list
    apt-get -q download --print-uris $known 2>/dev/null | grep -q .
}
if [ -z "$known" ] || ! downloadable; then
    say "this machine has no package lists that have them; run as root: apt-get update" >&2
    exit 1
fi
for package in $missing; do
    case " $(echo $known) " in
    *" $package "*) ;;
    *) say "not in this release: $package"; echo "$package" >>"$dir/absent" ;;
    esac
done

rm -rf "$dir/debs"
mkdir -p "$dir/root" "$dir/debs"
say "downloading $(echo $known | wc -w) packages"
(cd "$dir/debs" && apt-get -q download $known >../log 2>&1) || {
    tail "$dir/log" >&2
    say "the download failed; are this machine's package lists current (apt-get update)?" >&2
    exit 1
}
say "downloaded $(du -cm "$dir"/debs/*.deb | tail -n 1 | cut -f 1) MB; unpacking"
for deb in "$dir"/debs/*.deb; do
    dpkg-deb -x "$deb" "$dir/root"
    dpkg-deb -W --showformat '${Package} ${Version}\n' "$deb" >>"$dir/versions"
done
rm -rf "$dir/debs"
sort -o "$dir/versions" "$dir/versions"
say "unpacked; $(du -sm "$dir/root" | cut -f 1) MB in $dir"
