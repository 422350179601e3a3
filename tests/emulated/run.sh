#!/usr/bin/env bash
# Runs the kernels and lanes of all instruction sets, AVX-512 among them, on machines that lack it: Bochs emulates a
# processor that has it, and a small Linux whose only program is init.sh runs the certificate and the tests there.
# usage: tests/emulated/run.sh FOLDER [TEST...]    FOLDER: of the build; TEST: as ctest names them, in place of the usual ones
set -euo pipefail
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
source=${here%/tests/*}
folder=$(readlink -m -- "$1")
tests=("${@:2}")
((${#tests[@]})) || tests=(real_isa batch_batch batch_derivatives batch_lanes batch_scalars derive_forward
    dynamics_elastic_forward dynamics_external dynamics_lean dynamics_mass dynamics_methods dynamics_singular)

# Few libraries: what is copied is also read by an emulated disk.
without=()
for part in SUNDIALS HDF5 LAPACK CODEGEN PLOTS HTTP VIEWER; do without+=("-DZVENO_$part=OFF"); done
mkdir -p "$folder/machine"
echo "Building $folder"
{
    cmake -S "$source" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DZVENO_TESTS=ON "${without[@]}" &&
        cmake --build "$folder" --target zveno_cli "${tests[@]/#/test_}"
} >"$folder/machine/build.txt" || { cat -- "$folder/machine/build.txt" && exit 1; }
cd -- "$folder/machine"

# The kernel of Debian's package, which is not installed.
if [[ ! -f kernel/linux ]]; then
    package=$(apt-cache depends linux-image-cloud-amd64 | awk '$1 == "Depends:" {print $2; exit}')
    rm -rf -- kernel
    mkdir kernel
    (cd kernel && apt-get -qq -o APT::Sandbox::User=root download "$package" && dpkg -x ./*.deb .)
    mv -- kernel/boot/vmlinuz-* kernel/linux
fi

# What the machine has in its memory: programs and the libraries they ask for, the robots where the tests look for them.
rm -rf -- memory disk
mkdir -p memory/{bin,dev,proc,tests,tmp} "memory$source" disk/boot/grub
install -m 755 -- "$here/init.sh" memory/init
cp -- "$(command -v busybox)" ../zveno memory/bin
cp -r -- "$source/models" "memory$source"
ln -s -- "$source/models" memory/models
ln -s busybox memory/bin/sh
for test in "${tests[@]}"; do cp -- "../tests/test_$test" "memory/tests/$test"; done
{ ldd memory/bin/* memory/tests/* 2>/dev/null || true; } | grep -oE '/[^ :]*\.so[^ ]*' | sort -u | while read -r library; do
    mkdir -p "memory${library%/*}"
    cp -L -- "$library" "memory$library"
done
(cd memory && find . | cpio -o -H newc --quiet) | gzip >disk/boot/memory
cp -- kernel/linux disk/boot
# Bochs 2.7 is wrong about the size of what XSAVEC and XSAVES save, and knows no APERF and MPERF. Its time-stamp counter
# counts instructions and would need more than a minute for a second: programs that measure times would go on for long.
cat >disk/boot/grub/grub.cfg <<'TEXT'
linux /boot/linux console=ttyS0 loglevel=2 panic=-1 reboot=t mitigations=off clearcpuid=xsaves,xsavec,aperfmperf clocksource=acpi_pm tsc=unstable
initrd /boot/memory
boot
TEXT
grub-mkrescue -d /usr/lib/grub/i386-pc -o disk.iso disk 2>/dev/null

cat >bochsrc <<'TEXT'
cpu: model=corei7_skylake_x, ips=50000000, reset_on_triple_fault=0
megs: 1024
romimage: file=$BXSHARE/BIOS-bochs-latest
vgaromimage: file=$BXSHARE/VGABIOS-lgpl-latest
ata0-master: type=cdrom, path=disk.iso, status=inserted
boot: cdrom
display_library: term
com1: enabled=1, mode=file, dev=console.txt
clock: sync=none
log: bochs.txt
panic: action=fatal
TEXT
echo continue >commands # Debian's Bochs is one with a debugger, which waits to be told
: >console.txt
echo "Starting the emulated machine; it is some hundred times slower than this one"
(ulimit -t 7200 && TERM=vt100 exec nice bochs -q -f bochsrc -rc commands) </dev/null >screen.txt 2>&1 &
emulator=$!
trap 'kill -KILL "$emulator" 2>/dev/null || true' EXIT # it does not listen to less
tail --pid="$emulator" -n +1 -f console.txt | sed -u 's/\r$//'
if ! grep -qE '^[1-9][0-9]* passed, 0 failed' console.txt; then
    echo "Not everything was run and passed; $PWD/console.txt and bochs.txt tell more" >&2
    exit 1
fi
