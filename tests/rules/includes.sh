#!/usr/bin/env bash
# Includes point down: a folder may include its own headers and those of lower layers, and public headers of folders that
# are not above it. The command uses public headers only. Third-party headers are each included by one named file.
# usage: includes.sh SOURCE_DIR
set -uo pipefail
cd -- "$1" || exit 1

# folder -> layer; folders of one layer do not know each other (the scalar stands below the factorisations that use it,
# task space below the controllers that use it, loops below the modes that they leave, the modes of a link below the model that has such links)
declare -A layer=(
    [base]=0 [real]=10 [linalg]=11 [spatial]=20
    [beam]=25 [model]=30 [integrate]=30 [record]=30 [motion]=30
    [mesh]=39 [read]=40 [work]=40 [kinematics]=50 [dynamics]=60
    [loops]=70 [opspace]=70 [derive]=70 [actuate]=71 [modes]=71 [simulate]=80 [linear]=90 [batch]=90 [codegen]=90 [agree]=91 [maps]=91
)
# public headers that do not carry the name of their folder
declare -A folder_of_header=([map]=maps [status]=base [version]=base [pose]=spatial [builder]=model [check]=model [chain]=model [document]=read [passive]=loops [flexible]=dynamics [response]=modes)
# third-party header -> the one file that may include it
declare -A owner=(
    [yaml.h]=src/read/document.c [libxml/]=src/read/xml.c [hdf5.h]=src/record/h5.h [lapacke.h]=src/modes/lapack_dense.c [cairo]=cli/chart/chart.c [microhttpd.h]=cli/server/server.c
    [cvode/]=src/integrate/sundials.h [arkode/]=src/integrate/sundials.h [nvector/]=src/integrate/sundials.h
    [sunlinsol/]=src/integrate/sundials.h
    [sunnonlinsol/]=src/integrate/sundials.h [sunmatrix/]=src/integrate/sundials.h [sundials/]=src/integrate/sundials.h
)

failed=0
complain() {
    echo "$*"
    failed=1
}

# Prints "line-number quoted-or-system header" for every include of a file.
list_includes() {
    sed -nE 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*(["<])([^">]*)[">].*/\1 \2/p' "$1"
}

check_third_party() { # file header
    local prefix
    for prefix in "${!owner[@]}"; do
        if [[ $2 == "$prefix"* && $1 != "${owner[$prefix]}" ]]; then
            complain "$1 includes <$2>, which belongs to ${owner[$prefix]} alone"
        fi
    done
}

check_down() { # file folder included-folder header
    if [[ -z ${layer[$3]+known} ]]; then
        complain "$1 includes \"$4\": folder \"$3\" has no layer in tests/rules/includes.sh"
    elif [[ $3 != "$2" ]] && ((layer[$3] >= layer[$2])); then
        complain "$1 includes \"$4\": ${3} (layer ${layer[$3]}) is not below ${2} (layer ${layer[$2]})"
    fi
}

check_file() { # file folder
    local file=$1 folder=$2 kind header name
    while read -r kind header; do
        check_third_party "$file" "$header"
        case $kind$header in
        '"zveno/zveno.h' | '"zveno/core.h') complain "$file includes $header: include what is used" ;;
        '"zveno/'*)
            name=${header#zveno/}
            name=${name%.h}
            check_down "$file" "$folder" "${folder_of_header[$name]:-$name}" "$header"
            ;;
        '"'*/*) check_down "$file" "$folder" "${header%%/*}" "$header" ;;
        '"'*) [[ -f ${file%/*}/$header ]] || complain "$file includes \"$header\", which is not beside it" ;;
        '<zveno/'*) complain "$file includes <$header>: use quotes" ;;
        esac
    done < <(list_includes "$file")
}

count=0
while IFS= read -r file; do
    folder=${file#src/}
    folder=${folder%%/*}
    if [[ -z ${layer[$folder]+known} ]]; then
        complain "$file: folder \"$folder\" has no layer in tests/rules/includes.sh"
        continue
    fi
    check_file "$file" "$folder"
    count=$((count + 1))
done < <(find src -name '*.[ch]' -o -name '*.cpp' | sort)
((count > 0)) || complain "no sources under src/"

for file in include/zveno/*.h; do
    name=${file##*/}
    name=${name%.h}
    [[ $name == zveno || $name == core ]] || check_file "$file" "${folder_of_header[$name]:-$name}"
done

while IFS= read -r file; do
    while read -r kind header; do
        check_third_party "$file" "$header"
        [[ $kind$header == '"'*/* && $header != zveno/* && ! -f cli/$header ]] && complain "$file includes \"$header\": the command uses include/zveno only"
    done < <(list_includes "$file")
done < <(find cli examples -name '*.[ch]' | sort)
exit "$failed"
