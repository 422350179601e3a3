/* Springs and dampers of a joint as matrices: what they hold, their store, force and tangent, and whether they are
 * matrices of springs at all. */
#include "model/joint_spring.h"

#include <math.h>
#include <string.h>

#include "model/joint_type.h"
#include "model/tree.h"
#include "spatial/vec3.h"

/* A += the symmetric half of B */
static bool add_even(int n, const double *B, double *A) {
    bool any = false;
    for (int i = 0; B && i < n; i++) {
        for (int j = 0; j < n; j++) {
            A[i * n + j] += 0.5 * (B[i * n + j] + B[j * n + i]);
            any |= B[i * n + j] != 0;
        }
    }
    return any;
}

/* Rests, and the springs of single freedoms where they are along a rotation vector. */
ziJointSpring zi_joint_spring(zvJointType type, const zvDof *dofs, const double *stiffness, const double *damping) {
    ziJointSpring s = {.type = type, .n = zv_joint_type_nv(type)};
    s.sprung = add_even(s.n, stiffness, s.K);
    s.damped = add_even(s.n, damping, s.D);
    for (int k = 0; k < s.n; k++) {
        s.rest[k] = dofs[k].rest;
        if (!zi_joint_has_quaternion(type) || dofs[k].stiffness == 0) continue;
        s.K[k * s.n + k] += dofs[k].stiffness;
        s.sprung = true;
    }
    return s;
}

ziJointSpring zi_joint_spring_of(const zvModel *m, int joint) {
    const zvJoint *own = &m->joints[joint];
    return zi_joint_spring(own->type, own->dof, own->stiffness_matrix, own->damping_matrix);
}

ziJointSpring zi_joint_spring_of_loop(const zvLoop *loop) {
    if (loop->kind != ZV_LOOP_JOINT) return (ziJointSpring){.type = ZV_JOINT_FIXED};
    return zi_joint_spring(loop->type, loop->dof, loop->stiffness_matrix, loop->damping_matrix);
}

/* Rotations by quaternions (x, y, z, w) and rotation vectors. */

/* Rotation vector, at most half a turn long, of a quaternion of any length but zero. */
static vec3 logarithm(const double e[4]) {
    const double s = hypot(hypot(e[0], e[1]), e[2]), w = fabs(e[3]), sign = e[3] < 0 ? -1 : 1;
    const double half = atan2(s, w), k = s > 0 ? 2 * half / s : 2 / w;
    return v3_scale(sign * k, v3(e[0], e[1], e[2]));
}

/* R(e) x */
static vec3 turned(const double e[4], vec3 x) {
    const vec3 u = v3(e[0], e[1], e[2]), t = v3_cross(u, x);
    const double s = 2 / (e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
    return v3_axpy(s, v3_axpy(e[3], t, v3_cross(u, t)), x);
}

/* The conjugate of exp(phi), as a quaternion */
static void turned_back(vec3 phi, double e[4]) {
    const double t = sqrt(v3_dot(phi, phi)), k = t > 0 ? sin(0.5 * t) / t : 0.5;
    v3_to(e, v3_scale(-k, phi));
    e[3] = cos(0.5 * t);
}

/* a b, both x y z w */
static void composed(const double a[4], const double b[4], double out[4]) {
    const vec3 u = v3(a[0], a[1], a[2]), x = v3(b[0], b[1], b[2]);
    v3_to(out, v3_axpy(a[3], x, v3_axpy(b[3], u, v3_cross(u, x))));
    out[3] = a[3] * b[3] - v3_dot(u, x);
}

/* e of A^-1 and its derivative by t^2. Below t^2 = 1/16 by the series with the Bernoulli numbers, to rounding. */
static double inverse_term(double square, double *slope) {
    static const double c[] = {1.0 / 12,      1.0 / 720,      1.0 / 30240,
                               1.0 / 1209600, 1.0 / 47900160, 691.0 / 1307674368000.0};
    if (square < 0.0625) {
        double e = 0, d = 0;
        for (int k = 5; k >= 0; k--) {
            d = e + square * d;
            e = c[k] + square * e;
        }
        *slope = d;
        return e;
    }
    const double half = 0.5 * sqrt(square), x = half / tan(half), sine = sin(half), ratio = half / sine;
    *slope = (0.5 * (ratio * ratio - x) - (1 - x)) / (square * square); /* dx/dt^2 = (x - ratio^2)/(2 t^2) */
    return (1 - x) / square;
}

/* Where a joint with a quaternion stands against its rest. */
typedef struct Departure {
    vec3 d, phi;
    double e, slope;
    double x[ZV_MAX_DOF];
} Departure;

/* Against the pose of rest, in its axes. */
static Departure departure_of(const ziJointSpring *s, const double *q) {
    const int at = zi_joint_types[s->type].quaternion;
    Departure now = {.d = v3_zero()};
    double back[4], between[4];
    turned_back(v3_of(s->rest + at), back);
    composed(back, q + at, between);
    now.phi = logarithm(between);
    now.e = inverse_term(v3_dot(now.phi, now.phi), &now.slope);
    if (at > 0) now.d = turned(back, v3_sub(v3_of(q), v3_of(s->rest)));
    if (at > 0) v3_to(now.x, now.d);
    v3_to(now.x + at, now.phi);
    return now;
}

/* A^-T y = y - phi x y / 2 + e phi x (phi x y) */
static vec3 jacobian_transposed(const Departure *now, vec3 y) {
    const vec3 c = v3_cross(now->phi, y);
    return v3_axpy(now->e, v3_cross(now->phi, c), v3_axpy(-0.5, c, y));
}

/* A^-1 w */
static vec3 rotation_vector_rate(const Departure *now, vec3 w) {
    const vec3 c = v3_cross(now->phi, w);
    return v3_axpy(now->e, v3_cross(now->phi, c), v3_axpy(0.5, c, w));
}

/* exp(phi)^T y */
static vec3 turned_into_body(const Departure *now, vec3 y) {
    double back[4];
    turned_back(now->phi, back);
    return turned(back, y);
}

static void times(int n, const double *A, const double *x, double *y) {
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int j = 0; j < n; j++) y[i] += A[i * n + j] * x[j];
    }
}

static double sum_of_products(int n, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* -J^T K x, and x.K x/2. */
double zi_joint_spring_force(const ziJointSpring *s, const double *q, double *F) {
    const int at = zi_joint_types[s->type].quaternion;
    double x[ZV_MAX_DOF] = {0}, y[ZV_MAX_DOF] = {0};
    if (at < 0) {
        for (int k = 0; k < s->n; k++) x[k] = q[k] - s->rest[k];
        times(s->n, s->K, x, y);
        for (int k = 0; F && k < s->n; k++) F[k] = -y[k];
        return 0.5 * sum_of_products(s->n, x, y);
    }
    const Departure now = departure_of(s, q);
    times(s->n, s->K, now.x, y);
    if (F && at > 0) v3_to(F, v3_neg(turned_into_body(&now, v3_of(y))));
    if (F) v3_to(F + at, v3_neg(jacobian_transposed(&now, v3_of(y + at))));
    return 0.5 * sum_of_products(s->n, now.x, y);
}

/* J^T K J, and what the force changes by J alone: of the rotation -(dA^-T) y, of the displacement w x (exp(phi)^T y).
 */
void zi_joint_spring_tangent(const ziJointSpring *s, const double *q, double *T) {
    const int at = zi_joint_types[s->type].quaternion, n = s->n;
    double y[ZV_MAX_DOF] = {0}, dx[ZV_MAX_DOF] = {0}, dy[ZV_MAX_DOF] = {0};
    if (at < 0) {
        memcpy(T, s->K, (size_t)(n * n) * sizeof *T);
        return;
    }
    const Departure now = departure_of(s, q);
    times(n, s->K, now.x, y);
    const vec3 z = v3_of(y + at), f = turned_into_body(&now, v3_of(y)), c = v3_cross(now.phi, z);
    for (int j = 0; j < n; j++) {
        double unit[ZV_MAX_DOF] = {0}, column[ZV_MAX_DOF];
        unit[j] = 1;
        const vec3 w = v3_of(unit + at), a = rotation_vector_rate(&now, w);
        double ahead[4];
        turned_back(v3_neg(now.phi), ahead);
        if (at > 0) v3_to(dx, turned(ahead, v3_of(unit)));
        v3_to(dx + at, a);
        times(n, s->K, dx, dy);
        if (at > 0) v3_to(column, v3_add(turned_into_body(&now, v3_of(dy)), v3_cross(f, w)));
        vec3 turn = v3_axpy(-0.5, v3_cross(a, z), jacobian_transposed(&now, v3_of(dy + at)));
        turn = v3_axpy(now.e, v3_add(v3_cross(a, c), v3_cross(now.phi, v3_cross(a, z))), turn);
        turn = v3_axpy(2 * now.slope * v3_dot(now.phi, a), v3_cross(now.phi, c), turn);
        v3_to(column + at, turn);
        for (int i = 0; i < n; i++) T[i * n + j] = column[i];
    }
}

double zi_joint_damper_force(const ziJointSpring *s, const double *v, double *F) {
    times(s->n, s->D, v, F);
    for (int k = 0; k < s->n; k++) F[k] = -F[k];
    return sum_of_products(s->n, v, F);
}

/* Of the matrix scaled to unit diagonal, which is at most its sums of rows [Gershgorin]. */
void zi_matrix_bound(int n, const double *A, double *bound) {
    for (int i = 0; i < n; i++) {
        const double own = A[i * n + i];
        bound[i] = own > 0 ? own : 0;
        for (int j = 0; j < n && own > 0; j++) {
            const double other = A[j * n + j];
            if (j != i && other > 0) bound[i] += 0.5 * fabs(A[i * n + j] + A[j * n + i]) * sqrt(own / other);
        }
    }
}

/* The same from both sides of the diagonal. */
static ziMatrixFault find_uneven(int n, const double *A) {
    static const double typed = 1e-9; /* of nine digits */
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            const double a = A[i * n + j], b = A[j * n + i];
            if (fabs(a - b) > typed * fmax(fabs(a), fabs(b))) return (ziMatrixFault){ZI_MATRIX_NOT_EVEN, i, j, a, b};
        }
    }
    return (ziMatrixFault){.what = ZI_MATRIX_GOOD};
}

/* A = L D L^T in the order given, which a matrix that is not negative always has; rows are measured by their diagonal,
 * so that units do not matter. */
ziMatrixFault zi_matrix_fault(int n, const double *A) {
    static const double noise = 1e-9; /* numbers of nine digits, as for symmetry */
    double L[ZV_MAX_DOF * ZV_MAX_DOF], D[ZV_MAX_DOF];
    for (int i = 0; i < n * n; i++)
        if (!isfinite(A[i])) return (ziMatrixFault){ZI_MATRIX_NOT_FINITE, i / n, i % n, A[i], 0};
    const ziMatrixFault uneven = find_uneven(n, A);
    if (uneven.what != ZI_MATRIX_GOOD) return uneven;
    for (int k = 0; k < n; k++) {
        double taken = 0;
        for (int j = 0; j < k; j++) taken += L[k * n + j] * L[k * n + j] * D[j];
        D[k] = A[k * n + k] - taken;
        if (D[k] < -noise * (fabs(A[k * n + k]) + taken) || A[k * n + k] < 0)
            return (ziMatrixFault){ZI_MATRIX_NEGATIVE, k, k, A[k * n + k], taken};
        const bool spent = D[k] <= noise * taken;
        if (spent) D[k] = 0;
        for (int i = k + 1; i < n; i++) {
            double rest = A[i * n + k], before = 0;
            for (int j = 0; j < k; j++) before += L[i * n + j] * L[k * n + j] * D[j];
            rest -= before;
            if (spent && fabs(rest) > 1e-6 * sqrt(fmax(A[i * n + i], 0) * A[k * n + k]) + noise * fabs(before))
                return (ziMatrixFault){ZI_MATRIX_NEGATIVE, i, k, A[i * n + k], before};
            L[i * n + k] = spent ? 0 : rest / D[k];
        }
    }
    return (ziMatrixFault){.what = ZI_MATRIX_GOOD};
}

bool zi_matrix_copy(ziArena *arena, int n, const double **A) {
    if (!*A) return true;
    const size_t size = (size_t)n * (size_t)n * sizeof(double);
    double *copy = zi_arena_alloc(arena, size);
    if (copy) memcpy(copy, *A, size);
    *A = copy;
    return copy != NULL;
}
