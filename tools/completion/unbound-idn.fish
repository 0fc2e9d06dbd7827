# SPDX-License-Identifier: BSD-3-Clause
# Completion for fish, from the command's own help: see words.awk, which script.sh puts in here.

function __unbound_idn_words
    set -l command (commandline -opc)
    set -l word (commandline -ct)
    set -l option $command[-1]
    set -l before ''

    if string match -q -- '--*=*' $word
        set option (string replace -r -- '=.*' '' $word)
        set before $option=
        set word (string replace -r -- '^[^=]*=' '' $word)
    end
    set -l found ($command[1] $command[2] --help 2>/dev/null | WORD=$word OPTION=$option awk '
@WORDS@
')
    for line in $found
        printf '%s%s\n' $before $line
    end
    test -n "$found"
end

# Files where there is no word.
complete -c unbound-idn -n '__unbound_idn_words >/dev/null' -f -a '(__unbound_idn_words)'
