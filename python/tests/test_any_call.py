"""What is not a question of arrays takes anything as well: an answer, or a sentence.

ZVENO_EXAMPLES=10000 asks that often (./dev test-python --soak).
"""

from __future__ import annotations

import os
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zveno
from conftest import robot
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_simulation import OWN, SWING

EXAMPLES = int(os.environ.get("ZVENO_EXAMPLES", "300"))
often = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), database=None)
seldom = settings(often, max_examples=max(EXAMPLES // 10, 20))
ROBOTS = [robot(name) for name in ("two_link", "joints_zoo", "five_bar", "flexible_arm", "two_link_geared")]
EXPECTED = (TypeError, ValueError, KeyError, IndexError, MemoryError, OverflowError, OSError, zveno.Error)

numbers = st.one_of(st.integers(-3, 20), st.floats(), st.sampled_from([1e300, -0.0, 5e-324, 2**70]))
words = st.one_of(st.text(max_size=8), st.sampled_from(["joint1", "mass", "inverse", "all", "q", "free", "locked", "\0", "ж"]))
plain = st.one_of(st.none(), st.booleans(), numbers, words, st.binary(max_size=4))
anything = st.recursive(plain, lambda x: st.one_of(st.lists(x, max_size=9), st.dictionaries(words, x, max_size=3)), max_leaves=12)


def of_size(own: zveno.Robot) -> st.SearchStrategy[Any]:
    """Arrays as they should be, or nearly."""
    sizes = st.sampled_from([own.nq, own.nv, own.nv + 1, 0, 6])
    number = st.one_of(st.floats(-3, 3), st.sampled_from([0.0, np.nan, np.inf, 1e300]))
    return sizes.flatmap(lambda n: st.lists(number, min_size=n, max_size=n)).map(lambda x: np.array(x, float))


def ask(call: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            with np.errstate(all="ignore"):
                call()
        except EXPECTED as error:
            assert str(error) and "internal" not in str(error).lower()


OPTIONS = ["v", "stiffness", "relaxed", "damping", "tau", "theta"]


@often
@given(st.data())
def test_analysis(data: st.DataObject) -> None:
    own = data.draw(st.sampled_from(ROBOTS))
    array = st.one_of(of_size(own), of_size(own), anything)
    name = data.draw(st.sampled_from(["modes", "linearize", "equilibrium", "assemblies", "reduce"]))
    given_q = data.draw(st.one_of(array, st.none()))
    options: dict[str, Any] = {}
    if name in ("modes", "linearize", "equilibrium"):
        for key in data.draw(st.lists(st.sampled_from(OPTIONS), max_size=2, unique=True)):
            options[key] = data.draw(array)
        options["joints"] = data.draw(st.one_of(st.sampled_from(["sprung", "locked", "free"]), plain))
        options["held"] = data.draw(st.one_of(st.none(), anything, st.lists(st.booleans(), min_size=own.nv, max_size=own.nv)))
        options["loads"] = data.draw(st.one_of(st.none(), st.dictionaries(st.one_of(words, st.integers(-1, 5)), array, max_size=2)))
    if name == "equilibrium":
        options["steps"] = data.draw(st.one_of(st.integers(-1, 3), plain))
    if name == "modes":
        options["motors"] = data.draw(st.booleans())
        options["locked"] = data.draw(st.one_of(st.none(), anything))
    if name == "assemblies":
        options = {"guesses": data.draw(st.one_of(st.integers(-1, 5), plain)), "most": data.draw(st.one_of(st.integers(-1, 5), plain))}
        options["held"] = data.draw(st.one_of(st.none(), anything))
    if name == "reduce":
        options = {"tau": data.draw(array), "independent": data.draw(st.one_of(st.none(), anything)), "close": data.draw(st.booleans())}
    ask(lambda: getattr(own, name)(given_q, **options))


@seldom
@given(st.data())
def test_code(data: st.DataObject) -> None:
    own = data.draw(st.sampled_from(ROBOTS[:3]))
    functions = st.one_of(st.lists(st.sampled_from(zveno.generated_functions()), max_size=3), anything)
    ask(lambda: own.count(data.draw(words), data.draw(words), fold=data.draw(st.booleans())))
    ask(lambda: own.count_generated(data.draw(st.sampled_from(["inverse", "pose", "x"])), data.draw(plain)))
    options = {
        "language": data.draw(st.one_of(st.sampled_from(["c", "c", "latex", "maxima", "sympy"]), plain)),
        "name": data.draw(st.one_of(st.none(), words)),
        "frame": data.draw(st.one_of(st.none(), plain)),
        "lanes": data.draw(st.one_of(st.sampled_from([0, 4, 8]), st.integers(-9, 99))),
        "passive": data.draw(st.booleans()),
        "smoothing": data.draw(st.one_of(st.none(), st.floats())),
        "symbols": data.draw(st.one_of(st.none(), words)),
        "flexible": data.draw(st.one_of(st.none(), anything)),
        "independent": data.draw(st.one_of(st.none(), anything)),
    }
    ask(lambda: own.codegen(data.draw(functions), **options))


@often
@given(st.data())
def test_scenarios(data: st.DataObject) -> None:
    key = data.draw(st.sampled_from(["model", "duration", "initial", "drives", "events", "integrator", "output", "start", "joints", "loads"]))
    scenario = {**OWN, "duration": 0.05, key: data.draw(anything)}
    changes = data.draw(st.dictionaries(st.one_of(words, st.sampled_from(["duration", "drives.0.interval"])), plain, max_size=2))
    ask(lambda: zveno.Scenario(scenario, changes=changes))


@seldom
@given(st.data())
def test_controllers(data: st.DataObject) -> None:
    answers = data.draw(st.lists(st.one_of(anything, st.floats(-1, 1).map(np.array), of_size(ROBOTS[0])), min_size=1, max_size=4))
    calls = [0]

    def mine(t: float, q: np.ndarray, v: np.ndarray) -> Any:
        calls[0] += 1
        if calls[0] > 2000:  # a force that is no function of the state may ask for any number of steps
            raise OverflowError("enough")
        return answers[calls[0] % len(answers)]

    drive = data.draw(st.sampled_from([{}, {"interval": 0.004}]))
    scenario = {**SWING, "duration": 0.02, "drives": [{"type": "function", "name": "mine", "joint": "pivot", **drive}]}
    ask(lambda: zveno.simulate(scenario, drives={"mine": mine}))
    ask(lambda: zveno.simulate(scenario, drives=data.draw(st.dictionaries(words, st.one_of(st.none(), words, st.floats()), max_size=2))))


@seldom
@given(st.data())
def test_recordings(data: st.DataObject) -> None:
    rows = data.draw(st.integers(0, 5))
    channel = st.one_of(st.just(np.zeros(rows)), st.just(np.ones((rows, 3))), anything)
    channels = data.draw(st.dictionaries(st.one_of(words, st.just("time")), channel, max_size=3))
    options = {name: data.draw(st.one_of(st.none(), st.dictionaries(st.sampled_from(["time", "q", "all"]), st.one_of(anything, st.just(["a", "b", "c"])), max_size=2))) for name in ("units", "labels", "about")}
    notes = data.draw(st.one_of(st.none(), st.dictionaries(words, plain, max_size=2)))
    events = data.draw(st.one_of(st.none(), st.lists(anything, max_size=2)))
    folder = _FOLDERS[0]
    suffix = data.draw(st.sampled_from(["csv", "csv", "h5", "txt"]))

    def write() -> None:
        with zveno.write_recording(folder / f"any.{suffix}", channels, notes=notes, events=events, **options)._lock:
            pass

    ask(write)


@often
@given(st.data())
def test_laws(data: st.DataObject) -> None:
    """Laws and routes of anything, at any times."""
    vector = st.one_of(numbers, st.lists(st.floats(-3, 3), min_size=1, max_size=3), anything)
    rows = st.one_of(vector, st.lists(st.lists(st.floats(-2, 2), min_size=2, max_size=2), min_size=1, max_size=4))
    name = data.draw(st.sampled_from(["constant", "polynomial", "boundary", "cubic", "septic", "cycloidal", "trapezoidal", "harmonic", "exponential", "spline", "hermite", "table", "sequence", "total", "join", "line", "arc", "lead"]))
    law = zveno.motion.quintic([0, 1], [1, 0], 1)
    parts = data.draw(st.lists(st.sampled_from([law, zveno.motion.constant([2, 3]), zveno.motion.constant(1)]), max_size=3))
    times = sorted(data.draw(st.lists(st.floats(-5, 5), min_size=1, max_size=4)))
    pose = st.one_of(st.just(np.eye(4)), st.just(np.zeros((4, 4))), vector)
    one = zveno.motion.cubic(0, 1, data.draw(st.floats(0.1, 3)))
    arguments: list[Any] = {
        "constant": lambda: [data.draw(vector)], "polynomial": lambda: [data.draw(rows), data.draw(numbers)],
        "boundary": lambda: [data.draw(rows), data.draw(rows), data.draw(numbers)],
        "spline": lambda: [times, data.draw(rows), data.draw(st.sampled_from(["natural", "clamped", "periodic", "x"]))],
        "hermite": lambda: [times, data.draw(rows), data.draw(rows), data.draw(rows)], "table": lambda: [times, data.draw(rows)],
        "sequence": lambda: [parts, data.draw(vector)], "total": lambda: parts, "join": lambda: parts,
        "line": lambda: [data.draw(pose), data.draw(pose), one],
        "arc": lambda: [data.draw(pose), data.draw(vector), data.draw(vector), data.draw(numbers), one],
        "lead": lambda: [data.draw(st.sampled_from([None, law, zveno.motion.constant([1, 2, 3])]))],
    }.get(name, lambda: [data.draw(vector), data.draw(vector), data.draw(vector), data.draw(numbers)])()  # fmt: skip

    def made() -> None:
        x = getattr(zveno.motion, name)(*arguments)
        x.at(data.draw(st.one_of(st.floats(), st.lists(st.floats(), max_size=3), anything)))
        x.next_break(data.draw(numbers))

    ask(made)


@seldom
@given(st.data())
def test_simulations(data: st.DataObject) -> None:
    """Whatever is done with a simulation between its steps."""
    scenario = {**OWN, "duration": 0.2, "integrator": {"method": data.draw(st.sampled_from(["rk4", "adams", "erk", "euler"]))}}
    simulation = zveno.Simulation(scenario, keep=data.draw(st.booleans()))
    array = st.one_of(st.floats(-2, 2), of_size(simulation.scenario.robot), anything)
    for word in data.draw(st.lists(st.sampled_from(["step", "push", "set", "row", "summary", "finish", "advance"]), max_size=8)):
        ask(
            lambda: {
                "step": lambda: simulation.step(data.draw(st.floats(-0.1, 0.1)), data.draw(st.one_of(st.none(), array))),
                "push": lambda: simulation.push(data.draw(array), data.draw(st.one_of(st.none(), words))),
                "set": lambda: simulation.set_state(data.draw(array), data.draw(st.one_of(st.none(), array))),
                "row": lambda: simulation[data.draw(words)], "summary": simulation.summary, "finish": simulation.finish,
                "advance": lambda: simulation.advance(data.draw(st.one_of(st.floats(), anything))),
            }[word]()
        )  # fmt: skip


_FOLDERS: list[Path] = []


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> None:
    _FOLDERS[:] = [tmp_path]
