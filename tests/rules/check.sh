#!/usr/bin/env bash
# ./dev check refuses commits of unfinished work: subjects.sh, which it calls, in a repository made here.
# usage: check.sh SOURCE_DIR
set -euo pipefail
source=$(readlink -f -- "$1")
command -v git >/dev/null || exit 0
sed -n '/^verb_check()/,/^}/p' "$source/dev" | grep -q 'tests/rules/subjects.sh' || { echo "./dev check does not look at subjects"; exit 1; }
folder=$(mktemp -d)
trap 'rm -rf -- "$folder"' EXIT
cd -- "$folder"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
git -c init.defaultBranch=main init --quiet .
commit() { git -c user.name=nobody -c user.email=nobody@example.org commit --quiet --allow-empty -m "$1"; }
expect() { # status words
    local status=0 said
    said=$(bash "$source/tests/rules/subjects.sh" .) || status=$?
    [[ $status == "$1" && $said == *"$2"* ]] || { echo "expected $1 \"$2\", found $status \"$said\""; exit 1; }
}
commit "wip before the branch" # is none of its business
git checkout --quiet -b branch
expect 0 ""
commit "Wipe the slate"
expect 0 ""
commit "WIP: the rest"
expect 1 "WIP: the rest"
git reset --quiet --hard HEAD~1
commit "wip"
expect 1 "wip"
