/* Room for the questions about tasks: a workspace and one block of arrays. */
#include <math.h>
#include <stdlib.h>

#include "opspace/task.h"

/* Takes count items of a size from the block; with block NULL only counts. */
static void *take(unsigned char *block, size_t *used, size_t count, size_t size) {
    void *taken = block ? block + *used : NULL;
    *used += (count * size + 63) / 64 * 64;
    return taken;
}

static size_t lay_out(const zvModel *m, unsigned char *block, zvTaskWork *w) {
    size_t used = 0, nv = (size_t)m->nv, nq = (size_t)m->nq;
    w->J = take(block, &used, 6 * nv, sizeof(double));
    w->Y = take(block, &used, 6 * nv, sizeof(double));
    w->x = take(block, &used, nv, sizeof(double));
    w->y = take(block, &used, nv, sizeof(double));
    w->lower = take(block, &used, nv, sizeof(double));
    w->upper = take(block, &used, nv, sizeof(double));
    w->q = take(block, &used, nq, sizeof(double));
    w->best = take(block, &used, nq, sizeof(double));
    w->q_of = take(block, &used, nv, sizeof(int));
    w->turns = take(block, &used, nv, 1);
    w->fixed = take(block, &used, nv, 1);
    return used;
}

/* Whether freedom k of a joint is an angle. */
static bool turns(zvJointType type, int k) {
    switch (type) {
    case ZV_JOINT_PRISMATIC:
    case ZV_JOINT_CURVE: return false;
    case ZV_JOINT_CYLINDRICAL: return k == 1;
    case ZV_JOINT_PLANAR: return k == 2;
    case ZV_JOINT_FREE: return k >= 3;
    default: return true;
    }
}

/* Narrows the limits of a coordinate by those of a freedom that follows it (or is it: ratio 1, offset 0). */
static void narrow(zvTaskWork *w, int v, const zvDof *dof, double ratio, double offset) {
    if (!dof->has_limits || ratio == 0) return;
    double a = (dof->lower - offset) / ratio, b = (dof->upper - offset) / ratio;
    w->lower[v] = fmax(w->lower[v], fmin(a, b));
    w->upper[v] = fmin(w->upper[v], fmax(a, b));
}

static void note_coordinates(const zvModel *m, zvTaskWork *w) {
    const ziCoupling *c = &m->coupling;
    for (int i = 0; i < m->nv; i++) {
        w->lower[i] = -INFINITY;
        w->upper[i] = INFINITY;
        w->q_of[i] = -1;
    }
    for (int j = 0, tq = 0, tv = 0; j < m->njoint; j++) {
        zvJointType type = m->joints[j].type;
        int nq = zv_joint_type_nq(type), nv = zv_joint_type_nv(type);
        for (int k = 0; k < nv; k++) {
            int v = c->v_master[tv + k];
            if (!c->follows[tv + k]) w->turns[v] = turns(type, k);
            if (nq != nv) continue; /* a quaternion: no limits */
            w->q_of[v] = c->q_master[tq + k];
            narrow(w, v, &m->joints[j].dof[k], c->q_ratio[tq + k], c->q_offset[tq + k]);
        }
        const int elastic = zv_model_elastic_place(m, j + 1).count;
        for (int k = 0; k < elastic; k++) w->q_of[c->v_master[tv + nv + k]] = c->q_master[tq + nq + k];
        tq += nq + elastic;
        tv += nv + elastic;
    }
}

zvTaskWork *zv_task_work_create(const zvModel *model, zvError *error) {
    zvTaskWork *w = malloc(sizeof *w);
    zvWork *work = zv_work_create(model, error);
    if (!w || !work) {
        if (!w) zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory");
        free(w);
        zv_work_destroy(work);
        return NULL;
    }
    size_t bytes = lay_out(model, NULL, w);
    *w = (zvTaskWork){.model = model, .work = work, .block = malloc(bytes + 1)};
    if (!w->block) {
        zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory: room for tasks takes %zu bytes", bytes);
        zv_task_work_destroy(w);
        return NULL;
    }
    lay_out(model, w->block, w);
    note_coordinates(model, w);
    return w;
}

void zv_task_work_destroy(zvTaskWork *w) {
    if (!w) return;
    zv_work_destroy(w->work);
    free(w->block);
    free(w);
}
