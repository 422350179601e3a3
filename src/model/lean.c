/* Copy of the tree with second moments, then better frames, fewer masses, and which bodies may share axes. */
#include "model/lean.h"

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

/* Depth-first order: what hangs on a body follows it. */
static void find_ends(zvLean *lean) {
    for (int i = 0; i < lean->nb; i++) lean->body[i].end = i + 1;
    for (int i = lean->nb - 1; i > 0; i--) {
        zvLeanBody *up = &lean->body[lean->body[i].parent];
        if (lean->body[i].end > up->end) up->end = lean->body[i].end;
    }
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
    const int first = 1;
    if (lean->nb < 2 || lean->body[first].end < lean->nb || lean->frame_body == 0) return;
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

/* Of a body's children with parallel axes the one with most bodies beyond it joins. */
static void find_joining(zvLean *lean, int i) {
    int best = 0;
    for (int k = i + 1; k < lean->body[i].end; k = lean->body[k].end) {
        const zvLeanBody *b = &lean->body[k];
        if (!parallel(b) || !keeps_axis(b->type)) continue;
        if (!best || b->end - k > lean->body[best].end - best) best = k;
    }
    if (best) lean->body[best].joins = 1;
}

void zv_lean_prepare(zvLean *lean, int frame) {
    static const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const zvTree *t = &lean->model->tree;
    for (int i = 0; i < t->nb; i++) copy_body(&t->body[i], &lean->body[i]);
    find_ends(lean);
    copy_frame(lean, frame);
    memcpy(lean->ground_R, one, sizeof one);
    memset(lean->ground_p, 0, sizeof lean->ground_p);
    memcpy(lean->gravity, t->gravity, sizeof t->gravity);
    zv_lean_reframe(lean);
    lower_ground(lean);
    zv_lean_regroup(lean);
    for (int i = 1; i < lean->nb; i++)
        if (keeps_axis(lean->body[i].type)) find_joining(lean, i);
}
