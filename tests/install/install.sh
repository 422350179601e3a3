#!/usr/bin/env bash
# Installs Zveno into a temporary prefix, moves the prefix, and builds and runs programs against both libraries, shared
# and static, through pkg-config and through find_package. Programs of the whole library: README's first in C, and one in
# C++ that simulates; of the core: a pendulum in C and a few lines of C++, with every other package out of reach. README's
# own commands and CMakeLists.txt are run as printed, in a folder whose path has a space; so are those of generated code.
# usage: install.sh whole|core SOURCE_DIR BUILD_DIR     core: the build has no packages, so neither needs its library
set -euo pipefail
kind=$1
source_dir=$2
build_dir=$3
scratch=$(mktemp -d "${TMPDIR:-/tmp}/zveno install.XXXXXX") # the space is on purpose
trap 'rm -rf -- "$scratch"' EXIT

# Runs a command; shows what it printed only when it fails.
quietly() {
    "$@" >"$scratch/log" 2>&1 || { echo "failed: $*"; cat "$scratch/log"; exit 1; }
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
write_whole_programs() {
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
    sed 's|"zveno/zveno.h"|<zveno/core.h>|' "$source_dir/examples/01_pendulum.c" >"$scratch/program.c"
    printf '%s\n' '#include <cstdio>' '#include <zveno/core.h>' \
        'int main() { zvBuilder *b = zv_builder_create(NULL); zv_builder_destroy(b); std::puts(zv_version()); return b == nullptr; }' \
        >"$scratch/program.cpp"
}

# Runs a built program in the source directory, where README's relative paths hold.
run() {
    quietly env -C "$source_dir" LD_LIBRARY_PATH="$libdir" "$@"
    [[ -s $scratch/log ]] || { echo "$* printed nothing"; exit 1; }
}

# Whether a program carries its library or loads it, and that of the core loads nothing else but libc and libm.
expect_linked() { # program library
    local needed
    needed=$(objdump -p "$1" | awk '$1 == "NEEDED" { print $2 }')
    case $2 in
    *static) [[ $needed != *libzveno* ]] || { echo "$1 loads what it should carry:" $needed; exit 1; } ;;
    *) grep -q "^lib$2\.so\.[0-9]*\.[0-9]*$" <<<"$needed" || { echo "$1 does not load lib$2:" $needed; exit 1; } ;;
    esac
    [[ $2 != *core* ]] || ! grep -Ev '^(lib(c|m|stdc\+\+|gcc_s|zveno-core)|ld-linux[^.]*)\.so' <<<"$needed" ||
        { echo "$1 needs more than libc and libm"; exit 1; }
}

through_pkg_config() { # library
    local flags
    flags=$(pkg-config --cflags --libs "$1")
    # pkg-config escapes spaces of paths for a shell, hence eval
    eval "quietly ${CC:-cc} -std=c17 -Wall -Werror \"\$scratch/program.c\" -o \"\$scratch/by-pc\" $flags"
    eval "quietly ${CXX:-c++} -std=c++17 -Wall -Werror \"\$scratch/program.cpp\" -o \"\$scratch/by-pc++\" $flags"
    expect_linked "$scratch/by-pc" "$1"
    run "$scratch/by-pc"
    run "$scratch/by-pc++"
    [[ $(<"$scratch/log") == $(pkg-config --modversion "$1") ]] || { echo "$1.pc and zv_version() disagree"; exit 1; }
}

through_find_package() { # library target component...
    local folder=$scratch/user-$1
    mkdir "$folder"
    cat >"$folder/CMakeLists.txt" <<TEXT
cmake_minimum_required(VERSION 3.22)
project(user LANGUAGES C CXX)
find_package(zveno 0.2 REQUIRED ${*:3})
add_executable(by-cmake ../program.c)
add_executable(by-cmake++ ../program.cpp)
target_link_libraries(by-cmake PRIVATE zveno::$2)
target_link_libraries(by-cmake++ PRIVATE zveno::$2)
TEXT
    quietly env -u PKG_CONFIG_PATH cmake -S "$folder" -B "$folder/build" -G Ninja -DCMAKE_PREFIX_PATH="$scratch/prefix" \
        "${package_options[@]}"
    quietly cmake --build "$folder/build"
    expect_linked "$folder/build/by-cmake" "$1"
    run "$folder/build/by-cmake"
    run "$folder/build/by-cmake++"
}

# The core, with other packages out of reach of both tools; where the build has none, the whole library too.
try_core() {
    local library
    write_core_programs
    local package_options=(-DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON -DCMAKE_DISABLE_FIND_PACKAGE_SUNDIALS=ON)
    export PKG_CONFIG_LIBDIR=$PKG_CONFIG_PATH
    for library in zveno-core zveno-core-static; do through_pkg_config "$library"; done
    through_find_package zveno-core core
    through_find_package zveno-core-static core_static
    if [[ $kind == core ]]; then
        through_pkg_config zveno
        through_pkg_config zveno-static
        through_find_package zveno-static zveno_static COMPONENTS static
    fi
    unset PKG_CONFIG_LIBDIR
}

try_whole() {
    local package_options=()
    write_whole_programs
    through_pkg_config zveno
    through_pkg_config zveno-static
    through_find_package zveno zveno
    through_find_package zveno-static zveno_static COMPONENTS static
    LD_LIBRARY_PATH='' quietly "$scratch/prefix/bin/zveno" --version
    LD_LIBRARY_PATH='' quietly "$scratch/prefix/bin/zveno" help simulate
}

# The first block of README.md with the given language after the first C program, or the one of that number.
readme_block() { # language [number]
    awk -v fence="\`\`\`$1" -v left="${2:-1}" '/^```c$/ { seen = 1 } seen && $0 == fence && --left == 0 { inside = 1; next }
        inside && /^```/ { exit } inside' "$source_dir/README.md"
}

# What a reader of the README types, in something that looks like the checkout. The libraries lie where this machine
# does not look for them, so README's commands take the static one.
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
    readme_block sh 2 | sed "s|\$HOME/src/zveno|$clone|" >"$scratch/commands.sh"
    grep -q 'CMAKE_PREFIX_PATH' "$scratch/commands.sh" || { echo "README.md does not say how to build with CMake"; exit 1; }
    quietly env -C "$scratch/mine" -u PKG_CONFIG_PATH bash -e "$scratch/commands.sh"
    grep -q 'needs' "$scratch/log" || { echo "README's CMake project did not run its program"; exit 1; }
}

# What the comment of a generated test says, typed in its folder.
as_generated_code_says() {
    quietly "$scratch/prefix/bin/zveno" codegen "$source_dir/models/two_link.yaml" -o "$scratch/generated"
    sed -n 's/^ \*   //p' "$scratch/generated/two_link_test.c" >"$scratch/commands.sh"
    sed -i "s|MODEL|'$source_dir/models/two_link.yaml'|" "$scratch/commands.sh"
    [[ $(wc -l <"$scratch/commands.sh") == 2 ]] || { echo "two commands were expected in two_link_test.c"; exit 1; }
    local folder=${PKG_CONFIG_PATH#"$scratch/"} # relative: a command substitution would split a path with a space
    quietly env -C "$scratch/generated" PKG_CONFIG_PATH="../$folder" bash -e "$scratch/commands.sh"
    grep -q '^mass ' "$scratch/log" || { echo "the test of generated code did not run"; exit 1; }
}

install_and_move
try_core
if [[ $kind == whole ]]; then
    try_whole
    as_readme_says
    as_generated_code_says
fi
