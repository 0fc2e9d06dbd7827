#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Checks comments and documents for idiom that a reader has to read twice. Prints TAP; run it from the top of the tree.
# CONTRIBUTING.md has the rules for what no pattern finds.
set -eu

found=$(mktemp)
trap 'rm -f "$found"' EXIT

# Prints TEXT, a tab and FILE:LINE for each line of a comment, a docstring or a document. A comment's first line begins with ">".
prose() {
    git ls-files core module tools tests conf doc Makefile '*.md' |
        grep -E '\.(c|h|py|sh|mk|lua|md|[1-9])$|^Makefile$' | grep -vE '^tests/(words\.sh|vectors/|.*corpus/)' | xargs awk '
        function out(text) { print text "\t" FILENAME ":" FNR }
        FNR == 1 { inside = 0; fenced = 0; kind = FILENAME; sub(/.*[.]/, "", kind) }
        kind == "md" { if (/^```/) fenced = !fenced; else if (!fenced && !/^    /) { gsub(/`[^`]*`/, ""); out($0) } next }
        kind ~ /^[1-9]$/ { if (/^\.Bd -(literal|unfilled)/) fenced = 1; if (/^\.Ed/) fenced = 0; if (!fenced && !/^\.(Nm|Fn|Ft|Fa|Ic|Cm|Ql|Dl)/) out($0); next }
        kind == "c" || kind == "h" {
            if (inside) { text = $0; sub(/^[ \t]*\*?[ ]?/, "", text); out(text); if (/\*\//) inside = 0; next }
            if (match($0, /\/\*+ */)) { text = substr($0, RSTART + RLENGTH); out("> " text); if (text !~ /\*\//) inside = 1; next }
            if (match($0, /(^|[ \t])\/\/ */)) out("> " substr($0, RSTART + RLENGTH))
            next
        }
        kind == "lua" { if (match($0, /-- */)) out("> " substr($0, RSTART + RLENGTH)); next }
        kind == "py" && inside { if (inside == 1) out($0); if (/"""/) inside = 0; next }
        kind == "py" && /"""/ {
            odd = gsub(/"""/, "\"\"\"") % 2
            if (match($0, /^[ \t]*r?"""/)) out("> " substr($0, RSTART + RLENGTH))
            if (odd) inside = RSTART > 0 ? 1 : 2
            next
        }
        kind == "py" && !/(^|  ) *# / { next }
        match($0, /(^|[ \t])#+ */) { text = substr($0, RSTART + RLENGTH); out((was == FILENAME ":" FNR - 1 ? "" : "> ") text); was = FILENAME ":" FNR }
    '
}
prose >"$found"

number=0
none() { # WHAT IS CHECKED, EXTENDED REGULAR EXPRESSION [, EXCEPT]
    number=$((number + 1))
    offenders=$(grep -E "$2" "$found" | grep -vE "${3:-^$}" | awk -F '\t' '{ print $NF ": " $1 }' || :)
    if [ -z "$offenders" ]; then
        echo "ok $number - $1"
    else
        echo "not ok $number - $1"
        echo "$offenders" | sed 's/^/# /'
    fi
}

none 'a contract is a sentence ("Returns whether ..."), not a question' \
    "^> (Has|Have|Had|Is|Are|Was|Were|Does|Do|Did|May|Can|Could|Must|Should|Will) (it|its|the|a|an|this|that|these|those|there|two|both|all|any|one|each|every|some|no|what|such)\b" 'Does the (same|opposite)'
none 'a comment does not begin with a relative clause' "^> (What|Whom|Whose|Whoever|Whatever|Of (a|an|the|all|each|every|these|those|its))\b"
none '"nobody" and "somebody": the passive, or the real actor' '\b([Nn]obody|[Ss]omebody|[Ww]hoever|[Nn]o one)\b' '(user|as|group|User|owned by|`)[ ="]*.?nobody|nobody:no'
none '"told": stated, reported, passed, called' '\b([Tt]old)\b'
none '"anew": again' '\b[Aa]new\b'
none '"stands": is, has' '\b(stands?|stood) (in|at|for|on|there|beside|before|behind|above|below|twice|once|alone|as)\b' 'stands? (in for|for)'
none 'words of our own: verdict, likeness, audience' '(^|[^/])\b([Vv]erdicts?|[Ll]ikeness(es)?|[Aa]udiences?)\b'
none '"is to be had", "by way of", "comes to no end": plain verbs' '(to be had|[Bb]y way of|comes? to (no|an) end|takes? apart|hears? (of|a|the)|[Ww]ants to hear)'

number=$((number + 1))
lines=$(wc -l <"$found")
[ "$lines" -gt 5000 ] || printf 'not '
echo "ok $number - $lines lines of prose were read"
echo "1..$number"
