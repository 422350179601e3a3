"""What questions cost from Python, beside the packages of others: python bench.py [ROBOT.urdf] [--rounds N] [--batch-times PROGRAM]

One run on one processor in which all take turns: a round runs a batch of every row, and the fastest round counts, in processor
time of the process. The robot is an arm in URDF, its sliding joints (fingers) fixed and its pictures removed for all alike, so all
read the same file; answers are compared before anything is timed. Packages that are missing take no part. `./dev bench python`
runs it.
"""

from __future__ import annotations

import argparse
import gc
import os
import subprocess
import sys
import tempfile
import time
import timeit
import warnings
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

STATES = 4096  # of batches with gradients
LENGTH = 2e-3  # s, of a batch at least


def simplified(path: str, folder: str) -> str:
    """The arm alone: sliding joints fixed, no pictures, no rotor inertia, no mimic joints."""
    tree = ElementTree.parse(path)
    root = tree.getroot()
    for tag in ("transmission", "gazebo", "mujoco", "drake", "material"):
        for element in root.findall(tag):
            root.remove(element)
    for joint in root.iter("joint"):
        if joint.get("type") == "prismatic":
            joint.set("type", "fixed")
        for tag in ("mimic", "dynamics", "safety_controller"):
            for element in joint.findall(tag):
                joint.remove(element)
    for link in root.iter("link"):
        for tag in ("visual", "collision"):
            for element in link.findall(tag):
                link.remove(element)
    to = os.path.join(folder, "arm.urdf")
    tree.write(to)
    return to


class Rows:
    """Rows of the table: what takes turns."""

    def __init__(self) -> None:
        self.rows: dict[str, dict[str, Callable[[], float]]] = {}
        self.best: dict[tuple[str, str], float] = {}

    def add(self, row: str, engine: str, call: str | Callable[[], Any], **known: Any) -> None:
        """A call, as text where it is short: its own cost matters."""
        timer = timeit.Timer(call, timer=time.process_time, globals=known)
        timer.timeit(2)
        once = max(timer.timeit(1), 1e-7)
        number = max(1, int(LENGTH / once))
        if number > 1:
            number = max(1, int(LENGTH / max(timer.timeit(number) / number, 1e-8)))
        self.rows.setdefault(row, {})[engine] = lambda: timer.timeit(number) / number

    def add_measured(self, row: str, engine: str, measured: Callable[[], float]) -> None:
        """What measures itself."""
        self.rows.setdefault(row, {})[engine] = measured

    def run(self, rounds: int) -> None:
        for _ in range(rounds):
            for row, engines in self.rows.items():
                for engine, measure in engines.items():
                    took = measure()
                    key = (row, engine)
                    self.best[key] = min(self.best.get(key, took), took)

    def told(self) -> str:
        lines = ["| row | engine | time | by zveno's |", "|---|---|---|---|"]
        for row, engines in self.rows.items():
            own = self.best[row, next(iter(engines))]
            for engine in engines:
                t = self.best[row, engine]
                figure = f"{t * 1e6:.3f} µs" if t < 1e-3 else f"{t * 1e3:.2f} ms"
                lines.append(f"| {row} | {engine} | {figure} | {t / own:.2f} |")
        return "\n".join(lines)


def same(what: str, found: Any, expected: Any, tolerance: float = 1e-8) -> None:
    scale = np.abs(expected).max()
    if not np.abs(np.asarray(found) - expected).max() <= tolerance * scale:
        sys.exit(f"{what}: other answers than zveno's, apart by {np.abs(np.asarray(found) - expected).max():g} of {scale:g}")


def one_state(rows: Rows, path: str) -> None:
    """Questions about one state."""
    import zveno

    arm = zveno.read(path)
    n = arm.nv
    q, v, a = np.random.default_rng(1).uniform(-1, 1, (3, n))
    tau, M, Minv = arm.inverse_dynamics(q, v, a), arm.mass_matrix(q), arm.mass_inverse(q)
    J = arm.frame_jacobian(q, arm.links[-1])
    d = arm.inverse_derivatives(q, v, a)
    out, outM = np.empty(n), np.empty((n, n))
    known = dict(
        inverse=arm.inverse_dynamics, forward=arm.forward_dynamics, mass=arm.mass_matrix, minv=arm.mass_inverse,
        pose=arm.frame_jacobian, derived=arm.inverse_derivatives, q=q, v=v, a=a, tau=tau, out=out, outM=outM, tip=arm.links[-1].index,
    )  # fmt: skip
    rows.add("inverse", "zveno, out=", "inverse(q, v, a, out=out)", **known)
    rows.add("inverse", "zveno", "inverse(q, v, a)", **known)
    rows.add("mass", "zveno, out=", "mass(q, out=outM)", **known)
    rows.add("mass", "zveno", "mass(q)", **known)
    rows.add("forward", "zveno, out=", "forward(q, v, tau, out=out)", **known)
    rows.add("forward", "zveno", "forward(q, v, tau)", **known)
    rows.add("inverse mass", "zveno", "minv(q)", **known)
    rows.add("Jacobian", "zveno", "pose(q, tip)", **known)
    rows.add("derivatives of inverse", "zveno", "derived(q, v, a)", **known)
    try:
        import pinocchio as pin
    except ImportError:
        print("pin: not installed, takes no part")
    else:
        m = pin.buildModelFromUrdf(path)
        data = m.createData()
        same("pin.rnea", pin.rnea(m, data, q, v, a), tau)
        same("pin.crba", pin.crba(m, data, q), M)
        same("pin.aba", pin.aba(m, data, q, v, tau), a, 1e-6)
        same("pin.computeRNEADerivatives", pin.computeRNEADerivatives(m, data, q, v, a)[0], d.dq)
        tip = m.getFrameId(arm.links[-1].name)
        same("pin.computeFrameJacobian", pin.computeFrameJacobian(m, data, q, tip, pin.LOCAL_WORLD_ALIGNED), J)
        known = dict(pin=pin, m=m, d=data, q=q, v=v, a=a, tau=tau, tip=tip, axes=pin.LOCAL_WORLD_ALIGNED)
        rows.add("inverse", "pin.rnea", "pin.rnea(m, d, q, v, a)", **known)
        rows.add("mass", "pin.crba", "pin.crba(m, d, q)", **known)
        rows.add("forward", "pin.aba", "pin.aba(m, d, q, v, tau)", **known)
        rows.add("inverse mass", "pin.computeMinverse", "pin.computeMinverse(m, d, q)", **known)
        rows.add("Jacobian", "pin.computeFrameJacobian", "pin.computeFrameJacobian(m, d, q, tip, axes)", **known)
        rows.add("derivatives of inverse", "pin.computeRNEADerivatives", "pin.computeRNEADerivatives(m, d, q, v, a)", **known)
    one_state_of_mujoco(rows, path, q, v, a, tau, M)


def one_state_of_mujoco(rows: Rows, path: str, q: Any, v: Any, a: Any, tau: Any, M: Any) -> None:
    """MuJoCo: only the stages that the question needs, and the whole call that its users make."""
    try:
        import mujoco as mj
    except ImportError:
        print("mujoco: not installed, takes no part")
        return
    m = mj.MjModel.from_xml_path(path)
    m.opt.disableflags |= mj.mjtDisableBit.mjDSBL_CONSTRAINT
    d = mj.MjData(m)
    out, outM = np.empty(m.nv), np.empty((m.nv, m.nv))
    d.qpos[:], d.qvel[:], d.qacc[:] = q, v, a
    mj.mj_inverse(m, d)
    same("mj_inverse", d.qfrc_inverse, tau, 1e-6)
    known = dict(mj=mj, m=m, d=d, q=q, v=v, a=a, tau=tau, out=out, outM=outM)
    state = "d.qpos[:] = q; d.qvel[:] = v; "
    rows.add("inverse", "mujoco, stages", state + "d.qacc[:] = a; mj.mj_kinematics(m, d); mj.mj_comPos(m, d); "
             "mj.mj_comVel(m, d); mj.mj_rne(m, d, 1, out)", **known)  # fmt: skip
    rows.add("inverse", "mujoco, mj_inverse", state + "d.qacc[:] = a; mj.mj_inverse(m, d)", **known)
    rows.add("forward", "mujoco, mj_forward", state + "d.qfrc_applied[:] = tau; mj.mj_forward(m, d)", **known)
    mj.mj_forward(m, d)
    try:
        mj.mj_fullM(m, outM, d.qM)
        full = "mj.mj_fullM(m, outM, d.qM)"
    except (AttributeError, TypeError):
        full = "mj.mj_fullM(m, d, outM)"
    stages = "d.qpos[:] = q; mj.mj_kinematics(m, d); mj.mj_comPos(m, d); mj.mj_makeM(m, d); " + full
    exec(stages, known)
    same("mj_fullM", outM, M, 1e-6)
    rows.add("mass", "mujoco, stages", stages, **known)


def many_states(rows: Rows, path: str, count: int, program: str | None) -> None:
    """A million states, beside the library called from C."""
    import zveno

    arm = zveno.read(path)
    arm.threads = 1
    random = np.random.default_rng(2)
    q, v, a = (random.uniform(-x, x, (count, arm.nv)) for x in (1, 2, 5))
    out, outM = np.empty((count, arm.nv)), np.empty((count, arm.nv, arm.nv))
    calls: dict[str, Callable[[], Any]] = {
        "inverse": lambda: arm.inverse_dynamics(q, v, a, out=out),
        "forward": lambda: arm.forward_dynamics(q, v, a, out=out),
        "mass": lambda: arm.mass_matrix(q, out=outM),
    }
    process = None
    if program:
        process = subprocess.Popen([program, path, str(count)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    for name, call in calls.items():
        row = f"{name}, {count:,} states"
        rows.add(row, "zveno, out=", call)
        if name == "inverse":
            rows.add(row, "zveno", lambda: arm.inverse_dynamics(q, v, a))
        if process and process.stdin and process.stdout:
            rows.add_measured(row, "C", lambda name=name: asked_of(process, name))  # type: ignore[misc]


def asked_of(process: Any, name: str) -> float:
    process.stdin.write(name + "\n")
    process.stdin.flush()
    return float(process.stdout.readline())


Programs = dict[str, Callable[..., Any]]  # question: function of q, v, and a or tau


def programs_of_adam(theirs: Any, H: Any, still: Any, solve: Callable[[Any, Any], Any]) -> Programs:
    """adam-robotics has M and h: inverse dynamics is M a + h, forward dynamics a solution with M. Whole batches, since vmap
    over its functions fails with JAX 0.10."""
    import adam

    theirs.set_frame_velocity_representation(adam.Representations.MIXED_REPRESENTATION)

    def inverse(q: Any, v: Any, a: Any) -> Any:
        return (theirs.mass_matrix(H, q)[:, 6:, 6:] @ a[..., None])[..., 0] + theirs.bias_force(H, q, still, v)[:, 6:]

    def forward(q: Any, v: Any, tau: Any) -> Any:
        load = tau - theirs.bias_force(H, q, still, v)[:, 6:]
        return solve(theirs.mass_matrix(H, q)[:, 6:, 6:], load[..., None])[..., 0]

    return {"inverse": inverse, "forward": forward}


def add_gradients(rows: Rows, where: str, engines: dict[str, Programs], ready: Callable[[Any], Callable[[], Any]]) -> None:
    """Answers of many states with the gradients of their sum of squares; `ready` makes of a function a call that gives these."""
    for question in ("inverse", "forward"):
        exact = None
        for engine, programs in engines.items():
            call = ready(programs[question])
            gradients = [np.asarray(g) for g in call()]
            exact = exact or gradients
            for found, expected in zip(gradients, exact):
                same(f"{engine}, {question}", found, expected, 1e-6)
            rows.add(f"{question} with gradients, {STATES} states, {where}", engine, call)


def gradients_of_jax(rows: Rows, path: str, q: Any, v: Any, a: Any) -> None:
    """JAX, compiled, in doubles."""
    import jax

    jax.config.update("jax_enable_x64", True)
    import jax.numpy as jnp
    import zveno
    import zveno.jax

    arm = zveno.read(path)
    arm.threads = 1
    x = tuple(map(jnp.asarray, (q, v, a)))
    engines: dict[str, Programs] = {
        "zveno.jax": {
            "inverse": lambda *x: zveno.jax.inverse_dynamics(arm, *x),
            "forward": lambda *x: zveno.jax.forward_dynamics(arm, *x),
        }
    }
    try:
        from adam.jax import KinDynComputations
    except ImportError:
        print("adam-robotics: not installed, takes no part")
    else:
        theirs = KinDynComputations(path, [j.name for j in arm.joints if j.nv], gravity=np.array([0, 0, -9.81, 0, 0, 0]))
        H, still = jnp.broadcast_to(jnp.eye(4), (len(q), 4, 4)), jnp.zeros((len(q), 6))
        engines["adam.jax"] = programs_of_adam(theirs, H, still, jnp.linalg.solve)

    def ready(f: Callable[..., Any]) -> Callable[[], Any]:
        gradient = jax.jit(jax.value_and_grad(lambda *x: (f(*x) ** 2).sum(), (0, 1, 2)))
        return lambda: jax.block_until_ready(gradient(*x))[1]

    add_gradients(rows, "JAX", engines, ready)


def gradients_of_torch(rows: Rows, path: str, q: Any, v: Any, a: Any) -> None:
    """PyTorch, by autograd, in doubles."""
    import torch
    import zveno
    import zveno.torch

    torch.set_num_threads(1)
    arm = zveno.read(path)
    arm.threads = 1
    x = tuple(torch.tensor(y, requires_grad=True) for y in (q, v, a))
    engines: dict[str, Programs] = {
        "zveno.torch": {
            "inverse": lambda *x: zveno.torch.inverse_dynamics(arm, *x),
            "forward": lambda *x: zveno.torch.forward_dynamics(arm, *x),
        }
    }
    try:
        from adam.pytorch import KinDynComputationsBatch
    except ImportError:
        pass
    else:
        gravity = torch.tensor([0, 0, -9.81, 0, 0, 0], dtype=torch.float64)
        theirs = KinDynComputationsBatch(path, [j.name for j in arm.joints if j.nv], dtype=torch.float64, gravity=gravity)
        H, still = torch.eye(4, dtype=torch.float64).expand(len(q), 4, 4), torch.zeros(len(q), 6, dtype=torch.float64)
        engines["adam.pytorch"] = programs_of_adam(theirs, H, still, torch.linalg.solve)
    add_gradients(rows, "PyTorch", engines, lambda f: lambda: torch.autograd.grad((f(*x) ** 2).sum(), x))


def before_others() -> str:
    """Lets this process run before all others, where that is allowed; words for it."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    except (AttributeError, PermissionError):
        return "among other processes"
    return "with real-time priority"


def two_processors(path: str, count: int, rounds: int) -> str:
    """What two threads gain, by the clock on the wall, which counts what others do; so they are kept away if possible."""
    import zveno

    os.sched_setaffinity(0, range(os.cpu_count() or 1))
    how = before_others()
    arm = zveno.read(path)
    q, v, a = np.random.default_rng(3).uniform(-1, 1, (3, count, arm.nv))
    out, best = np.empty_like(v), {1: np.inf, 2: np.inf}
    for _ in range(rounds):
        for threads in best:
            arm.threads = threads
            arm.inverse_dynamics(q[:2], v[:2], a[:2])
            start = time.perf_counter()
            arm.inverse_dynamics(q, v, a, out=out)
            best[threads] = min(best[threads], time.perf_counter() - start)
    if how == "with real-time priority":
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    return (
        f"inverse of {count:,} states by the clock on the wall, {how}: one thread {best[1] * 1e3:.1f} ms, two {best[2] * 1e3:.1f} ms, "
        f"{best[1] / best[2]:.2f} times as fast"
    )


def ten_million(path: str) -> str:
    """Inverse dynamics of 10^7 states on one processor, three tries."""
    import zveno

    arm = zveno.read(path)
    arm.threads = 1
    q = np.random.default_rng(4).uniform(-1, 1, (10_000_000, arm.nv))
    out = np.empty_like(q)
    took = min(timeit.Timer(lambda: arm.inverse_dynamics(q, q, q, out=out), timer=time.process_time).repeat(3, 1))
    return f"inverse of 10,000,000 states on one processor: {took:.3f} s"


def controller_of_python(path: str, rounds: int) -> str:
    """What a callable costs as a drive of a run, beyond its own work: beside a compiled function that does as little."""
    import ctypes

    import zveno

    arm = zveno.read(path)
    own = {"type": "function", "name": "mine"}
    scenario = zveno.Scenario({"model": arm, "duration": 1, "drives": [own], "integrator": {"method": "rk4", "step": 1e-4}})
    zeros, calls = np.zeros(arm.nv), 0

    def counting(t: float, q: Any, v: Any) -> Any:
        nonlocal calls
        calls += 1
        return zeros

    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "idle.c")
        Path(program).write_text("int idle(void *c, double t, const double *q, const double *v, double *f) { return 0; }\n")
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", f"{program}.so", program], check=True)
        idle = ctypes.CDLL(f"{program}.so").idle
    zveno.simulate(scenario, drives={"mine": counting}, keep=False)

    def took(drive: Any) -> float:
        start = time.process_time()
        zveno.simulate(scenario, drives={"mine": drive}, keep=False)
        return time.process_time() - start

    tries = [(took(lambda t, q, v: zeros), took(idle)) for _ in range(rounds)]
    callable_s, compiled_s = (min(x) for x in zip(*tries))
    each = (callable_s - compiled_s) / calls
    return f"a callable as the drive of {arm.nv} joints costs {each * 1e6:.2f} us a call beside a compiled function, {calls:,} calls"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    default = Path(__file__).resolve().parents[1] / "models" / "cobot7.urdf"
    parser.add_argument("robot", nargs="?", default=str(default), help="an arm in URDF (models/cobot7.urdf)")
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--states", type=int, default=1_000_000)
    parser.add_argument("--batch-times", help="the program zveno_batch_times of ./dev bench")
    parser.add_argument("--without", action="append", default=[], choices=["jax", "torch", "many"], help="leave rows out")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    gc.disable()
    random = np.random.default_rng(5)
    with tempfile.TemporaryDirectory() as folder:
        path = simplified(options.robot, folder)
        import zveno

        arm = zveno.read(path)
        print(f"{Path(options.robot).stem}, {arm.nv} joints; {options.rounds} rounds\n", flush=True)
        q, v, a = (random.uniform(-x, x, (STATES, arm.nv)) for x in (1, 1, 1))
        rows = Rows()
        one_state(rows, path)
        for package, gradients in (("jax", gradients_of_jax), ("torch", gradients_of_torch)):
            if package in options.without:
                continue
            try:
                gradients(rows, path, q, v, a)
            except ImportError as error:
                print(f"{package}: takes no part, {error}")
        if "many" not in options.without:
            many_states(rows, path, options.states, options.batch_times)
        rows.run(options.rounds)
        print(rows.told(), flush=True)
        print("\n" + controller_of_python(path, options.rounds), flush=True)
        if "many" not in options.without:
            print("\n" + two_processors(path, options.states, max(40, options.rounds)))
            os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
            print(ten_million(path))


if __name__ == "__main__":
    main()
