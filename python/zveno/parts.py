"""What robots consist of, as objects: links, joints, frames, loops, shapes, and findings of the linter."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Mark:
    """Where an element stands in its file; line and column count from 1, 0: unknown."""

    file: str | None
    line: int
    column: int


def _pose(parts: tuple[list[float], list[float]]) -> Array:
    pose = np.eye(4)
    pose[:3, :3] = np.reshape(parts[0], (3, 3))
    pose[:3, 3] = parts[1]
    return pose


def _moment(numbers: list[float]) -> Array:
    xx, xy, xz, yy, yz, zz = numbers
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


@dataclass(frozen=True, eq=False)
class Link:
    """A link: mass (kg), com (3, m, link frame), inertia (3, 3, kg m^2, about com along the link's axes)."""

    index: int
    name: str
    mass: float
    com: Array
    inertia: Array
    joint: int | None  # above the link; None: the root
    body: int  # that the dynamics sees; 0: the ground
    elastic: int  # how many elastic coordinates, and where they lie in q and v
    q_index: int
    v_index: int
    mark: Mark


@dataclass(frozen=True)
class Dof:
    """One degree of freedom of a joint; limits are None and numbers 0 where the file gives none."""

    lower: float | None
    upper: float | None
    effort: float
    velocity: float
    armature: float
    damping: float
    friction: float
    stiffness: float
    rest: float


@dataclass(frozen=True, eq=False)
class Joint:
    """A joint: type as in files, parent and child (links), where its coordinates lie in q and v."""

    index: int
    name: str
    type: str
    coordinates: str  # what q of such a joint is, with units
    parent: str
    child: str
    q_index: int
    nq: int  # 0: fixed, or it follows another
    v_index: int
    nv: int
    mimic: int | None  # joint that it follows when coupled
    quaternion: int | None  # where x, y, z, w lie in its entries of q
    origin: Array  # (4, 4) joint frame in the parent
    axis: Array
    axis2: Array
    pitch: float
    dofs: tuple[Dof, ...]
    mark: Mark

    @property
    def q(self) -> slice:
        """Its entries of q: q[..., joint.q]."""
        return slice(self.q_index, self.q_index + self.nq)

    @property
    def v(self) -> slice:
        """Its entries of v, a, tau."""
        return slice(self.v_index, self.v_index + self.nv)


@dataclass(frozen=True, eq=False)
class Frame:
    """A frame on a link; every link is one."""

    index: int
    name: str
    link: str
    pose: Array  # (4, 4) in the link
    body: int
    mark: Mark


@dataclass(frozen=True, eq=False)
class Shape:
    """Geometry for pictures; size: box edges, cylinder radius and length, sphere radius, mesh scale."""

    index: int
    name: str | None
    link: str
    kind: str
    collision: bool
    pose: Array
    size: Array
    mesh: str | None
    color: Array | None


@dataclass(frozen=True, eq=False)
class Loop:
    """A closed loop: kind "joint" (of a type), "rod" or "coupling"; its conditions among those of all loops."""

    index: int
    name: str
    kind: str
    type: str | None
    parent: str | None
    child: str | None
    parent_frame: int | None
    child_frame: int | None
    row: int
    rows: int
    ancestor: int
    open: bool
    driven: bool
    keeps_offset: bool
    was_joint: bool
    mark: Mark


@dataclass(frozen=True)
class Finding:
    """What the linter found: severity "note", "warning" or "error", the rule, the element, why, and the repair."""

    severity: str
    fatal: bool  # no robot can be made because of it
    rule: str
    element: str
    token: str
    why: str
    repair: str
    file: str | None = None
    line: int = 0
    column: int = 0
    count: int = 1  # places where it was found
    others: str = ""  # the elements of the other places
    status: int = field(default=0, repr=False)

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part)
        repair = f" {self.repair}" if self.repair else ""
        return f"{place + ': ' if place else ''}{self.severity}: {self.element}: {self.why}{repair} [{self.rule}]"


def _index(number: int) -> int | None:
    return None if number < 0 else number


def link(d: dict[str, Any]) -> Link:
    d.update(com=np.array(d["com"]), inertia=_moment(d.pop("moment")), joint=_index(d["joint"]), mark=Mark(*d["mark"]))
    return Link(**d)


def joint(d: dict[str, Any], links: tuple[Link, ...]) -> Joint:
    d.update(
        parent=links[d["parent"]].name,
        child=links[d["child"]].name,
        mimic=_index(d["mimic"]),
        quaternion=_index(d["quaternion"]),
        origin=_pose(d["origin"]),
        axis=np.array(d["axis"]),
        axis2=np.array(d["axis2"]),
        dofs=tuple(Dof(**dof) for dof in d["dofs"]),
        mark=Mark(*d["mark"]),
    )
    return Joint(**d)


def frame(d: dict[str, Any]) -> Frame:
    d.update(pose=_pose(d["pose"]), mark=Mark(*d["mark"]))
    return Frame(**d)


def shape(d: dict[str, Any]) -> Shape:
    color = d["color"]
    d.update(pose=_pose(d["pose"]), size=np.array(d["size"]), color=None if color is None else np.array(color))
    return Shape(**d)


def loop(d: dict[str, Any], links: tuple[Link, ...]) -> Loop:
    for side in ("parent", "child"):
        d[side] = links[d[side]].name if d[side] >= 0 else None
        d[f"{side}_frame"] = _index(d[f"{side}_frame"])
    d.update(mark=Mark(*d["mark"]))
    return Loop(**d)
