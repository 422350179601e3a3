/* The path of a curve joint by arc length, from the table of its points [[s, x, y, z], ...]: a line or a circle through
 * them, or the natural (closed: periodic) cubic over s. A table that has the spline's own points, and any others of it
 * besides, gives the engine's spline again, since the interpolating natural spline is unique. s of a spline is the
 * accumulated chord length; where its arc length stands is found by quadrature and Newton's iteration. */
import { cross, unit } from "./pose.js";

const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

function makeLine(points) {
    const [s, ...p] = points[0];
    const last = points[points.length - 1];
    const d = minus(last.slice(1), p).map((x) => x / (last[0] - s));
    return (at, out) => {
        for (let i = 0; i < 3; i++) out[i] = p[i] + d[i] * (at - s);
    };
}

/* Centre of the circle through three points: a + n x (e f.f - f e.e) / (2 n.n) with edges e, f from a and n = e x f. */
function circumcentre(a, b, c) {
    const e = minus(b, a), f = minus(c, a), n = cross(e, f);
    const ee = dot(e, e), ff = dot(f, f), k = 1 / (2 * dot(n, n));
    const g = cross(n, minus(e.map((x) => x * ff), f.map((x) => x * ee)));
    return a.map((x, i) => x + k * g[i]);
}

function makeCircle(points) {
    const count = points.length;
    const [a, b, c] = [0, Math.floor(count / 3), Math.floor((2 * count) / 3)].map((i) => points[i]);
    const centre = circumcentre(a.slice(1), b.slice(1), c.slice(1));
    const u = minus(a.slice(1), centre), radius = Math.sqrt(dot(u, u));
    const w = cross(unit(cross(minus(b.slice(1), a.slice(1)), minus(c.slice(1), a.slice(1)))), u);
    return (at, out) => {
        const angle = (at - a[0]) / radius, cos = Math.cos(angle), sin = Math.sin(angle);
        for (let i = 0; i < 3; i++) out[i] = centre[i] + cos * u[i] + sin * w[i];
    };
}

/* Solves the tridiagonal system (lower a, diagonal b, upper c) in place of x; b is destroyed. */
function tridiagonal(a, b, c, x) {
    const n = x.length;
    for (let i = 1; i < n; i++) {
        const w = a[i] / b[i - 1];
        b[i] -= w * c[i - 1];
        x[i] -= w * x[i - 1];
    }
    x[n - 1] /= b[n - 1];
    for (let i = n - 2; i >= 0; i--) x[i] = (x[i] - c[i] * x[i + 1]) / b[i];
}

/* Second derivatives at the points, of one component y over spacings h. */
function naturalMoments(h, y) {
    const n = h.length - 1, m = new Float64Array(n);
    for (let i = 0; i < n; i++) m[i] = 6 * ((y[i + 2] - y[i + 1]) / h[i + 1] - (y[i + 1] - y[i]) / h[i]);
    const b = h.slice(1).map((x, i) => 2 * (h[i] + x));
    if (n > 0) tridiagonal(h, b, h.slice(1), m);
    return [0, ...m, 0];
}

/* The corner of the periodic system is taken away by Sherman-Morrison. */
function periodicMoments(h, y) {
    const n = h.length, corner = h[n - 1], gamma = -2 * (h[n - 1] + h[0]);
    const a = h.map((_, i) => h[(i + n - 1) % n]);
    const solve = (x) => {
        const b = h.map((step, i) => 2 * (a[i] + step));
        b[0] -= gamma;
        b[n - 1] -= (corner * corner) / gamma;
        tridiagonal(a, b, h, x);
        return x;
    };
    const m = solve(h.map((step, i) => 6 * ((y[i + 1] - y[i]) / step - (y[i] - y[(i + n - 1) % n]) / a[i])));
    const z = solve(h.map((_, i) => (i === 0 ? gamma : i === n - 1 ? corner : 0)));
    const k = (m[0] + (corner * m[n - 1]) / gamma) / (1 + z[0] + (corner * z[n - 1]) / gamma);
    const whole = m.map((x, i) => x - k * z[i]);
    return [...whole, whole[0]];
}

/* Points of a closed curve with its first one at the end as well. */
function closedPoints(points, length) {
    const first = points[0], last = points[points.length - 1];
    const ends = last[0] - first[0] >= length * (1 - 1e-9);
    return ends ? points : [...points, [first[0] + length, ...first.slice(1)]];
}

/* Coefficients [c0, c1, c2, c3] of every piece's three components, over u = s less its knot. */
function makePieces(points, closed) {
    const s = points.map((x) => x[0]);
    const h = Array.from({ length: s.length - 1 }, (_, i) => s[i + 1] - s[i]);
    const parts = [1, 2, 3].map((k) => {
        const y = points.map((x) => x[k]), m = closed ? periodicMoments(h, y) : naturalMoments(h, y);
        return h.map((step, i) => [
            y[i], (y[i + 1] - y[i]) / step - (step * (2 * m[i] + m[i + 1])) / 6, m[i] / 2, (m[i + 1] - m[i]) / (6 * step),
        ]);
    });
    return h.map((width, i) => ({ width, c: parts.map((part) => part[i]) }));
}

const speed = ({ c }, u) => Math.hypot(...c.map(([, c1, c2, c3]) => c1 + u * (2 * c2 + 3 * c3 * u)));

/* Ten Gauss points: places and weights of the half 0 ... 1 of -1 ... 1. */
const GAUSS = [
    [0.14887433898163122, 0.29552422471475287], [0.4333953941292472, 0.26926671930999635],
    [0.6794095682990244, 0.21908636251598204], [0.8650633666889845, 0.1494513491505806],
    [0.9739065285171717, 0.06667134430868814],
];

function lengthBetween(piece, from, to) {
    const middle = (from + to) / 2, half = (to - from) / 2;
    return half * GAUSS.reduce((sum, [x, w]) => sum + w * (speed(piece, middle - half * x) + speed(piece, middle + half * x)), 0);
}

/* Panels of a piece, halved until both halves together are as long as the whole: [{piece, from, to, length}, ...]. */
function panelsOf(piece, from = 0, to = piece.width, depth = 0) {
    const middle = (from + to) / 2, whole = lengthBetween(piece, from, to);
    const length = lengthBetween(piece, from, middle) + lengthBetween(piece, middle, to);
    if (Math.abs(length - whole) <= 4e-16 * length || depth > 20) return [{ piece, from, to, length }];
    return [...panelsOf(piece, from, middle, depth + 1), ...panelsOf(piece, middle, to, depth + 1)];
}

/* The parameter at a distance from the start of a panel. */
function parameterAt({ piece, from, to, length }, distance) {
    let u = from + ((to - from) * distance) / length;
    for (let i = 0; i < 12; i++) {
        const step = (distance - lengthBetween(piece, from, u)) / speed(piece, u);
        u = Math.min(Math.max(u + step, from), to);
        if (Math.abs(step) <= 1e-16 * piece.width) break;
    }
    return u;
}

function makeSpline({ points: given, closed, length }) {
    const panels = makePieces(closed ? closedPoints(given, length) : given, closed).flatMap((piece) => panelsOf(piece));
    const start = [0];
    for (const panel of panels) start.push(start[start.length - 1] + panel.length);
    const whole = start[panels.length];
    return (q, out) => {
        const inside = closed ? q - whole * Math.floor(q / whole) : Math.min(Math.max(q, 0), whole);
        const beyond = closed ? 0 : q - inside; /* past the ends of an open spline the tangent goes on */
        let low = 0, high = panels.length;
        while (high - low > 1) {
            const middle = (low + high) >> 1;
            if (inside < start[middle]) high = middle;
            else low = middle;
        }
        const { piece } = panels[low], u = parameterAt(panels[low], inside - start[low]), slow = 1 / speed(piece, u);
        for (let i = 0; i < 3; i++) {
            const [c0, c1, c2, c3] = piece.c[i];
            out[i] = c0 + u * (c1 + u * (c2 + u * c3)) + beyond * slow * (c1 + u * (2 * c2 + 3 * c3 * u));
        }
    };
}

/* A function (s, out) that writes the point at s. */
export function makeCurve(curve) {
    if (curve.kind === "line") return makeLine(curve.points);
    if (curve.kind === "circle") return makeCircle(curve.points);
    return makeSpline(curve);
}
