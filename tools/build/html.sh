#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Makes web pages of manuals: html.sh FOLDER STYLE PAGE….
# Writes PAGE.html for each, index.html and style.css into FOLDER. Names of our own pages, and of functions on them, become
# links; names of others' pages stay text.
set -eu
out=$1 style=$2
shift 2
command -v mandoc >/dev/null || { echo "html.sh: mandoc is missing: run 'make deps-ci'" >&2; exit 1; }
mkdir -p "$out"
rm -f "$out"/*.html
cp "$style" "$out/style.css"

# One sed command for each name that a page may refer to.
for page; do
    file=${page##*/}
    sed -n "s:^\.Nm \([a-z][a-z0-9._-]*\).*:s|<a class=\"Xr\">\1(${file##*.})</a>|<a class=\"Xr\" href=\"$file.html\">\1(${file##*.})</a>|g:p" "$page"
    # mandoc leads a link to a heading with "-" elsewhere: "_" replaces it there.
    sed -n 's/^\.S[hs] \(.*-.*\)/\1/p' "$page" | tr ' ' _ | while read -r id; do
        echo "s|href=\"#$(echo "$id" | tr - _)\"|href=\"#$id\"|g"
    done
done | sort -u > "$out/links.sed"

head='<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="style.css">'

list() { # TITLE SECTION PAGE…
    title=$1 section=$2
    shift 2
    printf '<h2>%s</h2>\n<dl>\n' "$title"
    for page; do
        file=${page##*/}
        [ "${file##*.}" = "$section" ] || continue
        printf '<dt><a href="%s.html">%s(%s)</a></dt>\n<dd>%s</dd>\n' "$file" "${file%.*}" "$section" \
            "$(sed -n 's/^\.Nd //p' "$page" | sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g')"
    done
    echo '</dl>'
}

for page; do
    file=${page##*/}
    {
        printf '%s\n<title>%s(%s)</title>\n</head>\n<body>\n' "$head" "${file%.*}" "${file##*.}"
        echo '<nav><a href="index.html">unbound-idn: all manuals</a></nav>'
        mandoc -T html -O fragment,toc "$page" | sed -f "$out/links.sed"
        echo '</body></html>'
    } > "$out/$file.html"
done
{
    printf '%s\n<title>unbound-idn: manuals</title>\n</head>\n<body>\n<h1>unbound-idn</h1>\n' "$head"
    list 'The command' 1 "$@"
    list "Unbound's module" 8 "$@"
    list 'Files' 5 "$@"
    list 'Libraries' 3 "$@"
    echo '</body></html>'
} > "$out/index.html"
rm "$out/links.sed"
