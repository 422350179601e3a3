/* M, C and K about a state. */
#include <math.h>
#include <string.h>

#include "modes/statics.h"

/* A departure x of a joint with a quaternion is measured in its moving frame: the velocity departs by dx/dt + A x,
 * A = (w~ u~; 0 w~) of its twist (u, w) = v, and the acceleration by d/dt of that. */
static void twist_matrix(zvJointType type, const double *v, double A[36]) {
    const int n = type == ZV_JOINT_FREE ? 6 : 3, turn = type == ZV_JOINT_FREE ? 3 : 0;
    memset(A, 0, 36 * sizeof *A);
    for (int k = 0; k < 3; k++) {
        const int next = (k + 1) % 3, last = (k + 2) % 3;
        for (int block = 0; block <= turn; block += 3) {
            A[n * (block + next) + block + k] = v[turn + last];
            A[n * (block + last) + block + k] = -v[turn + next];
        }
        if (type == ZV_JOINT_FREE) {
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

/* M (ddx + A dx) + C (dx + A x) + K x */
static void correct_moving_frames(const ziStatics *s, const double *M, double *C, double *K) {
    for (int j = 0; j < zv_model_njoint(s->model); j++) {
        const zvJointType type = zv_model_joint(s->model, j)->type;
        const zvJointPlace place = zv_model_joint_place(s->model, j);
        double A[36];
        if (!place.nv || (type != ZV_JOINT_SPHERICAL && type != ZV_JOINT_FREE)) continue;
        twist_matrix(type, s->rest->v + place.v_index, A);
        add_product(s->nv, C, (size_t)place.v_index, place.nv, A, K);
        add_product(s->nv, M, (size_t)place.v_index, place.nv, A, C);
    }
}

static void fill(ziStatics *s, double *M, double *C, double *K) {
    zv_mass_matrix(s->model, s->work, s->q, M);
    zi_statics_stiffness(s, s->q, 4, false, K);
    zi_statics_damping(s, s->q, C);
    if (s->rest->v) correct_moving_frames(s, M, C, K);
}

zvStatus zv_linearize(const zvModel *model, zvWork *work, const zvRest *rest, double *M, double *C, double *K,
                      zvError *error) {
    ziStatics s;
    zvStatus status = zi_statics_create(model, work, rest, &s, error);
    const size_t bytes = s.nv * s.nv * sizeof(double);
    if (status == ZV_OK && !M) status = (M = zi_arena_alloc(&s.arena, bytes)) ? ZV_OK : ZV_MEMORY;
    if (status == ZV_OK && !C) status = (C = zi_arena_alloc(&s.arena, bytes)) ? ZV_OK : ZV_MEMORY;
    if (status == ZV_OK && !K) status = (K = zi_arena_alloc(&s.arena, bytes)) ? ZV_OK : ZV_MEMORY;
    if (status == ZV_OK) fill(&s, M, C, K);
    if (status == ZV_MEMORY) zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory");
    zi_statics_free(&s);
    return status;
}
