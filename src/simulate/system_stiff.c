/* What implicit methods need of the scenario: a preconditioner for general methods, residual and iteration matrix
 * for structural ones. */
#include "actuate/element.h"
#include "linalg/ltdl.h"
#include "loops/closed.h"
#include "model/coordinate.h"
#include "model/gear.h"
#include "simulate/system.h"

#include <string.h>

/* P near 1 - gamma df/dy for implicit methods, in O(n): springs and dampers in the joints and elastic links, everything
 * else frozen.
 *
 *   f = (v, -M^-1 (K q + D v)):   P (x_q, x_v) = (x_q - gamma x_v, x_v + gamma M^-1 (K x_q + D x_v)) = (r_q, r_v)
 *   (M + gamma D + gamma^2 K) x_v = M r_v - gamma K r_q,   x_q = r_q + gamma x_v
 *
 * A flexible joint couples its rotor (theta, omega; inertia J, stiffness k, damping d, motor damping b, all on the link
 * side) to one entry of q and v. With c = gamma d + gamma^2 k, s = J + c + gamma b and
 * e = J r_omega - gamma k (r_theta - r_q) the rotor's rows give
 *
 *   x_omega = (e + c x_v) / s,   x_theta = r_theta + gamma x_omega
 *
 * and, put into the link's row, -c^2 / s on the diagonal and gamma k r_theta + c e / s on the right.
 * Degrees of freedom that follow a law or stick do not depend on y: there P is the identity.
 *
 * With coupled mimic joints a solution by recursion takes two sweeps, one more for each follower and as many again of
 * refinement, while f has factors of the dense matrix. There P has them, too: of M, made when it is prepared, and of
 * M + gamma D + gamma^2 K for every gamma.
 *
 * Closed loops: M^-1 becomes the inverse on the motions that loops allow. What is not such a motion of r_v stays as it
 * is, so the unknown is x_v - r_v: (M + gamma D + gamma^2 K) (x_v - r_v) = -gamma K r_q - (gamma D + gamma^2 K) r_v. */

static const double held = 1e30; /* an addend to M that no force moves */

/* Whether an element of the drives is a flexible joint; then its rotor. */
static bool system_rotor(const ziSystem *s, size_t element, ziRotor *rotor) {
    const ziElement *e = &s->drives->elements[element];
    if (e->kind != &zi_flexible_kind) return false;
    const zvFlexibleJoint *f = &e->of.motor.gear;
    const double square = f->ratio * f->ratio;
    const double k = s->tangent[e->dofs[0]];
    *rotor = (ziRotor){e->dofs[0], e->state, f->inertia * square, k, f->damping, f->motor_damping * square};
    return rotor->J > 0;
}

/* Stiffness and damping of the drives at the state placed, the tangents of gears with them. */
static void look_at_drives(ziSystem *s, double t) {
    zv_drives_diagonal(s->drives, zi_system_clock(s, t), s->q, s->v, s->z, s->modes, s->stiffness, s->damping);
    for (size_t i = 0; i < s->drives->nelement; i++) {
        const ziElement *e = &s->drives->elements[i];
        if (e->kind != &zi_flexible_kind) continue;
        const int dof = e->dofs[0];
        s->tangent[dof] = zi_gear_tangent(&e->of.motor.gear, s->z[e->state] - s->q[s->coordinate[dof]]);
    }
}

/* One whose link the forces move. */
static bool rotor_of(const ziSystem *s, size_t element, ziRotor *rotor) {
    return system_rotor(s, element, rotor) && s->augment[rotor->dof] < held;
}

static double coupling(const ziRotor *r, double gamma) { return gamma * (r->d + gamma * r->k); }
static double pivot(const ziRotor *r, double gamma) { return r->J + coupling(r, gamma) + gamma * r->b; }

/* Up to so many coordinates. Beyond, n^3 / 6 operations for factors every dozen solutions take longer than the sweeps
 * do: bdf on chains with two followers took 0.86 of their time at 200 coordinates, 1.07 at 280, 1.4 at 400, dirk 0.75,
 * 0.83 and 1.0. */
enum { MOST_FACTORED = 256 };

/* Where P keeps the factors of a matrix. */
bool zi_system_wants_matrix(const ziSystem *s) {
    return s->model->coupling.count > 0 && s->nv <= MOST_FACTORED && !s->loops && zv_model_nelastic(s->model) == 0;
}

/* Factors of M + augment; where there are none, sweeps find out why. The buffer is spoilt. */
static void factor_augmented(ziSystem *s) {
    real_ok ok = 1;
    const size_t n = (size_t)s->nv;
    if (!s->mass) return;
    memcpy(s->factors, s->mass, n * n * sizeof *s->mass);
    for (size_t i = 0; i < n; i++) s->factors[i * n + i] += s->augment[i];
    ltdl_factor(ltdl_dense(s->nv), s->factors, s->buffer, &ok);
    s->factored = ok;
}

/* Diagonal gamma (D + gamma K) of an implicit step, less what eliminating the rotors takes from it; degrees of freedom
 * with a given acceleration are marked as held. */
static void augment_by(ziSystem *s, double gamma) {
    ziRotor rotor;
    for (int i = 0; i < s->nv; i++) {
        s->augment[i] = gamma * (s->damping[i] + gamma * s->stiffness[i]);
        if (s->given[i] != ZV_GIVEN_FORCE) s->augment[i] = held;
    }
    for (size_t i = 0; i < s->drives->nelement; i++) {
        if (!rotor_of(s, i, &rotor)) continue;
        const double c = coupling(&rotor, gamma), less = s->augment[rotor.dof] - c * c / pivot(&rotor, gamma);
        s->augment[rotor.dof] = less > 0 ? less : 0;
    }
    s->gamma = gamma;
    factor_augmented(s);
}

/* What P takes from the state: positions, K and D of the drives, what is given. */
int zi_system_prepare(void *context, double t, const double *y, double gamma) {
    ziSystem *s = context;
    zi_system_place(s, t, y);
    if (zi_system_accelerate(s) < 0) return zi_system_refusal(s);
    memcpy(s->q_near, s->q, (size_t)s->nq * sizeof *y);
    look_at_drives(s, t);
    for (int i = 0; i < s->nv; i++) s->given[i] = s->efforts->given[i];
    if (s->mass) zv_mass_matrix(s->model, s->work, s->q_near, s->mass);
    augment_by(s, gamma);
    return 0;
}

/* What the rotor's row leaves to the link's when x_v is left out: e. */
static double rotor_rest(const ziSystem *s, const ziRotor *rotor, double gamma, const double *r) {
    const double *z = r + s->at_z + rotor->state, stretch = z[0] - r[s->coordinate[rotor->dof]];
    return rotor->J * z[1] - gamma * rotor->k * stretch;
}

static void add_rotors(const ziSystem *s, double gamma, const double *r, double *rhs) {
    ziRotor rotor;
    for (size_t i = 0; i < s->drives->nelement; i++) {
        if (!rotor_of(s, i, &rotor)) continue;
        rhs[rotor.dof] += gamma * rotor.k * r[s->at_z + rotor.state] +
                          coupling(&rotor, gamma) * rotor_rest(s, &rotor, gamma, r) / pivot(&rotor, gamma);
    }
}

static void stiff_solve_rotors(const ziSystem *s, double gamma, const double *r, double *x) {
    ziRotor rotor;
    for (size_t i = 0; i < s->drives->nelement; i++) {
        if (!rotor_of(s, i, &rotor)) continue;
        double *z = x + s->at_z + rotor.state;
        z[1] =
            (rotor_rest(s, &rotor, gamma, r) + coupling(&rotor, gamma) * x[s->at_v + rotor.dof]) / pivot(&rotor, gamma);
        z[0] = r[s->at_z + rotor.state] + gamma * z[1];
    }
}

/* x_v of the tree. Elastic links have K and D of their own; buffer is (nv + nq). */
static zvStatus solve_tree(ziSystem *s, double gamma, const double *r, double *buffer, double *x_v) {
    const double *r_v = r + s->at_v;
    double *rhs = buffer, *k = buffer + s->nv;
    for (int i = 0; i < s->nv; i++) x_v[i] = s->augment[i] < held ? r_v[i] : 0;
    zv_mass_times(s->model, s->work, s->q_near, x_v, rhs);
    zi_position_departure(s->model, s->q_near, r, s->apart);
    for (int i = 0; i < s->nv; i++) {
        rhs[i] -= gamma * s->stiffness[i] * s->apart[i];
        if (s->augment[i] >= held) rhs[i] = 0;
    }
    add_rotors(s, gamma, r, rhs);
    if (s->factored) {
        memcpy(x_v, rhs, (size_t)s->nv * sizeof *x_v);
        ltdl_solve(ltdl_dense(s->nv), s->factors, x_v);
        return ZV_OK;
    }
    if (zv_model_nelastic(s->model) == 0)
        return zv_augmented_inverse_times(s->model, s->work, s->q_near, s->augment, rhs, x_v);
    zv_elastic_force(s->model, r, NULL, k);
    for (int i = 0; i < s->nv; i++) rhs[i] -= gamma * k[i];
    return zv_structural_inverse_times(s->model, s->work, s->q_near, NULL, s->augment, gamma, gamma * gamma, rhs, x_v);
}

/* Closed loops: x = e + y, where the loops allow y and e what they ask of x, with (M + damping D + stiffness K) x =
 * M e + rhs; extra (nv) is what damping D + stiffness K has on its diagonal. So y follows from rhs -
 * (damping D + stiffness K) e - damping K q, the last with the positions q of elastic links, NULL: zero. rhs is lost,
 * buffer is (2 nv + nq). */
static zvStatus solve_allowed(ziSystem *s, const unsigned char *given, const double *extra, double damping,
                              double stiffness, const double *place, const double *q, const double *e, double *rhs,
                              double *buffer, double *x) {
    double *k = buffer, *rates = k + s->nv, *moved = rates + s->nv;
    for (int i = 0; i < s->nv; i++) rhs[i] -= extra[i] * e[i];
    if (zv_model_nelastic(s->model) > 0) {
        for (int i = 0; i < s->nq; i++) moved[i] = q ? damping * q[i] : 0;
        for (int i = 0; i < s->nv; i++) {
            rates[i] = damping * e[i];
            if (s->coordinate[i] >= 0) moved[s->coordinate[i]] += stiffness * e[i];
        }
        zv_elastic_force(s->model, moved, rates, k);
        for (int i = 0; i < s->nv; i++) rhs[i] -= k[i];
    }
    const zvClosing closing = zv_efforts_closing(s->efforts);
    const zvStatus status =
        zi_closed_inverse_times(s->model, s->work, &closing, place, given, extra, damping, stiffness, rhs, rhs);
    for (int i = 0; i < s->nv; i++) x[i] = e[i] + rhs[i];
    return status;
}

/* x_v with closed loops; buffer is (3 nv + nq). */
static zvStatus solve_closed(ziSystem *s, double gamma, const double *r, double *buffer, double *x_v) {
    double *rhs = buffer;
    memset(rhs, 0, (size_t)s->nv * sizeof *rhs);
    add_rotors(s, gamma, r, rhs);
    zi_position_departure(s->model, s->q_near, r, s->apart);
    for (int i = 0; i < s->nv; i++) {
        x_v[i] = s->given[i] == ZV_GIVEN_FORCE ? s->augment[i] : 0;
        rhs[i] -= gamma * s->stiffness[i] * s->apart[i];
    }
    return solve_allowed(s, s->given, x_v, gamma, gamma * gamma, s->q_near, r, r + s->at_v, rhs, buffer + s->nv, x_v);
}

/* Velocities first, then positions, then the rotors; what is held is passed through. */
int zi_system_precondition(void *context, double t, const double *y, double gamma, const double *r, double *x) {
    ziSystem *s = context;
    const double *r_v = r + s->at_v;
    double *x_v = x + s->at_v, *moved = s->buffer + s->nv;
    (void)t, (void)y;
    if (gamma != s->gamma) augment_by(s, gamma); /* the step has changed since */
    memcpy(x + s->at_z, r + s->at_z, (size_t)(s->nz + s->nw) * sizeof *x);
    const zvStatus status =
        s->loops ? solve_closed(s, gamma, r, s->buffer, x_v) : solve_tree(s, gamma, r, s->buffer, x_v);
    if (status < 0) return 1;
    zv_position_rate(s->model, s->q_near, x_v, moved);
    for (int i = 0; i < s->nq; i++) x[i] = r[i] + gamma * moved[i];
    for (int i = 0; i < s->nv; i++) {
        if (s->augment[i] >= held) x_v[i] = r_v[i];
    }
    stiff_solve_rotors(s, gamma, r, x);
    return 0;
}

/* The scenario as a structure for Newmark and generalised alpha: M a + C v + g + k - forces by inverse dynamics, and
 * the reduced iteration matrix S = M + damping D + stiffness K, in which D and K are those of elastic links, joint
 * springs, dampers and controllers, all block-diagonal: S x = r is solved by the recursions of forward dynamics,
 * without a global matrix [Gevorkian].
 *
 * A flexible joint (inertia J, stiffness k, damping d, motor damping b) has its rotor in z. With c = stiffness k +
 * damping d, g = lag and s = J + g (d + b) + g^2 k its rows are
 *
 *   x_theta = r_theta + g x_omega,   s x_omega = e + g c x_a,   e = J r_omega - g k r_theta
 *
 * and, put into the link's row, -(g k + d) g c / s on the diagonal and k r_theta + (g k + d) e / s on the right.
 *
 * Closed loops: index reduction. The residual is a less the acceleration of forward dynamics, whose multipliers keep
 * G a + bias = 0, so that loops, singular positions, feedback and open loops are the matter of one function. In the
 * reduced iteration what e = r there demands of the loops is taken as it stands and S^-1 runs on the motions that they
 * allow. Positions and velocities are closed at the end of the step (close_loops). */

static void move_positions(void *context, const double *q, const double *x, double *moved) {
    const ziSystem *s = context;
    zv_position_add(s->model, q, x, moved);
}

static void impose(void *context, double t, double *y) {
    ziSystem *s = context;
    zi_system_impose(s, t, y, y + s->at_v);
}

/* The balance of forces for given accelerations, and the rates of the rest of y. */
static int residual(void *context, double t, const double *y, const double *a, double *r, double *rest) {
    ziSystem *s = context;
    zi_system_copy(s, t, y);
    const zvStatus status =
        zv_drives_residual(s->drives, s->efforts, s->work, zi_system_clock(s, t), s->q, s->v, s->z, s->modes, a, r);
    if (status == ZV_DEGRADED) s->damped++;
    if (status < 0) {
        s->trouble = status;
        s->trouble_t = t;
        return zi_system_refusal(s);
    }
    memcpy(rest, s->efforts->rate, (size_t)s->nz * sizeof *rest);
    memcpy(rest + s->nz, s->efforts->power, (size_t)s->nw * sizeof *rest);
    return 0;
}

/* The same with closed loops, in accelerations: a less what the forces and the loops give. */
static int residual_closed(void *context, double t, const double *y, const double *a, double *r, double *rest) {
    ziSystem *s = context;
    zi_system_copy(s, t, y);
    if (zi_system_accelerate(s) < 0) return zi_system_refusal(s);
    const zvEfforts *efforts = s->efforts;
    for (int i = 0; i < s->nv; i++) r[i] = efforts->given[i] == ZV_GIVEN_FORCE ? a[i] - efforts->a[i] : 0;
    memcpy(rest, efforts->rate, (size_t)s->nz * sizeof *rest);
    memcpy(rest + s->nz, efforts->power, (size_t)s->nw * sizeof *rest);
    return 0;
}

typedef struct Link {
    double c, out, e, s; /* out = g k + d */
} Link;

static Link link_of(const ziSystem *system, const ziRotor *rotor, double damping, double stiffness, double lag,
                    const double *r) {
    const double *z = r + system->nv + rotor->state;
    return (Link){.c = stiffness * rotor->k + damping * rotor->d,
                  .out = lag * rotor->k + rotor->d,
                  .e = rotor->J * z[1] - lag * rotor->k * z[0],
                  .s = rotor->J + lag * (rotor->d + rotor->b + lag * rotor->k)};
}

static void eliminate_rotors(ziSystem *s, double damping, double stiffness, double lag, const double *r, double *rhs) {
    ziRotor rotor;
    for (size_t i = 0; i < s->drives->nelement; i++) {
        if (!system_rotor(s, i, &rotor)) continue;
        const Link l = link_of(s, &rotor, damping, stiffness, lag, r);
        const double less = s->augment[rotor.dof] - lag * l.c * l.out / l.s;
        s->augment[rotor.dof] = less > 0 ? less : 0;
        rhs[rotor.dof] += rotor.k * r[s->nv + rotor.state] + l.out * l.e / l.s;
    }
}

static void structure_solve_rotors(const ziSystem *s, double damping, double stiffness, double lag, const double *r,
                                   double *x) {
    ziRotor rotor;
    for (size_t i = 0; i < s->drives->nelement; i++) {
        if (!system_rotor(s, i, &rotor)) continue;
        const Link l = link_of(s, &rotor, damping, stiffness, lag, r);
        double *z = x + s->nv + rotor.state;
        z[1] = (l.e + lag * l.c * x[rotor.dof]) / l.s;
        z[0] = r[s->nv + rotor.state] + lag * z[1];
    }
}

/* Correction x of the reduced iteration: the mass matrix with damping D + stiffness K on its diagonal, rotors
 * eliminated first; by a row of forward dynamics that assembles it, or NULL: by sweeps. q, v and given are those of the
 * residual evaluated last. */
static int correct(ziSystem *s, const zvMethod *by, double t, double damping, double stiffness, double lag,
                   const double *r, double *x) {
    look_at_drives(s, t);
    for (int i = 0; i < s->nv; i++) {
        s->augment[i] = damping * s->damping[i] + stiffness * s->stiffness[i];
        s->buffer[i] = s->loops ? 0 : r[i];
    }
    eliminate_rotors(s, damping, stiffness, lag, r, s->buffer);
    const unsigned char *given = s->efforts->given;
    const zvStatus status =
        s->loops
            ? solve_allowed(s, given, s->augment, damping, stiffness, s->q, NULL, r, s->buffer, s->buffer + s->nv, x)
        : by
            ? zv_structural_inverse_times_by(by, s->model, s->work, s->q, given, s->augment, damping, stiffness,
                                             s->buffer, x)
            : zv_structural_inverse_times(s->model, s->work, s->q, given, s->augment, damping, stiffness, s->buffer, x);
    if (status < 0) return 1;
    memcpy(x + s->nv, r + s->nv, (size_t)s->nz * sizeof *x);
    structure_solve_rotors(s, damping, stiffness, lag, r, x);
    return 0;
}

static int reduced(void *context, double t, const double *y, double damping, double stiffness, double lag,
                   const double *r, double *x) {
    (void)y;
    return correct(context, NULL, t, damping, stiffness, lag, r, x);
}

/* The same by a global matrix: of the row that the scenario chose, when it has one. */
static int assembled(void *context, double t, const double *y, double damping, double stiffness, double lag,
                     const double *r, double *x) {
    ziSystem *s = context;
    (void)y;
    return correct(s, s->assembled, t, damping, stiffness, lag, r, x);
}

/* The callbacks of structural methods, those of energy-momentum with them. */
zvStructure zi_system_structure(const ziSystem *s) {
    zvStructure structure = {.nq = s->nq,
                             .nv = s->nv,
                             .coordinate = s->coordinate,
                             .move = move_positions,
                             .impose = impose,
                             .residual = s->loops ? residual_closed : residual,
                             .reduced = reduced,
                             .assembled = s->loops ? NULL : assembled,
                             .closed = s->closes};
    zi_system_conserved(&structure);
    return structure;
}
