"""Laws of motion and routes against formulas and differences; tables and meshes of files."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zveno
from zveno import motion

T = np.linspace(-0.5, 3.5, 81)
S = np.clip((T - 0.5) / 2, 0, 1)[:, None]  # share of a duration of 2 s from 0.5 s on
BEGIN, END = np.array([0.3, -1.0, 2.0]), np.array([1.0, 0.5, 2.0])


def differences(f: Any, t: np.ndarray, h: float = 1e-4) -> tuple[np.ndarray, np.ndarray]:
    x = [f(t + k * h) for k in (-2, -1, 0, 1, 2)]
    return (x[0] - 8 * x[1] + 8 * x[3] - x[4]) / (12 * h), (-x[0] + 16 * x[1] - 30 * x[2] + 16 * x[3] - x[4]) / (12 * h * h)


FORMULAS = {
    "cubic": 3 * S**2 - 2 * S**3,
    "quintic": 10 * S**3 - 15 * S**4 + 6 * S**5,
    "septic": 35 * S**4 - 84 * S**5 + 70 * S**6 - 20 * S**7,
    "cycloidal": S - np.sin(2 * np.pi * S) / (2 * np.pi),
}


@pytest.mark.parametrize("name", FORMULAS)
def test_laws_between_two_points(name: str) -> None:
    law = getattr(motion, name)(BEGIN, END, 2.0, 0.5)
    np.testing.assert_allclose(law(T), BEGIN + (END - BEGIN) * FORMULAS[name], atol=1e-13)
    assert law.width == 3 and law.next_break(0.0) == 0.5 and law.next_break(1.0) == 2.5 and law.next_break(3.0) == np.inf


def laws() -> dict[str, motion.Law]:
    times = [0.0, 0.7, 1.5, 2.0, 3.0]
    x = np.random.default_rng(0).uniform(-1, 1, (5, 2))
    return {
        "polynomial": motion.polynomial([[1, 2], [0.5, -1], [0, 0.3], [-0.2, 0.1]], 0.4),
        "boundary": motion.boundary([[0, 1], [2, 0], [0, 1]], [[1, 1], [0, -1]], 2.5),
        "harmonic": motion.harmonic([1, 2], 0.5, [2, 3], 0.1, 0.2),
        "spline": motion.spline(times, x),
        "clamped": motion.spline(times, x, "clamped"),
        "periodic": motion.spline(times, np.vstack((x[:-1], x[:1])), "periodic"),
        "hermite": motion.hermite(times, x, -x, 2 * x),
        "table": motion.table(times, x),
        "trapezoidal": motion.trapezoidal([0, 1], [1, -1], 2.0),
        "limits": motion.trapezoidal([0, 1], [1, -1], velocity=1.0, acceleration=[2, 3]),
        "exponential": motion.exponential([1, 2], [0, 3], [0.5, 2], 0.1),
        "sum": motion.harmonic([0, 0], 1, 2) + motion.constant([1, 2]),
        "join": motion.join(motion.cubic(0, 1, 2), motion.harmonic(0, 1, 3)),
        "sequence": motion.sequence([motion.cubic([0, 0], [1, 2], 1), motion.quintic([1, 2], [0, 0], 1)], [1.5]),
    }


@pytest.mark.parametrize("name", laws())
def test_derivatives_are_those_of_values(name: str) -> None:
    law = laws()[name]
    t = np.array([0.13, 0.61, 1.23, 1.81, 2.47])  # no knots within the differences
    value = law.at(t)
    by_t, by_t2 = differences(law, t)
    np.testing.assert_allclose(value.dx, by_t, atol=1e-9)
    np.testing.assert_allclose(value.ddx, by_t2, atol=1e-5)
    shaped = law.at(t[:4].reshape(2, 2))
    assert shaped.x.shape == (2, 2, 2) and np.array_equal(shaped.ddx.reshape(4, 2), value.ddx[:4])
    assert law(0.61).shape == (2,) and np.array_equal(law(0.61), value.x[1])
    for again in (pickle.loads(pickle.dumps(law)), copy.deepcopy(law)):
        assert np.array_equal(again(t), value.x)


def test_what_points_and_parts_say() -> None:
    law, given = laws(), np.random.default_rng(0).uniform(-1, 1, (5, 2))
    for name in ("spline", "clamped", "hermite", "table"):
        np.testing.assert_allclose(law[name]([0.0, 0.7, 1.5, 2.0, 3.0]), given, atol=1e-13)
    np.testing.assert_allclose(law["spline"].at([1e-12, 3 - 1e-12]).ddx, 0, atol=1e-9)
    np.testing.assert_allclose(law["clamped"].at([0.0, 3.0]).dx, 0, atol=1e-12)
    np.testing.assert_allclose(law["periodic"](0.3), law["periodic"](3.3), atol=1e-13)
    np.testing.assert_allclose(law["hermite"].at([0.7, 1.5]).ddx, 2 * given[1:3], atol=1e-12)
    held = motion.table([0.0, 1.0], [[1.0], [2.0]], "hold")
    assert held(0.99) == 1 and held(1.0) == 2
    x = law["polynomial"].at(T)
    c = np.array([[1, 2], [0.5, -1], [0, 0.3], [-0.2, 0.1]])
    np.testing.assert_allclose(x.x, sum(c[k] * (T[:, None] - 0.4) ** k for k in range(4)), atol=1e-12)
    np.testing.assert_allclose(law["sequence"](T + 1.5), np.where(T[:, None] < 0, motion.cubic([0, 0], [1, 2], 1)(T + 1.5), motion.quintic([1, 2], [0, 0], 1)(T)))
    np.testing.assert_allclose(law["exponential"](1.1), [np.exp(-2), 3 - np.exp(-0.5)], rtol=1e-14)
    limited = law["limits"].at(np.linspace(0, 5, 1001))
    assert np.abs(limited.dx).max() <= 1 + 1e-12 and np.abs(limited.ddx).max(0)[0] <= 2 and np.abs(limited.dx).max() > 0.99


def test_routes() -> None:
    turn = np.eye(4)
    turn[:3, :3] = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    turn[:3, 3] = [1, 2, 3]
    progress = motion.quintic(0, 1, 2)
    turned = motion.constant([1, 2, 3])
    routes = {
        "line": motion.line(np.eye(4), turn, progress),
        "arc": motion.arc(turn, [0, 0, 0], [0, 0, 2], 3.0, progress),
        "still": motion.arc(turn, [0, 0, 0], [0, 0, 2], 3.0, progress, turn=False),
        "vector": motion.lead(motion.cubic([0, 0, 0], [1, 2, 3], 2), vector=motion.harmonic([0.1, 0, 0.2], [0.5, 1, 0.2], 2)),
        "angles": motion.lead(turned, angles=motion.harmonic([0.1, 0, 0.2], [0.5, 0.3, 0.2], 2), axes="zyx"),
        "slerp": motion.lead(quaternions=[[0, 0, 0, 1], [0, 0, np.sqrt(0.5), np.sqrt(0.5)], [1, 0, 0, 0]], progress=motion.quintic(0, 2, 3)),
    }
    t = np.array([0.21, 0.83, 1.4, 1.9])
    for name, route in routes.items():
        pose, velocity, acceleration = route.at(t)
        R = pose[:, :3, :3]
        np.testing.assert_allclose(R @ R.transpose(0, 2, 1), np.broadcast_to(np.eye(3), (4, 3, 3)), atol=1e-12)
        by_t, _ = differences(route, t)
        W = by_t[:, :3, :3] @ R.transpose(0, 2, 1)
        np.testing.assert_allclose(velocity[:, :3], by_t[:, :3, 3], atol=1e-9, err_msg=name)
        np.testing.assert_allclose(velocity[:, 3:], np.stack((W[:, 2, 1], W[:, 0, 2], W[:, 1, 0]), 1), atol=1e-9, err_msg=name)
        np.testing.assert_allclose(acceleration, differences(lambda x: route.at(x).velocity, t)[0], atol=1e-8, err_msg=name)
        assert route(t[0]).shape == (4, 4) and np.array_equal(pickle.loads(pickle.dumps(route))(t), pose)
    np.testing.assert_allclose(routes["line"](2.0), turn, atol=1e-14)
    radius = np.linalg.norm(routes["arc"](t)[:, :2, 3], axis=1)
    np.testing.assert_allclose(radius, np.hypot(1, 2), atol=1e-12)
    np.testing.assert_allclose(routes["still"](t)[:, :3, :3], np.broadcast_to(turn[:3, :3], (4, 3, 3)))
    assert routes["line"].next_break(0.0) == 2.0 and not routes["slerp"].places and routes["slerp"].turns


def test_a_law_is_that_of_scenarios() -> None:
    """A prescribed motion of a run, asked for at the times of its rows."""
    from test_simulation import PENDULUM

    law = {"type": "quintic", "from": 0.0, "to": 1.2, "duration": 0.8}
    run = zveno.simulate({"model": PENDULUM, "duration": 1, "drives": [{"type": "motion", "joint": "pivot", "law": law}], "output": {"channels": ["q", "v", "a"]}})
    mine = motion.quintic(0.0, 1.2, 0.8).at(run.recording["time"])
    for name, x in zip(("q", "v", "a"), mine):
        np.testing.assert_allclose(run.recording[name], x[:, 0], atol=1e-9)


def test_refusals() -> None:
    for call, text in (
        (lambda: motion.cubic([0, 1], [1, 2, 3], 1), "end: expected a vector of 2"),
        (lambda: motion.cubic(0, 1, -1), "duration"),
        (lambda: motion.spline([0, 1], [[1], [2], [3]]), "points: expected one for each of 2 times"),
        (lambda: motion.spline([1, 0], [[1], [2]]), "ascend"),
        (lambda: motion.spline([0, 1], [[1], [2]], "loose"), "ends: expected one of"),
        (lambda: motion.sequence([]), "durations"),
        (lambda: motion.join(), ""),
        (lambda: motion.total(motion.constant(1), motion.constant([1, 2])), ""),
        (lambda: motion.constant([np.nan]), ""),
        (lambda: motion.line(np.zeros((4, 4)), np.eye(4), motion.cubic(0, 1, 1)), ""),
        (lambda: motion.line(np.eye(4), np.eye(4), motion.constant([1, 2])), ""),
        (lambda: motion.arc(np.eye(4), [0, 0, 0], [0, 0, 0], 1, motion.cubic(0, 1, 1)), ""),
        (lambda: motion.lead(motion.constant([1, 2])), ""),
        (lambda: motion.lead(angles=motion.constant([1, 2]), axes="zw"), "axes"),
        (lambda: motion.read_table("t.csv", "1,2\n3"), ""),
        (lambda: zveno.read_mesh("cube.stl", b"solid"), ""),
        (lambda: zveno.mesh_volume(np.zeros(5)), "corners"),
    ):
        with pytest.raises(ValueError, match=text or None):
            call()
    for wrong in ((), ("x",), ("table", 1, (), (), ()), ("spline", 3, (), (np.zeros(3), np.zeros(2)), ()), ("sum", 1, (), (), (1,))):
        with pytest.raises((ValueError, TypeError)):
            zveno._full.Law(wrong)  # type: ignore[attr-defined]
    with pytest.raises(TypeError):
        motion.trapezoidal(0, 1)
    with pytest.raises(TypeError):
        motion.lead(quaternions=[[0, 0, 0, 1]])


def test_tables_and_meshes(tmp_path: Path) -> None:
    text = "# a comment\ntime, x\n0, 1.5\n1, -2e3\n"
    table = motion.read_table("t.csv", text)
    assert table.names == ("time", "x") and np.array_equal(table.values, [[0, 1.5], [1, -2000]])
    (tmp_path / "t.csv").write_text("0 1\n2 3\n")
    assert motion.read_table(tmp_path / "t.csv").names is None and motion.read_table(tmp_path / "t.csv").values[1, 1] == 3
    with pytest.raises(zveno.FileError):
        motion.read_table(tmp_path / "none.csv")
    box = "".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 2) for z in (0, 3))
    box += "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n"
    corners = zveno.read_mesh("box.obj", box.encode())
    assert corners.shape == (12, 3, 3) and corners.dtype == np.float32
    (tmp_path / "box.obj").write_text(box)
    assert np.array_equal(zveno.read_mesh(tmp_path / "box.obj"), corners)
    volume = zveno.mesh_volume(corners, [2, 1, 1])
    assert volume.inside == pytest.approx(12) and volume.hull == pytest.approx(12)
    assert zveno.mesh_volume(corners).inside == pytest.approx(6)
