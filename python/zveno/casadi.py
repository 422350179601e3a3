"""Dynamics in CasADi programs: functions of columns q, v, a or tau, with exact Jacobians.

    import zveno.casadi
    f = zveno.casadi.forward_dynamics(robot)
    a = f(q, v, tau)                        # of SX-free graphs: MX, DM, numbers

These ask the library, through Python. generated_source(robot, "forward_dynamics") is C for the same function with its Jacobian, as
CasADi's external functions are, and generated(robot, "forward_dynamics") has it compiled and loaded: for solvers that ask often, and
for programs that CasADi generates.

For many states f.map(N), or robot.forward_dynamics of NumPy arrays. Quaternions in q count as directions: the answers are those of
q / |q|, and derivatives by q are those of that.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _derived, parts
from .generated import Source, build
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


# The generated function with its derivatives, and what each calls its last argument and its answer.
_GENERATED = {"inverse_dynamics": ("inverse", "a", "tau"), "forward_dynamics": ("forward", "tau", "a")}

_EXTERNAL = """/* %(question)s of generated code as an external function of CasADi, with its Jacobian. */
#include <string.h>

#include "%(base)s.h"

#ifndef casadi_int
#define casadi_int long long int
#endif
#define SYMBOL __attribute__((visibility("default")))
enum { N = %(nv)d };

static const casadi_int column[] = {N, 1, 1}, square[] = {N, N, 1};
static const double zeros[N];
#define GIVEN(k) (arg[k] ? arg[k] : zeros)

/* CasADi's matrices lie by columns. */
static void transpose(const double *x, double *y) {
    for (int i = 0; i < N && y; i++)
        for (int j = 0; j < N; j++) y[j * N + i] = x[i * N + j];
}

SYMBOL int %(question)s(const double **arg, double **res, casadi_int *iw, double *w, int mem) {
    (void)iw, (void)w, (void)mem;
    if (res[0]) %(value)s;
    return 0;
}
SYMBOL casadi_int %(question)s_n_in(void) { return 3; }
SYMBOL casadi_int %(question)s_n_out(void) { return 1; }
SYMBOL const char *%(question)s_name_in(casadi_int i) { return (const char *[]){"q", "v", "%(last)s"}[i]; }
SYMBOL const char *%(question)s_name_out(casadi_int i) { return (void)i, "%(answer)s"; }
SYMBOL const casadi_int *%(question)s_sparsity_in(casadi_int i) { return (void)i, column; }
SYMBOL const casadi_int *%(question)s_sparsity_out(casadi_int i) { return (void)i, column; }
SYMBOL int %(question)s_work(casadi_int *args, casadi_int *results, casadi_int *integers, casadi_int *numbers) {
    if (args) *args = 3;
    if (results) *results = 1;
    if (integers) *integers = 0;
    if (numbers) *numbers = 0;
    return 0;
}

SYMBOL int jac_%(question)s(const double **arg, double **res, casadi_int *iw, double *w, int mem) {
    (void)iw, (void)mem;
    double *dq = w, *dv = w + N * N, *dx = w + 2 * N * N, *a = w + 3 * N * N;
    (void)a;
    %(derivatives)s;
    transpose(dq, res[0]), transpose(dv, res[1]), transpose(dx, res[2]);
    return 0;
}
SYMBOL casadi_int jac_%(question)s_n_in(void) { return 4; }
SYMBOL casadi_int jac_%(question)s_n_out(void) { return 3; }
SYMBOL const char *jac_%(question)s_name_in(casadi_int i) { return (const char *[]){"q", "v", "%(last)s", "out_%(answer)s"}[i]; }
SYMBOL const char *jac_%(question)s_name_out(casadi_int i) {
    return (const char *[]){"jac_%(answer)s_q", "jac_%(answer)s_v", "jac_%(answer)s_%(last)s"}[i];
}
SYMBOL const casadi_int *jac_%(question)s_sparsity_in(casadi_int i) { return (void)i, column; }
SYMBOL const casadi_int *jac_%(question)s_sparsity_out(casadi_int i) { return (void)i, square; }
SYMBOL int jac_%(question)s_work(casadi_int *args, casadi_int *results, casadi_int *integers, casadi_int *numbers) {
    if (args) *args = 4;
    if (results) *results = 3;
    if (integers) *integers = 0;
    if (numbers) *numbers = 3 * N * N + N;
    return 0;
}
"""


def generated_source(robot: Robot, question: str, name: str = "robot") -> Source:
    """C of "inverse_dynamics" or "forward_dynamics" of this robot, files {name}.h, {name}.c, and {question}.c, which makes of
    them an external function of CasADi, with its Jacobian. Robots without quaternions."""
    if question not in _GENERATED:
        raise ValueError(f"question: expected one of {', '.join(_GENERATED)}, found {question!r}")
    if robot.nq != robot.nv:
        raise ValueError(f"{question}: generated code has derivatives along v, not by the entries of a quaternion; "
                         f"zveno.casadi.{question}(robot) has both")  # fmt: skip
    function, last, answer = _GENERATED[question]
    source = robot.codegen([function, f"{function}_derivatives"], name=name)
    # forces or accelerations that cannot be are an error of the evaluation
    value = f"{name}_{function}(GIVEN(0), GIVEN(1), GIVEN(2), res[0])"
    derivatives = f"{name}_{function}_derivatives(GIVEN(0), GIVEN(1), GIVEN(2), {'a, ' if answer == 'a' else ''}dq, dv, dx)"
    if answer == "a":
        value, derivatives = f"return {value}", f"if ({derivatives}) return -1"
    known = dict(question=question, base=name, nv=robot.nv, last=last, answer=answer, value=value, derivatives=derivatives)
    source[f"{question}.c"] = _EXTERNAL % known
    return source


def generated(
    robot: Robot, question: str, *, compiler: str | None = None, flags: str = "-std=c17 -O2 -march=native -ffp-contract=fast"
) -> Any:
    """Function (q, v, a) -> tau or (q, v, tau) -> a by C generated for this robot, compiled and loaded, with its Jacobian.

    compiler: its command, if left out that of the environment variable CC, else cc."""
    import shutil
    import tempfile

    source = generated_source(robot, question)
    folder = tempfile.mkdtemp(prefix="zveno-")
    try:
        return casadi.external(question, build(source, folder, ["robot.c", f"{question}.c"], compiler, flags))
    finally:
        shutil.rmtree(folder)
