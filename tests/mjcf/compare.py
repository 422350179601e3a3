#!/usr/bin/env python3
"""Compares robots read from MJCF with MuJoCo's own reading of them, at random states.

usage: compare.py ZVENO FOLDER [--states N] [--seed S] [--only TEXT] [--motion]

With --motion models with actuators are simulated instead, from their keyframe, by the scenario of
`zveno convert --format scenario` and by MuJoCo's RK4 with three steps; without contacts, limits, dry friction and
equality constraints, which are soft there, and without a medium. The difference must fall below its bound. Where servos
are so stiff that RK4 does not get there, MuJoCo's implicit method of the first order is run with halved steps and
extrapolated to a step of zero.

Every file below FOLDER whose root is <mujoco> and which has a <worldbody> is read by the command ZVENO and by the
Python package mujoco (pip install mujoco numpy). Compared are the mass matrix, the bias (weight and velocity terms), the
poses and Jacobians of all bodies, and, where the model has equality constraints, the Jacobian of these against the
motions that are left free. Relative differences are printed; a file fails when one exceeds its bound. Geoms whose mesh
files are missing are taken out of MuJoCo's model, which cannot do without; a model that it then refuses is skipped.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

import mujoco
import numpy as np

BOUND = 1e-10       # of numbers that come from the text of the file
BOUND_MESH = 1e-6   # where masses come from meshes
BOUND_LOOP = 1e-7   # constraint rows times free motions; loops are closed to 1e-9 of the size
FREE, BALL, SLIDE, HINGE = range(4)  # mjtJoint


def run(words, states=None):
    text = json.dumps(states) if states is not None else None
    done = subprocess.run(words, input=text, capture_output=True, text=True)
    if done.returncode not in (0, 3):
        raise RuntimeError(done.stderr.strip().splitlines()[0])
    return json.loads(done.stdout), done


def has_file(path, folder, name):
    return os.path.exists(os.path.join(os.path.dirname(path), folder or "", name))


def load(path):
    """MuJoCo's model; where files are missing without the geoms that need them, and the number of these."""
    try:
        return mujoco.MjModel.from_xml_path(path), 0
    except ValueError:
        pass
    spec = mujoco.MjSpec.from_file(path)
    missing = {m.name or os.path.splitext(os.path.basename(m.file))[0] for m in spec.meshes
               if m.file and not has_file(path, spec.meshdir, m.file)}
    taken = 0
    for geom in list(spec.geoms):
        if geom.meshname and geom.meshname in missing or geom.type == mujoco.mjtGeom.mjGEOM_HFIELD:
            spec.delete(geom)
            taken += 1
    for mesh in list(spec.meshes):
        if (mesh.name or os.path.splitext(os.path.basename(mesh.file))[0]) in missing:
            spec.delete(mesh)
    for kind in (spec.hfields, spec.skins, spec.textures):
        for item in list(kind):
            if item.file and not has_file(path, "", item.file):
                spec.delete(item)
    for material in spec.materials:
        material.textures = [""] * len(material.textures)
    for texture in list(spec.textures):
        spec.delete(texture)
    return spec.compile(), taken


def order(model, info):
    """Pairs of joints: both programs go through the bodies in the same order."""
    joints = [j for j in info["joints"] if j["nv"] > 0]
    if len(joints) != model.njnt:
        raise RuntimeError(f"{len(joints)} joints, expected {model.njnt}")
    for i, j in enumerate(joints):
        name = model.joint(i).name
        if name and name != j["name"]:
            raise RuntimeError(f"joint {j['name']} stands where {name} should")
    return joints


def random_state(model, rng):
    q = np.zeros(model.nq)
    for i in range(model.njnt):
        a, kind = model.jnt_qposadr[i], model.jnt_type[i]
        if kind == FREE:
            q[a:a + 3] = rng.normal(size=3)
            a += 3
        if kind <= BALL:
            e = rng.normal(size=4)
            q[a:a + 4] = e / np.linalg.norm(e)
        else:
            q[a] = rng.uniform(-1.5, 1.5) if kind == HINGE else rng.uniform(-0.2, 0.2)
    return q, rng.normal(size=model.nv)


def to_ours(model, joints, q, v):
    """Positions with x y z w; S with v' = S v: linear velocity of a free joint in its own axes; a' for a = 0."""
    ours, S, a = np.zeros(model.nq), np.eye(model.nv), np.zeros(model.nv)
    for i, j in enumerate(joints):
        at, to, kind = model.jnt_qposadr[i], j["q_index"], model.jnt_type[i]
        if kind == FREE:
            ours[to:to + 3] = q[at:at + 3]
            R, d = np.zeros(9), model.jnt_dofadr[i]
            mujoco.mju_quat2Mat(R, q[at + 3:at + 7])
            S[d:d + 3, d:d + 3] = R.reshape(3, 3).T
            a[d:d + 3] = -np.cross(v[d + 3:d + 6], R.reshape(3, 3).T @ v[d:d + 3])
            at, to = at + 3, to + 3
        if kind <= BALL:
            ours[to:to + 4] = np.roll(q[at:at + 4], -1)
        else:
            ours[to] = q[at]
    return ours, S, a


def to_theirs(model, joints, ours):
    q = np.zeros(model.nq)
    for i, j in enumerate(joints):
        at, to, kind = model.jnt_qposadr[i], j["q_index"], model.jnt_type[i]
        if kind == FREE:
            q[at:at + 3] = ours[to:to + 3]
            at, to = at + 3, to + 3
        if kind <= BALL:
            q[at:at + 4] = np.roll(ours[to:to + 4], 1)
        else:
            q[at] = ours[to]
    return q


def relative(a, b):
    a, b = np.asarray(a), np.asarray(b)
    return 0.0 if a.size == 0 else float(np.max(np.abs(a - b)) / max(np.max(np.abs(b)), 1e-300))


def compare_terms(zveno, path, model, data, joints, states, worst):
    ours = [to_ours(model, joints, q, v) for q, v in states]
    asked = [{"q": list(o[0]), "v": list(o[1] @ s[1])} for o, s in zip(ours, states)]
    answers, _ = run([zveno, "terms", path, "--mimic", "free", "--state", "-", "--json"], asked)
    for (q, v), (_, S, a), answer in zip(states, ours, answers):
        data.qpos[:], data.qvel[:] = q, v
        mujoco.mj_forward(model, data)
        M = np.asarray(answer["mass"]).reshape(model.nv, model.nv)
        worst["mass"] = max(worst["mass"], relative(S.T @ M @ S, full_mass(model, data)))
        theirs = data.qfrc_bias  # that of a vertical axis is rounding: masses are a scale too
        scale = max(np.max(np.abs(theirs)), np.max(np.abs(M)), 1e-300)
        worst["bias"] = max(worst["bias"], float(np.max(np.abs(S.T @ (M @ a + answer["bias"]) - theirs))) / scale)
    return ours


def full_mass(model, data):
    """Columns of M, by products with unit vectors."""
    M, column = np.zeros((model.nv, model.nv)), np.zeros(model.nv)
    for k in range(model.nv):
        mujoco.mj_mulM(model, data, column, np.eye(model.nv)[k])
        M[:, k] = column
    return M


def compare_bodies(zveno, path, model, data, states, ours, worst):
    names = {i: model.body(i).name for i in range(1, model.nbody) if model.body(i).name}
    for i, name in names.items():
        asked = [{"q": list(o[0])} for o in ours]
        answers, _ = run([zveno, "frame", path, "--mimic", "free", "--frame", name, "--state", "-", "--json"], asked)
        for (q, _), (_, S, _), answer in zip(states, ours, answers):
            data.qpos[:] = q
            mujoco.mj_kinematics(model, data)
            mujoco.mj_comPos(model, data)
            jp, jr = np.zeros((3, model.nv)), np.zeros((3, model.nv))
            mujoco.mj_jacBody(model, data, jp, jr, i)
            scale = max(1.0, np.max(np.abs(data.xpos)))
            worst["pose"] = max(worst["pose"], np.max(np.abs(np.asarray(answer["position"]) - data.xpos[i])) / scale,
                                np.max(np.abs(np.asarray(answer["rotation"]).reshape(9) - data.xmat[i])))
            J = np.asarray(answer["jacobian"]).reshape(6, model.nv) @ S
            theirs = np.vstack([jp, jr])
            worst["jacobian"] = max(worst["jacobian"], np.max(np.abs(J - theirs), initial=0) / scale)


def followers(zveno, path):
    """ratio, offset and master of joints that follow others, as the native format has them."""
    text, _ = run([zveno, "convert", path, "--json"])
    pattern = r'- name: (.*)(?:\n    .*)*?\n    mimic: \{joint: (.*?)(?:, ratio: (.*?))?(?:, offset: (.*?))?\}'
    return {n.strip('"'): (j.strip('"'), float(r or 1), float(o or 0))
            for n, j, r, o in re.findall(pattern, text["text"])}


def compare_loops(zveno, path, model, data, joints, worst):
    """Motions that are free here must be free there: J P = 0, and there are no more of them."""
    coupled, _ = run([zveno, "info", path, "--json"])
    follows = followers(zveno, path)
    if not coupled.get("loops") and not follows:
        return
    if coupled.get("loops"):
        answer, done = run([zveno, "reduce", path, "--json"])
        if done.returncode:
            raise RuntimeError("loops do not close: " + done.stderr.strip().splitlines()[0])
    else:
        answer = {"q": [0.0] * coupled["nq"], "P": np.eye(coupled["nv"])}
    place = {j["name"]: j for j in coupled["joints"]}
    small = np.asarray(answer["P"]).reshape(coupled["nv"], -1)
    q, P = np.zeros(model.nq), np.zeros((model.nv, small.shape[1]))
    for j in joints:
        name, ratio, offset = j["name"], 1.0, 0.0
        while name in follows:
            name, r, o = follows[name]
            ratio, offset = ratio * r, offset + ratio * o if name else offset
        c = place[name]
        values = np.asarray(answer["q"][c["q_index"]:c["q_index"] + j["nq"]])
        q[j["q_index"]:j["q_index"] + j["nq"]] = values if j["name"] == name else ratio * values + offset
        P[j["v_index"]:j["v_index"] + j["nv"]] = ratio * small[c["v_index"]:c["v_index"] + j["nv"]]
    if not coupled.get("loops"):
        for j in joints:
            if j["nq"] in (4, 7):
                q[j["q_index"] + j["nq"] - 1] = 1
    data.qpos[:], data.qvel[:] = to_theirs(model, joints, q), 0
    mujoco.mj_forward(model, data)
    J = constraint_rows(model, data)
    _, S, _ = to_ours(model, joints, data.qpos, data.qvel)
    free = np.linalg.solve(S, P)
    worst["loops"] = float(np.max(np.abs(J @ free), initial=0) / np.max(np.abs(J), initial=1e-300))
    rank = np.linalg.matrix_rank(J, tol=1e-6 * np.max(np.abs(J), initial=1e-300))
    if free.shape[1] != model.nv - rank:
        raise RuntimeError(f"{free.shape[1]} free motions, expected {model.nv} - {rank}")


def constraint_rows(model, data):
    rows = data.efc_type == mujoco.mjtConstraint.mjCNSTR_EQUALITY
    if mujoco.mj_isSparse(model):
        J = np.zeros((data.nefc, model.nv))
        for r in range(data.nefc):
            a, n = data.efc_J_rowadr[r], data.efc_J_rownnz[r]
            J[r, data.efc_J_colind[a:a + n]] = data.efc_J[a:a + n]
    else:
        J = np.asarray(data.efc_J).reshape(data.nefc, model.nv)
    return J[np.asarray(rows)[:data.nefc]]


def compare(zveno, path, count, rng):
    model, taken = load(path)
    data = mujoco.MjData(model)
    info, done = run([zveno, "info", path, "--mimic", "free", "--json"])
    if info["nv"] != model.nv or info["nq"] != model.nq:
        raise RuntimeError(f"nq {info['nq']} nv {info['nv']}, expected {model.nq} and {model.nv}")
    worst = {"mass": 0.0, "bias": 0.0, "pose": 0.0, "jacobian": 0.0, "loops": float("nan")}
    if model.nv:
        joints = order(model, info)
        states = [random_state(model, rng) for _ in range(count)]
        ours = compare_terms(zveno, path, model, data, joints, states, worst)
        compare_bodies(zveno, path, model, data, states, ours, worst)
        compare_loops(zveno, path, model, data, joints, worst)
    return model, taken, worst


SECONDS = 1.0
STEPS = (2e-3, 5e-4, 1.25e-4)
IMPLICIT_STEPS = tuple(5e-4 / 2 ** k for k in range(6))
BOUND_MOTION = 1e-7  # rad and m, at the smallest step: what bounds of forces, which are no smooth functions, leave
WITHOUT = """<option density="0" viscosity="0"><flag equality="disable"/></option>
"""


def strip(path, folder):
    """A copy of a model beside links to its files, where equality constraints and the medium are switched off."""
    source = os.path.dirname(path)
    for name in os.listdir(source):
        if name != os.path.basename(path):
            os.symlink(os.path.join(source, name), os.path.join(folder, name))
    with open(path, encoding="utf-8") as file:
        text = file.read()
    copy = os.path.join(folder, os.path.basename(path))
    at = text.rindex("</mujoco>")
    with open(copy, "w", encoding="utf-8") as file:
        file.write(text[:at] + WITHOUT + text[at:])
    return copy


def simulate_ours(zveno, path, folder):
    scenario, rows = os.path.join(folder, "scenario.yaml"), os.path.join(folder, "rows.csv")
    said, _ = run([zveno, "convert", path, "--format", "scenario", "-o", scenario, "--json"])
    lost = [loss["why"] for loss in said["lost"] if "left out" in loss["why"]]
    if lost:
        raise ValueError(lost[0])
    run_plain([zveno, "simulate", scenario, "--quiet", "-o", rows, "--set", "output.channels=[q]", "--set",
               "output.rate=1", "--set", "integrator.rtol=1e-11", "--set", "integrator.atol=1e-11", "--set",
               "passive.friction=false", "--set", f"duration={SECONDS}"])
    with open(rows, encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith("#")]
    return np.array([float(x) for x in lines[-1].split(",")][1:])


def run_plain(words):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[0])


def simulate_theirs(model, joints, step, implicit=False):
    model.opt.timestep = step
    kinds = mujoco.mjtIntegrator
    model.opt.integrator = kinds.mjINT_IMPLICIT if implicit else kinds.mjINT_RK4
    for flag in (mujoco.mjtDisableBit.mjDSBL_CONTACT, mujoco.mjtDisableBit.mjDSBL_LIMIT,
                 mujoco.mjtDisableBit.mjDSBL_FRICTIONLOSS):
        model.opt.disableflags |= int(flag)
    data = mujoco.MjData(model)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    for _ in range(round(SECONDS / step)):
        mujoco.mj_step(model, data)
        if not np.all(np.isfinite(data.qpos)):
            break
    return to_ours(model, joints, data.qpos, data.qvel)[0]


def extrapolated(model, joints):
    """Runs of the first order at halved steps, led to a step of zero column by column."""
    rows = [simulate_theirs(model, joints, h, True) for h in IMPLICIT_STEPS]
    for k in range(1, len(rows)):
        rows = [b + (b - a) / (2 ** k - 1) for a, b in zip(rows, rows[1:])]
    return rows[0]


def largest(a, b):
    difference = float(np.max(np.abs(a - b)))
    return difference if difference == difference else float("inf")


def compare_motion(zveno, path, folder):
    copy = strip(path, folder)
    model, taken = load(copy)
    if not model.nu or not model.nv:
        raise ValueError("no actuators")
    info, _ = run([zveno, "info", copy, "--json"])
    ours = simulate_ours(zveno, copy, folder)
    joints = order(model, info)
    differences = [largest(simulate_theirs(model, joints, h), ours) for h in STEPS]
    implicit = None
    if not differences[-1] <= BOUND_MOTION:
        implicit = largest(extrapolated(model, joints), ours)
    return taken, differences, implicit


def motions(zveno, folder, files):
    print(f"{'file':48} " + " ".join(f"{h:9g}" for h in STEPS) + "  implicit")
    failed = compared = 0
    for path in files:
        name = os.path.relpath(path, folder)
        try:
            with tempfile.TemporaryDirectory() as scratch:
                taken, differences, implicit = compare_motion(os.path.abspath(zveno), os.path.abspath(path), scratch)
        except ValueError as reason:
            print(f"{name:48} skipped: {str(reason).splitlines()[0]}")
            continue
        except RuntimeError as reason:
            failed += 1
            print(f"{name:48} FAILED: {reason}")
            continue
        bad = not min(differences[-1], implicit if implicit is not None else differences[-1]) <= BOUND_MOTION
        failed += bad
        compared += 1
        shown = differences + ([implicit] if implicit is not None else [])
        print(f"{name:48} " + " ".join(f"{d:9.1e}" for d in shown) + ("  FAILED" if bad else ""), flush=True)
    print(f"{compared} motions compared, {failed} failed; bound {BOUND_MOTION:g}")
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("zveno")
    parser.add_argument("folder")
    parser.add_argument("--states", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--motion", action="store_true")
    args = parser.parse_args()
    files = [os.path.join(d, f) for d, _, names in os.walk(args.folder) for f in names if f.endswith(".xml")]
    files = [f for f in sorted(files) if args.only in f and "<worldbody" in open(f, encoding="utf-8").read()]
    if args.motion:
        return motions(args.zveno, args.folder, files)
    print(f"{'file':48} {'nv':>4} {'mass':>9} {'bias':>9} {'pose':>9} {'jacobian':>9} {'loops':>9}")
    failed = skipped = 0
    for path in files:
        name = os.path.relpath(path, args.folder)
        try:
            model, taken, worst = compare(os.path.abspath(args.zveno), path, args.states,
                                          np.random.default_rng(args.seed))
        except ValueError as reason:
            skipped += 1
            print(f"{name:48} skipped: MuJoCo: {str(reason).splitlines()[0]}")
            continue
        except RuntimeError as reason:
            failed += 1
            print(f"{name:48} FAILED: {reason}")
            continue
        bound = BOUND_MESH if model.nmesh else BOUND
        bad = any(worst[k] > bound for k in ("mass", "bias", "pose", "jacobian")) or worst["loops"] > BOUND_LOOP
        failed += bad
        print(f"{name:48} {model.nv:4} " + " ".join(f"{worst[k]:9.1e}" for k in worst) +
              (f"  without {taken} geoms" if taken else "") + ("  FAILED" if bad else ""))
    print(f"{len(files)} files, {failed} failed, {skipped} skipped; bounds {BOUND:g}, with meshes {BOUND_MESH:g}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
