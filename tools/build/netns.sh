#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# netns.sh COMMAND...: runs it where only the loopback interface exists, if this machine lets us; if not, one
# such command after another, since a port that one has found free another could take.
set -eu

if [ "$(id -u)" = 0 ]; then options=--net; else options='--user --map-root-user --net'; fi

# shellcheck disable=SC2086 # options are separate words
if unshare $options true 2>/dev/null; then
    # shellcheck disable=SC2016 # expanded by the inner shell
    exec unshare $options sh -c 'PATH=$PATH:/usr/sbin:/sbin; ip link set lo up && exec "$@"' netns "$@"
fi
exec 9<"$0"
flock 9
exec "$@"
