#!/usr/bin/env bash
# Links between the pages lead to files that are there, and to headings that are there; files the pages name are there.
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

# A path in backticks is one from the source directory, from src or include, or from the page's own folder. In the pages for
# developers a name alone is that of some source; in those for users it may be a file of theirs. Capitals stand for a name.
names=$(find src cli include tests bench examples fuzz viewer cmake docs -name node_modules -prune -o -type f -printf '%f\n' | sort -u)
refuse "sources that are not there" < <(
    for page in "${pages[@]}"; do
        sed '/^```/,/^```/d' "$page" | grep -oE '`[A-Za-z0-9_./-]+\.(c|h|cpp|js|py|sh|cmake)`' | tr -d '`' | sort -u |
            while read -r name; do
                if [[ $name =~ [A-Z]{4}|^generated/ ]]; then
                    continue
                elif [[ $name == */* ]]; then
                    [[ -e $name || -e src/$name || -e include/$name || -e ${page%/*}/$name ]] || echo "$page: $name"
                elif [[ $page == ./ARCHITECTURE.md || $page == ./CONTRIBUTING.md ]]; then
                    grep -qxF -- "$name" <<<"$names" || echo "$page: $name"
                fi
            done
    done)
exit "$failed"
