#!/usr/bin/env bash
# Links between the pages lead to files that are there, and to headings that are there.
# usage: links.sh SOURCE_DIR
set -uo pipefail
. "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/refuse.sh"
cd -- "$1" || exit 1
mapfile -d '' pages < <(find . -maxdepth 1 -name '*.md' -print0; find docs viewer/README.md -name '*.md' -print0)

# The anchors of a page: its headings in small letters, signs dropped, blanks as hyphens.
anchors() { # page
    sed -n '/^```/,/^```/d; s/^##* //p' "$1" | tr '[:upper:]' '[:lower:]' | sed -E 's/[^[:alnum:] _-]//g; s/ /-/g'
}

refuse "links that lead nowhere" < <(
    for page in "${pages[@]}"; do
        sed '/^```/,/^```/d' "$page" | grep -oE '\]\([^)]+\)' | sed -E 's/^\]\(//; s/\)$//' | while read -r link; do
            [[ $link != *://* ]] || continue
            file=${link%%#*}
            target=${file:+$(dirname -- "$page")/$file}
            target=${target:-$page}
            if [[ ! -e $target ]]; then
                echo "$page: $link"
            elif [[ $link == *#* && $target == *.md ]]; then
                anchors "$target" | grep -qxF -- "${link#*#}" || echo "$page: $link (no such heading)"
            fi
        done
    done)
exit "$failed"
