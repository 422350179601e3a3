#!/usr/bin/env bash
# Words: the glossary of docs/notation.md and the code hold together, and words that the code has given up stay away.
# usage: words.sh SOURCE_DIR
set -uo pipefail
. "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/refuse.sh"
cd -- "$1" || exit 1

glossary=$(sed -n '/^## Names in the code/,$p' docs/notation.md)
[[ -n $glossary ]] || { echo "docs/notation.md has no section \"Names in the code\""; exit 1; }

# every name of the glossary is one of the code
refuse "in the glossary, not in the code" < <(
    grep -oE '`[A-Za-z_]{3,}`' <<<"$glossary" | tr -d '`' | sort -u | while read -r name; do
        grep -rqw -- "$name" src cli include || echo "$name"
    done)

# every type that three rooms or more use is in the glossary
refuse "used by three rooms, not in the glossary of docs/notation.md" < <(
    grep -rowE 'zi[A-Z][A-Za-z]*' src | sed -E 's|^src/([^/]*)/[^:]*:(.*)|\2 \1|' | sort -u | cut -d' ' -f1 | uniq -c |
        while read -r rooms name; do
            ((rooms < 3)) || grep -qw -- "$name" <<<"$glossary" || echo "$name ($rooms rooms)"
        done)

# words given up, and what took their place: they stand neither alone nor as a part of a name
given_up=(desk=scratch lean=reduced gross='error scale' crowd=pending doubts='state warnings' happening=event
    occasion=event verdict=result farewell='closing time')
# recordings of version 0.1 are still read
old_files='happenings/|`/happenings`|"happenings|# happening'
# files that still have them; a file leaves this list when it has none
pending='^(none):'
for pair in "${given_up[@]}"; do
    word=${pair%%=*}
    refuse "\"$word\" was given up for \"${pair#*=}\"" < <(
        grep -rniE "(^|[^a-z])${word}s?([^a-z]|\$)" src cli include docs/*.md README.md ARCHITECTURE.md CONTRIBUTING.md |
            grep -vE "$old_files" | grep -vE "$pending")
done
exit "$failed"
