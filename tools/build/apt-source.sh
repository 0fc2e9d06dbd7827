#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# apt-source.sh PACKAGE DIR: downloads the distribution's source package, prints the path of its .dsc.
#
# The machine's own package sources are read, never changed: DIR gets a private source list of the
# same mirrors and keyrings, and apt verifies as always. Needs no root.
#   APT_SUITE    this suite alone (default: the machine's release, its updates and its security)
#   APT_VERSION  this version (default: the newest there)
# shellcheck disable=SC2016 # $(KEY) is for apt
set -eu

package=$1
mkdir -p "$2"
dir=$(cd "$2" && pwd)
say() { echo "apt-source: $*" >&2; exit 1; }

# The machine's Debian archive entries, one a line: URI, release, codename, component, file:entry.
# A key that apt does not know yet (no update so far) is printed as it stands.
entries() {
    apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(CODENAME) $(COMPONENT) $(SOURCESENTRY)' \
        'Created-By: Packages' | sort -u
}

# The keyring of entry file:number, as a deb822 field. A one-line file counts lines, a deb822 file
# stanzas; an inline key has continuation lines.
keyring() {
    file=${1%:*} number=${1##*:}
    case $file in
    *.sources)
        grep -v '^#' "$file" | awk -v n="$number" '
            /^[ \t]*$/ { inside = 0; key = 0; next }
            !inside    { inside = 1; seen++ }
            /^[^ \t]/  { key = tolower($0) ~ /^(signed-by|check-valid-until):/ }
            key && seen == n' ;;
    *)
        sed -n "${number}p" "$file" | sed -n 's/^[^[]*\[[^]]*signed-by=\([^] ]*\).*/Signed-By: \1/p'
        sed -n "${number}p" "$file" |
            sed -n 's/^[^[]*\[[^]]*check-valid-until=\([^] ]*\).*/Check-Valid-Until: \1/p' ;;
    esac
}

stanza() { # URI SUITE ENTRY
    printf 'Types: deb-src\nURIs: %s\nSuites: %s\nComponents: main\n' "$1" "$2"
    keyring "$3"
    echo
}

# shellcheck disable=SC1091
codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
[ -n "$codename" ] || say "/etc/os-release names no release."

private_list() {
    entries | while read -r uri release code component entry; do
        [ "$component" = main ] || continue
        for suite in "$codename" "$codename-updates" "$codename-security"; do
            [ "$suite" = "$release" ] || [ "$suite" = "$code" ] || continue
            if [ -z "${APT_SUITE:-}" ]; then
                stanza "$uri" "$release" "$entry"
            elif [ "$suite" = "$codename" ]; then
                stanza "$uri" "$APT_SUITE" "$entry"
            fi
        done
    done
}

mkdir -p "$dir/sources" "$dir/lists/partial" "$dir/cache/archives/partial" "$dir/files"
private_list >"$dir/sources/new"
[ -s "$dir/sources/new" ] || say "this machine has no package source for Debian's $codename."
if cmp -s "$dir/sources/new" "$dir/sources/private.sources"; then
    rm "$dir/sources/new"
else
    mv "$dir/sources/new" "$dir/sources/private.sources"
    rm -rf "$dir/lists"
    mkdir -p "$dir/lists/partial"
fi

cat >"$dir/apt.conf" <<END
Dir::Etc::SourceList "/dev/null";
Dir::Etc::SourceParts "$dir/sources";
Dir::State::Lists "$dir/lists";
Dir::Cache "$dir/cache";
Acquire::Languages "none";
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
END

# A list younger than an hour is good enough for the next build.
if [ -z "$(find "$dir/lists" -name '*_Sources*' -mmin -60)" ]; then
    apt-get -c "$dir/apt.conf" -q -o APT::Update::Error-Mode=any update >&2
fi

wanted=$package${APT_VERSION:+=$APT_VERSION}
fetch() { apt-get -c "$dir/apt.conf" -q -y --download-only "$@" source "$wanted"; }
# Asked where no file lies: apt does not list what is there already.
dsc=$(cd "$dir/cache" && fetch --print-uris | awk '$2 ~ /\.dsc$/ { print $2 }')
[ -n "$dsc" ] || say "the archive has no source package $wanted."
cd "$dir/files"
fetch >&2
echo "$dir/files/$dsc"
