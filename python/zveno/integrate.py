"""The integrators of scenarios for equations of one's own, dy/dt = f(t, y)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
Function = Callable[[float, Array], ArrayLike]


class Integrator:
    """Steps of a method of zveno.integration_methods() through dy/dt = rate(t, y).

    y (size); rate, project and events are asked with t and an array (size) of their own. events(t, y): numbers whose zeros
    are located; project(t, y): y as it belongs, after each step of a one-step method. rtol, atol (times scale (size)):
    of methods that choose their steps; step: that of fixed steps, or the first, 0: chosen; max_step, max_steps: 0: none.
    What a function raises is raised.
    """

    def __init__(
        self,
        rate: Function,
        t: float,
        y: ArrayLike,
        *,
        method: str = "auto",
        order: int = 0,
        rtol: float = 1e-8,
        atol: float = 1e-8,
        scale: ArrayLike | None = None,
        step: float = 0.0,
        max_step: float = 0.0,
        max_steps: int = 0,
        events: Function | None = None,
        project: Function | None = None,
    ) -> None:
        from . import _full

        start = np.array(y, float).ravel()
        count = 0 if events is None else np.size(events(float(t), start.copy()))
        self._integrator = _full.Integrator(
            rate, events, count, project, t, start, method, order, rtol, atol, scale, step, max_step, max_steps
        )

    @property
    def t(self) -> float:
        """Time after the last step or start."""
        return self._integrator.tell()[0]

    @property
    def t_before(self) -> float:
        """Time before the last step; after a start it is t."""
        return self._integrator.tell()[1]

    @property
    def y(self) -> Array:
        """State (size) at t."""
        return self._integrator.tell()[2]

    @property
    def fired(self) -> tuple[int, ...]:
        """After an event, of each event: 1 it rose through zero, -1 it fell, 0 it did not fire."""
        return self._integrator.tell()[3]

    @property
    def interpolates(self) -> bool:
        """Whether at() is as accurate as the steps."""
        return self._integrator.tell()[4]

    @property
    def advice(self) -> str | None:
        """A sentence when the method does not fit the problem."""
        return self._integrator.tell()[5]

    @property
    def statistics(self) -> dict[str, float]:
        """Steps, calls and failed tries since the creation."""
        return self._integrator.tell()[6]

    @property
    def changes(self) -> tuple[tuple[float, str], ...]:
        """Of auto: from t on it ran this method."""
        return self._integrator.tell()[7]

    def step(self, t_stop: float) -> str:
        """One step of the method's own choice, not beyond t_stop: "inside" it, at the "stop", or at an "event"."""
        return self._integrator.step(t_stop)

    def advance(self, t: float) -> bool:
        """Steps to time t; False: an event came first, and it stands there."""
        while self.t < t:
            if self.step(t) == "event":
                return False
        return True

    def start(self, t: float, y: ArrayLike) -> None:
        """Begins anew at (t, y), after a jump of y or of the function."""
        self._integrator.start(t, np.asarray(y, float).ravel())

    def at(self, times: ArrayLike) -> Array:
        """States (..., size) at times (...) inside the last step."""
        when: Any = np.asarray(times, float)
        answer: Array = self._integrator.at(when.ravel())
        return answer.reshape(*when.shape, -1)

    def __repr__(self) -> str:
        return f"<zveno.Integrator: t = {self.t:g}>"
