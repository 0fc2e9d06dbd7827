#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# apt-source.sh PACKAGE DIR: downloads the distribution's source package, prints the path of its .dsc.
#
# The machine's own package sources are read, never changed: DIR gets a private source list of the
# same mirrors and keyrings, and apt verifies as always. Needs no root.
#   APT_SUITE    this suite alone (default: the machine's release, its updates and its security)
#   APT_VERSION  this version (default: the newest whose source is there)
#   APT_KNOWN    a file with versions that this project was tested with (default: apt-known, beside this script)
#   APT_PREFER   known: the version in that file, if the archive still holds it, rather than a newer one
set -eu

package=$1
mkdir -p "$2"
dir=$(cd "$2" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
say() { echo "apt-source: $*" >&2; exit 1; }

# shellcheck source=tools/build/apt-archive.sh
. "$here/apt-archive.sh"
[ -n "$codename" ] || say "/etc/os-release names no release."

private_list() {
    release_entries | while read -r uri suite release entry; do
        if [ -z "${APT_SUITE:-}" ]; then
            stanza deb-src "$uri" "$release" "$entry"
        elif [ "$suite" = "$codename" ]; then
            stanza deb-src "$uri" "$APT_SUITE" "$entry"
        fi
    done
}

private_apt "$dir"
mkdir -p "$dir/files"
private_list | private_sources "$dir" || say "this machine has no package source for Debian's $codename."

# A list younger than an hour is good enough for the next build.
if [ -z "$(find "$dir/lists" -name '*_Sources*' -mmin -60)" ]; then
    apt-get -c "$dir/apt.conf" -q -o APT::Update::Error-Mode=any update >&2
fi

fetch() { # VERSION OPTION...
    wanted=$package=$1
    shift
    apt-get -c "$dir/apt.conf" -q -y --download-only "$@" source "$wanted"
}

# The newest first: mirrors have been seen that had a security update, but not its source.
versions() { apt-cache -c "$dir/apt.conf" madison "$package" | awk '$NF == "Sources" { print $3 }' | sort -ruV; }

take_listed() {
    for version in ${APT_VERSION:-$(versions)}; do
        # Asked where no file lies: apt does not list what is there already.
        dsc=$(cd "$dir/cache" && fetch "$version" --print-uris | awk '$2 ~ /\.dsc$/ { print $2 }')
        [ -n "$dsc" ] || continue
        if (cd "$dir/files" && fetch "$version" >&2); then
            echo "$dir/files/$dsc"
            exit
        fi
        echo "apt-source: the archive has $package $version, but not its source." >&2
    done
}

# A mirror may list a new version before it has its source, and still hold the one before, which it no longer lists.
# apt verifies no signature of that; the digest is of a file that apt verified when it was listed.
download() { # FILE SHA256
    [ -s "$dir/files/$1" ] && echo "$2  $dir/files/$1" | sha256sum --check --quiet 2>/dev/null && return
    awk '/^URIs:/ { print $2 }' "$dir/sources/private.sources" | sort -u | while read -r uri; do
        /usr/lib/apt/apt-helper -c "$dir/apt.conf" download-file "${uri%/}/$pool/$1" "$dir/files/$1" "SHA256:$2" >&2 &&
            echo "$1" && break
    done | grep -q .
}

download_all() {
    download "$dsc" "$digest" || return
    awk '/^[^ ]/ { sums = /^Checksums-Sha256:/ } /^ / && sums { print $1, $3 }' "$dir/files/$dsc" >"$dir/cache/files"
    while read -r digest file; do download "$file" "$digest" || return; done <"$dir/cache/files"
}

take_known() {
    while read -r name suite version digest pool; do
        [ "$name $suite" = "$package ${APT_SUITE:-$codename}" ] || continue
        [ "${APT_VERSION:-$version}" = "$version" ] || continue
        dsc=${name}_$version.dsc
        download_all || continue
        echo "apt-source: $package $version is taken, which the archive holds." >&2
        echo "$dir/files/$dsc"
        exit
    done <"${APT_KNOWN:-$here/apt-known}"
}

[ "${APT_PREFER:-}" != known ] || take_known
take_listed
take_known
say "the archive has no source of $package${APT_VERSION:+ $APT_VERSION}."
