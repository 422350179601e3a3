/* Copy of the tree with second moments, then better frames, fewer masses, and which bodies may share axes. */
#include "codegen/lean.h"

#include <stdlib.h>
#include <string.h>

static void copy_body(const zvBody *from, zvLeanBody *to) {
    *to = (zvLeanBody){.parent = from->parent,
                       .q = from->q,
                       .v = from->v,
                       .type = from->type,
                       .nv = from->nv,
                       .nq = from->nq,
                       .data = from->data,
                       .sign = 1,
                       .m = from->m};
    for (int i = 0; i < 9; i++) to->E[i] = from->E[4 * (i / 3) + i % 3];
    memcpy(to->r, from->r, sizeof to->r);
    memcpy(to->h, from->h, sizeof to->h);
    /* the difference of two first: of a thin link they are nearly equal, and the third is small */
    const double *J = from->J, xx = 0.5 * ((J[5] - J[0]) + J[10]), yy = 0.5 * ((J[0] - J[5]) + J[10]),
                 zz = 0.5 * ((J[0] - J[10]) + J[5]);
    const double K[6] = {xx, -J[1], -J[2], yy, -J[6], zz};
    memcpy(to->K, K, sizeof to->K);
}

static void copy_frame(zvLean *lean, int frame) {
    lean->frame_body = -1;
    if (frame < 0) return;
    const zvPose pose = zv_frame_in_body(lean->model, frame);
    lean->frame_body = zv_model_frame_body(lean->model, frame);
    for (int i = 0; i < 9; i++) lean->frame_R[i] = pose.R[3 * (i % 3) + i / 3];
    memcpy(lean->frame_p, pose.p, sizeof pose.p);
}

/* When one joint alone hangs on the ground, its frame is the ground's. */
static void lower_ground(zvLean *lean) {
    static const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    int first = 0;
    for (int i = 1; i < lean->nb; i++) {
        if (lean->body[i].parent) continue;
        if (first) return;
        first = i;
    }
    if (!first || lean->frame_body == 0) return;
    zvLeanBody *b = &lean->body[first];
    const double *g = lean->model->tree.gravity;
    memcpy(lean->ground_R, b->E, sizeof b->E);
    memcpy(lean->ground_p, b->r, sizeof b->r);
    for (int k = 0; k < 3; k++) lean->gravity[k] = b->E[3 * k] * g[0] + b->E[3 * k + 1] * g[1] + b->E[3 * k + 2] * g[2];
    memcpy(b->E, one, sizeof one);
    memset(b->r, 0, sizeof b->r);
}

/* Joints about or along z whose axes stay where they are. */
static int keeps_axis(int type) {
    return type == ZV_REVOLUTE || type == ZV_PRISMATIC || type == ZV_HELICAL || type == ZV_CYLINDRICAL;
}

static int parallel(const zvLeanBody *b) {
    for (int k = 0; k < 9; k++)
        if (b->E[k] != (k % 4 == 0)) return 0;
    return 1;
}

/* Bodies that hang on body i, itself included; depth-first order: they are contiguous. */
static int bodies_beyond(const zvLean *lean, int i) {
    int k = i + 1;
    while (k < lean->nb && lean->body[k].parent >= i) k++;
    return k - i;
}

/* Of a parent's bodies with parallel axes the one with most bodies beyond it joins. */
static void find_parallel(zvLean *lean) {
    for (int i = 1; i < lean->nb; i++) {
        zvLeanBody *b = &lean->body[i];
        if (!b->parent || !parallel(b) || !keeps_axis(b->type) || !keeps_axis(lean->body[b->parent].type)) continue;
        b->joins = 1;
        for (int k = b->parent + 1; k < i; k++) {
            zvLeanBody *other = &lean->body[k];
            if (other->parent != b->parent || !other->joins) continue;
            const int more = bodies_beyond(lean, i) > bodies_beyond(lean, k);
            b->joins = (unsigned char)more;
            other->joins = (unsigned char)!more;
        }
    }
}

zvStatus zv_lean_make(const zvModel *model, int frame, zvLean *lean, zvError *error) {
    static const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const zvMark nowhere = {0};
    const zvTree *t = &model->tree;
    *lean = (zvLean){.model = model, .nb = t->nb};
    if (t->ne)
        return zv_fail(error, ZV_NOT_SUPPORTED, nowhere, NULL,
                       "straight-line programs are for rigid links; this robot has elastic ones");
    for (int i = 1; i < t->nb; i++)
        if (t->body[i].type == ZV_CURVE && t->body[i].data->path.kind == ZV_CURVE_SPLINE)
            return zv_fail(error, ZV_NOT_SUPPORTED, nowhere, NULL,
                           "a spline under a curve joint chooses its piece at run time; straight-line programs know "
                           "lines and circles");
    lean->body = malloc((size_t)t->nb * sizeof *lean->body);
    if (!lean->body) return zv_fail(error, ZV_MEMORY, nowhere, NULL, "out of memory");
    for (int i = 0; i < t->nb; i++) copy_body(&t->body[i], &lean->body[i]);
    copy_frame(lean, frame);
    memcpy(lean->ground_R, one, sizeof one);
    memcpy(lean->gravity, t->gravity, sizeof t->gravity);
    zv_lean_reframe(lean);
    lower_ground(lean);
    zv_lean_regroup(lean);
    find_parallel(lean);
    return ZV_OK;
}

void zv_lean_free(zvLean *lean) {
    free(lean->body);
    *lean = (zvLean){0};
}
