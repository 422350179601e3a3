#!/usr/bin/env bash
# docs/api.md is what docs/make_api.sh makes of the headers, and no public function is missing in it.
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
exit "$failed"
