"""Linear systems: poles, zeros, responses over frequency and time, margins, smaller systems."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]


class FrequencyResponse(NamedTuple):
    """C (j omega - A)^-1 B + D at frequencies."""

    G: Complex  # (count, ny, nu); infinite where omega is a pole
    sigma: Array  # (count, min(ny, nu)): singular values from the largest on


class Margins(NamedTuple):
    """How far a loop is from instability where it is broken in one place."""

    stable: bool  # all poles of the closed system have negative real parts
    gain_up: float  # factor above 1 that makes it unstable, inf: none;
    gain_up_at: float  # and where, rad/s
    gain_down: float  # likewise below 1; 0: none
    gain_down_at: float
    phase: float  # smallest lag that does, rad; inf: none
    phase_at: float
    delay: float  # the dead time that does, s; inf: none
    modulus: float  # least |1 + L|, the distance from -1
    modulus_at: float


class StateSpace(NamedTuple):
    """dx/dt = A x + B u, y = C x + D u."""

    A: ArrayLike  # (nx, nx)
    B: ArrayLike  # (nx, nu)
    C: ArrayLike  # (ny, nx)
    D: ArrayLike | None = None  # (ny, nu); None: zero

    def poles(self) -> Complex:
        """Eigenvalues of A (nx), 1/s."""
        from . import _full

        real, imag = _full.poles(tuple(self))
        return real + 1j * imag

    def zeros(self) -> Complex:
        """Transmission zeros, 1/s, with multiplicity."""
        from . import _full

        real, imag = _full.zeros(tuple(self))
        return real + 1j * imag

    def frequency_response(self, omega: ArrayLike) -> FrequencyResponse:
        """At frequencies omega (count), rad/s."""
        from . import _full

        w = np.atleast_1d(np.asarray(omega, float))
        numbers, sigma = _full.frequency_response(tuple(self), w.ravel())
        ny, nu = np.shape(self.C)[0], np.shape(self.B)[1]
        return FrequencyResponse(numbers.view(complex).reshape(w.size, ny, nu), sigma)

    def step_response(self, step: float, count: int) -> Array:
        """y (count, ny, nu) at t = 0, step, 2 step, ... (s) after a unit step of each input alone: exact there."""
        return self._response(False, step, count)

    def impulse_response(self, step: float, count: int) -> Array:
        """The same after a unit impulse, without what D lets through."""
        return self._response(True, step, count)

    def _response(self, impulse: bool, step: float, count: int) -> Array:
        from . import _full

        y: Any = _full.time_response(tuple(self), impulse, step, count)
        answer: Array = y.reshape(count, np.shape(self.C)[0], np.shape(self.B)[1])
        return answer

    def margins(self) -> Margins:
        """Of a closed system of one input and output: from a disturbance where the loop is broken to what comes back.

        With the loop gain L it is -L / (1 + L).
        """
        from . import _full

        return Margins(*_full.margins(tuple(self)))

    def minimal(self, tolerance: float = 1e-10) -> StateSpace:
        """Without what inputs do not move or outputs do not show."""
        from . import _full

        return StateSpace(*_full.smaller(tuple(self), -1, tolerance)[:3], self.D)

    def balanced(self, order: int) -> tuple[StateSpace, Array]:
        """Balanced truncation to at most `order` states, and the Hankel singular values (nx), inf for what is not stable.

        The error over all frequencies is at most twice the sum of those left out.
        """
        from . import _full

        if order < 0:
            raise ValueError(f"order: expected 0 or more states, found {order}")
        A, B, C, hankel = _full.smaller(tuple(self), order, 0.0)
        return StateSpace(A, B, C, self.D), hankel
