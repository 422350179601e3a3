#!/usr/bin/env bash
# Subjects of the commits since the merge base with the main branch: none is marked as unfinished.
# usage: subjects.sh SOURCE_DIR
set -uo pipefail
. "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/refuse.sh"
cd -- "$1" || exit 1
base=$(git merge-base HEAD origin/main 2>/dev/null || git merge-base HEAD main 2>/dev/null) || exit 0 # no history
refuse "a commit of unfinished work; finish it and give it a subject that says what it does" \
    < <(git log --format='%h %s' "$base..HEAD" | grep -iE '^[0-9a-f]+ wip\b')
exit "$failed"
