#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# tools/build/deb-choose.sh: which Unbound `make deb` builds, and that it never says how to install one older than apt's. deb.sh asks
# for the source before it makes a folder to build in. Prints TAP; run it from the top of the tree.
# shellcheck disable=SC2034,SC2086,SC2317 # for the script that is read in; lists of versions
set -eu

# shellcheck source=tests/tap.sh
. "${0%/*}/tap.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Only Debian's dpkg compares versions by Debian's rules.
command -v dpkg >/dev/null || { echo '1..0 # SKIP no dpkg'; exit; }

log=the.log
versions() { printf '%s\n' $archive; }
fetch() { case " $sources " in *" $1 "*) ;; *) return 1 ;; esac; }
is_built() { [ "$1" = "$built" ]; }
say() { echo "deb: $*"; }
fail() { say "$*"; exit 1; }
installed() { echo "$here"; }

# shellcheck source=tools/build/deb-choose.sh
. "${0%/*}/../tools/build/deb-choose.sh"

chosen() ( # [NAME=VALUE...]: prints what is built, or the script's last line
    archive='1.26.2-0+deb13u1 1.22.0-2+deb13u3' sources=$archive built='' here=''
    for setting; do eval "$setting"; done
    (choose && echo "$version${older:+, older than $older}") 2>&1 | tail -n 1 | sed -E 's/(, so (none|nothing is built)).*/\1/'
)
refused='deb: packages of Unbound 1.22.0-2+deb13u3 would replace the newer 1.26.2-0+deb13u1 that apt has, so none'
older='1.22.0-2+deb13u3+0idn1, older than 1.26.2-0+deb13u1'
only_old="sources='1.22.0-2+deb13u3'"
result 'the newest' '1.26.2-0+deb13u1+0idn1' "$(chosen)"
result 'an older one, where only its source is there: refused' "$refused" "$(chosen "$only_old")"
result '… also if it was built before' "$refused" "$(chosen sources= built=1.22.0-2+deb13u3+0idn1)"
result '… unless somebody says so' "$older" "$(chosen "$only_old" DEB_ALLOW_OLDER=1)"
result 'an older one that is asked for: refused' "$refused" "$(chosen UNBOUND_VERSION=1.22.0-2+deb13u3)"
result '… unless somebody says so' "$older" "$(chosen UNBOUND_VERSION=1.22.0-2+deb13u3 DEB_ALLOW_OLDER=1)"
result 'the newest, which was built before its source went' '1.26.2-0+deb13u1+0idn1' "$(chosen "$only_old" built=1.26.2-0+deb13u1+0idn1)"
result 'no source at all' 'deb: there is no source of Unbound, so nothing is built' "$(chosen sources= archive=1.26.2-0+deb13u1)"
result 'a newer one is installed here: refused' \
    'deb: packages of Unbound 1.26.2-0+deb13u1 would replace the newer 1.27.0-1 that apt has, so none' "$(chosen here=1.27.0-1)"
result 'our own is installed here' '1.26.2-0+deb13u1+0idn1' "$(chosen here=1.26.2-0+deb13u1+0idn1)"

touch "$folder/unbound_1_a.deb" "$folder/unbound-idn_1_a.deb" "$folder/unbound-module-idn_1_a.deb" "$folder/libxn1_1_a.deb"
older=
result 'how to install it' \
    "deb: as root: apt-get install $folder/unbound_1_a.deb $folder/unbound-idn_1_a.deb $folder/unbound-module-idn_1_a.deb" \
    "$(say_how_to_install "$folder" | sed 's/ $//')"
result '… by a path that apt takes for one' 'deb: as root: apt-get install ./a' "$(cd "$folder" && mkdir a && cp ./*.deb a && say_how_to_install a | cut -d/ -f1-2)"
older=2
result 'no such line for an older one' 0 "$(say_how_to_install "$folder" | grep -c apt-get || :)"

# ---- an archive that has Unbound, but not its source ----------------------------------------------

release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release 2>/dev/null)
architecture=$(dpkg --print-architecture)
archive() { # NAME: makes an archive with Unbound and with the sources on standard input; apt then knows only this archive.
    dists=$folder/$1/dists/$release
    mkdir -p "$dists/main/source" "$dists/main/binary-$architecture"
    printf 'Package: unbound\nVersion: 9.9-1\nArchitecture: %s\nFilename: pool/unbound.deb\n' "$architecture" >"$dists/main/binary-$architecture/Packages"
    cat >"$dists/main/source/Sources"
    printf 'Date: Thu, 01 Jan 1970 00:00:00 UTC\nCodename: %s\nArchitectures: %s\nComponents: main\nSHA256:\n' "$release" "$architecture" >"$dists/Release"
    (cd "$dists" && for file in main/source/Sources "main/binary-$architecture/Packages"; do
        echo " $(sha256sum <"$file" | cut -d ' ' -f 1) $(stat -c %s "$file") $file"
    done >>Release)
    echo "deb file:$folder/$1 $release main" >"$folder/etc/sources.list"
    apt-get -q update >"$folder/log" 2>&1 || cat "$folder/log" >&2
}

mkdir -p "$folder/etc/apt.conf.d" "$folder/state/lists/partial" "$folder/bin"
cat >"$folder/apt.conf" <<END
Dir::Etc "$folder/etc";
Dir::State "$folder/state";
Dir::State::Lists "$folder/state/lists";
Acquire::AllowInsecureRepositories "true";
APT::Get::AllowUnauthenticated "true";
APT::Sandbox::User "";
END
printf '#!/bin/sh\necho 0\n' >"$folder/bin/id"
printf '#!/bin/sh\ntouch "%s/made"\nexit 1\n' "$folder" >"$folder/bin/debootstrap"
chmod 755 "$folder/bin/id" "$folder/bin/debootstrap"
export APT_CONFIG="$folder/apt.conf"
build_packages() { PATH=$folder/bin:$PATH BUILD=$folder/build DIST=none tools/build/deb.sh >"$folder/said" 2>&1 || :; }

printf 'Package: other\nVersion: 1\nDirectory: pool\n' | archive without
build_packages
result 'without the source: deb.sh says which is missing' 'deb: the archive has Unbound 9.9-1, but not its source.' "$(sed -n 2p "$folder/said")"
result '… and what to do' 1 "$(tail -n 1 "$folder/said" | grep -c 'there is no source of Unbound, so nothing is built\. Try again when the archive has that source')"
result '… before it makes a folder to build in' no "$([ -e "$folder/made" ] && echo yes || echo no)"

mkdir -p "$folder/another/pool"
dsc=$folder/another/pool/unbound_9.9-1.dsc
echo 'Source: unbound' >"$dsc"
printf 'Package: unbound\nVersion: 9.9-1\nDirectory: pool\nChecksums-Sha256:\n %s %s %s\n' \
    "$(sha256sum <"$dsc" | cut -d ' ' -f 1)" "$(stat -c %s "$dsc")" "${dsc##*/}" | archive another
build_packages
result 'another mirror that has the source is asked at once' yes "$([ -e "$folder/made" ] && echo yes || echo no)"
echo "1..$number"
