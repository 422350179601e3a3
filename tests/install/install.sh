#!/usr/bin/env bash
# Installs Zveno into a temporary prefix, moves the prefix, and builds and runs two programs through pkg-config and
# through find_package: the README's first in C, and one in C++ that simulates. README's own commands and CMakeLists.txt
# are run as printed, in a folder whose path has a space. The core's package must do without any other package.
# usage: install.sh static|shared|core SOURCE_DIR BUILD_DIR [OPTION OF CMAKE...]
set -euo pipefail
kind=$1
source_dir=$2
build_dir=$3
switches=("${@:4}") # of the shared build
scratch=$(mktemp -d "${TMPDIR:-/tmp}/zveno install.XXXXXX") # the space is on purpose
trap 'rm -rf -- "$scratch"' EXIT

# Runs a command; shows what it printed only when it fails.
quietly() {
    "$@" >"$scratch/log" 2>&1 || { echo "failed: $*"; cat "$scratch/log"; exit 1; }
}

# As little optimised as can be, and for this machine: it is the package that is tried, not the code.
build_shared() {
    quietly cmake -S "$source_dir" -B "$build_dir" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE=-O0 \
        -DZVENO_OPTIMISE=-O0 -DZVENO_NATIVE=ON -DBUILD_SHARED_LIBS=ON -DZVENO_TESTS=OFF -DCMAKE_SHARED_LINKER_FLAGS=-Wl,--no-undefined "${switches[@]}"
    quietly cmake --build "$build_dir"
}

install_and_move() {
    quietly cmake --install "$build_dir" --prefix "$scratch/first"
    mv "$scratch/first" "$scratch/prefix"
    pc=$(find "$scratch/prefix" -name zveno.pc)
    package=$(find "$scratch/prefix" -name zvenoConfig.cmake)
    [[ -f $pc && -f $package ]] || { echo "zveno.pc or zvenoConfig.cmake is not installed"; exit 1; }
    export PKG_CONFIG_PATH=${pc%/*}
    libdir=${pc%/pkgconfig/*}
    if grep -rlF -e "$source_dir/" -e "$scratch/first" "$pc" "${package%/*}" "$scratch/prefix/include"; then
        echo "the files above name the source or the first prefix: not relocatable"
        exit 1
    fi
}

# The first C block of README.md.
write_programs() {
    awk '/^```c$/ { inside = 1; next } inside && /^```/ { exit } inside' "$source_dir/README.md" >"$scratch/program.c"
    cmp "$scratch/program.c" "$source_dir/examples/00_first.c" || { echo "README.md and examples/00_first.c differ"; exit 1; }
    grep -q 'int main' "$scratch/program.c" || { echo "README.md has no C program between its first \`\`\`c fences"; exit 1; }
    cat >"$scratch/program.cpp" <<'TEXT'
#include <cstdio>
#include <string>
#include <zveno/zveno.h>
int main() {
    const std::string text = "{zveno_scenario: 1, duration: 1, model: {inline: {links: [{name: base}, {name: ball, mass: 1,"
                             " inertia: [1, 1, 1]}], joints: [{name: j, type: prismatic, parent: base, child: ball}]}}}";
    std::size_t count;
    const std::string change = std::string("integrator.method=") + zv_integration_methods(&count)->name;
    const char *const changes[] = {change.c_str()};
    zvScenario *scenario = nullptr;
    zvRunSummary *summary = nullptr;
    zvError error;
    zvStatus status = zv_scenario_read_memory("fall", text.data(), text.size(), 1, changes, &scenario, &error);
    if (status >= 0) status = zv_simulate(scenario, nullptr, &summary, &error);
    std::puts(status < 0 ? error.text : zv_version());
    const bool arrived = status >= 0 && zv_run_time(summary) == 1;
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
    return !arrived;
}
TEXT
}

# Programs that need the core only.
write_core_programs() {
    cp "$source_dir/examples/01_pendulum.c" "$scratch/program.c"
    printf '%s\n' '#include <cstdio>' '#include <zveno/zveno.h>' \
        'int main() { zvBuilder *b = zv_builder_create(); zv_builder_destroy(b); std::puts(zv_version()); return b == nullptr; }' \
        >"$scratch/program.cpp"
}

# Other packages are out of reach of both tools from here on.
forbid_packages() {
    [[ -z $(pkg-config --print-requires --print-requires-private zveno) ]] || { echo "zveno.pc of the core requires packages"; exit 1; }
    export PKG_CONFIG_LIBDIR=$PKG_CONFIG_PATH
    package_options=(-DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON -DCMAKE_DISABLE_FIND_PACKAGE_SUNDIALS=ON)
}

# Runs a built program in the source directory, where README's relative paths hold.
run() {
    quietly env -C "$source_dir" LD_LIBRARY_PATH="$libdir" "$@"
    [[ -s $scratch/log ]] || { echo "$* printed nothing"; exit 1; }
}

# Without --static even for the static library: that would ask for static twins of libxml2's own dependencies as well.
through_pkg_config() {
    local flags
    flags=$(pkg-config --cflags --libs zveno)
    # pkg-config escapes spaces of paths for a shell, hence eval
    eval "quietly ${CC:-cc} -std=c17 -Wall -Werror \"\$scratch/program.c\" -o \"\$scratch/by-pc\" $flags"
    eval "quietly ${CXX:-c++} -std=c++17 -Wall -Werror \"\$scratch/program.cpp\" -o \"\$scratch/by-pc++\" $flags"
    run "$scratch/by-pc"
    run "$scratch/by-pc++"
    [[ $(<"$scratch/log") == $(pkg-config --modversion zveno) ]] || { echo "zveno.pc and zv_version() disagree"; exit 1; }
}

through_find_package() {
    cat >"$scratch/CMakeLists.txt" <<'TEXT'
cmake_minimum_required(VERSION 3.22)
project(user LANGUAGES C CXX)
find_package(zveno 0.1 REQUIRED)
add_executable(by-cmake program.c)
add_executable(by-cmake++ program.cpp)
target_link_libraries(by-cmake PRIVATE zveno::zveno)
target_link_libraries(by-cmake++ PRIVATE zveno::zveno)
TEXT
    quietly env -u PKG_CONFIG_PATH cmake -S "$scratch" -B "$scratch/user" -G Ninja -DCMAKE_PREFIX_PATH="$scratch/prefix" \
        "${package_options[@]}"
    quietly cmake --build "$scratch/user"
    run "$scratch/user/by-cmake"
    run "$scratch/user/by-cmake++"
}

# The first block of README.md with the given language after the first C program.
readme_block() { # language
    awk -v fence="\`\`\`$1" '/^```c$/ { seen = 1 } seen && $0 == fence { inside = 1; next } inside && /^```/ { exit } inside' \
        "$source_dir/README.md"
}

# What a reader of the README types, in something that looks like the checkout. The libraries lie where this machine
# does not look for them, so a shared one needs LD_LIBRARY_PATH; the README speaks of the static one, the default.
as_readme_says() {
    local clone=$scratch/zveno
    mkdir -p "$clone" "$scratch/mine"
    ln -s "$source_dir/models" "$source_dir/examples" "$clone"
    ln -s "$build_dir" "$clone/build"
    readme_block sh >"$scratch/commands.sh"
    grep -q 'cmake --install' "$scratch/commands.sh" || { echo "README.md does not say how to install"; exit 1; }
    quietly env -C "$clone" -u PKG_CONFIG_PATH bash -e "$scratch/commands.sh"
    grep -q 'needs' "$scratch/log" || { echo "README's commands did not run its program"; exit 1; }
    readme_block cmake >"$scratch/mine/CMakeLists.txt"
    cp "$scratch/program.c" "$scratch/mine/first.c"
    quietly env -C "$scratch/mine" -u PKG_CONFIG_PATH cmake -B build -DCMAKE_PREFIX_PATH="$clone/build/prefix"
    quietly env -C "$scratch/mine" cmake --build build
    run "$scratch/mine/build/first"
}

package_options=()
[[ $kind != shared ]] || build_shared
install_and_move
if [[ $kind == core ]]; then
    write_core_programs
    forbid_packages
else
    write_programs
fi
through_pkg_config
through_find_package
[[ $kind == core ]] || LD_LIBRARY_PATH='' quietly "$scratch/prefix/bin/zveno" --version
[[ $kind != static ]] || as_readme_says
