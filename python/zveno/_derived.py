"""Questions with their derivatives by every entry of q, v, a or tau and fext, of NumPy arrays: what zveno.jax, zveno.torch and
zveno.casadi share."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import parts
from .robot import Robot

Array = NDArray[Any]
Given = dict[str, Any]
Answer = tuple[Array, list[Array]]


def need(module: str) -> Any:
    """A package that users bring."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(f"zveno.{module} needs the package {module}, which cannot be imported: {error}") from error


def _chart(robot: Robot, q: Array) -> tuple[Array, Array | None]:
    """q with unit quaternions, and (..., nv, nq), the velocity that a change of each entry of q is; None: q' is v.

    Questions are functions of q / |q| where q is a quaternion, so a change along the quaternion changes nothing. The columns
    of dq/dt = G v are orthogonal, of length 1, of quaternions 1/2, and v = (G^T G)^-1 G^T dq/dt."""
    if robot.nq == robot.nv:
        return q, None
    unit = robot.position_normalize(q).q_unit
    rate = robot.position_rate(unit[..., None, :], np.eye(robot.nv, dtype=q.dtype))
    chart: Array = rate / (rate * rate).sum(axis=-1, keepdims=True)
    for joint in robot.joints:
        if joint.quaternion is not None and joint.mimic is None:
            at = joint.q_index + joint.quaternion
            length = np.linalg.norm(q[..., at : at + 4], axis=-1)
            chart[..., at : at + 4] /= length[..., None, None]
    return unit, chart


def _by_q(change: Array, chart: Array | None) -> Array:
    """Derivatives along the coordinates of v (the last axis) as those by q."""
    if chart is None:
        return change
    lead = chart.ndim - 2
    wide = chart.reshape(*chart.shape[:lead], *(1,) * (change.ndim - lead - 2), *chart.shape[lead:])
    by_q: Array = change @ wide
    return by_q


def _links(robot: Robot, q: Array) -> Array:
    """(..., nv, 6 nlink): velocities of all links at v = 1 of each coordinate."""
    motions = robot.link_motions(q[..., None, :], np.eye(robot.nv, dtype=q.dtype)).velocities
    return motions.reshape(*motions.shape[:-2], 6 * robot.nlink)


def _inverse(robot: Robot, x: Given) -> Array:
    q, _ = _chart(robot, x.pop("q"))
    tau: Array = robot.inverse_dynamics(q, **x)
    return tau


def _inverse_derived(robot: Robot, x: Given) -> Answer:
    q, chart = _chart(robot, x.pop("q"))
    d = robot.inverse_derivatives(q, **x)
    all = {"v": d.dv, "a": d.da}
    if "fext" in x:
        all["fext"] = -_links(robot, q)
    return robot.inverse_dynamics(q, **x), [_by_q(d.dq, chart), *(all[name] for name in x)]


def _forward(robot: Robot, x: Given) -> Array:
    q, _ = _chart(robot, x.pop("q"))
    a: Array = robot.forward_dynamics(q, **x)
    return a


def _forward_derived(robot: Robot, x: Given) -> Answer:
    q, chart = _chart(robot, x.pop("q"))
    d = robot.forward_derivatives(q, **x)
    all = {"v": d.dv, "tau": d.dtau}
    if "fext" in x:
        all["fext"] = d.dtau @ _links(robot, q)
    return d.a, [_by_q(d.dq, chart), *(all[name] for name in x)]


def _mass(robot: Robot, x: Given) -> Array:
    q, _ = _chart(robot, x["q"])
    M: Array = robot.mass_matrix(q)
    return M


def _mass_derived(robot: Robot, x: Given) -> Answer:
    """Column k of M is what unit acceleration of k adds to the forces of rest, and so are its derivatives."""
    q, chart = _chart(robot, x["q"])
    loaded = robot.inverse_derivatives(q[..., None, :], None, np.eye(robot.nv, dtype=q.dtype)).dq
    rest = robot.inverse_derivatives(q).dq[..., None, :, :]
    return robot.mass_matrix(q), [_by_q(loaded - rest, chart)]


def _pose(frame: int) -> tuple[Callable[[Robot, Given], Array], Callable[[Robot, Given], Answer]]:
    def pose(robot: Robot, x: Given) -> Array:
        q, _ = _chart(robot, x["q"])
        H: Array = robot.frame_pose(q, frame)
        return H

    def derived(robot: Robot, x: Given) -> Answer:
        """d R = [turn] R, d p = shift, with the rows shift and turn of the Jacobian along world axes."""
        q, chart = _chart(robot, x["q"])
        H, J = robot.frame_pose(q, frame), robot.frame_jacobian(q, frame)
        dH = np.zeros((*H.shape, robot.nv), H.dtype)
        dH[..., :3, 3, :] = J[..., :3, :]
        dH[..., :3, :3, :] = np.cross(J[..., 3:, None, :], H[..., :3, :3, None], axis=-3)
        return H, [_by_q(dH, chart)]

    return pose, derived


class Asked:
    """A question of a robot as a function of arrays, some of which may be left out.

    names: of the arguments that are there; widths: of their last axis (fext is flat); shape: of the answer of one state."""

    def __init__(
        self,
        robot: Robot,
        names: tuple[str, ...],
        shape: tuple[int, ...],
        value: Callable[[Robot, Given], Array],
        derived: Callable[[Robot, Given], Answer],
    ) -> None:
        self.robot, self.names, self.shape = robot, names, shape
        self._value, self._derived = value, derived
        width = {"q": robot.nq, "fext": 6 * robot.nlink}
        self.widths = tuple(width.get(name, robot.nv) for name in names)
        # what this robot cannot answer is refused here, not in the middle of a compiled program
        self.derived(*(robot.neutral() if name == "q" else np.zeros(n) for name, n in zip(names, self.widths)))

    def value(self, *arrays: Array) -> Array:
        """The answer, (..., *shape)."""
        return self._value(self.robot, dict(zip(self.names, arrays)))

    def derived(self, *arrays: Array) -> Answer:
        """The answer and its derivatives by each argument, (..., *shape, width)."""
        return self._derived(self.robot, dict(zip(self.names, arrays)))


def asked(robot: Robot, question: str, given: dict[str, bool], frame: str | int | parts.Frame | None = None) -> Asked:
    """The question with those arguments, made once for a robot."""
    if not isinstance(robot, Robot):
        raise TypeError(f"{question}: expected a zveno.Robot, found {type(robot).__name__}")
    if frame is not None:
        frame = frame if isinstance(frame, int) else (frame if isinstance(frame, parts.Frame) else robot.frame(frame)).index
    names = tuple(name for name, there in given.items() if there)
    if "fext" in names and robot.nelastic:
        raise ValueError(f"{question}: derivatives by fext are for rigid links")
    made: dict[Any, Asked] = robot.__dict__.setdefault("_asked", {})
    key = (question, names, frame)
    if key not in made:
        nv = robot.nv
        if question == "inverse_dynamics":
            made[key] = Asked(robot, names, (nv,), _inverse, _inverse_derived)
        elif question == "forward_dynamics":
            made[key] = Asked(robot, names, (nv,), _forward, _forward_derived)
        elif question == "mass_matrix":
            made[key] = Asked(robot, names, (nv, nv), _mass, _mass_derived)
        else:
            assert frame is not None
            made[key] = Asked(robot, names, (4, 4), *_pose(frame))
    return made[key]


def lead(question: Asked, shapes: list[tuple[int, ...]]) -> tuple[int, ...]:
    """The leading axes of all arguments; whose last axis has a wrong length, or whose others do not broadcast, is told."""
    for name, width, shape in zip(question.names, question.widths, shapes):
        if not shape or shape[-1] != width:
            raise ValueError(f"{name}: expected shape (..., {width}), found {shape}")
    try:
        return np.broadcast_shapes(*(shape[:-1] for shape in shapes))
    except ValueError:
        found = ", ".join(f"{name} {shape}" for name, shape in zip(question.names, shapes))
        raise ValueError(f"leading axes do not broadcast: {found}") from None
