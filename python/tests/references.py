"""Whether calls keep memory or references: python references.py; test_package.py runs it in a process of its own.

A call is repeated, and what grows by one or more with every call is kept: blocks of memory of Python's objects, bytes of C,
references to what is passed around most. Caches and free lists fill up and do not grow with every call, so that what seems to
grow is repeated more often before it counts.
"""

from __future__ import annotations

import copy
import ctypes
import gc
import pickle
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import numpy as np
import test_any_input as any_input
import zveno
from conftest import MODELS, ROOT, robot
from test_simulation import OWN, SWING

ARM, LOOP, ELASTIC = robot("puma560"), robot("five_bar"), robot("flexible_arm")
FOLDER = Path(tempfile.mkdtemp())


def robots() -> None:
    own = zveno.read(MODELS / "puma560.urdf")
    pickle.loads(pickle.dumps(own)).mass_matrix(own.neutral())
    changed = copy.deepcopy(own).copy()
    changed.set_inertia(own.links[2], 1.0, [0, 0, 0], np.eye(3))
    description = own.description
    description["links"][2]["mass"] = 3
    zveno.Robot(description).written("mjcf")
    zveno.check(description)
    [own.links, own.joints, own.frames, own.shapes, own.loops]


def failures() -> None:
    for call in (
        lambda: zveno.parse("links: 3", name="x.yaml", format="native"), lambda: zveno.read("no such file"),
        lambda: zveno.Scenario({"model": 3}), lambda: zveno.Recording("no such file"), lambda: zveno.motion.cubic(0, 1, -1),
        lambda: ARM.equilibrium([0.0]), lambda: ARM.agree(-1), lambda: zveno.read_mesh("x.stl", b"solid"),
        lambda: zveno.simulate(OWN, drives={"mine": lambda t, q, v: 1 / 0}), lambda: zveno.Simulation(OWN).push([1.0, 2.0]),
    ):  # fmt: skip
        try:
            call()
        except (ValueError, OSError, ZeroDivisionError, ArithmeticError):
            pass


def analysis() -> None:
    ARM.modes(stiffness=np.full(6, 9.0)), ELASTIC.modes(joints="locked"), ARM.linearize(), LOOP.assemblies(guesses=3)
    LOOP.reduce(LOOP.assemble(LOOP.neutral()))
    ARM.count("mass"), ARM.count_sums(), ARM.codegen("mass"), ARM.agree(2, progress=lambda *x: True)
    zveno.Scenario(SWING).linear(), zveno.methods("mass"), zveno.integration_methods(), zveno.conventions.to_mujoco(ARM, ARM.neutral())


def runs() -> None:
    run = zveno.simulate(OWN, drives={"mine": lambda t, q, v: -v}, progress=lambda p: None, interval=1e-9)
    run.recording["q"], run.recording.write(FOLDER / "x.csv"), zveno.Recording(FOLDER / "x.csv")["v"]
    simulation = zveno.Simulation(OWN, keep=True)
    for _ in range(5):
        simulation.step(0.05, 0.1)
        simulation["energy"], simulation.q, simulation.summary()
    simulation.set_state([0.1], [0.0])
    simulation.finish().recording["energy"]
    zveno.mjcf_scenario(ROOT / "tests" / "mjcf" / "actuators.xml")


def motions() -> None:
    law = zveno.motion.sequence([zveno.motion.cubic([0, 0], [1, 2], 1), zveno.motion.constant([1, 2])], [2])
    pickle.loads(pickle.dumps(law + law)).at(np.linspace(0, 3, 50))
    zveno.motion.arc(np.eye(4), [1, 0, 0], [0, 0, 1], 1, zveno.motion.quintic(0, 1, 1)).at([0.1, 0.2])
    zveno.motion.read_table("t", "a,b\n1,2\n")


def calls() -> Iterator[tuple[str, Callable[[], Any]]]:
    """All of the above, and every question, with arguments that mean something or nothing."""
    for call in (robots, failures, analysis, runs, motions):
        yield call.__name__, call
    draws = np.random.default_rng(7).integers(0, 2**32, (len(any_input.QUESTIONS), len(any_input.ROBOTS)))
    for which, question in enumerate(any_input.QUESTIONS):
        of = which % len(any_input.ROBOTS)
        name = f"{question.name} of {any_input.ROBOTS[of].name}"
        yield name, lambda w=which, o=of: any_input.ask_anything(w, o, int(draws[w, o]))  # type: ignore[misc]


class Memory(ctypes.Structure):
    """mallinfo2 of glibc."""

    _fields_ = [(name, ctypes.c_size_t) for name in "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()]


try:
    mallinfo2 = ctypes.CDLL(None).mallinfo2
    mallinfo2.restype = Memory
except (AttributeError, OSError):  # not glibc
    mallinfo2 = Memory

# no types of numbers: np.empty of NumPy 2.4 keeps a reference to its own each time
SHARED: list[Any] = [None, True, False, np.ndarray, ARM, LOOP, *any_input.ROBOTS]


def counts() -> np.ndarray:
    gc.collect()
    memory = mallinfo2()
    in_use = memory.uordblks + memory.hblkhd
    return np.array([sys.getallocatedblocks(), in_use // 32, *(sys.getrefcount(x) for x in SHARED)])


def grows(call: Callable[[], Any]) -> np.ndarray | None:
    """What a call keeps, by counts; None: nothing. It is kept in both halves, what fills once is not."""
    for often in (12, 40, 300, 900):
        for _ in range(8):  # malloc keeps seven pieces of a size at hand
            call()
        now = [counts()]
        for _ in range(2):
            for _ in range(often):
                call()
            now.append(counts())
        first, second = now[1] - now[0], now[2] - now[1]
        kept = np.where(np.abs(first) < np.abs(second), first, second)
        enough = 0.7 * often  # something else may have become less meanwhile
        if (np.abs(kept[2:]) < enough).all() and (kept[:2] < enough).all():
            return None
    return kept / often


def is_seen() -> bool:
    """Whether this finds a list that grows, memory of C that is not freed, and a reference too many and too few."""
    kept: list[object] = []
    increase, decrease = ctypes.pythonapi.Py_IncRef, ctypes.pythonapi.Py_DecRef
    leaks: list[Callable[[], Any]] = [
        lambda: kept.append(object()), lambda: increase(ctypes.py_object(ARM)), lambda: decrease(ctypes.py_object(ARM)),
    ]  # fmt: skip
    if mallinfo2 is not Memory:
        malloc = ctypes.CDLL(None).malloc
        malloc.restype = ctypes.c_void_p
        leaks.append(lambda: malloc(64))
    for _ in range(2700):  # what is taken away again
        increase(ctypes.py_object(ARM))
    found = all(grows(leak) is not None for leak in leaks)
    return found and grows(lambda: None) is None


def main() -> int:
    warnings.simplefilter("ignore")
    gc.freeze()  # what is there already need not be looked at again and again
    if not is_seen():
        print("what is kept on purpose is not seen")
        return 2
    bad = number = 0
    for number, (name, call) in enumerate(calls()):
        kept = grows(call)
        if kept is not None:
            bad += 1
            told = dict(zip(["blocks", "times 32 bytes", *(f"references to {x!r}"[:60] for x in SHARED)], kept))
            print(f"{name} keeps, each time, {({what: n for what, n in told.items() if n})}")
    print(f"{number + 1} calls, {bad} of them keep memory or references")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
