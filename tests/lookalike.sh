#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# lookalike.sh MAKER: runs tools/tables/lookalike with core/lookalike/lookalike.table, and with rows that it must
# reject. Prints TAP; run it from the top of the tree.
set -eu

maker=$1
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
table=$folder/table

. "${0%/*}/tap.sh"

# Prints the maker's exit status and messages for a table with these lines.
said() { # LINES
    printf '%b' "$1" >"$table"
    status=0
    words=$("$maker" "$table" 2>&1 >"$folder/header") || status=$?
    echo "$status $(echo "$words" | sed "s:^$table::")"
}

refused() { # DESCRIPTION LINES MESSAGE
    result "$1" "1 $3" "$(said "$2")"
}
noted() { # DESCRIPTION LINES MESSAGE
    result "$1" "0 $3" "$(said "$2")"
}

refused 'a row before any section' 'U+0433 г r  why\n' ':1: expected [exact], [strict], [second] or [loose] before the first row'
refused 'an unknown section' '[other]\n' ':1: expected [exact], [strict], [second] or [loose]'
refused 'no code point' '[strict]\n# a comment\n\n0433 г r  why\n' \
    ':4: expected U+, a code point in four to six digits or capitals, and a space'
refused 'a short code point' '[strict]\nU+69 i l  why\n' \
    ':2: expected U+, a code point in four to six digits or capitals, and a space'
refused 'a code point in small letters' '[strict]\nU+04cf ӏ l  why\n' \
    ':2: expected U+, a code point in four to six digits or capitals, and a space'
refused 'a code point past the last' '[strict]\nU+110000 x l  why\n' ':2: there is no such character'
refused 'a surrogate' '[strict]\nU+D800 x l  why\n' ':2: there is no such character'
refused 'another character' '[strict]\nU+0434 г r  why\n' ':2: expected the character of this code point behind it'
refused 'two characters' '[strict]\nU+0434 дд a  why\n' ':2: expected the character of this code point behind it'
refused 'not UTF-8' '[strict]\nU+0434 \0264 a  why\n' ':2: not UTF-8'
refused 'no likeness' '[strict]\nU+0434 д\n' ':2: expected what the character looks like behind it'
refused 'like itself' '[strict]\nU+0434 д д  why\n' ':2: expected what the character looks like behind it'
refused 'no reason' '[strict]\nU+0434 д a\n' ':2: expected a reason at the end'
refused 'no reason but blanks' '[strict]\nU+0434 д a  \n' ':2: expected a reason at the end'
refused 'a character twice' '[strict]\nU+0434 д a  why\nU+0434 д n  why\n' ':3: line 2 is for this character too'
refused 'no newline at the end' '[strict]\nU+0434 д a  why' ':2: expected a newline within 255 octets'
refused 'a key that does not terminate' '[strict]\nU+4E01 丁 乙  why\nU+4E59 乙 丁  why\n' 'lookalike: the key of U+4E01 does not terminate'
refused 'loose: not ASCII' '[loose]\nU+0434 д a  why\n' \
    'lookalike: [loose]: U+0434 and its text must be ASCII that no key maps on'
refused 'loose: mapped on' '[loose]\nU+0064 d m  why\n' \
    'lookalike: [loose]: U+0064 and its text must be ASCII that no key maps on'

refused 'a second reading of two characters' '[second]\nU+00FE þ bb  why\n' \
    'lookalike: [second]: U+00FE must not be ASCII, and its text one letter or digit of ASCII'
refused 'a second reading of ASCII' '[second]\nU+0069 i j  why\n' \
    'lookalike: [second]: U+0069 must not be ASCII, and its text one letter or digit of ASCII'
noted 'a second reading that is the first' '[second]\nU+00E9 é e  why\n' \
    ':2: note: without effect: the strict key says so'

noted 'a row that rules say' '[strict]\nU+00E9 é e  why\n' \
    ':2: note: without effect: UTS 39 says what this character looks like'
noted 'a row that UTS 39 says' '[strict]\nU+0430 а o  why\n' \
    ':2: note: without effect: UTS 39 says what this character looks like'
noted 'a row that a name says' '[strict]\nU+0250 ɐ a  why\n' \
    ':2: note: without effect: generated rules or another row say so'
noted 'two rows for what looks the same' '[strict]\nU+03C0 π n  why\nU+043F п r  why\n' \
    ':2: note: overruled by a row for what UTS 39 says looks the same'
noted 'a mark on its circle' '[strict]\nU+0E31 ◌ั a  why\n' ''

# A row that only older versions of Unicode need.
made() { # LINES
    said "$1" >/dev/null
    cksum <"$folder/header"
}
noted 'a row of another time is not read' '[strict]\nU+00E9 é e  why (before Unicode 15)\n' ''
result 'a row of another time has no effect' "$(made '[strict]\n')" "$(made '[strict]\nU+0434 д a  why (before Unicode 15)\n')"
result 'a row of this time has' "$(made '[strict]\nU+0434 д a  why\n')" "$(made '[strict]\nU+0434 д a  why (before Unicode 99.1)\n')"
noted 'a row of this time is read' '[strict]\nU+00E9 é e  why (before Unicode 99.1)\n' \
    ':2: note: without effect: UTS 39 says what this character looks like'
refused 'a row of another time is a row' '[strict]\nU+0434 г a  why (before Unicode 15)\n' \
    ':2: expected the character of this code point behind it'

status=0
words=$("$maker" "$folder/none" 2>&1) || status=$?
result 'no table' "1 $folder/none: cannot be read" "$status $words"

# A newer version of Unicode may make a row unnecessary.
if "$maker" core/lookalike/lookalike.table 2>"$folder/notes" | head -n 1 | grep -q 'Unicode 1[56]\.0\.'; then
    result 'core/lookalike/lookalike.table has no row without effect' '' "$(cat "$folder/notes")"
else
    number=$((number + 1))
    echo "ok $number - core/lookalike/lookalike.table has no row without effect # SKIP another version of Unicode"
fi
result 'the same table at each run' "$("$maker" core/lookalike/lookalike.table | cksum)" "$("$maker" core/lookalike/lookalike.table | cksum)"
echo "1..$number"
