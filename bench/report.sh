#!/usr/bin/env bash
# Measures everything and writes it down: bench/results/NAME.txt, the table of docs/performance.md between its marks, and
# docs/images/roofline.svg. Takes some ten minutes; the machine should do nothing else.
# usage: bench/report.sh path/to/zveno [DIR [NAME]]    DIR: folder of ur5.urdf, panda.urdf, solo12.urdf; NAME: of the CPU
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

# A line for each robot and function: ns of the engines, and how many times as fast as MuJoCo.
markdown() {
    awk -F '  +' '
        function number(x) { return x == "" ? "–" : x + 0 >= 1000 ? sprintf("%.0f", x) : sprintf("%.3g", x) }
        function ratio(x) { return ns["MuJoCo"] != "" && x != "" ? sprintf("%.1f", ns["MuJoCo"] / x) : "–" }
        function flush() {
            if (row != "")
                printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", robot, task, number(ns["Zveno"]),
                    number(ns["generated"]), number(ns["lanes"]), number(ns["lanes float"]), number(ns["generated lanes"]), number(ns["MuJoCo"]),
                    number(ns["KDL"]), number(ns["Simbody"]), ratio(ns["Zveno"]), ratio(ns["generated"]), ratio(ns["lanes"]), ratio(ns["generated lanes"])
            delete ns
        }
        BEGIN {
            print "| robot | function | Zveno ns | generated ns | lanes ns | lanes float ns | generated lanes ns | MuJoCo ns | KDL ns | Simbody ns | MuJoCo / Zveno | MuJoCo / generated | MuJoCo / lanes | MuJoCo / generated lanes |"
            print "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
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
