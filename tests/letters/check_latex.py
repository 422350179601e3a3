"""Equations that LaTeX has set: no error, and no line beyond the margin.

usage: check_latex.py ZVENO SOURCE_DIR WORK_DIR"""
import os
import re
import shutil
import subprocess
import sys

from common import SKIPPED, WORK, arm, equations, model, stiffening_gear

if not shutil.which("pdflatex"):
    print("LaTeX is not here: apt install texlive-latex-base")
    sys.exit(SKIPPED)

NAMES = """zveno: 1
name: рука-Ärmchen
links:
  - {name: основа}
  - {name: плечо, mass: 1, com: [0.2, 0, 0], inertia: [0.1, 0.1, 0.1]}
  - {name: a_very_long_name_of_a_link_that_would_not_fit_into_any_table_of_a_page_of_this_size_at_all, mass: 1, com: [0.2, 0, 0], inertia: [0.1, 0.1, 0.1]}
joints:
  - {name: сустав, type: continuous, parent: основа, child: плечо, axis: [0, 0, 1]}
  - {name: γωνία 関節 %$#_, type: continuous, parent: плечо, child: a_very_long_name_of_a_link_that_would_not_fit_into_any_table_of_a_page_of_this_size_at_all, axis: [0, 1, 0], origin: {xyz: [0.3, 0, 0]}}
"""


PLATE = """zveno: 1
name: plate
links: [{name: base}, {name: top, mass: 2, com: [0.1, 0.2, 0], inertia: [0.2, 0, 0, 0.2, 0, 0.3]}]
joints: [{name: mount, type: planar, parent: base, child: top, axis: z, spring: {stiffness: [[40, 5, 2], [5, 30, 1], [2, 1, 8]],
  rest: [0.1, -0.2, 0.3]}, damping: [[5, 1, 0], [1, 5, 0], [0, 0, 2]]}]
"""


def plate():
    path = os.path.join(WORK, "plate.yaml")
    with open(path, "w") as file:
        file.write(PLATE)
    return path


def set_pages(path, pages=(1, 99)):
    """Sets a document and looks at what its log complains of."""
    subprocess.run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", os.path.basename(path)], cwd=WORK,
                   capture_output=True)
    log = open(path[:-4] + ".log", encoding="utf-8", errors="replace").read()
    bad = re.findall(r"^(!.*|Overfull \\hbox.*|.*Missing character.*)$", log, re.M)
    if bad or "Output written on" not in log:
        sys.exit("%s:\n%s" % (path, "\n".join(bad) or log[-2000:]))


everything = ("--symbols", "all", "--passive")
for name, words in (("puma560", ()), ("two_link", everything), ("rrp", everything), ("five_bar", everything),
                    ("rrp_rail", everything), ("parallelogram", ("--symbols", "all")), ("scara", everything + ("--flexible", "all")),
                    ("puma560", ("--symbols", "m2,m3,lc2,lc3"))):
    set_pages(equations(model(name), "latex", *words, name="%s_%d" % (name, len(words))))
set_pages(equations(arm(1), "latex", *everything, "--frame", "tip"))
set_pages(equations(stiffening_gear(), "latex", "--symbols", "all", "--flexible", "all"))
set_pages(equations(plate(), "latex", *everything))
names = os.path.join(WORK, "names.yaml")
with open(names, "w") as file:
    file.write(NAMES)
set_pages(equations(names, "latex", "--symbols", "all"))
print("no line is beyond the margin")
