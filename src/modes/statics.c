/* The forces about a state of rest: scales, what the model's joints bring, tangents, and M, C and K. */
#include "modes/statics.h"

#include "base/require.h"
#include "model/coordinate.h"
#include "model/gear.h"
#include "model/joint_spring.h"
#include "zveno/flexible.h"
#include "zveno/kinematics.h"
#include "zveno/modes.h"

#include <float.h>
#include <math.h>
#include <string.h>

static double length(const double x[3]) { return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }

/* How far a link reaches from its frame. */
static double extent(const zvLink *link) { return length(link->inertia.com) + (link->beam ? link->beam->length : 0); }

static double reach_of(const zvModel *model, const zvPose *poses) {
    double reach = 0;
    for (int i = 0; i < zv_model_nlink(model); i++) {
        double from_first[3];
        for (int k = 0; k < 3; k++) from_first[k] = poses[i].p[k] - poses[0].p[k];
        reach = fmax(reach, length(from_first) + extent(zv_model_link(model, i)));
    }
    return reach > 0 ? reach : 1;
}

/* The fastest motion of a link or frame when all moves with v, as of something that turns. */
static double turning(const ziStatics *s, const double *v, zvPose *poses, double *velocities) {
    double fastest = 0;
    zv_link_motions(s->model, s->work, s->q, v, poses, velocities);
    for (int f = 0; f < zv_model_nframe(s->model); f++) {
        zvPose pose;
        double x[6];
        zv_frame_of_links(s->model, f, s->q, v, poses, velocities, &pose, x);
        fastest = fmax(fastest, fmax(length(x + 3), length(x) / s->reach));
    }
    return fastest;
}

static double force_of(const ziStatics *s) {
    const zvRest *rest = s->rest;
    double g[3], force;
    zv_model_gravity(s->model, g);
    force = zv_model_mass(s->model) * (length(g) + s->speed * s->speed * s->reach);
    for (int i = 0; i < rest->load_count; i++)
        force += length(rest->loads + 6 * i) + length(rest->loads + 6 * i + 3) / s->reach;
    return force;
}

/* Coordinates that move no frame get the size of their link as a unit: only its own mass feels them. */
static void measure_units(ziStatics *s, zvPose *poses, double *velocities) {
    zv_link_poses(s->model, s->work, s->q, poses);
    s->reach = reach_of(s->model, poses);
    for (size_t i = 0; i < s->nv; i++) {
        s->step[i] = 1;
        double rate = turning(s, s->step, poses, velocities);
        s->unit[i] = rate > 0 ? 1 / rate : s->reach;
        s->step[i] = 0;
    }
    for (size_t i = 0; s->rest->v && i < s->nv; i++) s->speed = fmax(s->speed, fabs(s->rest->v[i]) / s->unit[i]);
    double force = force_of(s);
    s->error_scale = force * s->reach;
    s->curved = force > 0;
}

static size_t most_modes(const zvModel *model) {
    int most = 0;
    for (int link = 0; link < zv_model_nlink(model); link++) {
        const int count = zv_model_elastic_place(model, link).count;
        if (count > most) most = count;
    }
    return (size_t)most;
}

/* All arrays about a state; false when out of memory. */
static bool take_statics_arrays(ziStatics *s) {
    const size_t one = sizeof(double), modes = most_modes(s->model);
    s->q = zi_arena_alloc(&s->arena, s->nq * one);
    s->unit = zi_arena_alloc(&s->arena, s->nv * one);
    s->coordinate = zi_arena_alloc(&s->arena, s->nv * sizeof(int));
    s->moved = zi_arena_alloc(&s->arena, s->nq * one);
    s->step = zi_arena_alloc(&s->arena, s->nv * one);
    s->elastic = zi_arena_alloc(&s->arena, s->nv * one);
    s->fext = zi_arena_alloc(&s->arena, (size_t)zv_model_nexternal(s->model) * one);
    s->samples = zi_arena_alloc(&s->arena, 4 * s->nv * one);
    s->own = zi_arena_alloc(&s->arena, modes * modes * one);
    s->across = zi_arena_alloc(&s->arena, 6 * s->nv * one);
    s->loops = zi_arena_alloc(&s->arena, 5 * s->nv * one);
    if (!s->across || !s->loops) return false;
    return s->q && s->unit && s->coordinate && s->moved && s->step && s->elastic && s->fext && s->samples && s->own;
}

bool zi_rest_moves(const zvRest *rest, size_t nv) {
    for (size_t i = 0; rest->v && i < nv; i++)
        if (rest->v[i] != 0) return true;
    return false;
}

/* What rotors with axes of their own do when their link turns while they spin is not among C and K. */
static zvStatus check_spin(const zvModel *model, const zvRest *rest, zvError *error) {
    if (!zi_rest_moves(rest, (size_t)zv_model_nv(model)) || !zv_model_has_rotor_axes(model)) return ZV_OK;
    return zv_fail(error, ZV_NOT_SUPPORTED, (zvMark){0}, "v",
                   "expected a state of rest of a model whose rotors have axes of their own, found velocities; leave v "
                   "out, or rotor_axis of flexible");
}

/* Units of the degrees of freedom from the reach of the links. */
zvStatus zi_statics_create(const zvModel *model, zvWork *work, const zvRest *rest, ziStatics *s, zvError *error) {
    const size_t nlink = (size_t)zv_model_nlink(model);
    *s = (ziStatics){.model = model, .work = work, .rest = rest, .share = 1};
    s->nq = (size_t)zv_model_nq(model);
    s->nv = (size_t)zv_model_nv(model);
    zvPose *poses = zi_arena_alloc(&s->arena, nlink * sizeof *poses);
    double *velocities = zi_arena_alloc(&s->arena, 6 * nlink * sizeof *velocities);
    if (!take_statics_arrays(s) || !poses || !velocities)
        return zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory");
    if (rest->q)
        memcpy(s->q, rest->q, s->nq * sizeof *s->q);
    else
        zv_neutral(model, s->q);
    zi_coordinates_of_dofs(model, s->coordinate);
    const zvStatus spin = check_spin(model, rest, error);
    if (spin < 0) return spin;
    measure_units(s, poses, velocities);
    if (!isfinite(s->error_scale))
        return zv_fail(error, ZV_NUMBER, (zvMark){0}, "",
                       "weight, loads and motion together are not finite; make the loads or speeds smaller");
    return ZV_OK;
}

void zi_statics_free(ziStatics *s) { zi_arena_free(&s->arena); }

/* Gravity, elasticity, springs and loads at q, as generalised forces. */
void zi_statics_force(ziStatics *s, const double *q, const double *v, double *force) {
    const zvRest *rest = s->rest;
    if (rest->load_count) memset(s->fext, 0, (size_t)zv_model_nexternal(s->model) * sizeof *s->fext);
    for (int i = 0; i < rest->load_count; i++) {
        double wrench[6];
        for (int k = 0; k < 6; k++) wrench[k] = s->share * rest->loads[6 * i + k];
        zv_add_wrench(s->model, s->work, q, rest->load_frames[i], wrench, s->fext);
    }
    zv_inverse_dynamics(s->model, s->work, q, v, NULL, rest->load_count ? s->fext : NULL, force);
    zv_elastic_force(s->model, q, v, s->elastic);
    for (size_t i = 0; i < s->nv; i++) force[i] -= s->elastic[i];
}

/* What the joints of a model bring to a state of rest. */

/* As one spring with what is there already. */
static void add_spring(const ziDofPassive *own, double *stiffness, double *relaxed) {
    const double k = own->stiffness, sum = *stiffness + k;
    if (!(k > 0)) return;
    *relaxed = (*stiffness * *relaxed + k * own->rest) / sum;
    *stiffness = sum;
}

/* Springs and dampers of the model's joints by degree of freedom, followers counted with their master. */
void zv_joint_springs(const zvModel *model, double *stiffness, double *relaxed, double *damping) {
    ZI_REQUIRE(model && stiffness && relaxed && damping);
    const size_t bytes = (size_t)zv_model_nv(model) * sizeof(double);
    memset(stiffness, 0, bytes);
    memset(relaxed, 0, bytes);
    memset(damping, 0, bytes);
    for (int j = 0; j < zv_model_njoint(model); j++) {
        const zvJoint *joint = zv_model_joint(model, j);
        for (int k = 0; k < zv_joint_type_nv(joint->type); k++) {
            const ziDofPassive own = zi_joint_passive(model, j, k);
            add_spring(&own, &stiffness[own.dof], &relaxed[own.dof]);
            damping[own.dof] += own.damping;
        }
    }
}

void zv_joints_held(const zvModel *model, unsigned char *held) {
    ZI_REQUIRE(model && held);
    memset(held, 1, (size_t)zv_model_nv(model));
    for (int link = 0; link < zv_model_nlink(model); link++) {
        const zvElasticPlace place = zv_model_elastic_place(model, link);
        memset(held + place.v_index, 0, (size_t)place.count);
    }
}

/* Tangents of the forces: exact where they are linear, by central differences elsewhere. */

/* Steps, in units of each degree of freedom. Forces are sums of products of sines and cosines of angles: with two
 * points the rest is h^2/6 and rounding eps/h, with four it is h^4/30. */
double zi_statics_step(int points) { return points == 2 ? 1.0 / 65536 : 1.0 / 1024; }

static void sample(ziStatics *s, const double *q, size_t j, double step, double *force) {
    s->step[j] = step;
    zv_position_add(s->model, q, s->step, s->moved);
    s->step[j] = 0;
    zi_statics_force(s, s->moved, s->rest->v, force);
}

/* Central, of the second or fourth order by the number of points. */
static void difference(ziStatics *s, const double *q, size_t j, int points, double *K) {
    const double h = zi_statics_step(points) * s->unit[j];
    double *f = s->samples;
    sample(s, q, j, -h, f);
    sample(s, q, j, h, f + s->nv);
    if (points == 4) {
        sample(s, q, j, -2 * h, f + 2 * s->nv);
        sample(s, q, j, 2 * h, f + 3 * s->nv);
    }
    for (size_t i = 0; i < s->nv; i++) {
        double near = f[s->nv + i] - f[i], slope = near / (2 * h);
        if (points == 4) slope = (8 * near - (f[3 * s->nv + i] - f[2 * s->nv + i])) / (12 * h);
        K[i * s->nv + j] = fabs(slope) <= ZI_STATICS_NOISE / h * s->error_scale / s->unit[i] ? 0 : slope;
    }
}

/* Where two halves of a matrix differ by no more than rounding and truncation they are made the same. */
static void make_even(const ziStatics *s, int points, double *K) {
    const double h = zi_statics_step(points),
                 tolerance = 16 * ZI_STATICS_NOISE / h + 16 * h * h * (points == 2 ? 1 : h * h);
    for (size_t i = 0; i < s->nv; i++) {
        for (size_t j = 0; j < i; j++) {
            double *a = &K[i * s->nv + j], *b = &K[j * s->nv + i];
            if (fabs(*a - *b) <= tolerance * s->error_scale / (s->unit[i] * s->unit[j])) *a = *b = 0.5 * (*a + *b);
        }
    }
}

/* Adds stiffness or damping matrices of the elastic links. */
static void add_links(const ziStatics *s, bool stiffness, double *X) {
    for (int link = 0; link < zv_model_nlink(s->model); link++) {
        const zvElasticPlace place = zv_model_elastic_place(s->model, link);
        const size_t n = (size_t)place.count, at = (size_t)place.v_index;
        if (!n) continue;
        zv_model_elastic_matrices(s->model, link, NULL, stiffness ? s->own : NULL, stiffness ? NULL : s->own);
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < n; j++) X[(at + i) * s->nv + at + j] += s->own[i * n + j];
        }
    }
}

static void add_diagonal(const ziStatics *s, const double *x, double *X) {
    for (size_t i = 0; x && i < s->nv; i++) X[i * s->nv + i] += x[i];
}

void zi_statics_add_matrices(const ziStatics *s, const double *q, double *force) {
    for (int j = 0; s->rest->joint_matrices && j < zv_model_njoint(s->model); j++) {
        const ziJointSpring spring = zi_joint_spring_of(s->model, j);
        const zvJointPlace place = zv_model_joint_place(s->model, j);
        double F[ZV_MAX_DOF];
        if (!spring.sprung) continue;
        zi_joint_spring_force(&spring, q + place.q_index, F);
        for (int k = 0; k < spring.n; k++) force[place.v_index + k] += F[k];
    }
}

/* A flexible joint whose motor is locked: a spring on its link. */
typedef struct LockedGear {
    const zvFlexibleJoint *gear; /* NULL: joint j has none, or none that acts */
    size_t dof;
    double d;
} LockedGear;

static LockedGear locked_gear(const ziStatics *s, int j, const double *q) {
    const zvJointPlace place = zv_model_joint_place(s->model, j);
    const zvFlexibleJoint *gear = s->rest->theta ? zv_model_joint(s->model, j)->flexible : NULL;
    return (LockedGear){gear, (size_t)place.v_index, gear ? s->rest->theta[place.v_index] - q[place.q_index] : 0};
}

static void add_gears(const ziStatics *s, const double *q, double *force, double *size) {
    for (int j = 0; s->rest->theta && j < zv_model_njoint(s->model); j++) {
        const LockedGear g = locked_gear(s, j, q);
        if (!g.gear) continue;
        force[g.dof] -= zi_gear_force(g.gear, g.d);
        size[g.dof] += fabs(zi_gear_force(g.gear, g.d));
    }
}

/* Their tangents at q, or their damping. */
static void add_gear_rates(const ziStatics *s, const double *q, bool stiffness, double *X) {
    for (int j = 0; s->rest->theta && j < zv_model_njoint(s->model); j++) {
        const LockedGear g = locked_gear(s, j, q);
        if (g.gear) X[g.dof * s->nv + g.dof] += stiffness ? zi_gear_tangent(g.gear, g.d) : g.gear->damping;
    }
}

/* Springs of joints with those of matrices, constant forces and the links' own elasticity added to the rest. */
void zi_statics_unbalanced(ziStatics *s, const double *q, double *force, double *size) {
    const zvRest *rest = s->rest;
    double *matrices = s->samples;
    zi_statics_force(s, q, rest->v, force);
    memset(matrices, 0, s->nv * sizeof *matrices);
    zi_statics_add_matrices(s, q, matrices);
    zi_statics_add_loop_springs(s, q, matrices);
    for (size_t i = 0; i < s->nv; i++) {
        const double spring = rest->stiffness && s->coordinate[i] >= 0
                                  ? rest->stiffness[i] * (q[s->coordinate[i]] - (rest->relaxed ? rest->relaxed[i] : 0))
                                  : 0;
        const double tau = rest->tau ? s->share * rest->tau[i] : 0;
        size[i] = s->error_scale / s->unit[i] + fabs(spring) + fabs(tau) + fabs(s->elastic[i]) + fabs(matrices[i]);
        force[i] += spring - tau + s->elastic[i] - matrices[i];
    }
    add_gears(s, q, force, size);
}

/* Adds their tangents at q, or their damping. */
static void add_joint_matrices(const ziStatics *s, const double *q, bool stiffness, double *X) {
    for (int j = 0; s->rest->joint_matrices && j < zv_model_njoint(s->model); j++) {
        const ziJointSpring spring = zi_joint_spring_of(s->model, j);
        const zvJointPlace place = zv_model_joint_place(s->model, j);
        const size_t n = (size_t)spring.n, at = (size_t)place.v_index;
        double T[ZV_MAX_DOF * ZV_MAX_DOF];
        const double *own = stiffness ? T : spring.D;
        if (stiffness ? !spring.sprung : !spring.damped) continue;
        if (stiffness) zi_joint_spring_tangent(&spring, q + place.q_index, T);
        for (size_t i = 0; i < n; i++) {
            for (size_t k = 0; k < n; k++) X[(at + i) * s->nv + at + k] += own[i * n + k];
        }
    }
}

/* What is not linear by differences, everything else exact. */
void zi_statics_stiffness(ziStatics *s, const double *q, int points, bool skip_held, double *K) {
    memset(K, 0, s->nv * s->nv * sizeof *K);
    for (size_t j = 0; s->curved && j < s->nv; j++) {
        if (!(skip_held && s->rest->held && s->rest->held[j])) difference(s, q, j, points, K);
    }
    if (s->curved && !skip_held) make_even(s, points, K);
    add_diagonal(s, s->rest->stiffness, K);
    add_joint_matrices(s, q, true, K);
    zi_statics_add_loop_stiffness(s, q, points, skip_held, K);
    add_gear_rates(s, q, true, K);
    add_links(s, true, K);
}

/* Forces are quadratic in v: the difference is exact whatever the step. */
static void rate_difference(ziStatics *s, const double *q, size_t j, double *D) {
    const double h = s->speed * s->unit[j], mass = s->error_scale / (s->speed * s->speed);
    double *f = s->samples, *v = s->samples + 2 * s->nv;
    memcpy(v, s->rest->v, s->nv * sizeof *v);
    v[j] = s->rest->v[j] - h;
    zi_statics_force(s, q, v, f);
    v[j] = s->rest->v[j] + h;
    zi_statics_force(s, q, v, f + s->nv);
    for (size_t i = 0; i < s->nv; i++) {
        double slope = (f[s->nv + i] - f[i]) / (2 * h);
        D[i * s->nv + j] = fabs(slope) <= ZI_STATICS_NOISE * mass * s->speed / (s->unit[i] * s->unit[j]) ? 0 : slope;
    }
}

/* D (nv x nv) := d force / dv and all dampers. */
static void statics_damping(ziStatics *s, const double *q, double *D) {
    memset(D, 0, s->nv * s->nv * sizeof *D);
    for (size_t j = 0; s->speed > 0 && j < s->nv; j++) rate_difference(s, q, j, D);
    add_diagonal(s, s->rest->damping, D);
    add_joint_matrices(s, q, false, D);
    zi_statics_add_loop_damping(s, q, D);
    add_gear_rates(s, q, false, D);
    add_links(s, false, D);
}

/* M, C and K about a state. */

/* A departure x of a joint with a quaternion is measured in its moving frame: the velocity departs by dx/dt + A x,
 * A = (w~ u~; 0 w~) of its twist (u, w) = v, and the acceleration by d/dt of that. turn: where w begins in v. */
static void twist_matrix(int turn, const double *v, double A[36]) {
    const int n = turn + 3;
    memset(A, 0, 36 * sizeof *A);
    for (int k = 0; k < 3; k++) {
        const int next = (k + 1) % 3, last = (k + 2) % 3;
        for (int block = 0; block <= turn; block += 3) {
            A[n * (block + next) + block + k] = v[turn + last];
            A[n * (block + last) + block + k] = -v[turn + next];
        }
        if (turn > 0) {
            A[n * next + 3 + k] = v[last];
            A[n * last + 3 + k] = -v[next];
        }
    }
}

/* X += Y A, for the columns of one joint */
static void add_product(size_t nv, const double *Y, size_t first, int n, const double *A, double *X) {
    for (size_t i = 0; i < nv; i++) {
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += Y[i * nv + first + (size_t)k] * A[n * k + j];
            X[i * nv + first + (size_t)j] += sum;
        }
    }
}

bool zi_moving_frame(const zvModel *model, int joint, const double *v, double A[36]) {
    const int turn = zv_joint_type_quaternion(zv_model_joint(model, joint)->type);
    const zvJointPlace place = zv_model_joint_place(model, joint);
    if (!place.nv || turn < 0) return false;
    twist_matrix(turn, v + place.v_index, A);
    return true;
}

/* M (ddx + A dx) + C (dx + A x) + K x */
static void correct_moving_frames(const ziStatics *s, const double *M, double *C, double *K) {
    for (int j = 0; j < zv_model_njoint(s->model); j++) {
        const zvJointPlace place = zv_model_joint_place(s->model, j);
        double A[36];
        if (!zi_moving_frame(s->model, j, s->rest->v, A)) continue;
        add_product(s->nv, C, (size_t)place.v_index, place.nv, A, K);
        add_product(s->nv, M, (size_t)place.v_index, place.nv, A, C);
    }
}

static void fill_matrices(ziStatics *s, double *M, double *C, double *K) {
    zv_mass_matrix(s->model, s->work, s->q, M);
    zi_statics_stiffness(s, s->q, 4, false, K);
    statics_damping(s, s->q, C);
    if (s->rest->v) correct_moving_frames(s, M, C, K);
}

/* Behind locked motors rotors with an axis turn with their links: M += c c^T inertia, c = S/(inertia ratio). */
static void add_locked_rotors(const ziStatics *s, double *S, double *M) {
    zv_rotor_coupling(s->model, s->work, s->q, S);
    for (int j = 0; j < zv_model_njoint(s->model); j++) {
        const zvFlexibleJoint *gear = zv_model_joint(s->model, j)->flexible;
        const size_t dof = (size_t)zv_model_joint_place(s->model, j).v_index, nv = s->nv;
        if (!gear) continue;
        const double scale = 1 / (gear->inertia * gear->ratio * gear->ratio);
        for (size_t i = 0; i < nv; i++)
            for (size_t k = 0; k < nv; k++) M[i * nv + k] += scale * S[i * nv + dof] * S[k * nv + dof];
    }
}

/* Any of M, C and K may be NULL. */
zvStatus zv_linearize(const zvModel *model, zvWork *work, const zvRest *rest, double *M, double *C, double *K,
                      zvError *error) {
    ZI_REQUIRE(model && work && rest);
    ziStatics s;
    zvStatus status = zi_statics_create(model, work, rest, &s, error);
    const size_t bytes = s.nv * s.nv * sizeof(double);
    if (status == ZV_OK && !M) status = (M = zi_arena_alloc(&s.arena, bytes)) ? ZV_OK : ZV_MEMORY;
    if (status == ZV_OK && !C) status = (C = zi_arena_alloc(&s.arena, bytes)) ? ZV_OK : ZV_MEMORY;
    if (status == ZV_OK && !K) status = (K = zi_arena_alloc(&s.arena, bytes)) ? ZV_OK : ZV_MEMORY;
    double *S = NULL;
    const bool couples = rest->theta && zv_model_has_rotor_axes(model);
    if (status == ZV_OK && couples) status = (S = zi_arena_alloc(&s.arena, bytes)) ? ZV_OK : ZV_MEMORY;
    if (status == ZV_OK) fill_matrices(&s, M, C, K);
    if (status == ZV_OK && couples) add_locked_rotors(&s, S, M);
    if (status == ZV_MEMORY) zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory");
    zi_statics_free(&s);
    return status;
}
