"""Every question takes anything: answers of the right shape, which are those of plain arrays state by state, or a sentence.

ZVENO_EXAMPLES=100000 asks that often (./dev test-python --soak).
"""

from __future__ import annotations

import copy
import inspect
import os
import pickle
import re
import threading
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import zveno
from conftest import robot, states
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

EXAMPLES = int(os.environ.get("ZVENO_EXAMPLES", "300"))
often = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), database=None)
ROBOTS = [robot(name) for name in ("cobot7", "quadruped", "joints_zoo", "delta", "flexible_arm")]
EXPECTED = (TypeError, ValueError, KeyError, IndexError, MemoryError, OverflowError, zveno.Error)


class Question:
    """What the docstring of a method tells: arguments, and the letters of their shapes."""

    def __init__(self, name: str) -> None:
        self.name = name
        method = getattr(zveno.Robot, name)
        self.arguments = [p for p in inspect.signature(method).parameters if p not in ("self", "out", "status")]
        takes, _, gives = (method.__doc__ or "").partition("\nGives ")
        shapes = r"(\w+) \(\.\.\.((?:, [\w.]+)*)\)"
        self.takes = {name: own.split(", ")[1:] for name, own in re.findall(shapes, takes)}
        self.gives = [own.split(", ")[1:] for _, own in re.findall(shapes, gives)]


QUESTIONS = [
    Question(name) for name, method in sorted(vars(zveno._core.Robot).items()) if "\nGives " in (method.__doc__ or "")  # type: ignore[attr-defined]
]


def sizes(own: zveno.Robot) -> dict[str, int]:
    return {"nq": own.nq, "nv": own.nv, "nlink": own.nlink, "njoint": own.njoint, "nloop": own.nloop, "rows": own.nloop_rows, "m": 6}


def shape_of(letters: list[str], own: zveno.Robot) -> tuple[int, ...] | None:
    """None: it depends on options."""
    known = sizes(own)
    shape = [int(word) if word.isdigit() else known.get(word) for word in letters]
    return None if None in shape else tuple(n for n in shape if n is not None)


# What becomes of an array of the right shape.
def noncontiguous(x: Any, random: Any) -> Any:
    return np.repeat(x, 2, axis=-1)[..., ::2] if x.ndim else x


def unaligned(x: Any, random: Any) -> Any:
    return np.frombuffer(b"\0" + x.tobytes(), np.uint8)[1:].view(x.dtype).reshape(x.shape) if x.size else x


def read_only(x: Any, random: Any) -> Any:
    x.flags.writeable = False
    return x


def special(x: Any, random: Any) -> Any:
    x = x.copy()
    with np.errstate(all="ignore"):
        if x.size and x.dtype.kind == "f":
            x.reshape(-1)[random.integers(x.size)] = random.choice([np.nan, np.inf, -np.inf, 1e300, -0.0, 5e-324])
    return x


LAYOUTS: list[Callable[[Any, Any], Any]] = [
    lambda x, r: x, lambda x, r: np.asfortranarray(x), lambda x, r: x[..., ::-1][..., ::-1], noncontiguous,
    lambda x, r: x.astype(x.dtype.newbyteorder()), unaligned, read_only, lambda x, r: x.tolist(),
    lambda x, r: np.ma.masked_array(x), lambda x, r: memoryview(np.ascontiguousarray(x)),
]  # fmt: skip
TYPES = [np.float64, np.float64, np.float64, np.float32, np.float16, np.int64, np.uint8, np.longdouble]
WRONG: list[Callable[[Any, Any], Any]] = [
    lambda x, r: np.zeros((*x.shape[:-1], x.shape[-1] + 1)) if x.ndim else np.zeros(2),
    lambda x, r: x[..., :-1] if x.ndim else x[None], lambda x, r: x.astype(object), lambda x, r: x.astype(complex),
    lambda x, r: x.astype(str), lambda x, r: "text", lambda x, r: b"\0", lambda x, r: object(), lambda x, r: {}, lambda x, r: None,
    lambda x, r: [[1.0], [1.0, 2.0]], lambda x, r: np.array(1.0), lambda x, r: np.empty((0,) * 20), lambda x, r: np.nan,
    lambda x, r: np.broadcast_to(np.float64(0), (2**42, *x.shape)), lambda x, r: np.datetime64("2020"),
    lambda x, r: np.zeros(x.shape, [("a", float)]), lambda x, r: x.T if x.ndim > 1 else -x, lambda x, r: 10**400,
    lambda x, r: np.broadcast_to(np.float64(0), (3, 1, 0, 2, *x.shape)), special,
]  # fmt: skip
OPTIONS: dict[str, list[Any]] = {
    "frame": [0, "base", -1, 10**30, 1.5, None, "no such frame"], "axes": ["world", "local", "", 3, None],
    "loop": [0, 1, -1, "no such loop", None], "rows": ["full", "position,orientation", "xyz", "x,rz", "", "w", 3, None],
    "method": ["auto", "composite", "articulated", "mass", "no such method", 3, None],
}  # fmt: skip


def right(own: zveno.Robot, name: str, shape: tuple[int, ...], lead: tuple[int, ...], random: Any) -> Any:
    """Numbers that mean something: q near the position of rest, poses that are poses."""
    if name in ("q", "q0", "q_from", "q_to") and shape == (own.nq,):
        return np.array(np.broadcast_to(own.neutral(), (*lead, own.nq)))
    if shape[-2:] == (4, 4):
        return np.array(np.broadcast_to(np.eye(4), (*lead, *shape)))
    if name in ("given", "held", "actuated"):
        return random.integers(0, 3, (*lead, *shape))
    return random.uniform(0 if name == "extra" else -1, 1, (*lead, *shape))


def check_answers(question: Question, own: zveno.Robot, lead: tuple[int, ...], answers: Any) -> None:
    parts = answers if len(question.gives) > 1 else (answers,)
    assert len(parts) == len(question.gives)
    for part, letters in zip(parts, question.gives):
        shape = shape_of(letters, own)
        if letters == ["nlink", "6"] and own.nelastic:  # external forces with those on elastic coordinates
            continue
        if shape is not None:
            assert np.shape(part) == (*lead, *shape), question.name


def ask_anything(which: int, of: int, seed: int) -> None:
    """A question of a robot, with arguments that mean something or nothing."""
    question, own, random = QUESTIONS[which], ROBOTS[of], np.random.default_rng(seed)

    def one_of(list: list[Any]) -> Any:
        return list[random.integers(len(list))]

    lead = tuple(one_of([0, 1, 2, 3, 9]) for _ in range(random.integers(0, 4)))
    wrong = one_of(["", "", *question.arguments, "out", "status"])
    given: dict[str, Any] = {}
    for name in question.arguments:
        shape = shape_of(question.takes[name], own) if name in question.takes else None
        if name in OPTIONS:
            if wrong == name or random.integers(3) == 0 or name in ("frame", "loop", "rows"):
                given[name] = one_of(OPTIONS[name] if wrong == name else OPTIONS[name][:2])
        elif shape is not None and not (random.integers(4) == 0 and name not in ("q", "v")):
            mine = lead[random.integers(len(lead) + 1) :] if lead else ()
            x = right(own, name, shape, mine, random)
            x = x if x.dtype.kind == "i" else x.astype(one_of(TYPES))
            given[name] = one_of(LAYOUTS)(x, random)
            if wrong == name:
                given[name] = one_of(WRONG)(x, random)
    if wrong == "out":
        outs = [np.empty(3), np.empty((*lead, own.nv)), np.empty((*lead, own.nv))[..., ::-1], 3, (), (None,) * len(question.gives),
                read_only(np.empty((*lead, own.nv)), random), np.empty((*lead, own.nv), int), given.get("q"), given.get("v"),
                (np.empty((*lead, own.nv)),) * len(question.gives)]  # fmt: skip
        given["out"] = one_of(outs)
    if wrong == "status":
        given["status"] = one_of([np.empty(lead, np.intc), np.empty(lead), np.empty((*lead, 1), int), 3, "x"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            answers = getattr(own, question.name)(**given)
        except EXPECTED as error:
            assert str(error), f"{question.name}: {error!r} says nothing"
            return
    if not wrong:
        leads = [np.shape(x)[: np.ndim(x) - len(question.takes[k])] for k, x in given.items() if k in question.takes]
        check_answers(question, own, np.broadcast_shapes(*leads), answers)


@often
@given(which=st.integers(0, len(QUESTIONS) - 1), of=st.integers(0, len(ROBOTS) - 1), seed=st.integers(0, 2**32 - 1))
def test_every_question_takes_anything(which: int, of: int, seed: int) -> None:
    ask_anything(which, of, seed)


PLAIN = ["inverse_dynamics", "forward_dynamics", "mass_matrix", "bias", "link_poses", "inverse_derivatives", "momentum", "position_add"]


@often
@given(name=st.sampled_from(PLAIN), seed=st.integers(0, 2**32 - 1))
def test_layouts_and_types_do_not_change_answers(name: str, seed: int) -> None:
    question, own, random = Question(name), ROBOTS[1], np.random.default_rng(seed)
    lead = tuple(random.integers(1, 4, size=random.integers(0, 4)))
    arrays, plain = [], []
    for argument, letters in question.takes.items():
        if argument == "fext":
            continue
        shape = shape_of(letters, own)
        assert shape is not None
        mine = tuple(random.choice([1, n]) for n in lead[random.integers(len(lead) + 1) :])
        x = right(own, argument, shape, mine, random).astype([np.float64, np.float32][random.integers(2)])
        plain.append(np.array(x, float))
        arrays.append(LAYOUTS[random.integers(len(LAYOUTS))](x, random))
    full = np.broadcast_shapes(*(x.shape[:-1] for x in plain))
    found = getattr(own, name)(*arrays)
    found = found if isinstance(found, tuple) else (found,)
    wide = [np.broadcast_to(x, (*full, x.shape[-1])) for x in plain]
    for index in np.ndindex(*full):
        one = getattr(own, name)(*(np.array(x[index]) for x in wide))
        for part, exact in zip(found, one if isinstance(one, tuple) else (one,)):
            scale = max(1.0, float(np.abs(exact).max()))
            tolerance = 2e-3 if part.dtype == np.float32 else 1e-10
            np.testing.assert_allclose(part[index], exact, rtol=0, atol=tolerance * scale)


@pytest.mark.parametrize("name", ["cobot7", "quadruped", "flexible_arm", "delta"])
def test_pickles_and_copies_are_the_same_robot(name: str) -> None:
    own = robot(name)
    own.threads = 1
    q = own.neutral()
    for other in (pickle.loads(pickle.dumps(own)), copy.deepcopy(own), copy.copy(own), own.copy()):
        assert type(other) is type(own) and other.native == own.native and other.threads == 1
        np.testing.assert_array_equal(other.mass_matrix(q), own.mass_matrix(q))
        assert [frame.name for frame in other.frames] == [frame.name for frame in own.frames]
    loaded = own.copy()
    heavy = loaded.links[-1]
    loaded.set_inertia(heavy, 5.0, [0.1, 0, 0], np.eye(3) * 0.1)
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        other = pickle.loads(pickle.dumps([loaded, own, heavy], protocol))
        np.testing.assert_array_equal(other[0].mass_matrix(q), loaded.mass_matrix(q))
        np.testing.assert_array_equal(other[1].mass_matrix(q), own.mass_matrix(q))
        assert other[2].name == heavy.name and other[2].mass == heavy.mass
    other = copy.deepcopy(loaded)
    other.set_inertia(heavy, 1.0, [0, 0, 0], np.eye(3))
    assert not np.array_equal(other.mass_matrix(q), loaded.mass_matrix(q))  # apart from what it was copied from


def test_threads_copy_change_and_drop_robots() -> None:
    """Robots come and go in some threads while others ask; a loaded copy is its thread's own."""
    arm = robot("cobot7")
    q, v, a = states(arm, 200)
    exact = arm.inverse_dynamics(q, v, a)
    bad: list[str] = []

    def work(k: int) -> None:
        try:
            for i in range(max(20, EXAMPLES // 100)):
                mine = (arm.copy, lambda: copy.deepcopy(arm), lambda: pickle.loads(pickle.dumps(arm)))[(i + k) % 3]()
                mine.threads = 1 + i % 3
                if (mine.inverse_dynamics(q, v, a) != exact).any():
                    bad.append("a copy answers otherwise")
                changed = arm.copy()
                changed.set_inertia(changed.nlink - 1, 3.0 + k, [0, 0, 0.1], np.eye(3) * 0.01)
                first = changed.inverse_dynamics(q[:20], v[:20], a[:20])
                if (changed.inverse_dynamics(q[:20], v[:20], a[:20]) != first).any() or (first == exact[:20]).all():
                    bad.append("a changed copy answers otherwise")
                out = np.empty_like(v)
                arm.inverse_dynamics(q, v, a, out=out)
                if (out != exact).any():
                    bad.append("the robot answers otherwise")
                with pytest.raises(ValueError):
                    arm.inverse_dynamics(q[:, 1:])
        except Exception as error:
            bad.append(repr(error))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not bad
