"""Dynamics in PyTorch programs: with autograd, forward-mode derivatives and torch.func, in float64 and float32, on the CPU.

    import zveno.torch
    tau = zveno.torch.inverse_dynamics(robot, q, v, a)

Tensors are the arrays of robot.inverse_dynamics, with any leading axes, which broadcast. Derivatives are the exact ones of the
library, of first order. Quaternions in q count as directions: the answers are those of q / |q|, and derivatives by q are those of
that.
"""

from __future__ import annotations

from typing import Any

from . import _derived, parts
from .robot import Robot

torch: Any = _derived.need("torch")


class _Derived(torch.autograd.Function):  # type: ignore[misc]
    """The answer and its derivatives by all arguments, which are themselves constants for torch."""

    @staticmethod
    def forward(question: _derived.Asked, *tensors: Any) -> Any:
        value, derivatives = question.derived(*(x.numpy() for x in tensors))
        return torch.from_numpy(value), *(torch.from_numpy(d) for d in derivatives)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        pass

    @staticmethod
    def backward(ctx: Any, *_: Any) -> Any:
        raise NotImplementedError("zveno.torch has derivatives of first order: differentiate once")

    jvp = backward

    @staticmethod
    def vmap(info: Any, axes: Any, question: _derived.Asked, *tensors: Any) -> Any:
        answers = _Derived.apply(question, *_in_front(axes[1:], tensors))
        return answers, (0,) * len(answers)


class _Value(torch.autograd.Function):  # type: ignore[misc]
    """The answer; tensors have equally many axes and one type."""

    @staticmethod
    def forward(question: _derived.Asked, *tensors: Any) -> Any:
        return torch.from_numpy(question.value(*(x.numpy() for x in tensors)))

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.question, ctx.shape = inputs[0], output.shape
        ctx.save_for_backward(*inputs[1:])
        ctx.save_for_forward(*inputs[1:])

    @staticmethod
    def backward(ctx: Any, weight: Any) -> Any:
        _, *derivatives = _Derived.apply(ctx.question, *ctx.saved_tensors)
        rows = weight.flatten(-len(ctx.question.shape)).unsqueeze(-2)
        gradients = []
        for d, x, wanted in zip(derivatives, ctx.saved_tensors, ctx.needs_input_grad[1:]):
            wide = d.flatten(-1 - len(ctx.question.shape), -2)
            gradients.append((rows @ wide).squeeze(-2).sum_to_size(x.shape) if wanted else None)
        return None, *gradients

    @staticmethod
    def jvp(ctx: Any, _: Any, *tangents: Any) -> Any:
        _, *derivatives = _Derived.apply(ctx.question, *ctx.saved_tensors)
        change: Any = 0
        for d, t in zip(derivatives, tangents):
            if t is not None:
                change = change + (d * t[(..., *(None,) * len(ctx.question.shape), slice(None))]).sum(-1)
        return change.expand(ctx.shape)

    @staticmethod
    def vmap(info: Any, axes: Any, question: _derived.Asked, *tensors: Any) -> Any:
        return _Value.apply(question, *_in_front(axes[1:], tensors)), 0


def _in_front(axes: Any, tensors: Any) -> list[Any]:
    return [x.unsqueeze(0) if axis is None else x.movedim(axis, 0) for axis, x in zip(axes, tensors)]


def _ask(robot: Robot, question: str, frame: str | int | parts.Frame | None = None, **arguments: Any) -> Any:
    ready = _derived.asked(robot, question, {name: x is not None for name, x in arguments.items()}, frame)
    tensors = [torch.as_tensor(x) for x in arguments.values() if x is not None]
    for name, x in zip(ready.names, tensors):
        if x.device.type != "cpu":
            raise ValueError(f"{name}: expected a tensor on the CPU, found one on {x.device}; {name}.cpu() copies it")
    if "fext" in ready.names and tuple(tensors[-1].shape[-2:]) == (robot.nlink, 6):
        tensors[-1] = tensors[-1].flatten(-2)
    axes = 1 + len(_derived.lead(ready, [tuple(x.shape) for x in tensors]))
    kind = tensors[0].dtype
    for x in tensors[1:]:
        kind = torch.promote_types(kind, x.dtype)
    if kind not in (torch.float32, torch.float64):
        kind = torch.get_default_dtype()
    tensors = [x.to(kind)[(None,) * (axes - x.dim())] for x in tensors]
    return _Value.apply(ready, *tensors)


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
