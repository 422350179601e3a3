#!/usr/bin/env bash
# What the text of the code must not contain: oversized files and words of unfinished work.
# usage: text.sh SOURCE_DIR
set -uo pipefail
cd -- "$1" || exit 1
limit=450
failed=0
count=0
while IFS= read -r file; do
    count=$((count + 1))
    lines=$(wc -l <"$file")
    if ((lines > limit)); then
        echo "$file has $lines lines, more than $limit: is a room or a file missing?"
        failed=1
    fi
    # the words are split so that this file does not find itself
    if grep -nHE 'TO''DO|FIX''ME|X''XX' "$file"; then
        echo "$file contains a word of unfinished work"
        failed=1
    fi
    if grep -nHP '\t| $' "$file"; then
        echo "$file contains a tab or a space at the end of a line"
        failed=1
    fi
done < <(find src cli include -name '*.[ch]' | sort)
((count > 0)) || { echo "no sources found"; exit 1; }
exit "$failed"
