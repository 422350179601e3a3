"""Small motions and states of rest, several assemblies of closed loops, equations in independent coordinates."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._errors import DegradedWarning

Array = NDArray[np.float64]


class Modes(NamedTuple):
    """Modes in order of frequency, k of them."""

    frequency: Array  # (k) undamped natural frequency |eigenvalue|, rad/s; 0: rigid motions
    damping: Array  # (k) ratio; 1 and more: no oscillation, -1: unstable
    eigenvalue: NDArray[np.complex128]  # (k) 1/s
    shapes: Array  # (k, nv), of motors too: (k, 2 nv); shape M shape = 1 for undamped modes

    @property
    def hertz(self) -> Array:
        """Natural frequencies, Hz."""
        return self.frequency / (2 * np.pi)


class Linear(NamedTuple):
    """M dv/dt + C dx/dt + K x = 0 for small departures x, (nv, nv) each."""

    M: Array
    C: Array
    K: Array


class Reduced(NamedTuple):
    """Equations in n independent coordinates: v = P v_r, a = P a_r + gamma, D a_r + C v_r + G = P^T tau."""

    independent: tuple[int, ...]  # indices into v, rising
    P: Array  # (nv, n)
    gamma: Array  # (nv)
    D: Array  # (n, n)
    C: Array  # (n, n): dD/dt - 2 C is skew
    G: Array  # (n): gravity and elastic forces
    q: Array  # (nq): where the loops are closed, if that was asked for
    a: Array | None  # (nv), with tau: accelerations,
    lam: Array | None  # (rows) and multipliers of the loops


class AgreeMethod(NamedTuple):
    """How a method did beside the others of its question."""

    name: str
    why: str | None  # why it was not asked; None: it was
    answered: int  # states
    ulps: float  # largest distance from the median of all methods, in spacings of doubles, and as ratio
    ratio: float
    seconds: float  # of one call; 0: not timed


class AgreeQuestion(NamedTuple):
    """Answers of one question by all methods: the largest spread of them."""

    name: str
    meaning: str
    agrees: bool
    compared: int  # states
    singular: int  # states at which all agreed that there is no answer
    ulps: float
    ratio: float  # spread / (depth eps error scale)
    worst: int  # state of that ratio, from 0; -1: none
    methods: list[AgreeMethod]


class Agreement(NamedTuple):
    """A certificate: whether all methods answer alike for a robot."""

    holds: bool
    samples: int  # states compared
    depth: int  # bodies on the longest path
    condition: float  # largest |M| |M^-1|, 1-norm; 0: never regular
    questions: list[AgreeQuestion]

    def question(self, name: str) -> AgreeQuestion:
        """The question of that name: "mass", "forward", ..."""
        found = {q.name: q for q in self.questions}
        if name not in found:
            raise KeyError(f"question: expected one of {', '.join(found)}, found {name!r}")
        return found[name]


def freedoms(robot: Any, names: Any, what: str) -> NDArray[np.bool_] | None:
    """(nv) truths of degrees of freedom: told as such, or by names of joints, of entries of v, and numbers."""
    if names is None:
        return None
    if not isinstance(names, (str, int)):
        names = list(names)
        if len(names) == robot.nv and all(isinstance(x, (bool, np.bool_)) for x in names):
            return np.array(names, bool)
    chosen = np.zeros(robot.nv, bool)
    for name in [names] if isinstance(names, (str, int)) else names:
        if isinstance(name, (int, np.integer)) and not isinstance(name, (bool, np.bool_)):
            if not 0 <= name < robot.nv:
                raise IndexError(f"{what}: expected 0 to {robot.nv - 1}, found {name}")
            chosen[name] = True
        elif name in robot.v_names:
            chosen[robot.v_names.index(name)] = True
        else:
            joint = robot.joint(name)
            chosen[joint.v_index : joint.v_index + joint.nv] = True
    return chosen


class Analysis(_core.Robot):
    """What robots can be asked about one state that needs eigenvalues, iterations or several answers."""

    def _rest(
        self,
        q: ArrayLike | None,
        joints: str,
        held: Any,
        v: ArrayLike | None,
        stiffness: ArrayLike | None,
        relaxed: ArrayLike | None,
        damping: ArrayLike | None,
        tau: ArrayLike | None,
        theta: ArrayLike | None,
        loads: Mapping[Any, ArrayLike] | None,
    ) -> dict[str, Any]:
        """What zvRest has, for _full."""
        from . import _full

        if joints not in ("sprung", "locked", "free"):
            raise ValueError(f'joints: expected "sprung", "locked" or "free", found {joints!r}')
        springs = _full.joint_springs(self)
        still = freedoms(self, held, "held")
        if joints == "locked":
            still = springs[3] if still is None else still | springs[3]
        sprung = joints == "sprung"
        return {
            "q": self.neutral() if q is None else q,
            "v": v,
            "held": still,
            "stiffness": springs[0] if sprung and stiffness is None else stiffness,
            "relaxed": springs[1] if sprung and relaxed is None else relaxed,
            "damping": springs[2] if sprung and damping is None else damping,
            "matrices": sprung,
            "tau": tau,
            "theta": theta,
            "loads": [(frame, wrench) for frame, wrench in (loads or {}).items()],
        }

    def modes(
        self,
        q: ArrayLike | None = None,
        *,
        joints: str = "sprung",
        held: ArrayLike | Iterable[str | int] | None = None,
        v: ArrayLike | None = None,
        stiffness: ArrayLike | None = None,
        relaxed: ArrayLike | None = None,
        damping: ArrayLike | None = None,
        tau: ArrayLike | None = None,
        theta: ArrayLike | None = None,
        loads: Mapping[Any, ArrayLike] | None = None,
        motors: bool | str = False,
        locked: ArrayLike | Iterable[str | int] | None = None,
    ) -> Modes:
        """Natural frequencies, damping and shapes of small motions about a state, of what closed loops leave free.

        q (nq): the state, the neutral position if left out; v (nv): a steady motion. joints: "sprung": springs and
        dampers of the joints act as the file has them (stiffness, relaxed, damping, (nv) each, take their place; none:
        the joints are free); "locked": the joints do not move, elastic links do; "free": neither. held: degrees of
        freedom that do not move, names, numbers or (nv) truths. tau (nv): constant forces. loads: {frame: force and
        moment (6), world axes}, which follow their frames without turning. theta (nv): flexible joints act, their
        motors locked here. motors: True or "free": these are freedoms of their own, but those that locked names;
        "locked": they stand where their gears carry tau; False or "none": as theta says. Forces that the state does not balance are taken as balanced by constant ones. Give q = robot.equilibrium(...) otherwise.
        """
        from . import _full

        rest = self._rest(q, joints, held, v, stiffness, relaxed, damping, tau, theta, loads)
        words = {True: True, "free": True, "locked": False, False: False, "none": False}
        if motors not in words:
            raise ValueError(f'motors: expected True, False, "free", "locked" or "none", found {motors!r}')
        if motors not in (False, "none") and rest["theta"] is None:
            rest["theta"] = self.gear_rest(np.asarray(rest["q"], float), tau)
        stop = freedoms(self, locked, "locked")
        frequency, ratio, real, imag, shapes = _full.modes(self, rest, words[motors], stop)
        return Modes(frequency, ratio, real + 1j * imag, shapes)

    def linearize(
        self,
        q: ArrayLike | None = None,
        *,
        joints: str = "sprung",
        held: ArrayLike | Iterable[str | int] | None = None,
        v: ArrayLike | None = None,
        stiffness: ArrayLike | None = None,
        relaxed: ArrayLike | None = None,
        damping: ArrayLike | None = None,
        tau: ArrayLike | None = None,
        theta: ArrayLike | None = None,
        loads: Mapping[Any, ArrayLike] | None = None,
    ) -> Linear:
        """M, C, K (nv, nv) of small motions of the spanning tree about a state; arguments as those of modes."""
        from . import _full

        rest = self._rest(q, joints, held, v, stiffness, relaxed, damping, tau, theta, loads)
        return Linear(*_full.linearize(self, rest))

    def equilibrium(
        self,
        q: ArrayLike | None = None,
        *,
        joints: str = "sprung",
        held: ArrayLike | Iterable[str | int] | None = None,
        v: ArrayLike | None = None,
        stiffness: ArrayLike | None = None,
        relaxed: ArrayLike | None = None,
        damping: ArrayLike | None = None,
        tau: ArrayLike | None = None,
        theta: ArrayLike | None = None,
        loads: Mapping[Any, ArrayLike] | None = None,
        steps: int = 1,
    ) -> Array:
        """The position (nq) of rest, stable or not, that Newton's iteration finds from q; arguments as those of modes.

        With v: relative equilibrium, as of a beam that spins. Loads and tau are applied in `steps` equal parts.
        """
        from . import _full

        rest = self._rest(q, joints, held, v, stiffness, relaxed, damping, tau, theta, loads)
        answer: Array = _full.equilibrium(self, rest, steps)
        return answer

    def agree(
        self,
        samples: int = 100,
        *,
        seed: int = 1,
        factor: float = 32.0,
        seconds: float = 0.0,
        timing: float = 0.0,
        generated: bool = False,
        progress: Callable[[int, int, float], bool | None] | None = None,
    ) -> Agreement:
        """Asks every method of every question about random states, and compares the answers.

        They agree when no difference is above `factor` times what rounding explains. seconds: no state is begun that
        would end later (0: no limit); timing: s spent on timing each method; generated: also the programs that codegen
        would write. progress(samples, done, elapsed): False stops; what was compared so far counts.
        """
        from . import _full

        told = _full.agree(self, generated, samples, seed, factor, seconds, timing, progress)
        questions = [AgreeQuestion(*q)._replace(methods=[AgreeMethod(*m) for m in q[-1]]) for q in told[4]]
        return Agreement(*told[:4], questions)

    def map(
        self,
        q: ArrayLike,
        show: Iterable[str] = ("f1",),
        *,
        v: ArrayLike | None = None,
        frame: str | int | None = None,
        joints: str = "sprung",
        held: ArrayLike | Iterable[str | int] | None = None,
        stiffness: ArrayLike | None = None,
        relaxed: ArrayLike | None = None,
        damping: ArrayLike | None = None,
        equilibrium: bool = False,
        threads: int = 0,
    ) -> dict[str, Array]:
        """Values of many poses q (..., nq), an array (...) for each word of show, NaN where there is none.

        Words: "f1", "f2", ... natural frequencies without rigid motions, Hz; "zeta1", ... their damping; of frame:
        "stiffness" in its softest direction, N/m, "manipulability", "manipulability-xyz", "x", "y", "z"; "gravity-torque"
        the largest of the joints, "gravity-torque.NAME". joints, held and springs as those of modes; equilibrium: about
        the state of rest near each pose; threads: 0: as many as there are processors.
        """
        from . import _full

        own: Any = self  # a robot, with its parts
        poses = np.asarray(q, float)
        if poses.ndim < 1 or poses.shape[-1] != self.nq:
            raise ValueError(f"q: expected shape (..., {self.nq}), found {poses.shape}")
        rates = None if v is None else np.broadcast_to(np.asarray(v, float), (*poses.shape[:-1], self.nv))
        words = list(show)
        kinds = {"stiffness": 2, "manipulability": 3, "manipulability-xyz": 4, "x": 6, "y": 6, "z": 6}
        wanted = []
        for word in words:
            number = word.lstrip("fzeta")
            if word in kinds:
                if frame is None:
                    raise ValueError(f"frame: expected one for {word!r}, found none")
                wanted.append((kinds[word], "xyz".index(word) if word in "xyz" else 0))
            elif word == "gravity-torque":
                wanted.append((5, -1))
            elif word.startswith("gravity-torque."):
                if word[15:] not in own.v_names:
                    raise ValueError(f"show: expected one of {', '.join(own.v_names)} in {word!r}, found {word[15:]!r}")
                wanted.append((5, own.v_names.index(word[15:])))
            elif word in (f"f{number}", f"zeta{number}") and number.isdigit() and int(number) > 0:
                wanted.append((int(word[0] == "z"), int(number) - 1))
            else:
                raise ValueError(f"show: expected f1, zeta1, gravity-torque or one of {', '.join(kinds)}, found {word!r}")
        rest = self._rest(None, joints, held, None, stiffness, relaxed, damping, None, None, None)
        at = -1 if frame is None else frame if isinstance(frame, int) else own.frame(frame).index
        values, _ = _full.map_poses(
            self, np.ascontiguousarray(poses.reshape(-1, self.nq)),
            None if rates is None else np.ascontiguousarray(rates.reshape(-1, self.nv)), rest.get("held"),
            rest.get("stiffness"), rest.get("relaxed"), rest.get("damping"), wanted, at, equilibrium, threads,
        )  # fmt: skip
        return {word: values[:, k].reshape(poses.shape[:-1]) for k, word in enumerate(words)}

    def assemblies(
        self,
        q: ArrayLike | None = None,
        *,
        held: ArrayLike | Iterable[str | int] | None = None,
        guesses: int = 64,
        most: int = 16,
    ) -> Array:
        """Different positions (count, nq) that close the loops, by Newton's iteration from q and fresh guesses.

        held: degrees of freedom that keep their values of q; most: so many answers are enough.
        """
        from . import _full

        position = self.neutral() if q is None else q
        answer: Array = _full.assemblies(self, position, freedoms(self, held, "held"), guesses, most)
        return answer

    def reduce(
        self,
        q: ArrayLike,
        v: ArrayLike | None = None,
        *,
        tau: ArrayLike | None = None,
        independent: ArrayLike | Iterable[str | int] | None = None,
        close: bool = False,
    ) -> Reduced:
        """The equations of a robot with closed loops in its independent coordinates at q (nq), v (nv).

        independent: degrees of freedom that shall be independent if they can, others are chosen by pivoting. close:
        moves the dependent coordinates until the loops are closed. tau (nv): also accelerations and multipliers.
        """
        from . import _full

        status, *answers, forces = _full.reduce(self, q, v, freedoms(self, independent, "independent"), tau, close)
        if status > 0:
            warnings.warn(
                "reduce: conditions repeat each other, or some that were wanted cannot be independent",
                DegradedWarning,
                stacklevel=2,
            )
        return Reduced(*answers, *forces)
