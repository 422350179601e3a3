#!/usr/bin/env bash
# The shape of the sources: no file above 450 lines, and functions of 12 lines and more open with a comment that says
# what they do and why. Formatted sources are taken for granted: a function ends at a brace in the first column.
# usage: shape.sh SOURCE_DIR [--list]   (--list: every finding; without it the counts)
set -uo pipefail
cd -- "$1" || exit 1

mapfile -t files < <(find src cli -name '*.[ch]' -o -name '*.cpp' | sort)
findings=$(awk '
    FNR == 1 { previous = ""; inside = 0 }
    inside && /^}/ {
        long = FNR - opened + 1 >= 12
        if (long && !headed) print start_file ":" started ": " FNR - opened + 1 " lines, no heading"
        if (long) print "long"
        inside = 0
        previous = $0
        next
    }
    inside { next }
    /^[A-Za-z_].*\(/ && !/;$/ && !/^(typedef|struct|enum|union|namespace|extern "C")/ {
        started = FNR
        start_file = FILENAME
        headed = previous ~ /\*\/$/ || previous ~ /^\/\//
    }
    /^[A-Za-z_ \t].*\) (const )?\{$/ && !/^[ \t]*(if|for|while|switch|else|do)\>/ && started { inside = 1; opened = started }
    /[;]$/ && !inside { started = 0 }
    { if ($0 != "") previous = $0; else previous = "" }
' "${files[@]}")
# Folders whose functions have no headings yet; a folder leaves this list when it has none without.
pending=(src/batch src/beam src/codegen src/derive src/dynamics src/kinematics src/loops src/model src/real src/spatial
    src/work)
without=$(IFS='|'; echo "^(${pending[*]:-none})/")
long=$(grep -c '^long$' <<<"$findings")
bare=$(grep 'no heading$' <<<"$findings" | grep -vcE "$without")
later=$(grep 'no heading$' <<<"$findings" | grep -cE "$without")
big=$(for file in "${files[@]}"; do
    lines=$(wc -l <"$file")
    ((lines <= 450)) || echo "$file: $lines lines"
done)
[[ ${2:-} != --list ]] || grep 'no heading$' <<<"$findings"
[[ $bare -eq 0 ]] || grep 'no heading$' <<<"$findings" | grep -vE "$without"
[[ -z $big ]] || echo "$big"
echo "$long functions of 12 lines and more, $((bare + later)) of them without a heading, $later in: ${pending[*]:-no folder}; ${#files[@]} files"
[[ -z $big && $bare -eq 0 ]]
