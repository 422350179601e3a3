#!/usr/bin/env bash
# The library builds with libc and libm alone: no XML, no YAML, no SUNDIALS, no HDF5, no LAPACK, no C++ compiler.
# Everything but the readers and what traces kernels is in it, and so are fixed-step integrators and recordings in CSV. The build
# folder stays: install.sh installs it.
# usage: core.sh SOURCE_DIR BUILD_DIR C_COMPILER
set -euo pipefail
source_dir=$1
build_dir=$2
cc=$3
cmake -S "$source_dir" -B "$build_dir" -G Ninja -DCMAKE_C_COMPILER="$cc" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_C_FLAGS_RELEASE=-O0 -DZVENO_OPTIMISE=-O0 -DZVENO_WERROR=ON -DZVENO_LEVELS=OFF \
    -DZVENO_READERS=OFF -DZVENO_SUNDIALS=OFF -DZVENO_HDF5=OFF -DZVENO_LAPACK=OFF -DZVENO_CODEGEN=OFF -DZVENO_BATCH=OFF \
    -DZVENO_CLI=OFF -DZVENO_TESTS=OFF \
    >"$build_dir.log" || { cat "$build_dir.log"; exit 1; }
cmake --build "$build_dir" >"$build_dir.log" || { cat "$build_dir.log"; exit 1; }

# Nothing else may be needed; that nothing is missing the linker has seen (--no-undefined).
needed=$(objdump -p "$build_dir/libzveno.so" | awk '$1 == "NEEDED" && $2 !~ /^(lib(c|m)|ld-linux[^.]*)\.so/ { print $2 }')
if [[ -n $needed ]]; then
    echo "the bare library needs more than libc and libm: $needed"
    exit 1
fi
symbols=$(nm "$build_dir/libzveno.a" 2>/dev/null)
for function in zv_law_at zv_route_at zv_integrator_step zv_recorder_row zv_task_dynamics zv_drives_accelerate \
    zv_count zv_codegen zv_batch_create; do
    [[ $symbols == *" T $function"$'\n'* ]] || { echo "$function is not in the bare library"; exit 1; }
done
