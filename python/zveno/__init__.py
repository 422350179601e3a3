"""Dynamics of robot arms and other mechanisms of rigid and elastic links.

    import zveno
    robot = zveno.read("puma560.yaml")
    tau = robot.inverse_dynamics(q, v, a)

SI units and radians; 6-vectors linear part first; quaternions x, y, z, w; poses as (4, 4) matrices.
"""

from . import conventions, motion
from ._core import instruction_set
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
from .analysis import AgreeMethod, Agreement, AgreeQuestion, Linear, Modes, Reduced
from .generated import Count, Operations, Source, SumCount, generated_functions, printed_operations
from .integrate import Integrator
from .live import Live
from .meshes import Volume, mesh_volume, read_mesh
from .parts import Dof, Finding, Frame, Joint, Link, Loop, Mark, Shape
from .recordings import Channel, Event, Recording, Report, write_recording
from .robot import Method, Robot, check, closed_methods, describe, methods, parse, read
from .simulation import (
    Energy,
    Equilibrium,
    IntegrationMethod,
    LedgerRow,
    LimitPass,
    LinearModel,
    OwnDrive,
    Progress,
    Run,
    Scenario,
    integration_methods,
    mjcf_scenario,
    simulate,
)
from .stepping import Simulation
from .systems import FrequencyResponse, Margins, StateSpace

__all__ = [
    "AgreeMethod", "AgreeQuestion", "Agreement", "Channel", "ClosureError", "ConvergenceError", "Count",
    "DegradedWarning", "Dof", "Energy", "Equilibrium", "Error", "Event", "FileError", "Finding", "Frame",
    "FrequencyResponse", "IntegrationMethod", "Integrator", "Joint", "LedgerRow", "LimitPass", "Linear",
    "LinearModel", "Link", "Live", "Loop", "Margins", "Mark", "Method", "ModelError", "Modes", "NotSupportedError",
    "Operations", "OutOfMemory", "OwnDrive", "Progress", "Recording", "Reduced", "Report", "Robot", "Run", "Scenario",
    "Shape", "Simulation", "SingularError", "Source", "StateSpace", "SumCount", "Volume", "__version__", "check",
    "closed_methods", "conventions", "describe", "generated_functions", "instruction_set", "integration_methods",
    "mesh_volume", "methods", "mjcf_scenario", "motion", "parse", "printed_operations", "read", "read_mesh",
    "simulate", "write_recording",
]
