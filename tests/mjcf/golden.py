#!/usr/bin/env python3
"""Prints tests/mjcf/golden.txt: mass matrix and bias of the models beside it at random states, by MuJoCo.

usage: golden.py > golden.txt              (pip install mujoco numpy; written with mujoco 4.0.0)
       golden.py --motion > motion.txt     where actuators.xml is after one second, extrapolated to a step of zero

A line is "model nq nv", and after it come q, v, M row by row and the bias, in the coordinates of Zveno.
"""
import os
import sys

import mujoco
import numpy as np

import compare

here = os.path.dirname(os.path.abspath(__file__))
zveno = os.path.join(here, "..", "..", "build", "zveno")
if "--motion" in sys.argv:
    path = os.path.join(here, "actuators.xml")
    model, _ = compare.load(path)
    info, _ = compare.run([zveno, "info", path, "--json"])
    for x in compare.extrapolated(model, compare.order(model, info)):
        print(f"{x:.12g}")
    sys.exit()
rng = np.random.default_rng(7)
for name in ("arm", "loops", "meshes", "actuators", "bounds"):
    path = os.path.join(here, name + ".xml")
    model, _ = compare.load(path)
    data = mujoco.MjData(model)
    info, _ = compare.run([zveno, "info", path, "--mimic", "free", "--json"])
    joints = compare.order(model, info)
    for _ in range(2):
        q, v = compare.random_state(model, rng)
        ours, S, a = compare.to_ours(model, joints, q, v)
        data.qpos[:], data.qvel[:] = q, v
        mujoco.mj_forward(model, data)
        back = np.linalg.inv(S)
        M = back.T @ compare.full_mass(model, data) @ back
        bias = back.T @ data.qfrc_bias - M @ a
        print(name, model.nq, model.nv)
        for row in (ours, S @ v, M.ravel(), bias):
            print(" ".join(f"{x:.17g}" for x in row))
