#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# roots.sh ROOTS DEBS: the folder that tests of the packages in DEBS begin with, ROOTS/test: all that they depend on is
# installed there, they are not; /ours has them, /stock the distribution's own Unbound. It is made again when their
# dependencies change. ROOTS/hosts: the resolvers that the policy comes to without a rebuilt one, as the distribution has them.
# shellcheck disable=SC2086 # a list of packages
set -eu

roots=$1 debs=$2 root=$1/test log=$1/test.log
here=$(dirname "$0")
debroot=$here/../../tools/build/debroot.sh
fail() { tail -n 20 "$log" >&2; echo "roots: this failed; the whole log is $log." >&2; exit 1; }
online() { "$debroot" online "$root" "$@"; }

ours=$(dpkg-deb -f "$debs"/unbound_*.deb Version)
depends=$(for deb in "$debs"/*.deb; do dpkg-deb -f "$deb" Depends; done)
# A minimal Debian has no /bin/kill, with which unbound.service reloads.
more='logrotate dns-root-data systemd procps'
stamp="$ours $depends $more"

prepare() {
    "$debroot" copy "$roots/base" "$root" && online apt-get -q update &&
    mkdir "$root/ours" "$root/stock" && cp "$debs"/*.deb "$root/ours" &&
    needed=$(online sh -c "apt-get -s install --no-install-recommends $more /ours/unbound_*.deb /ours/unbound-idn_*.deb /ours/unbound-module-idn_*.deb" |
        awk '$1 == "Inst" && $2 !~ /^unbound/ { print $2 }') &&
    online apt-get install -q -y --no-install-recommends $needed &&
    online sh -c "cd /stock && apt-get -q download unbound=${ours%+0idn*}" &&
    rm -rf "$root"/var/cache/apt/archives/*.deb && echo "$stamp" >"$root/stamp"
}

hosts='unbound python3-unbound bind9 pdns-recursor dnsdist strace dns-root-data bind9-dnsutils bash'
prepare_hosts() {
    "$debroot" copy "$roots/base" "$roots/hosts" && "$debroot" online "$roots/hosts" apt-get -q update && mkdir "$roots/hosts/ours" &&
    cp "$debs"/lib*.deb "$debs"/unbound-idn*.deb "$roots/hosts/ours" &&
    newest=$("$debroot" online "$roots/hosts" sh -c 'apt-cache pkgnames knot-resolver | grep -x "knot-resolver6*" | sort | tail -n 1') && [ "$newest" ] &&
    needed=$("$debroot" online "$roots/hosts" sh -c "apt-get -s install --no-install-recommends $hosts $newest /ours/*.deb" |
        awk '$1 == "Inst" && $2 !~ /^(unbound-idn|libxn|libidnpolicy)/ { print $2 }') &&
    "$debroot" online "$roots/hosts" apt-get install -q -y --no-install-recommends $needed &&
    rm -rf "$roots/hosts"/var/cache/apt/archives/*.deb && echo "$depends $hosts" >"$roots/hosts/stamp"
}

# Another build of the same Unbound, and the module for it: what a rebuild after a security update gives.
another() {
    folder=$roots/build/build/next
    rm -rf "$folder" && mkdir -p "$folder" && "$here/repack.py" "$roots/build/build/daemon/usr/sbin/unbound" "$folder/unbound" &&
    "$debroot" run "$roots/build" make -C /build/unbound-idn V=1 UNBOUND_NAME=unbound-next UNBOUND_SRC=/build/unbound \
        UNBOUND_BIN=/build/next/unbound module &&
    cp "$roots/build/build/unbound-idn/build/idn-next.so" "$folder/idn.so" &&
    rm -rf "$roots/next" && cp -r "$folder" "$roots/next" && cp "$debs/made" "$roots/next/made"
}

if [ "$(cat "$root/stamp" 2>/dev/null)" != "$stamp" ]; then
    echo "# preparing $root"
    prepare >"$log" 2>&1 || fail
fi
if [ "$(cat "$roots/hosts/stamp" 2>/dev/null)" != "$depends $hosts" ]; then
    echo "# preparing $roots/hosts"
    prepare_hosts >>"$log" 2>&1 || fail
fi
cmp -s "$debs/made" "$roots/next/made" || another >>"$log" 2>&1 || fail
rm -f "$root"/ours/* && cp "$debs"/*.deb "$root/ours"
rm -f "$roots"/hosts/ours/* && cp "$debs"/lib*.deb "$debs"/unbound-idn*.deb "$roots/hosts/ours"
