"""Equations of SymPy: term by term those of the publications, and the engine at parameters at random.

usage: check_sympy.py ZVENO SOURCE_DIR WORK_DIR"""
import importlib.util
import json
import os
import random
import sys

from common import SKIPPED, WORK, arm, engine, equations, model, near, random_state, stiffening_gear, wrench, zveno

try:
    import mpmath as mp
    import sympy as sp
except ImportError:
    print("SymPy is not here: apt install python3-sympy")
    sys.exit(SKIPPED)

mp.mp.dps = 40
# Forty digits are worked out, so that a difference is one of the equations and not of how they are rounded. The
# engine, in double precision, is held to so many parts of what its terms come to without their signs.
EQUAL = 1e-14


def load(path):
    spec = importlib.util.spec_from_file_location("equations", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def vanish(what, *terms):
    for i, term in enumerate(terms):
        rest = sp.simplify(sp.expand_trig(sp.expand(sp.nsimplify(term))))
        if rest != 0:
            sys.exit("%s, %d: %s is left" % (what, i + 1, rest))


def two_link():
    """[Kolyubin]: d11, d12, d22, h, g of the planar arm with viscous friction."""
    e = load(equations(model("two_link"), "sympy", "--symbols", "m,l,lc,J1zz=I1,J2zz=I2,g,d1=eta1,d2=eta2",
                       "--passive"))
    h = -e.m2 * e.l1 * e.lc2 * sp.sin(e.q2)
    d11 = e.m1 * e.lc1**2 + e.I1 + e.m2 * (e.l1**2 + e.lc2**2 + 2 * e.l1 * e.lc2 * sp.cos(e.q2)) + e.I2
    d12 = e.m2 * (e.lc2**2 + e.l1 * e.lc2 * sp.cos(e.q2)) + e.I2
    d22 = e.m2 * e.lc2**2 + e.I2
    g1 = (e.m1 * e.lc1 + e.m2 * e.l1) * e.g0 * sp.cos(e.q1) + e.m2 * e.lc2 * e.g0 * sp.cos(e.q1 + e.q2)
    g2 = e.m2 * e.lc2 * e.g0 * sp.cos(e.q1 + e.q2)
    vanish("2R", *(e.M - sp.Matrix([[d11, d12], [d12, d22]])),
           *(e.c - sp.Matrix([h * (2 * e.v1 * e.v2 + e.v2**2), -h * e.v1**2])), *(e.g - sp.Matrix([g1, g2])),
           *(e.p + sp.Matrix([e.eta1 * e.v1, e.eta2 * e.v2])))


def liu_letters(e):
    """Letters of [Liu] for ours: centres of mass at -rho, theta2 = pi/2 - q2."""
    th2, w2, al2, b2 = sp.symbols("th2 w2 al2 b2", real=True)
    rho = sp.symbols("rho1:4", real=True)
    return (th2, w2, al2, b2, rho,
            {e.q2: sp.pi / 2 - th2, e.v2: -w2, e.a2: -al2, e.l1: -b2, e.lc2: -rho[1], e.lc3: -rho[2],
             e.r2: sp.pi / 2})


def rrp():
    """[Liu] (46a-c) with the corrections, and on a rail (44), (43), (45)."""
    e = load(equations(model("rrp_rail"), "sympy", "--symbols", "all", "--moments", "origin", "--passive"))
    th2, w2, al2, b2, rho, ours = liu_letters(e)
    s, c, z, zd, zdd = sp.sin(th2), sp.cos(th2), e.q3, e.v3, e.a3
    w1, al1, m2, m3, r2, r3, g = e.v1, e.a1, e.m2, e.m3, rho[1], rho[2], e.g0
    J13, J21, J22, J23, J31, J32, J33 = e.J1, e.J2xx, e.J2yy, e.J2zz, e.J3xx, e.J3yy, e.J3zz
    b4, lam = e.l3, (e.lam1, e.lam2, e.lam3)
    a = ((J13 + (J22 + J33) * s**2 + (J21 + J31 + m3 * z * (z - 2 * r3)) * c**2 + m2 * b2 * (b2 - 2 * r2) + m3 * b2**2) * al1
         + 2 * (J22 - J21 - J31 + J33 + m3 * z * (2 * r3 - z)) * w1 * w2 * c * s
         + m3 * b2 * ((r3 - z) * (w2**2 * c + al2 * s) + zdd * c - 2 * w2 * zd * s) + 2 * m3 * (z - r3) * w1 * zd * c**2
         + e.d1 * w1 + e.k1 * e.q1)
    b = ((J23 + J32 + m3 * z * (z - 2 * r3)) * al2 + (J21 - J22 + J31 - J33 + m3 * z * (z - 2 * r3)) * w1**2 * c * s
         + m3 * (2 * (z - r3) * zd * w2 + (r3 - z) * (al1 * b2 * s + g * c)) + e.d2 * w2 + e.k2 * th2)
    cc = m3 * (zdd + b2 * al1 * c + (r3 - z) * (w2**2 + w1**2 * c**2) - g * s) + e.d3 * zd + e.k3 * z
    right = (lam[0] * b2 * s - lam[1] * (b4 + z) * c + lam[2] * b2 * c, -lam[0] * (b4 + z), lam[2])
    tau = [t.subs(ours) for t in e.tau]
    vanish("(46)", a - right[0] - tau[0], b - right[1] + tau[1], cc - right[2] - tau[2])
    V = (e.G * sp.Matrix([e.v1, e.v2, e.v3, 0])).subs(ours)
    vanish("(44)", V[0] - (w1 * b2 * s - w2 * (b4 + z)), V[1] + w1 * (b4 + z) * c, V[2] - zd - w1 * b2 * c)
    psi = 2 * e.q4 + sp.pi / 2  # radius 0.5 m, turned by a quarter from the radius to the tangent
    tangent = (s * sp.cos(e.q1 - psi), sp.sin(e.q1 - psi), c * sp.cos(e.q1 - psi))
    vanish("(43)", *(e.G[k, 3].subs(ours) + tangent[k] for k in range(3)))
    vanish("(45)", e.numbers[e.d4] - 3, tau[3] - e.d4 * e.v4 - sum(lam[k] * tangent[k] for k in range(3)))


def flexible():
    """The published arm with elastic joints from rest to 0.25 s by Runge-Kutta's fourth order, [Kolyubin] 3.4."""
    e = load(equations(model("two_link"), "sympy", "--symbols", "all", "--flexible", "all"))
    numbers = {e.Mm1: 0.8, e.Mm2: 0.32, e.Kf1: 1200, e.Kf2: 700, e.Df1: 0, e.Df2: 0} | e.numbers
    state = [e.q1, e.q2, e.v1, e.v2, e.th1, e.th2, e.thv1, e.thv2]
    M, spring = e.M.subs(numbers), e.spring.subs(numbers)
    rest = e.taum.subs(numbers).subs({e.tha1: 0, e.tha2: 0})
    parts = sp.lambdify(state, [*M, *(spring - (e.c + e.g).subs(numbers)), *rest, *spring], "math", cse=True)
    begin, end, steps, last = (-0.5, 0.3), (0.3, -0.4), 2500, 0.25

    def rate(t, y):
        m11, m12, _, m22, f1, f2, s1, s2, _, _ = parts(*y)
        det = m11 * m22 - m12 * m12
        x = t / ARM["T"]
        wanted = [b + (w - b) * (10 * x**3 - 15 * x**4 + 6 * x**5) for b, w in zip(begin, end)]
        speed = [(w - b) * (30 * x**2 - 60 * x**3 + 30 * x**4) / ARM["T"] for b, w in zip(begin, end)]
        push = [kp * (wanted[i] - y[4 + i]) + kd * (speed[i] - y[6 + i]) + ARM["feed"][i]
                for i, (kp, kd) in enumerate(((400, 40), (200, 20)))]
        return [*y[2:4], (m22 * f1 - m12 * f2) / det, (m11 * f2 - m12 * f1) / det, *y[6:], (push[0] - s1) / 0.8,
                (push[1] - s2) / 0.32]
    y, h = [*ARM["q0"], 0, 0, *ARM["theta0"], 0, 0], last / steps
    for k in range(steps):
        t = k * h
        a = rate(t, y)
        b = rate(t + h / 2, [u + h / 2 * w for u, w in zip(y, a)])
        c = rate(t + h / 2, [u + h / 2 * w for u, w in zip(y, b)])
        d = rate(t + h, [u + h * w for u, w in zip(y, c)])
        y = [u + h / 6 * (i + 2 * j + 2 * m + n) for u, i, j, m, n in zip(y, a, b, c, d)]
    near("flexible q", y[:2], ARM["q"], 1e-10)
    near("flexible theta", y[4:6], ARM["theta"], 1e-10)
    near("flexible spring", parts(*y)[8:], ARM["spring"], 1e-9)


def stiffening():
    """A gear with a cubic stiffness and a damped motor: a run by the equations and the engine's own."""
    e = load(equations(stiffening_gear(), "sympy", "--flexible", "all"))
    rates = [e.v1, sp.solve(sp.Eq(e.tau[0].subs(e.numbers), e.spring[0].subs(e.numbers)), e.a1)[0], e.thv1,
             sp.solve(sp.Eq(e.taum[0].subs(e.numbers), 40), e.tha1)[0]]
    rate = sp.lambdify([e.q1, e.v1, e.th1, e.thv1], rates, "math", cse=True)
    y, steps, h = [0.3, 0, 0.3, 0], 4000, 0.2 / 4000
    for _ in range(steps):
        a = rate(*y)
        b = rate(*(u + h / 2 * w for u, w in zip(y, a)))
        c = rate(*(u + h / 2 * w for u, w in zip(y, b)))
        d = rate(*(u + h * w for u, w in zip(y, c)))
        y = [u + h / 6 * (i + 2 * j + 2 * m + n) for u, i, j, m, n in zip(y, a, b, c, d)]
    run = os.path.join(WORK, "stiffening_run.yaml")
    with open(run, "w") as file:
        file.write("zveno_scenario: 1\nmodel: stiffening.yaml\nduration: 0.2\ninitial: {q: [0.3]}\n"
                   "drives: [{type: torque, joint: swing, law: 40}]\n"
                   "integrator: {method: erk, order: 8, rtol: 1e-12, atol: 1e-12}\n")
    got = json.loads(zveno("simulate", run, "--quiet", "--json", "-o", os.path.join(WORK, "stiffening.csv")))
    near("stiffening gear", [*got["q"], *got["v"]], y[:2], 1e-9)


def five_bar_numbers(l, lc, m, I, g, q, v):
    """[Kolyubin]: D_r and C_r v_r + G_r in absolute angles q1 ... q4; links 1 and 2 on the ground."""
    sin, cos = mp.sin, mp.cos
    D = [[mp.mpf(0)] * 4 for _ in range(4)]
    D[0][0] = m[0] * lc[0]**2 + I[0] + m[3] * l[0]**2
    D[1][1] = m[1] * lc[1]**2 + I[1] + m[2] * l[1]**2
    D[2][2] = m[2] * lc[2]**2 + I[2]
    D[3][3] = m[3] * lc[3]**2 + I[3]
    D[1][2] = D[2][1] = m[2] * l[1] * lc[2] * cos(q[1] - q[2])
    D[0][3] = D[3][0] = -m[3] * l[0] * lc[3] * cos(q[0] - q[3])
    A, B = m[2] * l[1] * lc[2] * sin(q[1] - q[2]), -m[3] * l[0] * lc[3] * sin(q[0] - q[3])
    h = [B * v[3]**2, A * v[2]**2, -A * v[1]**2, -B * v[0]**2]
    G = [g * x for x in ((m[0] * lc[0] + m[3] * l[0]) * cos(q[0]), (m[1] * lc[1] + m[2] * l[1]) * cos(q[1]),
                         m[2] * lc[2] * cos(q[2]), -m[3] * lc[3] * cos(q[3]))]
    sign = (1, -1, -1, 1)
    J = [[-sign[k] * l[k] * sin(q[k]) for k in range(4)], [sign[k] * l[k] * cos(q[k]) for k in range(4)]]
    rest = [-sum(sign[k] * l[k] * f(q[k]) * v[k]**2 for k in range(4)) for f in (cos, sin)]
    det = J[0][2] * J[1][3] - J[0][3] * J[1][2]

    def solve(x, y):
        return ((J[1][3] * x - J[0][3] * y) / det, (J[0][2] * y - J[1][2] * x) / det)
    P = [[1, 0], [0, 1], [0, 0], [0, 0]]
    for i in range(2):
        P[2][i], P[3][i] = (-x for x in solve(J[0][i], J[1][i]))
    gamma = [0, 0] + [-x for x in solve(*rest)]
    Dr = [[sum(P[k][i] * D[k][n] * P[n][j] for k in range(4) for n in range(4)) for j in range(2)] for i in range(2)]
    n = [sum(D[k][j] * gamma[j] for j in range(4)) + h[k] + G[k] for k in range(4)]
    return P, Dr, [sum(P[k][i] * n[k] for k in range(4)) for i in range(2)]


def five_bar():
    """The reduced equations at 100 sets of parameters, and a state of a published run."""
    e = load(equations(model("five_bar"), "sympy", "--symbols", "all"))
    order = (0, 2, 3, 1)  # links 1 ... 4 of the lecture are crank1, crank2, arm3, arm4
    names = [[getattr(e, word % (k + 1)) for k in order] for word in ("m%d", "l%d", "lc%d", "J%d")]
    symbols = [x for row in names for x in row] + [e.g0, e.q1, e.q2, e.q3, e.q4, e.v1, e.v2, e.v3, e.v4]
    v_r = sp.Matrix([e.v1, e.v3])
    make = sp.lambdify(symbols, (list(e.Dr), list(e.Cr * v_r + e.Gr)), "mpmath", cse=True)
    draw = random.Random(46)
    for case in range(100):
        m, l, lc, I = ([mp.mpf(draw.uniform(0.2, 2)) for _ in range(4)] for _ in range(4))
        g, q = mp.mpf(draw.uniform(1, 10)), [mp.mpf(draw.uniform(-3, 3)) for _ in range(4)]
        while abs(mp.sin(q[2] - q[3])) < 0.2:
            q = [mp.mpf(draw.uniform(-3, 3)) for _ in range(4)]
        minus = lc[:3] + [-lc[3]]  # the lecture counts the centre of mass of link 4 backwards
        vr = [mp.mpf(draw.uniform(-2, 2)) for _ in range(2)]
        P = five_bar_numbers(l, minus, m, I, g, q, [0] * 4)[0]
        v = [sum(P[k][i] * vr[i] for i in range(2)) for k in range(4)]
        _, Dr, bias = five_bar_numbers(l, minus, m, I, g, q, v)
        own_q, own_v = ([x[0], x[3] - x[0], x[1], x[2] - x[1]] for x in (q, v))
        got = make(*m, *l, *lc, *I, g, *own_q, *own_v)
        near("five-bar D_r, case %d" % case, got[0], [x for row in Dr for x in row], EQUAL)
        near("five-bar bias, case %d" % case, got[1], bias, EQUAL)
    q, v = ([mp.mpf(x) for x in REFERENCE[k]] for k in ("q", "qd"))
    numbers = [mp.mpf(e.numbers[x]) for row in names for x in row] + [mp.mpf(e.numbers[e.g0])]
    got = make(*numbers, q[0], q[3] - q[0], q[1], q[2] - q[1], v[0], v[3] - v[0], v[1], v[2] - v[1])
    near("reference D_r", [float(x) for x in got[0]], [x for row in REFERENCE["D_r"] for x in row], 1e-12)
    near("reference bias", [float(x) for x in got[1]], REFERENCE["bias_r"], 1e-12)


def random_parameters():
    """One derivation with letters for all; a hundred engines with other numbers."""
    words = ("--symbols", "all", "--passive", "--frame", "tip")
    e = load(equations(arm(1), "sympy", *words))
    letters = list(e.numbers)
    symbols = letters + [getattr(e, k + str(i)) for k in "qva" for i in range(1, 5)] + list(e.F)
    terms = [sp.Add.make_args(sp.expand(t)) for t in e.tau]
    make = sp.lambdify(symbols, terms, "mpmath", cse=True)
    for seed in range(1, 101):
        path, state, force = arm(seed), random_state(seed), wrench(seed)
        other = e if seed == 1 else load(equations(path, "sympy", *words))
        values = {str(k): mp.mpf(str(x)) for k, x in other.numbers.items()}

        def forces(turn):
            inputs = [*state["q"], *(turn * x for x in state["v"]), *state["a"], *force]
            parts = make(*(values[str(x)] for x in letters), *(mp.mpf(x) for x in inputs))
            return [mp.fsum(p) for p in parts], [mp.fsum(abs(x) for x in p) for p in parts]
        want = engine(path, state | {"fext": {"tip": force}}, "--passive", "--smoothing", "0")["tau"]
        got, scales = forces(1)
        near("arm %d" % seed, got, want, EQUAL, scales)
        if max(abs(x - y) for x, y in zip(forces(-1)[0], want)) < 1e-6:
            sys.exit("the rates have no influence")


# The run of the arm with elastic joints: its start, what the motors are fed, and where it is after 0.25 s.
ARM = {
    "q0": [-0.5, 0.3],
    "theta0": [-0.46848053352883, 0.3109879464327115],
    "feed": [50.431146353872, 9.889151789440366],
    "q": [-0.4510524243800601, 0.22312845858990316],
    "theta": [-0.4096419440508041, 0.23757908815810738],
    "spring": [49.69257639510718, 10.115440697742958],
    "T": 1.0,
}
# A state of the forward run of the five-bar, absolute angles of links 1 ... 4.
REFERENCE = {
    "q": [0.4333136266867, 1.8123072356704146, 0.6222589947492009, 1.5909142022035405],
    "qd": [1.3005225440804482, -0.7070872121526892, 0.9661915224522751, -0.31490432694020126],
    "D_r": [[0.3467091314460621, 0.08822241770019493], [0.08822241770019493, 0.2089616118191139]],
    "bias_r": [10.916722343186668, -0.8611400458021189],
}

for check in (two_link, rrp, flexible, stiffening, five_bar, random_parameters):
    check()
    print(check.__name__, "agrees")
