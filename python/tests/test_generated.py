"""Counts and generated code; what is compiled of it answers as the robot does."""

from __future__ import annotations

import gc
import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zveno
from conftest import robot, states

ANSWERS = ["inverse_dynamics", "forward_dynamics", "mass_matrix", "mass_inverse", "bias", "gravity_force"]


@pytest.fixture(scope="module")
def compiled() -> Any:
    if not shutil.which("cc"):
        pytest.skip("no C compiler")
    return robot("puma560").compile(frame="link6", flags="-O1")


def test_compiled_code_answers_as_the_robot(compiled: Any) -> None:
    arm = compiled.robot
    q, v, a = states(arm, 50)
    for name in ANSWERS:
        given = {"inverse_dynamics": (q, v, a), "forward_dynamics": (q, v, a), "bias": (q, v)}.get(name, (q,))
        many, one = getattr(compiled, name)(*given), getattr(compiled, name)(*(x[3] for x in given))
        expected = getattr(arm, name)(*given)
        scale = np.abs(expected).max()
        assert np.allclose(many, expected, atol=1e-11 * scale) and np.array_equal(one, many[3])
    assert np.allclose(compiled.frame_pose(q), arm.frame_pose(q, "link6"))
    assert np.allclose(compiled.frame_jacobian(q), arm.frame_jacobian(q, "link6"))
    for x, y in zip(compiled.inverse_derivatives(q, v, a), arm.inverse_derivatives(q, v, a)):
        assert np.allclose(x, y, atol=1e-9)
    for x, y in zip(compiled.forward_derivatives(q, v, a), arm.forward_derivatives(q, v, a)):
        assert np.allclose(x, y, atol=1e-8 * np.abs(y).max())
    out = np.empty(6)
    assert compiled.inverse_dynamics(q[0], v[0], a[0], out=out) is out
    assert np.allclose(compiled.inverse_dynamics(q[0]), arm.gravity_force(q[0]))
    with pytest.raises(ValueError, match=r"expected shape \(..., 6\)"):
        compiled.inverse_dynamics(q[:, :3])


def test_a_compiled_robot_lives_as_long_as_it_is_used(compiled: Any) -> None:
    few = robot("two_link").compile("inverse", flags="-O0")
    assert few.functions == ["inverse"]
    with pytest.raises(zveno.NotSupportedError, match='expected "mass" among the functions'):
        few.mass_matrix(np.zeros(2))
    gc.collect()
    assert few.inverse_dynamics(np.zeros(2)).shape == (2,)
    assert few.robot.name == "two_link"


def test_nothing_is_left_in_temporary_directories(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    import tempfile

    tempfile.tempdir = None
    try:
        arm = robot("two_link")
        arm.codegen()
        with pytest.raises(zveno.NotSupportedError, match="did not compile"):
            arm.compile("inverse", flags="-no-such-flag-at-all")
        with pytest.raises(zveno.NotSupportedError, match="expected a C compiler"):
            arm.compile("inverse", compiler="no-such-compiler")
    finally:
        tempfile.tempdir = None
    assert not os.listdir(tmp_path)


def test_source() -> None:
    arm = robot("two_link")
    source = arm.codegen(["inverse", "mass"], name="two", lanes=4)
    assert sorted(source) == ["two.c", "two.h"] and "two_inverse_batch" in source["two.h"]
    assert source.operations["inverse"] == arm.count_generated("inverse") and source.statements["mass"] > 0
    (latex,) = arm.codegen(language="latex", symbols="all").values()
    assert r"\sin" in latex
    with pytest.raises(ValueError, match="functions: expected one of inverse"):
        arm.codegen("inverze")
    with pytest.raises(ValueError, match="frame: expected the frame"):
        arm.codegen("pose")
    with pytest.raises(ValueError, match="language"):
        arm.codegen(language="fortran")
    with pytest.raises(zveno.Error, match="words or headers of C"):
        arm.codegen(name="while")


def test_counts() -> None:
    arm = robot("puma560")
    count = arm.count("mass", "composite")
    assert count.folded is not None and count.folded.mul <= count.method.mul + count.kinematics.mul
    assert arm.count("mass", "composite", fold=False).folded is None
    row = next(m.name for m in zveno.methods("mass") if zveno.printed_operations("mass", m.name, 6))
    assert zveno.printed_operations("mass", row, 6).mul > 0  # type: ignore[union-attr]
    assert zveno.generated_functions()[0] == "inverse"
    chain = robot("chain10")
    assert [s.name for s in chain.count_sums()][-2:] and all(s.counted.mul >= 0 for s in chain.count_sums())
    with pytest.raises(ValueError, match="method: expected one of"):
        arm.count("mass", "guess")
    with pytest.raises(ValueError, match="question: expected one of"):
        arm.count("masses")
