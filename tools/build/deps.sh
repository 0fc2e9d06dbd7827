#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# deps.sh [demo|demo-stock|check|ci|container|containers|deb|deb-tests|hosts|packaging|report|prove]: installs the Debian
# packages that building and testing need. With an argument, for one purpose: demo, demo-stock or check: only what that target
# needs. ci: also what .ci/run needs. container: the build stage of the image; containers: building and running images. deb: making
# Debian packages in folders of their own; deb-tests: checking them. hosts: building deb-hosts. packaging: making and checking source
# packages. report: the browser of check-report, and fonts. prove: Frama-C and provers.
# Needs root only if something is missing. No server is ever installed: Debian would start it.
# shellcheck disable=SC2086,SC2116 # lists of packages are separate words
set -eu

# Packages that build and run the demo: the module, an Unbound with few features, a signed zone, and a client.
packages='
    gcc libc6-dev make pkg-config binutils dpkg-dev bison flex
    libicu-dev libldns-dev liburcu-dev libpsl-dev publicsuffix libxxhash-dev libssl-dev libexpat1-dev
    ldnsutils python3 python3-dnspython iproute2 util-linux
'
command='libfstrm-dev libjansson-dev curl' # what tap, report and fetch need
case ${1:-} in
demo | demo-stock) packages="$packages $command" ;;
check) packages="$packages $command libcmocka-dev perl" ;;
container)
    packages="$packages $command debhelper libevent-dev libhiredis-dev libnghttp2-dev libprotobuf-c-dev protobuf-c-compiler" ;;
containers)
    packages='buildah crun debootstrap iproute2 iptables ldnsutils make netavark podman python3 python3-dnspython python3-dotenv python3-yaml util-linux' ;;
deb) packages='debootstrap dpkg-dev iproute2 make python3 util-linux' ;;
hosts) # Build-Depends in tools/deb/control
    packages="$packages $command build-essential debhelper libcmocka-dev" ;;
*) # … the command, the tests, and Unbound as the distribution builds it.
    packages="$packages $command
        g++ libidn2-dev libcmocka-dev jq perl python3-yaml strace
        autoconf debhelper dh-apparmor dh-python libtool protobuf-c-compiler swig fish zsh
        libevent-dev libhiredis-dev libnghttp2-dev libprotobuf-c-dev libpython3-dev libsystemd-dev nettle-dev python3-dev
    " ;;
esac

if [ "${1:-}" = ci ]; then
    packages="$packages clang clang-format clang-tidy cppcheck libclang-rt-dev mandoc valgrind"
fi

if [ "${1:-}" = deb-tests ]; then
    packages="$packages lintian"
fi

if [ "${1:-}" = packaging ]; then
    packages="$packages build-essential lintian rpm rpmlint"
fi

if [ "${1:-}" = report ]; then
    packages="$packages chromium chromium-driver python3-selenium python3-pil poppler-utils
        fonts-noto-core fonts-droid-fallback fonts-noto-color-emoji"
fi

if [ "${1:-}" = prove ]; then
    packages="$packages frama-c-base why3 z3 cvc4"
fi

fail() { echo "deps: $*" >&2; exit 1; }
command -v apt-get >/dev/null || fail "this is not Debian; install the equivalents of:" $packages

installed=$(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' $packages 2>/dev/null | sed -n 's/^ii *//p')
missing=
for package in $packages; do
    case " $(echo $installed) " in *" $package "*) ;; *) missing="$missing $package" ;; esac
done
[ -n "$missing" ] || exit 0

# On a machine that has just booted, upgrades may be under way.
install="apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=300$missing"
if [ "$(id -u)" = 0 ]; then
    root=
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    root='sudo -n'
else
    fail "packages are missing; run as root: $install"
fi

update() { $root apt-get -q update; }
apt_install() { $root env DEBIAN_FRONTEND=noninteractive $install -q; }

echo "deps: installing$missing"
$install -s >/dev/null 2>&1 || update # no lists yet
apt_install || { update && apt_install; } # lists too old
