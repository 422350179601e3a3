"""States as Pinocchio, MuJoCo and the Robotics Toolbox have them, both ways.

Each pair of functions converts q and, where they are given, v, a and tau, with any leading axes. joints names the joints in the
order of the other engine; left out, the order is that of the robot. docs/python.md has the table of conventions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .parts import Joint
from .robot import Robot

Array = NDArray[np.float64]
# (joint, its q, v, a, tau) to those of the other engine; v, a, tau may be None.
Turn = Callable[[Joint, Array, Array | None, Array | None, Array | None], "State"]


class State(NamedTuple):
    """A state; v, a and tau are None when they were not given."""

    q: Array
    v: Array | None = None
    a: Array | None = None
    tau: Array | None = None


def _rotation(q: Array) -> Array:
    """Rotation matrices of quaternions x, y, z, w."""
    x, y, z, w = np.moveaxis(q / np.linalg.norm(q, axis=-1, keepdims=True), -1, 0)
    R = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(R), (0, 1), (-2, -1))


def _turned(R: Array, x: Array) -> Array:
    turned: Array = (R @ x[..., None])[..., 0]
    return turned


def _chosen(robot: Robot, joints: Sequence[str] | None) -> list[Joint]:
    """Joints with coordinates in the order of the other engine; all of them have to be there."""
    if robot.nelastic:
        raise ValueError("conversions are for rigid links: other engines have no elastic coordinates")
    own = [joint for joint in robot.joints if joint.nv and joint.mimic is None]
    if joints is None:
        return own
    by_name = {joint.name: joint for joint in own}
    if sorted(joints) != sorted(by_name):
        raise ValueError(f"joints: expected those that move, {', '.join(by_name)}, found {', '.join(joints)}")
    return [by_name[name] for name in joints]


def _parts(state: State) -> list[tuple[int, Array]]:
    """What is there of a state, with its place."""
    return [(k, x) for k, x in enumerate(state) if x is not None]


def _there(robot: Robot, joints: Sequence[str] | None, state: State, turn: Turn) -> State:
    pieces: list[list[Array]] = [[], [], [], []]
    for joint in _chosen(robot, joints):
        v, a, tau = (None if x is None else x[..., joint.v] for x in state[1:])
        for k, x in _parts(turn(joint, state.q[..., joint.q], v, a, tau)):
            pieces[k].append(x)
    nothing = [np.empty((*state.q.shape[:-1], 0))]
    q, v, a, tau = (None if x is None else np.concatenate(p or nothing, axis=-1) for x, p in zip(state, pieces))
    assert q is not None
    return State(q, v, a, tau)


def _back(robot: Robot, joints: Sequence[str] | None, state: State, turn: Turn, width: Callable[[Joint], int]) -> State:
    sizes = (robot.nq, robot.nv, robot.nv, robot.nv)
    own = [None if x is None else np.zeros((*x.shape[:-1], n)) for x, n in zip(state, sizes)]
    at_q = at_v = 0
    for joint in _chosen(robot, joints):
        nq = width(joint)
        v, a, tau = (None if x is None else x[..., at_v : at_v + joint.nv] for x in state[1:])
        for k, x in _parts(turn(joint, state.q[..., at_q : at_q + nq], v, a, tau)):
            to = own[k]
            assert to is not None
            to[..., joint.v if k else joint.q] = x
        at_q, at_v = at_q + nq, at_v + joint.nv
    for k, x in _parts(state):
        if x.shape[-1] != (at_v if k else at_q):
            raise ValueError(f"{State._fields[k]}: expected shape (..., {at_v if k else at_q}), found {x.shape}")
    assert own[0] is not None
    return State(own[0], *own[1:])


def _state(robot: Robot | None, q: ArrayLike, v: ArrayLike | None, a: ArrayLike | None, tau: ArrayLike | None) -> State:
    """Arrays of doubles; of a robot's own state the lengths are looked at."""
    rest = (None if x is None else np.asarray(x, float) for x in (v, a, tau))
    state = State(np.asarray(q, float), *rest)
    for k, x in _parts(state) if robot else []:
        n = (robot.nv if k else robot.nq) if robot else 0
        if x.ndim == 0 or x.shape[-1] != n:
            raise ValueError(f"{State._fields[k]}: expected shape (..., {n}), found {x.shape}")
    return state


# Pinocchio: as here, but continuous joints are (cos, sin).


def to_pinocchio(
    robot: Robot,
    q: ArrayLike,
    v: ArrayLike | None = None,
    a: ArrayLike | None = None,
    tau: ArrayLike | None = None,
    *,
    joints: Sequence[str] | None = None,
    continuous: Collection[str] | None = None,
) -> State:
    """A state for Pinocchio: joints=model.names[1:]. continuous names the joints that it has as (cos, sin); left out, those
    that are continuous in the file."""

    def turn(joint: Joint, q: Array, v: Array | None, a: Array | None, tau: Array | None) -> State:
        if joint.name in continuous if continuous is not None else joint.type == "continuous":
            q = np.concatenate([np.cos(q), np.sin(q)], axis=-1)
        return State(q, v, a, tau)

    return _there(robot, joints, _state(robot, q, v, a, tau), turn)


def from_pinocchio(
    robot: Robot,
    q: ArrayLike,
    v: ArrayLike | None = None,
    a: ArrayLike | None = None,
    tau: ArrayLike | None = None,
    *,
    joints: Sequence[str] | None = None,
    continuous: Collection[str] | None = None,
) -> State:
    """A state of Pinocchio's; arguments as of to_pinocchio. Angles of continuous joints come out in (-pi, pi]."""

    def turns(joint: Joint) -> bool:
        return joint.name in continuous if continuous is not None else joint.type == "continuous"

    def turn(joint: Joint, q: Array, v: Array | None, a: Array | None, tau: Array | None) -> State:
        return State(np.arctan2(q[..., 1:], q[..., :1]) if turns(joint) else q, v, a, tau)

    return _back(robot, joints, _state(None, q, v, a, tau), turn, lambda j: 2 if turns(j) else j.nq)


# MuJoCo: quaternions w, x, y, z; the linear velocity of a free joint in the axes of the world.


def to_mujoco(
    robot: Robot,
    q: ArrayLike,
    v: ArrayLike | None = None,
    a: ArrayLike | None = None,
    tau: ArrayLike | None = None,
    *,
    joints: Sequence[str] | None = None,
) -> State:
    """qpos, qvel, qacc and generalised forces for MuJoCo. a of a free joint needs v."""

    def turn(joint: Joint, q: Array, v: Array | None, a: Array | None, tau: Array | None) -> State:
        if joint.quaternion is None:
            return State(q, v, a, tau)
        k = joint.quaternion
        theirs = np.concatenate([q[..., :k], q[..., k + 3 : k + 4], q[..., k : k + 3]], axis=-1)
        if joint.type != "free":
            return State(theirs, v, a, tau)
        R = _rotation(q[..., 3:])
        if a is not None:
            if v is None:
                raise ValueError("the acceleration of a free joint takes another form that needs v")
            a = np.concatenate([_turned(R, a[..., :3] + np.cross(v[..., 3:], v[..., :3])), a[..., 3:]], axis=-1)
        v = None if v is None else np.concatenate([_turned(R, v[..., :3]), v[..., 3:]], axis=-1)
        tau = None if tau is None else np.concatenate([_turned(R, tau[..., :3]), tau[..., 3:]], axis=-1)
        return State(theirs, v, a, tau)

    return _there(robot, joints, _state(robot, q, v, a, tau), turn)


def from_mujoco(
    robot: Robot,
    q: ArrayLike,
    v: ArrayLike | None = None,
    a: ArrayLike | None = None,
    tau: ArrayLike | None = None,
    *,
    joints: Sequence[str] | None = None,
) -> State:
    """A state of MuJoCo's; arguments as of to_mujoco."""

    def turn(joint: Joint, q: Array, v: Array | None, a: Array | None, tau: Array | None) -> State:
        if joint.quaternion is None:
            return State(q, v, a, tau)
        k = joint.quaternion
        own = np.concatenate([q[..., :k], q[..., k + 1 : k + 4], q[..., k : k + 1]], axis=-1)
        if joint.type != "free":
            return State(own, v, a, tau)
        back = np.swapaxes(_rotation(own[..., 3:]), -1, -2)
        v = None if v is None else np.concatenate([_turned(back, v[..., :3]), v[..., 3:]], axis=-1)
        if a is not None:
            if v is None:
                raise ValueError("the acceleration of a free joint takes another form that needs v")
            a = np.concatenate([_turned(back, a[..., :3]) - np.cross(v[..., 3:], v[..., :3]), a[..., 3:]], axis=-1)
        tau = None if tau is None else np.concatenate([_turned(back, tau[..., :3]), tau[..., 3:]], axis=-1)
        return State(own, v, a, tau)

    return _back(robot, joints, _state(None, q, v, a, tau), turn, lambda joint: joint.nq)


# Robotics Toolbox: joints of one coordinate, in the order of its links.


def _single(robot: Robot) -> None:
    for joint in robot.joints:
        if joint.nv > 1:
            raise ValueError(f"joint {joint.name!r} is {joint.type}: the Robotics Toolbox has joints of one coordinate")


def _same(joint: Joint, q: Array, v: Array | None, a: Array | None, tau: Array | None) -> State:
    return State(q, v, a, tau)


def to_toolbox(
    robot: Robot,
    q: ArrayLike,
    v: ArrayLike | None = None,
    a: ArrayLike | None = None,
    tau: ArrayLike | None = None,
    *,
    joints: Sequence[str] | None = None,
) -> State:
    """q, qd, qdd and forces for the Robotics Toolbox."""
    _single(robot)
    return _there(robot, joints, _state(robot, q, v, a, tau), _same)


def from_toolbox(
    robot: Robot,
    q: ArrayLike,
    v: ArrayLike | None = None,
    a: ArrayLike | None = None,
    tau: ArrayLike | None = None,
    *,
    joints: Sequence[str] | None = None,
) -> State:
    """A state of the Robotics Toolbox."""
    _single(robot)
    return _back(robot, joints, _state(None, q, v, a, tau), _same, lambda joint: joint.nq)


def angular_first(x: ArrayLike) -> Array:
    """6-vectors (linear, angular) as (angular, linear) and back: motions and forces of MuJoCo, spatial vectors."""
    x = np.asarray(x, float)
    return np.concatenate([x[..., 3:], x[..., :3]], axis=-1)


def scalar_first(q: ArrayLike) -> Array:
    """Quaternions x, y, z, w as w, x, y, z."""
    return np.roll(np.asarray(q, float), 1, axis=-1)


def scalar_last(q: ArrayLike) -> Array:
    """Quaternions w, x, y, z as x, y, z, w."""
    return np.roll(np.asarray(q, float), -1, axis=-1)
