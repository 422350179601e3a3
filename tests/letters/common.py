"""What the tests of equations in letters share: robots with numbers at random, the command, its answers."""
import json
import os
import random
import subprocess
import sys

ZVENO, SOURCE, WORK = sys.argv[1:4]
SKIPPED = 77

ARM = """zveno: 1
name: arm
gravity: [{gx}, {gy}, {gz}]
links:
  - {{name: base}}
  - {{name: one, mass: {m1}, com: [{x1}, {y1}, 0], inertia: [{J1}, {J1}, {J1}]}}
  - {{name: two, mass: {m2}, com: [0, {y2}, {z2}], inertia: [{J2}, {J3}, {J2}]}}
  - {{name: three, mass: {m3}, com: [{x3}, 0, {z3}], inertia: [{J3}, {J2}, {J3}]}}
  - {{name: four, mass: {m4}, com: [{x4}, 0, 0], inertia: [{J4}, {J4}, {J4}]}}
joints:
  - {{name: turn, type: continuous, parent: base, child: one, origin: {{xyz: [0, 0, {l0}]}}, axis: [0, 0, 1], damping: {d1}, friction: {f1}}}
  - {{name: slide, type: prismatic, parent: one, child: two, origin: {{xyz: [{l1}, 0, 0]}}, axis: [1, 0, 0], spring: {{stiffness: {k2}, rest: {r2}}}}}
  - {{name: bend, type: continuous, parent: two, child: three, origin: {{xyz: [0, {l2}, {l3}]}}, axis: [0, 1, 0], armature: {A3}, damping: {d3}}}
  - {{name: side, type: continuous, parent: one, child: four, origin: {{xyz: [{l4}, {l5}, 0]}}, axis: [1, 0, 0], friction: {f4}}}
frames:
  - {{name: tip, link: three, pose: {{xyz: [{t1}, 0, {t2}]}}}}
"""


def arm(seed):
    """A branched arm whose parameters are all at random; moments are those of bodies. Six digits, so that the files of
    equations, which have fifteen, have the same numbers as the robot."""
    draw = random.Random(seed)
    names = "gx gy gz m1 m2 m3 m4 x1 y1 y2 z2 x3 z3 x4 l0 l1 l2 l3 l4 l5 d1 f1 k2 r2 A3 d3 f4 t1 t2".split()
    values = {n: round(draw.uniform(0.3, 2), 6) * (draw.choice((-1, 1)) if n[0] in "gxyzlrt" else 1) for n in names}
    values |= {"J%d" % k: round(draw.uniform(1, 1.5), 6) for k in range(1, 5)}
    path = os.path.join(WORK, "arm_%d.yaml" % seed)
    with open(path, "w") as file:
        file.write(ARM.format(**values))
    return path


STIFFENING = """zveno: 1
name: stiffening
links:
  - {name: base}
  - {name: bob, mass: 2, com: [0.5, 0, 0], inertia: [0.1, 0, 0, 0.1, 0, 0.1]}
joints:
  - {name: swing, type: continuous, parent: base, child: bob, axis: y,
     flexible: {stiffness: 1200, damping: 3, inertia: 8e-5, ratio: -100, cubic: 5e5, motor_damping: 1e-4}}
"""


def stiffening_gear():
    path = os.path.join(WORK, "stiffening.yaml")
    with open(path, "w") as file:
        file.write(STIFFENING)
    return path


def zveno(*words, state=None):
    done = subprocess.run([ZVENO, *words], input=state, capture_output=True, text=True)
    if done.returncode:
        sys.exit("zveno %s: %s" % (" ".join(words), done.stderr))
    return done.stdout


def equations(model, language, *words, name=None):
    """Writes the equations and returns the path of the file."""
    name = name or os.path.splitext(os.path.basename(model))[0]
    zveno("codegen", model, "--language", language, "--name", name, "-o", WORK, *words)
    return os.path.join(WORK, name + {"latex": ".tex", "maxima": ".mac", "sympy": ".py"}[language])


def engine(model, state, *words, verb="inverse"):
    return json.loads(zveno(verb, model, "--state", "-", "--json", *words, state=json.dumps(state)))


def random_state(seed, n=4):
    draw = random.Random(1000 + seed)
    return {k: [draw.uniform(-1.5, 1.5) for _ in range(n)] for k in "qva"}


def wrench(seed):
    draw = random.Random(2000 + seed)
    return [draw.uniform(-3, 3) for _ in range(6)]


def near(what, got, want, share=1e-12, scales=None):
    """scales: what the terms of each number have come to without their signs; else the largest of all numbers."""
    scales = scales or [max(1, *(abs(x) for x in want))] * len(want)
    for i, (x, y, scale) in enumerate(zip(got, want, scales, strict=True)):
        if not abs(x - y) <= share * scale:
            sys.exit("%s %d: %.17g, not %.17g" % (what, i, x, y))


def model(name):
    return os.path.join(SOURCE, "models", name + ".yaml")


os.makedirs(WORK, exist_ok=True)
