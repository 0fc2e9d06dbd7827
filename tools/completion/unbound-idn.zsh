#compdef unbound-idn
# SPDX-License-Identifier: BSD-3-Clause
# Completion for zsh, from the command's own help: see words.awk, which script.sh puts in here.

local option=${words[CURRENT - 1]}
local -a command=("${words[1]}") found

if compset -P '--*='; then option=${IPREFIX%=}; fi
if ((CURRENT > 2)); then command+=("${words[2]}"); fi
found=(${(f)"$("${command[@]}" --help 2>/dev/null | WORD=$PREFIX OPTION=$option awk '
@WORDS@
')"})
found=("${found[@]//$'\t'/:}")

# Files where there is no word. Types may be written in lower case.
if ((${#found})); then _describe unbound-idn found -M 'm:{a-z}={A-Z}'; else _files; fi
