"""Scenarios from dictionaries and files, own controllers by callables and addresses, what runs leave, reports."""

from __future__ import annotations

import ctypes
import gc
import importlib.util
import json
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zveno
from conftest import ROOT, robot

PENDULUM = {
    "inline": {
        "links": [{"name": "ground"}, {"name": "rod", "mass": 1, "com": [0, 0, -1], "inertia": [0, 0, 0]}],
        "joints": [{"name": "pivot", "type": "continuous", "parent": "ground", "child": "rod", "axis": [0, -1, 0]}],
    }
}
SWING = {"model": PENDULUM, "duration": 1, "initial": {"q": {"pivot": 0.4}}, "output": {"channels": ["q", "v", "energy"]}}
OWN = {**SWING, "drives": [{"type": "function", "name": "mine", "joint": "pivot"}]}


def test_run_of_a_dictionary() -> None:
    run = zveno.simulate(SWING)
    assert run.t == 1 and run.complete and run.ending == "end of duration" and run.energy.judgement == "balanced"
    assert run.statistics["steps"] > 5 and run.rows == run.recording.rows and run.warnings == []
    q = run.recording["q"]
    assert q.shape == (run.rows,) and not q.flags.writeable and q[0] == 0.4 and q[-1] == run.q[0]
    assert np.abs(run.recording["energy"][:, -1]).max() < 1e-6
    assert [row.name for row in run.energy.rows if row.is_store] == ["kinetic", "potential"]
    # an independent integrator: Runge and Kutta's steps of the equation of motion
    x, h = np.array([0.4, 0.0]), 1e-3

    def f(y: np.ndarray) -> np.ndarray:
        return np.array([y[1], -9.81 * np.sin(y[0])])

    for _ in range(1000):
        k1 = f(x)
        k2 = f(x + h / 2 * k1)
        k3 = f(x + h / 2 * k2)
        k4 = f(x + h * k3)
        x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    assert np.allclose([run.q[0], run.v[0]], x, atol=1e-7)


def test_equilibrium_of_a_scenario() -> None:
    sprung = {**SWING, "joints": {"pivot": {"spring": {"stiffness": 20, "rest": 1}}}, "cases": {"moon": ["gravity=[0, 0, -1.62]"]}}
    scenario = zveno.Scenario(sprung)
    rest = scenario.equilibrium()
    q = 1.0
    for _ in range(50):  # k (q - 1) + m g l sin q = 0
        q -= (20 * (q - 1) + 9.81 * np.sin(q)) / (20 + 9.81 * np.cos(q))
    assert abs(rest.q[0] - q) < 1e-11 and rest.residual < 1e-10 and rest.stability == "stable"
    assert abs(rest.eigenvalues[0] - (20 + 9.81 * np.cos(q))) < 1e-7 and rest.softest is not None
    held = scenario.equilibrium(hold=["pivot"], guess=[0.4])
    assert held.stability == "fixed" and abs(held.holding[0] - (20 * (0.4 - 1) + 9.81 * np.sin(0.4))) < 1e-10
    assert scenario.cases == {"moon": ("gravity=[0, 0, -1.62]",)}
    turning = zveno.Scenario({"model": robot("puma560"), "duration": 1, "gravity": [0, 0, 0]})
    first = turning.robot.v_names[0]
    assert turning.equilibrium(hold=range(turning.robot.nv), spin={first: 1.0}).v[0] == 1
    with pytest.raises(zveno.SingularError):
        zveno.Scenario({"model": robot("quadruped"), "duration": 1}).equilibrium()


def test_scenario_says_what_it_is() -> None:
    scenario = zveno.Scenario(OWN, changes={"duration": 2.5, "integrator.method": "rk4"})
    assert scenario.duration == 2.5 and scenario.method == "rk4" and scenario.robot.nv == 1
    assert scenario.functions == (("mine", (0,), 0.0),) and len(scenario.fingerprint) == 16
    of_robot = zveno.Scenario({"model": robot("puma560"), "duration": 0.1})
    assert of_robot.robot.mass == pytest.approx(robot("puma560").mass)
    by_file = zveno.Scenario(ROOT / "scenarios" / "flexible_joints.yaml")
    assert by_file.robot.nv == 2
    with pytest.raises(zveno.ModelError, match="duration") as told:
        zveno.Scenario({**SWING, "duration": -1})
    assert any("-1" in note for note in told.value.__notes__)
    with pytest.raises(TypeError, match="constant"):
        zveno.simulate(scenario, changes={"duration": 1})


def test_controller_is_the_drive_of_the_library() -> None:
    pd = {"type": "pd", "joint": "pivot", "kp": 9, "kd": 0.5, "reference": 1.5}
    theirs = zveno.simulate({**SWING, "drives": [pd]}, changes={"integrator.method": "rk4"})
    calls = []

    def mine(t: float, q: np.ndarray, v: np.ndarray) -> Any:
        calls.append(t)
        return 9 * (1.5 - q) - 0.5 * v

    ours = zveno.simulate(OWN, drives={"mine": mine}, changes={"integrator.method": "rk4"})
    assert np.array_equal(ours.q, theirs.q) and len(calls) >= 4 * ours.statistics["steps"]
    listed = zveno.simulate(OWN, drives={"mine": lambda t, q, v: [float(9 * (1.5 - q[0]) - 0.5 * v[0])]}, changes={"integrator.method": "rk4"})
    assert np.array_equal(listed.q, theirs.q)
    idle = zveno.simulate(OWN, drives={"mine": lambda t, q, v: None})
    assert np.allclose(idle.q, zveno.simulate(SWING).q, atol=1e-6)


def test_samples_are_asked_once_each() -> None:
    times: list[float] = []

    def mine(t: float, q: np.ndarray, v: np.ndarray) -> float:
        times.append(t)
        assert not q.flags.writeable
        return 0.1

    drive = {"type": "function", "name": "mine", "joint": "pivot", "interval": 0.05}
    zveno.simulate({**SWING, "drives": [drive]}, drives={"mine": mine})
    assert np.allclose(times, np.arange(20) * 0.05)


def test_what_a_controller_raises_is_raised() -> None:
    class Mine(Exception):
        pass

    def bad(t: float, q: np.ndarray, v: np.ndarray) -> float:
        if t > 0.5:
            raise Mine("at last")
        return 0.0

    for method in ("rk4", "adams", "bdf", "dirk"):
        with pytest.raises(Mine, match="at last") as told:
            zveno.simulate(OWN, drives={"mine": bad}, changes={"integrator.method": method})
        assert told.value.run.ending == "interrupted" and told.value.run.t <= 0.51  # type: ignore[attr-defined]
        assert told.traceback[-1].name == "bad"
    del told
    gc.collect()
    held = sys.getrefcount(bad)
    for _ in range(20):
        with pytest.raises(Mine):
            zveno.simulate(OWN, drives={"mine": bad})
    gc.collect()
    assert sys.getrefcount(bad) == held
    with pytest.raises(ValueError, match="expected 1 forces of a drive, found 2"):
        zveno.simulate(OWN, drives={"mine": lambda t, q, v: [1, 2]})
    with pytest.raises(TypeError):
        zveno.simulate(OWN, drives={"mine": lambda t, q: 1.0})
    with pytest.raises(zveno.ModelError, match="not finite"):
        zveno.simulate(OWN, drives={"mine": lambda t, q, v: np.nan})


def test_references_are_given_back() -> None:
    def mine(t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        return -v

    zveno.simulate(OWN, drives={"mine": mine})
    gc.collect()
    held = sys.getrefcount(mine)
    objects = len(gc.get_objects())
    for _ in range(20):
        run = zveno.simulate(OWN, drives={"mine": mine}, progress=lambda p: None)
        q = run.recording["q"]
        del run
        assert q[0] == 0.4  # the view keeps the rows
        del q
    gc.collect()
    assert sys.getrefcount(mine) == held and len(gc.get_objects()) < objects + 200


def test_functions_by_their_addresses(tmp_path: Path) -> None:
    kind = ctypes.CFUNCTYPE(
        ctypes.c_int, ctypes.c_void_p, ctypes.c_double, *[ctypes.POINTER(ctypes.c_double)] * 3
    )

    @kind
    def damper(context: int, t: float, q: Any, v: Any, force: Any) -> int:
        force[0] = -v[0]
        return 0

    expected = zveno.simulate(OWN, drives={"mine": lambda t, q, v: -v}).q
    assert np.array_equal(zveno.simulate(OWN, drives={"mine": damper}).q, expected)
    if shutil.which("cc"):
        (tmp_path / "own.c").write_text(
            "int damper(const double *gain, double t, const double *q, const double *v, double *force)\n"
            "{ (void)t, (void)q; force[0] = -*gain * v[0]; return *gain > 5 ? -10 : 0; }\n"
        )
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", tmp_path / "own.so", tmp_path / "own.c"], check=True)
        library = ctypes.CDLL(str(tmp_path / "own.so"))
        gain = ctypes.c_double(1)
        run = zveno.simulate(OWN, drives={"mine": (library.damper, ctypes.addressof(gain))})
        assert np.array_equal(run.q, expected)
        address = ctypes.cast(library.damper, ctypes.c_void_p).value
        assert np.array_equal(zveno.simulate(OWN, drives={"mine": (address, ctypes.addressof(gain))}).q, expected)
        gain.value = 6
        with pytest.raises(zveno.SingularError, match='drive "mine" stopped the run at t = 0 s'):
            zveno.simulate(OWN, drives={"mine": (address, ctypes.addressof(gain))})


def test_functions_of_numba_and_cffi() -> None:
    expected = zveno.simulate(OWN, drives={"mine": lambda t, q, v: -v}).q
    found = 0
    if importlib.util.find_spec("numba"):
        import numba

        real = numba.types.CPointer(numba.types.float64)
        signature = numba.types.int32(numba.types.voidptr, numba.types.float64, real, real, real)

        @numba.cfunc(signature)
        def damper(context, t, q, v, force):  # type: ignore[no-untyped-def]
            force[0] = -v[0]
            return 0

        assert np.array_equal(zveno.simulate(OWN, drives={"mine": damper}).q, expected)
        found += 1
    if importlib.util.find_spec("cffi"):
        import cffi

        ffi = cffi.FFI()

        @ffi.callback("int(void *, double, double *, double *, double *)")
        def damped(context, t, q, v, force):  # type: ignore[no-untyped-def]
            force[0] = -v[0]
            return 0

        assert np.array_equal(zveno.simulate(OWN, drives={"mine": damped}).q, expected)
        found += 1
    if not found:
        pytest.skip("neither numba nor cffi is installed")


def test_drives_that_do_not_fit() -> None:
    with pytest.raises(zveno.ModelError, match='drive "mine": expected a function of the program'):
        zveno.simulate(OWN)
    with pytest.raises(zveno.ModelError, match='expected one of the drives of type function: mine, found "his"'):
        zveno.simulate(OWN, drives={"mine": lambda t, q, v: 0.0, "his": lambda t, q, v: 0.0})
    with pytest.raises(TypeError, match="expected a callable"):
        zveno.simulate(OWN, drives={"mine": "pd"})
    with pytest.raises(ValueError, match="found 0"):
        zveno.simulate(OWN, drives={"mine": 0})


def test_progress_tells_and_stops() -> None:
    seen: list[zveno.Progress] = []

    def told(p: zveno.Progress) -> bool:
        seen.append(p)
        return p.t < 0.5

    run = zveno.simulate({**SWING, "duration": 1000}, progress=told, interval=1e-9)
    assert run.ending == "interrupted" and not run.complete and 0.5 <= run.t < 10
    assert seen[0].t == 0 and seen[-1].t >= 0.5 and seen[-1].end == 1000
    with pytest.raises(ZeroDivisionError):
        zveno.simulate(SWING, progress=lambda p: 1 / 0)  # type: ignore[arg-type, return-value]


def test_a_run_shows_itself_in_a_cell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    shown: list[str] = []

    class Handle:
        def update(self, x: str) -> None:
            shown.append(x)

    class Display:
        HTML = staticmethod(lambda x: x)

        def display(self, x: str, display_id: bool) -> Handle:
            shown.append(x)
            return Handle()

    live = zveno.Live("q", "energy")
    zveno.simulate(SWING, progress=live, interval=1e-9)
    assert "t = 1 of 1 s (100 %)" in capsys.readouterr().err  # no notebook
    assert live.t[0] == 0 and np.all(np.diff(live.t) > 0) and live.values["q"][0][0] == 0.4
    monkeypatch.setitem(sys.modules, "IPython", type("IPython", (), {"display": Display()}))
    run = zveno.simulate(SWING, progress=zveno.Live("q", "energy"), interval=1e-9, changes={"integrator": {"method": "rk4"}})
    assert len(shown) > 100 and 'value="0.0"' in shown[0] and 'value="100.0"' in shown[-1]
    assert shown[-1].count("<polyline") == 6 and shown[-1].count("<svg") == 2 and run.complete
    with pytest.raises(KeyError, match="expected one of time, q, v, energy, found 'p'"):
        zveno.simulate(SWING, progress=zveno.Live("p"))


def test_ctrl_c_stops_a_run() -> None:
    code = (
        "import signal, sys, zveno\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a shell's background ignores it
        f"sys.path.insert(0, {str(ROOT / 'python' / 'tests')!r})\n"
        "from test_simulation import SWING\n"
        "told = lambda p: print('runs', flush=True) if p.t > 0 else None\n"
        "try:\n    zveno.simulate({**SWING, 'duration': 1e7}, progress=told, keep=False)\n"
        "except KeyboardInterrupt as stop:\n    print('stopped', 0 < stop.run.t < 1e7)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "runs\n"
    process.send_signal(signal.SIGINT)
    assert "stopped True" in process.communicate(timeout=1800)[0] and process.returncode == 0


def test_threads_run_meanwhile_and_beside_each_other() -> None:
    scenario, answers = zveno.Scenario(OWN), [None] * 4

    def work(k: int) -> None:
        answers[k] = zveno.simulate(scenario, drives={"mine": lambda t, q, v: -k * v}).q[0]

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [zveno.simulate(scenario, drives={"mine": lambda t, q, v: -k * v}).q[0] for k in range(4)]


def test_a_controller_costs_little(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Processor time of a run of a cobot with a callable at every evaluation, less that with a compiled function."""
    if not shutil.which("cc"):
        pytest.skip("no C compiler")
    own = {"type": "function", "name": "mine"}
    scenario = zveno.Scenario(
        {"model": str(ROOT / "models" / "cobot7.yaml"), "duration": 2, "drives": [own], "integrator": {"method": "rk4", "step": 1e-4}}
    )
    zeros, calls = np.zeros(scenario.robot.nv), [0]

    def idle(t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        return zeros

    def count(t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        calls[0] += 1
        return zeros

    program, library = tmp_path / "idle.c", tmp_path / "idle.so"
    program.write_text("int idle(void *c, double t, const double *q, const double *v, double *f) { return 0; }\n")
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", library, program], check=True)
    compiled = ctypes.CDLL(str(library)).idle
    zveno.simulate(scenario, drives={"mine": count}, keep=False)

    def seconds(drive: Any) -> float:
        begin = time.process_time()
        zveno.simulate(scenario, drives={"mine": drive}, keep=False)
        return time.process_time() - begin

    times = [(seconds(idle), seconds(compiled)) for _ in range(5)]
    each = (min(t[0] for t in times) - min(t[1] for t in times)) / calls[0]
    with capsys.disabled():
        print(f"\na callable costs {1e6 * each:.2f} us a call", end=" ")
    assert calls[0] > 50_000


def test_methods_of_integration() -> None:
    rows = zveno.integration_methods()
    assert rows[0].name == "auto" and {"adams", "bdf", "rk4", "newmark"} <= {row.name for row in rows}


def test_the_command_gets_the_same(command: str, tmp_path: Path) -> None:
    """A run row by row, and natural frequencies."""
    path, robot_path = str(ROOT / "scenarios" / "flexible_joints.yaml"), str(ROOT / "models" / "flexible_arm.yaml")
    subprocess.run([command, "simulate", path, "-o", tmp_path / "theirs.csv"], check=True, capture_output=True)
    theirs, ours = zveno.Recording(tmp_path / "theirs.csv"), zveno.simulate(path).recording
    assert list(theirs) == list(ours)
    for name in theirs:
        assert np.allclose(theirs[name], ours[name], rtol=1e-9, atol=1e-9)

    def told(*words: str) -> Any:
        return json.loads(subprocess.run([command, *words, "--json"], check=True, capture_output=True, text=True).stdout)

    modes = told("modes", robot_path, "--joints", "locked")
    frequencies = [mode["frequency"] for mode in modes["modes"]]
    assert np.allclose(zveno.read(robot_path).modes(joints="locked").frequency, frequencies, rtol=1e-8)
