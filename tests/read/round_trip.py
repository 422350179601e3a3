#!/usr/bin/env python3
"""Reads robots, writes them in every format, reads what was written, and compares both at random states.

usage: round_trip.py ZVENO FILE_OR_FOLDER... [--states N] [--seed S]

Every robot file (.urdf, .xml, .sdf, .yaml) is converted to the native format, URDF and MJCF by the command ZVENO. Compared are
the mass matrix, the bias and the poses of links at the ends of the tree, joints by their names; relative differences are
printed. What a format cannot say is told by `zveno convert` (lost), and their number stands behind: there a difference
is no failure, nor is a robot that cannot be written. A file fails when a difference exceeds the bound without having
been told, or when what was written cannot be read.
"""
import argparse
import json
import math
import os
import random
import subprocess
import sys
import tempfile

BOUND = 1e-12
FORMATS = {"native": "yaml", "urdf": "urdf", "mjcf": "xml"}


def run(words, given=None):
    done = subprocess.run(words, input=None if given is None else json.dumps(given), capture_output=True, text=True)
    if done.returncode not in (0, 3):
        raise RuntimeError((done.stderr.strip().splitlines() or ["no message"])[0])
    return json.loads(done.stdout)


def joints_of(info):
    return {j["name"]: j for j in info["joints"] if j["nv"] > 0}


def random_state(info, rng):
    q, v = [0.0] * info["nq"], [0.0] * info["nv"]  # elastic links unbent
    for j in joints_of(info).values():
        v[j["v_index"]:j["v_index"] + j["nv"]] = [rng.gauss(0, 1) for _ in range(j["nv"])]
        at, n = j["q_index"], j["nq"]
        values = [rng.uniform(-1, 1) for _ in range(n)]
        if n in (4, 7):
            size = math.sqrt(sum(x * x for x in values[n - 4:]))
            values[n - 4:] = [x / size for x in values[n - 4:]]
        q[at:at + n] = values
    return q, v


def moved(values, here, there, size, index, count):
    """The entries of the joints of `here` in the order of `there`."""
    out = [0.0] * size
    for name, j in there.items():
        k = here[name]
        out[j[index]:j[index] + j[count]] = values[k[index]:k[index] + k[count]]
    return out


def places(here, there):
    """For each freedom of `there` the one of `here`."""
    return [here[n]["v_index"] + k for n, j in sorted(there.items(), key=lambda x: x[1]["v_index"])
            for k in range(j["nv"])]


def split(here, there):
    """Universal joints as the two that they are written as where a format has none."""
    out = {}
    for name, j in here.items():
        parts = [f"{name}_angle{k}" for k in (1, 2)]
        if name in there or j["nv"] != 2 or any(p not in there for p in parts):
            out[name] = j
            continue
        for k, part in enumerate(parts):
            out[part] = {"q_index": j["q_index"] + k, "nq": 1, "v_index": j["v_index"] + k, "nv": 1}
    return out


def block(answer, order):
    """Entries of the mass matrix in this order of freedoms."""
    rows = answer["mass"]
    if rows and not isinstance(rows[0], list):
        n = math.isqrt(len(rows))
        rows = [rows[n * i:n * (i + 1)] for i in range(n)]
    return [rows[i][k] for i in order for k in order]


def largest(a, b):
    size = max((abs(x) for x in b), default=0) or 1
    return max((abs(x - y) for x, y in zip(a, b)), default=0) / size


def ends(info):
    parents = {j["parent"] for j in info["joints"]}
    return [j["child"] for j in info["joints"] if j["child"] not in parents][:4]


def compare(zveno, path, kind, folder, states):
    out = os.path.join(folder, "robot." + FORMATS[kind])
    try:
        told = run([zveno, "convert", path, "--format", kind, "-o", out, "--json"])
    except RuntimeError as reason:
        if "cannot be written" in str(reason):
            return 0, None
        raise
    first = run([zveno, "info", path, "--mimic", "free", "--json"])
    more = ["--mimic", "free"]
    if kind == "urdf":  # which has neither gravity nor a floating base
        more += ["--gravity", ",".join(repr(g) for g in first["gravity"])]
        bare = joints_of(run([zveno, "info", out, "--json"] + more))
        if any(j["type"] == "free" and n not in bare for n, j in joints_of(first).items()):
            more += ["--base", "free"]
    second = run([zveno, "info", out, "--json"] + more)
    here, there = split(joints_of(first), joints_of(second)), joints_of(second)
    lost = len([loss for loss in told.get("lost", []) if "no gravity" not in loss["why"]])
    if set(here) != set(there) or any(here[n]["nv"] != there[n]["nv"] for n in here):
        if lost:
            return lost, None
        raise RuntimeError(f"other joints: {sorted(set(here) ^ set(there))[:4]}")
    asked = [{"q": q, "v": v} for q, v in states]
    again = [{"q": moved(q, here, there, second["nq"], "q_index", "nq"),
              "v": moved(v, here, there, second["nv"], "v_index", "nv")} for q, v in states]
    one = run([zveno, "terms", path, "--mimic", "free", "--state", "-", "--json"], asked)
    two = run([zveno, "terms", out, "--state", "-", "--json"] + more, again)
    order, other, worst = places(here, there), places(there, there), 0.0
    for a, b in zip(one, two):
        worst = max(worst, largest(block(a, order), block(b, other)),
                    largest([a["bias"][i] for i in order], [b["bias"][i] for i in other]))
    for link in ends(first):
        one = run([zveno, "frame", path, "--mimic", "free", "--frame", link, "--state", "-", "--json"],
                  [{"q": s["q"]} for s in asked])
        two = run([zveno, "frame", out, "--frame", link, "--state", "-", "--json"] + more,
                  [{"q": s["q"]} for s in again])
        for a, b in zip(one, two):
            worst = max(worst, largest(a["position"], b["position"]),
                        largest(sum(a["rotation"], []), sum(b["rotation"], [])))
    return lost, worst


def files_of(paths):
    for path in paths:
        if os.path.isfile(path):
            yield path
        for folder, _, names in sorted(os.walk(path)):
            for name in sorted(names):
                if name.endswith((".urdf", ".xml", ".sdf", ".yaml", ".xacro")):
                    yield os.path.join(folder, name)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("zveno")
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--states", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    zveno, failed, compared, skipped = os.path.abspath(args.zveno), 0, 0, 0
    print(f"{'file':52} " + " ".join(f"{k:>14}" for k in FORMATS))
    for path in files_of(args.paths):
        path, row, bad = os.path.abspath(path), [], False
        rng = random.Random(args.seed)
        try:
            run([zveno, "info", path, "--json"])
            first = run([zveno, "info", path, "--mimic", "free", "--json"])
        except (RuntimeError, ValueError):
            skipped += 1  # no robot, a part of one, or one that follows nobody
            continue
        states = [random_state(first, rng) for _ in range(args.states)]
        for kind in FORMATS:
            with tempfile.TemporaryDirectory() as folder:
                try:
                    lost, worst = compare(zveno, path, kind, folder, states)
                    row.append(("cannot be said" if worst is None else f"{worst:.1e}") + (f" -{lost}" if lost else ""))
                    bad = bad or (worst is not None and not lost and not worst <= BOUND)
                except (RuntimeError, ValueError) as reason:
                    row.append("FAILED: " + str(reason))
                    bad = True
        compared += 1
        failed += bad
        print(f"{path[-52:]:52} " + " ".join(f"{x:>14}" for x in row) + ("  FAILED" if bad else ""), flush=True)
    print(f"{compared} robots, {failed} failed, {skipped} files that are none; bound {BOUND:g}; -N: N losses told")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
