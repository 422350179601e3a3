# Read by the rules that look at texts.
failed=0
# Complains when a check printed something.
refuse() { # what is wrong
    local found
    found=$(cat)
    [[ -z $found ]] && return
    printf '%s:\n%s\n' "$1" "$found"
    failed=1
}
