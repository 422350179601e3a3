"""Answers hold together: each question by another one, by differences, or by the command."""

from __future__ import annotations

import json
import subprocess

import numpy as np
import pytest
import zveno
from conftest import MODELS, robot, states

CLOSE = dict(rtol=1e-9, atol=1e-9)


def test_forward_undoes_inverse(rigid: zveno.Robot) -> None:
    q, v, a = states(rigid, 20)
    tau = rigid.inverse_dynamics(q, v, a)
    np.testing.assert_allclose(rigid.forward_dynamics(q, v, tau), a, rtol=1e-7, atol=1e-7)


def test_mass_matrix_is_inverse_dynamics_by_columns(rigid: zveno.Robot) -> None:
    q, _, _ = states(rigid, 5)
    unit = np.eye(rigid.nv)
    columns = rigid.inverse_dynamics(q[:, None], None, unit) - rigid.gravity_force(q)[:, None]
    np.testing.assert_allclose(rigid.mass_matrix(q), columns, **CLOSE)
    np.testing.assert_allclose(rigid.mass_matrix(q) @ rigid.mass_inverse(q), np.broadcast_to(unit, columns.shape), atol=1e-7)


def test_terms_add_up(rigid: zveno.Robot) -> None:
    q, v, a = states(rigid, 10)
    C = rigid.coriolis_matrix(q, v)
    sum_of_terms = rigid.mass_times(q, a) + np.einsum("sij,sj->si", C, v) + rigid.gravity_force(q)
    np.testing.assert_allclose(rigid.inverse_dynamics(q, v, a), sum_of_terms, **CLOSE)
    np.testing.assert_allclose(rigid.bias(q, v), sum_of_terms - rigid.mass_times(q, a), **CLOSE)
    np.testing.assert_allclose(rigid.mass_inverse_times(q, rigid.mass_times(q, a)), a, rtol=1e-7, atol=1e-7)


def test_kinetic_energy_and_momentum(rigid: zveno.Robot) -> None:
    q, v, _ = states(rigid, 10)
    energy = rigid.energy(q, v)
    np.testing.assert_allclose(energy.kinetic, 0.5 * np.einsum("si,si->s", v, rigid.mass_times(q, v)), **CLOSE)
    momentum, step = rigid.momentum(q, v), 1e-6
    ahead, behind = (rigid.center_of_mass(rigid.position_add(q, sign * step * v)) for sign in (1, -1))
    np.testing.assert_allclose(momentum.h[:, :3], rigid.mass * (ahead - behind) / (2 * step), rtol=1e-5, atol=1e-5)
    np.testing.assert_array_equal(momentum.c, rigid.center_of_mass(q))
    power = (rigid.energy(rigid.position_add(q, step * v)).potential - rigid.energy(rigid.position_add(q, -step * v)).potential)
    np.testing.assert_allclose(power / (2 * step), np.einsum("si,si->s", rigid.gravity_force(q), v), rtol=1e-5, atol=1e-5)


def test_frames_move_as_their_jacobians_say(rigid: zveno.Robot) -> None:
    q, v, a = states(rigid, 6)
    step = 1e-6
    frame = rigid.frames[-1]
    J = rigid.frame_jacobian(q, frame)
    velocity = np.einsum("sij,sj->si", J, v)
    np.testing.assert_allclose(rigid.frame_velocity(q, v, frame), velocity, **CLOSE)
    ahead, behind = (rigid.frame_pose(rigid.position_add(q, sign * step * v), frame) for sign in (1, -1))
    np.testing.assert_allclose(rigid.pose_error(ahead, behind) / (2 * step), velocity, rtol=1e-5, atol=1e-5)
    acceleration = np.einsum("sij,sj->si", J, a) + rigid.frame_bias(q, v, frame)
    np.testing.assert_allclose(rigid.frame_acceleration(q, v, a, frame), acceleration, **CLOSE)
    local = rigid.frame_velocity(q, v, frame.name, axes="local")
    R = rigid.frame_pose(q, frame.index)[:, :3, :3]
    np.testing.assert_allclose(np.einsum("sij,sj->si", R, local[:, :3]), velocity[:, :3], **CLOSE)


def test_rates_of_jacobians_and_momentum(rigid: zveno.Robot) -> None:
    q, v, a = states(rigid, 5)
    step, frame = 1e-5, rigid.frames[-1]
    ahead, behind = (rigid.position_add(q, sign * step * v) for sign in (1, -1))
    for axes in ("world", "local"):
        rate = (rigid.frame_jacobian(ahead, frame, axes=axes) - rigid.frame_jacobian(behind, frame, axes=axes)) / (2 * step)
        np.testing.assert_allclose(rigid.frame_jacobian_rate(q, v, frame, axes=axes), rate, rtol=1e-5, atol=1e-5)
        for link in rigid.links:
            own = rigid.frame_jacobian(q, link, axes=axes)
            np.testing.assert_allclose(rigid.link_jacobians(q, axes=axes)[:, link.index], own, **CLOSE)
    map_ = rigid.centroidal_map(q)
    np.testing.assert_allclose(np.einsum("sij,sj->si", map_.A, v), rigid.momentum(q, v).h, **CLOSE)
    np.testing.assert_allclose(map_.c, rigid.center_of_mass(q), **CLOSE)
    rate = (rigid.momentum(ahead, v).h - rigid.momentum(behind, v).h) / (2 * step)
    np.testing.assert_allclose(rigid.centroidal_bias(q, v), rate, rtol=1e-5, atol=1e-4)


def test_bodies_stand_where_their_links_are(rigid: zveno.Robot) -> None:
    q, _, _ = states(rigid, 3)
    bodies, links = rigid.body_poses(q), rigid.link_poses(q)
    assert bodies.shape[1] <= links.shape[1]
    for pose in np.moveaxis(bodies, 1, 0):
        assert min(np.abs(links - pose[:, None]).max(axis=(0, 2, 3))) < 1e-12


def test_all_links_in_one_sweep(rigid: zveno.Robot) -> None:
    q, v, _ = states(rigid, 4)
    motions = rigid.link_motions(q, v)
    np.testing.assert_array_equal(motions.poses, rigid.link_poses(q))
    for link in rigid.links:
        np.testing.assert_allclose(motions.poses[:, link.index], rigid.frame_pose(q, link), **CLOSE)
        np.testing.assert_allclose(motions.velocities[:, link.index], rigid.frame_velocity(q, v, link), **CLOSE)


def test_derivatives_are_those_of_differences() -> None:
    arm = robot("cobot7")
    q, v, a = states(arm, 3)
    d = arm.inverse_derivatives(q, v, a)
    step = 1e-6 * np.eye(arm.nv)
    by_q = arm.inverse_dynamics(arm.position_add(q[:, None], step), v[:, None], a[:, None]) - arm.inverse_dynamics(
        arm.position_add(q[:, None], -step), v[:, None], a[:, None]
    )
    np.testing.assert_allclose(d.dq, np.swapaxes(by_q, -1, -2) / 2e-6, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(d.da, arm.mass_matrix(q), **CLOSE)
    tau = arm.inverse_dynamics(q, v, a)
    f = arm.forward_derivatives(q, v, tau)
    np.testing.assert_allclose(f.a, a, rtol=1e-7, atol=1e-7)
    np.testing.assert_allclose(f.dq, -f.dtau @ d.dq, rtol=1e-6, atol=1e-6)


def test_mixed_dynamics_joins_both(rigid: zveno.Robot) -> None:
    q, v, a = states(rigid, 9)
    tau = rigid.inverse_dynamics(q, v, a)
    given = np.arange(rigid.nv) % 2
    mixed = rigid.mixed_dynamics(q, v, given, np.where(given, 0, tau), np.where(given, a, 0))
    np.testing.assert_allclose(mixed.tau_all, tau, rtol=1e-7, atol=1e-7)
    np.testing.assert_allclose(mixed.a_all, a, rtol=1e-7, atol=1e-7)
    each = np.array([given, 1 - given, 0 * given])  # another mask for each state: one by one
    several = rigid.mixed_dynamics(q[:3], v[:3], each, tau[:3], a[:3])
    np.testing.assert_allclose(several.tau_all, tau[:3], rtol=1e-7, atol=1e-7)


def test_external_forces_are_generalised_by_jacobians(rigid: zveno.Robot) -> None:
    q, v, a = states(rigid, 5)
    wrench = np.array([1.0, -2, 3, 0.1, 0.2, -0.3])
    frame = rigid.frames[-1]
    fext = rigid.add_wrench(q, frame, wrench)
    pushed = rigid.inverse_dynamics(q, v, a) - rigid.inverse_dynamics(q, v, a, fext)
    np.testing.assert_allclose(pushed, np.einsum("sij,i->sj", rigid.frame_jacobian(q, frame), wrench), **CLOSE)
    flat = rigid.inverse_dynamics(q, v, a, fext.reshape(5, -1))
    np.testing.assert_array_equal(flat, rigid.inverse_dynamics(q, v, a, fext))


def test_reactions_contain_drives() -> None:
    arm = robot("puma560")
    q, v, a = states(arm, 4)
    reactions, tau = arm.joint_reactions(q, v, a), arm.inverse_dynamics(q, v, a)
    for joint in arm.joints:
        if joint.type == "revolute":
            axis = joint.axis / np.linalg.norm(joint.axis)
            along = np.einsum("i,si->s", axis, reactions[:, joint.index, 3:])
            np.testing.assert_allclose(along, tau[:, joint.v_index] - joint.dofs[0].armature * a[:, joint.v_index], **CLOSE)


def test_methods_agree() -> None:
    arm = robot("cobot7")
    q, v, a = states(arm, 2)
    tau = arm.inverse_dynamics(q, v, a)
    for question, ask in (
        ("inverse", lambda m: arm.inverse_dynamics(q, v, a, method=m)),
        ("bias", lambda m: arm.bias(q, v, method=m)),
        ("mass", lambda m: arm.mass_matrix(q, method=m)),
        ("forward", lambda m: arm.forward_dynamics(q, v, tau, method=m)),
        ("inverse-mass", lambda m: arm.mass_inverse(q, method=m)),
    ):
        rows = zveno.methods(question)
        assert rows[0].name == "auto"
        answers = [ask(row.name) for row in rows if arm.method_obstacle(question, row.name) is None]
        assert len(answers) > 2
        for answer in answers[1:]:
            np.testing.assert_allclose(answer, answers[0], rtol=1e-6, atol=1e-6)
        assert arm.method_chosen(question)[0] in [row.name for row in rows]
    with pytest.raises(ValueError, match="expected one of auto, .*found \"none\""):
        arm.mass_matrix(q, method="none")


def test_elastic_links() -> None:
    arm = robot("flexible_arm")
    assert arm.nelastic > 0 and not arm.has_lanes
    q, v, a = states(arm, 3)
    q[:, : arm.nq] *= 0.01
    tau = arm.inverse_dynamics(q, v, a)
    np.testing.assert_allclose(arm.forward_dynamics(q, v, tau), a, rtol=1e-6, atol=1e-6)
    drive = arm.flexible_inverse_dynamics(q, v, a)
    np.testing.assert_allclose(arm.forward_dynamics(q, v, drive.tau), drive.a_elastic, rtol=1e-6, atol=1e-6)
    link = next(link for link in arm.links if link.elastic)
    M, K, D = arm.elastic_matrices(link)
    assert M.shape == K.shape == D.shape == (link.elastic, link.elastic)
    at = slice(link.q_index, link.q_index + link.elastic)
    e = np.zeros(arm.nq)
    e[at] = 1e-3
    np.testing.assert_allclose(arm.strain_energy(e), 0.5 * e[at] @ K @ e[at], rtol=1e-9)
    np.testing.assert_allclose(arm.elastic_force(e)[link.v_index : link.v_index + link.elastic], K @ e[at], rtol=1e-9)


def test_command_says_the_same(command: str) -> None:
    arm = robot("puma560")
    q, v, a = (x[0] for x in states(arm, 1))
    state = json.dumps({"q": q.tolist(), "v": v.tolist(), "a": a.tolist()})
    told = subprocess.run(
        [command, "inverse", str(MODELS / "puma560.yaml"), "--state", "-", "--json"], input=state, capture_output=True, text=True
    )
    assert told.returncode == 0, told.stderr
    np.testing.assert_allclose(json.loads(told.stdout)["tau"], arm.inverse_dynamics(q, v, a), rtol=1e-12)


def test_loops() -> None:
    bar = robot("five_bar")
    assert bar.nloop == len(bar.loops) > 0
    q = bar.assemble(bar.neutral() + 0.1)
    np.testing.assert_allclose(bar.loop_gaps(q).gaps, 0, atol=1e-10)
    v = bar.close_velocity(q, np.ones(bar.nv)).v_closed
    np.testing.assert_allclose(bar.loop_jacobian(q) @ v, 0, atol=1e-10)
    tau = np.linspace(-1, 1, bar.nv)
    motion = bar.closed_forward_dynamics(q, v, tau)
    # the tree with the forces of the loops moves as the mechanism does, and so the loops stay closed
    free = bar.forward_dynamics(q, v, tau + bar.loop_forces(q, motion.lam))
    np.testing.assert_allclose(free, motion.a, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(bar.loop_jacobian(q) @ motion.a + bar.loop_bias(q, v), 0, atol=1e-8)
    other = bar.closed_forward_dynamics(q, v, tau, row=1)
    np.testing.assert_allclose(other.a, motion.a, rtol=1e-7, atol=1e-7)
    drives = bar.closed_inverse_dynamics(q, v, motion.a)
    np.testing.assert_allclose(bar.closed_forward_dynamics(q, v, drives.tau).a, motion.a, rtol=1e-7, atol=1e-7)
    moved = bar.close_position(q + 1e-3)
    np.testing.assert_allclose(bar.loop_residual(moved.q_closed).gap, 0, atol=1e-10)
    mobility = bar.loop_mobility(q)
    assert mobility.freedoms + mobility.rank == bar.nv


def test_operational_space() -> None:
    arm = robot("puma560")
    q, v, _ = (x[0] for x in states(arm, 1, seed=3))
    frame = arm.frames[-1].name
    task = arm.task_dynamics(q, frame, v, rows="xyz")
    J = arm.task_jacobian(q, frame, rows="xyz")
    np.testing.assert_allclose(J, arm.frame_jacobian(q, frame)[:3], atol=1e-12)
    np.testing.assert_allclose(np.linalg.inv(task.Lambda), J @ arm.mass_inverse(q) @ J.T, rtol=1e-7, atol=1e-9)
    tau = arm.task_force(q, frame, np.array([1.0, 2, 3]), v, rows="xyz")
    a = arm.forward_dynamics(q, v, tau)
    np.testing.assert_allclose(arm.frame_acceleration(q, v, a, frame)[:3], [1, 2, 3], rtol=1e-7, atol=1e-7)


def test_inverse_kinematics_finds_where_the_frame_was() -> None:
    arm = robot("puma560")
    frame = arm.frames[-1]
    q, _, _ = states(arm, 8, seed=5)
    lower, upper = arm.limits()
    q = np.clip(0.3 * q + 0.4, lower, upper)
    target = arm.frame_pose(q, frame)
    found = arm.inverse_kinematics(np.clip(q + 0.1, lower, upper), frame, target)
    np.testing.assert_allclose(arm.frame_pose(found.q_found, frame), target, atol=1e-9)
    away = np.eye(4)
    away[0, 3] = 100
    with pytest.raises(zveno.ConvergenceError, match="out of reach"):
        arm.inverse_kinematics(q[0], frame, away)
    status = np.zeros(2, int)
    both = arm.inverse_kinematics(q[:2], frame, np.array([target[0], away]), status=status)
    assert status[0] == 0 and status[1] < 0
    np.testing.assert_allclose(arm.frame_pose(both.q_found[0], frame), target[0], atol=1e-9)
    assert np.isnan(both.q_found[1]).all()


def test_singular_states_are_told_one_by_one() -> None:
    two = zveno.Robot(
        {
            "zveno": 1,
            "links": [{"name": "base"}, {"name": "arm", "mass": 1, "inertia": [0.1, 0.1, 0.1]}, {"name": "tip"}],
            "joints": [
                {"name": "j1", "type": "revolute", "parent": "base", "child": "arm"},
                {"name": "j2", "type": "revolute", "parent": "arm", "child": "tip"},
            ],
        }
    )
    with pytest.raises(zveno.SingularError):
        two.forward_dynamics([0.0, 0.0])
    with pytest.raises(zveno.SingularError, match="3 of 3 states failed"):
        two.forward_dynamics(np.zeros((3, 2)))
    status = np.ones(3, np.intc)
    assert np.isnan(two.forward_dynamics(np.zeros((3, 2)), status=status)).all()
    assert (status < 0).all()


def test_motors_behind_gears() -> None:
    geared = robot("two_link_geared")
    q, v, a = (x[0] for x in states(geared, 1))
    motion = geared.motor_inverse_dynamics(q, v, a, jerk=a, snap=v)
    assert np.allclose(motion.tau, geared.inverse_dynamics(q, v, a))
    forward = geared.motor_forward_dynamics(q, v, motion.theta, motion.theta_rate, motion.motor)
    assert np.allclose(forward.a, a) and np.allclose(forward.theta_second, motion.theta_second)
    assert np.allclose(geared.motor_forces(q, v, motion.theta, motion.theta_rate, motion.motor), motion.tau)
    gears = geared.gear_forces(q, v, motion.theta, motion.theta_rate)
    second = geared.motor_accelerations(q, v, a, motion.theta_rate, motion.motor, gears.spring + gears.damper)
    assert np.allclose(second, motion.theta_second)
    rest = geared.gear_rest(q, geared.gravity_force(q))
    assert np.allclose(geared.gear_forces(q, 0 * v, rest, 0 * v).spring, geared.gravity_force(q))
    step = 1e-6 * np.arange(1.0, 3.0)  # the springs' force is how their energy falls
    up, down = (geared.motor_energy(q + s * step, rest, 0 * v).gears for s in (1, -1))
    assert np.isclose((down - up) / 2, geared.gear_forces(q, 0 * v, rest, 0 * v).spring @ step)
    with pytest.raises(zveno.ModelError, match="beside_second"):
        geared.motor_inverse_dynamics(q, v, a, beside=v)


def test_rotors_with_an_axis() -> None:
    wheel = {"stiffness": 100, "inertia": 0.01, "ratio": 10, "rotor_axis": "z"}
    spun = zveno.Robot(
        {
            "zveno": 1,
            "gravity": [0, 0, 0],
            "links": [
                {"name": "base"},
                {"name": "disk", "mass": 1, "inertia": [0.4, 0.4, 0.5]},
                {"name": "wheel", "mass": 1, "inertia": [0.1, 0.1, 0.2]},
            ],
            "joints": [
                {"name": "one", "type": "continuous", "parent": "base", "child": "disk", "axis": "z"},
                {"name": "two", "type": "continuous", "parent": "disk", "child": "wheel", "axis": "z", "flexible": wheel},
            ],
        }
    )
    q, v, rate = np.zeros(2), np.array([1.0, 2.0]), np.array([0.0, 3.0])
    assert np.allclose(spun.rotor_momentum(q, v, rate), [0, 0, 0.31])
    assert np.allclose(spun.rotor_coupling(q), [[0, 0.1], [0, 0]])
    assert np.isclose(spun.motor_energy(q, q, rate, v).rotors, 0.5 * 0.01 * 31**2)


def test_rates_of_passive_forces() -> None:
    arm = robot("puma560")
    q, v, a = (x[0] for x in states(arm, 1))
    rates = arm.passive_rates(q, v, a, v)
    forces = arm.passive_forces(q, v)
    assert np.allclose(rates.beside, forces.spring + forces.viscous + forces.dry)
    h = 1e-5
    moved = [arm.passive_rates(q + s * h * v, v + s * h * a, a).beside for s in (1, -1)]
    assert np.allclose((moved[0] - moved[1]) / (2 * h), rates.beside_rate, rtol=1e-4, atol=1e-4)


def test_mixed_dynamics_of_forces_alone_is_forward_dynamics(rigid: zveno.Robot) -> None:
    q, v, tau = states(rigid, 3)
    for x in ((q, v, tau), (q[0], v[0], tau[0])):
        for given in (None, np.zeros(rigid.nv, np.uint8)):
            answer = rigid.mixed_dynamics(x[0], x[1], given, x[2])
            np.testing.assert_array_equal(answer.tau_all, x[2])
            np.testing.assert_allclose(answer.a_all, rigid.forward_dynamics(*x), rtol=1e-8, atol=1e-8)
