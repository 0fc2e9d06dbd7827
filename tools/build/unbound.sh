#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Builds the distribution's own Unbound with --with-dynlibmodule added.
#
#   BUILD/unbound-src/NAME   the source tree, with its build in b/unbound below
#   BUILD/NAME/sbin          unbound, unbound-checkconf, unbound-control
#   BUILD/NAME/log           what the long steps printed
#
#   UNBOUND_SUITE, UNBOUND_VERSION      see apt-source.sh
#   UNBOUND_NAME                        NAME above (default: unbound, or unbound-SUITE)
#   UNBOUND_FEATURES                    few: without Python, systemd, dnstap, HTTP/2 and what else needs more packages
#   UNBOUND_CONFIGURE, UNBOUND_CFLAGS   more arguments for configure; more flags to compile and link with
#   UNBOUND_SRC, UNBOUND_BIN            a configured and built tree, used instead; its daemon
set -eu

build=${BUILD:-build}
suite=${UNBOUND_SUITE:-}
name=${UNBOUND_NAME:-unbound${suite:+-$suite}}
tree=$build/unbound-src/$name
sbin=$build/$name/sbin
log=$build/$name/log
here=$(cd "$(dirname "$0")" && pwd)

say() { echo "unbound: $*"; }
fail() { say "$*" >&2; exit 1; }

# The steps are run as a condition, where set -e is off: each joins its commands with &&.
step() { # TEXT COMMAND...
    say "$1"
    shift
    if ! "$@" >>"$log" 2>&1; then
        tail -n 20 "$log" >&2
        fail "this failed; the whole log is $log."
    fi
}

# The caller's CFLAGS and MAKEFLAGS are not meant for Unbound; another python may be first in PATH. configure and libtool make
# thousands of processes, which takes Debian's sh two thirds of the time that it takes bash, their first choice.
clean() {
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME="${HOME:-/}" LC_ALL=C.UTF-8 CONFIG_SHELL=/bin/sh ASAN_OPTIONS=detect_leaks=0 \
        UNBOUND_CONFIGURE="${UNBOUND_CONFIGURE:-}" \
        DEB_CFLAGS_APPEND="${UNBOUND_CFLAGS:-}" DEB_LDFLAGS_APPEND="${UNBOUND_CFLAGS:-}" "$@"
}

fetch() {
    dsc=$(APT_SUITE=$suite APT_VERSION=${UNBOUND_VERSION:-} "$here/apt-source.sh" unbound "$build/apt/${suite:-default}")
}

unpack() {
    # shellcheck disable=SC2016 # expanded by make
    rm -rf "$tree" && mkdir -p "$(dirname "$tree")" &&
    clean dpkg-source --no-check -x "$dsc" "$tree" &&
    sed -i -e 's/^CONFIGURE_ARGS = /&--with-dynlibmodule /' \
        -e 's/^\(\t*\)\${CONFIGURE_ARGS}$/& ${UNBOUND_CONFIGURE}/' "$tree/debian/rules"
}

configure_few() {
    mkdir -p "$tree/b/unbound" &&
    (cd "$tree/b/unbound" && clean ../../configure --with-dynlibmodule --with-chroot-dir= --disable-flto)
}

configure() {
    case ${UNBOUND_FEATURES:-} in
    few) configure_few ;;
    *) clean make -C "$tree" -f debian/rules unbound-config ;;
    esac &&
    grep -q '^#define WITH_DYNLIBMODULE 1' "$tree/b/unbound/config.h"
}

# Without libtool, whose shell takes as long as the compiler, without the shared library, which nothing needs, and not
# optimized.
compile_few() {
    # shellcheck disable=SC2016 # expanded by make
    clean make -C "$tree/b/unbound" -j"$(nproc)" unbound unbound-checkconf unbound-control CFLAGS='-O0 -fPIC -pthread' \
        COMPILE='$(CC) $(CPPFLAGS) $(CFLAGS)' LINK='$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS)' LINK_LIB=: DYNLIBMOD_EXTRALIBS=-rdynamic
}

# Each object once, as the distribution's daemon has it: libtool would compile everything a second time,
# for a static library.
compile_all() {
    sed -i -e 's/^build_libtool_libs=yes$/build_libtool_libs=no/' -e 's/^pic_mode=default$/pic_mode=yes/' \
        "$tree/b/unbound/libtool" &&
    clean make -C "$tree/b/unbound" -j"$(nproc)" unbound unbound-checkconf unbound-control
}

compile() {
    case ${UNBOUND_FEATURES:-} in
    few) compile_few ;;
    *) compile_all ;;
    esac
}

install_from() { # DIR [DAEMON]
    mkdir -p "$sbin"
    for program in unbound unbound-checkconf unbound-control; do
        from=$1/$program
        [ "$program" = unbound ] && from=${2:-$from}
        [ -x "$from" ] || fail "$from is missing: build that tree first."
        cmp -s "$from" "$sbin/$program" || install -m 755 "$from" "$sbin/$program"
    done
}

if [ -n "${UNBOUND_SRC:-}" ]; then
    configured=$UNBOUND_SRC
    [ -f "$configured/config.h" ] || configured=$UNBOUND_SRC/b/unbound
    [ -f "$configured/config.h" ] || fail "$UNBOUND_SRC is not configured: it has no config.h."
    install_from "$configured" "${UNBOUND_BIN:-}"
    exit
fi

# The request. A tree that was built for the same request is done, without network access.
request="suite=$suite version=${UNBOUND_VERSION:-} --with-dynlibmodule ${UNBOUND_CONFIGURE:-}"
request="$request CFLAGS=${UNBOUND_CFLAGS:-}${UNBOUND_FEATURES:+ features=$UNBOUND_FEATURES}"
stamp=$tree/built-for
if [ "$(cat "$stamp" 2>/dev/null)" != "$request" ]; then
    mkdir -p "$build/$name"
    : >"$log"
    step "fetching the source package of ${suite:-this release}" fetch
    step "unpacking $(basename "$dsc" .dsc)" unpack
    step "configuring it with the dynlib module${UNBOUND_FEATURES:+ and $UNBOUND_FEATURES features}" configure
    step "compiling (one to three minutes)" compile
    echo "$request" >"$stamp"
fi
install_from "$tree/b/unbound"
