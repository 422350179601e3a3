"""Arrays of every shape, type and layout give the answers of plain ones, or a sentence."""

from __future__ import annotations

import threading
import weakref

import numpy as np
import pytest
import zveno
from conftest import robot, states
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

ARM = robot("cobot7")
N = ARM.nv


def test_one_and_many_states_agree(rigid: zveno.Robot) -> None:
    q, v, a = states(rigid, 70)
    many = rigid.inverse_dynamics(q, v, a)
    one = np.array([rigid.inverse_dynamics(*x) for x in zip(q, v, a)])
    np.testing.assert_allclose(many, one, rtol=1e-12, atol=1e-12 * np.abs(one).max())
    pose = rigid.frame_pose(q, rigid.frames[-1])
    np.testing.assert_allclose(pose, [rigid.frame_pose(x, rigid.frames[-1]) for x in q], atol=1e-13)
    shaped = rigid.inverse_dynamics(q.reshape(7, 10, -1), v.reshape(7, 10, -1), a.reshape(7, 10, -1))
    np.testing.assert_array_equal(shaped, many.reshape(7, 10, -1))


def test_out_and_dtype() -> None:
    q, v, a = states(ARM, 50)
    tau = ARM.inverse_dynamics(q, v, a)
    for out in (np.empty((50, N)), np.empty((50, 2 * N))[:, ::2], np.empty((N, 50)).T, np.empty((50, N), np.float32)):
        assert ARM.inverse_dynamics(q, v, a, out=out) is out
        np.testing.assert_allclose(out, tau, rtol=1e-5, atol=1e-4)
    single = ARM.inverse_dynamics(*(x.astype(np.float32) for x in (q, v, a)))
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, tau, rtol=1e-4, atol=1e-3)
    assert ARM.mass_times(q[0].astype("f4"), v[0].astype("f4")).dtype == np.float32
    d = tuple(np.empty((50, N, N)) for _ in range(3))
    answer = ARM.inverse_derivatives(q, v, a, out=(d[0], None, d[2]))
    assert answer.dq is d[0] and answer.da is d[2]
    np.testing.assert_array_equal(answer.dv, ARM.inverse_derivatives(q, v, a).dv)


def test_answers_over_inputs() -> None:
    q, v, a = states(ARM, 40)
    tau = ARM.inverse_dynamics(q, v, a)
    for k in range(3):
        x = [q.copy(), v.copy(), a.copy()]
        np.testing.assert_array_equal(ARM.inverse_dynamics(*x, out=x[k]), tau)
        x = [q.copy(), v.copy(), a.copy()]
        np.testing.assert_allclose(ARM.inverse_dynamics(*(y[3] for y in x), out=x[k][3]), tau[3], rtol=1e-12)
        wide = np.zeros(N + 1)
        wide[:-1] = q[0]
        expected = ARM.inverse_dynamics(q[0], v[0], a[0])
        np.testing.assert_array_equal(ARM.inverse_dynamics(wide[:-1], v[0], a[0], out=wide[1:]), expected)


def test_broadcast() -> None:
    q, v, a = states(ARM, 6)
    grid = ARM.inverse_dynamics(q[:, None], v[None, :4], a[0])
    assert grid.shape == (6, 4, N)
    np.testing.assert_allclose(grid[5, 3], ARM.inverse_dynamics(q[5], v[3], a[0]), rtol=1e-11, atol=1e-11)
    still = np.broadcast_to(v[0], (6, N))
    np.testing.assert_array_equal(ARM.inverse_dynamics(q, still, a), ARM.inverse_dynamics(q, still.copy(), a))
    many = 20001  # more than what is brought together at a time
    Q = np.broadcast_to(q[2], (many, N))
    np.testing.assert_array_equal(ARM.bias(Q, v[1])[[0, -1]], np.array([ARM.bias(Q[:2], v[1])[0]] * 2))
    with pytest.raises(ValueError, match="do not broadcast"):
        ARM.inverse_dynamics(q, v[:4])


def test_nothing_given_and_empty() -> None:
    assert ARM.neutral().shape == (N,)
    assert ARM.inverse_dynamics(np.empty((0, N))).shape == (0, N)
    assert ARM.mass_matrix(np.empty((3, 0, N))).shape == (3, 0, N, N)
    np.testing.assert_array_equal(ARM.inverse_dynamics([0] * N), ARM.gravity_force(np.zeros(N)))


@pytest.mark.parametrize(
    "arguments, named, kind, sentence",
    [
        ([np.zeros(N - 1)], {}, ValueError, r"q of inverse_dynamics: expected shape \(\.\.\., 8\), found \(7,\)"),
        ([0.0], {}, ValueError, r"expected shape \(\.\.\., 8\), found \(\)"),
        ([np.zeros(N, object)], {}, TypeError, "expected real numbers, found dtype object"),
        ([np.zeros(N, complex)], {}, TypeError, "expected real numbers, found dtype complex"),
        (["words"], {}, TypeError, "expected real numbers"),
        ([], {}, TypeError, "q is missing"),
        ([np.zeros(N)] * 9, {}, TypeError, "at most 5 arguments by place"),
        ([np.zeros(N)], {"w": 1}, TypeError, "no argument 'w'"),
        ([np.zeros(N)], {"q": np.zeros(N)}, TypeError, "given twice"),
        ([np.zeros(N)], {"out": np.zeros(N + 1)}, ValueError, "out of inverse_dynamics: expected shape"),
        ([np.zeros(N)], {"out": np.zeros(N, int)}, TypeError, "expected an array of floats"),
        ([np.zeros(N)], {"out": [0.0] * N}, TypeError, "out of inverse_dynamics: expected an array"),
        ([np.zeros(N)], {"fext": np.zeros((2, 6))}, ValueError, "fext of inverse_dynamics: expected shape"),
    ],
)
def test_refusals(arguments: list[object], named: dict[str, object], kind: type[Exception], sentence: str) -> None:
    with pytest.raises(kind, match=sentence):
        ARM.inverse_dynamics(*arguments, **named)


def test_read_only_out_is_refused() -> None:
    out = np.zeros(N)
    out.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        ARM.inverse_dynamics(np.zeros(N), out=out)


def test_options_are_refused_with_what_is_expected() -> None:
    q = np.zeros(N)
    for call, kind, sentence in (
        (lambda: ARM.frame_pose(q, "hand of another"), KeyError, "found .*hand of another"),
        (lambda: ARM.frame_pose(q, 99), IndexError, "expected 0 to"),
        (lambda: ARM.frame_pose(q, 1.5), TypeError, "expected a name or a number"),
        (lambda: ARM.frame_jacobian(q, 0, axes="sideways"), ValueError, 'expected "world" or "local"'),
        (lambda: ARM.task_jacobian(q, 0, rows="w"), ValueError, "expected some of x, y, z"),
        (lambda: ARM.mass_matrix(q, method=3), TypeError, "expected a text"),
    ):
        with pytest.raises(kind, match=sentence):
            call()


# Any arrays that hypothesis finds: an answer of the right shape, or an exception of Python's; never a crash.
LAYOUTS = [
    lambda x: x,
    lambda x: np.asfortranarray(x),
    lambda x: x[..., ::-1],
    lambda x: np.repeat(x, 2, axis=-1)[..., ::2],
    lambda x: x.astype(x.dtype.newbyteorder()),
    lambda x: np.frombuffer(b"\0" + x.tobytes(), np.uint8)[1:].view(x.dtype).reshape(x.shape) if x.size else x,
]
TYPES = st.sampled_from([np.float64, np.float32, np.float16, np.int32, np.uint8, np.bool_, np.int64, np.longdouble])


@settings(max_examples=400, deadline=None)
@given(data=st.data(), lead=hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4))
def test_any_layout_and_type(data: st.DataObject, lead: tuple[int, ...]) -> None:
    arrays, plain = [], []
    for _ in range(3):
        own = tuple(data.draw(st.sampled_from([n, 1])) for n in lead)[data.draw(st.integers(0, len(lead))) :]
        x = data.draw(hnp.arrays(data.draw(TYPES), own + (N,), elements=st.integers(0, 1)))
        arrays.append(data.draw(st.sampled_from(LAYOUTS))(x))
        plain.append(np.array(arrays[-1], float))
    shape = np.broadcast_shapes(*(x.shape for x in plain))
    tau = ARM.inverse_dynamics(*arrays)
    assert tau.shape == shape
    full = [np.ascontiguousarray(np.broadcast_to(x, shape)) for x in plain]
    exact = ARM.inverse_dynamics(*full)
    np.testing.assert_allclose(tau, exact, rtol=1e-3, atol=1e-2 if tau.dtype == np.float32 else 1e-10)


@settings(max_examples=400, deadline=None)
@given(
    x=st.one_of(
        hnp.arrays(
            st.sampled_from([np.float64, np.float32, complex, "U3", np.int8]),
            hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=9),
        ),
        hnp.arrays(object, hnp.array_shapes(min_dims=0, max_side=9), elements=st.none() | st.floats() | st.text(max_size=2)),
        st.recursive(st.floats() | st.text(max_size=2) | st.none(), st.lists, max_leaves=12),
    ),
    out=st.none() | hnp.arrays(st.sampled_from([np.float64, np.int8]), hnp.array_shapes(max_dims=2, max_side=9)),
)
def test_anything_is_an_answer_or_an_exception(x: object, out: object) -> None:
    for ask in (ARM.inverse_dynamics, ARM.mass_matrix, ARM.forward_derivatives):
        try:
            ask(x, out=out)
        except (TypeError, ValueError, zveno.Error, OverflowError):
            pass


@settings(max_examples=100, deadline=None)
@given(st.lists(st.floats(allow_nan=True, allow_infinity=True), min_size=N, max_size=N))
def test_numbers_that_are_none(q: list[float]) -> None:
    answer = ARM.inverse_dynamics(np.array([q, [0.0] * N]))
    np.testing.assert_array_equal(answer[1], ARM.inverse_dynamics(np.zeros((2, N)))[1])
    if not np.isfinite(q).all():
        assert not np.isfinite(answer[0]).all()


def test_many_threads_ask_one_robot() -> None:
    q, v, a = states(ARM, 3000)
    tau, M = ARM.inverse_dynamics(q, v, a), ARM.mass_matrix(q[:50])
    bad: list[int] = []

    def ask(k: int) -> None:
        for i in range(30):
            one = ARM.inverse_dynamics(q[i], v[i], a[i])
            if (ARM.inverse_dynamics(q, v, a) != tau).any() or not np.allclose(one, tau[i], rtol=1e-11, atol=1e-11):
                bad.append(k)
            if (ARM.mass_matrix(q[:50]) != M).any():
                bad.append(k)
            if k == 0:
                ARM.threads = i % 3

    threads = [threading.Thread(target=ask, args=(k,)) for k in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    ARM.threads = 0
    assert not bad


def test_answers_that_somebody_has_stay() -> None:
    """The memory of a small answer is given out again when nobody has it, and only then."""
    q, v, a = states(ARM, 40)
    mass = ARM.mass_matrix(q)
    kept = [ARM.mass_matrix(x) for x in q]
    np.testing.assert_allclose(kept, mass, rtol=1e-12, atol=1e-13)
    part, expected = ARM.mass_matrix(q[0])[1:3], mass[0, 1:3]
    memory, weak = memoryview(ARM.mass_matrix(q[0])), weakref.ref(kept[0])
    fields = [ARM.inverse_derivatives(*x).dv for x in zip(q, v, a)]
    for i in range(40):
        ARM.mass_matrix(q[i])
        assert np.array_equal(fields[i], ARM.inverse_derivatives(q[i], v[i], a[i]).dv)
    np.testing.assert_allclose(part, expected, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(np.asarray(memory), mass[0], rtol=1e-12, atol=1e-13)
    del kept
    for _ in range(3):  # what was done to an array is not seen in the next
        x = ARM.mass_matrix(q[1])
        x.shape = (N * N,)
        weak = weakref.ref(x)
        del x
        x = ARM.mass_matrix(q[1])
        assert x.shape == (N, N) and x.flags.writeable and (weak() is None or weak() is not x)
        x.flags.writeable = False
        x = ARM.mass_matrix(q[1])
        assert x.flags.writeable
        del x
    other = robot("puma560")
    assert [r.mass_matrix(r.neutral()).shape for r in (ARM, other, ARM)] == [(N, N), (6, 6), (N, N)]


def test_references_do_not_leak() -> None:
    import sys

    q = np.zeros(N)
    many = np.zeros((5, N))
    out = np.empty(N)
    before = [sys.getrefcount(x) for x in (q, many, out, ARM)]
    for _ in range(100):
        ARM.inverse_dynamics(q, out=out)
        ARM.inverse_dynamics(many, q)
        ARM.forward_derivatives(many[::2])
        with pytest.raises(ValueError):
            ARM.inverse_dynamics(many[:, 1:], q)
        with pytest.raises(ValueError):
            ARM.inverse_dynamics(many, out=out)
    assert [sys.getrefcount(x) for x in (q, many, out, ARM)] == before
