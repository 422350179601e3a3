"""Equations that Maxima has loaded, against the engine at parameters at random; the published ones by Maxima's own algebra.

usage: check_maxima.py ZVENO SOURCE_DIR WORK_DIR"""
import os
import re
import shutil
import subprocess
import sys

from common import SKIPPED, WORK, arm, engine, equations, model, near, random_state, wrench

if not shutil.which("maxima"):
    print("Maxima is not here: apt install maxima")
    sys.exit(SKIPPED)


def maxima(lines):
    """What the lines print, each after a mark of its own."""
    path = os.path.join(WORK, "batch.mac")
    with open(path, "w") as file:
        file.write("\n".join(lines) + "\n")
    done = subprocess.run(["maxima", "--very-quiet", "--batch", path], capture_output=True, text=True)
    found = re.findall(r"^@(\S.*?)$", done.stdout, re.M)
    if done.returncode or "error" in done.stdout.lower():
        sys.exit(done.stdout + done.stderr)
    return found


def values_of(path):
    text = open(path).read()
    return re.sub(r"\s+", " ", re.search(r"^numbers: \[(.*?)\];", text, re.M | re.S).group(1))


def exact(text):
    """Numbers of a list as ones of forty digits, so that a difference is not one of how terms are rounded."""
    return re.sub(r"= (-?[0-9.]+)(?:e([-+]?[0-9]+))?", lambda m: "= %sb%s" % (m.group(1), m.group(2) or 0), text)


def random_parameters():
    """One derivation in letters; the numbers of other robots put into it. The engine, in double precision, is held to
    so many parts of what the terms come to without their signs."""
    words = ("--symbols", "all", "--passive", "--frame", "tip")
    lines = ['load("%s")$' % equations(arm(1), "maxima", *words), "fpprec: 40$", "fpprintprec: 20$",
             "for i: 1 thru 4 do term[i]: args(expand(tau[i][1]))$"]
    wanted = []
    for seed in range(1, 101):
        path, state, force = arm(seed), random_state(seed), wrench(seed)
        numbers = values_of(equations(path, "maxima", *words))
        numbers += "".join(", %s%d = %.17g" % (k, i + 1, x) for k in "qva" for i, x in enumerate(state[k]))
        numbers += "".join(", %s = %.17g" % (n, x) for n, x in zip(("Fx", "Fy", "Fz", "Nx", "Ny", "Nz"), force))
        lines.append("for i: 1 thru 4 do part[i]: bfloat(subst([%s], term[i]))$" % exact(numbers))
        lines += ['print(concat("@", string(apply("+", part[%d])), " ", string(apply("+", map(abs, part[%d])))))$' % (i, i)
                  for i in range(1, 5)]
        wanted += engine(path, state | {"fext": {"tip": force}}, "--passive", "--smoothing", "0")["tau"]
    found = [[float(x.replace("b", "e")) for x in line.split()] for line in maxima(lines)]
    near("arm", [x[0] for x in found], wanted, 1e-14, [x[1] for x in found])


def published():
    """The arm of two links; of the five-bar G v is the rate of the conditions, c = C v, G P = 0."""
    lines = ['load("%s")$' % equations(model("two_link"), "maxima", "--symbols", "all"),
             "h: -m2*l1*lc2*sin(q2)$",
             "rest: ratsimp(matrix([J1 + m1*lc1^2 + J2 + m2*(l1^2 + lc2^2 + 2*l1*lc2*cos(q2)), J2 + m2*lc2^2 - h*cos(q2)/sin(q2)],"
             "[J2 + m2*lc2^2 + m2*l1*lc2*cos(q2), J2 + m2*lc2^2]) - M)$",
             'print(concat("@", string(ratsimp(rest))))$',
             'print(concat("@", string(ratsimp(c - matrix([h*(2*v1*v2 + v2^2)], [-h*v1^2])))))$',
             'kill(all)$',
             'load("%s")$' % equations(model("two_link"), "maxima", "--flexible", "joint2", name="flexible"),
             'print(concat("@", string(ratsimp(taum - spring - matrix([0], [Mm2*tha2])))))$',
             'print(concat("@", string(ratsimp(spring - matrix([tau[1][1]], [Kf2*(th2 - q2) + Df2*(thv2 - v2)])))))$',
             'kill(all)$',
             'load("%s")$' % equations(model("five_bar"), "maxima", "--symbols", "all"),
             'rate: sum(diff(phi, concat(q, k))*concat(v, k), k, 1, 4)$',
             'print(concat("@", string(ratsimp(rate - G . matrix([v1], [v2], [v3], [v4])))))$',
             'print(concat("@", string(ratsimp(c - C . matrix([v1], [v2], [v3], [v4])))))$',
             'print(concat("@", string(ratsimp(trigreduce(expand(ratsimp(Delta*(G . P))))))))$']
    got = maxima(lines)
    for line, size in zip(got, ((2, 2), (2, 1), (2, 1), (2, 1), (2, 1), (4, 1), (2, 2)), strict=True):
        zero = "matrix(%s)" % ",".join("[%s]" % ",".join(["0"] * size[1]) for _ in range(size[0]))
        if line.replace(" ", "") != zero:
            sys.exit("%s is left, not %s" % (line, zero))


for check in (random_parameters, published):
    check()
    print(check.__name__, "agrees")
