#!/usr/bin/env bash
# Fuzz targets: one compiler for C and C++, and ./dev fuzz runs every target with seeds and a dictionary that are there.
# usage: fuzz.sh SOURCE_DIR
set -euo pipefail
cd -- "$1"

fail() {
    echo "$*"
    exit 1
}

preset=$(sed -n '/"name": "fuzz"/,/^    }/p' CMakePresets.json)
grep -q '"CMAKE_C_COMPILER": "clang"' <<<"$preset" || fail "the preset fuzz does not compile C by clang"
grep -q '"CMAKE_CXX_COMPILER": "clang++"' <<<"$preset" || fail "the preset fuzz does not compile C++ by clang++"

verb=$(sed -n '/^verb_fuzz()/,/^}/p' dev)
for file in fuzz/fuzz_*.c; do
    target=${file#fuzz/fuzz_}
    target=${target%.c}
    corpus=$(grep -oE "\b$target:[a-z0-9]+" <<<"$verb" | head -n 1 | cut -d : -f 2) || true
    [[ -n $corpus ]] || fail "./dev fuzz does not run $target"
    [[ -n $(ls "fuzz/corpus/$corpus") ]] || fail "$target has no seeds: fuzz/corpus/$corpus is empty"
    [[ -f fuzz/$corpus.dict ]] || fail "$target has no dictionary: fuzz/$corpus.dict is missing"
done
