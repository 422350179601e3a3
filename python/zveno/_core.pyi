# Made by python/make_stubs.py: nothing here is written by hand.
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.floating[Any]]
Status = NDArray[np.signedinteger[Any]]
version: str
instruction_set: str

class CentroidalMap(NamedTuple):
    A: Array
    c: Array

class ClosePosition(NamedTuple):
    q_closed: Array
    gap: Any

class CloseVelocity(NamedTuple):
    v_closed: Array
    rate: Any

class ClosedForwardDynamics(NamedTuple):
    a: Array
    lam: Array

class ClosedInverseDynamics(NamedTuple):
    tau: Array
    lam: Array
    left: Any

class ClosedMixedDynamics(NamedTuple):
    tau_all: Array
    a_all: Array
    lam: Array

class ElasticTurn(NamedTuple):
    angle: Any
    link: Any

class Energy(NamedTuple):
    kinetic: Any
    potential: Any

class FlexibleInverseDynamics(NamedTuple):
    tau: Array
    a_elastic: Array

class ForwardDerivatives(NamedTuple):
    a: Array
    dq: Array
    dv: Array
    dtau: Array

class GearForces(NamedTuple):
    spring: Array
    damper: Array

class InverseDerivatives(NamedTuple):
    dq: Array
    dv: Array
    da: Array

class InverseDynamicsRates(NamedTuple):
    tau: Array
    tau_rate: Array
    tau_second: Array

class InverseKinematics(NamedTuple):
    q_found: Array
    gap: Any

class LinkMotions(NamedTuple):
    poses: Array
    velocities: Array

class LoopCoordinates(NamedTuple):
    qc: Array
    vc: Array

class LoopGaps(NamedTuple):
    gaps: Array
    rates: Array

class LoopImpact(NamedTuple):
    jump: Array
    impulse: Array

class LoopMobility(NamedTuple):
    freedoms: Any
    rank: Any
    redundant: Any

class LoopResidual(NamedTuple):
    gap: Any
    rate: Any

class MixedDynamics(NamedTuple):
    tau_all: Array
    a_all: Array

class Momentum(NamedTuple):
    h: Array
    c: Array

class MotorEnergy(NamedTuple):
    gears: Any
    rotors: Any

class MotorForwardDynamics(NamedTuple):
    a: Array
    theta_second: Array
    tau: Array

class MotorInverseDynamics(NamedTuple):
    theta: Array
    theta_rate: Array
    theta_second: Array
    tau: Array
    motor: Array

class PassiveForces(NamedTuple):
    spring: Array
    viscous: Array
    dry: Array

class PassiveRates(NamedTuple):
    beside: Array
    beside_rate: Array
    beside_second: Array

class PositionNormalize(NamedTuple):
    q_unit: Array
    error: Any

class TaskDynamics(NamedTuple):
    Lambda: Array
    mu: Array
    rho: Array
    rcond: Any

class TaskResolve(NamedTuple):
    v: Array
    a: Array

class Robot:
    def __new__(cls, made_of: Builder | Robot, /) -> Self: ...
    def _links(self) -> list[dict[str, Any]]: ...
    def _joints(self) -> list[dict[str, Any]]: ...
    def _frames(self) -> list[dict[str, Any]]: ...
    def _shapes(self) -> list[dict[str, Any]]: ...
    def _loops(self) -> list[dict[str, Any]]: ...
    def _coordinates(self) -> tuple[list[tuple[str, str]], list[tuple[str, str]], list[tuple[str, str]]]: ...
    def _native(self) -> str: ...
    def _gravity(self) -> list[float]: ...
    def _set_inertia(
        self, link: int, mass: float, com: tuple[float, ...], moment: tuple[float, ...], /
    ) -> None: ...
    def _find(self, what: str, name: str, /) -> int: ...
    def _elastic_matrices(self, link: int, /) -> tuple[NDArray[np.float64], ...]: ...
    def _loop_signs(self, loop: Any, /) -> NDArray[np.intc]: ...
    def _method_chosen(self, question: int, loaded: bool, /) -> tuple[str, str]: ...
    def _method_obstacle(self, domain: int, loaded: bool, /) -> str | None: ...
    @property
    def has_lanes(self) -> bool: ...
    @property
    def mass(self) -> float: ...
    @property
    def name(self) -> str: ...
    @property
    def nbody(self) -> int: ...
    @property
    def nelastic(self) -> int: ...
    @property
    def nexternal(self) -> int: ...
    @property
    def nframe(self) -> int: ...
    @property
    def njoint(self) -> int: ...
    @property
    def nlink(self) -> int: ...
    @property
    def nloop(self) -> int: ...
    @property
    def nloop_rows(self) -> int: ...
    @property
    def nq(self) -> int: ...
    @property
    def nshape(self) -> int: ...
    @property
    def nv(self) -> int: ...
    @property
    def original(self) -> Robot | None: ...
    threads: int
    def add_loop_wrenches(
        self, q: ArrayLike, lam: ArrayLike, fext: ArrayLike | None = ..., *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """fext and the forces of loops, for joint_reactions; those of couplings are not among them.

        Takes q (..., nq), lam (..., rows), fext (..., nlink, 6).
        Gives fext_all (..., nlink, 6)."""
    def add_passive_forces(
        self, q: ArrayLike, v: ArrayLike | None = ..., tau: ArrayLike | None = ..., smoothing: float = ..., scale: float = ..., *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """tau + scale p with the passive forces p of the joints; scale -1 after inverse dynamics, 1 before forward dynamics.

        Takes q (..., nq), v (..., nv), tau (..., nv).
        Gives tau_all (..., nv)."""
    def add_wrench(
        self, q: ArrayLike, frame: Any, wrench: ArrayLike, fext: ArrayLike | None = ..., axes: str = ..., *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """External forces: fext (zero if left out) and a force (N) and moment (N m) on a frame about its origin, along the axes of the world or the frame's own.

        Takes q (..., nq), wrench (..., 6), fext (..., nlink, 6).
        Gives fext_all (..., nlink, 6)."""
    def assemble(
        self, q: ArrayLike, held: ArrayLike | None = ..., targets: ArrayLike | None = ..., restarts: int = ..., *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """q moved from far until the loops are closed; held: 1 where a coordinate stays; restarts: fresh guesses when that fails.

        Takes q (..., nq), held (..., nv) of bytes, targets (..., nloop, 3).
        Gives q_closed (..., nq)."""
    def augmented_inverse_times(
        self, q: ArrayLike, extra: ArrayLike, x: ArrayLike, *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """(M + diag(extra))^-1 x in O(n), extra not negative.

        Takes q (..., nq), extra (..., nv), x (..., nv).
        Gives y (..., nv)."""
    def bias(
        self, q: ArrayLike, v: ArrayLike | None = ..., method: str = ..., *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """C v + g + k: forces (N m, N) at a = 0.

        Takes q (..., nq), v (..., nv).
        Gives bias (..., nv)."""
    def body_poses(
        self, q: ArrayLike, *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """Poses of all bodies in the world, homogeneous matrices (m): of the ground, then of the link that each body's joint moves. Links welded together are one body.

        Takes q (..., nq).
        Gives poses (..., nbody, 4, 4)."""
    def center_of_mass(
        self, q: ArrayLike, *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """Centre of mass of the moving bodies, world axes, m.

        Takes q (..., nq).
        Gives c (..., 3)."""
    def centroidal_bias(
        self, q: ArrayLike, v: ArrayLike, *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """dA/dt v: the rate of momentum is A a + bias. Not for elastic links.

        Takes q (..., nq), v (..., nv).
        Gives bias (..., 6)."""
    def centroidal_map(
        self, q: ArrayLike, *, out: tuple[Array | None, Array | None] | None = ..., status: Status | None = ...
    ) -> CentroidalMap:
        """Centroidal momentum matrix: the momentum h is A v; and the centre of mass (m).

        Takes q (..., nq).
        Gives A (..., 6, nv), c (..., 3)."""
    def close_position(
        self, q: ArrayLike, given: ArrayLike | None = ..., targets: ArrayLike | None = ..., *, out: tuple[Array | None, Array | None] | None = ..., status: Status | None = ...
    ) -> ClosePosition:
        """q, which nearly closes the loops, moved on by the least motion to where they are closed; what is given 1 stays.

        Takes q (..., nq), given (..., nv) of bytes, targets (..., nloop, 3).
        Gives q_closed (..., nq), gap (...)."""
    def close_velocity(
        self, q: ArrayLike, v: ArrayLike, given: ArrayLike | None = ..., targets: ArrayLike | None = ..., *, out: tuple[Array | None, Array | None] | None = ..., status: Status | None = ...
    ) -> CloseVelocity:
        """The velocity nearest to v, in the sense of the mass matrix, that the loops allow.

        Takes q (..., nq), v (..., nv), given (..., nv) of bytes, targets (..., nloop, 3).
        Gives v_closed (..., nv), rate (...)."""
    def closed_forward_dynamics(
        self, q: ArrayLike, v: ArrayLike | None = ..., tau: ArrayLike | None = ..., fext: ArrayLike | None = ..., targets: ArrayLike | None = ..., feedback: float = ..., row: int = ..., *, out: tuple[Array | None, Array | None] | None = ..., status: Status | None = ...
    ) -> ClosedForwardDynamics:
        """Accelerations with closed loops, and their multipliers (N, N m): O(n). row: of zveno.closed_methods().

        Takes q (..., nq), v (..., nv), tau (..., nv), fext (..., nlink, 6), targets (..., nloop, 3).
        Gives a (..., nv), lam (..., rows)."""
    def closed_inverse_dynamics(
        self, q: ArrayLike, v: ArrayLike | None = ..., a: ArrayLike | None = ..., fext: ArrayLike | None = ..., beside: ArrayLike | None = ..., actuated: ArrayLike | None = ..., *, out: tuple[Array | None, Array | None, Array | None] | None = ..., status: Status | None = ...
    ) -> ClosedInverseDynamics:
        """Drive forces of least norm that give accelerations which obey the loops; actuated: 0 nothing acts, 1 a drive, 2 held by something else. left: norm of the force that is missing. beside: forces that act besides.

        Takes q (..., nq), v (..., nv), a (..., nv), fext (..., nlink, 6), beside (..., nv), actuated (..., nv) of bytes.
        Gives tau (..., nv), lam (..., rows), left (...)."""
    def closed_inverse_times(
        self, q: ArrayLike, x: ArrayLike, given: ArrayLike | None = ..., extra: ArrayLike | None = ..., damping: float = ..., stiffness: float = ..., *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """(M + diag(extra) + damping D + stiffness K)^-1 (x + G^T mu) with G y = 0: what an impulse x does to the velocities.

        Takes q (..., nq), x (..., nv), given (..., nv) of bytes, extra (..., nv).
        Gives y (..., nv)."""
    def closed_mixed_dynamics(
        self, q: ArrayLike, v: ArrayLike | None = ..., given: ArrayLike | None = ..., tau: ArrayLike | None = ..., a: ArrayLike | None = ..., fext: ArrayLike | None = ..., targets: ArrayLike | None = ..., feedback: float = ..., *, out: tuple[Array | None, Array | None, Array | None] | None = ..., status: Status | None = ...
    ) -> ClosedMixedDynamics:
        """The mixed problem with closed loops; given as in mixed_dynamics.

        Takes q (..., nq), v (..., nv), given (..., nv) of bytes, tau (..., nv), a (..., nv), fext (..., nlink, 6), targets (..., nloop, 3).
        Gives tau_all (..., nv), a_all (..., nv), lam (..., rows)."""
    def coriolis_matrix(
        self, q: ArrayLike, v: ArrayLike, *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """Matrix C with C v the Coriolis and centrifugal forces and dM/dt - 2 C skew.

        Takes q (..., nq), v (..., nv).
        Gives C (..., nv, nv)."""
    def elastic_force(
        self, q: ArrayLike, v: ArrayLike | None = ..., *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """k = K e + D de/dt in the entries of elastic coordinates, else 0.

        Takes q (..., nq), v (..., nv).
        Gives k (..., nv)."""
    def elastic_turn(
        self, q: ArrayLike, *, out: tuple[Array | None, Array | None] | None = ..., status: Status | None = ...
    ) -> ElasticTurn:
        """The largest angle, rad, by which elastic coordinates turn a section that carries something, and the number of its link (-1: none). Beyond 2 pi answers are wrong.

        Takes q (..., nq).
        Gives angle (...), link (...)."""
    def energy(
        self, q: ArrayLike, v: ArrayLike | None = ..., *, out: tuple[Array | None, Array | None] | None = ..., status: Status | None = ...
    ) -> Energy:
        """Kinetic energy (armature included) and potential energy of gravity of the moving bodies, J.

        Takes q (..., nq), v (..., nv).
        Gives kinetic (...), potential (...)."""
    def flexible_inverse_dynamics(
        self, q: ArrayLike, v: ArrayLike | None = ..., a: ArrayLike | None = ..., fext: ArrayLike | None = ..., *, out: tuple[Array | None, Array | None] | None = ..., status: Status | None = ...
    ) -> FlexibleInverseDynamics:
        """Drive forces of a motion of the joints when links are elastic: a holds the accelerations of the joints, a_elastic is a with those of the elastic coordinates.

        Takes q (..., nq), v (..., nv), a (..., nv), fext (..., nlink, 6).
        Gives tau (..., nv), a_elastic (..., nv)."""
    def forward_derivatives(
        self, q: ArrayLike, v: ArrayLike | None = ..., tau: ArrayLike | None = ..., fext: ArrayLike | None = ..., *, out: tuple[Array | None, Array | None, Array | None, Array | None] | None = ..., status: Status | None = ...
    ) -> ForwardDerivatives:
        """Accelerations of forward dynamics and their derivatives, exact; dtau = M^-1.

        Takes q (..., nq), v (..., nv), tau (..., nv), fext (..., nlink, 6).
        Gives a (..., nv), dq (..., nv, nv), dv (..., nv, nv), dtau (..., nv, nv)."""
    def forward_dynamics(
        self, q: ArrayLike, v: ArrayLike | None = ..., tau: ArrayLike | None = ..., fext: ArrayLike | None = ..., method: str = ..., *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """Accelerations a (rad/s^2, m/s^2) that forces tau cause: separate bodies, O(n), or factors of M.

        Takes q (..., nq), v (..., nv), tau (..., nv), fext (..., nlink, 6).
        Gives a (..., nv)."""
    def frame_acceleration(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike, frame: Any, axes: str = ..., *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """Classical acceleration of a frame's origin (m/s^2) and angular acceleration (rad/s^2), without gravity.

        Takes q (..., nq), v (..., nv), a (..., nv).
        Gives acceleration (..., 6)."""
    def frame_bias(
        self, q: ArrayLike, v: ArrayLike, frame: Any, axes: str = ..., *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """The part of a frame's acceleration that does not contain a: in world axes dJ/dt v.

        Takes q (..., nq), v (..., nv).
        Gives bias (..., 6)."""
    def frame_deviation(
        self, q: ArrayLike, frame: Any, *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """How far a frame is from where it would be with rigid links, world axes, m.

        Takes q (..., nq).
        Gives deviation (..., 3)."""
    def frame_jacobian(
        self, q: ArrayLike, frame: Any, axes: str = ..., *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """Jacobian of a frame: its velocity is J v; linear rows first.

        Takes q (..., nq).
        Gives J (..., 6, nv)."""
    def frame_jacobian_rate(
        self, q: ArrayLike, v: ArrayLike, frame: Any, axes: str = ..., *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """dJ/dt of a frame at the velocities v, in the same axes. Not for frames carried by elastic links.

        Takes q (..., nq), v (..., nv).
        Gives rate (..., 6, nv)."""
    def frame_pose(
        self, q: ArrayLike, frame: Any, *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """Pose of a frame (name, number or Frame) in the world, a homogeneous matrix (m).

        Takes q (..., nq).
        Gives pose (..., 4, 4)."""
    def frame_velocity(
        self, q: ArrayLike, v: ArrayLike, frame: Any, axes: str = ..., *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """Velocity of a frame's origin (m/s) and angular velocity (rad/s), along the axes of the world or its own.

        Takes q (..., nq), v (..., nv).
        Gives velocity (..., 6)."""
    def gear_forces(
        self, q: ArrayLike, v: ArrayLike, theta: ArrayLike, theta_rate: ArrayLike, *, out: tuple[Array | None, Array | None] | None = ..., status: Status | None = ...
    ) -> GearForces:
        """Forces of the gears of flexible joints on the links, 0 where there is none.

        Takes q (..., nq), v (..., nv), theta (..., nv), theta_rate (..., nv).
        Gives spring (..., nv), damper (..., nv)."""
    def gear_rest(
        self, q: ArrayLike, tau: ArrayLike | None = ..., *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """Where motors stand when their gears carry tau: motor angle / ratio, rad or m.

        Takes q (..., nq), tau (..., nv).
        Gives theta (..., nv)."""
    def gravity_force(
        self, q: ArrayLike, *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """g(q): forces (N m, N) that hold the robot against gravity.

        Takes q (..., nq).
        Gives g (..., nv)."""
    def inverse_derivatives(
        self, q: ArrayLike, v: ArrayLike | None = ..., a: ArrayLike | None = ..., fext: ArrayLike | None = ..., *, out: tuple[Array | None, Array | None, Array | None] | None = ..., status: Status | None = ...
    ) -> InverseDerivatives:
        """Derivatives of inverse dynamics, exact: row i is the force of i, column k what changes; da = M. By q means along the coordinates of v.

        Takes q (..., nq), v (..., nv), a (..., nv), fext (..., nlink, 6).
        Gives dq (..., nv, nv), dv (..., nv, nv), da (..., nv, nv)."""
    def inverse_dynamics(
        self, q: ArrayLike, v: ArrayLike | None = ..., a: ArrayLike | None = ..., fext: ArrayLike | None = ..., method: str = ..., *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """Forces tau (N m, N) that give the accelerations a: recursive Newton-Euler, O(n). fext: force (N) and moment (N m) on each link, about its origin, world axes. What is left out is zero.

        Takes q (..., nq), v (..., nv), a (..., nv), fext (..., nlink, 6).
        Gives tau (..., nv)."""
    def inverse_dynamics_rates(
        self, q: ArrayLike, v: ArrayLike | None = ..., a: ArrayLike | None = ..., jerk: ArrayLike | None = ..., snap: ArrayLike | None = ..., *, out: tuple[Array | None, Array | None, Array | None] | None = ..., status: Status | None = ...
    ) -> InverseDynamicsRates:
        """Inverse dynamics with its first and second derivative by time along a motion known to its fourth derivative.

        Takes q (..., nq), v (..., nv), a (..., nv), jerk (..., nv), snap (..., nv).
        Gives tau (..., nv), tau_rate (..., nv), tau_second (..., nv)."""
    def inverse_kinematics(
        self, q: ArrayLike, frame: Any, target: ArrayLike, held: ArrayLike | None = ..., axes: str = ..., rows: str = ..., restarts: int = ..., tolerance: float = ..., *, out: tuple[Array | None, Array | None] | None = ..., status: Status | None = ...
    ) -> InverseKinematics:
        """Position near the guess q at which the frame has the pose wanted, or its rows of it; within the limits of joints.

        Takes q (..., nq), target (..., 4, 4), held (..., nv) of bytes.
        Gives q_found (..., nq), gap (...)."""
    def joint_reactions(
        self, q: ArrayLike, v: ArrayLike | None = ..., a: ArrayLike | None = ..., fext: ArrayLike | None = ..., *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """Force (N) and moment (N m) of parent on child in every joint, at the child's origin along the child's axes.

        Takes q (..., nq), v (..., nv), a (..., nv), fext (..., nlink, 6).
        Gives reactions (..., njoint, 6)."""
    def link_jacobians(
        self, q: ArrayLike, axes: str = ..., *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """Jacobians of all links, in one sweep.

        Takes q (..., nq).
        Gives J (..., nlink, 6, nv)."""
    def link_motions(
        self, q: ArrayLike, v: ArrayLike | None = ..., *, out: tuple[Array | None, Array | None] | None = ..., status: Status | None = ...
    ) -> LinkMotions:
        """Poses of all links and velocities of their origins (linear m/s, then angular rad/s), world axes, in one sweep.

        Takes q (..., nq), v (..., nv).
        Gives poses (..., nlink, 4, 4), velocities (..., nlink, 6)."""
    def link_poses(
        self, q: ArrayLike, *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """Poses of all links in the world, homogeneous matrices (m).

        Takes q (..., nq).
        Gives poses (..., nlink, 4, 4)."""
    def loop_bias(
        self, q: ArrayLike, v: ArrayLike | None = ..., targets: ArrayLike | None = ..., feedback: float = ..., *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """bias of the loops: G a + bias = 0; feedback (Baumgarte, 1/s) included.

        Takes q (..., nq), v (..., nv), targets (..., nloop, 3).
        Gives bias (..., rows)."""
    def loop_coordinates(
        self, q: ArrayLike, loop: Any, v: ArrayLike | None = ..., *, out: tuple[Array | None, Array | None] | None = ..., status: Status | None = ...
    ) -> LoopCoordinates:
        """A loop's own coordinates and velocities, as those of a joint of its type.

        Takes q (..., nq), v (..., nv).
        Gives qc (..., loop.nq), vc (..., loop.nv)."""
    def loop_forces(
        self, q: ArrayLike, lam: ArrayLike, *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """G^T lambda.

        Takes q (..., nq), lam (..., rows).
        Gives forces (..., nv)."""
    def loop_gaps(
        self, q: ArrayLike, v: ArrayLike | None = ..., targets: ArrayLike | None = ..., *, out: tuple[Array | None, Array | None] | None = ..., status: Status | None = ...
    ) -> LoopGaps:
        """Gaps of closed loops (m, rad), zero when closed, and their rates. targets: value, rate and second rate of each rod, coupling or driven joint.

        Takes q (..., nq), v (..., nv), targets (..., nloop, 3).
        Gives gaps (..., rows), rates (..., rows)."""
    def loop_impact(
        self, q: ArrayLike, v: ArrayLike, given: ArrayLike | None = ..., *, out: tuple[Array | None, Array | None] | None = ..., status: Status | None = ...
    ) -> LoopImpact:
        """What happens when loops close at once: the jump of v, and the impulses of the loops (N s, N m s).

        Takes q (..., nq), v (..., nv), given (..., nv) of bytes.
        Gives jump (..., nv), impulse (..., rows)."""
    def loop_jacobian(
        self, q: ArrayLike, *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """G of the loops: rates of gaps are G v less the rates of targets.

        Takes q (..., nq).
        Gives G (..., rows, nv)."""
    def loop_matrix(
        self, q: ArrayLike, loop: Any, *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """Velocity of the child's frame of a loop against the parent's for each unit of v, axes of the parent's frame.

        Takes q (..., nq).
        Gives U (..., 6, nv)."""
    def loop_mobility(
        self, q: ArrayLike, *, out: tuple[Array | None, Array | None, Array | None] | None = ..., status: Status | None = ...
    ) -> LoopMobility:
        """What the loops leave free at q.

        Takes q (..., nq).
        Gives freedoms (...), rank (...), redundant (...)."""
    def loop_residual(
        self, q: ArrayLike, v: ArrayLike | None = ..., targets: ArrayLike | None = ..., *, out: tuple[Array | None, Array | None] | None = ..., status: Status | None = ...
    ) -> LoopResidual:
        """The largest gap and rate of all loops, lengths divided by the size of the robot.

        Takes q (..., nq), v (..., nv), targets (..., nloop, 3).
        Gives gap (...), rate (...)."""
    def loop_wrenches(
        self, q: ArrayLike, lam: ArrayLike, *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """What the parent does to the child in each loop: force (N) and moment (N m) about the child's frame, along its axes.

        Takes q (..., nq), lam (..., rows).
        Gives wrenches (..., nloop, 6)."""
    def mass_inverse(
        self, q: ArrayLike, method: str = ..., *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """M^-1, full and symmetric.

        Takes q (..., nq).
        Gives Minv (..., nv, nv)."""
    def mass_inverse_times(
        self, q: ArrayLike, x: ArrayLike, *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """M^-1 x in O(n).

        Takes q (..., nq), x (..., nv).
        Gives y (..., nv)."""
    def mass_matrix(
        self, q: ArrayLike, method: str = ..., *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """Mass matrix M, full and symmetric (kg m^2, kg m, kg).

        Takes q (..., nq).
        Gives M (..., nv, nv)."""
    def mass_times(
        self, q: ArrayLike, x: ArrayLike, *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """M x in O(n); with x = v the generalised momentum.

        Takes q (..., nq), x (..., nv).
        Gives y (..., nv)."""
    def mixed_dynamics(
        self, q: ArrayLike, v: ArrayLike | None = ..., given: ArrayLike | None = ..., tau: ArrayLike | None = ..., a: ArrayLike | None = ..., fext: ArrayLike | None = ..., method: str = ..., *, out: tuple[Array | None, Array | None] | None = ..., status: Status | None = ...
    ) -> MixedDynamics:
        """Mixed problem, O(n): given says of each degree of freedom what is known, 0 tau, 1 a, 2 locked (a = 0); the rest is computed.

        Takes q (..., nq), v (..., nv), given (..., nv) of bytes, tau (..., nv), a (..., nv), fext (..., nlink, 6).
        Gives tau_all (..., nv), a_all (..., nv)."""
    def momentum(
        self, q: ArrayLike, v: ArrayLike, *, out: tuple[Array | None, Array | None] | None = ..., status: Status | None = ...
    ) -> Momentum:
        """Linear momentum (N s) and angular momentum about the centre of mass (N m s), world axes; and that centre (m).

        Takes q (..., nq), v (..., nv).
        Gives h (..., 6), c (..., 3)."""
    def motor_accelerations(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike, theta_rate: ArrayLike, motor: ArrayLike, tau: ArrayLike, *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """Accelerations of motors whose gears have tau on the links, which accelerate with a.

        Takes q (..., nq), v (..., nv), a (..., nv), theta_rate (..., nv), motor (..., nv), tau (..., nv).
        Gives theta_second (..., nv)."""
    def motor_energy(
        self, q: ArrayLike, theta: ArrayLike, theta_rate: ArrayLike, v: ArrayLike | None = ..., *, out: tuple[Array | None, Array | None] | None = ..., status: Status | None = ...
    ) -> MotorEnergy:
        """Energy of the springs of gears and of the rotors behind them, J; v counts for rotors with an axis.

        Takes q (..., nq), theta (..., nv), theta_rate (..., nv), v (..., nv).
        Gives gears (...), rotors (...)."""
    def motor_forces(
        self, q: ArrayLike, v: ArrayLike, theta: ArrayLike, theta_rate: ArrayLike, motor: ArrayLike | None = ..., *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """Forces in the joints: those of the gears of flexible joints, of the motors in others.

        Takes q (..., nq), v (..., nv), theta (..., nv), theta_rate (..., nv), motor (..., nv).
        Gives tau (..., nv)."""
    def motor_forward_dynamics(
        self, q: ArrayLike, v: ArrayLike | None = ..., theta: ArrayLike | None = ..., theta_rate: ArrayLike | None = ..., motor: ArrayLike | None = ..., fext: ArrayLike | None = ..., beside: ArrayLike | None = ..., *, out: tuple[Array | None, Array | None, Array | None] | None = ..., status: Status | None = ...
    ) -> MotorForwardDynamics:
        """Accelerations of links and motors that the motors behind flexible joints cause: theta is motor angle / ratio (left out: gears carry nothing), motor the force reckoned on the link side; tau: the forces on the links.

        Takes q (..., nq), v (..., nv), theta (..., nv), theta_rate (..., nv), motor (..., nv), fext (..., nlink, 6), beside (..., nv).
        Gives a (..., nv), theta_second (..., nv), tau (..., nv)."""
    def motor_inverse_dynamics(
        self, q: ArrayLike, v: ArrayLike | None = ..., a: ArrayLike | None = ..., jerk: ArrayLike | None = ..., snap: ArrayLike | None = ..., theta_now: ArrayLike | None = ..., beside: ArrayLike | None = ..., beside_rate: ArrayLike | None = ..., beside_second: ArrayLike | None = ..., *, out: tuple[Array | None, Array | None, Array | None, Array | None, Array | None] | None = ..., status: Status | None = ...
    ) -> MotorInverseDynamics:
        """What motors behind flexible joints do for a motion of the links: angles / ratio with their rates, forces on the links, and those of the motors, on the link side. theta_now: where motors of gears with damping stand. beside: forces besides, as passive ones.

        Takes q (..., nq), v (..., nv), a (..., nv), jerk (..., nv), snap (..., nv), theta_now (..., nv), beside (..., nv), beside_rate (..., nv), beside_second (..., nv).
        Gives theta (..., nv), theta_rate (..., nv), theta_second (..., nv), tau (..., nv), motor (..., nv)."""
    def neutral(
        self, *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """The neutral position: zeros and unit quaternions.

        Takes .
        Gives q (..., nq)."""
    def passive_energy(
        self, q: ArrayLike, *, out: Array | None = ..., status: Status | None = ...
    ) -> Any:
        """Energy of the springs in joints, J.

        Takes q (..., nq).
        Gives energy (...)."""
    def passive_forces(
        self, q: ArrayLike, v: ArrayLike | None = ..., smoothing: float = ..., *, out: tuple[Array | None, Array | None, Array | None] | None = ..., status: Status | None = ...
    ) -> PassiveForces:
        """What springs, dampers and dry friction of the joints do, with their sign. smoothing: rad/s or m/s; 0: the sign of v.

        Takes q (..., nq), v (..., nv).
        Gives spring (..., nv), viscous (..., nv), dry (..., nv)."""
    def passive_rates(
        self, q: ArrayLike, v: ArrayLike | None = ..., a: ArrayLike | None = ..., jerk: ArrayLike | None = ..., smoothing: float = ..., *, out: tuple[Array | None, Array | None, Array | None] | None = ..., status: Status | None = ...
    ) -> PassiveRates:
        """Passive forces of the joints with their derivatives by time along a motion, as motor_inverse_dynamics takes them.

        Takes q (..., nq), v (..., nv), a (..., nv), jerk (..., nv).
        Gives beside (..., nv), beside_rate (..., nv), beside_second (..., nv)."""
    def pose_error(
        self, wanted: ArrayLike, actual: ArrayLike, *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """Displacement (m) and rotation vector (rad) that lead from the actual pose to the wanted one, world axes.

        Takes wanted (..., 4, 4), actual (..., 4, 4).
        Gives error (..., 6)."""
    def position_add(
        self, q: ArrayLike, v: ArrayLike, *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """q moved with the constant velocity v for unit time; for a step of time pass v times its length. Quaternions turn exactly.

        Takes q (..., nq), v (..., nv).
        Gives q_moved (..., nq)."""
    def position_normalize(
        self, q: ArrayLike, *, out: tuple[Array | None, Array | None] | None = ..., status: Status | None = ...
    ) -> PositionNormalize:
        """q with quaternions of unit length, and the largest | |quaternion| - 1 | that was found.

        Takes q (..., nq).
        Gives q_unit (..., nq), error (...)."""
    def position_rate(
        self, q: ArrayLike, v: ArrayLike, *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """dq/dt of a position that moves with v.

        Takes q (..., nq), v (..., nv).
        Gives dq (..., nq)."""
    def rotor_coupling(
        self, q: ArrayLike, *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """What stands beside M in the mass matrix of links and motors, of rotors with an axis: inertia ratio J^T z.

        Takes q (..., nq).
        Gives S (..., nv, nv)."""
    def rotor_momentum(
        self, q: ArrayLike, v: ArrayLike, theta_rate: ArrayLike, *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """Angular momentum of the spins of rotors with an axis, N m s, which momentum does not have.

        Takes q (..., nq), v (..., nv), theta_rate (..., nv).
        Gives momentum (..., 3)."""
    def strain_energy(
        self, q: ArrayLike, *, out: Array | None = ..., status: Status | None = ...
    ) -> Any:
        """Energy stored in elastic links, J.

        Takes q (..., nq).
        Gives energy (...)."""
    def structural_inverse_times(
        self, q: ArrayLike, x: ArrayLike, given: ArrayLike | None = ..., extra: ArrayLike | None = ..., damping: float = ..., stiffness: float = ..., method: str = ..., *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """(M + diag(extra) + damping D + stiffness K)^-1 x in O(n), D and K of the elastic links; of what is given 0 (force).

        Takes q (..., nq), x (..., nv), given (..., nv) of bytes, extra (..., nv).
        Gives y (..., nv)."""
    def task_dynamics(
        self, q: ArrayLike, frame: Any, v: ArrayLike | None = ..., axes: str = ..., rows: str = ..., *, out: tuple[Array | None, Array | None, Array | None, Array | None] | None = ..., status: Status | None = ...
    ) -> TaskDynamics:
        """Dynamics of a task, Lambda xdd + mu + rho = F: a frame and some of its directions, such as "xyz", "position", "x,y,rz". rcond: how far from singular, at most 1.

        Takes q (..., nq), v (..., nv).
        Gives Lambda (..., m, m), mu (..., m), rho (..., m), rcond (...)."""
    def task_force(
        self, q: ArrayLike, frame: Any, xdd: ArrayLike | None = ..., v: ArrayLike | None = ..., null_tau: ArrayLike | None = ..., axes: str = ..., rows: str = ..., *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """tau that gives the task the acceleration xdd, plus null_tau projected.

        Takes q (..., nq), xdd (..., m), v (..., nv), null_tau (..., nv).
        Gives tau (..., nv)."""
    def task_inertia(
        self, q: ArrayLike, frame: Any, axes: str = ..., rows: str = ..., *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """Operational-space inertia Lambda of a task alone: a third less work than task_dynamics.

        Takes q (..., nq).
        Gives Lambda (..., m, m)."""
    def task_inverse(
        self, q: ArrayLike, frame: Any, axes: str = ..., rows: str = ..., *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """The dynamically consistent inverse Jbar = M^-1 J^T Lambda.

        Takes q (..., nq).
        Gives Jbar (..., nv, m)."""
    def task_jacobian(
        self, q: ArrayLike, frame: Any, axes: str = ..., rows: str = ..., *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """Jacobian of a task.

        Takes q (..., nq).
        Gives J (..., m, nv)."""
    def task_null_force(
        self, q: ArrayLike, frame: Any, tau: ArrayLike, axes: str = ..., rows: str = ..., *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """The part of tau that does not accelerate the task.

        Takes q (..., nq), tau (..., nv).
        Gives tau_null (..., nv)."""
    def task_null_projector(
        self, q: ArrayLike, frame: Any, axes: str = ..., rows: str = ..., *, out: Array | None = ..., status: Status | None = ...
    ) -> Array:
        """N = 1 - Jbar J: velocities that leave the task alone.

        Takes q (..., nq).
        Gives N (..., nv, nv)."""
    def task_resolve(
        self, q: ArrayLike, frame: Any, xd: ArrayLike, xdd: ArrayLike | None = ..., held: ArrayLike | None = ..., axes: str = ..., rows: str = ..., *, out: tuple[Array | None, Array | None] | None = ..., status: Status | None = ...
    ) -> TaskResolve:
        """Least joint velocities with J v = xd, and least accelerations that give xdd; held: 1 where a joint does not move.

        Takes q (..., nq), xd (..., m), xdd (..., m), held (..., nv) of bytes.
        Gives v (..., nv), a (..., nv)."""

class Builder:
    def __new__(cls, text: str | bytes | None, name: str, format: str = "auto", packages: dict[str, str] | None = None, /) -> Self: ...
    def set(
        self,
        free_base: bool | None,
        mimic: bool | None,
        cut_loops: bool | None,
        gravity: tuple[float, ...] | None,
        name: str | None,
        /,
    ) -> None: ...
    def lock(self, joint: str, /) -> None: ...
    def native(self) -> str: ...
    def written(self, format: str, /) -> tuple[str, list[dict[str, Any]]]: ...
    def check(self, all: bool, /) -> list[dict[str, Any]]: ...

def load(text: str | bytes, name: str, /) -> Any: ...
def methods(question: int, /) -> list[tuple[str, str, str, int, str]]: ...
def closed_methods() -> list[tuple[str, str, str]]: ...
def questions() -> list[str]: ...
