#!/bin/sh
# Instructions per call (of lanes: per state) of every engine, counted by callgrind (Zveno with its baseline kernels).
# usage: bench/instructions.sh path/to/zveno [options and robots of zveno bench]
set -eu
zveno=$1
shift
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# valgrind 3.19 does not know one form of vmovq that assemblers use in the AVX2 kernels: count the baseline ones
ZVENO_ISA=baseline valgrind -q --trace-children=yes --tool=callgrind --instr-atstart=no --callgrind-out-file="$dir/out" "$zveno" bench --quick "$@" >&2
printf '%-12s %-13s %-12s %14s\n' robot function engine instructions
ls -v "$dir"/out.* | while read -r file; do
    awk '/^desc: Trigger: Client Request: /{sub(/^desc: Trigger: Client Request: /, ""); split($0, part, "/")}
         /^(totals|summary): /{total = $2}
         END {if (part[4]) printf "%-12s %-13s %-12s %14.0f\n", part[1], part[2], part[3], total / part[4]}' "$file"
done
