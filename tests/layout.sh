#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Checks licenses, header guards, the length of files, and what documents name. Prints TAP; run it from the top of the tree.
# shellcheck disable=SC2086 # lists of files are separate words
set -eu

nothing=$(mktemp)
trap 'rm -f "$nothing"' EXIT

number=0
result() { # DESCRIPTION OFFENDERS
    number=$((number + 1))
    if [ -z "$2" ]; then
        echo "ok $number - $1"
    else
        echo "not ok $number - $1"
        echo "$2" | sed 's/^/# /'
    fi
}

# Passes a list on. An empty list would pass every check, so the last check reports it.
lines_of() { # WHAT
    awk -v what="$1" -v nothing="$nothing" '{ print } END { if (NR == 0) print what >>nothing }'
}

all=$(find core module tools tests -name '*.[ch]' | sort | lines_of 'sources, with the tests')
scripts=$(find tools tests -name '*.py' -o -name '*.sh' -o -name '*.mk' | sort | lines_of scripts)

result 'no file is longer than 1,000 lines' "$(wc -l $all $scripts | awk '$2 != "total" && $1 > 1000 { print $2 ": " $1 " lines" }')"
result 'every file names its license in the first lines' "$(awk '
    FNR == 1 { named[FILENAME] = 0 }
    FNR <= 3 && /SPDX-License-Identifier: BSD-3-Clause/ { named[FILENAME] = 1 }
    END { for (file in named) if (!named[file]) print file }' $all $scripts)"
result 'every header has the guard of its path' "$(awk '
    FNR == 1 { guard = toupper(FILENAME); gsub("[/.-]", "_", guard); wanted[FILENAME] = "XN_" guard }
    $1 == "#ifndef" && ($2 == "XN_" guard || $2 == "XNM_" guard) { wanted[FILENAME] = "" }
    END { for (file in wanted) if (wanted[file]) print file ": " wanted[file] }' $(echo "$all" | grep '\.h$'))"
result 'tests that doc/threats.md names exist' "$(grep -ohE '`((unit|unbound|command|fuzz|tap|fetch|hosts)/[a-z_/]+[.](c|py))?(:[a-z_]+)?`' doc/threats.md | tr -d '`' |
    lines_of 'tests in doc/threats.md' | while IFS=: read -r named function; do
        file=${named:-$file}
        grep -qE "^(static void |def |TEST[A-Z_]*\\()(test_)?($function)\\b" "tests/$file" 2>/dev/null || { [ -z "$function" ] && [ -e "tests/$file" ]; } || echo "$file:$function"
    done)"

result 'doc/map.md has the first sentence of each source (make map)' "$({ tools/build/map.py 2>&1 || true; } | diff - doc/map.md || true)"
result 'doc/testing.md has a row for each folder of tests' "$(for folder in tests/*/; do grep -q "^|.*\`$folder\`.* |" doc/testing.md || echo "$folder"; done)"

# Files and targets that documents name. CHANGELOG.md may name those that are gone.
documents=$(find . -name build -prune -o -name '*.md' -print | sed 's|^\./||' | sort)
present=$(echo "$documents" | grep -v '^CHANGELOG\.md$')
targets=$(cat Makefile $(find tests tools -name '*.mk') | sed -n 's/^\([a-z][a-z -]*\):.*/\1/p' | tr ' ' '\n')
anchors_of() { # FILE: of its headings, as GitHub makes them
    sed -n 's/^##* //p' "$1" | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9_\n-'
}
result 'each relative link in a document leads to a file, and to a heading in it' "$(grep -oE '\]\([^)]+\)' $documents |
    sed 's/:](/ /; s/)$//' | grep -v ' http' | sort -u | lines_of 'links in documents' | while read -r file link; do
    to=${link%%#*}
    to=${to:+$(dirname "$file")/$to}
    [ -e "${to:-$file}" ] || { echo "$file: $link"; continue; }
    [ "$link" = "${link#*#}" ] || anchors_of "${to:-$file}" | grep -qxF -e "${link#*#}" || echo "$file: $link"
done)"
result 'each file that a document names in a folder of ours exists' "$(grep -oE '`(core|module|tools|tests|conf|doc)/[^` ]*`' $present |
    tr -d '`' | sort -u | lines_of 'files in documents' | while IFS=: read -r file named; do
    ls -d $named >/dev/null 2>&1 || echo "$file: $named"
done)"
result 'each source that doc/design.md names by its last folder exists' "$(grep -ohE '\b[a-z]+/[a-z0-9]+\.[ch]\b' doc/design.md | sort -u |
    lines_of 'sources in doc/design.md' | while read -r named; do
    [ -n "$(find core module tools -path "*/$named")" ] || echo "$named"
done)"
result 'each target of make that a document names exists' "$(grep -oE '(`|&& |^ {4})make( [a-z][a-z-]*)+' $present |
    sort -u | lines_of 'targets in documents' | while IFS=: read -r file words; do
    for target in ${words#*make }; do
        echo "$targets" | grep -qxF -e "$target" || echo "$file: make $target"
    done
done)"
result 'there was something to look at' "$(cat "$nothing")"
echo "1..$number"
