# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# For deb.sh to read in: which of the distribution's Unbounds is built. Never one that apt would replace, or that would
# undo a security update, unless DEB_ALLOW_OLDER=1. The reader has versions(), installed(), fetch(), is_built(), say(), fail().
# shellcheck disable=SC2154 # $log is the reader's

# Higher than the distribution's, and lower than whatever it makes of that: a security update (+deb13u1), a rebuild
# (+b1). A digit sorts before any letter.
version_of_ours() { echo "$1+0idn${DEB_REVISION:-1}"; }

# The newest Unbound that apt may install or has installed: VERSION, less what we add to it.
newest() {
    { versions && installed; } | sed 's/+0idn[^+]*$//' | sort -ruV | head -n 1
}

what_to_do="Try again when the archive has that source, or with another mirror. The packages of 'make deb-hosts' need no rebuilt Unbound."

# Sets $version, and $older: the newest version if this is an older one, else empty. Mirrors have been seen that had a
# security update but not its source.
choose() {
    newest=$(newest)
    for stock in ${UNBOUND_VERSION:-$(versions)}; do
        version=$(version_of_ours "$stock") older=
        ! dpkg --compare-versions "$stock" lt "$newest" || older=$newest
        if [ "$older" ] && [ "${DEB_ALLOW_OLDER:-}" != 1 ]; then
            fail "packages of Unbound $stock would replace the newer $older that apt has, so none are built. $what_to_do" \
                "For tests alone: 'make deb DEB_ALLOW_OLDER=1'."
        fi
        ! is_built "$version" || return 0
        ! fetch "$stock" || return 0
        say "the archive has Unbound $stock, but not its source." >&2
    done
    fail "there is no source of Unbound, so nothing is built. $what_to_do The whole log is $log."
}

# Prints the next commands to type, for packages in FOLDER.
say_how_to_install() { # FOLDER
    case $1 in /*) ;; *) set -- "./$1" ;; esac
    if [ "$older" ]; then
        say "do not install these where people rely on them: apt has Unbound $older, which is newer."
    else
        say "as root: apt-get install $(cd "$1" && for package in unbound unbound-idn unbound-module-idn; do
            printf '%s/%s ' "$1" "${package}"_*.deb; done)"
    fi
}
