# SPDX-License-Identifier: BSD-3-Clause
# Completion for every shell: reads the help of unbound-idn, or of one of its commands, and prints the words that may follow at the
# cursor, one a line: the word, a tab and its description. OPTION is the word before, WORD what has been typed of this one. Prints
# nothing where a file or a name is expected, so that the shell completes files.
#
# The value of an option is what the help calls it: FILE, USER, TYPE, or words with "|" between them.
#
# The shells quote this program with apostrophes: no apostrophe and no backslash may be in it.

function offer(word, text) {
    if (tolower(substr(word, 1, length(ENVIRON["WORD"]))) == tolower(ENVIRON["WORD"])) print word, text
}

function offer_values(value,    words, word, count, i, line) {
    if (value == "TYPE") {
        words = "A AAAA CAA CNAME HTTPS MX NS PTR SOA SRV SVCB TXT"
    } else if (value ~ /[|]/) {
        words = value
        gsub(/[|]/, " ", words)
    } else if (value == "USER") {
        while (("getent passwd" | getline line) > 0) words = words " " substr(line, 1, index(line, ":") - 1)
    }
    count = split(words, word, " ")
    for (i = 1; i <= count; i++) offer(word[i], "")
}

function trimmed(text) {
    sub(/^ +/, "", text)
    return text
}

BEGIN { OFS = sprintf("%c", 9) }

NR == 1 { top = $3 == "COMMAND" }

# A command, or options with one description. One blank stands between an option and its value, two or more before a description.
top && /^  [a-z]+ / || !top && /^  -/ {
    match($0, /^  [a-z-]+(, [a-z-]+)*/)
    names[++rows] = substr($0, 3, RLENGTH - 2)
    rest = substr($0, RLENGTH + 1)
    if (rest ~ /^ [^ ]/) {
        match(rest, /^ [^ ]+/)
        values[rows] = substr(rest, 2, RLENGTH - 1)
        rest = substr(rest, RLENGTH + 1)
    }
    texts[rows] = trimmed(rest)
    inside = 1
    next
}

/^     / && inside { texts[rows] = trimmed(texts[rows] " " trimmed($0)) }
/^$/ { inside = 0 }

END {
    for (row = 1; row <= rows; row++) if (names[row] == ENVIRON["OPTION"] && values[row] != "") { offer_values(values[row]); exit }
    if (!NR || !top && ENVIRON["WORD"] !~ /^-/) exit
    for (row = 1; row <= rows; row++) {
        count = split(names[row], name, ", ")
        for (i = 1; i <= count; i++) offer(name[i], texts[row])
    }
    offer("--help", "show help")
    if (top) offer("--version", "show the version")
}
