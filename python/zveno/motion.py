"""Laws of motion: vectors as functions of time with their first and second derivatives, and routes of poses.

    law = zveno.motion.quintic([0, 0], [1, -0.5], duration=2)
    x, dx, ddx = law.at(t)                     # t of any shape: (..., width) each

Before its first and after its last knot a law of finite duration holds its end value, at rest. Times in s. They are those
of scenarios (docs/motion.md). A law is constant; threads may share it, and it can be pickled.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


class Motion(NamedTuple):
    """Values of a law, (..., width) each."""

    x: Array
    dx: Array  # 1/s
    ddx: Array  # 1/s^2


class PoseMotion(NamedTuple):
    """Values of a route: outer axes, 6-vectors linear part first."""

    pose: Array  # (..., 4, 4)
    velocity: Array  # (..., 6): m/s of the origin, rad/s
    acceleration: Array  # (..., 6)


class Law:
    """A vector as a function of time; made by the functions of this module."""

    def __init__(self, recipe: tuple[Any, ...]) -> None:
        from . import _full

        self._recipe = recipe
        self._law = _full.Law(recipe)

    @property
    def width(self) -> int:
        """Entries of the vector."""
        return self._law.width

    def at(self, t: ArrayLike) -> Motion:
        """Value and derivatives at times t (...): (..., width) each. At a break they are those after it."""
        times = np.asarray(t, float)
        return Motion(*(x.reshape(*times.shape, self.width) for x in self._law.at(np.ravel(times))))

    def __call__(self, t: ArrayLike) -> Array:
        """Its value at times t (...): (..., width)."""
        return self.at(t).x

    def next_break(self, t: float) -> float:
        """The first time after t at which a value or derivative jumps; inf: there is none."""
        return self._law.next_break(t)

    def __add__(self, other: Law) -> Law:
        return total(self, other)

    def __reduce__(self) -> tuple[type[Law], tuple[tuple[Any, ...]]]:
        return Law, (self._recipe,)

    def __repr__(self) -> str:
        return f"<zveno.motion.Law {self._recipe[0]}, width {self.width}>"


class Route:
    """A pose as a function of time; made by line, arc, and lead."""

    def __init__(self, recipe: tuple[Any, ...]) -> None:
        from . import _full

        self._recipe = recipe
        self._route = _full.Route(recipe)

    @property
    def places(self) -> bool:
        """Whether it leads the position; else that is zero, at rest."""
        return self._route.places

    @property
    def turns(self) -> bool:
        """Whether it leads the orientation."""
        return self._route.turns

    def at(self, t: ArrayLike) -> PoseMotion:
        """Poses, velocities and accelerations at times t (...)."""
        times = np.asarray(t, float)
        pose, velocity, acceleration = self._route.at(np.ravel(times))
        shape = times.shape
        return PoseMotion(pose.reshape(*shape, 4, 4), velocity.reshape(*shape, 6), acceleration.reshape(*shape, 6))

    def __call__(self, t: ArrayLike) -> Array:
        """Poses (..., 4, 4) at times t (...)."""
        return self.at(t).pose

    def next_break(self, t: float) -> float:
        """As that of laws."""
        return self._route.next_break(t)

    def __reduce__(self) -> tuple[type[Route], tuple[tuple[Any, ...]]]:
        return Route, (self._recipe,)

    def __repr__(self) -> str:
        return f"<zveno.motion.Route {self._recipe[0]}>"


def _vector(x: ArrayLike, what: str, width: int | None = None) -> Array:
    """One number or a vector, as a vector; one number stands for all of a known width."""
    a = np.array(x, dtype=float, ndmin=1)
    if width is not None and a.shape == (1,):
        a = np.repeat(a, width)
    if a.ndim != 1 or a.size == 0 or (width is not None and a.size != width):
        raise ValueError(f"{what}: expected a vector{f' of {width}' if width else ''}, found shape {np.shape(x)}")
    return a


def _rows(x: ArrayLike, what: str, width: int | None = None) -> Array:
    """Rows of vectors; of width 1 the numbers alone will do."""
    a = np.array(x, dtype=float, ndmin=1)
    a = a[:, None] if a.ndim == 1 and width in (None, 1) else a
    if a.ndim != 2 or a.size == 0 or (width is not None and a.shape[1] != width):
        raise ValueError(f"{what}: expected shape (n, {width or 'width'}), found {np.shape(x)}")
    return np.ascontiguousarray(a)


def _law(kind: str, width: int, numbers: Sequence[float], *arrays: Array, parts: Sequence[Law] = ()) -> Law:
    return Law((kind, width, tuple(map(float, numbers)), tuple(arrays), tuple(p._recipe for p in parts)))


def constant(value: ArrayLike) -> Law:
    """x = value."""
    x = _vector(value, "value")
    return _law("constant", x.size, (), x)


def polynomial(coefficients: ArrayLike, start: float = 0.0) -> Law:
    """x = sum coefficients[k] (t - start)^k for all t; coefficients (count, width), of one entry (count)."""
    c = _rows(coefficients, "coefficients")
    return _law("polynomial", c.shape[1], (start,), c.ravel())


def boundary(begin: ArrayLike, end: ArrayLike, duration: float, start: float = 0.0) -> Law:
    """The polynomial of least degree with given derivatives at both ends: row k is the k-th; up to 8 rows each.

    (2, width) and (2, width) make the cubic, three the quintic, four the septic law.
    """
    a = _rows(begin, "begin")
    b = _rows(end, "end", a.shape[1])
    return _law("boundary", a.shape[1], (start, duration), a.ravel(), b.ravel())


def _between(rows: int, begin: ArrayLike, end: ArrayLike, duration: float, start: float) -> Law:
    a = _vector(begin, "begin")
    b = _vector(end, "end", a.size)
    rest = np.zeros((rows - 1, a.size))
    return boundary(np.vstack((a, rest)), np.vstack((b, rest)), duration, start)


def cubic(begin: ArrayLike, end: ArrayLike, duration: float, start: float = 0.0) -> Law:
    """From rest to rest, velocities continuous."""
    return _between(2, begin, end, duration, start)


def quintic(begin: ArrayLike, end: ArrayLike, duration: float, start: float = 0.0) -> Law:
    """From rest to rest, accelerations continuous."""
    return _between(3, begin, end, duration, start)


def septic(begin: ArrayLike, end: ArrayLike, duration: float, start: float = 0.0) -> Law:
    """From rest to rest, jerks continuous."""
    return _between(4, begin, end, duration, start)


def cycloidal(begin: ArrayLike, end: ArrayLike, duration: float, start: float = 0.0) -> Law:
    """x = begin + (end - begin) (s - sin(2 pi s) / (2 pi)), s = (t - start) / duration."""
    a = _vector(begin, "begin")
    return _law("cycloidal", a.size, (start, duration), a, _vector(end, "end", a.size))


def trapezoidal(
    begin: ArrayLike,
    end: ArrayLike,
    duration: float | None = None,
    start: float = 0.0,
    *,
    share: float = 1 / 3,
    velocity: ArrayLike | None = None,
    acceleration: ArrayLike | None = None,
) -> Law:
    """Constant acceleration, cruise, constant deceleration; all entries in step.

    Either a duration and the share of it spent accelerating (0 < share <= 0.5), or the greatest velocity and acceleration
    of each entry: the shortest motion within them.
    """
    a = _vector(begin, "begin")
    b = _vector(end, "end", a.size)
    if velocity is None and acceleration is None and duration is not None:
        return _law("trapezoidal", a.size, (start, duration, share), a, b)
    if velocity is None or acceleration is None or duration is not None:
        raise TypeError("trapezoidal: expected a duration, or velocity and acceleration")
    limits = _vector(velocity, "velocity", a.size), _vector(acceleration, "acceleration", a.size)
    return _law("trapezoidal_limits", a.size, (start,), *limits, a, b)


def harmonic(
    offset: ArrayLike, amplitude: ArrayLike, frequency: ArrayLike, phase: ArrayLike = 0.0, start: float = 0.0
) -> Law:
    """x = offset + amplitude sin(frequency (t - start) + phase), entry by entry; frequency in rad/s."""
    width = max(np.size(x) for x in (offset, amplitude, frequency, phase))
    given = {"offset": offset, "amplitude": amplitude, "frequency": frequency, "phase": phase}
    return _law("harmonic", width, (start,), *(_vector(x, name, width) for name, x in given.items()))


def exponential(begin: ArrayLike, end: ArrayLike, time: ArrayLike, start: float = 0.0) -> Law:
    """x = end + (begin - end) exp(-(t - start) / time) from the start on: what a first-order filter makes of a step."""
    a = _vector(begin, "begin")
    return _law("exponential", a.size, (start,), a, _vector(end, "end", a.size), _vector(time, "time", a.size))


def _points(times: ArrayLike, points: ArrayLike, what: str, width: int | None = None) -> tuple[Array, Array]:
    t, x = _vector(times, "times"), _rows(points, what, width)
    if len(x) != t.size:
        raise ValueError(f"{what}: expected one for each of {t.size} times, found {len(x)}")
    return t, x


def spline(times: ArrayLike, points: ArrayLike, ends: str = "natural") -> Law:
    """Cubic spline through points (n, width) at ascending times (n); ends: "natural", "clamped" (at rest), "periodic"."""
    t, x = _points(times, points, "points")
    words = ("natural", "clamped", "periodic")
    if ends not in words:
        raise ValueError(f"ends: expected one of {', '.join(words)}, found {ends!r}")
    return _law("spline", x.shape[1], (words.index(ends),), t, x.ravel())


def hermite(times: ArrayLike, x: ArrayLike, dx: ArrayLike, ddx: ArrayLike) -> Law:
    """Quintic pieces that meet x, dx, ddx (n, width each) at ascending times (n)."""
    t, a = _points(times, x, "x")
    rest = [_points(times, y, name, a.shape[1])[1].ravel() for name, y in (("dx", dx), ("ddx", ddx))]
    return _law("hermite", a.shape[1], (), t, a.ravel(), *rest)


def table(times: ArrayLike, points: ArrayLike, mode: str = "linear") -> Law:
    """Straight lines between points (n, width) at ascending times (n), or, mode="hold", each held until the next."""
    t, x = _points(times, points, "points")
    words = ("linear", "hold")
    if mode not in words:
        raise ValueError(f"mode: expected one of {', '.join(words)}, found {mode!r}")
    return _law("table", x.shape[1], (words.index(mode),), t, x.ravel())


def sequence(parts: Sequence[Law], durations: ArrayLike = (), start: float = 0.0) -> Law:
    """One law after the other, each with its own time from 0; the last goes on for ever and has no duration."""
    d = np.array(durations, float).ravel()
    if len(parts) == 0 or d.size != len(parts) - 1:
        raise ValueError(f"durations: expected {max(len(parts) - 1, 0)} for {len(parts)} laws, found {d.size}")
    return _law("sequence", parts[0].width, (start,), d, parts=parts)


def total(*parts: Law) -> Law:
    """The sum of laws of one width."""
    return _law("sum", parts[0].width if parts else 0, (), parts=parts)


def join(*parts: Law) -> Law:
    """Laws side by side as one wider vector."""
    return _law("join", sum(p.width for p in parts), (), parts=parts)


def _pose(x: ArrayLike, what: str) -> Array:
    pose = np.array(x, float)
    if pose.shape != (4, 4):
        raise ValueError(f"{what}: expected a pose (4, 4), found shape {pose.shape}")
    return pose.ravel()


def line(begin: ArrayLike, end: ArrayLike, progress: Law) -> Route:
    """From one pose (4, 4) to another on a straight line, turning about one axis by the shortest angle.

    progress (width 1) runs from 0 to 1.
    """
    return Route(("line", 0, (), (_pose(begin, "begin"), _pose(end, "end")), (progress._recipe,)))


def arc(begin: ArrayLike, center: ArrayLike, axis: ArrayLike, angle: float, progress: Law, *, turn: bool = True) -> Route:
    """Along the circle about an axis through center by angle (rad); turn: whether the orientation turns with it."""
    vectors = _vector(center, "center", 3), _vector(axis, "axis", 3)
    return Route(("arc", 0, (float(angle), float(turn)), (_pose(begin, "begin"), *vectors), (progress._recipe,)))


def lead(
    position: Law | None = None,
    *,
    vector: Law | None = None,
    angles: Law | None = None,
    axes: str = "zyx",
    quaternions: ArrayLike | None = None,
    progress: Law | None = None,
) -> Route:
    """Position and orientation by laws of their own; what is not given is not led.

    position: width 3, m. One of: vector, a rotation vector, width 3; angles about `axes` of the frame as it turns, "zyx"
    takes yaw, pitch and roll; quaternions (n, 4), x y z w, from one to the next by progress, k at quaternion k.
    """
    if sum(x is not None for x in (vector, angles, quaternions)) > 1 or (quaternions is None) != (progress is None):
        raise TypeError("lead: expected one of vector, angles, and quaternions with progress")
    place = None if position is None else position._recipe
    if quaternions is not None and progress is not None:
        return Route(("slerp", 0, (), (_rows(quaternions, "quaternions", 4).ravel(),), (place, progress._recipe)))
    if angles is not None:
        if not axes or any(letter not in "xyz" for letter in axes) or len(axes) > 3:
            raise ValueError(f"axes: expected one to three letters of x, y, z, found {axes!r}")
        return Route((axes, 0, (), (), (place, angles._recipe)))
    return Route(("vector", 0, (), (), (place, None if vector is None else vector._recipe)))


class Table(NamedTuple):
    """Numbers of a file in CSV."""

    values: Array  # (rows, columns)
    names: tuple[str, ...] | None  # of columns, where the file has a line of names


def read_table(source: str | os.PathLike[str], text: str | bytes | None = None) -> Table:
    """A table of numbers from a file, or from a text of that name: comma, semicolon, tab or blanks, '#' comments."""
    from . import _full

    return Table(*_full.read_table(os.fspath(source), text))
