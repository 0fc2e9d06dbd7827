#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# image.sh DIR BASE: builds the images of tools/container with buildah in DIR, from BASE, a folder made by debootstrap (debroot.sh), in
# place of debian:trixie-slim. With the variables in DIR/environment, buildah and podman store everything in DIR.
# shellcheck disable=SC1091,SC3045 # made here; Debian's sh has ulimit -n
set -eu

base=$2
mkdir -p "$1"
dir=$(cd "$1" && pwd)
log=$dir/log
containers=tools/container

# Without CAP_SYS_RESOURCE, podman cannot give a container higher limits than its own. It also cannot make control groups here.
cat >"$dir/containers.conf" <<END
[containers]
cgroups = "disabled"
default_ulimits = ["nofile=$(ulimit -n):$(ulimit -n)", "nproc=4096:4096"]
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
runtime = "crun"
tmp_dir = "$dir/tmp"
[network]
network_backend = "netavark"
network_config_dir = "$dir/networks"
END
cat >"$dir/storage.conf" <<END
[storage]
driver = "${CONTAINER_STORAGE:-overlay}"
graphroot = "$dir/store"
runroot = "$dir/run"
END
cat >"$dir/environment" <<END
export CONTAINERS_CONF=$dir/containers.conf CONTAINERS_STORAGE_CONF=$dir/storage.conf
END
. "$dir/environment"

# Leaves out documentation, translations and apt's files, as Debian's slim images do.
import_base() {
    tar -C "$base" -c --exclude='./usr/share/doc/*' --exclude='./usr/share/man/*' --exclude='./usr/share/locale/*' \
        --exclude='./usr/share/info/*' --exclude='./var/lib/apt/lists/*' --exclude='./var/cache/apt/*' --exclude='./var/log/*' \
        . >"$dir/base.tar" && podman import -q "$dir/base.tar" localhost/base && rm "$dir/base.tar"
}

build() { # NAME FILE CONTEXT [OPTION...]
    name=$1 file=$2 context=$3
    shift 3
    buildah build --isolation chroot --layers --format docker --build-arg BASE=localhost/base "$@" -f "$file" -t "localhost/$name" "$context"
}

# Debian 12's podman-compose cannot set addresses of containers. Debian 13's can, and runs on Debian 12.
unpack_compose() {
    # shellcheck source=tools/build/apt-archive.sh
    . tools/build/apt-archive.sh
    private_apt "$dir/apt"
    sources_of deb trixie | private_sources "$dir/apt" || return
    apt-get -c "$dir/apt/apt.conf" -q -o APT::Update::Error-Mode=any update &&
    (cd "$dir" && rm -f podman-compose_*.deb && apt-get -c "$dir/apt/apt.conf" -q download podman-compose/trixie && dpkg-deb -x podman-compose_*.deb compose)
}

{
    [ -d "$dir/compose" ] || unpack_compose
    podman image exists localhost/base || import_base
    build unbound-idn $containers/Containerfile . &&
        build unbound-idn-dnsmasq $containers/Debian.containerfile $containers --build-arg PACKAGE=dnsmasq-base &&
        build unbound-idn-prometheus $containers/Debian.containerfile $containers --build-arg PACKAGE=prometheus
} >"$log" 2>&1 || { tail -n 20 "$log" >&2; echo "image: this failed; the whole log is $log." >&2; exit 1; }
