# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# For scripts to read in: what the machine's own package sources say of Debian's archive. They are read,
# never changed. $codename is the machine's release.
# shellcheck disable=SC2016 # $(KEY) is for apt

# shellcheck disable=SC1091
codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")

# The machine's Debian archive entries, one a line: URI, release, codename, component, file:entry.
# A key that apt does not know yet (no update so far) is printed as it stands.
entries() {
    apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(CODENAME) $(COMPONENT) $(SOURCESENTRY)' \
        'Created-By: Packages' | sort -u
}

# Those of the machine's release, its updates and its security: URI, suite, the suite's name there, file:entry.
release_entries() {
    entries | while read -r uri release code component entry; do
        [ "$component" = main ] || continue
        for kind in '' -updates -security; do
            [ "$codename$kind" = "$release" ] || [ "$codename$kind" = "$code" ] || continue
            echo "$uri $codename$kind $release $entry"
        done
    done
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

stanza() { # TYPES URI SUITE ENTRY
    printf 'Types: %s\nURIs: %s\nSuites: %s\nComponents: main\n' "$1" "$2" "$3"
    keyring "$4"
    echo
}

# An apt that reads DIR/sources alone, and keeps its lists in DIR: `apt-get -c DIR/apt.conf`. DIR is absolute.
private_apt() { # DIR
    mkdir -p "$1/sources" "$1/lists/partial" "$1/cache/archives/partial"
    cat >"$1/apt.conf" <<END
Dir::Etc::SourceList "/dev/null";
Dir::Etc::SourceParts "$1/sources";
Dir::State::Lists "$1/lists";
Dir::Cache "$1/cache";
Acquire::Languages "none";
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
END
}

# Reads the sources of the apt in DIR from standard input. If they are not those that it had, its lists are removed. Returns whether
# there are any.
private_sources() { # DIR
    cat >"$1/sources/new"
    [ -s "$1/sources/new" ] || return 1
    if cmp -s "$1/sources/new" "$1/sources/private.sources"; then
        rm "$1/sources/new"
    else
        mv "$1/sources/new" "$1/sources/private.sources"
        rm -rf "$1/lists"
        mkdir -p "$1/lists/partial"
    fi
}

# The machine's sources of its release, with other releases in them. Unstable has neither updates nor security.
sources_of() { # TYPES SUITE...
    types=$1
    shift
    for release; do
        release_entries | while read -r uri pocket _ entry; do
            [ "$release" != unstable ] || [ "$pocket" = "$codename" ] || continue
            stanza "$types" "$uri" "$release${pocket#"$codename"}" "$entry"
        done
    done
}
