#!/usr/bin/env bash
# Verbs that need a robot and nothing else start without LAPACK, HDF5, SUNDIALS, cairo and HTTP; what the loader loads is
# counted, not the time it takes. The rest of the command is found from where zveno lies, from any folder, and from no other,
# and has to be of the same version.
# usage: startup.sh SOURCE_DIR BUILD_DIR
set -euo pipefail
source_dir=$1
zveno=$2/zveno
scratch=$(TMPDIR=/tmp mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT

fail() {
    echo "$*"
    exit 1
}

# The libraries that a command loads, by the loader's own account, sorted.
libraries() { # word...
    LD_DEBUG=files "$@" 2>&1 >/dev/null </dev/null | sed -nE 's/.*file=([^ ]+) .*needed by.*/\1/p' | sort -u
}

heavy='lapack|blas|gfortran|hdf5|curl|sundials|cairo|microhttpd|gnutls|ssl'
cd -- "$source_dir" # a path with blanks would be split below
model=models/two_link.yaml
for words in "inverse $model" "forward $model" "mixed $model" "mass $model" "terms $model" "info $model" "check $model" \
    "convert models/puma560.urdf" "frame $model --frame link2" "codegen $model -o $scratch/code" "count $model" \
    "assemble models/five_bar.yaml" "inverse --help" "--version"; do
    read -ra split <<<"$words"
    loaded=$(libraries "$zveno" "${split[@]}") || fail "zveno $words fails"
    [[ -n $loaded ]] || fail "the loader tells nothing of zveno $words"
    ! grep -qE "$heavy" <<<"$loaded" || fail "zveno $words loads" $(grep -E "$heavy" <<<"$loaded")
done

# A folder that pretends to have the rest of the command.
mkdir -p "$scratch/libexec/zveno"
printf '#!/bin/sh\necho wrong\n' >"$scratch/libexec/zveno/zveno-full"
chmod +x "$scratch/libexec/zveno/zveno-full"
ln -s "$zveno" "$scratch/linked"
for call in "$zveno" ./linked; do
    answer=$(cd -- "$scratch" && PATH=.:$PATH "$call" help 2>&1) || fail "$call help fails: $answer"
    [[ $answer == "zveno "* ]] || fail "$call help is answered by another program: $answer"
done
cp "$zveno" "$scratch/alone"
mv "$scratch/libexec" "$scratch/elsewhere"
answer=$("$scratch/alone" help 2>&1) && fail "a copy without the rest of the command has help: $answer"
[[ $answer == *"zveno-full, found: "* ]] || fail "a copy without the rest does not say what is missing: $answer"

# Two versions side by side are refused: zveno tells its own, whatever the variable was before, and zveno-full compares.
version=$("$zveno" --version | cut -d ' ' -f 2)
full=${zveno%/*}/libexec/zveno/zveno-full
mkdir -p "$scratch/libexec/zveno"
printf '#!/bin/sh\necho "$ZVENO_STARTER_VERSION"\n' >"$scratch/libexec/zveno/zveno-full"
chmod +x "$scratch/libexec/zveno/zveno-full"
answer=$(ZVENO_STARTER_VERSION=0.0.1 "$scratch/alone" help)
[[ $answer == "$version" ]] || fail "zveno $version tells zveno-full that it is \"$answer\""
ZVENO_STARTER_VERSION=$version "$full" help >/dev/null || fail "zveno-full refuses its own version"
status=0
answer=$(ZVENO_STARTER_VERSION=0.0.1 "$full" help 2>&1) || status=$?
[[ $status == 1 && $answer == "zveno: error: "*"found zveno 0.0.1 and zveno-full $version; install both anew" ]] ||
    fail "two versions end with $status: $answer"
