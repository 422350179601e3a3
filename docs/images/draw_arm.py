#!/usr/bin/env python3
"""Draws docs/images/arm.svg: industrial6 holding a payload, with the numbers that the zveno command gives.

usage: draw_arm.py ZVENO MODEL.yaml > arm.svg          (needs PyYAML)

Solids are the shapes of the model; a binary space partition orders their faces from far to near, so that the picture
needs no depth buffer, and faces that end up hidden are left out. The payload hangs on a rope from the tool, so that it
is a pure force there: the state below.
"""
import json
import math
import re
import subprocess
import sys

import yaml

zveno, model = sys.argv[1:3]
STATE = {"q": [0.3366, 0.4, -0.1, 0.6, 0.9, 0], "fext": {"tool": [0, 0, -196.2, 0, 0, 0]}}
WIDTH, HEIGHT = 880, 496
EYE, TARGET, ZOOM = (2.6, -5.4, 2.3), (0.72, 0.1, 0.66), 1560
LIGHT, FILL = (0.15, -0.75, 0.85), (0.9, -0.5, 0.1)
ROPE, WEIGHT = 0.2, (0.076, 0.14)  # length; radius, length in m: 20 kg of steel
STEEL = (0.36, 0.42, 0.5)
INSET = (668, 344, 184, 134, 2.6)  # x, y, width, height, magnification


def ask(*arguments):
    run = subprocess.run([zveno, *arguments, model, "--state", "-", "--json"], input=json.dumps(STATE),
                         capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


def number(text):
    """A number as native robot files write it: 0.5, 30 deg, -pi/2, 3*pi/4."""
    text = str(text)
    if text.endswith("deg"):
        return math.radians(float(text[:-3]))
    angle = re.fullmatch(r"(-?)(?:([\d.]+)\*)?pi(?:/([\d.]+))?", text)
    if not angle:
        return float(text)
    sign, factor, divisor = angle.groups()
    return (-1 if sign else 1) * float(factor or 1) * math.pi / float(divisor or 1)


# Vectors and poses ----------------------------------------------------------------------------------

def add(a, b): return tuple(x + y for x, y in zip(a, b))
def sub(a, b): return tuple(x - y for x, y in zip(a, b))
def mul(k, a): return tuple(k * x for x in a)
def dot(a, b): return sum(x * y for x, y in zip(a, b))
def cross(a, b): return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
def unit(a): return mul(1 / math.sqrt(dot(a, a)), a)


def rpy_matrix(r, p, y):
    (sr, cr), (sp, cp), (sy, cy) = ((math.sin(t), math.cos(t)) for t in (r, p, y))
    return ((cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr),
            (sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr), (-sp, cp * sr, cp * cr))


def place(pose, x):
    R, p = pose
    return tuple(dot(row, x) + t for row, t in zip(R, p))


def compose(outer, inner):
    columns = list(zip(*inner[0]))
    return tuple(tuple(dot(row, c) for c in columns) for row in outer[0]), place(outer, inner[1])


def pose_of(node):
    node = node or {}
    xyz = tuple(number(x) for x in node.get("xyz", (0, 0, 0)))
    return rpy_matrix(*(number(x) for x in node.get("rpy", (0, 0, 0)))), xyz


# Faces of the solids --------------------------------------------------------------------------------

def box(size):
    x, y, z = (s / 2 for s in size)
    faces = []
    for k in range(3):
        for s in (1, -1):
            e = [0, 0, 0]
            e[k] = s
            u, w = ((k + 1) % 3, (k + 2) % 3) if s > 0 else ((k + 2) % 3, (k + 1) % 3)
            corners = []
            for a, b in ((1, 1), (-1, 1), (-1, -1), (1, -1)):
                c = list(e)
                c[u], c[w] = a, b
                corners.append((c[0] * x, c[1] * y, c[2] * z))
            faces.append(corners)
    return faces


def cylinder(radius, length, pose, sides=56):
    """About z; its first edge looks at the eye, so that the edges of coaxial cylinders meet whatever their angles."""
    R, p = pose
    look = sub(EYE, p)
    start = math.atan2(*(dot(look, [row[k] for row in R]) for k in (1, 0)))
    turns = [start + 2 * math.pi * i / sides for i in range(sides)]
    ring = [(radius * math.cos(t), radius * math.sin(t)) for t in turns]
    top, low = [(x, y, length / 2) for x, y in ring], [(x, y, -length / 2) for x, y in ring]
    walls = [[low[i], low[(i + 1) % sides], top[(i + 1) % sides], top[i]] for i in range(sides)]
    return walls + [top, low[::-1]]


class Face:
    def __init__(self, points, normal, color):
        self.points, self.normal, self.color = points, normal, color
        self.offset = dot(normal, points[0])


def normal_of(points):
    n = (0, 0, 0)
    for a, b in zip(points, points[1:] + points[:1]):
        n = add(n, cross(sub(a, points[0]), sub(b, points[0])))
    return unit(n)


# Order from far to near -----------------------------------------------------------------------------

def split(face, plane, eps=1e-9):
    """Parts of a face behind and before a plane."""
    d = [dot(plane.normal, p) - plane.offset for p in face.points]
    if all(abs(x) <= eps for x in d) or all(x >= -eps for x in d):
        return None, face
    if all(x <= eps for x in d):
        return face, None
    parts = ([], [])
    for i, (p, x) in enumerate(zip(face.points, d)):
        q, y = face.points[(i + 1) % len(d)], d[(i + 1) % len(d)]
        if x <= eps: parts[0].append(p)
        if x >= -eps: parts[1].append(p)
        if (x > eps and y < -eps) or (x < -eps and y > eps):
            cut = add(p, mul(x / (x - y), sub(q, p)))
            parts[0].append(cut)
            parts[1].append(cut)
    return tuple(Face(part, face.normal, face.color) if len(part) > 2 else None for part in parts)


def paint_order(faces):
    """Partition by the plane of one face after the other; far half, face, near half as the eye sees them."""
    out, work = [], [faces]
    while work:
        group = work.pop()
        if isinstance(group, Face):
            out.append(group)
            continue
        if not group:
            continue
        plane = group[len(group) // 2]
        behind, before, same = [], [], []
        for f in group:
            if f is plane or all(abs(dot(plane.normal, p) - plane.offset) <= 1e-9 for p in f.points):
                same.append(f)
                continue
            b, a = split(f, plane)
            if b: behind.append(b)
            if a: before.append(a)
        eye_before = dot(plane.normal, EYE) > plane.offset
        near, far = (before, behind) if eye_before else (behind, before)
        work += [near, *same, far]
    return out


# Projection and light -------------------------------------------------------------------------------

FORWARD = unit(sub(TARGET, EYE))
RIGHT = unit(cross(FORWARD, (0, 0, 1)))
UP = cross(RIGHT, FORWARD)


def project(p):
    d = sub(p, EYE)
    depth = dot(d, FORWARD)
    return WIDTH * 0.385 + ZOOM * dot(d, RIGHT) / depth, HEIGHT * 0.595 - ZOOM * dot(d, UP) / depth


def shade(face):
    n = face.normal
    look = unit(sub(EYE, face.points[0]))
    shine = max(0, dot(n, unit(add(unit(LIGHT), look)))) ** 28
    k = 0.46 + 0.60 * max(0, dot(n, unit(LIGHT))) + 0.22 * max(0, dot(n, unit(FILL)))
    rgb = [min(255, round(255 * (c * k + 0.16 * shine))) for c in face.color]
    return "#%02x%02x%02x" % tuple(rgb)


def visible(faces):
    """The faces that own at least one sample of the picture when painted in order."""
    owner = {}
    for index, face in enumerate(faces):
        flat = [tuple(4 * c for c in project(p)) for p in face.points]
        for y in range(math.ceil(min(p[1] for p in flat)), math.floor(max(p[1] for p in flat)) + 1):
            xs = [a[0] + (y - a[1]) * (b[0] - a[0]) / (b[1] - a[1])
                  for a, b in zip(flat, flat[1:] + flat[:1]) if (a[1] <= y) != (b[1] <= y)]
            if len(xs) >= 2:
                for x in range(math.ceil(min(xs)), math.floor(max(xs)) + 1):
                    owner[x, y] = index
    seen = set(owner.values())
    return [f for i, f in enumerate(faces) if i in seen]


def hull(points):
    points = sorted(set(points))
    halves = []
    for sequence in (points, points[::-1]):
        half = []
        for p in sequence:
            while len(half) > 1 and ((half[-1][0] - half[-2][0]) * (p[1] - half[-2][1])
                                     - (half[-1][1] - half[-2][1]) * (p[0] - half[-2][0])) <= 0:
                half.pop()
            half.append(p)
        halves += half[:-1]
    return halves


# The picture ----------------------------------------------------------------------------------------

def path(points, form="%.1f,%.1f"): return "M" + "L".join(form % p for p in points) + "Z"


def line(a, b, color, width, extra=""):
    return '<path d="M%.1f,%.1fL%.1f,%.1f" stroke="%s" stroke-width="%s" %s/>' % (*a, *b, color, width, extra)


def text(x, y, words, size=13, color="#1f2933", anchor="start", extra=""):
    return '<text x="%.1f" y="%.1f" font-size="%s" fill="%s" text-anchor="%s" %s>%s</text>' % (
        x, y, size, color, anchor, extra, words)


def arrow(a, b, color, width):
    (x, y), d = b, (b[0] - a[0], b[1] - a[1])
    n = math.hypot(*d)
    u = (d[0] / n, d[1] / n)
    s = 3.1 * width
    base = (x - s * u[0], y - s * u[1])
    head = [b, (base[0] - 0.45 * s * u[1], base[1] + 0.45 * s * u[0]), (base[0] + 0.45 * s * u[1], base[1] - 0.45 * s * u[0])]
    return line(a, base, color, width, 'stroke-linecap="round"') + '<path d="%s" fill="%s"/>' % (path(head), color)


def triad(R, p, size=0.15, view=lambda x: x):
    """Axes x, y, z of a frame: red, green, blue."""
    o = view(project(p))
    out = []
    for k, color in ((0, "#d92d20"), (1, "#12873d"), (2, "#1d4fd8")):
        tip = view(project(add(p, mul(size, tuple(row[k] for row in R)))))
        if math.dist(o, tip) > 4:
            out += [line(o, tip, "#fff", 5, 'stroke-linecap="round" opacity=".85"'), arrow(o, tip, color, 2.4)]
    return "".join(out) + '<circle cx="%.1f" cy="%.1f" r="3" fill="#fff" stroke="#1f2933" stroke-width="1.4"/>' % o


def badge(x, y, number):
    return '<circle cx="%.1f" cy="%.1f" r="9" fill="#1f2933" stroke="#fff" stroke-width="1.5"/>' % (x, y) + text(
        x, y + 4, number, 11.5, "#fff", "middle", 'font-weight="bold"')


def tagged(o, offset, number):
    """A badge at some distance from the point it belongs to."""
    return line(o, add(o, offset), "#1f2933", 1.2) + badge(*add(o, offset), number)


def signed(x):
    return ("%.1f" % (round(x, 1) + 0.0)).replace("-", "\u2212")


def solids(robot, poses):
    """(faces in the world, colour) of every shape, and of the payload."""
    for link in robot["links"]:
        for shape in link.get("shapes", []):
            at = compose(poses[link["name"]], pose_of(shape.get("pose")))
            local = box(shape["size"]) if shape["kind"] == "box" else cylinder(shape["radius"], shape["length"], at)
            yield [[place(at, p) for p in f] for f in local], shape["color"][:3]
    at = (((1, 0, 0), (0, 1, 0), (0, 0, 1)), sub(poses["tool"][1], (0, 0, ROPE + WEIGHT[1] / 2)))
    yield [[place(at, p) for p in f] for f in cylinder(*WEIGHT, at)], STEEL


def rope(tip, begin, end):
    """A piece of the rope, as a line: too thin for faces."""
    a, b = (project(sub(tip, (0, 0, k * ROPE))) for k in (begin, end))
    return line(a, b, "#3e4854", 2.4, 'stroke-linecap="round"')


def floor_grid():
    out = ['<g stroke="#d5dae1" stroke-width="1">']
    for i in range(-4, 8):
        k = i * 0.25
        for a, b in (((k, -1.0, 0), (k, 1.25, 0)), ((-1.0, k - 0.25, 0), (1.75, k - 0.25, 0))):
            if a[1] <= 1.25 and b[1] <= 1.26:
                out.append(line(project(a), project(b), "#d5dae1", 1))
    return out + ["</g>"]


def bodies(robot, poses):
    """Shadow and solids, far to near."""
    faces, shadows = [], []
    for world, color in solids(robot, poses):
        lying = [project((p[0] - LIGHT[0] / LIGHT[2] * p[2], p[1] - LIGHT[1] / LIGHT[2] * p[2], 0)) for f in world for p in f]
        shadows.append(hull([(round(x, 1), round(y, 1)) for x, y in lying]))
        for points in world:
            normal = normal_of(points)
            if dot(normal, sub(EYE, points[0])) > 0:
                faces.append(Face(points, normal, color))
    out = ['<path d="%s" fill="#1f2933" opacity=".13"/>' % "".join(path(s) for s in shadows), '<g id="solids" stroke-width=".6">', rope(poses["tool"][1], 0, 1)]  # behind the flange
    for face in visible(paint_order(faces)):
        out.append('<path d="{0}" fill="{1}" stroke="{1}"/>'.format(path([project(p) for p in face.points], "%.2f,%.2f"), shade(face)))
    return out + [rope(poses["tool"][1], 0.5, 1), "</g>"]  # before the top of the weight


def load_arrow(tip):
    low = sub(tip, (0, 0, ROPE + WEIGHT[1]))
    middle, a, b = project(add(low, (0, 0, WEIGHT[1] / 2))), project(low), project(sub(low, (0, 0, 0.24)))
    return [text(middle[0] - 1, middle[1] + 6, "20 kg", 10.5, "#fff", "middle", 'font-weight="bold"'),
            arrow((a[0], a[1] + 8), b, "#7a2fb5", 3.4),
            text(b[0] + 12, b[1] - 3, "196.2 N", 13, "#7a2fb5", "start", 'font-weight="bold"')]


def mass_centre(com):
    x, y = project(com)
    left = (28, 250)
    return ['<g stroke="#1f2933" stroke-width="1.3"><circle cx="%.1f" cy="%.1f" r="8" fill="#fff"/>'
            '<path fill="#1f2933" d="M%.1f,%.1fv-8a8,8 0 0 1 8,8zM%.1f,%.1fv8a8,8 0 0 1 -8,-8z"/></g>' % (x, y, x, y, x, y),
            line((left[0] + 144, left[1] - 4), (x - 9, y), "#7b8794", 1), text(*left, "centre of mass (arm)", 13),
            text(left[0], left[1] + 18, "(%.3f, %.3f, %.3f) m" % com, 11.5, "#52606d")]


def wrist(poses, joints):
    """The wrist once more, magnified: its three frames are too near each other for the large picture."""
    x, y, width, height, k = INSET
    centre = project(mul(0.5, add(poses[joints[4]["child"]][1], poses["tool"][1])))
    centre = (centre[0] + 4, centre[1] + 1)
    corner = (x + width / 2 - k * centre[0], y + height / 2 - k * centre[1])
    view = lambda p: (corner[0] + k * p[0], corner[1] + k * p[1])
    w, h = width / k, height / k
    window = (centre[0] - w / 2, centre[1] - h / 2)
    frame = '<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="%g" fill="%s" stroke="#9aa5b1" stroke-width="1.2"/>'
    out = [line((window[0] + w - 1, window[1] + h - 1), (x + 2, y + 2), "#9aa5b1", 1.2), frame % (*window, w, h, 3, "none"), frame % (x, y, width, height, 8, "#fff"),
           '<clipPath id="inset"><rect x="%g" y="%g" width="%g" height="%g" rx="8"/></clipPath>' % (x, y, width, height),
           '<g clip-path="url(#inset)"><use href="#solids" transform="translate(%.2f,%.2f) scale(%g)"/></g>' % (*corner, k),
           frame % (x, y, width, height, 8, "none")]
    ends = []
    for pose, name, offset in ((poses[joints[4]["child"]], 5, (-34, 2)), (poses[joints[5]["child"]], 6, (-36, 2)),
                               (poses["tool"], "tool", (30, 6))):
        o = view(project(pose[1]))
        out.append(triad(*pose, 0.034, view))
        ends.append(tagged(o, offset, name) if name != "tool" else text(*add(o, offset), name, 12, "#1f2933", "start", 'font-weight="bold"'))
    return out + ends


def torques(joints, tau):
    """Bars from a centre zero: the torque of each drive as a share of what it can give."""
    column, top, step, width = 668, 72, 45, 184
    middle = column + width / 2
    out = [text(column, 38, "torques of the drives", 13, "#1f2933", "start", 'font-weight="bold"')]
    out += [text(x, 54, words, 10, "#7b8794", anchor) for x, words, anchor in
            ((column, "\u2212100 %", "start"), (middle, "0", "middle"), (column + width, "100 % of limit", "end"))]
    for i, joint in enumerate(joints):
        y, effort = top + step * i, joint["limits"]["effort"]
        share = tau[i] / effort
        length = abs(share) * width / 2
        out += [badge(column + 9, y, i + 1), text(column + 26, y + 5, joint["name"], 13, "#1f2933"),
                text(column + width, y + 5, signed(tau[i]) + " N m", 13, "#1f2933", "end"),
                '<rect x="%d" y="%.1f" width="%d" height="7" rx="3.5" fill="#e1e5ea"/>' % (column, y + 15, width),
                '<rect x="%.1f" y="%.1f" width="%.1f" height="7" fill="#e8701a"/>' % (middle - (length if share < 0 else 0), y + 15, length),
                line((middle, y + 12), (middle, y + 25), "#52606d", 1.2)]
    return out


def main():
    robot = yaml.safe_load(open(model))
    poses = {}
    for link in robot["links"]:
        answer = ask("frame", "--frame", link["name"])
        poses[link["name"]] = tuple(map(tuple, answer["rotation"])), tuple(answer["position"])
    joints = [j for j in robot["joints"] if j["type"] != "fixed"]
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" '
           'font-family="DejaVu Sans, Verdana, Helvetica, Arial, sans-serif" stroke-linejoin="round">'
           % (WIDTH, HEIGHT, WIDTH, HEIGHT),
           "<title>industrial6 holding 20 kg: link frames, centre of mass and the torques of its drives</title>",
           '<rect width="%d" height="%d" rx="14" fill="#f6f7f9"/>' % (WIDTH, HEIGHT)]
    out += floor_grid() + bodies(robot, poses)
    offsets = [(-26, 4), (-25, -12), (-26, 6), (-4, 26)]
    for joint in joints[:4]:
        out.append(triad(*poses[joint["child"]]))
    for i, offset in enumerate(offsets):
        out.append(tagged(project(poses[joints[i]["child"]][1]), offset, i + 1))
    out += load_arrow(poses["tool"][1]) + mass_centre(tuple(ask("terms")["com"])) + wrist(poses, joints)
    out += torques(joints, ask("inverse")["tau"])
    out.append(text(28, 40, "industrial6 holds a payload of 20 kg", 17, "#1f2933", "start", 'font-weight="bold"'))
    out.append(text(28, 62, "frames of the links: x red, y green, z blue", 12, "#52606d"))
    out.append("</svg>")
    print("\n".join(out))


main()
