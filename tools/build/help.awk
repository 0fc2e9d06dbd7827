# SPDX-License-Identifier: BSD-3-Clause
# The targets of the makefiles that have a comment "## …": first those of the variable `first`, then the others in groups.

/^[a-z-]+:[^#]*## / {
    target = substr($0, 1, index($0, ":") - 1)
    text[target] = substr($0, index($0, "## ") + 3)
    order[++count] = target
}

function group(name) {
    if (name ~ /^bench/) return "Measurements"
    if (name ~ /^(check|test|storms|soak|fuzz|branches|prove|format|map|tidy|hosts-trixie)/) return "More tests"
    return "More to build and install"
}

function show(name) { printf "  %-22s  %s\n", name, text[name] }

function show_group(title, i) {
    printf "\n%s:\n", title
    for (i = 1; i <= count; i++)
        if (!shown[order[i]] && group(order[i]) == title) show(order[i])
}

END {
    print "What most people need:"
    for (i = 1; i <= split(first, names, " "); i++) {
        show(names[i])
        shown[names[i]] = 1
    }
    show_group("More to build and install")
    show_group("More tests")
    show_group("Measurements")
}
