#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# idna-test.sh FILE: gets IdnaTestV2.txt, Unicode's test of UTS 46, from the source package of the
# ICU that this machine links: the file of another version of Unicode would test something else.
set -eu

file=$1
dir=$(dirname "$file")
here=$(cd "$(dirname "$0")" && pwd)
version=$(pkg-config --modversion icu-uc)
say() { echo "idna-test: $*"; }

if [ "$(cat "$file.icu" 2>/dev/null)" = "$version" ]; then exit 0; fi
mkdir -p "$dir"
say "fetching the source package of ICU $version"

# Some mirrors list a security suite whose files they do not have: then the release alone.
# shellcheck disable=SC1091
dsc=$("$here/apt-source.sh" icu "$dir/icu-all" 2>"$dir/log") ||
    dsc=$(. /etc/os-release && APT_SUITE=$VERSION_CODENAME "$here/apt-source.sh" icu "$dir/icu" 2>"$dir/log") || {
    tail "$dir/log" >&2
    say "the source package could not be fetched; the whole log is $dir/log." >&2
    exit 1
}
case $(basename "$dsc") in
"icu_$version-"*) ;;
*) say "the archive has $(basename "$dsc" .dsc), and ICU $version is what is linked." >&2; exit 1 ;;
esac
tar -xOf "${dsc%/*}/icu_$version.orig.tar.gz" --wildcards '*/test/testdata/IdnaTestV2.txt' >"$file.new"
mv "$file.new" "$file"
echo "$version" >"$file.icu"
rm -rf "$dir/icu" "$dir/icu-all"
