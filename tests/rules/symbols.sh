#!/usr/bin/env bash
# Names of the libraries. Shared ones export exactly what the headers of their tier declare, all of it zv_*, have a SONAME
# with the minor version, and that of the core needs libc and libm only. Static ones define zv_* and zi_* and nothing else.
# usage: symbols.sh SOURCE_DIR CORE_ARCHIVE CORE_SHARED WHOLE_ARCHIVE WHOLE_SHARED
set -uo pipefail
include=$1/include/zveno
failed=0
complain() {
    echo "$*"
    failed=1
}

# Functions that headers declare: names before a parenthesis at the beginning of a declaration, outside of comments.
declared() { # header...
    awk '
        { text = text $0 "\n" }
        END {
            while (match(text, /\/\*([^*]|\*+[^*\/])*\*+\//)) text = substr(text, 1, RSTART - 1) " " substr(text, RSTART + RLENGTH)
            n = split(text, lines, "\n")
            for (i = 1; i <= n; i++)
                if (lines[i] !~ /^#/ && match(lines[i], /^[a-z][A-Za-z0-9_ *]*[ *]zv_[a-z0-9_A-Z]*\(/)) {
                    name = substr(lines[i], RSTART, RLENGTH - 1)
                    sub(/.*[ *]/, "", name)
                    print name
                }
        }' "$@" | sort -u
}

tier_headers() { # word...
    local word
    for word in "$@"; do grep -lE "^/\* $word\. " "$include"/*.h; done
}

check_shared() { # library header...
    local exported difference
    exported=$(nm -D --defined-only "$1" | awk '{ print $NF }' | sort -u)
    difference=$(diff <(declared "${@:2}") - <<<"$exported")
    [[ -z $difference ]] || complain "$1 does not export what its headers declare (< declared, > exported):"$'\n'"$difference"
    [[ $(objdump -p "$1" | awk '$1 == "SONAME" { print $2 }') =~ ^libzveno(-core)?\.so\.[0-9]+\.[0-9]+$ ]] || complain "$1 has no SONAME"
}

check_static() { # archive
    local strange
    strange=$(nm -g --defined-only "$1" 2>/dev/null | awk 'NF == 3 && $3 !~ /^z[vi]_/ { print $3 }' | sort -u)
    [[ -z $strange ]] || complain "$1 defines names of neither prefix:"$'\n'"$strange"
}

mapfile -t core < <(tier_headers Core)
mapfile -t whole < <(tier_headers Core Application)
check_static "$2"
check_shared "$3" "${core[@]}"
check_static "$4"
check_shared "$5" "${whole[@]}"
more=$(objdump -p "$3" | awk '$1 == "NEEDED" && $2 !~ /^(lib(c|m|pthread)|ld-linux[^.]*)\.so/ { print $2 }')
[[ -z $more ]] || complain "the core needs more than libc and libm: $more"

# What core.h and zveno.h include is what the first words of the headers say.
for header in "${whole[@]}"; do
    name=zveno/${header##*/}
    [[ $name == zveno/core.h ]] && continue
    home=zveno.h
    [[ " ${core[*]} " == *" $header "* ]] && home=core.h
    grep -qF "#include \"$name\"" "$include/$home" || complain "$name is of another tier than $home"
done
exit "$failed"
