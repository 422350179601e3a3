"""Robots read, built of dictionaries, changed, written, copied, pickled; failures with their places."""

from __future__ import annotations

import copy
import math
import pickle
from pathlib import Path

import numpy as np
import pytest
import zveno
from conftest import MODELS, robot, states

ARM = {
    "zveno": 1,
    "name": "two",
    "links": [
        {"name": "base"},
        {"name": "upper", "mass": 2, "com": [0.5, 0, 0], "inertia": [0.01, 0.2, 0.2]},
        {"name": "lower", "mass": 1, "com": np.array([0.25, 0, 0]), "inertia": [0.01, 0.05, 0.05]},
    ],
    "joints": [
        {"name": "shoulder", "type": "revolute", "parent": "base", "child": "upper", "axis": [0, 1, 0]},
        {"name": "elbow", "type": "revolute", "parent": "upper", "child": "lower", "axis": [0, 1, 0],
         "origin": {"xyz": [1, 0, 0], "rpy": [0, "pi/2", 0]}},
    ],
}


def same(a: zveno.Robot, b: zveno.Robot) -> bool:
    q, v, x = states(a, 3)
    return np.array_equal(a.inverse_dynamics(q, v, x), b.inverse_dynamics(q, v, x))


def test_a_robot_of_a_dictionary() -> None:
    two = zveno.Robot(ARM)
    assert (two.name, two.nq, two.nv, two.mass) == ("two", 2, 2, 3)
    assert two.q_names == ("shoulder", "elbow") and two.tau_units == ("N m", "N m")
    np.testing.assert_allclose(two.joint("elbow").origin[:3, :3] @ [1, 0, 0], [0, 0, -1], atol=1e-15)
    hold = two.gravity_force([0, 0])  # horizontal, the forearm hangs down
    np.testing.assert_allclose(hold, [-(2 * 0.5 + 1 * 1.0) * 9.81, 0], atol=1e-12)


def test_descriptions_change_and_come_back() -> None:
    description = zveno.describe(MODELS / "puma560.yaml")
    before = robot("puma560")
    assert same(zveno.Robot(description), before) and same(zveno.Robot(before.description), before)
    heavier = before.description
    heavier["links"][-1]["mass"] = heavier["links"][-1].get("mass", 0) + 1
    assert zveno.Robot(heavier).mass == pytest.approx(before.mass + 1)


@pytest.mark.parametrize("path", sorted(MODELS.glob("*.yaml")), ids=lambda p: p.stem)
def test_every_model_through_text_and_pickle(path: Path, tmp_path: Path) -> None:
    one = zveno.read(path)
    one.write(tmp_path / "again.yaml")
    again = zveno.read(tmp_path / "again.yaml")
    assert again.native == one.native and same(again, one)
    one.threads = 2
    back = pickle.loads(pickle.dumps(one))
    assert same(back, one) and back.threads == 2 and same(copy.deepcopy(one), one)
    assert len(one.links) == one.nlink and len(one.joints) == one.njoint and len(one.frames) == one.nframe
    assert len(one.q_names) == one.nq and len(one.v_names) == len(one.tau_units) == one.nv
    assert len(one.shapes) == one.nshape and len(one.loops) == one.nloop


def test_urdf_and_native_are_one() -> None:
    urdf, native = zveno.read(MODELS / "cobot7.urdf"), zveno.read(MODELS / "cobot7.yaml")
    q, v, _ = states(native, 4)  # URDF knows nothing of rotors
    np.testing.assert_allclose(urdf.inverse_dynamics(q, v), native.inverse_dynamics(q, v), rtol=1e-9, atol=1e-9)
    assert zveno.parse((MODELS / "cobot7.urdf").read_bytes()).nv == native.nv


def test_options() -> None:
    free = robot("cobot7", free_base=True)
    fixed = robot("cobot7")
    assert free.nv == fixed.nv + 6 and free.joints[0].type == "free" and free.joints[0].quaternion == 3
    assert free.q_names[:4] == ("root_joint.x", "root_joint.y", "root_joint.z", "root_joint.qx")
    locked = robot("cobot7", lock=["joint3"])
    assert locked.nv == fixed.nv - 1
    np.testing.assert_array_equal(robot("cobot7", gravity=(0, 0, 0)).gravity_force(fixed.neutral()), 0)
    with pytest.raises(KeyError, match='no joint "jointX"'):
        robot("cobot7", lock=["jointX"])


def test_objects() -> None:
    arm = robot("cobot7")
    joint = arm.joint("joint3")
    assert arm.joints[joint.index] is joint and joint.q == slice(2, 3) and arm.link(joint.child).joint == joint.index
    lower, upper = arm.limits()
    assert lower[2] == joint.dofs[0].lower and math.isfinite(upper[2])
    assert joint.mark.file and joint.mark.line > 1
    with pytest.raises(KeyError, match="expected one of joint1"):
        arm.joint("joint9")


def test_copies_take_loads_up() -> None:
    arm = robot("puma560")
    q, v, a = states(arm, 3)
    copy_of = arm.copy()
    link = arm.links[-1]
    copy_of.set_inertia(link, link.mass + 3, link.com, link.inertia + 0.1 * np.eye(3))
    heavier = arm.description
    heavier["links"] = [dict(each) for each in heavier["links"]]
    assert copy_of.mass == pytest.approx(arm.mass + 3) and copy_of.original is arm
    assert not np.allclose(copy_of.inverse_dynamics(q, v, a), arm.inverse_dynamics(q, v, a))
    back = pickle.loads(pickle.dumps(copy_of))
    np.testing.assert_array_equal(back.inverse_dynamics(q, v, a), copy_of.inverse_dynamics(q, v, a))
    assert copy_of.links[-1].mass == link.mass + 3
    copy_of.set_inertia(link.name, link.mass, link.com, link.inertia)
    np.testing.assert_allclose(copy_of.inverse_dynamics(q, v, a), arm.inverse_dynamics(q, v, a), rtol=1e-12, atol=1e-12)
    with pytest.raises(zveno.NotSupportedError, match="copy of a robot"):
        arm.set_inertia(link, 1, [0, 0, 0], np.eye(3))
    with pytest.raises(zveno.ModelError):
        copy_of.set_inertia(link, -1, [0, 0, 0], np.eye(3))


def test_failures_have_their_place(tmp_path: Path) -> None:
    with pytest.raises(zveno.FileError) as missing:
        zveno.read(tmp_path / "nothing.urdf")
    assert missing.value.status == "ZV_IO" and "nothing.urdf" in str(missing.value)
    assert isinstance(missing.value, OSError)
    with pytest.raises(zveno.ModelError) as wrong:
        zveno.parse("zveno: 1\nlinks:\n  - {name: base, mas: 1}\n", name="robot.yaml")
    assert (wrong.value.file, wrong.value.line) == ("robot.yaml", 3) and wrong.value.token == "mas"
    assert "mass" in wrong.value.text and str(wrong.value).startswith("robot.yaml:3:")
    assert pickle.loads(pickle.dumps(wrong.value)).line == 3
    with pytest.raises(zveno.ModelError) as built:
        zveno.Robot({**ARM, "links": [{"name": "base"}, {"name": "upper", "mas": 1}]})
    assert any("upper" in note for note in built.value.__notes__)
    with pytest.raises(TypeError, match="expected numbers, texts"):
        zveno.Robot({"links": [{"name": object()}]})


def test_findings() -> None:
    findings = zveno.check({**ARM, "links": [*ARM["links"][:2], {"name": "lower", "mass": 1, "inertia": [0.1, 0.1, 0.9]}]})
    triangle = next(f for f in findings if f.rule == "triangle-inequality")
    assert triangle.severity == "error" and "lower" in triangle.element and str(triangle)
    assert all(f.severity != "error" for f in zveno.check(MODELS / "puma560.yaml"))
    links = [{"name": "base"}] + [{"name": f"l{i}", "mass": 1} for i in range(5)]
    joints = [
        {"name": f"j{i}", "type": "revolute", "parent": "base" if i == 0 else f"l{i - 1}", "child": f"l{i}"}
        for i in range(5)
    ]
    chain = {"zveno": 1, "links": links, "joints": joints}
    (points,) = zveno.check(chain)
    assert points.rule == "point-mass" and points.count == 5 and points.others.count("link") == 4
    assert [f.count for f in zveno.check(chain, every=True)] == [1] * 5
    with pytest.raises(TypeError, match="expected a path"):
        zveno.check()


def test_packages_are_found_where_they_are_told(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "part.xacro").write_text(
        '<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:property name="m" value="3"/></robot>'
    )
    text = """<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
      <xacro:include filename="$(find parts)/part.xacro"/>
      <link name="a"/><link name="b"><inertial><mass value="${m}"/>
        <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
      <joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint></robot>"""
    assert zveno.parse(text, "r.xacro", packages={"parts": tmp_path / "elsewhere"}).mass == 3
    with pytest.raises(zveno.Error, match="parts"):
        zveno.parse(text, "r.xacro")
    with pytest.raises(TypeError, match="packages"):
        zveno._core.Builder("", "r", "auto", 3)  # type: ignore[arg-type]


def test_writing_other_formats(tmp_path):
    robot = zveno.read(MODELS / "scara.yaml")
    q, v = np.linspace(0.1, 0.4, robot.nq), np.linspace(-1, 1, robot.nv)
    for name in ("scara.urdf", "scara.xml", "scara.yaml"):
        lost = robot.write(tmp_path / name)
        assert all(f.severity == "note" for f in lost)
        again = zveno.read(tmp_path / name)
        np.testing.assert_allclose(again.bias(q, v), robot.bias(q, v), rtol=1e-12, atol=1e-14)
    text, lost = zveno.read(MODELS / "delta.yaml").written("mjcf")
    assert "<mujoco" in text and any(f.token == "loop" and f.severity == "warning" for f in lost)
    with pytest.raises(zveno.NotSupportedError, match="curve"):
        zveno.read(MODELS / "joints_zoo.yaml").written("urdf")
    with pytest.raises(ValueError, match="expected one of"):
        robot.written("sdf")
