#!/usr/bin/env bash
# What the text of the code must not contain: oversized files, words of unfinished work, tabs and trailing spaces.
# usage: text.sh SOURCE_DIR
set -uo pipefail
. "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/refuse.sh"
cd -- "$1" || exit 1
limit=450
mapfile -d '' files < <(find src cli include -name '*.[ch]' -print0)
((${#files[@]} > 0)) || { echo "no sources found"; exit 1; }


refuse "longer than $limit lines (is a folder or a file missing?)" \
    < <(wc -l "${files[@]}" | awk -v limit="$limit" '$1 > limit && $2 != "total"')
# the words are split so that a search for them does not find this line
refuse "words of unfinished work" < <(grep -nE 'TO''DO|FIX''ME|X''XX' "${files[@]}")
refuse "tabs or spaces at the end of a line" < <(grep -nP '\t| $' "${files[@]}")
exit "$failed"
