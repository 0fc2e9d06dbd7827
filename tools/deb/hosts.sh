#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Run by the rules: what packages of the policy in unmodified resolvers have, debian/unbound-idn-HOST.*. Each has an idn.conf and a
# rule file, without a rule, in its resolver's folder of /etc, and writes its log where that resolver's user may.
set -eu

host() { # HOST, FOLDER IN /etc, USER, LOG, FILES...
    package=unbound-idn-$1 folder=$2 user=$3 log=$4
    shift 4
    mkdir -p "debian/$package-etc"
    sed -f debian/advised.sed -e "s|^    log-to: unbound$|    log-to: $log|" -e 's|^    # policy: |    policy: |' \
        -e "s|/var/lib/unbound/idn.prom|${log%.log}.prom|" conf/idn.conf >"debian/$package-etc/idn.conf"
    grep -q "^    log-to: $log$" "debian/$package-etc/idn.conf" && grep -q '^    policy: idn-policy.conf$' "debian/$package-etc/idn.conf"
    cp conf/hosts/idn-policy.conf "debian/$package-etc/"
    {
        printf '%s\n' "$@"
        printf 'debian/%s-etc/%s etc/%s\n' "$package" idn.conf "$folder" "$package" idn-policy.conf "$folder"
    } >"debian/$package.install"
    sed -e "s|^/var/lib/unbound/idn.log .*{|$log {|" -e "s|su unbound unbound|su $user $user|" \
        -e "s|Unbound's user|$user|" conf/logrotate/unbound-module-idn >"debian/$package.logrotate"
    grep -q "^$log {$" "debian/$package.logrotate"
    for script in postinst postrm; do
        [ -e "debian/$package.$script" ] ||
            sed -e "s|@USER@|$user|g" -e "s|@FOLDER@|${log%/*}|g" "debian/hosts.$script" >"debian/$package.$script"
    done
}

host python unbound unbound /var/lib/unbound/idn.log usr/share/unbound-idn/unbound.py 'conf/hosts/unbound.conf usr/share/unbound-idn' \
    'conf/apparmor/unbound-idn etc/apparmor.d/abstractions'
host kresd knot-resolver knot-resolver /var/log/unbound-idn-kresd/idn.log 'usr/lib/*/knot-resolver/kres_modules'
host recursor powerdns pdns /var/log/unbound-idn-recursor/idn.log usr/share/unbound-idn/recursor.lua
host dnsdist dnsdist _dnsdist /var/log/unbound-idn-dnsdist/idn.log usr/share/unbound-idn/dnsdist.lua
