#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# script.sh bash|zsh|fish: prints that shell's completion for unbound-idn, which is unbound-idn.SHELL with words.awk in it.
set -eu

cd "$(dirname "$0")"
sed -e '/^@WORDS@$/{r words.awk' -e 'd}' "unbound-idn.$1"
