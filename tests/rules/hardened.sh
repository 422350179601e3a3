#!/usr/bin/env bash
# Binaries, built and installed: no folder of libraries that depends on where a program is run, addresses resolved at start
# and read-only afterwards, programs that lie anywhere, stacks that are not executable; in optimised builds stacks that are
# checked and calls of libc that look at sizes.
# usage: hardened.sh BUILD_DIR ON|OFF     ON: an optimised build
set -euo pipefail
build=$1
optimised=$2
scratch=$(TMPDIR=/tmp mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT

# Everything that readelf says of segments and dynamic sections, file after file, judged in one pass.
judge() {
    awk '
        function complain(what) { print file ": " what; wrong = 1 }
        function conclude() {
            if (!file || !elf) return
            count++
            if (!relro) complain("has no part that becomes read-only (RELRO)")
            if (!now) complain("resolves addresses late (no BIND_NOW)")
            if (!pie) complain("has a fixed address (no PIE)")
        }
        /^File: / { conclude(); file = substr($0, 7); elf = relro = now = pie = 0 }
        /^Elf file type is / { elf = 1; pie = / DYN / }
        /GNU_RELRO/ { relro = 1 }
        /GNU_STACK/ && / RWE / { complain("has a stack that is executable") }
        /BIND_NOW/ || /FLAGS_1.*NOW/ { now = 1 }
        /\((RPATH|RUNPATH)\)/ {
            paths = $0
            sub(/^[^[]*\[/, "", paths)
            sub(/\]$/, "", paths)
            many = split(paths ":", part, ":") - 1
            for (i = 1; i <= many; i++)
                if (part[i] !~ /^(\/|\$ORIGIN(\/|$))/ || part[i] ~ /^\/.*\.\./)
                    complain("looks for libraries in \"" part[i] "\"")
        }
        END { conclude(); print count + 0 " binaries"; exit wrong || !count }'
}

# The stack protector and the checks of libc show as functions that are called.
check_calls() { # binary
    local names status=0
    names=$(readelf --dyn-syms -W -- "$1")
    grep -q '__stack_chk_fail' <<<"$names" || { echo "$1: has no stack protector"; status=1; }
    grep -qE '__[a-z]+_chk\b' <<<"$names" || { echo "$1: does not use checked functions of libc (_FORTIFY_SOURCE)"; status=1; }
    return "$status"
}

cmake --install "$build" --prefix "$scratch/installed" >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
wrong=0
# not: what other tests compile by hand, of the bare library, and tools of the page; folders of other tests may vanish
# while find looks at them
{ find "$build" "$scratch/installed" -type f \( -perm -u+x -o -name '*.so*' \) -not -path '*/CMakeFiles/*' \
    -not -path '*/core-only/*' -not -path '*/node_modules/*' -not -path "$build/first" -print0 \
    2>/dev/null || true; } |
    { xargs -0 readelf -dlW 2>/dev/null || true; } | judge || wrong=1
if [[ $optimised == ON ]]; then
    for file in "$scratch"/installed/bin/zveno "$scratch"/installed/libexec/zveno/zveno-full \
        "$scratch"/installed/lib*/libzveno*.so "$scratch"/installed/lib*/*/libzveno*.so; do
        [[ ! -e $file ]] || check_calls "$file" || wrong=1
    done
fi
exit "$wrong"
