"""Answers with derivatives in JAX, PyTorch and CasADi: against differences, and under what those packages do with functions."""

from __future__ import annotations

import importlib
import shutil
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import zveno
from conftest import other, robot, states

pytestmark = pytest.mark.filterwarnings("ignore:.torch.jit:FutureWarning")  # of what PyTorch itself imports

QUESTIONS = ["inverse_dynamics", "forward_dynamics", "mass_matrix", "frame_pose"]


def program(package: str) -> tuple[Any, Any]:
    """The package and its module here; its own warnings are not those of this one."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = other(package)
        ours = importlib.import_module(f"zveno.{package}")
        if package == "jax":
            theirs.config.update("jax_enable_x64", True)
    return theirs, ours


def cases(module: Any, question: str, name: str) -> tuple[zveno.Robot, Callable[..., Any], list[np.ndarray]]:
    """A robot, the question as a function of arrays alone, and two states with forces on the links."""
    own = robot(name)
    q, v, a = states(own, 2, seed=5)
    if question == "frame_pose":
        return own, lambda x: module.frame_pose(own, x, own.frames[-1]), [q]
    if question == "mass_matrix":
        return own, lambda x: module.mass_matrix(own, x), [q]
    forces = np.random.default_rng(6).uniform(-3, 3, (own.nlink, 6))
    return own, lambda *x: getattr(module, question)(own, *x), [q, v, a, forces]


def answer(own: zveno.Robot, question: str, arrays: list[np.ndarray]) -> np.ndarray:
    return getattr(own, question)(*arrays, *([own.frames[-1]] if question == "frame_pose" else []))


@pytest.mark.parametrize("package", ["jax", "torch", "casadi"])
def test_missing_packages_are_named(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, f"zveno.{package}", raising=False)
    with pytest.raises(ImportError, match=f"zveno.{package} needs the package {package}"):
        importlib.import_module(f"zveno.{package}")


@pytest.mark.parametrize("name", ["cobot7", "joints_zoo"])
@pytest.mark.parametrize("question", QUESTIONS)
def test_torch_derivatives_are_those_of_differences(question: str, name: str) -> None:
    torch, module = program("torch")
    own, f, arrays = cases(module, question, name)
    tensors = [torch.tensor(x, requires_grad=True) for x in arrays]
    np.testing.assert_allclose(f(*tensors).detach().numpy(), answer(own, question, arrays), rtol=1e-12, atol=1e-12)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        many = question == "mass_matrix" and name == "joints_zoo"  # 576 entries: random directions in place of all
        assert torch.autograd.gradcheck(f, tensors, check_forward_ad=True, fast_mode=many, rtol=1e-4, atol=1e-4)


def test_torch_transforms_and_types() -> None:
    torch, module = program("torch")
    own, f, arrays = cases(module, "inverse_dynamics", "cobot7")
    q, v, a, forces = (torch.tensor(x) for x in arrays)
    d = own.inverse_derivatives(*arrays)
    for jacobian in (torch.func.jacrev, torch.func.jacfwd):
        by_all = torch.func.vmap(jacobian(f, (0, 1, 2)), (0, 0, 0, None))(q, v, a, forces)
        for found, exact in zip(by_all, d):
            np.testing.assert_allclose(found.numpy(), exact, rtol=1e-9, atol=1e-9)
    single = module.inverse_dynamics(own, q.float(), v.float(), a.float())
    assert single.dtype == torch.float32
    np.testing.assert_allclose(single, own.inverse_dynamics(*arrays[:3]), rtol=1e-4, atol=1e-3)
    assert module.inverse_dynamics(own, q.float(), v).dtype == torch.float64
    one = q[0].clone().requires_grad_()  # broadcast: its gradient is the sum
    module.inverse_dynamics(own, one, v, a).sum().backward()
    np.testing.assert_allclose(one.grad, own.inverse_derivatives(arrays[0][0], *arrays[1:3]).dq.sum((0, 1)), rtol=1e-9, atol=1e-9)
    forces.requires_grad_()  # of one state among many: forward mode gives the shape of all
    _, change = torch.func.jvp(lambda x: f(q[0], v, a, x), (forces,), (torch.ones_like(forces),))
    pushed = own.inverse_dynamics(arrays[0][0], fext=np.ones_like(arrays[3])) - own.gravity_force(arrays[0][0])
    np.testing.assert_allclose(change.detach(), np.broadcast_to(pushed, (2, own.nv)), rtol=1e-9, atol=1e-9)
    assert f(q[:0], v[:0], a[:0], forces).shape == (0, own.nv)
    with pytest.raises(NotImplementedError, match="first order"):
        first = torch.autograd.grad(module.inverse_dynamics(own, one).sum(), one, create_graph=True)[0]
        first.sum().backward()
    with pytest.raises(ValueError, match=r"v: expected shape \(..., 8\), found \(2, 7\)"):
        module.inverse_dynamics(own, q, v[:, 1:])
    with pytest.raises(ValueError, match="do not broadcast"):
        module.inverse_dynamics(own, q, v[:1].repeat(3, 1))
    with pytest.raises(ValueError, match="on the CPU, found one on meta"):
        module.mass_matrix(own, q.to("meta"))
    with pytest.raises(TypeError, match="expected a zveno.Robot"):
        module.mass_matrix(None, q)


@pytest.mark.parametrize("name", ["cobot7", "joints_zoo"])
@pytest.mark.parametrize("question", QUESTIONS)
def test_jax_derivatives_are_those_of_differences(question: str, name: str) -> None:
    jax, module = program("jax")
    from jax.test_util import check_grads

    own, f, arrays = cases(module, question, name)
    there = [jax.numpy.asarray(x) for x in arrays]
    np.testing.assert_allclose(f(*there), answer(own, question, arrays), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(jax.jit(f)(*there), answer(own, question, arrays), rtol=1e-12, atol=1e-12)
    check_grads(jax.jit(f), there, order=1, rtol=1e-3, atol=1e-3)


def test_jax_transforms_and_types() -> None:
    jax, module = program("jax")
    own, f, arrays = cases(module, "inverse_dynamics", "cobot7")
    q, v, a, forces = (jax.numpy.asarray(x) for x in arrays)
    d = own.inverse_derivatives(*arrays)
    for jacobian in (jax.jacrev, jax.jacfwd):
        by_all = jax.jit(jax.vmap(jacobian(f, (0, 1, 2)), (0, 0, 0, None)))(q, v, a, forces)
        for found, exact in zip(by_all, d):
            np.testing.assert_allclose(found, exact, rtol=1e-9, atol=1e-9)
    each = jax.vmap(jax.vmap(lambda q, v: module.inverse_dynamics(own, q, v), (0, None)), (None, 0))(q, v)
    np.testing.assert_allclose(each, own.inverse_dynamics(arrays[0], arrays[1][:, None]), rtol=1e-12, atol=1e-12)
    single = jax.jit(lambda *x: module.inverse_dynamics(own, *x))(*(x.astype(np.float32) for x in (q, v, a)))
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, own.inverse_dynamics(*arrays[:3]), rtol=1e-4, atol=1e-3)
    by_one = jax.grad(lambda x: module.inverse_dynamics(own, x, v, a).sum())(q[0])  # broadcast: the sum
    np.testing.assert_allclose(by_one, own.inverse_derivatives(arrays[0][0], *arrays[1:3]).dq.sum((0, 1)), rtol=1e-9, atol=1e-9)
    with pytest.raises(NotImplementedError, match="first order"):
        jax.hessian(lambda x: module.inverse_dynamics(own, x).sum())(q[0])
    with pytest.raises(ValueError, match=r"v: expected shape \(..., 8\), found \(2, 7\)"):
        jax.jit(lambda q, v: module.inverse_dynamics(own, q, v))(q, v[:, 1:])
    elastic = robot("flexible_arm")
    q, v, a = (jax.numpy.asarray(x[0]) for x in states(elastic, 1))
    by_q = jax.jacrev(lambda x: module.inverse_dynamics(elastic, x, v, a))(q)
    np.testing.assert_allclose(by_q, elastic.inverse_derivatives(q, v, a).dq, rtol=1e-9, atol=1e-9)


def test_jax_of_many_states() -> None:
    jax, module = program("jax")
    own = robot("puma560")
    q, v, a = states(own, 20_000)
    f = jax.jit(jax.value_and_grad(lambda *x: (module.forward_dynamics(own, *x) ** 2).sum(), (0, 1, 2)))
    value, gradients = f(q, v, a)
    d = own.forward_derivatives(q, v, a)
    np.testing.assert_allclose(value, (d.a**2).sum(), rtol=1e-9)
    for found, exact in zip(gradients, (d.dq, d.dv, d.dtau)):
        np.testing.assert_allclose(found, 2 * np.einsum("si,sij->sj", d.a, exact), rtol=1e-7, atol=1e-6)


@pytest.mark.parametrize("name", ["cobot7", "joints_zoo"])
@pytest.mark.parametrize("question", QUESTIONS)
def test_casadi_derivatives_are_those_of_differences(question: str, name: str) -> None:
    casadi, module = program("casadi")
    own, _, arrays = cases(module, question, name)
    state = [x[0] for x in arrays[:3]]
    f = getattr(module, question)(own, *([own.frames[-1]] if question == "frame_pose" else []))
    exact = answer(own, question, state)
    np.testing.assert_allclose(np.array(f(*state)).reshape(exact.shape), exact, rtol=1e-12, atol=1e-12)
    symbols = [casadi.MX.sym(f"x{i}", len(x)) for i, x in enumerate(state)]
    all = casadi.vec(f(*symbols))
    jacobians = casadi.Function("J", symbols, [casadi.jacobian(all, x) for x in symbols])
    found = jacobians(*state)
    step = 1e-6
    for i, J in enumerate(found if len(state) > 1 else [found]):
        for k in range(len(state[i])):
            ends = []
            for sign in (1, -1):
                moved = [x.copy() for x in state]
                moved[i][k] += sign * step
                ends.append(np.array(f(*moved)).reshape(-1, order="F"))
            np.testing.assert_allclose(np.array(J)[:, k], (ends[0] - ends[1]) / (2 * step), rtol=1e-4, atol=1e-4)
    pull = casadi.Function("pull", symbols, [casadi.gradient(casadi.sumsqr(all), symbols[0])])(*state)
    push = 2 * np.array(f(*state)).reshape(-1, order="F") @ np.array(found[0] if len(state) > 1 else found)
    np.testing.assert_allclose(np.array(pull)[:, 0], push, rtol=1e-9, atol=1e-9)
    many = np.array(f.map(2)(*(np.stack([x, x], axis=1) for x in state)))
    np.testing.assert_allclose(many[:, -1], np.array(f(*state))[:, -1], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("question", ["inverse_dynamics", "forward_dynamics"])
def test_casadi_of_generated_code(question: str) -> None:
    casadi, module = program("casadi")
    own = robot("puma560")
    if shutil.which("cc") is None:
        pytest.skip("no C compiler")
    ours = getattr(module, question)(own)
    theirs = module.generated(own, question, flags="-std=c17 -O1 -Wall -Wextra -Werror")
    assert [theirs.name_in(i) for i in range(3)] == [ours.name_in(i) for i in range(3)]
    symbols = [casadi.MX.sym("x", own.nv) for _ in range(3)]
    jacobians = [casadi.Function("J", symbols, [casadi.jacobian(f(*symbols), x) for x in symbols]) for f in (ours, theirs)]
    for q, v, a in zip(*states(own, 5)):
        np.testing.assert_allclose(theirs(q, v, a), ours(q, v, a), rtol=1e-10, atol=1e-10)
        for exact, found in zip(*(J(q, v, a) for J in jacobians)):
            np.testing.assert_allclose(found, exact, rtol=1e-9, atol=1e-9)
    assert theirs(q, v, 0).shape == (own.nv, 1) and f"jac_{question}" in module.generated_source(own, question)[f"{question}.c"]
    with pytest.raises(ValueError, match="not by the entries of a quaternion"):
        module.generated(robot("quadruped", free_base=True), question)
    with pytest.raises(ValueError, match="question: expected one of inverse_dynamics"):
        module.generated_source(own, "mass_matrix")
    with pytest.raises(zveno.NotSupportedError, match="expected a C compiler"):
        module.generated(own, question, compiler="no-such-compiler")
