"""States of other engines: there and back, and the same dynamics in those engines where they are installed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import zveno
from conftest import MODELS, other, robot, states
from zveno import conventions


@pytest.mark.parametrize("engine", ["pinocchio", "mujoco"])
def test_there_and_back(rigid: zveno.Robot, engine: str) -> None:
    q, v, a = states(rigid, 4)
    moving = [joint.name for joint in rigid.joints if joint.nv and joint.mimic is None]
    to, back = getattr(conventions, f"to_{engine}"), getattr(conventions, f"from_{engine}")
    for joints in (None, moving[::-1]):
        theirs = to(rigid, q, v, a, v, joints=joints)
        own = back(rigid, *theirs, joints=joints)
        for x, y in zip(own, (q, v, a, v)):
            np.testing.assert_allclose(x, y, atol=1e-14)
    with pytest.raises(ValueError, match="expected those that move"):
        to(rigid, q, joints=moving[1:])
    with pytest.raises(ValueError, match=r"q: expected shape"):
        to(rigid, q[:, 1:])


def test_toolbox() -> None:
    arm = robot("puma560")
    q, v, a = states(arm, 2)
    names = [joint.name for joint in arm.joints if joint.nv]
    theirs = conventions.to_toolbox(arm, q, v, joints=names[::-1])
    np.testing.assert_array_equal(theirs.q, q[:, ::-1])
    np.testing.assert_array_equal(conventions.from_toolbox(arm, *theirs, joints=names[::-1]).v, v)
    with pytest.raises(ValueError, match="joints of one coordinate"):
        conventions.to_toolbox(robot("quadruped"), np.zeros(robot("quadruped").nq))
    np.testing.assert_array_equal(conventions.angular_first([1, 2, 3, 4, 5, 6]), [4, 5, 6, 1, 2, 3])
    np.testing.assert_array_equal(conventions.scalar_last(conventions.scalar_first([1, 2, 3, 4])), [1, 2, 3, 4])


def test_pinocchio_says_the_same() -> None:
    pin = other("pinocchio")
    for name, free in (("quadruped", True), ("humanoid50", True), ("cobot7", False)):
        path = str(MODELS / f"{name}.urdf")
        own = zveno.read(path, free_base=free, mimic=False)
        model = pin.buildModelFromUrdf(path, pin.JointModelFreeFlyer()) if free else pin.buildModelFromUrdf(path)
        data = model.createData()
        q, v, a = states(own, 3)
        theirs = conventions.to_pinocchio(own, q, v, a, joints=list(model.names)[1:])
        for s in range(3):
            tau = pin.rnea(model, data, *(x[s] for x in theirs[:3]))
            back = conventions.from_pinocchio(own, theirs.q[s], tau=tau, joints=list(model.names)[1:])
            np.testing.assert_allclose(back.tau, own.inverse_dynamics(q[s], v[s], a[s]), rtol=1e-8, atol=1e-8)


def test_mujoco_says_the_same(tmp_path: Path) -> None:
    mujoco = other("mujoco")
    xml = """<mujoco><option gravity="0 0 -9.81"><flag contact="disable"/></option><worldbody>
      <body name="trunk" pos="0 0 1"><freejoint name="free"/><inertial pos="0.1 0 0.02" mass="3" diaginertia="0.1 0.2 0.25"/>
        <body name="arm" pos="0.2 0 0"><joint name="ball" type="ball"/>
          <inertial pos="0 0 0.3" mass="1" diaginertia="0.03 0.03 0.01"/>
          <body name="tip" pos="0 0 0.5"><joint name="hinge" axis="0 1 0"/>
            <inertial pos="0 0 0.1" mass="0.5" diaginertia="0.01 0.01 0.002"/></body></body></body>
    </worldbody></mujoco>"""
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    own = zveno.Robot(
        {
            "zveno": 1,
            "links": [
                {"name": "world"},
                {"name": "trunk", "mass": 3, "com": [0.1, 0, 0.02], "inertia": [0.1, 0.2, 0.25]},
                {"name": "arm", "mass": 1, "com": [0, 0, 0.3], "inertia": [0.03, 0.03, 0.01]},
                {"name": "tip", "mass": 0.5, "com": [0, 0, 0.1], "inertia": [0.01, 0.01, 0.002]},
            ],
            "joints": [
                {"name": "free", "type": "free", "parent": "world", "child": "trunk"},
                {"name": "ball", "type": "spherical", "parent": "trunk", "child": "arm", "origin": {"xyz": [0.2, 0, 0]}},
                {"name": "hinge", "type": "revolute", "parent": "arm", "child": "tip", "axis": [0, 1, 0],
                 "origin": {"xyz": [0, 0, 0.5]}},
            ],
        }
    )
    q, v, a = states(own, 5)
    theirs = conventions.to_mujoco(own, q, v, a)
    assert theirs.v is not None and theirs.a is not None
    for s in range(5):
        data.qpos[:], data.qvel[:], data.qacc[:] = theirs.q[s], theirs.v[s], theirs.a[s]
        mujoco.mj_inverse(model, data)
        back = conventions.from_mujoco(own, theirs.q[s], tau=data.qfrc_inverse)
        np.testing.assert_allclose(back.tau, own.inverse_dynamics(q[s], v[s], a[s]), rtol=1e-8, atol=1e-8)
