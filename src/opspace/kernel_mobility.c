/* The mobility B = J M^-1 J^T of one frame in O(n), without J and M: articulated inertias of what hangs on the frame's
 * path, as in kernel_articulated.c; then six unit forces on the frame go inward together, along the path alone:
 *
 *   each column of a joint, last to first: u = S^T K,  B += u u^T / D,  K -= U u / D;   then K to the parent's origin
 *
 * with U = M* S and D = S^T U + armature. K (6 x 6) is force and moment by rows, and a column for each unit force; what
 * of it arrives at the ground is what weight makes of the frame, by reciprocity. With velocities the same sweeps give
 * the acceleration of the frame when nothing acts on the robot. Bodies that share no moving body with the path play no
 * part. */
#include "dynamics/kernel_articulated_steps.h"
#include "opspace/kernels.h"
#include "opspace/six.h"
#include "real/sincos.h"

/* The six forces, about one point. */
typedef struct UnitForces {
    six fx, fy, fz, nx, ny, nz;
} UnitForces;

/* What hangs on a path: bodies first ... end - 1, and the path from its tip to body `first`. */
typedef struct PathBranch {
    int first, end, length;
    int *path;
} PathBranch;

_Static_assert(sizeof(ArticulatedBody) + sizeof(motion) + sizeof(int) + 64 <= ZI_SCRATCH_PER_BODY, "scratch too small");

/* The tip's path to the ground, and with it all bodies that hang on its first body: depth-first order. */
static inline PathBranch branch_of(const ziTree *t, ziScratch *scratch, int tip) {
    PathBranch b = {0};
    b.path = zi_scratch_take(scratch, (size_t)t->nb * sizeof *b.path);
    for (int i = tip; i; i = t->body[i].parent) {
        b.path[b.length++] = i;
        b.first = i;
    }
    if (!b.length) return b;
    b.end = b.first + 1;
    while (b.end < t->nb && t->body[b.end].v < t->body[b.first].v_end) b.end++;
    return b;
}

/* First outward sweep over the branch: places, columns, inertias; with velocities their forces and accelerations. */
static ZI_HOT void place_branch(const ziTree *t, const PathBranch *branch, const Problem *p, ArticulatedBody *row,
                                ArticulatedColumn *column) {
    row[0].at.R = m3_identity();
    row[0].w = v3_zero();
    for (int i = branch->first; i < branch->end; i++) {
        const ziBody *b = &t->body[i];
        ArticulatedBody *me = &row[i];
        const ArticulatedBody *up = &row[b->parent];
        motion S[ZV_MAX_DOF];
        place_body(b, &up->at.R, p->q + b->q, p->s + b->q, p->c + b->q, &me->at, S);
        for (int k = 0; k < b->nv; k++) {
            column[b->v + k].S = S[k];
            column[b->v + k].error_scale = 0;
        }
        const rigid own = world_inertia(b, me->at.R);
        set_inertia(b, &own, me);
        if (!p->v) continue;
        set_in_motion(b, up, me, p, S);
        me->P = force_of(v3_cross(me->w, v3_cross(me->w, own.h)), v3_cross(me->w, m3_mulv(own.J, me->w)));
    }
}

/* Eliminates the columns of a joint; without velocities there are no forces. Whether all pivots are large enough. */
static ZI_HOT real_ok eliminate_columns(const ziTree *t, const ziBody *b, const ArticulatedBody *row,
                                        ArticulatedBody *me, const Problem *p, ArticulatedColumn *column) {
    real_ok ok = 1;
    for (int k = b->nv - 1; k >= 0; k--) {
        ArticulatedColumn *col = &column[b->v + k];
        const force U = column_force(b, &me->M, &col->S);
        const real D = column_dot(b, U, &col->S) + t->armature[b->v + k];
        const real size = v3_dot(col->S.lin, col->S.lin) * me->size_lin + v3_dot(col->S.ang, col->S.ang) * me->size_ang;
        ok &= real_exceeds(D, PIVOT_FLOOR * (size + col->error_scale)) && real_exceeds(D, 0);
        col->U = U;
        col->k = 1 / D;
        articulated_deflate(&me->M, col->k, U);
        note_taken(b, k, U, col->k, column);
        if (b->parent) note_taken_below(t, b, row, force_shift(U, me->at.r), col->k, column, false);
        if (!p->v) continue;
        col->u = -column_dot(b, me->P, &col->S);
        me->P = force_axpy(col->k * col->u, U, me->P);
    }
    return ok;
}

/* Inward sweep over the branch. */
static ZI_HOT real_ok reduce_branch(const ziTree *t, const PathBranch *branch, const Problem *p, ArticulatedBody *row,
                                    ArticulatedColumn *column) {
    real_ok ok = 1;
    for (int i = branch->end - 1; i >= branch->first; i--) {
        const ziBody *b = &t->body[i];
        ArticulatedBody *me = &row[i], *up = &row[b->parent];
        if (p->v) me->P = force_add(me->P, articulated_mul(&me->M, me->bias));
        ok &= eliminate_columns(t, b, row, me, p, column);
        if (!b->parent) continue;
        articulated_add_shifted(&up->M, &me->M, me->at.r);
        if (p->v) up->P = force_add(up->P, force_shift(me->P, me->at.r));
        inherit_size(b, &t->body[b->parent], me, up, p, column);
    }
    return ok;
}

/* The same forces about the point from which theirs is seen at r. */
static ZI_HOT void shift_forces(UnitForces *K, vec3 r) {
    const double x = v3_x(r), y = v3_y(r), z = v3_z(r);
    K->nx = six_axpy(y, K->fz, six_axpy(-z, K->fy, K->nx));
    K->ny = six_axpy(z, K->fx, six_axpy(-x, K->fz, K->ny));
    K->nz = six_axpy(x, K->fy, six_axpy(-y, K->fx, K->nz));
}

static ZI_HOT six mix(vec3 k, six x, six y, six z) {
    return six_axpy(v3_x(k), x, six_axpy(v3_y(k), y, six_scale(v3_z(k), z)));
}

/* u = S^T K, with the zeros of S. */
static ZI_HOT six meet_forces(const ziBody *b, const UnitForces *K, const motion *S) {
    if (b->type == ZV_JOINT_REVOLUTE) return mix(S->ang, K->nx, K->ny, K->nz);
    if (b->type == ZV_JOINT_PRISMATIC) return mix(S->lin, K->fx, K->fy, K->fz);
    return six_axpy(1, mix(S->lin, K->fx, K->fy, K->fz), mix(S->ang, K->nx, K->ny, K->nz));
}

/* Unit forces along the axes of A at the point d away from where they are wanted. */
static inline UnitForces unit_forces(mat3 A, vec3 d) {
    UnitForces K;
    K.fx = six_of(v3_x(A.x), v3_x(A.y), v3_x(A.z), 0, 0, 0);
    K.fy = six_of(v3_y(A.x), v3_y(A.y), v3_y(A.z), 0, 0, 0);
    K.fz = six_of(v3_z(A.x), v3_z(A.y), v3_z(A.z), 0, 0, 0);
    K.nx = six_of(0, 0, 0, v3_x(A.x), v3_x(A.y), v3_x(A.z));
    K.ny = six_of(0, 0, 0, v3_y(A.x), v3_y(A.y), v3_y(A.z));
    K.nz = six_of(0, 0, 0, v3_z(A.x), v3_z(A.y), v3_z(A.z));
    shift_forces(&K, d);
    return K;
}

/* K -= U x^T */
static ZI_HOT void take_away(UnitForces *K, const force *U, six x) {
    K->fx = six_axpy(-v3_x(U->lin), x, K->fx);
    K->fy = six_axpy(-v3_y(U->lin), x, K->fy);
    K->fz = six_axpy(-v3_z(U->lin), x, K->fz);
    K->nx = six_axpy(-v3_x(U->ang), x, K->nx);
    K->ny = six_axpy(-v3_y(U->ang), x, K->ny);
    K->nz = six_axpy(-v3_z(U->ang), x, K->nz);
}

/* K inward along the path; B (6 x 6). Returns what arrives at the ground. */
static ZI_HOT UnitForces carry_inward(const ziTree *t, const PathBranch *branch, UnitForces K,
                                      const ArticulatedBody *row, const ArticulatedColumn *column, double *B) {
    const six none = six_of(0, 0, 0, 0, 0, 0);
    six r0 = none, r1 = none, r2 = none, r3 = none, r4 = none, r5 = none;
    for (int n = 0; n < branch->length; n++) {
        const ziBody *b = &t->body[branch->path[n]];
        for (int d = b->v + b->nv - 1; d >= b->v; d--) {
            const ArticulatedColumn *col = &column[d];
            const six u = meet_forces(b, &K, &col->S), x = six_scale(col->k, u);
            double each[6];
            six_to(each, u);
            take_away(&K, &col->U, x);
            r0 = six_axpy(each[0], x, r0);
            r1 = six_axpy(each[1], x, r1);
            r2 = six_axpy(each[2], x, r2);
            r3 = six_axpy(each[3], x, r3);
            r4 = six_axpy(each[4], x, r4);
            r5 = six_axpy(each[5], x, r5);
        }
        shift_forces(&K, row[branch->path[n]].at.r);
    }
    six_to(B, r0), six_to(B + 6, r1), six_to(B + 12, r2);
    six_to(B + 18, r3), six_to(B + 24, r4), six_to(B + 30, r5);
    return K;
}

/* Second outward sweep, along the path alone: acceleration of the frame when no forces act; A: its axes. */
static ZI_COLD void accelerate_freely(const ziTree *t, const PathBranch *branch, const ArticulatedBody *row,
                                      const ArticulatedColumn *column, mat3 A, vec3 d, double *drift) {
    motion acc = motion_zero();
    for (int n = branch->length - 1; n >= 0; n--) {
        const int i = branch->path[n];
        const ziBody *b = &t->body[i];
        acc = motion_shift(acc, row[i].at.r);
        for (int k = b->v; k < b->v + b->nv; k++) {
            const ArticulatedColumn *col = &column[k];
            acc = motion_axpy((col->u - force_dot(col->U, acc)) * col->k, col->S, acc);
        }
        acc = motion_add(acc, row[i].bias);
    }
    const vec3 w = row[branch->path[0]].w;
    v3_to(drift, m3_tmulv(A, v3_cross_add(w, v3_cross(w, d), motion_shift(acc, d).lin)));
    v3_to(drift + 3, m3_tmulv(A, acc.ang));
}

/* A frame accelerated with its ground by -g, less -g: what weight does to it. Ends as K^T of the ground tell. */
static inline void let_fall(const UnitForces *K, mat3 A, const double *g, double *fall) {
    double own[3], ground[6];
    six_to(ground, mix(v3_of(g), K->fx, K->fy, K->fz));
    v3_to(own, m3_tmulv(A, v3_of(g)));
    for (int i = 0; i < 6; i++) fall[i] = (i < 3 ? own[i] : 0) - ground[i];
}

/* A frame on the ground does not move. */
zvStatus ZI_KERNEL(zi_frame_mobility)(const ziTree *t, ziScratch scratch, const ziFrameSpot *frame, bool local,
                                      bool weight, const double *q, const double *v, ziFrameMobility *out) {
    memset(out, 0, sizeof *out);
    const PathBranch branch = branch_of(t, &scratch, frame->body);
    if (!branch.length) return ZV_OK;
    double *s = zi_scratch_doubles(&scratch, (size_t)t->nq), *c = zi_scratch_doubles(&scratch, (size_t)t->nq);
    ArticulatedBody *row = zi_scratch_array(&scratch, ArticulatedBody, t->nb);
    ArticulatedColumn *column = zi_scratch_array(&scratch, ArticulatedColumn, t->nv);
    const ziBody *first = &t->body[branch.first], *last = &t->body[branch.end - 1];
    sincos_array(last->q + last->nq - first->q, q + first->q, s + first->q, c + first->q);
    const Problem p = {.q = q, .s = s, .c = c, .v = v};
    place_branch(t, &branch, &p, row, column);
    if (!reduce_branch(t, &branch, &p, row, column)) return ZV_SINGULAR;
    const mat3 R = row[frame->body].at.R, A = local ? m3_mul(R, m3_of_rows(frame->in_body.R)) : m3_identity();
    const vec3 d = m3_mulp(R, frame->in_body.p);
    const UnitForces ground = carry_inward(t, &branch, unit_forces(A, d), row, column, out->B);
    if (weight) let_fall(&ground, A, t->gravity, out->fall);
    if (v) accelerate_freely(t, &branch, row, column, A, d, out->drift);
    return ZV_OK;
}

/* A = L D L^T by rows together with N = L^-1, then the sum of N_k^T N_k / D_k: symmetric to the last digit. */
double ZI_KERNEL(zi_invert_six)(const double *A, double *inverse) {
    six row[6], N[6];
    double least = INFINITY, n[6][6];
    for (int i = 0; i < 6; i++) {
        const double *a = A + 6 * i;
        row[i] = six_of(a[0], a[1], a[2], a[3], a[4], a[5]);
        N[i] = six_of(i == 0, i == 1, i == 2, i == 3, i == 4, i == 5);
    }
#pragma GCC unroll 6
    for (int k = 0; k < 6; k++) {
        const double pivot = six_at(row[k], k), over = 1 / pivot;
        least = pivot < least ? pivot : least;
        if (!(pivot > 0)) return pivot;
#pragma GCC unroll 6
        for (int i = k + 1; i < 6; i++) {
            row[i] = six_axpy(-over * six_at(row[k], i), row[k], row[i]);
            N[i] = six_axpy(-over * six_at(row[k], i), N[k], N[i]);
        }
        N[k] = six_scale(sqrt(over), N[k]);
        six_to(n[k], N[k]);
    }
#pragma GCC unroll 6
    for (int i = 0; i < 6; i++) {
        six sum = six_scale(n[5][i], N[5]);
#pragma GCC unroll 6
        for (int k = 4; k >= i; k--) sum = six_axpy(n[k][i], N[k], sum);
        six_to(inverse + 6 * i, sum);
    }
    return least;
}

const ziTaskKernels ZI_KERNEL(zi_task_kernels) = {
    .frame_mobility = ZI_KERNEL(zi_frame_mobility),
    .invert_six = ZI_KERNEL(zi_invert_six),
};
