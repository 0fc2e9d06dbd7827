# SPDX-License-Identifier: BSD-3-Clause
# Completion for bash, from the command's own help: see words.awk, which script.sh puts in here.

_unbound_idn() {
    local word=$2 option=$3 command=("$1")

    if [[ $word == = ]]; then word=; fi
    if [[ $option == = ]]; then option=${COMP_WORDS[COMP_CWORD - 2]}; fi
    if ((COMP_CWORD > 1)); then command+=("${COMP_WORDS[1]}"); fi
    mapfile -t COMPREPLY < <("${command[@]}" --help 2>/dev/null | WORD=$word OPTION=$option awk '
@WORDS@
' | cut -f 1)
}

# Files where there is no word.
complete -o default -F _unbound_idn unbound-idn
