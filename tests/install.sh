#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# install.sh [MODULE]: checks `make install`, `make uninstall` and `make dist`, with a module that was built. Prints TAP; run it from the top of the tree.
# shellcheck disable=SC2046 # pkg-config's words
set -eu

module=${1:-}
version=$(sed -n 's/^#define XN_VERSION "\(.*\)"$/\1/p' core/text/version.h)
build=${BUILD:-build}
cc=${CC:-cc}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# shellcheck source=tests/tap.sh
. "${0%/*}/tap.sh"
# The make that runs this test must not pass its flags and variables on.
unset MAKEFLAGS MAKELEVEL MFLAGS DESTDIR

run_make() { make -s BUILD="$build" CC="$cc" FOLDERS="$folder/folders" "$@" >"$folder/said" 2>&1 || { cat "$folder/said" >&2; return 1; }; }
files_of() { (cd "$1" && find . ! -type d -printf '%M %P\n' | sort -k 2); }
found() { if grep -q -- "$2" "$1"; then echo yes; else echo no; fi; }

# ---- which files, where -------------------------------------------------------------------------

names_of() { sed -n 's/^\.Nm \([A-Za-z0-9_-]*\).*/\1/p' "$1" | sort -u; } # the functions of a manual, and itself
manuals() { # LIST-OF-MAN-FOLDER
    for page in doc/*.[1-8]; do
        section=${page##*.}
        echo "-rw-r--r-- $1/man$section/${page##*/}"
        [ "$section" != 3 ] || names_of "$page" | sed -n "s:^\(xn\|idnp\)_.*:-rw-r--r-- $1/man3/&.3:p"
    done | sort -u
}

root=$folder/root
(umask 077 && run_make install DESTDIR="$root" PREFIX=/usr LIBDIR=/usr/lib/arch MANDIR=/usr/man SYSCONFDIR=/etc)
wanted=$({
    manuals usr/man
    cat <<'END'
-rwxr-xr-x usr/bin/unbound-idn
-rwxr-xr-x usr/bin/unbound-idn-enable
-rwxr-xr-x usr/bin/unbound-idn-fetch
-rw-r--r-- usr/include/idnpolicy.h
-rw-r--r-- usr/include/libxn/finding.h
-rw-r--r-- usr/include/libxn/idna.h
-rw-r--r-- usr/include/libxn/label.h
-rw-r--r-- usr/include/libxn/lookalike.h
-rw-r--r-- usr/include/libxn/punycode.h
-rw-r--r-- usr/include/libxn/size.h
-rw-r--r-- usr/include/libxn/status.h
-rw-r--r-- usr/include/libxn/unicode.h
-rw-r--r-- usr/include/libxn/uts46.h
-rw-r--r-- usr/include/libxn/version.h
-rw-r--r-- usr/include/libxn/written.h
lrwxrwxrwx usr/lib/arch/libidnpolicy.so
-rw-r--r-- usr/lib/arch/libidnpolicy.so.1
-rw-r--r-- usr/lib/arch/knot-resolver/kres_modules/idn.lua
-rw-r--r-- usr/lib/arch/knot-resolver/kres_modules/idnpolicy.lua
-rw-r--r-- usr/lib/arch/libxn-punycode.a
lrwxrwxrwx usr/lib/arch/libxn-punycode.so
-rw-r--r-- usr/lib/arch/libxn-punycode.so.1
-rw-r--r-- usr/lib/arch/libxn.a
lrwxrwxrwx usr/lib/arch/libxn.so
-rw-r--r-- usr/lib/arch/libxn.so.1
-rw-r--r-- usr/lib/arch/pkgconfig/libidnpolicy.pc
-rw-r--r-- usr/lib/arch/pkgconfig/libxn-punycode.pc
-rw-r--r-- usr/lib/arch/pkgconfig/libxn.pc
-rw-r--r-- usr/share/bash-completion/completions/unbound-idn
-rw-r--r-- usr/share/fish/vendor_completions.d/unbound-idn.fish
-rw-r--r-- usr/share/unbound-idn/dnsdist.lua
-rw-r--r-- usr/share/unbound-idn/idnpolicy.lua
-rw-r--r-- usr/share/unbound-idn/recursor.lua
-rw-r--r-- usr/share/unbound-idn/unbound.py
-rw-r--r-- usr/share/zsh/site-functions/_unbound-idn
END
} | sort -k 2)
result 'install: these files and no others' "$wanted" "$(files_of "$root")"
result 'install: everybody may look into the folders' '' "$(find "$root/usr" -type d ! -perm 755)"
result 'libxn.pc: names no place that files were staged in' no "$(found "$root/usr/lib/arch/pkgconfig/libxn.pc" "$folder")"
# shellcheck disable=SC2016 # pkg-config's variables
result 'libxn.pc: relative to the prefix' 'prefix=/usr libdir=${prefix}/lib/arch includedir=${prefix}/include' \
    "$(head -n 3 "$root/usr/lib/arch/pkgconfig/libxn.pc" | paste -sd ' ')"
run_make uninstall DESTDIR="$root" PREFIX=/usr LIBDIR=/usr/lib/arch MANDIR=/usr/man SYSCONFDIR=/etc
result 'uninstall: nothing is left, nor a folder' no "$([ -e "$root" ] && echo yes || echo no)"

refused() { run_make "$@" 2>/dev/null && echo no || echo yes; }
for action in install install-module uninstall; do
    result "$action: a blank in DESTDIR" yes "$(refused "$action" DESTDIR="$folder/a blank")"
    result "$action: a blank in PREFIX" yes "$(refused "$action" DESTDIR="$root" PREFIX='/a blank')"
done
result 'blanks: nothing was made' no "$([ -e "$root" ] || [ -e "$folder/a" ] && echo yes || echo no)"
mkdir -p "$folder/built/include/libxn"
touch "$folder/built/include/libxn/gone.h"
run_make BUILD="$folder/built" help
result 'a header that is public no more is gone' no "$([ -e "$folder/built/include/libxn/gone.h" ] && echo yes || echo no)"

# ---- what a user of the library does ------------------------------------------------------------

prefix=$folder/prefix
mkdir -p "$prefix/share/man/man1" "$prefix/lib"
touch "$prefix/lib/other.a"
run_make install PREFIX="$prefix"
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig" LD_LIBRARY_PATH="$prefix/lib"

result 'pkg-config: the version' "$version" "$(pkg-config --modversion libxn)"
result 'command: the same version' "unbound-idn $(pkg-config --modversion libxn)" \
    "$("$prefix/bin/unbound-idn" --version | sed -n '1s/,.*//p')"

strict='-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror'
in_folder() { (cd "$folder" && "$@" 2>&1) && echo fine; } # where the sources are not found
cp doc/example.c "$folder"
# shellcheck disable=SC2086 # words
result 'pkg-config: the example is compiled as C11' fine \
    "$(in_folder "$cc" -std=c11 $strict -o example example.c $(pkg-config --cflags --libs libxn))"
result 'the example: what it prints' 'www.p\u{430}ypal.example
label 2 is restricted: script-mix' "$("$folder/example")"
result 'libxn: the number of the version' "$(echo "$version" | awk -F. '{ printf "0x%02x%02x%02x", $1, $2, $3 }')" \
    "$(sed -n 's/^#define XN_VERSION_NUMBER //p' "$prefix/include/libxn/version.h")"
cat >"$folder/engine.c" <<'END'
#include <idnpolicy.h>

int main(void)
{
    return idnp_version() != IDNP_VERSION;
}
END
# shellcheck disable=SC2086 # words
result 'libidnpolicy.pc: a program is compiled as C11' fine \
    "$(in_folder "$cc" -std=c11 $strict -o engine engine.c $(pkg-config --cflags --libs libidnpolicy))"
result '… and finds the library that was installed' fine "$(LD_LIBRARY_PATH=$prefix/lib in_folder ./engine)"
mv "$prefix" "$folder/moved"
result 'pkg-config: the example is compiled where all was moved to' fine \
    "$(PKG_CONFIG_PATH=$folder/moved/lib/pkgconfig && in_folder "$cc" -o example example.c $(pkg-config --define-prefix --cflags --libs libxn))"
mv "$folder/moved" "$prefix"

headers() { # NAME COMPILER...: each alone
    name=$1
    shift
    for header in "$prefix"/include/libxn/*.h; do
        echo "#include <libxn/${header##*/}>" | tee -a "$folder/all" >"$folder/one"
        # shellcheck disable=SC2086 # words
        result "$name: libxn/${header##*/} alone" fine "$(in_folder "$@" $strict -fsyntax-only $(pkg-config --cflags libxn) - <"$folder/one")"
    done
}
headers C11 "$cc" -x c -std=c11
cxx=
for compiler in ${CXX:-g++ clang++}; do [ -n "$cxx" ] || cxx=$(command -v "$compiler" || :); done
number_of_headers=$(find "$prefix/include/libxn" -name '*.h' | wc -l)
if [ -n "$cxx" ]; then
    headers C++11 "$cxx" -x c++ -std=c++11
    headers C++20 "$cxx" -x c++ -std=c++20
    # Takes the address of each function: without extern "C", C++ would look for another name.
    {
        cat "$folder/all"
        echo 'const void *const functions[] = {'
        sed -n 's/^ *\(xn_[a-z0-9_]*\);$/    (const void *)\&\1,/p' core/libxn.map
        echo '};'
        echo 'int main() { return functions[0] == functions[1]; }'
    } >"$folder/every.cc"
    result 'C++11: a program with every function is linked' fine \
        "$(in_folder "$cxx" -std=c++11 -o every every.cc $(pkg-config --cflags --libs libxn))"
else
    for header in $(seq $((2 * number_of_headers + 1))); do
        number=$((number + 1))
        echo "ok $number - C++: test $header # SKIP no compiler"
    done
fi

# ---- manuals ------------------------------------------------------------------------------------

# Debian's mandoc calls its own mman.
man=$(command -v man || command -v mman || :)
for section in $(printf '%s\n' doc/*.[1-8] | sed 's/.*\.//' | sort -u); do
    names=$(for page in doc/*."$section"; do
        echo "${page##*/}" | sed 's/\.[1-8]$//'
        [ "$section" != 3 ] || names_of "$page" | grep -E '^(xn|idnp)_' || :
    done | sort -u)
    if [ -n "$man" ]; then
        # shellcheck disable=SC2086 # words
        result "man: every name of section $section is found" "$(echo "$names" | wc -l)" \
            "$("$man" -M "$prefix/share/man" -w "$section" $names 2>"$folder/said" | wc -l)$(grep -i 'no .*entry' "$folder/said" || :)"
        name=$(echo "$names" | tail -n 1)
        result "man: $name($section) is about that" yes \
            "$(MANPAGER=cat PAGER=cat "$man" -M "$prefix/share/man" "$section" "$name" 2>&1 | grep -qw -- "$name" && echo yes || echo no)"
    else
        number=$((number + 2))
        echo "ok $((number - 1)) - man: every name of section $section is found # SKIP no man"
        echo "ok $number - man: a page of section $section is about its name # SKIP no man"
    fi
done

# ---- what uninstall leaves ----------------------------------------------------------------------

run_make uninstall PREFIX="$prefix"
result 'uninstall: what others put there stays, and a folder that was there before' 'lib
lib/other.a
share
share/man
share/man/man1' "$(cd "$prefix" && find . -mindepth 1 -printf '%P\n' | sort)"
result 'uninstall: remembers no folder' '' "$(cat "$folder/folders" 2>/dev/null || :)"

# ---- the module and its configuration -----------------------------------------------------------

if [ -n "$module" ]; then
    install_module() { run_make install-module MODULE="$module" -o "$module" DESTDIR="$root" PREFIX=/usr SYSCONFDIR=/etc; }
    install_module
    result 'install-module: these files and no others' '-rw-r--r-- etc/unbound/blocklist.txt
-rw-r--r-- etc/unbound/fraud-words.txt
-rw-r--r-- etc/unbound/idn-policy.conf
-rw-r--r-- etc/unbound/idn.conf
-rw-r--r-- etc/unbound/neighbours.txt
-rw-r--r-- etc/unbound/protected.txt
-rw-r--r-- usr/lib/unbound/idn.so' "$(files_of "$root")"
    result 'install-module: idn.conf names the rule file' '    policy: idn-policy.conf' "$(grep '^ *policy:' "$root/etc/unbound/idn.conf")"
    result 'install-module: where each rule is a comment' '' "$(grep '^[^#]' "$root/etc/unbound/idn-policy.conf" || :)"
    result 'install-module: the module as it was built' same "$(cmp "$module" "$root/usr/lib/unbound/idn.so" && echo same)"

    echo mine >"$root/etc/unbound/idn.conf"
    rm "$root/etc/unbound/blocklist.txt"
    exec 3<"$root/usr/lib/unbound/idn.so"
    install_module
    result 'install-module: who has the old module open keeps it whole' same "$(cmp "$module" /dev/fd/3 && echo same)"
    result 'install-module: is the new one the same file?' no \
        "$([ "$(stat -L -c %i /proc/self/fd/3)" = "$(stat -c %i "$root/usr/lib/unbound/idn.so")" ] && echo yes || echo no)"
    exec 3<&-
    result 'install-module: leaves configuration as it is' mine "$(cat "$root/etc/unbound/idn.conf")"
    result 'install-module: and makes what is missing' yes "$([ -s "$root/etc/unbound/blocklist.txt" ] && echo yes || echo no)"
    run_make uninstall DESTDIR="$root" PREFIX=/usr SYSCONFDIR=/etc
    result 'uninstall: the configuration stays, and nothing else' 'etc/unbound/blocklist.txt
etc/unbound/fraud-words.txt
etc/unbound/idn-policy.conf
etc/unbound/idn.conf
etc/unbound/neighbours.txt
etc/unbound/protected.txt' "$(cd "$root" && find . -type f -printf '%P\n' -o -type d -empty -printf '%P\n' | sort)"
fi

# ---- the tarball --------------------------------------------------------------------------------

tarball=$build/unbound-idn-$version.tar.gz
run_make dist
cp "$tarball" "$folder/first.tar.gz"
touch README.md
(umask 077 && TZ=Asia/Tokyo run_make dist)
result 'dist: twice the same octets' same "$(cmp "$tarball" "$folder/first.tar.gz" && echo same)"

mkdir "$folder/unpacked"
tar -xzf "$folder/first.tar.gz" -C "$folder/unpacked"
tree=$folder/unpacked/unbound-idn-$version
result 'dist: one folder' "unbound-idn-$version" "$(ls -A "$folder/unpacked")"
if [ -e .git ] && git rev-parse --quiet --verify HEAD >/dev/null 2>&1; then
    result 'dist: what a clone has, and nothing else' "$(git ls-files | LC_ALL=C sort)" \
        "$(cd "$tree" && find . ! -type d -printf '%P\n' | LC_ALL=C sort)"
fi
result 'dist: every file is as it is here' '' "$(diff -r "$tree" . | grep -v '^Only in \.' || :)"
result 'dist: modes and owners are those of nobody' '-rw-r--r-- 0/0
-rwxr-xr-x 0/0' "$(tar -tvzf "$folder/first.tar.gz" --numeric-owner | awk '{ print $1, $2 }' | sort -u)"
mkdir -p "$tree/build/obj" "$tree/tests/command/__pycache__"
touch "$tree/build/obj/left.o" "$tree/tests/command/__pycache__/left.pyc"
chmod 600 "$tree/README.md"
chmod 777 "$tree/tests/run"
(cd "$tree" && run_make BUILD=build dist)
result 'dist: the same octets from an unpacked tarball, without git' same "$(cmp "$tree/build/${tarball##*/}" "$folder/first.tar.gz" && echo same)"

# ---- built again --------------------------------------------------------------------------------

# From the unpacked tarball: in another folder, from files of another day.
built="libxn.a libxn.so.1 libxn-punycode.a libxn-punycode.so.1 libidnpolicy.so.1 unbound-idn unbound-idn-enable"
parts=all
if [ "$module" = "$build/idn.so" ] && [ -d "$build/unbound-src/unbound" ]; then
    built="$built idn.so" parts="all module"
    ln -s "$(realpath "$build/unbound-src")" "$(realpath "$build/unbound")" "$tree/build/"
fi
find "$tree" -name '*.[ch]' -exec touch -d 2001-02-03 {} +
# shellcheck disable=SC2086 # words
(cd "$tree" && TZ=Asia/Tokyo run_make BUILD=build $parts)
for file in $built; do
    result "$file: the same octets, built in another folder (make clean, if the Makefile has changed)" same \
        "$(cmp "$build/$file" "$tree/build/$file" && echo same)"
done

# ---- the manuals as web pages -----------------------------------------------------------------------

if command -v mandoc >/dev/null; then
    run_make html OUT="$folder"
    cd "$folder/html"
    result 'html: a page for each manual' "$(for page in "$OLDPWD"/doc/*.[1-8]; do echo "${page##*/}.html"; done)" \
        "$(printf '%s\n' *.[1-8].html)"
    result 'html: the index leads to each' "$(printf '%s\n' *.[1-8].html | LC_ALL=C sort)" \
        "$(sed -n 's/^<dt><a href="\([^"]*\)".*/\1/p' index.html | LC_ALL=C sort)"
    result 'html: each link leads to a page, and to a place in it' '' "$(grep -o 'href="[^"]*"' ./*.html | sed 's/:href="/ /; s/"$//' |
        sort -u | while read -r page link; do
            file=${link%%#*}
            file=${file:-$page}
            [ -s "$file" ] && { [ "$link" = "${link#*#}" ] || grep -qF "id=\"${link#*#}\"" "$file"; } || echo "$page: $link"
        done)"
    result 'html: a page of ours that another names is a link' '' \
        "$(grep -ho '<a class="Xr">\(xn\|idn\|libxn\|libidn\|unbound-\(idn\|module\)\)[^<]*' ./*.html || :)"
    cd "$OLDPWD"
else
    number=$((number + 1))
    echo "ok $number - html # SKIP no mandoc"
fi
echo "1..$number"
