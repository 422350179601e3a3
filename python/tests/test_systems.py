"""Linear systems against closed formulas and NumPy's algebra."""

from __future__ import annotations

import numpy as np
import pytest
import zveno

W, Z = 3.0, 0.1  # one mass on a spring with a damper
ONE = zveno.StateSpace([[0, 1], [-(W**2), -2 * Z * W]], [[0], [1]], [[1, 0]])


def random_system(n: int = 6, m: int = 2, p: int = 3) -> zveno.StateSpace:
    random = np.random.default_rng(4)
    A = random.normal(size=(n, n))
    A -= (np.linalg.eigvals(A).real.max() + 0.4) * np.eye(n)
    return zveno.StateSpace(A, random.normal(size=(n, m)), random.normal(size=(p, n)), random.normal(size=(p, m)))


def test_one_mass() -> None:
    assert np.allclose(np.sort_complex(ONE.poles()), [-Z * W - 1j * W * np.sqrt(1 - Z**2), -Z * W + 1j * W * np.sqrt(1 - Z**2)])
    omega = np.array([0.5, 3.0, 20.0])
    response = ONE.frequency_response(omega)
    assert np.allclose(response.G[:, 0, 0], 1 / (W**2 - omega**2 + 2j * Z * W * omega))
    assert np.allclose(response.sigma[:, 0], np.abs(response.G[:, 0, 0])) and ONE.zeros().size == 0
    t = np.arange(50) * 0.1
    d = W * np.sqrt(1 - Z**2)
    assert np.allclose(ONE.impulse_response(0.1, 50)[:, 0, 0], np.exp(-Z * W * t) * np.sin(d * t) / d, atol=1e-13)
    rise = 1 - np.exp(-Z * W * t) * (np.cos(d * t) + Z * W / d * np.sin(d * t))
    assert np.allclose(ONE.step_response(0.1, 50)[:, 0, 0], rise / W**2, atol=1e-13)


def test_matrices() -> None:
    s = random_system()
    A, B, C, D = (np.asarray(x) for x in s)
    assert np.allclose(np.sort_complex(s.poles()), np.sort_complex(np.linalg.eigvals(A)))
    for omega, G, sigma in zip([0.0, 1.0, 9.0], *s.frequency_response([0.0, 1.0, 9.0])):
        expected = C @ np.linalg.solve(1j * omega * np.eye(6) - A, B) + D
        assert np.allclose(G, expected) and np.allclose(sigma, np.linalg.svd(expected, compute_uv=False))
    square = zveno.StateSpace(A, B, C[:2], D[:2])
    for zero in square.zeros():
        pencil = np.block([[A - zero * np.eye(6), B], [C[:2], D[:2]]])
        assert np.linalg.svd(pencil, compute_uv=False)[-1] < 1e-9 * np.linalg.norm(pencil)
    twice = zveno.StateSpace(np.kron(np.eye(2), A), np.vstack((B, B)), np.hstack((C, 0 * C)), D)
    smaller = twice.minimal()
    assert np.shape(smaller.A) == (6, 6)
    assert np.allclose(smaller.frequency_response([0.3, 2]).G, s.frequency_response([0.3, 2]).G)
    reduced, hankel = s.balanced(3)
    omega = np.geomspace(1e-3, 1e3, 400)
    error = np.linalg.norm(s.frequency_response(omega).G - reduced.frequency_response(omega).G, 2, axis=(1, 2))
    assert np.shape(reduced.A) == (3, 3) and error.max() <= 2 * hankel[3:].sum() * (1 + 1e-9) and (np.diff(hankel) <= 0).all()


def test_margins() -> None:
    """Three lags of 1 s: k / (s + 1)^3 becomes unstable at k = 8, at sqrt(3) rad/s."""
    A = np.array([[-1, 0, 0], [1, -1, 0], [0, 1, -1.0]])
    k = 2.0
    B, C = np.array([[1.0], [0], [0]]), np.array([[0, 0, k]])
    m = zveno.StateSpace(A - B @ C, B, -C).margins()
    assert m.stable and m.gain_up == pytest.approx(8 / k, rel=1e-6) and m.gain_up_at == pytest.approx(np.sqrt(3), rel=1e-6)
    with pytest.raises(ValueError, match="one input and one output"):
        random_system().margins()


def test_refusals() -> None:
    s = random_system()
    for wrong in (s._replace(A=np.zeros((2, 3))), s._replace(B=np.zeros((5, 2))), s._replace(C=3.0), s._replace(D=np.zeros((2, 2)))):
        with pytest.raises(ValueError, match="expected a matrix"):
            wrong.poles()
    with pytest.raises(zveno.ModelError):
        s._replace(A=np.full((6, 6), np.nan)).poles()
    with pytest.raises(ValueError, match="order"):
        s.balanced(-2)
    with pytest.raises(ValueError, match="count"):
        s.step_response(0.1, -1)


def test_of_a_machine() -> None:
    from test_simulation import SWING

    model = zveno.Scenario({**SWING, "initial": {}}).linear()
    assert np.allclose(np.abs(model.system.poles()), np.sqrt(9.81))
