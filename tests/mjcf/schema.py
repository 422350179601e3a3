#!/usr/bin/env python3
"""Writes src/read/mjcf_words.h, the words of MJCF that the reader knows, from the schema of the Python package mujoco.

usage: schema.py > src/read/mjcf_words.h     (pip install mujoco; written with mujoco 4.0.0)
       schema.py --check FILE PAGE           whether FILE says the same, and PAGE names every element in <...>

A row is what an element stands in, its name and its attributes. Sections that do not touch the motion of bodies have no
rows for what is within them. <include>, <frame>, <replicate> are not in the package's schema; <composite> and some attributes
are of older releases.
"""
import argparse
import sys
import textwrap

PASSED = ("size", "statistic", "visual", "custom", "sensor", "contact", "deformable", "extension")
PASSED_WITHIN = ("plugin", "flexcomp", "skin", "texture", "hfield", "layer")  # elements, likewise
FORMS = "pos quat axisangle xyaxes zaxis euler"
MORE = {("mujoco", "compiler"): "convexhull exactmeshinertia", ("mujoco", "option"): "apirate collision mpr_iterations "
        "mpr_tolerance", ("default", "class"): ""}
ROWS = [("body", "frame", "name childclass " + FORMS), ("body", "replicate", "count offset euler sep prefix"),
        ("body", "composite", None)]


def tree():
    """(path, attributes) of every element; attributes go on in lines without a name."""
    import mujoco
    found, path = [], []
    for line in mujoco.mj_printSchema(False, False).splitlines():
        if not line.strip():
            continue
        depth = (len(line) - len(line.lstrip())) // 3
        name = line[:30].split("(")[0].strip()
        if "(" in line[:30]:
            if line.strip().startswith("(world)body"):
                name = "body"
            path = path[:depth] + [name]
            found.append((tuple(path), line[30:].split()))
        else:
            found[-1][1].extend(line.split())
    return found


def rows():
    """What an element stands in: of bodies, frames and classes "body" and "default" at any depth."""
    seen = {}
    for path, attributes in tree():
        if path == ("mujoco",):
            continue
        parent, name = path[-2], path[-1]
        if any(p in PASSED for p in path[1:-1]) or any(p in PASSED_WITHIN for p in path[2:-1]):
            continue
        if parent == "mujoco" and name == "body":
            seen["mujoco", "worldbody"] = ["name", "childclass"]
            parent = "body"
        hollow = name in PASSED or name in PASSED_WITHIN
        own = None if hollow else attributes + MORE.get((parent, name), "").split()
        seen[parent, name] = own
    seen["default", "default"] = ["class"]
    for parent, name, attributes in ROWS:
        seen[parent, name] = attributes and attributes.split()
    return sorted((p, n, a) for (p, n), a in seen.items())


def text():
    lines = ["/* The words of MJCF: what an element stands in, its name, its attributes between blanks; NULL: it is passed over with",
             " * all that is in it. Written by tests/mjcf/schema.py. */", "#ifndef ZI_READ_MJCF_WORDS_H",
             "#define ZI_READ_MJCF_WORDS_H", "", "typedef struct ziMjcfWords {", "    const char *in, *element, *attributes;",
             "} ziMjcfWords;", "", "/* clang-format off */", "static const ziMjcfWords zi_mjcf_words[] = {"]
    for parent, name, attributes in rows():
        head = f'    {{"{parent}", "{name}",'
        if attributes is None:
            lines.append(head + " 0},")
            continue
        body = [f'"{part} "' for part in textwrap.wrap(" ".join(sorted(set(attributes))), 104)] or ['""']
        body[0] = '" ' + body[0][1:]
        if len(body) == 1 and len(head + body[0]) < 116:
            lines.append(head + " " + body[0] + "},")
        else:
            lines.append(head)
            lines += ["     " + part for part in body[:-1]] + ["     " + body[-1] + "},"]
    return "\n".join(lines + ["};", "/* clang-format on */", "", "#endif", ""])


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--check", nargs=2)
    args = parser.parse_args()
    if not args.check:
        sys.stdout.write(text())
        return 0
    with open(args.check[0], encoding="utf-8") as file:
        same = file.read() == text()
    with open(args.check[1], encoding="utf-8") as file:
        page = file.read()
    names = {n for path, _ in tree() for n in path if not any(p in PASSED for p in path[1:-1])}
    missing = sorted(n for n in names if f"<{n}>" not in page)
    print("words of the reader: " + ("those of the schema" if same else "differ from the schema"))
    print("page: " + ("names every element" if not missing else "does not name " + " ".join(missing)))
    return 0 if same and not missing else 1


if __name__ == "__main__":
    sys.exit(main())
