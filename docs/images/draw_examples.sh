#!/usr/bin/env bash
# Draws the pictures of docs/examples anew by the commands printed there: simulate, then plot.
# usage: docs/images/draw_examples.sh [ZVENO]      ZVENO is the command, build/zveno unless told
set -euo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
program=$(readlink -f -- "${1:-$root/build/zveno}")
folder=$(mktemp -d)
trap 'rm -rf -- "$folder"' EXIT
ln -s "$root"/{scenarios,models} "$folder/"
cd -- "$folder"
zveno() { "$program" "$@"; }
for page in "$root"/docs/examples/*.md; do
    name=$(basename -- "$page" .md)
    zveno simulate "scenarios/$name.yaml" --quiet >/dev/null
    eval "$(grep -m 1 '^\$ zveno plot' "$page" | cut -c 3-)"
    mv -- "$name.svg" "$root/docs/images/"
done
zveno count --table 2:12 --plot "$root/docs/images/counts.svg" >/dev/null
