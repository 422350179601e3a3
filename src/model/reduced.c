/* Copy of the tree with second moments, then better frames, fewer masses, and which bodies may share axes. */
#include "model/reduced.h"

#include <string.h>

ziMoments zi_body_moments(const ziBody *body) {
    /* the difference of two first: of a thin link they are nearly equal, and the third is small */
    const double *h = body->h, *J = body->J, xx = 0.5 * ((J[5] - J[0]) + J[10]), yy = 0.5 * ((J[0] - J[5]) + J[10]),
                 zz = 0.5 * ((J[0] - J[10]) + J[5]);
    return (ziMoments){body->m, {h[0], h[1], h[2]}, {xx, -J[1], -J[2], yy, -J[6], zz}};
}

static void copy_body(const ziBody *from, ziReducedBody *to) {
    *to = (ziReducedBody){.parent = from->parent,
                          .q = from->q,
                          .v = from->v,
                          .type = from->type,
                          .nv = from->nv,
                          .nq = from->nq,
                          .data = from->data,
                          .sign = 1,
                          .m = from->m,
                          .own_R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    for (int i = 0; i < 9; i++) to->E[i] = from->E[4 * (i / 3) + i % 3];
    memcpy(to->r, from->r, sizeof to->r);
    const ziMoments a = zi_body_moments(from);
    memcpy(to->h, a.h, sizeof to->h);
    memcpy(to->K, a.K, sizeof to->K);
}

/* Depth-first order: what hangs on a body follows it. */
static void find_ends(ziReduced *reduced) {
    for (int i = 0; i < reduced->nb; i++) reduced->body[i].end = i + 1;
    for (int i = reduced->nb - 1; i > 0; i--) {
        ziReducedBody *up = &reduced->body[reduced->body[i].parent];
        if (reduced->body[i].end > up->end) up->end = reduced->body[i].end;
    }
}

static void copy_frame(ziReduced *reduced, int frame) {
    reduced->frame_body = -1;
    if (frame < 0) return;
    const zvPose pose = zi_frame_in_body(reduced->model, frame);
    reduced->frame_body = zv_model_frame_body(reduced->model, frame);
    for (int i = 0; i < 9; i++) reduced->frame_R[i] = pose.R[3 * (i % 3) + i / 3];
    memcpy(reduced->frame_p, pose.p, sizeof pose.p);
}

/* When one joint alone hangs on the ground, its frame is the ground's. */
static void lower_ground(ziReduced *reduced) {
    static const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const int first = 1;
    if (reduced->nb < 2 || reduced->body[first].end < reduced->nb || reduced->frame_body == 0) return;
    ziReducedBody *b = &reduced->body[first];
    const double *g = reduced->model->tree.gravity;
    memcpy(reduced->ground_R, b->E, sizeof b->E);
    memcpy(reduced->ground_p, b->r, sizeof b->r);
    for (int k = 0; k < 3; k++)
        reduced->gravity[k] = b->E[3 * k] * g[0] + b->E[3 * k + 1] * g[1] + b->E[3 * k + 2] * g[2];
    memcpy(b->E, one, sizeof one);
    memset(b->r, 0, sizeof b->r);
}

/* Joints about or along z whose axes stay where they are. */
static int keeps_axis(int type) {
    return type == ZV_JOINT_REVOLUTE || type == ZV_JOINT_PRISMATIC || type == ZV_JOINT_HELICAL ||
           type == ZV_JOINT_CYLINDRICAL;
}

static int parallel(const ziReducedBody *b) {
    for (int k = 0; k < 9; k++)
        if (b->E[k] != (k % 4 == 0)) return 0;
    return 1;
}

/* Of a body's children with parallel axes the one with most bodies beyond it joins. */
static void find_joining(ziReduced *reduced, int i) {
    int best = 0;
    for (int k = i + 1; k < reduced->body[i].end; k = reduced->body[k].end) {
        const ziReducedBody *b = &reduced->body[k];
        if (!parallel(b) || !keeps_axis(b->type)) continue;
        if (!best || b->end - k > reduced->body[best].end - best) best = k;
    }
    if (best) reduced->body[best].joins = 1;
}

void zi_reduced_prepare(ziReduced *reduced, int frame) {
    static const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const ziTree *t = &reduced->model->tree;
    for (int i = 0; i < t->nb; i++) copy_body(&t->body[i], &reduced->body[i]);
    find_ends(reduced);
    copy_frame(reduced, frame);
    memcpy(reduced->ground_R, one, sizeof one);
    memset(reduced->ground_p, 0, sizeof reduced->ground_p);
    memcpy(reduced->gravity, t->gravity, sizeof t->gravity);
    zi_reduced_reframe(reduced);
    lower_ground(reduced);
    zi_reduced_regroup(reduced);
    for (int i = 1; i < reduced->nb; i++)
        if (keeps_axis(reduced->body[i].type)) find_joining(reduced, i);
}
