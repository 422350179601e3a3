"""Integrators of the program's own equations, against closed solutions."""

from __future__ import annotations

import gc
import sys
import weakref

import numpy as np
import pytest
import zveno

METHODS = ["auto", "adams", "bdf", "erk", "dirk", "rk4"]


@pytest.mark.parametrize("method", METHODS)
def test_a_vibration(method: str) -> None:
    """y = (cos t, -sin t), inside the steps too."""
    calls = []

    def rate(t: float, y: np.ndarray) -> list[float]:
        calls.append(t)
        return [y[1], -y[0]]

    run = zveno.Integrator(rate, 0.0, [1, 0], method=method, step=1e-3 if method == "rk4" else 0.0)
    worst = 0.0
    while run.t < 3:
        assert run.step(3.0) in ("inside", "stop")
        inside = np.linspace(run.t_before, run.t, 3)
        worst = max(worst, np.abs(run.at(inside)[:, 0] - np.cos(inside)).max() if run.interpolates else 0.0)
    tolerance = 1e-11 if method == "rk4" else 2e-6
    assert run.t == 3.0 and np.abs(run.y - [np.cos(3), -np.sin(3)]).max() < tolerance and worst < tolerance
    assert run.statistics["rates"] == len(calls) and run.statistics["steps"] > 5
    assert (run.changes != ()) == (method == "auto")
    run.start(0.0, [0, 1])
    assert run.advance(1.0) and np.abs(run.y - [np.sin(1), np.cos(1)]).max() < tolerance


def test_events_and_projection() -> None:
    """A ball: h = 1 - g t^2 / 2 falls through zero; a circle that does not grow."""
    ball = zveno.Integrator(lambda t, y: [y[1], -9.81], 0.0, [1, 0], method="erk", events=lambda t, y: [y[0], y[0] - 2])
    assert not ball.advance(2.0) and ball.fired == (-1, 0) and ball.t == pytest.approx(np.sqrt(2 / 9.81), rel=1e-8)
    ball.start(ball.t, [0, -0.5 * ball.y[1]])
    assert not ball.advance(2.0) and ball.t == pytest.approx(2 * np.sqrt(2 / 9.81), rel=1e-7)
    circle = zveno.Integrator(lambda t, y: [-y[1], y[0]], 0.0, [1, 0], method="rk4", step=0.1, project=lambda t, y: y / np.hypot(*y))
    assert circle.advance(20.0) and np.hypot(*circle.y) == pytest.approx(1, abs=1e-15)


def test_refusals_and_references() -> None:
    def bad(t: float, y: np.ndarray) -> np.ndarray:
        if t > 0.3:
            raise ZeroDivisionError("at last")
        return -y

    for method in METHODS:
        run = zveno.Integrator(bad, 0.0, [1.0], method=method, step=0.01)
        with pytest.raises(ZeroDivisionError, match="at last"):
            run.advance(1.0)
        assert run.t < 0.35
    with pytest.raises(ValueError, match="rate: expected 1 numbers, found 2"):
        zveno.Integrator(lambda t, y: [1, 2], 0.0, [1.0]).advance(1)
    with pytest.raises(ValueError, match="expected a time after"):
        zveno.Integrator(lambda t, y: y, 0.0, [1.0]).step(np.inf)
    with pytest.raises(ValueError, match="inside the last step"):
        zveno.Integrator(lambda t, y: y, 0.0, [1.0]).at(0.5)
    with pytest.raises(ValueError, match="at least one number"):
        zveno.Integrator(lambda t, y: y, 0.0, [])
    with pytest.raises(zveno.Error):
        zveno.Integrator(lambda t, y: y, 0.0, [1.0], method="no such method")
    with pytest.raises(zveno.Error):
        zveno.Integrator(lambda t, y: y * np.nan, 0.0, [1.0], method="rk4").advance(1)
    held: list[zveno.Integrator] = []

    def own(t: float, y: np.ndarray) -> np.ndarray:
        with pytest.raises(RuntimeError, match="busy"):
            held[0].step(9.0)
        return -y

    held.append(zveno.Integrator(own, 0.0, [1.0], method="rk4"))
    assert held[0].advance(0.01)
    seen, function = weakref.ref(held[0]._integrator.__class__), weakref.ref(own)
    held.clear()
    del own
    gc.collect()
    assert function() is None and seen() is not None
    count = sys.getrefcount(bad)
    for _ in range(50):
        zveno.Integrator(bad, 0.0, [1.0], method="rk4").advance(0.1)
    gc.collect()
    assert sys.getrefcount(bad) == count
