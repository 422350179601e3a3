"""Simulations in the program's own loop: advanced piece by piece, looked at and changed in between."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .recordings import Channel, _channel
from .robot import Robot
from .simulation import OwnDrive, Progress, Run, Scenario, _drive, _watching, print_progress

Array = NDArray[np.float64]


def _of_robot(robot: Robot, duration: float, q: ArrayLike | None, v: ArrayLike | None) -> dict[str, Any]:
    """A scenario of a robot whose joints are pushed by the drive "tau"."""
    pushed = [j.name for j in robot.joints if j.nv and j.type not in ("free", "spherical")]
    own = [{"type": "function", "name": "tau", "joints": pushed}] if pushed else []
    given = {name: np.asarray(x, float).tolist() for name, x in (("q", q), ("v", v)) if x is not None}
    output = {"channels": ["q", "v", "a", "tau", "energy"]}
    return {"model": robot, "duration": duration, "initial": given, "drives": own, "output": output}


class Simulation:
    """A run that the program advances: a Scenario, a file, a dictionary with its keys, or a robot.

    Of a robot all joints but free and spherical ones are pushed by one drive, "tau", and there are `duration` s of time.
    q (nq), v (nv): the state to begin with, else that of the scenario. drives, output, progress, keep, resume, restart,
    checkpoint: as in zveno.simulate, but a drive of type function that `drives` does not name takes the forces of push.
    One thread at a time uses it; others run meanwhile.

    What it raises has .run, the Run as far as it came; after that it does not go on.
    """

    def __init__(
        self,
        scenario: Scenario | Robot | str | os.PathLike[str] | Mapping[str, Any],
        output: str | os.PathLike[str] | None = None,
        *,
        q: ArrayLike | None = None,
        v: ArrayLike | None = None,
        duration: float = 1000.0,
        changes: Mapping[str, Any] | None = None,
        drives: Mapping[str, Any] | None = None,
        progress: Callable[[Progress], bool | None] | bool | None = None,
        interval: float = 0.1,
        keep: bool = False,
        resume: bool = False,
        restart: bool = False,
        checkpoint: float = 0.0,
        accept_energy_error: bool = False,
    ) -> None:
        from . import _full

        if isinstance(scenario, Robot):
            scenario = Scenario(_of_robot(scenario, duration, q, v), changes=changes)
            q = v = None
        elif not isinstance(scenario, Scenario):
            scenario = Scenario(scenario, changes=changes)
        elif changes:
            raise TypeError("changes: expected a file or a dictionary to change, found a Scenario, which is constant")
        self.scenario = scenario
        told = print_progress if progress is True else progress or None
        own = [_drive(name, drive) for name, drive in (drives or {}).items()]
        self._simulation = _full.Simulation(
            scenario._scenario, None if output is None else os.fspath(output), resume, restart, checkpoint,
            "zveno.Simulation", accept_energy_error, keep and output is None, None if told is None else _watching(told),
            interval, own, bool(getattr(told, "wants_rows", False)),
        )  # fmt: skip
        self.channels: tuple[Channel, ...] = tuple(_channel(c) for c in self._simulation.channels() or [])
        self._place: dict[str, slice] = {}
        first = 0
        for channel in self.channels:
            self._place[channel.name] = slice(first, first + channel.width)
            first += channel.width
        if q is not None or v is not None:
            self.set_state(q, v)

    @property
    def t(self) -> float:
        """Simulated time, s."""
        return self._simulation.t

    @property
    def over(self) -> bool:
        """It came to its end or to an event that stops, failed, or is finished."""
        return self._simulation.over

    @property
    def q(self) -> Array:
        """(nq) where it is: rad, m, entries of quaternions."""
        return self._simulation.state()[0]

    @property
    def v(self) -> Array:
        """(nv) rad/s, m/s."""
        return self._simulation.state()[1]

    @property
    def states(self) -> Array:
        """States of the drives: motors of flexible joints, integrals of controllers."""
        return self._simulation.state()[2]

    @property
    def drives(self) -> tuple[OwnDrive, ...]:
        """The drives of type function: names, degrees of freedom, intervals."""
        return self.scenario.functions

    def set_state(self, q: ArrayLike | None = None, v: ArrayLike | None = None, states: ArrayLike | None = None) -> None:
        """Goes on from q (nq), v (nv) and states of the drives; None: as it stands.

        Quaternions are normalised, joints that follow laws keep to them, loops are closed; the energy that comes in
        counts as that of impacts. What is refused changes nothing.
        """
        self._simulation.set_state(q, v, states)

    def push(self, forces: ArrayLike, drive: str | None = None) -> None:
        """Forces (N m, N) of a drive of type function, in the order of its degrees of freedom, from now on.

        drive: its name, None: the first. One with an interval takes them at its next sample. At the start they are zero.
        """
        self._simulation.push(drive, np.atleast_1d(np.asarray(forces, float)))

    def advance(self, t: float) -> bool:
        """To time t (s), the end, or an event that stops, whichever is first; False: progress stopped it on the way.

        The last step ends at t; a method with fixed steps goes on on its grid. A t that has passed changes nothing.
        """
        failure = self._simulation.advance(t)
        if failure is not None:
            failure.run = self.summary()
            raise failure
        return self.over or self.t >= t

    def step(self, dt: float, forces: ArrayLike | None = None) -> bool:
        """Advances by dt (s), after a push of `forces` if there are any."""
        if forces is not None:
            self.push(forces)
        return self.advance(self.t + dt)

    def __getitem__(self, channel: str) -> Array:
        """The numbers (width) of a channel of the scenario's output now: simulation["energy"]; units in channels."""
        if channel not in self._place:
            raise KeyError(f"channel: expected one of {', '.join(self._place)}, found {channel!r}")
        return self._simulation.row()[self._place[channel]]

    def summary(self) -> Run:
        """What it has come to until now: statistics, events, ledger, warnings."""
        return Run(self.scenario, self._simulation.summary(), self.scenario._scenario.sizes)

    def finish(self) -> Run:
        """Ends it, and gives the run with its recording, if one was written or kept; energies are judged."""
        summary, failure = self._simulation.finish()
        run = None if summary is None else Run(self.scenario, summary, self.scenario._scenario.sizes)
        if failure is not None:
            failure.run = run
            raise failure
        assert run is not None
        return run

    def __repr__(self) -> str:
        return f"<zveno.Simulation {self.scenario.title!r}: t = {self.t:g} s of {self.scenario.duration:g} s>"
