"""Simulations that the program advances: beside runs in one go, closed formulas, and the dynamics of the robot."""

from __future__ import annotations

import gc
import sys
import threading
import weakref
from typing import Any

import numpy as np
import pytest
import zveno
from conftest import robot, states
from test_simulation import OWN, SWING

RK4 = {"integrator.method": "rk4", "integrator.step": 1 / 512}


def test_pieces_make_the_whole() -> None:
    whole = zveno.simulate(SWING, changes=RK4)
    pieces = zveno.Simulation(SWING, changes=RK4, keep=True)
    while not pieces.over:
        assert pieces.step(1 / 64)
        assert pieces["q"] == pieces.q and abs(pieces["energy"][-1]) < 1e-9
    run = pieces.finish()
    assert run.complete and run.ending == whole.ending and run.statistics["steps"] == whole.statistics["steps"]
    for name in ("time", "q", "v", "energy"):
        assert np.array_equal(run.recording[name], whole.recording[name])


def test_a_robot_is_pushed() -> None:
    """Accelerations are those of forward dynamics at every state, whatever is pushed; work is what the forces did."""
    arm = robot("cobot7")
    q, v, _ = states(arm, 1)
    simulation = zveno.Simulation(arm, q=q[0], v=v[0], changes={**RK4, "passive": False})
    assert simulation.drives[0].dofs == tuple(range(arm.nv)) and np.array_equal(simulation.q, q[0])
    random = np.random.default_rng(3)
    for _ in range(20):
        forces = random.uniform(-9, 9, arm.nv)
        simulation.push(forces)
        expected = arm.forward_dynamics(simulation.q, simulation.v, forces)
        np.testing.assert_allclose(simulation["a"], expected, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(simulation["tau"], forces, rtol=1e-12)
        assert simulation.step(1 / 256)
    kinetic, potential = arm.energy(simulation.q, simulation.v)
    assert simulation["energy"][0] == pytest.approx(float(kinetic), rel=1e-12)
    run = simulation.summary()
    assert run.t == pytest.approx(20 / 256) and run.energy.judgement == "balanced" and run.energy.largest_gap < 1e-6
    again = zveno.Simulation(arm, changes={**RK4, "passive": False})
    again.set_state(q[0], v[0])
    np.testing.assert_allclose(again.q, q[0], atol=1e-15)
    floating = zveno.Simulation(robot("quadruped"), changes=RK4)
    assert len(floating.drives[0].dofs) == 12 and floating.step(0.01, np.zeros(12)) and floating.v[2] < 0


def test_states_are_put_back() -> None:
    """Steps of the same state are the same to the last bit; steps of central differences give the rates."""
    simulation = zveno.Simulation(OWN, changes=RK4)
    simulation.advance(0.25)
    q, v = simulation.q, simulation.v
    simulation.step(1 / 8, 0.5)
    later = simulation.q, simulation.v
    simulation.set_state(q, v)
    simulation.step(1 / 8)  # the force stays
    assert np.array_equal(simulation.q, later[0]) and np.array_equal(simulation.v, later[1])
    simulation.set_state(v=[0.0])
    assert simulation.v == 0 and np.array_equal(simulation.q, later[0])


def test_refusals() -> None:
    simulation = zveno.Simulation(OWN)
    for wrong, text in (([1, 2], "forces: expected shape"), ([np.nan], "finite"), ("x", "could not convert")):
        with pytest.raises(ValueError, match=text):
            simulation.push(wrong)  # type: ignore[arg-type]
    with pytest.raises(zveno.ModelError, match='found "his"'):
        simulation.push(1.0, "his")
    with pytest.raises(ValueError, match="q: expected shape"):
        simulation.set_state([1.0, 2.0])
    with pytest.raises(zveno.ModelError, match="finite"):
        simulation.set_state([np.inf])
    with pytest.raises(zveno.ModelError, match="no number"):
        simulation.advance(np.nan)
    with pytest.raises(KeyError, match="expected one of time, q, v, energy, found 'x'"):
        simulation["x"]
    with pytest.raises(TypeError, match="constant"):
        zveno.Simulation(zveno.Scenario(OWN), changes={"duration": 2})
    assert simulation.step(-1) and simulation.t == 0
    assert simulation.advance(5) and simulation.t == 1 and simulation.over
    assert simulation.finish().complete
    with pytest.raises(zveno.ModelError, match="finished"):
        simulation.finish()
    with pytest.raises(zveno.ModelError, match="finished"):
        simulation.push(2.0)
    with pytest.raises(TypeError):
        zveno._full.Simulation(1)  # type: ignore[attr-defined]


def test_controllers_and_what_they_raise() -> None:
    calls: list[float] = []
    held: list[Any] = []

    def mine(t: float, q: np.ndarray, v: np.ndarray) -> float:
        calls.append(t)
        if t > 0.5:
            raise ZeroDivisionError("at last")
        if held:
            with pytest.raises(RuntimeError, match="busy"):
                held[0].step(0.1)
        return -0.3 * v[0]

    simulation = zveno.Simulation(OWN, drives={"mine": mine}, changes=RK4)
    held.append(simulation)
    with pytest.raises(zveno.ModelError, match="no function"):
        simulation.push(1.0)
    simulation.advance(0.25)
    held.clear()
    assert simulation.q == zveno.simulate({**OWN, "duration": 0.25}, drives={"mine": lambda t, q, v: -0.3 * v}, changes=RK4).q
    with pytest.raises(ZeroDivisionError, match="at last") as told:
        simulation.advance(0.75)
    assert told.value.run.t <= 0.51 and simulation.over  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="found 2"):
        zveno.Simulation(OWN, drives={"mine": lambda t, q, v: [1, 2]}, changes=RK4).step(0.1)
    stopped = zveno.Simulation(SWING, progress=lambda p: p.t < 0.5, interval=1e-9, changes=RK4)
    assert not stopped.advance(1) and not stopped.over and 0.5 <= stopped.t < 0.6


def test_references_are_given_back() -> None:
    class Owner:
        simulation: zveno.Simulation

        def force(self, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
            return -v

    owner = Owner()
    owner.simulation = zveno.Simulation(OWN, drives={"mine": owner.force}, changes=RK4)  # a cycle
    owner.simulation.step(0.1)
    seen = weakref.ref(owner)
    del owner
    gc.collect()
    assert seen() is None
    simulation = zveno.Simulation(OWN, changes=RK4)
    gc.collect()
    forces, held = np.array([0.2]), sys.getrefcount(None)
    for _ in range(200):
        simulation.push(forces)
        simulation.step(1e-3)
        simulation["energy"], simulation.q, simulation.summary()
    assert sys.getrefcount(forces) == 2 and abs(sys.getrefcount(None) - held) < 100


def test_threads_have_simulations_of_their_own() -> None:
    scenario, answers = zveno.Scenario(OWN, changes=RK4), [0.0] * 4

    def work(k: int) -> None:
        simulation = zveno.Simulation(scenario)
        for i in range(200):
            simulation.step(1 / 256, [0.1 * k * np.sin(i)])
        answers[k] = float(simulation.q[0])

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    together = list(answers)
    for k in range(4):
        work(k)
    assert answers == together and len(set(answers)) == 4
