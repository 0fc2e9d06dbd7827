# SPDX-License-Identifier: BSD-3-Clause
# Completion for bash: what there is, is asked of the command's own help, so that it cannot fall behind.
# An option's value is what its help names it: FILE, USER, TYPE, or words with "|" between them.
# "epoch|date|N" are two words and a number.

_unbound_idn() {
    local command=$1 word=$2 option=$3 help value

    if [[ $word == = ]]; then word=; fi
    if [[ $option == = ]]; then option=${COMP_WORDS[COMP_CWORD - 2]}; fi
    option=${option//[^a-z-]/} # it goes into a regular expression
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        help=$("$command" --help 2>/dev/null | sed -n 's/^  \([a-z]*\) .*/\1/p')
        mapfile -t COMPREPLY < <(compgen -W "$help --help --version" -- "$word")
        return
    fi
    help=$("$command" "${COMP_WORDS[1]}" --help 2>/dev/null)
    value=$(sed -n "s/^  $option \([^ ]\+\).*/\1/p" <<<"$help")
    case $option:$value in
    --*:USER) mapfile -t COMPREPLY < <(compgen -u -- "$word") ;;
    --*:TYPE) mapfile -t COMPREPLY < <(compgen -W 'A AAAA CAA CNAME HTTPS MX NS PTR SOA SRV SVCB TXT' -- "${word^^}") ;;
    --*:*"|"*) mapfile -t COMPREPLY < <(compgen -W "$(grep -o '[a-z]*' <<<"$value")" -- "$word") ;;
    --*:?*) ;; # a file, or what nobody can guess
    *)
        [[ $word != -* || -z $help ]] ||
            mapfile -t COMPREPLY < <(compgen -W "$(grep -o -- '--[a-z-]*[a-z]' <<<"$help" | sort -u) --help" -- "$word")
        ;;
    esac
}

# Where nothing is found, files.
complete -o default -F _unbound_idn unbound-idn
