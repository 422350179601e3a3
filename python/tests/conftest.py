"""Robots of models/ that the tests share, and random states of them."""

from __future__ import annotations

import importlib
import importlib.util
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zveno
from hypothesis import settings

# The same examples every time, unless more are asked for; nothing is left behind.
settings.register_profile("zveno", database=None, deadline=None, derandomize="ZVENO_EXAMPLES" not in os.environ)
settings.load_profile("zveno")

ROOT = Path(__file__).resolve().parents[2]
MODELS = ROOT / "models"

RIGID = ["cobot7", "quadruped", "joints_zoo", "puma560"]


def other(package: str) -> Any:
    """The module of another project; without it the test is skipped."""
    if importlib.util.find_spec(package) is None:
        pytest.skip(f"the package {package} is not installed")
    return importlib.import_module(package)


def robot(name: str, **options: Any) -> zveno.Robot:
    return zveno.read(MODELS / f"{name}.yaml", **options)


def states(robot: zveno.Robot, count: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """q, v, a of random states, (count, nq), (count, nv); quaternions of unit length."""
    random = np.random.default_rng(seed)
    q = robot.position_add(robot.neutral(), random.uniform(-1, 1, (count, robot.nv)))
    return q, random.uniform(-2, 2, (count, robot.nv)), random.uniform(-5, 5, (count, robot.nv))


@pytest.fixture(params=RIGID)
def rigid(request: pytest.FixtureRequest) -> zveno.Robot:
    return robot(request.param)


@pytest.fixture
def command() -> str:
    """The zveno command, when a build of it is at hand."""
    path = os.environ.get("ZVENO_COMMAND", str(ROOT / "build" / "zveno"))
    if not os.access(path, os.X_OK):
        pytest.skip("no zveno command: ./dev build, or ZVENO_COMMAND=PATH")
    return path
