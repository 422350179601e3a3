/* Questions of loops.h. */
#include <string.h>

#include "ask.h"

/* What the options of a call say of closing; inputs k are targets (or none: -1). */
static zvClosing closing_of(const Call *c, int targets) {
    return (zvClosing){.targets = targets < 0 ? NULL : IN(targets), .feedback = c->number[0]};
}

static zvStatus gaps(Call *c) {
    const zvClosing closing = closing_of(c, 2);
    zv_loop_gaps(c->model, c->work, &closing, IN(0), IN(1), OUT(0), OUT(1));
    return ZV_OK;
}
QUESTION(loop_gaps, "q:q v?:v targets?:T -> gaps:r rates:r", gaps,
         "Gaps of closed loops (m, rad), zero when closed, and their rates. targets: value, rate and second rate of "
         "each rod, "
         "coupling or driven joint.")

static zvStatus residual(Call *c) {
    const zvClosing closing = closing_of(c, 2);
    zv_loop_residual(c->model, c->work, &closing, IN(0), IN(1), -1, OUT(0), OUT(1));
    return ZV_OK;
}
QUESTION(loop_residual, "q:q v?:v targets?:T -> gap:s rate:s", residual,
         "The largest gap and rate of all loops, lengths divided by the size of the robot.")

static zvStatus jacobian(Call *c) {
    zv_loop_jacobian(c->model, c->work, IN(0), OUT(0));
    return ZV_OK;
}
QUESTION(loop_jacobian, "q:q -> G:G", jacobian, "G of the loops: rates of gaps are G v less the rates of targets.")

static zvStatus loop_bias(Call *c) {
    const zvClosing closing = closing_of(c, 2);
    zv_loop_bias(c->model, c->work, &closing, IN(0), IN(1), OUT(0));
    return ZV_OK;
}
QUESTION(loop_bias, "q:q v?:v targets?:T feedback=0:d -> bias:r", loop_bias,
         "bias of the loops: G a + bias = 0; feedback (Baumgarte, 1/s) included.")

static zvStatus loop_coordinates(Call *c) {
    zv_loop_coordinates(c->model, c->work, IN(0), IN(1), c->loop, OUT(0), OUT(1));
    return ZV_OK;
}
QUESTION(loop_coordinates, "q:q loop:P v?:v -> qc:c vc:e", loop_coordinates,
         "A loop's own coordinates and velocities, as those of a joint of its type.")

static zvStatus loop_matrix(Call *c) {
    zv_loop_matrix(c->model, c->work, IN(0), c->loop, OUT(0));
    return ZV_OK;
}
QUESTION(loop_matrix, "q:q loop:P -> U:J", loop_matrix,
         "Velocity of the child's frame of a loop against the parent's for each unit of v, axes of the parent's frame.")

static zvStatus mobility(Call *c) {
    zvLoopMobility x;
    const zvStatus status = zv_loop_mobility(c->model, c->work, IN(0), &x);
    *OUT(0) = x.freedoms, *OUT(1) = x.rank, *OUT(2) = x.redundant;
    return status;
}
QUESTION(loop_mobility, "q:q -> freedoms:s rank:s redundant:s", mobility, "What the loops leave free at q.")

/* By a row of the table of closed methods, 0: the default. */
static zvStatus closed_forward(Call *c) {
    const zvClosing closing = closing_of(c, 4);
    size_t count;
    const zvClosedMethod *rows = zv_closed_methods(&count);
    if (c->whole < 0 || c->whole >= (int)count)
        return zv_fail(&c->error, ZV_SIZE, (zvMark){0}, "row", "row: expected 0 to %d, found %d", (int)count - 1,
                       c->whole);
    if (c->whole) return rows[c->whole].run(c->model, c->work, &closing, IN(0), IN(1), IN(2), IN(3), OUT(0), OUT(1));
    return zv_closed_forward_dynamics(c->model, c->work, &closing, IN(0), IN(1), IN(2), IN(3), OUT(0), OUT(1));
}
QUESTION(closed_forward_dynamics, "q:q v?:v tau?:v fext?:f targets?:T feedback=0:d row=0:i -> a:v lam:r",
         closed_forward,
         "Accelerations with closed loops, and their multipliers (N, N m): O(n). row: of zveno.closed_methods().")

static zvStatus closed_mixed(Call *c) {
    const zvClosing closing = closing_of(c, 6);
    for (int k = 0; k < 2; k++) {
        if (c->in[3 + k])
            memcpy(OUT(k), IN(3 + k), (size_t)zv_model_nv(c->model) * sizeof(double));
        else
            memset(OUT(k), 0, (size_t)zv_model_nv(c->model) * sizeof(double));
    }
    return zv_closed_mixed_dynamics(c->model, c->work, &closing, IN(0), IN(1), c->in[2], IN(5), OUT(0), OUT(1), OUT(2));
}
QUESTION(closed_mixed_dynamics,
         "q:q v?:v given?:g tau?:v a?:v fext?:f targets?:T feedback=0:d -> tau_all:v a_all:v lam:r", closed_mixed,
         "The mixed problem with closed loops; given as in mixed_dynamics.")

static zvStatus closed_inverse(Call *c) {
    return zv_closed_inverse_beside(c->model, c->work, IN(0), IN(1), IN(2), IN(3), IN(4), c->in[5], OUT(0), OUT(1),
                                    OUT(2));
}
QUESTION(closed_inverse_dynamics, "q:q v?:v a?:v fext?:f beside?:v actuated?:g -> tau:v lam:r left:s", closed_inverse,
         "Drive forces of least norm that give accelerations which obey the loops; actuated: 0 nothing acts, 1 a "
         "drive, 2 held by "
         "something else. left: norm of the force that is missing. beside: forces that act besides.")

static zvStatus closed_inverse_times(Call *c) {
    if (c->number[0] != 0 || c->number[1] != 0)
        return zv_closed_structural_inverse_times(c->model, c->work, IN(0), c->in[2], IN(3), c->number[0], c->number[1],
                                                  IN(1), OUT(0));
    return zv_closed_inverse_times(c->model, c->work, IN(0), c->in[2], IN(3), IN(1), OUT(0));
}
QUESTION(closed_inverse_times, "q:q x:v given?:g extra?:v damping=0:d stiffness=0:d -> y:v", closed_inverse_times,
         "(M + diag(extra) + damping D + stiffness K)^-1 (x + G^T mu) with G y = 0: what an impulse x does to the "
         "velocities.")

static zvStatus loop_impact(Call *c) {
    const zvClosing closing = closing_of(c, -1);
    return zv_loop_impact(c->model, c->work, &closing, IN(0), IN(1), c->in[2], OUT(0), OUT(1));
}
QUESTION(loop_impact, "q:q v:v given?:g -> jump:v impulse:r", loop_impact,
         "What happens when loops close at once: the jump of v, and the impulses of the loops (N s, N m s).")

static zvStatus loop_wrenches(Call *c) {
    zv_loop_wrenches(c->model, c->work, IN(0), IN(1), OUT(0));
    return ZV_OK;
}
QUESTION(loop_wrenches, "q:q lam:r -> wrenches:Y", loop_wrenches,
         "What the parent does to the child in each loop: force (N) and moment (N m) about the child's frame, along "
         "its axes.")

static zvStatus add_loop_wrenches(Call *c) {
    const size_t bytes = (size_t)zv_model_nexternal(c->model) * sizeof(double);
    if (c->in[2])
        memcpy(OUT(0), IN(2), bytes);
    else
        memset(OUT(0), 0, bytes);
    zv_add_loop_wrenches(c->model, c->work, IN(0), IN(1), OUT(0));
    return ZV_OK;
}
QUESTION(add_loop_wrenches, "q:q lam:r fext?:f -> fext_all:f", add_loop_wrenches,
         "fext and the forces of loops, for joint_reactions; those of couplings are not among them.")

static zvStatus loop_forces(Call *c) {
    zv_loop_forces(c->model, c->work, IN(0), IN(1), OUT(0));
    return ZV_OK;
}
QUESTION(loop_forces, "q:q lam:r -> forces:v", loop_forces, "G^T lambda.")

static zvStatus close_position(Call *c) {
    const zvClosing closing = closing_of(c, 2);
    memcpy(OUT(0), IN(0), (size_t)zv_model_nq(c->model) * sizeof(double));
    return zv_close_position(c->model, c->work, &closing, c->in[1], OUT(0), OUT(1));
}
QUESTION(
    close_position, "q:q given?:g targets?:T -> q_closed:q gap:s", close_position,
    "q, which nearly closes the loops, moved on by the least motion to where they are closed; what is given 1 stays.")

static zvStatus close_velocity(Call *c) {
    const zvClosing closing = closing_of(c, 3);
    memcpy(OUT(0), IN(1), (size_t)zv_model_nv(c->model) * sizeof(double));
    return zv_close_velocity(c->model, c->work, &closing, IN(0), c->in[2], OUT(0), OUT(1));
}
QUESTION(close_velocity, "q:q v:v given?:g targets?:T -> v_closed:v rate:s", close_velocity,
         "The velocity nearest to v, in the sense of the mass matrix, that the loops allow.")

static zvStatus assemble(Call *c) {
    const zvClosing closing = closing_of(c, 2);
    zvAssembly options = zv_assembly_default();
    options.held = c->in[1];
    options.restarts = c->whole;
    memcpy(OUT(0), IN(0), (size_t)zv_model_nq(c->model) * sizeof(double));
    return zv_assemble(c->model, c->work, &closing, &options, OUT(0), &c->error);
}
QUESTION(assemble, "q:q held?:g targets?:T restarts=0:i -> q_closed:q", assemble,
         "q moved from far until the loops are closed; held: 1 where a coordinate stays; restarts: fresh guesses when "
         "that fails.")

const AskEntry zp_loops[] = {ENTRY(loop_gaps),
                             ENTRY(loop_residual),
                             ENTRY(loop_jacobian),
                             ENTRY(loop_bias),
                             ENTRY(loop_coordinates),
                             ENTRY(loop_matrix),
                             ENTRY(loop_mobility),
                             ENTRY(closed_forward_dynamics),
                             ENTRY(closed_mixed_dynamics),
                             ENTRY(closed_inverse_dynamics),
                             ENTRY(closed_inverse_times),
                             ENTRY(loop_impact),
                             ENTRY(loop_wrenches),
                             ENTRY(add_loop_wrenches),
                             ENTRY(loop_forces),
                             ENTRY(close_position),
                             ENTRY(close_velocity),
                             ENTRY(assemble),
                             {NULL, NULL}};
