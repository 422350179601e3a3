/* Springs and dampers that are matrices: those of joints, and bushings between two frames, which are those of a free
 * joint. docs/actuation.md (2.9)-(2.11), model/joint_spring.h. */
#include "actuate/element.h"

#include <math.h>

#include "base/require.h"
#include "spatial/vec3.h"
#include "zveno/kinematics.h"

bool zi_claim_passive(zvDrives *d, ziElement *e, bool sprung, bool damped) {
    if (sprung) {
        e->store = (int)d->nstore;
        e->name = "spring";
        if (!zi_claim_store(d, zi_claim_name(d, e, 0, ""))) return false;
    }
    if (!damped) return true;
    e->account = (int)d->naccount;
    e->name = "damper";
    return zi_claim_account(d, (zvAccount){.name = zi_claim_name(d, e, 0, ""), .dof = -1, .dissipates = true});
}

/* Of joints. */

static bool matrix_claim(zvDrives *d, ziElement *e) {
    return zi_claim_passive(d, e, e->of.matrix.spring->sprung, e->of.matrix.spring->damped);
}

/* The whole of spring and damper into tau. */
static zvStatus matrix_push(const ziElement *e, const ziInstant *now) {
    const ziMatrixData *x = &e->of.matrix;
    double F[ZV_MAX_DOF];
    if (x->spring->sprung) {
        zi_joint_spring_force(x->spring, now->q + x->q, F);
        for (int k = 0; k < x->spring->n; k++) now->out->tau[x->v + k] += F[k];
    }
    if (x->spring->damped) {
        now->out->power[e->account] = zi_joint_damper_force(x->spring, now->v + x->v, F);
        for (int k = 0; k < x->spring->n; k++) now->out->tau[x->v + k] += F[k];
    }
    return ZV_OK;
}

static void matrix_stored(const zvDrives *d, const ziElement *e, zvWork *work, const double *q, const double *v,
                          const double *z, double *energy) {
    (void)d, (void)work, (void)v, (void)z;
    if (e->store >= 0) *energy = zi_joint_spring_force(e->of.matrix.spring, q + e->of.matrix.q, NULL);
}

/* Diagonals that are above the whole matrices, so that an iteration with them alone does not run away. */
static void matrix_diagonal(const zvDrives *d, const ziElement *e, const double *q, const double *v, const double *z,
                            double *stiffness, double *damping) {
    (void)z, (void)d, (void)v;
    const ziMatrixData *x = &e->of.matrix;
    double T[ZV_MAX_DOF * ZV_MAX_DOF], bound[ZV_MAX_DOF];
    if (x->spring->sprung) {
        zi_joint_spring_tangent(x->spring, q + x->q, T);
        zi_matrix_bound(x->spring->n, T, bound);
        for (int k = 0; k < x->spring->n; k++) stiffness[x->v + k] += bound[k];
    }
    if (x->spring->damped) {
        zi_matrix_bound(x->spring->n, x->spring->D, bound);
        for (int k = 0; k < x->spring->n; k++) damping[x->v + k] += bound[k];
    }
}

const ziElementKind zi_matrix_kind = {.word = "matrix",
                                      .dissipates = true,
                                      .claim = matrix_claim,
                                      .push = matrix_push,
                                      .stored = matrix_stored,
                                      .diagonal = matrix_diagonal};

static zvStatus out_of_memory(const char *name, zvError *error) {
    return zv_fail(error, ZV_MEMORY, (zvMark){0}, name, "out of memory while adding a spring");
}

/* Nothing where there is none of what is wanted. */
zvStatus zi_add_joint_matrices(zvDrives *d, int joint, bool spring, bool damper, zvError *error) {
    const zvJoint *own = zv_model_joint(d->model, joint);
    const zvJointPlace place = zv_model_joint_place(d->model, joint);
    ziJointSpring s = zi_joint_spring_of(d->model, joint);
    s.sprung = s.sprung && spring;
    s.damped = s.damped && damper;
    if (!s.sprung && !s.damped) return ZV_OK;
    for (int k = 0; k < place.nv; k++) {
        if (s.sprung && own->dof[k].stiffness < 0)
            return zv_fail(error, ZV_NUMBER, own->mark, own->name,
                           "spring of joint \"%s\": expected a stiffness of zero or more, found %g; zveno check tells "
                           "of all that is wrong",
                           own->name, own->dof[k].stiffness);
    }
    ziJointSpring *kept = zi_arena_alloc(&d->arena, sizeof *kept);
    if (!kept) return out_of_memory(own->name, error);
    *kept = s;
    ziElement e = {
        .kind = &zi_matrix_kind, .label = own->name, .of.matrix = {kept, place.q_index, place.v_index, 0, 0}};
    const zvStatus status = zi_drives_open(d, &e, "matrix", 0, NULL, error);
    return zi_drives_close(d, &e, status, error);
}

/* Bushings. */

/* Both under the element's own name, as couplers have it. */
static bool bushing_claim(zvDrives *d, ziElement *e) {
    const ziMatrixData *x = &e->of.matrix;
    e->store = (int)d->nstore;
    if (x->spring->sprung && !zi_claim_store(d, e->name)) return false;
    if (!x->spring->sprung) e->store = -1;
    e->account = (int)d->naccount;
    const zvAccount account = {.name = e->name, .dof = -1, .dissipates = true};
    if (x->spring->damped && !zi_claim_account(d, account)) return false;
    if (!x->spring->damped) e->account = -1;
    d->has_loads = true;
    d->nspot += 2;
    return true;
}

/* The pose of one frame in another, as q of a free joint between them. */
static void pose_between(const zvPose *from, const zvPose *to, double q[7]) {
    const mat3 A = m3_of_rows(from->R);
    double apart[6];
    zv_pose_error(to, from, apart);
    const vec3 phi = m3_tmulv(A, v3_of(apart + 3));
    const double t = sqrt(v3_dot(phi, phi)), k = t > 0 ? sin(0.5 * t) / t : 0.5;
    v3_to(q, m3_tmulv(A, v3_of(apart)));
    v3_to(q + 3, v3_scale(k, phi));
    q[6] = cos(0.5 * t);
}

/* The velocity of `to` against `from`, as v of that joint: axes of `to`. */
static void velocity_between(const zvPose *from, const double a[6], const zvPose *to, const double b[6], double v[6]) {
    const mat3 B = m3_of_rows(to->R);
    const vec3 w = v3_of(a + 3), arm = v3_sub(v3_of(to->p), v3_of(from->p));
    v3_to(v, m3_tmulv(B, v3_sub(v3_sub(v3_of(b), v3_of(a)), v3_cross(w, arm))));
    v3_to(v + 3, m3_tmulv(B, v3_sub(v3_of(b + 3), w)));
}

/* Turned into world axes, with the moment of the force about the other origin. */
void zi_push_between(const ziInstant *now, int from, int to, const double W[6]) {
    zvPose parent, child;
    double unused[6], forth[6], back[6];
    zi_frame_now(now, from, &parent, unused);
    zi_frame_now(now, to, &child, unused);
    const mat3 A = m3_of_rows(parent.R);
    const vec3 f = m3_mulv(A, v3_of(W)), m = m3_mulv(A, v3_of(W + 3));
    const vec3 arm = v3_sub(v3_of(child.p), v3_of(parent.p));
    v3_to(forth, f);
    v3_to(forth + 3, m);
    v3_to(back, v3_neg(f));
    v3_to(back + 3, v3_neg(v3_add(m, v3_cross(arm, f))));
    zi_push_frame(now, to, forth);
    zi_push_frame(now, from, back);
}

/* In the axes of `to`, then turned into those of `from`. */
static zvStatus bushing_push(const ziElement *e, const ziInstant *now) {
    const ziMatrixData *x = &e->of.matrix;
    zvPose from, to;
    double a[6], b[6], q[7], v[6], F[6], sum[6] = {0}, W[6];
    zi_frame_now(now, x->from, &from, a);
    zi_frame_now(now, x->to, &to, b);
    pose_between(&from, &to, q);
    velocity_between(&from, a, &to, b, v);
    if (x->spring->sprung) zi_joint_spring_force(x->spring, q, sum);
    if (x->spring->damped) {
        now->out->power[e->account] = zi_joint_damper_force(x->spring, v, F);
        for (int k = 0; k < 6; k++) sum[k] += F[k];
    }
    const mat3 R = m3_mul(m3_transpose(m3_of_rows(from.R)), m3_of_rows(to.R));
    v3_to(W, m3_mulv(R, v3_of(sum)));
    v3_to(W + 3, m3_mulv(R, v3_of(sum + 3)));
    zi_push_between(now, x->from, x->to, W);
    return ZV_OK;
}

/* By the poses of both frames. */
static void bushing_stored(const zvDrives *d, const ziElement *e, zvWork *work, const double *q, const double *v,
                           const double *z, double *energy) {
    (void)v, (void)z;
    const ziMatrixData *x = &e->of.matrix;
    zvPose from, to;
    double between[7];
    if (e->store < 0) return;
    zv_frame_pose(d->model, work, q, x->from, &from);
    zv_frame_pose(d->model, work, q, x->to, &to);
    pose_between(&from, &to, between);
    *energy = zi_joint_spring_force(x->spring, between, NULL);
}

const ziElementKind zi_bushing_kind = {
    .word = "bushing", .dissipates = true, .claim = bushing_claim, .push = bushing_push, .stored = bushing_stored};

/* What is wrong with a matrix, by its entry. */
static zvStatus check_matrix(const ziElement *e, const char *what, const double *A, zvError *error) {
    const ziMatrixFault fault = A ? zi_matrix_fault(ZV_MAX_DOF, A) : (ziMatrixFault){.what = ZI_MATRIX_GOOD};
    const int row = fault.row + 1, column = fault.column + 1;
    switch (fault.what) {
    case ZI_MATRIX_GOOD: break;
    case ZI_MATRIX_NOT_FINITE:
        return zv_fail(error, ZV_NUMBER, (zvMark){0}, e->name,
                       "%s of bushing \"%s\": expected finite numbers, found %g in row %d, column %d", what, e->name,
                       fault.found, row, column);
    case ZI_MATRIX_NOT_EVEN:
        return zv_fail(error, ZV_PHYSICS, (zvMark){0}, e->name,
                       "%s of bushing \"%s\": expected a symmetric matrix, found %.6g in row %d, column %d and %.6g "
                       "across the diagonal; give both the same number",
                       what, e->name, fault.found, row, column, fault.expected);
    case ZI_MATRIX_NEGATIVE:
        return zv_fail(error, ZV_PHYSICS, (zvMark){0}, e->name,
                       "%s of bushing \"%s\": expected a matrix that is not negative, with %s%.10g in row %d, column "
                       "%d, found %.10g; some motion would gain energy from it",
                       what, e->name, row == column ? "at least " : "", fault.expected, row, column, fault.found);
    }
    return ZV_OK;
}

/* Both exist and differ. */
static zvStatus check_ends(const zvDrives *d, const ziElement *e, zvError *error) {
    const int frames[2] = {e->of.matrix.from, e->of.matrix.to}, count = zv_model_nframe(d->model);
    for (int i = 0; i < 2; i++) {
        if (frames[i] < 0 || frames[i] >= count)
            return zv_fail(error, ZV_NAME, (zvMark){0}, e->name,
                           "bushing \"%s\": expected one of %d frames, counted from 0, found %d", e->name, count,
                           frames[i]);
    }
    if (zv_model_frame_body(d->model, frames[0]) != zv_model_frame_body(d->model, frames[1])) return ZV_OK;
    return zv_fail(error, ZV_SCHEMA, (zvMark){0}, e->name,
                   "bushing \"%s\": expected frames of two bodies, found \"%s\" and \"%s\" on one; join frames of "
                   "different bodies",
                   e->name, zv_model_frame(d->model, frames[0]).name, zv_model_frame(d->model, frames[1]).name);
}

/* Matrices are copied. */
zvStatus zv_drives_add_bushing(zvDrives *d, const char *name, int from, int to, const double *stiffness,
                               const double *damping, const double *rest, zvError *error) {
    ZI_REQUIRE(d);
    ziElement e = {.kind = &zi_bushing_kind, .of.matrix = {NULL, 0, 0, from, to}};
    zvDof dofs[ZV_MAX_DOF] = {0};
    ziJointSpring *kept = zi_arena_alloc(&d->arena, sizeof *kept);
    zvStatus status = zi_drives_open(d, &e, name, 0, NULL, error);
    if (status == ZV_OK && !kept) status = out_of_memory(e.name, error);
    if (status == ZV_OK) status = check_ends(d, &e, error);
    if (status == ZV_OK) status = check_matrix(&e, "stiffness", stiffness, error);
    if (status == ZV_OK) status = check_matrix(&e, "damping", damping, error);
    for (int k = 0; status == ZV_OK && rest && k < ZV_MAX_DOF; k++) {
        status = zi_check_finite(&e, "rest", rest[k], error);
        dofs[k].rest = rest[k];
    }
    if (status == ZV_OK) *kept = zi_joint_spring(ZV_JOINT_FREE, dofs, stiffness, damping);
    e.of.matrix.spring = kept;
    return zi_drives_close(d, &e, status, error);
}
