#!/usr/bin/env bash
# Makes the reference part of docs/api.md from the public headers: every function with its signature and what its comment
# says, and every type that is not opaque, by header, those of the core first. What stands above the marker is written by hand and kept.
# usage: docs/make_api.sh [--check]      run in the root; --check: changes nothing, fails when the page is not up to date
set -euo pipefail
page=docs/api.md
marker='<!-- made from include/zveno by docs/make_api.sh: nothing below is written by hand -->'
grep -qxF "$marker" "$page" || { echo "$page has lost its marker: $marker"; exit 1; }

# A header -> its section. A comment before a declaration belongs to it and to those that follow without one of their own;
# a comment behind a declaration belongs to it alone.
section() { # header
    awk -v file="zveno/${1##*/}" '
        function plain(comment) { # without the stars, lines joined; indented lines (formulas) stay lines of their own
            gsub(/^\/\*+ ?|[ \n]*\*+\/$/, "", comment)
            gsub(/\n[ \t]*\* ?/, "\n", comment)
            gsub(/\n[ \t]+\n/, "\n\n", comment)
            return comment
        }
        function escaped(t) { gsub(/</, "\\&lt;", t); gsub(/\*/, "\\*", t); gsub(/_/, "\\_", t); gsub(/\|/, "\\|", t); return t }
        function text_of(comment, lines, n, i, out, code) {
            n = split(plain(comment), lines, "\n")
            out = ""
            code = 0
            for (i = 1; i <= n; i++) {
                if ((lines[i] ~ /^  /) != code) { out = out (code ? "```\n" : "\n```text\n"); code = !code }
                out = out (code ? lines[i] : escaped(lines[i])) "\n"
            }
            return out (code ? "```\n" : "")
        }
        function flush() {
            if (code_block == "") return
            if (note != "") printf "%s\n", text_of(note)
            printf "```c\n%s```\n\n", code_block
            code_block = note = ""
        }
        function flush_if_code() { if (code_block != "") flush() } # a note of what follows stays
        { text = text $0 "\n" }
        END {
            # head comment
            match(text, /^\/\*([^*]|\*+[^*\/])*\*+\//)
            head = substr(text, 1, RLENGTH)
            rest = substr(text, RLENGTH + 1)
            tier = head ~ /^\/\* Core\./ ? "core" : "application"
            sub(/^\/\* (Core|Application)\. /, "/* ", head)
            printf "### %s (%s)\n\n%s\n", file, tier, text_of(head)
            sub(/^.*#pragma GCC visibility push\(default\)\n/, "", rest)
            sub(/#pragma GCC visibility pop.*$/, "", rest)
            depth = 0
            while (rest != "") {
                if (match(rest, /^[ \t\n]+/)) {
                    if (substr(rest, 1, RLENGTH) ~ /\n[ \t]*\n/) { blank = 1 }
                    rest = substr(rest, RLENGTH + 1)
                } else if (match(rest, /^\/\*([^*]|\*+[^*\/])*\*+\//)) {
                    comment = substr(rest, 1, RLENGTH)
                    rest = substr(rest, RLENGTH + 1)
                    flush()
                    note = comment
                    if (comment ~ /-----/) note = ""
                    blank = 0
                } else if (match(rest, /^#([^\n]|\\\n)*\n/)) {
                    flush_if_code()
                    macro = ""
                    do {
                        match(rest, /^[^\n]*\n/)
                        line = substr(rest, 1, RLENGTH)
                        macro = macro line
                        rest = substr(rest, RLENGTH + 1)
                    } while (line ~ /\\\n$/)
                    if (macro ~ /^#define ZV_[A-Z_]*LIST\(/) { code_block = macro; flush() } # the members of an enum
                    note = ""
                } else {
                    # one declaration: up to the semicolon outside of braces and comments, and a comment behind it
                    item = ""
                    for (;;) {
                        if (match(rest, /^\/\*([^*]|\*+[^*\/])*\*+\//)) {
                            item = item substr(rest, 1, RLENGTH)
                            rest = substr(rest, RLENGTH + 1)
                            continue
                        }
                        c = substr(rest, 1, 1)
                        rest = substr(rest, 2)
                        item = item c
                        if (c == "{") depth++
                        if (c == "}") depth--
                        if ((c == ";" && depth == 0) || rest == "") break
                    }
                    if (match(rest, /^ *\/\*([^*]|\*+[^*\/])*\*+\/ *\n/)) {
                        item = item substr(rest, 1, RLENGTH - 1)
                        rest = substr(rest, RLENGTH)
                    }
                    if (item ~ /^(typedef|enum|struct)/ && item !~ /^struct [a-zA-Z]+ \*?zv_/) {
                        flush_if_code()
                        if (item !~ /^typedef struct [A-Za-z]+ [A-Za-z]+;/ && item !~ /ZV_X/) { code_block = item "\n"; flush() }
                        note = ""
                        continue
                    }
                    if (blank) { flush(); }
                    blank = 0
                    code_block = code_block item "\n"
                }
            }
            flush()
        }' "$1"
}

# The headers of a tier, without those that only include others.
headers() { # Core|Application
    local header
    for header in include/zveno/*.h; do
        case ${header##*/} in core.h | zveno.h) continue ;; esac
        ! grep -q "^/\* $1\. " "$header" || echo "$header"
    done
}

reference() {
    local tier header name line
    echo "$marker"
    echo
    echo '## All functions'
    echo
    for tier in Core Application; do
        line=
        for header in $(headers "$tier"); do
            name=$(basename "$header" .h)
            line+="${line:+, }[$name](#zveno${name}h-${tier,,})"
        done
        echo "- $tier: $line"
    done
    echo
    for tier in Core Application; do
        for header in $(headers "$tier"); do section "$header"; done
    done
    return 0
}

made=$(mktemp)
trap 'rm -f -- "$made"' EXIT
{ awk -v marker="$marker" '$0 == marker { exit } { print }' "$page"; reference; } | cat -s >"$made"
if [[ ${1:-} == --check ]]; then
    cmp -s "$made" "$page" || { echo "$page is not what docs/make_api.sh makes of the headers: run it"; diff "$page" "$made" | head -20; exit 1; }
else
    cat "$made" >"$page"
fi
