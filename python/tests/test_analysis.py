"""Modes, linear models, equilibria, assemblies and reduced equations, each against another way to the same numbers."""

from __future__ import annotations

import numpy as np
import pytest
import zveno
from conftest import robot

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
