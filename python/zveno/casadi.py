"""Dynamics in CasADi programs: functions of columns q, v, a or tau, with exact Jacobians.

    import zveno.casadi
    f = zveno.casadi.forward_dynamics(robot)
    a = f(q, v, tau)                        # of SX-free graphs: MX, DM, numbers

For many states f.map(N), or robot.forward_dynamics of NumPy arrays. Quaternions in q count as directions: the answers are those of
q / |q|, and derivatives by q are those of that.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _derived, parts
from .robot import Robot

casadi: Any = _derived.need("casadi")


class _Function(casadi.Callback):  # type: ignore[misc]
    """What CasADi and this package agree on: names and shapes of arguments and answers."""

    def __init__(self, name: str, inputs: dict[str, tuple[int, int]], outputs: dict[str, tuple[int, int]]) -> None:
        casadi.Callback.__init__(self)
        self._inputs, self._outputs = inputs, outputs
        self.construct(name, {})

    def get_n_in(self) -> int:
        return len(self._inputs)

    def get_n_out(self) -> int:
        return len(self._outputs)

    def get_name_in(self, i: int) -> str:
        return list(self._inputs)[i]

    def get_name_out(self, i: int) -> str:
        return list(self._outputs)[i]

    def get_sparsity_in(self, i: int) -> Any:
        return casadi.Sparsity.dense(*list(self._inputs.values())[i])

    def get_sparsity_out(self, i: int) -> Any:
        return casadi.Sparsity.dense(*list(self._outputs.values())[i])


def _numbers(arguments: Any, question: _derived.Asked) -> list[Any]:
    return [np.array(x, float).reshape(-1) for x in arguments[: len(question.names)]]


class _Jacobian(_Function):
    """Derivatives of the answer, its entries by columns, by each argument."""

    def __init__(self, question: _derived.Asked, name: str, inputs: Any, outputs: Any, shape: tuple[int, int]) -> None:
        self._question = question
        size = shape[0] * shape[1]
        widths = dict(zip(question.names, question.widths))
        there: dict[str, tuple[int, int]] = {word: (widths[word], 1) if word in widths else shape for word in inputs}
        _Function.__init__(self, name, there, dict(zip(outputs, ((size, n) for n in question.widths))))

    def eval(self, arguments: Any) -> Any:
        _, derivatives = self._question.derived(*_numbers(arguments, self._question))
        rows = len(self._question.shape)
        # CasADi counts the entries of a matrix by columns
        return [d.transpose(*range(rows)[::-1], rows).reshape(-1, d.shape[-1]) for d in derivatives]


class _Value(_Function):
    """A question; its Jacobian lives as long as it does."""

    def __init__(self, question: _derived.Asked, name: str, answer: str) -> None:
        self._question = question
        self._jacobian: _Jacobian | None = None
        self._shape = (question.shape[0], question.shape[1] if len(question.shape) > 1 else 1)
        _Function.__init__(self, name, {n: (w, 1) for n, w in zip(question.names, question.widths)}, {answer: self._shape})

    def eval(self, arguments: Any) -> Any:
        return [self._question.value(*_numbers(arguments, self._question))]

    def has_jacobian(self) -> bool:
        return True

    def get_jacobian(self, name: str, inputs: Any, outputs: Any, options: Any) -> Any:
        if self._jacobian is None:
            self._jacobian = _Jacobian(self._question, name, inputs, outputs, self._shape)
        return self._jacobian


def _ask(robot: Robot, question: str, answer: str, names: tuple[str, ...], frame: str | int | parts.Frame | None = None) -> Any:
    ready = _derived.asked(robot, question, dict.fromkeys(names, True), frame)
    # CasADi does not keep what is written in Python alive: the robot does
    if not hasattr(ready, "in_casadi"):
        ready.in_casadi = _Value(ready, question, answer)  # type: ignore[attr-defined]
    return ready.in_casadi  # type: ignore[attr-defined]


def inverse_dynamics(robot: Robot) -> Any:
    """Function (q, v, a) -> tau: forces, N m or N, of a motion."""
    return _ask(robot, "inverse_dynamics", "tau", ("q", "v", "a"))


def forward_dynamics(robot: Robot) -> Any:
    """Function (q, v, tau) -> a: accelerations, rad/s^2 or m/s^2, that forces cause."""
    return _ask(robot, "forward_dynamics", "a", ("q", "v", "tau"))


def mass_matrix(robot: Robot) -> Any:
    """Function (q) -> M (nv, nv), full and symmetric."""
    return _ask(robot, "mass_matrix", "M", ("q",))


def frame_pose(robot: Robot, frame: str | int | parts.Frame) -> Any:
    """Function (q) -> pose (4, 4) of a frame in the world; its position is pose[:3, 3]."""
    return _ask(robot, "frame_pose", "pose", ("q",), frame)
