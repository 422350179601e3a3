"""Modes, linear models, equilibria, assemblies and reduced equations, each against another way to the same numbers."""

from __future__ import annotations

import json
import subprocess

import numpy as np
import pytest
import zveno
from conftest import ROOT, robot

PENDULUM = {
    "links": [{"name": "base"}, {"name": "rod", "mass": 2, "com": [0, 0, -0.5], "inertia": [0.2, 0.2, 0.01]}],
    "joints": [{"name": "hinge", "type": "revolute", "parent": "base", "child": "rod", "axis": [0, 1, 0]}],
}


def test_pendulum_swings_as_it_is_known_to() -> None:
    modes = zveno.Robot(PENDULUM).modes()
    inertia = 0.2 + 2 * 0.25
    assert np.allclose(modes.frequency, np.sqrt(2 * 9.81 * 0.5 / inertia))
    assert np.allclose(modes.hertz * 2 * np.pi, modes.frequency)
    assert np.allclose(modes.shapes, 1 / np.sqrt(inertia))
    upright = zveno.Robot(PENDULUM).modes([np.pi])
    assert upright.eigenvalue[0].real > 0


def test_modes_are_those_of_the_linear_model() -> None:
    arm = robot("puma560")
    q = arm.equilibrium(stiffness=np.full(6, 200.0), relaxed=np.full(6, 0.1))
    held = arm.gravity_force(q) + 200 * (q - 0.1)
    assert np.abs(held).max() < 1e-8
    linear = arm.linearize(q, stiffness=np.full(6, 200.0), relaxed=np.full(6, 0.1))
    modes = arm.modes(q, stiffness=np.full(6, 200.0), relaxed=np.full(6, 0.1), damping=np.zeros(6))
    square = np.sort(np.linalg.eigvals(np.linalg.solve(linear.M, linear.K)).real)
    assert np.allclose(modes.frequency**2, square, rtol=1e-8)
    assert np.allclose(linear.M, arm.mass_matrix(q))
    assert np.allclose(modes.shapes @ linear.M @ modes.shapes.T, np.eye(6), atol=1e-8)


def test_elastic_links_joints_held_and_loads() -> None:
    arm = robot("flexible_arm")
    locked = arm.modes(joints="locked")
    names = [joint.name for joint in arm.joints if joint.nv]
    assert np.allclose(locked.frequency, arm.modes(joints="free", held=names).frequency)
    assert len(locked.frequency) == arm.nelastic and np.all(locked.frequency > 0)
    flags = np.array([name in names for name in arm.v_names])
    rest = arm.equilibrium(joints="free", held=names)
    pushed = arm.equilibrium(joints="free", held=flags, loads={arm.frames[-1].name: [0, 0, 1e-3, 0, 0, 0]}, steps=3)
    assert 0 < np.abs(pushed - rest).max() < 0.1


def test_motors_are_freedoms_of_their_own() -> None:
    arm = robot("two_link_geared")
    theta = arm.gear_rest(np.zeros(2), arm.gravity_force(np.zeros(2)))
    free = arm.modes(np.zeros(2), motors=True, theta=theta)
    assert free.shapes.shape == (len(free.frequency), 4) and len(free.frequency) == 4
    stopped = arm.modes(np.zeros(2), motors=True, theta=theta, locked=arm.v_names)
    assert np.allclose(stopped.frequency, arm.modes(np.zeros(2), theta=theta).frequency)


def test_assemblies_and_reduced_equations() -> None:
    bars = robot("five_bar")
    found = bars.assemblies(bars.assemble(bars.neutral()), held=bars.v_names[:1], guesses=200)
    assert len(found) >= 1
    for q in found:
        assert bars.loop_residual(q).gap < 1e-9
    q = next(q for q in found if bars.loop_mobility(q).freedoms == 2)  # the others are singular
    v = bars.close_velocity(q, np.linspace(1, 2, bars.nv)).v_closed
    tau = np.linspace(-1, 1, bars.nv)
    reduced = bars.reduce(q, v, tau=tau)
    n = len(reduced.independent)
    assert n == int(bars.loop_mobility(q).freedoms) and reduced.P.shape == (bars.nv, n)
    independent = list(reduced.independent)
    rates = reduced.P.T @ tau - reduced.C @ v[independent] - reduced.G
    a = reduced.P @ np.linalg.solve(reduced.D, rates) + reduced.gamma
    assert np.allclose(a, bars.closed_forward_dynamics(q, v, tau).a, atol=1e-8)
    assert reduced.a is not None and np.allclose(reduced.a, a, atol=1e-8)
    assert np.allclose(bars.loop_jacobian(q) @ reduced.P, 0, atol=1e-9)
    moved = q.copy()
    moved[[i for i in range(bars.nq) if i not in independent]] += 1e-3
    assert np.allclose(bars.reduce(moved, close=True, independent=independent).q, q, atol=1e-7)


def test_bad_input_gets_a_sentence() -> None:
    arm = robot("puma560")
    with pytest.raises(ValueError, match=r"q: expected shape \(6,\), found \(3,\)"):
        arm.modes(np.zeros(3))
    with pytest.raises(ValueError, match="joints: expected"):
        arm.modes(joints="loose")
    with pytest.raises(KeyError, match="joint: expected one of"):
        arm.modes(held=["elbow"])
    with pytest.raises(IndexError, match="held: expected 0 to 5, found 9"):
        arm.modes(held=[9])
    with pytest.raises(ValueError, match="steps"):
        arm.equilibrium(steps=0)
    with pytest.raises(ValueError, match="wrench of a load"):
        arm.modes(loads={"link6": [1, 2]})
    with pytest.raises(KeyError, match="frame"):
        arm.modes(loads={"hand": np.zeros(6)})
    with pytest.raises(zveno.SingularError):
        zveno.Robot({**PENDULUM, "gravity": [0, 0, 0]}).equilibrium(tau=[1.0])


def test_certificates_of_robots(command: str) -> None:
    """What the command certifies, of the same states; a method named in place of all."""
    arm = robot("puma560")
    calls: list[tuple[int, int]] = []
    agreement = arm.agree(20, seed=3, progress=lambda samples, done, elapsed: calls.append((samples, done)))
    assert agreement.holds and agreement.samples == 20 and agreement.depth == 6 and calls[-1] == (20, 20)
    told = subprocess.run(
        [command, "agree", ROOT / "models" / "puma560.yaml", "--samples", "20", "--seed", "3", "--json"],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    theirs = json.loads(told.stdout)
    assert agreement.condition == pytest.approx(theirs["condition"], rel=1e-9)
    for mine, other in zip(agreement.questions, theirs["questions"]):
        assert mine.name == other["question"] and mine.compared == other["compared"] and mine.agrees
        assert mine.ratio == pytest.approx(other["ratio"], rel=1e-3)
        asked = {m["method"] for m in other["methods"]}
        assert {m.name for m in mine.methods} <= asked
    assert agreement.question("mass").compared == 20
    with pytest.raises(KeyError, match="expected one of"):
        agreement.question("mas")
    assert arm.agree(50, progress=lambda samples, done, elapsed: False if done >= 3 else None).samples == 3
    with pytest.raises(ZeroDivisionError):
        arm.agree(50, progress=lambda samples, done, elapsed: bool(1 / 0))
    with pytest.raises(zveno.ModelError):
        arm.agree(-1)
    assert not arm.agree(5, factor=1e-9).holds


def test_linear_models_of_scenarios() -> None:
    """A of differences of the accelerations, B of the mass matrix, the second order of the same robot without drives."""
    arm = robot("puma560")
    scenario = zveno.Scenario({"model": arm, "duration": 1, "passive": False})
    q, v = np.array([0.1, 0.8, 3.0, 0.2, 0.7, 0.1]), np.array([0.1, 0.2, -0.3, 0.1, 0.2, -0.2])
    model = scenario.linear(q=q, v=v, outputs=["q.joint2", "v"])
    assert model.A.shape == (12, 12) and model.B.shape == (12, 6) and model.C.shape == (7, 12)
    d = arm.forward_derivatives(q, v)
    np.testing.assert_allclose(model.A[6:, :6], d.dq, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(model.A[6:, 6:], d.dv, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(model.B[6:], arm.mass_inverse(q), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(model.rate, np.r_[v, arm.forward_dynamics(q, v)], rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(model.a, arm.forward_dynamics(q, v), rtol=1e-9, atol=1e-9)
    assert model.M is not None and np.allclose(model.M, arm.mass_matrix(q)) and model.independent == tuple(range(6))
    assert model.state_names[7] == ("v.joint2", "rad/s") and model.output_names[0] == ("q.joint2", "rad")
    assert np.array_equal(model.output, np.r_[q[1], v]) and np.array_equal(model.C[0], np.eye(12)[1])
    with pytest.raises(zveno.ModelError):
        scenario.linear(inputs=["tua"])
    with pytest.raises(TypeError):
        scenario.linear(outputs=[1])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="q: expected shape"):
        scenario.linear(q=[1.0])


def test_scenario_of_mjcf() -> None:
    made, lost = zveno.mjcf_scenario(ROOT / "tests" / "mjcf" / "actuators.xml")
    scenario = zveno.Scenario(made)
    assert len(made["drives"]) >= 3 and scenario.robot.nv > 0 and all(finding.why for finding in lost)
    with pytest.raises(zveno.FileError):
        zveno.mjcf_scenario("none.xml")
    with pytest.raises(zveno.ModelError):
        zveno.mjcf_scenario(ROOT / "tests" / "mjcf" / "actuators.xml", "no such key")


def test_map_of_poses() -> None:
    arm = robot("two_link")
    q = np.stack(np.meshgrid(np.linspace(-1, 1, 5), np.linspace(0.2, 2, 4), indexing="ij"), axis=-1)
    springs = np.array([900.0, 400.0])
    found = arm.map(
        q, ["f1", "f2", "zeta1", "gravity-torque", "gravity-torque." + arm.v_names[1], "z"],
        frame=arm.frames[-1].name, stiffness=springs, relaxed=np.zeros(2), damping=np.zeros(2),
    )  # fmt: skip
    assert found["f1"].shape == (5, 4)
    for at in np.ndindex(5, 4):
        modes = arm.modes(q[at], stiffness=springs, relaxed=np.zeros(2), damping=np.zeros(2))
        assert np.array_equal([found["f1"][at], found["f2"][at]], modes.hertz)
        g = arm.inverse_dynamics(q[at])
        assert found["gravity-torque"][at] == np.abs(g).max() and found["gravity-torque." + arm.v_names[1]][at] == g[1]
        assert abs(found["z"][at] - arm.frame_pose(q[at], arm.frames[-1].name)[2, 3]) < 1e-15
    with pytest.raises(ValueError, match="frame: expected one"):
        arm.map(q, ["stiffness"])
    with pytest.raises(ValueError, match="show: expected f1"):
        arm.map(q, ["f0"])
