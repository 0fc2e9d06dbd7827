#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Folders that hold a Debian of their own (debootstrap), for building and testing packages. Needs root.
#
#   debroot.sh make SUITE DIR      a minimal one, with the machine's own mirrors and keyrings, in DIR unless it is there
#   debroot.sh copy FROM DIR       another like it
#   debroot.sh run DIR COMMAND...  runs it there, with the loopback interface alone
#   debroot.sh online DIR COMMAND...  … with the machine's network, which only apt needs
#
# Nothing stays mounted: what is mounted lives in a namespace that ends with the command or, in a chroot, where mount(8)
# can make none, is unmounted after it.
set -eu

here=$(dirname "$0")
fail() { echo "debroot: $*" >&2; exit 1; }
[ "$(id -u)" = 0 ] || fail "debootstrap and chroot need root."

# shellcheck source=tools/build/apt-archive.sh
. "$here/apt-archive.sh"

if unshare --mount true 2>/dev/null; then own_mounts='unshare --mount'; else own_mounts=; fi

# A keyring is copied to where the sources name it, unless the release has its own there.
keyrings() { # SOURCES DIR
    sed -n 's/^Signed-By: *\(\/.*\)/\1/p' "$1" | sort -u | while read -r file; do
        [ -e "$2$file" ] || install -D -m 644 "$file" "$2$file"
    done
}

bootstrap() { # SUITE DIR
    command -v debootstrap >/dev/null || fail "debootstrap is missing: run 'tools/build/deps.sh deb'."
    archive=$(release_entries | awk -v suite="$codename" '$2 == suite { print $1, $4; exit }')
    [ -n "$archive" ] || fail "this machine has no package source for Debian's $codename."
    signed=$(keyring "${archive#* }" | sed -n 's/^Signed-By: *\(\/.*\)/\1/p')
    rm -rf "$2" "$2.part"
    mkdir -p "$2.part"
    # A name of its own until it is whole. Certificates are for mirrors that speak TLS.
    $own_mounts debootstrap --variant=minbase --include=ca-certificates \
        ${signed:+"--keyring=$signed"} "$1" "$2.part" "${archive%% *}" >"$2.log" 2>&1 ||
        { tail -n 20 "$2.log" >&2; fail "debootstrap failed; the whole log is $2.log."; }
    sources_of 'deb deb-src' "$1" >"$2.part/etc/apt/sources.list.d/archive.sources"
    rm -f "$2.part/etc/apt/sources.list"
    keyrings "$2.part/etc/apt/sources.list.d/archive.sources" "$2.part"
    apt-config dump | grep -E '^Acquire::(https?|Check-Valid-Until|Retries)' >"$2.part/etc/apt/apt.conf.d/80machine" || :
    echo 'Acquire::Languages "none";' >>"$2.part/etc/apt/apt.conf.d/80machine"
    echo force-unsafe-io >"$2.part/etc/dpkg/dpkg.cfg.d/unsafe-io"
    # No daemon starts here by itself, whatever is installed.
    printf '#!/bin/sh\nexit 101\n' >"$2.part/usr/sbin/policy-rc.d"
    chmod 755 "$2.part/usr/sbin/policy-rc.d"
    mv "$2.part" "$2"
    "$here/debroot.sh" online "$2" apt-get -q update >>"$2.log" 2>&1 ||
        { tail -n 20 "$2.log" >&2; rm -rf "$2"; fail "apt-get update failed there; the whole log is $2.log."; }
}

# /proc is there, and what was started ends with the command.
inside() { # DIR COMMAND...
    run="exec $own_mounts"
    [ -n "$own_mounts" ] || { run='' && trap 'umount -l "$root/proc" "$root/run"' EXIT && trap 'exit 1' HUP INT TERM; }
    # shellcheck disable=SC2016,SC2086 # expanded by the inner shell; words of a command line
    $run unshare --pid --fork --kill-child sh -c '
        { mount -t proc proc "$1/proc" && mount -t tmpfs -o mode=755 tmpfs "$1/run"; } ||
            { echo "debroot: building packages mounts file systems, which root may not do here: use a whole machine, or a" \
                "container with CAP_SYS_ADMIN." >&2; exit 1; }
        mkdir -p "$1/run/lock" && exec chroot "$@"' inside "$@"
}

clean="env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive"

command=${1:-}
[ $# -ge 3 ] || fail "see its first lines."
shift
# shellcheck disable=SC2086 # words of a command line
case $command in
make) [ -d "$2" ] || bootstrap "$1" "$2" ;;
copy) rm -rf "$2" "$2.part" && cp -a "$1" "$2.part" && mv "$2.part" "$2" ;;
run)
    root=$1 && shift
    exec "$here/netns.sh" "$here/debroot.sh" within "$root" "$@" ;;
online)
    root=$1 && shift
    cp -L /etc/resolv.conf "$root/etc/resolv.conf"
    inside "$root" $clean "$@" ;;
within)
    root=$1 && shift
    inside "$root" $clean "$@" ;;
*) fail "see its first lines." ;;
esac
