#!/usr/bin/env bash
# The core builds with libc and libm alone: no XML, no YAML, no SUNDIALS, no HDF5.
# usage: core.sh SOURCE_DIR BUILD_DIR
set -euo pipefail
source_dir=$1
build_dir=$2
cmake -S "$source_dir" -B "$build_dir" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON \
    -DCMAKE_SHARED_LINKER_FLAGS=-Wl,--no-undefined \
    -DZVENO_READERS=OFF -DZVENO_SUNDIALS=OFF -DZVENO_HDF5=OFF -DZVENO_CLI=OFF -DZVENO_TESTS=OFF -DZVENO_WERROR=ON >"$build_dir.log" || { cat "$build_dir.log"; exit 1; }
cmake --build "$build_dir" >"$build_dir.log" || { cat "$build_dir.log"; exit 1; }
needed=$(objdump -p "$build_dir/libzveno.so" | awk '$1 == "NEEDED" && $2 !~ /^lib(c|m)\.so/ { print $2 }')
if [[ -n $needed ]]; then
    echo "the core needs more than libc and libm: $needed"
    exit 1
fi
