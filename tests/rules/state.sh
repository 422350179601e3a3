#!/usr/bin/env bash
# The library keeps no process-wide mutable state: no object of the archive has a symbol in a writable section.
# One pointer belongs to the thread that traces (real/tape.h).
# Constant tables that hold addresses lie in .data.rel.ro, which is read-only once the program is loaded.
# usage: state.sh LIBRARY_ARCHIVE OBJDUMP
set -uo pipefail
archive=$1
objdump=${2:-objdump}
symbols=$("$objdump" -t "$archive") || exit 1
[[ $symbols == *zv_builder_create* ]] || { echo "$archive does not look like libzveno"; exit 1; }
writable=$(awk '
    /file format/ { object = $1 }
    {
        for (i = 2; i <= NF; i++)
            if ($i ~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*|\.ldata|\.lbss)/ && $i !~ /^\.data\.rel\.ro/ && $NF != $i && $NF != "zi_tape_of_thread")
                print object " " $NF " in " $i
    }' <<<"$symbols")
if [[ -n $writable ]]; then
    echo "writable data in the library:"
    echo "$writable"
    exit 1
fi
