#!/usr/bin/env bash
# Two builds of the command measured in turn, so that whatever the machine does meanwhile meets both alike: before, after,
# before, after ... A row counts with its fastest time of all turns.
# usage: bench/compare.sh BEFORE AFTER TURNS [OPTION of zveno bench...]     BEFORE, AFTER: paths of zveno
# Exit code 1: a row is slower by more than 3 % and by more than the two builds' own spread.
set -euo pipefail
before=$1
after=$2
turns=$3
shift 3
folder=$(mktemp -d)
trap 'rm -rf -- "$folder"' EXIT
for ((turn = 1; turn <= turns; turn++)); do
    for build in before after; do
        [[ ! -t 2 ]] || printf '\r\033[Kturn %d of %d, %s' "$turn" "$turns" "$build" >&2
        ZVENO_PEERS=$folder "${!build}" bench --json --quiet "$@" >"$folder/$build.$turn" 2>"$folder/notes" ||
            { cat "$folder/notes" >&2; exit 1; }
    done
done
[[ ! -t 2 ]] || printf '\r\033[K' >&2

# robot, function, engine, ns and the turn of every row; then the fastest of each build
rows() { # build
    local turn
    for ((turn = 1; turn <= turns; turn++)); do
        sed -nE 's/.*"robot": "([^"]*)".*"function": "([^"]*)", "engine": "([^"]*)", "ns": ([0-9.e+-]*),.*/\1\t\2\t\3\t\4/p' \
            "$folder/$1.$turn"
    done
}
{ rows before | sed 's/^/before\t/'; rows after | sed 's/^/after\t/'; } | awk -F '\t' '
    {
        row = $2 "\t" $3 "\t" $4
        if (!(row in known)) { known[row] = 1; order[++count] = row }
        if (!(($1, row) in best) || $5 + 0 < best[$1, row]) best[$1, row] = $5 + 0
        # the slowest turn within a tenth of the fastest tells how far an undisturbed one may be off
        times[$1, row] = times[$1, row] " " $5
    }
    function spread(build, row,    n, list, i, near) {
        n = split(times[build, row], list, " ")
        near = 0
        for (i = 1; i <= n; i++) if (list[i] <= 1.1 * best[build, row] && list[i] > near) near = list[i]
        return near / best[build, row] - 1
    }
    END {
        printf "%-14s %-10s %-16s %10s %10s %8s\n", "robot", "function", "engine", "before ns", "after ns", "after %"
        for (i = 1; i <= count; i++) {
            row = order[i]
            if (!(("before", row) in best) || !(("after", row) in best)) continue
            split(row, part, "\t")
            change = best["after", row] / best["before", row] - 1
            slower = change > 0.03 && change > spread("before", row) && change > spread("after", row)
            printf "%-14s %-10s %-16s %10.1f %10.1f %+7.1f%%%s\n", part[1], part[2], part[3], best["before", row],
                best["after", row], 100 * change, slower ? "  slower" : ""
            compared++
            late += slower
            if (compared == 1 || change > worst) { worst = change; where = part[1] " " part[2] " " part[3] }
            sum += log(best["after", row] / best["before", row])
        }
        if (!compared) { print "no row is in both"; exit 1 }
        printf "%d rows compared, %d slower by more than 3 %% and their spread; worst %+.1f%% (%s); geometric mean %+.1f%%\n", compared,
            late, 100 * worst, where, 100 * (exp(sum / compared) - 1)
        exit late > 0
    }'
