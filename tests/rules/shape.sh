#!/usr/bin/env bash
# The shape of the sources: no file above 450 lines, and functions of 12 lines and more open with a comment that says
# what they do and why. Formatted sources are taken for granted: a function ends at a brace in the first column.
# usage: shape.sh SOURCE_DIR
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
    /[;}]$/ && !inside { started = 0 } # a declaration, or a body on the same line
    /^template <.*>$/ { next } # between a heading and its function
    { previous = $0 }
' "${files[@]}")
long=$(grep -c '^long$' <<<"$findings")
bare=$(grep -c 'no heading$' <<<"$findings")
big=$(for file in "${files[@]}"; do
    lines=$(wc -l <"$file")
    ((lines <= 450)) || echo "$file: $lines lines"
done)
grep 'no heading$' <<<"$findings"
[[ -z $big ]] || echo "$big"
echo "$long functions of 12 lines and more, $bare of them without a heading; ${#files[@]} files"
[[ -z $big && $bare -eq 0 ]]
