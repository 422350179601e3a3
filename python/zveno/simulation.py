"""Scenarios and their runs: dictionaries or files in, recordings and summaries out; own controllers."""

from __future__ import annotations

import importlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _document
from ._errors import Error
from .parts import Finding
from .recordings import Event, Recording
from .robot import Robot, parse
from .systems import StateSpace

Array = NDArray[np.float64]
Controller = Callable[[float, Array, Array], ArrayLike | None]


class Progress(NamedTuple):
    """How far a run is."""

    t: float  # simulated time, s
    start: float
    end: float
    step: float  # last, s
    elapsed: float  # wall clock, s
    rows: int
    steps: int
    advice: str | None
    values: dict[str, Array] | None = None  # the last row, by channels; for what has wants_rows = True


class LedgerRow(NamedTuple):
    """Work since the start, or the change of a store of energy, J."""

    name: str
    amount: float
    is_store: bool


class LimitPass(NamedTuple):
    """A limit of a joint that was passed, where it was passed furthest; units of the joint."""

    joint: str
    kind: str  # "position", "velocity", "effort"
    limit: float
    value: float
    excess: float
    first: float  # s: when it was passed first,
    t: float  # and furthest
    saturated: bool
    text: str


class OwnDrive(NamedTuple):
    """A drive of type function: degrees of freedom it pushes (indices into v), interval of its samples (s; 0: none)."""

    name: str
    dofs: tuple[int, ...]
    interval: float


class Energy(NamedTuple):
    """The ledger of a run, J: gap at the end, largest gap, what these are measured by, energy exchanged in all."""

    judgement: str  # "balanced", "doubtful", "wrong", "not judged"
    gap: float
    largest_gap: float
    reference: float
    exchanged: float
    rows: list[LedgerRow]


class Run:
    """What a run leaves: its last state, statistics, ledger, events, warnings, and the recording."""

    t: float  # simulated time reached, s
    q: Array  # (nq) there
    v: Array  # (nv) there
    elapsed: float  # wall clock, s
    rows: int
    output: str | None  # file written
    ending: str  # "end of duration", "event \"touch\"", "interrupted", or the text of a failure
    complete: bool  # came to the end of its duration or to an event that stops it
    statistics: dict[str, float]  # steps, rates, rejected, ...
    methods: str | None  # that auto ran, in words
    changes: list[tuple[float, str]]  # the same: from t on it ran this
    advice: str | None
    events: list[Event]  # of more than ten thousand the first; the recording has all
    energy: Energy
    limits: list[LimitPass]
    warnings: list[str]  # what a user of the numbers must know, with remedies
    loop_gap: float  # largest residuals of closed loops; NaN without
    loop_rate: float
    freedoms: int  # at the end; -1: the model is too large to tell
    redundant: int
    closed: tuple[bool, ...]  # of each loop at the end
    text: str  # one line per fact

    def __init__(self, scenario: Scenario, summary: Any, robot_sizes: tuple[int, int, int]) -> None:
        told = summary.tell(*robot_sizes)
        self.scenario, self._summary = scenario, summary
        self.events = [Event(*e) for e in told.pop("events")]
        self.limits = [LimitPass(*x) for x in told.pop("limits")]
        self.energy = Energy(
            judgement=told.pop("judgement"),
            gap=told.pop("ledger_gap"),
            largest_gap=told.pop("largest_gap"),
            reference=told.pop("reference"),
            exchanged=told.pop("exchanged"),
            rows=[LedgerRow(*x) for x in told.pop("ledger")],
        )
        for name, value in told.items():
            setattr(self, name, value)

    def __repr__(self) -> str:
        return f"<zveno.Run to t = {self.t:g} s: {self.ending}; {self.rows} rows>"

    @cached_property
    def recording(self) -> Recording:
        """The recording: the file written, or what was kept in memory."""
        if self.output is not None:
            return Recording(self.output)
        if self._summary.rows() is None:
            raise ValueError("this run kept no recording: simulate(..., keep=True), or an output")
        notes = {"title": self.scenario.title, "model": self.scenario.model, "statistics": self.text, "ending": self.ending}
        return Recording._in_memory(self._summary, {k: v for k, v in notes.items() if v}, self.events)


class LinearModel(NamedTuple):
    """dx/dt = A x + B u, y = C x + D u of small departures; M p'' + damping p' + K p = N u where all states are positions
    and velocities. x: n independent positions, their velocities, then states of drives."""

    A: Array  # (nx, nx)
    B: Array  # (nx, nu)
    C: Array  # (ny, nx)
    D: Array  # (ny, nu)
    M: Array | None  # (np, np); None where integrals of controllers are states
    damping: Array | None
    K: Array | None
    N: Array | None  # (np, nu)
    P: Array  # (nv, n): velocities of all joints from the independent ones
    rate: Array  # (nx) dx/dt at the state itself, zero at an equilibrium
    output: Array  # (ny) y there
    independent: tuple[int, ...]  # indices into v
    state_names: tuple[tuple[str, str], ...]  # names and units
    input_names: tuple[tuple[str, str], ...]
    output_names: tuple[tuple[str, str], ...]
    t: float
    q: Array  # the state: laws imposed, loops closed
    v: Array
    a: Array
    states: Array

    @property
    def system(self) -> StateSpace:
        """Its A, B, C, D, with poles, zeros and responses."""
        return StateSpace(self.A, self.B, self.C, self.D)


class Equilibrium(NamedTuple):
    """A state of rest, or of steady motion, and the forces in it."""

    q: Array  # (nq)
    v: Array  # (nv): zero but for a steady motion
    z: Array  # states of drives: motors, integrals,
    states: tuple[str, ...]  # and how they are called
    tau: Array  # (nv): the whole force in each degree of freedom
    holding: Array  # (nv): what holds that which is held or led by a law, beyond drives and springs
    multipliers: Array  # (rows) of closed loops
    eigenvalues: Array  # of the tangent stiffness beside the mass matrix, rad^2/s^2, ascending
    softest: Array | None  # (nv): motion of the least of them, its largest entry 1; None: nothing can move
    band: Array  # (nv, 2): from where to where about q stick-slip friction alone holds a joint
    stability: str  # "stable", "indifferent", "unstable", "flutter", "fixed"
    residual: float  # largest force left, of the forces involved there
    acceleration: float  # what is left of it
    steps: int  # parts in which the forces were applied


class Scenario:
    """A scenario: a model, its initial state, drives, loads, events, integrator and output.

    Scenario(path) reads a file, Scenario(dictionary) takes its keys (docs/scenarios.md); "model" may be a Robot. changes:
    {"integrator.rtol": 1e-6, "drives.0.kp": [10, 5]}, applied before checking. Files that a dictionary names are looked
    up in `beside`.
    """

    def __init__(
        self,
        source: str | os.PathLike[str] | Mapping[str, Any],
        *,
        changes: Mapping[str, Any] | None = None,
        beside: str | os.PathLike[str] = ".",
    ) -> None:
        from . import _full

        listed = [f"{key}={json.dumps(value, default=_document._plain)}" for key, value in (changes or {}).items()]
        if isinstance(source, Mapping):
            model = source.get("model")
            if isinstance(model, Robot):
                source = {**source, "model": {"inline": model.description}}
            text = _document.dump({"zveno_scenario": 1, **source})
            name = os.path.join(os.fspath(beside), "scenario") if os.fspath(beside) != "." else "scenario"
            try:
                self._scenario = _full.Scenario(text, name, listed)
            except Error as error:
                if error.line and error.file == name:
                    error.add_note(f"line {error.line}: {text.splitlines()[error.line - 1].strip()}")
                raise
        else:
            self._scenario = _full.Scenario(None, os.fspath(source), listed)

    @property
    def title(self) -> str:
        """Its title, "" without one."""
        return self._scenario.title or ""

    @property
    def start(self) -> float:
        """When it begins, s."""
        return self._scenario.start

    @property
    def duration(self) -> float:
        """s."""
        return self._scenario.duration

    @property
    def method(self) -> str:
        """Of integration."""
        return self._scenario.method

    @property
    def output(self) -> str | None:
        """The file that the scenario names."""
        return self._scenario.output

    @property
    def fingerprint(self) -> str:
        """The same for the same scenario, model, laws and changes: 16 hexadecimal digits."""
        return self._scenario.fingerprint

    @property
    def model(self) -> str:
        """The model as a native file."""
        return self._scenario.model

    @cached_property
    def robot(self) -> Robot:
        """The model as a robot."""
        return parse(self.model, "the model of the scenario", "native")

    @property
    def functions(self) -> tuple[OwnDrive, ...]:
        """The drives whose forces the program gives."""
        return tuple(OwnDrive(*x) for x in self._scenario.functions)

    def linear(
        self,
        t: float | None = None,
        q: ArrayLike | None = None,
        v: ArrayLike | None = None,
        states: ArrayLike | None = None,
        *,
        inputs: Sequence[str] | None = None,
        outputs: Sequence[str] | None = None,
    ) -> LinearModel:
        """A linear model of the machine about a state at time t (s; None: the start): dx/dt = A x + B u, y = C x + D u.

        q (nq), v (nv), states of drives; None: as the scenario begins. inputs: "tau", "tau.JOINT", "disturbance.JOINT",
        "load FRAME.fx", "reference DRIVE", ...; outputs: channels and entries of them, "q", "v.elbow", "pose tool.z".
        None: tau of joints with drives (of all, where there are none), and q. docs/control.md has the equations.
        """
        from . import _full

        told = _full.linear(
            self._scenario, None if inputs is None else list(inputs), None if outputs is None else list(outputs),
            self.start if t is None else t, q, v, states,
        )  # fmt: skip
        for name in ("rate", "output"):
            told[name] = told[name][:, 0]
        return LinearModel(**told)

    @property
    def cases(self) -> dict[str, tuple[str, ...]]:
        """Load cases: changes "key.path=value" under which the scenario is to be read anew."""
        from . import _full

        return dict(_full.cases(self._scenario))

    def equilibrium(
        self,
        *,
        hold: ArrayLike | Iterable[str | int] | None = None,
        spin: Mapping[str | int, float] | None = None,
        guess: ArrayLike | None = None,
        t: float | None = None,
        steps: int = 0,
    ) -> Equilibrium:
        """Where everything that the scenario says comes to rest, or moves steadily (docs/equilibrium.md).

        hold: joints or degrees of freedom that stay where the guess has them; spin: those that go on with a velocity,
        rad/s or m/s; guess: q (nq), the initial position unless told; t: when laws and loads are taken, s, at the start
        unless told; steps: equal parts in which forces are applied, 0: at once, or as many as it takes.
        """
        from . import _full
        from .analysis import freedoms

        held = freedoms(self.robot, hold, "hold")
        v = None
        if spin:
            held = np.zeros(self.robot.nv, bool) if held is None else held
            v = np.zeros(self.robot.nv)
            for name, speed in spin.items():
                chosen = freedoms(self.robot, name, "spin")
                assert chosen is not None
                held |= chosen
                v[chosen] = speed
        return Equilibrium(**_full.rest(self._scenario, t, held, guess, v, steps))

    def __repr__(self) -> str:
        return f"<zveno.Scenario {self.title!r}: {self.duration:g} s by {self.method}>"


def mjcf_scenario(path: str | os.PathLike[str], key: str | None = None) -> tuple[dict[str, Any], list[Finding]]:
    """The scenario of an MJCF file as a dictionary, and what of the file has no counterpart.

    Its actuators are drives with the constant inputs of a keyframe (key: its name; None: the first, if there is one), the
    keyframe is the initial state, gravcomp are loads. Duration and output are the caller's to change.
    """
    from . import _full

    pieces, lost = _full.mjcf_scenario(os.fspath(path), os.path.abspath(path), key)
    return _document.load(b"".join(pieces), os.fspath(path)), [Finding(**d) for d in lost]


def _address(drive: Any) -> tuple[int, int] | None:
    """Address and context of a compiled function, or None: a callable of Python."""
    if isinstance(drive, tuple) and len(drive) == 2:
        found = _address(drive[0])
        if found is not None:
            return found[0], int(drive[1])
    if isinstance(drive, int) and not isinstance(drive, bool):
        return drive, 0
    address = getattr(drive, "address", None)  # Numba's cfunc
    if isinstance(address, int):
        return address, 0
    kind = type(drive)
    if any(base.__module__ == "_ctypes" for base in kind.__mro__):
        import ctypes

        return ctypes.cast(drive, ctypes.c_void_p).value or 0, 0
    if kind.__module__ == "_cffi_backend":
        cffi = importlib.import_module("cffi")
        return int(cffi.FFI().cast("uintptr_t", drive)), 0
    return None


def _drive(name: str, drive: Any) -> tuple[str, Any, int, int]:
    found = _address(drive)
    if found is not None:
        if found[0] == 0:
            raise ValueError(f"drive {name!r}: expected the address of a function, found 0")
        return name, None, *found
    if not callable(drive):
        raise TypeError(f"drive {name!r}: expected a callable f(t, q, v) or the address of a function, found {drive!r}")
    return name, drive, 0, 0


def _watching(told: Callable[[Progress], bool | None]) -> Callable[..., bool | None]:
    """A callable for _full, which tells the last row and channels at the end."""
    slices: list[tuple[str, int, int]] = []

    def show(*x: Any) -> bool | None:
        *facts, row, channels = x
        if row is None:
            return told(Progress(*facts))
        if not slices:
            first = 0
            for channel in channels:
                slices.append((channel["name"], first, first + channel["width"]))
                first += channel["width"]
        return told(Progress(*facts)._replace(values={name: row[a:b] for name, a, b in slices}))

    return show


def print_progress(p: Progress) -> None:
    """A line on standard error that says how far a run is."""
    done = (p.t - p.start) / (p.end - p.start) if p.end > p.start else 1.0
    last = "\n" if p.t >= p.end else ""
    print(f"\rt = {p.t:.6g} of {p.end:.6g} s ({100 * done:.0f} %), {p.steps} steps ", end=last, file=sys.stderr, flush=True)


def simulate(
    scenario: Scenario | str | os.PathLike[str] | Mapping[str, Any],
    output: str | os.PathLike[str] | None = None,
    *,
    changes: Mapping[str, Any] | None = None,
    drives: Mapping[str, Any] | None = None,
    progress: Callable[[Progress], bool | None] | bool | None = None,
    interval: float = 0.1,
    keep: bool = True,
    resume: bool = False,
    restart: bool = False,
    checkpoint: float = 0.0,
    accept_energy_error: bool = False,
) -> Run:
    """Runs a scenario: a Scenario, a file, or a dictionary.

    output: the recording, .h5 or .csv; None: it stays in memory (keep=False: nowhere). drives: what the drives of type
    function are: {name: f}, f(t, q, v) -> forces (of the drive's degrees of freedom; None: zero), with t in s, q (nq)
    and v (nv), which are the same read-only arrays at every call; or the address of a compiled function
    int f(void *context, double t, const double *q, const double *v, double *force), as an int, a function of ctypes,
    cffi or Numba's cfunc, or (address, context). What a controller raises ends the run and is raised here.
    progress: called with a Progress at the start, the end and every `interval` s of the clock in between, False stops
    the run; True prints a line, zveno.Live("q") shows curves in a notebook. Ctrl-C stops as well; other threads of Python run meanwhile. resume: goes on from the
    checkpoint beside output; restart: begins anew where there is one; checkpoint: s between them.
    Raised exceptions have .run, the Run as far as it came, or None.
    """
    from . import _full

    if not isinstance(scenario, Scenario):
        scenario = Scenario(scenario, changes=changes)
    elif changes:
        raise TypeError("changes: expected a file or a dictionary to change, found a Scenario, which is constant")
    told = print_progress if progress is True else progress or None
    show = None if told is None else _watching(told)
    own = [_drive(name, drive) for name, drive in (drives or {}).items()]
    summary, failure, _ = _full.simulate(
        scenario._scenario, None if output is None else os.fspath(output), resume, restart, checkpoint, "zveno.simulate",
        accept_energy_error, keep and output is None, show, interval, own, bool(getattr(told, "wants_rows", False)),
    )  # fmt: skip
    run = None if summary is None else Run(scenario, summary, scenario._scenario.sizes)
    if failure is not None:
        failure.run = run
        raise failure
    assert run is not None
    return run


class IntegrationMethod(NamedTuple):
    """A method of integration that scenarios name."""

    name: str
    implicit: bool
    structural: bool
    least_order: int
    greatest_order: int
    about: str
    source: str


def integration_methods() -> list[IntegrationMethod]:
    """The methods of integration of this build; the first is the default."""
    from . import _full

    return [IntegrationMethod(*row) for row in _full.integration_methods()]
