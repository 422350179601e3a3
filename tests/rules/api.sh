#!/usr/bin/env bash
# docs/api.md is what docs/make_api.sh makes of the headers, no public function is missing in it, and each has a sentence:
# a comment of its own behind it, or one above the group it stands in.
# usage: api.sh SOURCE_DIR
set -uo pipefail
cd -- "$1" || exit 1
failed=0
bash docs/make_api.sh --check || failed=1
count=0
while IFS= read -r name; do
    count=$((count + 1))
    grep -qE "(^|[ *])$name\(" docs/api.md || { echo "docs/api.md does not have $name"; failed=1; }
done < <(grep -hoE '^[a-z][A-Za-z0-9_ *]*[ *]zv_[a-z][A-Za-z0-9_]*\(' include/zveno/*.h | sed -E 's/.*[ *](zv_[A-Za-z0-9_]*)\($/\1/' | sort -u)
((count > 300)) || { echo "only $count functions found in include/zveno"; failed=1; }
# a block of declarations that follows another or a heading has no sentence above it
bare=$(awk '
    /^## All functions/ { on = 1 }
    !on { next }
    /^```c$/ { inside = 1; next }
    inside && /^```$/ { inside = 0; above = 0; next }
    inside { if (!above && $0 ~ /(^|[ *])zv_[a-z0-9_]+\(/) { at = $0; split_line = ($0 !~ /;/) }
             else if (!split_line) next
             if ($0 ~ /;/ || $0 ~ /\/\*/) { if (!above && at != "" && $0 !~ /\/\*/) print at; at = ""; split_line = 0 }
             next }
    /^###/ { above = 0; next }
    NF { above = 1 }' docs/api.md)
[[ -z $bare ]] || { printf 'these have no sentence in their header:\n%s\n' "$bare"; failed=1; }
exit "$failed"
