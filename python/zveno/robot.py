"""Robots: read, built of dictionaries, changed, written; what they consist of; and, by _core, all that they can be asked."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core, _document, parts
from ._errors import Error
from .analysis import Analysis
from .generated import Generated

_Part = TypeVar("_Part", parts.Link, parts.Joint, parts.Frame, parts.Loop)
Source = str | os.PathLike[str] | Mapping[str, Any]


class Method(NamedTuple):
    """A row of a table of methods: it runs the kernel it names, always, or refuses."""

    name: str
    cost: str
    source: str
    domain: int
    limits: str  # "rigid links, no external forces"; "" when there are none


def _builder(
    source: Source | None,
    text: str | bytes | None = None,
    name: str = "<description>",
    format: str = "auto",
    free_base: bool | None = None,
    mimic: bool | None = None,
    cut_loops: bool | None = None,
    gravity: ArrayLike | None = None,
    lock: Iterable[str] = (),
    packages: Mapping[str, str | os.PathLike[str]] | None = None,
) -> _core.Builder:
    """A description with what is asked of it."""
    folders = {name: os.fspath(folder) for name, folder in (packages or {}).items()}
    if isinstance(source, Mapping):
        text = _document.dump({"zveno": 1, **source})
        name, format = "<description>", "native"
        try:
            builder = _core.Builder(text, name, format, folders)
        except Error as error:
            if error.line:
                error.add_note(f"line {error.line}: {text.splitlines()[error.line - 1].strip()}")
            raise
    elif source is not None:
        path = os.fspath(source)
        builder = _core.Builder(None, path.decode() if isinstance(path, bytes) else path, format, folders)
    else:
        assert text is not None
        builder = _core.Builder(text, name, format, folders)
    g = None if gravity is None else tuple(float(x) for x in np.asarray(gravity, float).reshape(3))
    builder.set(free_base, mimic, cut_loops, g, None)
    for joint in lock:
        builder.lock(joint)
    return builder


_FORMATS = {".yaml": "native", ".yml": "native", ".urdf": "urdf", ".xml": "mjcf", ".mjcf": "mjcf"}


class Robot(Analysis, Generated):
    """A robot, frozen: it never changes and may be asked by any number of threads.

    Robot(path) reads a file, URDF, MJCF, SDF or native YAML; Robot(dictionary) takes a description with the keys of native files
    (docs/formats.md); zveno.parse takes a text. All questions are methods: robot.inverse_dynamics(q, v, a).
    q is (..., nq), v, a and tau are (..., nv), float64 or float32; leading axes are any number of states.

    free_base: True puts a free joint under the root. mimic: whether mimic joints follow (default) or are coordinates of
    their own. cut_loops: whether a link may have several joints above it, which are cut. gravity: (3) m/s^2. lock: names of
    joints made fixed at zero. packages: where packages of ROS are that a file names, {name: folder}.
    """

    _inertias: dict[int, tuple[float, tuple[float, ...], tuple[float, ...]]]

    def __new__(
        cls,
        source: Source,
        *,
        free_base: bool | None = None,
        mimic: bool | None = None,
        cut_loops: bool | None = None,
        gravity: ArrayLike | None = None,
        lock: Iterable[str] = (),
        packages: Mapping[str, str | os.PathLike[str]] | None = None,
    ) -> Robot:
        builder = _builder(
            source,
            free_base=free_base,
            mimic=mimic,
            cut_loops=cut_loops,
            gravity=gravity,
            lock=lock,
            packages=packages,
        )
        return cls._of(builder)

    @classmethod
    def _of(cls, made_of: _core.Builder | _core.Robot) -> Robot:
        robot = super().__new__(cls, made_of)
        robot._inertias = {}
        return robot

    def __repr__(self) -> str:
        return f"<zveno.Robot {self.name!r}: {self.nlink} links, nq {self.nq}, nv {self.nv}, {self.mass:.4g} kg>"

    # What it consists of ------------------------------------------------------------------------------------------

    @cached_property
    def links(self) -> tuple[parts.Link, ...]:
        """Links in model order: depth-first from the root, children in file order."""
        return tuple(parts.link(d) for d in self._links())

    @cached_property
    def joints(self) -> tuple[parts.Joint, ...]:
        """Joints, fixed ones included, in the order of the coordinates."""
        return tuple(parts.joint(d, self.links) for d in self._joints())

    @cached_property
    def frames(self) -> tuple[parts.Frame, ...]:
        """Frames: those of the links, then named ones."""
        return tuple(parts.frame(d) for d in self._frames())

    @cached_property
    def loops(self) -> tuple[parts.Loop, ...]:
        """Closed loops."""
        return tuple(parts.loop(d, self.links) for d in self._loops())

    @cached_property
    def shapes(self) -> tuple[parts.Shape, ...]:
        """Shapes for pictures."""
        return tuple(parts.shape(d) for d in self._shapes())

    def link(self, name: str) -> parts.Link:
        """The link of that name."""
        return _named("link", self.links, name)

    def joint(self, name: str) -> parts.Joint:
        """The joint of that name."""
        return _named("joint", self.joints, name)

    def frame(self, name: str) -> parts.Frame:
        """The frame of that name."""
        return _named("frame", self.frames, name)

    def loop(self, name: str) -> parts.Loop:
        """The loop of that name."""
        return _named("loop", self.loops, name)

    @cached_property
    def _names(self) -> tuple[list[tuple[str, str]], list[tuple[str, str]], list[tuple[str, str]]]:
        return self._coordinates()

    @property
    def q_names(self) -> tuple[str, ...]:
        """Names of the entries of q: "elbow", "base.qx", "boom.y1"."""
        return tuple(name for name, _ in self._names[0])

    @property
    def v_names(self) -> tuple[str, ...]:
        """Names of the entries of v, a, tau."""
        return tuple(name for name, _ in self._names[1])

    @property
    def q_units(self) -> tuple[str, ...]:
        """Units of the entries of q."""
        return tuple(unit for _, unit in self._names[0])

    @property
    def v_units(self) -> tuple[str, ...]:
        """Units of the entries of v."""
        return tuple(unit for _, unit in self._names[1])

    @property
    def tau_units(self) -> tuple[str, ...]:
        """Units of the entries of tau."""
        return tuple(unit for _, unit in self._names[2])

    @property
    def gravity(self) -> NDArray[np.float64]:
        """Acceleration of gravity, (3), world axes, m/s^2."""
        return np.array(self._gravity())

    def limits(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Lower and upper limits of v's coordinates, (nv) each, infinite where there are none; rad or m."""
        lower, upper = np.full(self.nv, -np.inf), np.full(self.nv, np.inf)
        for joint in self.joints:
            for k, dof in enumerate(joint.dofs[: joint.nv] if joint.mimic is None else ()):
                if dof.lower is not None and dof.upper is not None:
                    lower[joint.v_index + k], upper[joint.v_index + k] = dof.lower, dof.upper
        return lower, upper

    def elastic_matrices(self, link: str | int | parts.Link) -> tuple[NDArray[np.float64], ...]:
        """Generalised mass, stiffness and damping of an elastic link alone, clamped: three (n, n)."""
        index = link if isinstance(link, int) else (link if isinstance(link, parts.Link) else self.link(link)).index
        return self._elastic_matrices(index)

    def loop_signs(self, loop: str | int | parts.Loop) -> NDArray[np.intc]:
        """+1 for joints on the way to the child's side of a loop, -1 to its parent's, else 0; (njoint)."""
        return self._loop_signs(loop)

    # Descriptions --------------------------------------------------------------------------------------------------

    @property
    def native(self) -> str:
        """The description as a native file has it; read again it gives the same robot, digit by digit."""
        return self._native()

    @property
    def description(self) -> dict[str, Any]:
        """The description as dictionaries and lists, to be changed and made a robot again."""
        return _document.load(self.native, self.name)

    def written(self, format: str) -> tuple[str, list[parts.Finding]]:
        """The description in a format, "native", "urdf" or "mjcf", and what the format cannot say.

        Of warnings the robot that is read again moves differently, of notes it does not.
        """
        if format not in _FORMATS.values():
            raise ValueError(f"format: expected one of {', '.join(sorted(set(_FORMATS.values())))}, found {format!r}")
        text, lost = _builder(None, self.native).written(format)
        return text, [parts.Finding(**d) for d in lost]

    def write(self, path: str | os.PathLike[str]) -> list[parts.Finding]:
        """Writes the description to a file, replaced only when complete, and returns what its format cannot say.

        The end of the name tells the format: .yaml and .yml native, .urdf, .xml and .mjcf.
        """
        path = os.fspath(path)
        text, lost = self.written(_FORMATS.get(os.path.splitext(path)[1].lower(), "native"))
        with open(f"{path}.partial", "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(f"{path}.partial", path)
        return lost

    # Copies with changing inertias -----------------------------------------------------------------------------------

    def copy(self) -> Robot:
        """A copy whose links may be given other inertias while it is in use, as when a gripper takes a load up."""
        copy = type(self)._of(self)
        copy.threads = self.threads
        copy._inertias = dict(self._inertias)
        return copy

    def set_inertia(self, link: str | int | parts.Link, mass: float, com: ArrayLike, inertia: ArrayLike) -> None:
        """Gives a link of a copy another inertia: mass (kg), com (3, m), inertia (3, 3, kg m^2, about com)."""
        index = link if isinstance(link, int) else (link if isinstance(link, parts.Link) else self.link(link)).index
        moment = np.asarray(inertia, float).reshape(3, 3)
        if not np.array_equal(moment, moment.T):
            raise ValueError("inertia: expected a symmetric matrix")
        center = tuple(float(x) for x in np.asarray(com, float).reshape(3))
        upper = tuple(float(x) for x in moment[np.triu_indices(3)])
        self._set_inertia(index, float(mass), center, upper)
        self._inertias[index] = (float(mass), center, upper)
        self.__dict__.pop("links", None)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), self.native, self.threads, self._inertias, self.original is not None)

    # Methods -----------------------------------------------------------------------------------------------------------

    def method_chosen(self, question: str, loaded: bool = False) -> tuple[str, str]:
        """The row that "auto" runs for this robot (loaded: with external forces), and why."""
        return self._method_chosen(_question(question), loaded)

    def method_obstacle(self, question: str, method: str, loaded: bool = False) -> str | None:
        """Why a method is not defined for this robot; None: it is."""
        for row in methods(question):
            if row.name == method:
                return self._method_obstacle(row.domain, loaded)
        raise ValueError(f"method: expected one of {', '.join(r.name for r in methods(question))}, found {method!r}")

    def check(self, *, every: bool = False) -> list[parts.Finding]:
        """What the linter finds in the description of this robot; every: what repeats place by place."""
        return check(text=self.native, every=every)


def _named(what: str, all: tuple[_Part, ...], name: str) -> _Part:
    for element in all:
        if element.name == name:
            return element
    raise KeyError(f"{what}: expected one of {', '.join(e.name for e in all)}, found {name!r}")


def _restore(
    cls: type[Robot], native: str, threads: int, inertias: dict[int, Any], is_copy: bool
) -> Robot:
    """Unpickles a robot; one whose inertias were changed becomes a copy of what it was made of."""
    robot = cls._of(_core.Builder(native, "<pickle>", "native"))
    if is_copy:
        robot = robot.copy()
        for index, (mass, com, moment) in inertias.items():
            robot._set_inertia(index, mass, com, moment)
        robot._inertias = dict(inertias)
    robot.threads = threads
    return robot


def read(path: str | os.PathLike[str], **options: Any) -> Robot:
    """The robot in a file, native YAML, URDF, xacro, MJCF or SDF; options as those of Robot."""
    return Robot(path, **options)


def parse(text: str | bytes, name: str = "<text>", format: str = "auto", **options: Any) -> Robot:
    """The robot in a text; name stands in errors, and includes are looked up beside it. format: "urdf", "mjcf", "sdf", "native"."""
    return Robot._of(_builder(None, text, name, format, **options))


def describe(source: Source) -> dict[str, Any]:
    """The description of a robot (path or dictionary) as dictionaries and lists, unchecked; URDF too."""
    return _document.load(_builder(source).native(), "<description>")


def check(
    source: Source | None = None, *, text: str | bytes | None = None, every: bool = False, **options: Any
) -> list[parts.Finding]:
    """Everything that is wrong or doubtful in a description: of a file, a dictionary, or a text.

    What one rule finds in many places is one finding with a count; every: place by place.
    """
    if (source is None) == (text is None):
        raise TypeError("check: expected a path, a dictionary, or text=")
    return [parts.Finding(**d) for d in _builder(source, text, **options).check(every)]


def _question(name: str) -> int:
    names = _core.questions()
    if name not in names:
        raise ValueError(f"question: expected one of {', '.join(names)}, found {name!r}")
    return names.index(name)


def methods(question: str) -> list[Method]:
    """The methods that answer a question: "mass", "bias", "inverse", "forward" or "inverse-mass"."""
    return [Method(*row) for row in _core.methods(_question(question))]


def closed_methods() -> list[tuple[str, str, str]]:
    """The methods of forward dynamics with closed loops: name, cost, source."""
    return _core.closed_methods()
