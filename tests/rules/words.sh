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

# every term of the glossary is one of the code: words of a comment, or whole parts of a name as in link_transform and
# LinkTransform
refuse "a term of the glossary that the code does not use" < <(
    sed -nE 's/^\| ([^|`]+) \|.*/\1/p' <<<"$glossary" | grep -vE '^(name|-+)$' | tr ',' '\n' | sed -E 's/^ +| +$//g' |
        while read -r term; do
            read -ra parts <<<"$term"
            joined=$(printf '%s' "${parts[@]^}")
            grep -rqiE -- "(^|[^[:alpha:]])${term// /[_ -]}s?([^[:alpha:]]|\$)" src cli ||
                grep -rqE -- "${joined}s?([^a-z]|\$)" src cli || echo "$term"
        done)

# every internal type that two rooms or more use is in the glossary
refuse "used by two rooms, not in the glossary of docs/notation.md" < <(
    grep -rowE 'zi[A-Z][A-Za-z]*' src | sed -E 's|^src/([^/]*)/[^:]*:(.*)|\2 \1|' | sort -u | cut -d' ' -f1 | uniq -c |
        while read -r rooms name; do
            ((rooms < 2)) || grep -qw -- "$name" <<<"$glossary" || echo "$name ($rooms rooms)"
        done)

# every equation of the reduced robot, whose kernels run by default, stands beside the code that computes it
refuse "an equation of docs/theory.md that no code names" < <(
    grep -oE '\(19\.[0-9]+\)$' docs/theory.md | while read -r number; do grep -rqF -- "$number" src || echo "$number"; done)

# Words given up, and what took their place. In names: no part of a name is one of them. Comments and strings are left
# out, since most of these words are plain English there.
names=(desk=scratch lean=reduced way='link transform, path or method' sides=unroll some=pack heap=composite tie=constraint
    home='common ancestor' station=attachment gross='error scale' verdict='ok or result' sound=ok doubt='state warning'
    sight=mobility crowd=pending happening=event occasion=event occurrence=event trigger=event farewell='closing time')
# heaps in the sense of data structures; divisors occur in sums
allowed='^src/(model/order\.c|codegen/divide\.c):.* heap$|^src/codegen/divi[a-z]*\.[ch]:.* occurrence$'
mapfile -t sources < <(find src cli include tests bench examples fuzz -name '*.[ch]' -o -name '*.cpp' | sort)
found=$(awk -v pairs="$(printf '%s\n' "${names[@]}" | cut -d= -f1 | tr '\n' ' ')" '
    BEGIN { split(pairs, words, " "); for (i in words) { given_up[words[i]] = words[i]; given_up[words[i] "s"] = words[i] } }
    FNR == 1 { comment = 0 }
    {
        line = $0
        if (comment) {
            if (!sub(/^.*\*\//, "", line)) next
            comment = 0
        }
        gsub(/\\./, "", line)
        gsub(/"[^"]*"/, " ", line)
        gsub(/\/\*([^*]|\*[^\/])*\*\//, " ", line)
        sub(/\/\/.*/, "", line)
        comment = sub(/\/\*.*/, "", line)
        count = split(line, name, /[^A-Za-z0-9_]+/)
        for (i = 1; i <= count; i++) {
            parts = name[i]
            if (parts ~ /[a-z]/) gsub(/[A-Z]/, "_&", parts)
            n = split(tolower(parts), part, /[_0-9]+/)
            for (k = 1; k <= n; k++) if (part[k] in given_up) print FILENAME ":" FNR ": " name[i] " " given_up[part[k]]
        }
    }
' "${sources[@]}" | grep -vE "$allowed")
for pair in "${names[@]}"; do
    refuse "\"${pair%%=*}\" was given up for \"${pair#*=}\" in names" < <(grep -E " ${pair%%=*}\$" <<<"$found")
done

# In comments, strings and pages too: those that mean nothing else there.
given_up=(desk=scratch lean=reduced gross='error scale' crowd=pending doubts='state warnings' sight=mobility
    happening=event occasion=event trigger=event verdict=result farewell='closing time'
    'texts? that runs?=kernel' 'texts? per idea=kernel')
# recordings of version 0.1 are still read
old_files='happenings/|`/happenings`|"happenings|# happening'
for pair in "${given_up[@]}"; do
    word=${pair%%=*}
    refuse "\"$word\" was given up for \"${pair#*=}\"" < <(
        grep -rniE "(^|[^a-z])${word}s?([^a-z]|\$)" src cli include docs/*.md README.md ARCHITECTURE.md CONTRIBUTING.md |
            grep -vE "$old_files")
done
exit "$failed"
