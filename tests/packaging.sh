#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# packaging.sh deb|rpm TARBALL [TREE]: builds packages from the tarball of `make dist` alone, and checks them with lintian or
# rpmlint. With the built TREE of an Unbound, RPM's has the module, too. Prints TAP; run it from the top of the tree.
set -eu

kind=$1 tarball=$(realpath "$2") tree=${3:+$(realpath "$3")}
top=$PWD
# shellcheck source=tests/tap.sh
. "${0%/*}/tap.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for tool in $([ "$kind" = deb ] && echo dpkg-buildpackage dh lintian || echo rpmbuild rpmlint); do
    command -v "$tool" >/dev/null || { echo "1..0 # SKIP no $tool"; exit; }
done
# The make that runs this test must not pass its flags and variables on.
unset MAKEFLAGS MAKELEVEL MFLAGS BUILD
said() { if "$@" >"$folder/log" 2>&1; then echo fine; else tail -n 30 "$folder/log"; fi; }

deb() {
    version=$(basename "$tarball" .tar.gz | sed 's/^unbound-idn-//')
    cp "$tarball" "$folder/unbound-idn_$version.orig.tar.gz"
    tar -xzf "$tarball" -C "$folder"
    cd "$folder/unbound-idn-$version"
    result 'make debian' fine "$(said make debian)"
    result 'dpkg-buildpackage' fine "$(said env "DEB_BUILD_OPTIONS=nocheck noautodbgsym parallel=$(nproc)" dpkg-buildpackage -us -uc -Ppkg.unbound-idn.hosts)"
    result 'lintian: no error, no warning' '' "$(lintian --allow-root "$folder"/*.changes 2>&1 || :)"
    # In a container, a dependency on systemd would install an init system beside the resolver.
    result 'no package depends on systemd' '' \
        "$(for package in "$folder"/*.deb; do dpkg-deb -f "$package" Package Depends Pre-Depends | paste -s | grep systemd; done)"
    result 'spdx.py lists each file of each package, with its SHA-256' \
        "$(for package in "$folder"/*.deb; do rm -rf "$folder/one" && dpkg-deb -x "$package" "$folder/one" && (cd "$folder/one" && find . -type f -exec sha256sum {} +); done | sort)" \
        "$("$top/tools/build/spdx.py" "$folder" | jq -r '.files[] | (.checksums[] | select(.algorithm == "SHA256").checksumValue) + "  " + .fileName' | sort)"
    mkdir "$folder/icu" && cp "$folder"/libxn1_*.deb "$folder/icu" && sed 's/\(libicu-dev (= \)[^)]*/\174.2-1/' "$folder"/*.buildinfo >"$folder/icu/74.buildinfo"
    result 'spdx.py: the license of ICU 74' Unicode-3.0 \
        "$("$top/tools/build/spdx.py" "$folder/icu" | jq -r '.packages[] | select(.name == "libicu-dev").licenseConcluded')"
    # Runs those tests for autopkgtest that work in a folder.
    mkdir "$folder/tmp" && for package in "$folder"/*.deb; do dpkg-deb -x "$package" "$folder/root"; done
    result 'autopkgtest: command' fine "$(said env "PATH=$folder/root/usr/bin:$PATH" "AUTOPKGTEST_TMP=$folder/tmp" debian/tests/command)"
    result 'autopkgtest: each test of debian/tests is declared' "$(cd debian/tests && for file in *; do [ "$file" = control ] || echo "$file"; done)" \
        "$(sed -n 's/^Tests: //p' debian/tests/control | LC_ALL=C sort)"
}

rpm() {
    result 'rpmbuild' fine "$(said rpmbuild -ba --nodeps --define "_sourcedir ${tarball%/*}" --define "_topdir $folder" \
        --define 'debug_package %{nil}' ${tree:+--define "unbound_src $tree"} tools/rpm/unbound-idn.spec)"
    [ -z "$tree" ] || result 'the module is in a package of its own' unbound/idn.so "$(command rpm -qlp "$folder"/RPMS/*/*-module-*.rpm | grep -o 'unbound/idn[.]so$')"
    result 'the version is the tarball'"'s" "unbound-idn-$(sed -n 's/^Version: *//p' tools/rpm/unbound-idn.spec).tar.gz" "${tarball##*/}"
    result 'rpmlint: no error, no warning' '0 errors, 0 warnings' \
        "$(rpmlint -c "$top/tools/rpm/rpmlint.toml" tools/rpm/unbound-idn.spec "$folder"/SRPMS/*.rpm "$folder"/RPMS/*/*.rpm >"$folder/said" 2>&1 || :
            grep -o '0 errors, 0 warnings' "$folder/said" || cat "$folder/said")"
}

"$kind"
echo "1..$number"
