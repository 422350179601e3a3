"""Surfaces of triangles: STL, OBJ, Collada and glTF as arrays, and what they enclose."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray


class Volume(NamedTuple):
    """What a mesh encloses, m^3."""

    inside: float  # its surface; of one that is not closed a number without meaning
    hull: float  # the convex hull of its corners; 0: they lie in a plane


def read_mesh(path: str | os.PathLike[str], data: bytes | None = None) -> NDArray[np.float32]:
    """Corners (n, 3, 3) of n triangles of a file, or of the bytes of a file of that name; axes and units of the file.

    Its end tells the kind: .stl, .obj, .dae, .glb, .gltf.
    """
    from . import _full

    answer: NDArray[np.float32] = _full.read_mesh(os.fspath(path), data)
    return answer


def mesh_volume(corners: ArrayLike, scale: ArrayLike = 1.0) -> Volume:
    """What triangles (n, 3, 3) enclose, their axes stretched by scale, a number or (3)."""
    from . import _full

    stretch: Any = np.broadcast_to(np.asarray(scale, float), 3).tolist()
    return Volume(*_full.mesh_volume(np.asarray(corners, np.float32), tuple(stretch)))
