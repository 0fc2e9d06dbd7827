#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# samples.sh DIR: idn.conf, the rule file, its lists and its words as they are installed, made in DIR unless they are there. idn.conf names the
# rule file, where each rule of conf/idn-policy.conf has a "#" in front of it: none is in force until that is removed.
set -eu

conf=$(dirname "$0")/../../conf
make() { [ -e "$dir/$1" ] || { sed "$2" "$conf/$1" >"$dir/$1" && chmod 644 "$dir/$1"; }; } # FILE, CHANGE

dir=$1
mkdir -p "$dir"
make idn.conf 's/^    # policy: /    policy: /'
make idn-policy.conf 's/^[a-z]/#&/'
make blocklist.txt ''
make protected.txt ''
make fraud-words.txt ''
make neighbours.txt ''
