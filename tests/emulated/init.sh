#!/bin/sh
# The only program of the emulated machine: asks for the certificate of robots on every instruction set, runs the tests,
# says how each ended, and switches the machine off.
export PATH=/bin
busybox mount -t proc none /proc
busybox mount -t devtmpfs none /dev
passed=0
failed=0

# Runs a command; shows the last line of what it printed, or everything when it fails.
try() { # name, command...
    name=$1
    shift
    if "$@" >/tmp/log 2>&1; then
        passed=$((passed + 1))
        echo "passed $name: $(busybox tail -n 1 /tmp/log)"
    else
        echo "FAILED $name, exit code $?"
        failed=$((failed + 1))
        busybox cat /tmp/log
    fi
}

# A certificate, and that it is about the instruction set that was asked for.
certify() { # level robot
    ZVENO_ISA=$1 zveno agree "/models/$2.yaml" --samples 4 --json >/tmp/certificate || return
    busybox grep -q "\"kernels\": \"$1\"" /tmp/certificate || return
    echo "largest ratio $(busybox sed -n 's/^ *"ratio": \(.*\),$/\1/p' /tmp/certificate | busybox sort -g | busybox tail -n 1)"
}

busybox grep -o 'avx512[a-z]*' /proc/cpuinfo | busybox tr '\n' ' '
busybox sed -n 's/^model name.*: //p' /proc/cpuinfo
for level in baseline x86-64-v3 x86-64-v4; do
    for robot in cobot7 puma560 scara quadruped humanoid50 joints_zoo five_bar stewart flexible_arm flexible_free; do
        try "zveno agree $robot on $level" certify $level $robot
    done
done
for test in /tests/*; do try "${test##*/}" "$test"; done
echo "$passed passed, $failed failed"
busybox sleep 1 # the line is slow
busybox poweroff -f
