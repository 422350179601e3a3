#!/usr/bin/env bash
# Every public header compiles alone, in C17 and in C++17, without a warning.
# usage: headers.sh SOURCE_DIR C_COMPILER
set -uo pipefail
source_dir=$1
cc=$2
cxx=${CXX:-c++}
command -v "$cxx" >/dev/null || { echo "no C++ compiler: install g++"; exit 1; }

failed=0
count=0
for header in "$source_dir"/include/zveno/*.h; do
    name=zveno/${header##*/}
    # Twice, so that the include guard is tried as well.
    text="#include \"$name\"
#include \"$name\"
int unused_but_declared(void);
int unused_but_declared(void) { return 0; }"
    flags=(-Wall -Wextra -Wpedantic -Werror -fsyntax-only -I"$source_dir/include")
    "$cc" -x c -std=c17 "${flags[@]}" - <<<"$text" || { echo "$name does not compile alone in C17"; failed=1; }
    "$cxx" -x c++ -std=c++17 "${flags[@]}" - <<<"$text" || { echo "$name does not compile alone in C++17"; failed=1; }
    count=$((count + 1))
done
((count > 0)) || { echo "no headers under $source_dir/include/zveno"; exit 1; }
exit "$failed"
