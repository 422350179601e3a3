"""Dynamics of robot arms and other mechanisms of rigid and elastic links.

    import zveno
    robot = zveno.read("puma560.yaml")
    tau = robot.inverse_dynamics(q, v, a)

SI units and radians; 6-vectors linear part first; quaternions x, y, z, w; poses as (4, 4) matrices.
"""

from . import conventions
from ._core import version as __version__
from ._errors import (
    ClosureError,
    ConvergenceError,
    DegradedWarning,
    Error,
    FileError,
    ModelError,
    NotSupportedError,
    OutOfMemory,
    SingularError,
)
from .parts import Dof, Finding, Frame, Joint, Link, Loop, Mark, Shape
from .robot import Method, Robot, check, closed_methods, describe, methods, parse, read

__all__ = [
    "ClosureError", "ConvergenceError", "DegradedWarning", "Dof", "Error", "FileError", "Finding", "Frame", "Joint",
    "Link", "Loop", "Mark", "Method", "ModelError", "NotSupportedError", "OutOfMemory", "Robot", "Shape",
    "SingularError", "__version__", "check", "closed_methods", "conventions", "describe", "methods", "parse", "read",
]
