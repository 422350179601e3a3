// A document of a two-link arm with every field of the format, for tests and for looking at the page.

const identity = [1, 0, 0, 0, 1, 0, 0, 0, 1];
const pose = (p) => ({ p, R: identity });

export function encode(numbers, Type = Float32Array) {
    return Buffer.from(Type.from(numbers).buffer).toString("base64");
}

function link(name, joint, length) {
    return {
        name, joint, mass: 5 * length, com: [length / 2, 0, 0],
        shapes: [{
            kind: "box", pose: pose([length / 2, 0, 0]), size: [length, 0.08, 0.08], mesh: -1,
            color: null, bend: null,
        }],
        ellipsoid: { p: [length / 2, 0, 0], R: identity, axes: [length / 2, 0.05, 0.05] }, elastic: null,
    };
}

function joint(name, index, x) {
    return {
        name, type: "revolute", parent: index, child: index + 1, origin: pose([x, 0, 0]), axis: [0, -1, 0],
        axis2: [0, 0, 0], pitch: 0, curve: null, q: index, nq: 1, lower: [-2.5], upper: [2.5], mimic: -1, ratio: 1,
        offset: 0, parts: ["angle"], units: ["rad"], bend: null,
    };
}

export function twoLinkModel() {
    const base = {
        ...link("base", -1, 0.2), joint: -1,
        shapes: [{ kind: "cylinder", pose: pose([0, 0, -0.1]), size: [0.1, 0.2, 0], mesh: -1, color: null, bend: null }],
    };
    return {
        name: "two_link", gravity: [0, 0, -9.81], nq: 2, nv: 2, neutral: [0, 0], size: 1.6,
        links: [base, link("upper", 0, 0.8), link("lower", 1, 0.6)],
        joints: [joint("shoulder", 0, 0), joint("elbow", 1, 0.8)],
        frames: [{ name: "tip", link: 2, p: [0.6, 0, 0], R: identity, bend: null }],
        loops: [], meshes: [],
        coordinates: [{ label: "shoulder", unit: "rad" }, { label: "elbow", unit: "rad" }],
        degrees: [{ label: "shoulder", unit: "rad/s", q: 0 }, { label: "elbow", unit: "rad/s", q: 1 }],
    };
}

function channel(name, unit, about, labels, columns, more = {}) {
    const all = columns.flatMap((column) => [...column]);
    return {
        name, unit, about, width: labels.length, labels, units: labels.map(() => unit), ...more,
        data: encode(all, more.precise ? Float64Array : Float32Array),
    };
}

function twoLinkRecording({ rows, duration, phase, file }) {
    const time = Float64Array.from({ length: rows }, (_, i) => (rows > 1 ? (i * duration) / (rows - 1) : 0));
    const of = (f) => time.map(f);
    const joints = ["shoulder", "elbow"];
    const kinetic = of((t) => 4 * Math.sin(2 * t + phase) ** 2);
    const potential = of((t) => 12 + 8 * Math.cos(t));
    return {
        file, title: "A two-link arm swings", rows, all_rows: rows, decimated: null, time: encode(time, Float64Array),
        channels: [
            channel("q", "rad", "positions of the joints", joints,
                [of((t) => 0.6 * Math.sin(t + phase)), of((t) => 0.9 * Math.cos(1.7 * t) - 0.4)], { precise: true }),
            channel("v", "rad/s", "velocities of the joints", joints,
                [of((t) => 0.6 * Math.cos(t + phase)), of((t) => -1.53 * Math.sin(1.7 * t))]),
            channel("tau", "N m", "the whole force in each joint", joints,
                [of((t) => 20 * Math.cos(t) + 3 * Math.sin(9 * t)), of((t) => (t > 3 && t < 3.5 ? NaN : 6 * Math.sin(3 * t)))]),
            channel("energy", "J", "energies, work of all accounts, and the gap: change of energy less work",
                ["kinetic", "potential", "stored", "work", "gap"],
                [kinetic, potential, of(() => 0), of((t, i) => kinetic[i] + potential[i] - 20), of((t) => 1e-7 * Math.sin(5 * t) * t)]),
            channel("reactions elbow", "N", "force and moment of parent on child at the child's origin, in the child's axes",
                ["fx", "fy", "fz", "mx", "my", "mz"],
                [0, 1, 2, 3, 4, 5].map((k) => of((t) => 5 * Math.sin(t + k)))),
        ],
        events: [{ t: 2.5, name: "friction elbow", text: "sticks" }, { t: 4.1, name: "friction elbow", text: "slips" }],
        notes: [
            { name: "title", text: "A two-link arm swings" },
            { name: "scenario", text: "scenario: 1\nmodel: two_link.yaml\nduration: 10 s\n# swings\n" },
            { name: "version", text: "0.1.0" },
            { name: "command", text: "zveno simulate two_link.yaml -o two_link.h5" },
            { name: "integrator", text: "method adams, order 0, rtol 1e-08, atol 1e-08" },
            { name: "statistics", text: "steps: 412\nevaluations: 830\nwall clock: 0.0031 s\nenergy exchanged: 120.5 J\n" },
            { name: "ending", text: "end of duration" },
        ],
        ledger: [
            { kind: "store", name: "kinetic", J: 3.25 }, { kind: "store", name: "potential", J: -7.5 },
            { kind: "work", name: "damper shoulder", J: -4.125 }, { kind: "work", name: "damper elbow", J: -0.125 },
        ],
        model: twoLinkModel(), q: 0,
    };
}

const head = (kind) => ({
    zveno_page: 1, kind, version: "0.1.0", command: "zveno report two_link.h5",
    machine: { system: "Linux 6.1 x86_64", processor: "a processor", isa: "x86-64-v3", date: "2026-11-16 14:05 UTC" },
    recordings: [], model: null, modes: null, problems: [],
});

export function twoLinkDocument({ rows = 601, duration = 10, second = false } = {}) {
    const recordings = [twoLinkRecording({ rows, duration, phase: 0, file: "two_link.h5" })];
    if (second) recordings.push(twoLinkRecording({ rows: 401, duration, phase: 0.1, file: "two_link_b.h5" }));
    return {
        ...head("report"), recordings,
        modes: {
            q: [0.3, -0.6], joints: "free",
            modes: [
                { frequency: 7.1, hertz: 1.13, damping: 0, shape: [1, -0.4] },
                { frequency: 31.4, hertz: 5, damping: 0.02, shape: [0.3, 1] },
            ],
        },
    };
}

export function modelDocument() {
    return { ...head("model"), command: "zveno view two_link.yaml", model: twoLinkModel() };
}

export function liveDocument() {
    const whole = twoLinkRecording({ rows: 1, duration: 0, phase: 0, file: "two_link.yaml" });
    const channels = whole.channels.map((c) => ({ ...c, data: "" }));
    return { ...head("live"), recordings: [{ ...whole, rows: 0, all_rows: 0, time: "", channels, events: [], ledger: null }] };
}
