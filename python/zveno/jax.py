"""Dynamics in JAX programs: under jit, vmap, grad, jvp, jacfwd and jacrev, in float64 and float32.

    import zveno.jax
    tau = zveno.jax.inverse_dynamics(robot, q, v, a)

Arrays are those of robot.inverse_dynamics, with any leading axes, which broadcast. Derivatives are the exact ones of the library,
of first order: JAX calls it for many states at once. Quaternions in q count as directions: the answers are those of q / |q|,
and derivatives by q are those of that. Float64 needs jax.config.update("jax_enable_x64", True).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _derived, parts
from .robot import Robot

jax: Any = _derived.need("jax")


def _function(question: _derived.Asked) -> Any:
    """The question as a function of arrays with equally many axes, of one type."""

    def shape_of(arrays: tuple[Any, ...], own: tuple[int, ...]) -> Any:
        lead = np.broadcast_shapes(*(x.shape[:-1] for x in arrays))
        return jax.ShapeDtypeStruct((*lead, *own), arrays[0].dtype)

    def plain(arrays: tuple[Any, ...]) -> list[Any]:
        return [np.asarray(x) for x in arrays]

    # the shapes that a callback answers with are those of its arguments, which vmap may have given one more axis
    def value_of(*arrays: Any) -> Any:
        return question.value(*plain(arrays))

    def derived_of(*arrays: Any) -> Any:
        value, derivatives = question.derived(*plain(arrays))
        lead = value.shape[: value.ndim - len(question.shape)]
        wide = (*lead, *question.shape)
        return value, *(np.broadcast_to(d, (*wide, d.shape[-1])) for d in derivatives)

    @jax.custom_jvp  # type: ignore[untyped-decorator, unused-ignore]
    def derived(*arrays: Any) -> Any:
        shapes = [shape_of(arrays, question.shape)]
        shapes += [shape_of(arrays, (*question.shape, width)) for width in question.widths]
        return jax.pure_callback(derived_of, tuple(shapes), *arrays, vmap_method="expand_dims")

    def no_second(*_: Any) -> Any:
        raise NotImplementedError("zveno.jax has derivatives of first order: differentiate once")

    derived.defjvp(no_second)

    @jax.custom_jvp  # type: ignore[untyped-decorator, unused-ignore]
    def value(*arrays: Any) -> Any:
        return jax.pure_callback(value_of, shape_of(arrays, question.shape), *arrays, vmap_method="expand_dims")

    def tangent(arrays: tuple[Any, ...], tangents: tuple[Any, ...]) -> Any:
        answer, *derivatives = derived(*arrays)
        change = 0
        for d, t in zip(derivatives, tangents):
            axes = (*t.shape[:-1], *(1,) * len(question.shape), t.shape[-1])
            change = change + (d * t.reshape(axes)).sum(axis=-1)
        return answer, change

    value.defjvp(tangent)
    return value


def _ask(robot: Robot, question: str, frame: str | int | parts.Frame | None = None, **arguments: Any) -> Any:
    ready = _derived.asked(robot, question, {name: x is not None for name, x in arguments.items()}, frame)
    arrays = [jax.numpy.asarray(x) for x in arguments.values() if x is not None]
    if "fext" in ready.names and arrays[-1].shape[-2:] == (robot.nlink, 6):
        arrays[-1] = arrays[-1].reshape(*arrays[-1].shape[:-2], 6 * robot.nlink)
    axes = 1 + len(_derived.lead(ready, [x.shape for x in arrays]))
    kind = jax.numpy.result_type(*arrays)
    if kind not in (np.float32, np.float64):
        kind = jax.numpy.result_type(float)
    arrays = [x.astype(kind).reshape((1,) * (axes - x.ndim) + x.shape) for x in arrays]
    if not hasattr(ready, "in_jax"):
        ready.in_jax = _function(ready)  # type: ignore[attr-defined]
    return ready.in_jax(*arrays)  # type: ignore[attr-defined]


def inverse_dynamics(robot: Robot, q: Any, v: Any = None, a: Any = None, fext: Any = None) -> Any:
    """Forces tau (..., nv), N m or N, of a motion: q (..., nq), v and a (..., nv), fext (..., nlink, 6) as of
    robot.inverse_dynamics; what is left out is zero. Differentiable by all of them."""
    return _ask(robot, "inverse_dynamics", q=q, v=v, a=a, fext=fext)


def forward_dynamics(robot: Robot, q: Any, v: Any = None, tau: Any = None, fext: Any = None) -> Any:
    """Accelerations a (..., nv), rad/s^2 or m/s^2, that forces tau (..., nv) cause. Differentiable by q, v, tau, fext."""
    return _ask(robot, "forward_dynamics", q=q, v=v, tau=tau, fext=fext)


def mass_matrix(robot: Robot, q: Any) -> Any:
    """M (..., nv, nv), full and symmetric (kg m^2, kg m, kg). Differentiable by q."""
    return _ask(robot, "mass_matrix", q=q)


def frame_pose(robot: Robot, q: Any, frame: str | int | parts.Frame) -> Any:
    """Pose of a frame in the world, (..., 4, 4), m: its position is pose[..., :3, 3]. Differentiable by q."""
    return _ask(robot, "frame_pose", frame, q=q)
