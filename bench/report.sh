#!/usr/bin/env bash
# Measures everything and writes it down: bench/results/NAME.txt, the table of docs/performance.md between its marks, and
# docs/images/roofline.svg. Takes some ten minutes; the machine should do nothing else.
# usage: bench/report.sh path/to/zveno [DIR [NAME]]    DIR: folder of robots (zveno bench --golden); NAME: of the CPU
set -euo pipefail
zveno=$(readlink -f -- "$1")
programs=${zveno%/*}
robots=()
shown=""
if [[ -n ${2:-} ]]; then
    robots=(--golden "$(readlink -f -- "$2")")
    shown=" --golden DIR"
fi
cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.."
table=$(mktemp)
trap 'rm -f "$table"' EXIT

"$zveno" bench "${robots[@]}" >"$table"
cpu=$(sed -n '1s/; zveno.*//p' "$table")
name=${3:-$(tr -cs 'A-Za-z0-9\n' - <<<"$cpu" | tr 'A-Z' 'a-z' | sed 's/-*$//')}
results=bench/results/$name.txt

section() { # what one would type, then the command itself
    printf '\n$ %s\n\n' "$1"
    shift
    "$@"
}
{
    printf '%s, %s processors, %s, release build.\n' "$cpu" "$(nproc)" "$(cc --version | head -n 1)"
    section "./dev bench$shown" cat "$table"
    section "./dev bench scaling" "$programs/zveno_scaling"
    section "./dev bench roofline docs/images/roofline.svg" "$programs/zveno_roofline" docs/images/roofline.svg
    section "bench/instructions.sh build-bench/zveno$shown --no-chains" \
        bench/instructions.sh "$zveno" "${robots[@]}" --no-chains --quiet
} >"$results.new"
mv -- "$results.new" "$results"

# A line for each robot and function: ns of the engines, and how many times as fast as the best peer.
markdown() {
    awk -F '  +' '
        function number(x) { return x == "" ? "–" : x + 0 >= 1000 ? sprintf("%.0f", x) : sprintf("%.3g", x) }
        function ratio(x) { return best != "" && x != "" ? sprintf("%.1f", best / x) : "–" }
        function column(x) { printf " %s |", x }
        function flush(i) {
            best = ""
            for (i = 6; i <= engines; ++i) if (ns[engine[i]] != "" && (best == "" || ns[engine[i]] < best + 0)) best = ns[engine[i]]
            if (row != "") {
                printf "| %s | %s |", robot, task
                for (i = 1; i <= engines; ++i) column(number(ns[engine[i]]))
                column(ratio(ns["Zveno"])); column(ratio(ns["generated"]))
                column(ratio(ns["lanes"])); column(ratio(ns["generated lanes"]))
                printf "\n"
            }
            delete ns
        }
        BEGIN {
            engines = split("Zveno,generated,lanes,lanes float,generated lanes,Pinocchio,MuJoCo,KDL,Simbody", engine, ",")
            printf "| robot | function |"
            for (i = 1; i <= engines; ++i) column(engine[i] " ns")
            print " best peer / Zveno | / generated | / lanes | / generated lanes |"
            printf "|---|---|"
            for (i = 1; i <= engines + 4; ++i) printf "---:|"
            printf "\n"
        }
        $1 == "robot" { inside = !done; next }
        inside && NF < 4 { done = 1; inside = 0 }
        inside {
            if ($1 " " $2 != row) { flush(); row = $1 " " $2; robot = $1; task = $2 }
            ns[$3] = $4
        }
        END { flush() }' "$1"
}
page=docs/performance.md
{
    sed '/<!-- table -->/q' "$page"
    printf '`./dev bench%s`: %s\n\n' "$shown" "$(head -n 1 "$table")"
    markdown "$table"
    sed -n '/<!-- end of table -->/,$p' "$page"
} >"$page.new"
mv -- "$page.new" "$page"
echo "wrote $results, $page, docs/images/roofline.svg"
