#!/usr/bin/env bash
# Names: a type of src and cli is defined once, and no static function of more than three files has one name, unless it does
# the same in all of them. Formatted sources are taken for granted: definitions begin in the first column.
# usage: names.sh SOURCE_DIR
set -uo pipefail
. "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/refuse.sh"
cd -- "$1" || exit 1

mapfile -t files < <(find src cli -name '*.[ch]' -o -name '*.cpp' | sort)

# the kernels' scalar is one of three, by the header that is included
scalars='^(real|real_ok|real_source) '
refuse "a type that is defined twice" < <(
    awk '
        /^(typedef )?(struct|union|enum|class) [A-Za-z_0-9]+ \{/ {
            tagged = $1 == "typedef" ? $3 : $2
            print tagged, FILENAME
        }
        /^typedef (struct|union|enum) \{/ { tagged = "" }
        /^\} [A-Za-z_0-9]+;/ { sub(/;.*/, "", $2); if ($2 != tagged) print $2, FILENAME }
        /^typedef .*\(\*[A-Za-z_0-9]+\)/ { match($0, /\(\*[A-Za-z_0-9]+/); print substr($0, RSTART + 2, RLENGTH - 2), FILENAME }
        /^typedef [^({]*;/ {
            sub(/;.*/, "")
            if (!($2 ~ /^(struct|union)$/ && $3 == $4)) print $NF, FILENAME
        }
    ' "${files[@]}" | sort -u | grep -vE "$scalars" |
        awk '{ where[$1] = where[$1] " " $2; count[$1]++ } END { for (n in count) if (count[n] > 1) print n ":" where[n] }' | sort)

# functions of a table's rows, and helpers that mean the same wherever they stand
same='answer_size|choose|describe_methods|parts_of|print_json|print_result|print_table|run|solve'
same+='|doubles|fail_memory|inward|length|mark_of|out_of_memory'
refuse "a static function of more than three files" < <(
    awk '
        /^static / && match($0, /[A-Za-z_0-9]+\(/) && !/;$/ {
            if (substr($0, 1, RSTART - 1) !~ /=/) print substr($0, RSTART, RLENGTH - 1), FILENAME # else it is called
        }
    ' "${files[@]}" | sort -u | grep -vE "^($same) " |
        awk '{ where[$1] = where[$1] " " $2; count[$1]++ } END { for (n in count) if (count[n] > 3) print n ":" where[n] }' | sort)
exit "$failed"
