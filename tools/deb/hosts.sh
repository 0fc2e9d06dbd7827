#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# hosts.sh [module]: run by the rules: what packages of the policy in unmodified resolvers have, debian/unbound-idn-HOST.*, and with
# `module` the configuration of unbound-module-idn. Each writes its log where that resolver's user, and Debian's AppArmor profile, lets
# it. People edit the configuration, so it is no conffile: postinst copies it once to its resolver's folder of /etc.
set -eu

configuration() { # PACKAGE, LOG
    dir=debian/$1-samples metrics='    # metrics-file'
    # Unbound's user alone has one process to write them.
    [ "$2" != /var/lib/unbound/idn.log ] || metrics='    metrics-file'
    rm -rf "$dir" && tools/build/samples.sh "$dir"
    sed -i -f debian/advised.sed -e "s|^    log-to: unbound$|    log-to: $2|" \
        -e "s|^    # metrics-file: .*|$metrics: ${2%.log}.prom|" "$dir/idn.conf"
    grep -q "^    log-to: $2$" "$dir/idn.conf" && grep -q "^$metrics: ${2%.log}.prom$" "$dir/idn.conf"
    printf '%s/* usr/share/%s\n' "$dir" "$1" >>"debian/$1.install"
}

# In the package's own scripts, or in those for all hosts: what each has for its configuration.
scripts() { # PACKAGE, FOLDER IN /etc, USER, FOLDER OF THE LOG
    for script in postinst postrm; do
        [ -e "debian/$1.$script" ] || cp "debian/hosts.$script" "debian/$1.$script"
        sed -i -e "/^@CONFIGURATION@$/{r debian/configuration-$script" -e 'd}' "debian/$1.$script"
        sed -i -e "s|@PACKAGE@|$1|g" -e "s|@ETC@|/etc/$2|g" -e "s|@USER@|$3|g" -e "s|@FOLDER@|$4|g" "debian/$1.$script"
    done
}

host() { # HOST, FOLDER IN /etc, USER, LOG, FILES...
    package=unbound-idn-$1 folder=$2 user=$3 log=$4
    shift 4
    printf '%s\n' "$@" >"debian/$package.install"
    configuration "$package" "$log"
    scripts "$package" "$folder" "$user" "${log%/*}"
    sed -e "s|^/var/lib/unbound/idn.log .*{|$log {|" -e "s|su unbound unbound|su $user $user|" \
        -e "s|Unbound's user|$user|" conf/logrotate/unbound-module-idn >"debian/$package.logrotate"
    grep -q "^$log {$" "debian/$package.logrotate"
}

host python unbound unbound /var/lib/unbound/idn.log usr/share/unbound-idn/unbound.py 'conf/hosts/unbound.conf usr/share/unbound-idn' \
    'conf/apparmor/unbound-idn etc/apparmor.d/abstractions'
host kresd knot-resolver knot-resolver /var/log/unbound-idn-kresd/idn.log 'usr/lib/*/knot-resolver/kres_modules'
host recursor powerdns pdns /var/log/unbound-idn-recursor/idn.log usr/share/unbound-idn/recursor.lua
host dnsdist dnsdist _dnsdist /var/log/unbound-idn-dnsdist/idn.log usr/share/unbound-idn/dnsdist.lua
[ "${1:-}" != module ] || { configuration unbound-module-idn /var/lib/unbound/idn.log && scripts unbound-module-idn unbound unbound /var/lib/unbound; }
