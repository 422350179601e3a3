/* Lanes as methods: the state among others in one call of zveno/batch.h, in double precision beside the methods of the
 * same question, and in single precision against the library's answer to the state that single precision has. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "agree/roster.h"

/* `row` of every method here: NULL is double precision, anything else single. */
static const char single_precision[] = "single";

/* The answer at the place that is asked about, unless there is none there. */
static zvStatus finish_answer(const ziTrial *t, const void *single, zvStatus status, size_t width, double *answer) {
    if (status == ZV_SINGULAR) status = t->ring.status[t->ring.place];
    if (status >= 0) zi_ring_get(&t->ring, single, width, answer);
    return status;
}

static zvStatus mass_lanes(ziTrial *t, const void *single, double *M) {
    const ziRing *r = &t->ring;
    const zvStatus status = single ? zv_batch_mass_single(r->batch, r->count, r->q1, r->out1)
                                   : zv_batch_mass(r->batch, r->count, r->q, r->out);
    return finish_answer(t, single, status, t->nv * t->nv, M);
}

static zvStatus bias_lanes(ziTrial *t, const void *single, double *bias) {
    const ziRing *r = &t->ring;
    const zvStatus status = single ? zv_batch_bias_single(r->batch, r->count, r->q1, r->v1, r->out1)
                                   : zv_batch_bias(r->batch, r->count, r->q, r->v, r->out);
    return finish_answer(t, single, status, t->nv, bias);
}

static zvStatus inverse_lanes(ziTrial *t, const void *single, double *tau) {
    const ziRing *r = &t->ring;
    const float *load1 = t->load ? r->load1 : NULL;
    const double *load = t->load ? r->load : NULL;
    const zvStatus status = single ? zv_batch_inverse_single(r->batch, r->count, r->q1, r->v1, r->a1, load1, r->out1)
                                   : zv_batch_inverse(r->batch, r->count, r->q, r->v, r->a, load, r->out);
    return finish_answer(t, single, status, t->nv, tau);
}

static zvStatus forward_lanes(ziTrial *t, const void *single, double *a) {
    const ziRing *r = &t->ring;
    const float *load1 = t->load ? r->load1 : NULL;
    const double *load = t->load ? r->load : NULL;
    if (single && !t->mild) return ZV_NOT_SUPPORTED;
    const zvStatus status =
        single ? zv_batch_forward_single(r->batch, r->count, r->q1, r->v1, r->tau1, load1, r->out1, r->status)
               : zv_batch_forward(r->batch, r->count, r->q, r->v, r->tau, load, r->out, r->status);
    return finish_answer(t, single, status, t->nv, a);
}

static zvStatus minv_lanes(ziTrial *t, const void *single, double *X) {
    const ziRing *r = &t->ring;
    if (single && !t->mild) return ZV_NOT_SUPPORTED;
    const zvStatus status = single ? zv_batch_minv_single(r->batch, r->count, r->q1, r->out1, r->status)
                                   : zv_batch_minv(r->batch, r->count, r->q, r->out, r->status);
    return finish_answer(t, single, status, t->nv * t->nv, X);
}

/* answer: a, then tau, with what is given in it. */
static void lay_mixed(const ziRing *r, const double *answer) {
    const size_t n = r->nv, bytes = n * r->count;
    memcpy(r->out, r->tau, bytes * sizeof *r->out);
    memcpy(r->more, r->a, bytes * sizeof *r->more);
    memcpy(r->out1, r->tau1, bytes * sizeof *r->out1);
    memcpy(r->more1, r->a1, bytes * sizeof *r->more1);
    for (size_t i = 0; i < n; i++) {
        const size_t at = i * r->count + r->place;
        r->more1[at] = (float)(r->more[at] = answer[i]);
        r->out1[at] = (float)(r->out[at] = answer[n + i]);
    }
}

/* What came back in place of `given`, which single precision rounds: that is no change. */
static double found(bool single, double given, double wide, float narrow) {
    if (!single) return wide;
    return narrow == (float)given ? given : (double)narrow;
}

/* What is to be found is NaN before the call, so that an entry left alone cannot pass. */
static zvStatus mixed_lanes(ziTrial *t, const void *single, double *answer) {
    const ziRing *r = &t->ring;
    const float *load1 = t->load ? r->load1 : NULL;
    const double *load = t->load ? r->load : NULL;
    ziTrial at = single ? zi_trial_rounded(t) : *t;
    if (single && !t->mild) return ZV_NOT_SUPPORTED;
    zi_mixed_motion(&at, answer);
    for (size_t i = 0; i < t->nv; i++)
        answer[t->given[i] == ZV_GIVEN_FORCE ? i : t->nv + i] = (double)NAN; /* to find */
    lay_mixed(r, answer);
    const zvStatus status =
        single ? zv_batch_mixed_single(r->batch, r->count, r->q1, r->v1, t->given, load1, r->out1, r->more1, r->status)
               : zv_batch_mixed(r->batch, r->count, r->q, r->v, t->given, load, r->out, r->more, r->status);
    if (status == ZV_SINGULAR ? r->status[r->place] < 0 : status < 0) return status;
    for (size_t i = 0; i < t->nv; i++) {
        const size_t k = i * r->count + r->place;
        answer[i] = found(single, answer[i], r->more[k], r->more1[k]);
        answer[t->nv + i] = found(single, answer[t->nv + i], r->out[k], r->out1[k]);
    }
    return ZV_OK;
}

/* Pose and Jacobian of a frame --------------------------------------------------------------------------- */

/* In local axes where there are external forces: each in half of the states. */
static zvAxes axes_of(const ziTrial *t) { return t->load ? ZV_AXES_LOCAL : ZV_AXES_WORLD; }

static zvStatus frame_lanes(ziTrial *t, const void *single, double *answer) {
    const ziRing *r = &t->ring;
    const size_t n = r->count;
    zvStatus status = single ? zv_batch_pose_single(r->batch, r->frame, n, r->q1, r->out1)
                             : zv_batch_pose(r->batch, r->frame, n, r->q, r->out);
    if (status >= 0)
        status = single ? zv_batch_jacobian_single(r->batch, r->frame, axes_of(t), n, r->q1, r->out1 + 12 * n)
                        : zv_batch_jacobian(r->batch, r->frame, axes_of(t), n, r->q, r->out + 12 * n);
    return finish_answer(t, single, status, 12 + 6 * t->nv, answer);
}

static zvStatus frame_kinematics(ziTrial *t, const void *row, double *answer) {
    zvPose pose;
    (void)row;
    zv_frame_pose(t->model, t->work, t->q, t->ring.frame, &pose);
    memcpy(answer, pose.R, sizeof pose.R);
    memcpy(answer + 9, pose.p, sizeof pose.p);
    zv_frame_jacobian(t->model, t->work, t->q, t->ring.frame, axes_of(t), answer + 12);
    return ZV_OK;
}

/* Rotations are of size 1, arms as long as the way to the ground. */
static bool frame_sizes(ziTrial *t, const double *median, double *sizes) {
    const zvModel *m = t->model;
    const ziCoupling *c = &m->coupling;
    const ziLinkPlace *link = &m->link_places[t->ring.frame];
    double reach = fabs(link->pose.p[0]) + fabs(link->pose.p[1]) + fabs(link->pose.p[2]);
    (void)median;
    for (int i = link->body; i > 0; i = m->tree.body[i].parent) reach += t->error_scale.row[i].lever;
    for (size_t i = 0; i < 12 + 6 * t->nv; i++) sizes[i] = i < 9 ? 1 : i < 12 ? reach : 0;
    for (int i = 0; i < m->tree.nv; i++) {
        const double ratio = c->count ? fabs(c->v_ratio[i]) : 1, turn = ratio * t->error_scale.ang[i];
        double *column = sizes + 12 + (c->count ? c->v_master[i] : i);
        for (size_t k = 0; k < 6; k++) column[k * t->nv] += k < 3 ? turn * reach + ratio * t->error_scale.lin[i] : turn;
    }
    return true;
}

/* The list ------------------------------------------------------------------------------------------------ */

static const ziAnswer answers[ZI_LANED] = {
    [ZI_LANED_MASS] = mass_lanes,       [ZI_LANED_BIAS] = bias_lanes, [ZI_LANED_INVERSE] = inverse_lanes,
    [ZI_LANED_FORWARD] = forward_lanes, [ZI_LANED_MINV] = minv_lanes, [ZI_LANED_MIXED] = mixed_lanes,
    [ZI_LANED_FRAME] = frame_lanes};

static bool is_matrix(ziLaned what) { return what == ZI_LANED_MASS || what == ZI_LANED_MINV; }

void zi_roster_add_lanes(ziRoster *r, const ziRing *ring, ziLaned what) {
    if (!ring->batch)
        zi_roster_excuse(r, "lanes", ring->why);
    else if (is_matrix(what) && ring->nv > ZI_RING_MATRIX_MAX)
        zi_roster_excuse(r, "lanes", "no matrices of more than 512 coordinates in lanes");
    else
        zi_roster_add(r, "lanes", answers[what], NULL)->untimed = true; /* several states at once: see zveno bench */
}

/* The reference in single precision's state: what the library answers there. */
typedef struct Reference {
    ziAnswer answer;
} Reference;

static zvStatus reference(ziTrial *t, const void *row, double *answer) {
    const Reference *library = row;
    ziTrial at = zi_trial_rounded(t);
    return library->answer(&at, NULL, answer);
}

static zvStatus mass_library(ziTrial *t, const void *row, double *M) {
    (void)row;
    zv_mass_matrix(t->model, t->work, t->q, M);
    return ZV_OK;
}
static zvStatus bias_library(ziTrial *t, const void *row, double *bias) {
    (void)row;
    zv_bias(t->model, t->work, t->q, t->v, bias);
    return ZV_OK;
}
static zvStatus inverse_library(ziTrial *t, const void *row, double *tau) {
    (void)row;
    zv_inverse_dynamics(t->model, t->work, t->q, t->v, t->a, t->load, tau);
    return ZV_OK;
}
static zvStatus forward_library(ziTrial *t, const void *row, double *a) {
    (void)row;
    return t->mild ? zv_forward_dynamics(t->model, t->work, t->q, t->v, t->tau, t->load, a) : ZV_NOT_SUPPORTED;
}
static zvStatus minv_library(ziTrial *t, const void *row, double *X) {
    (void)row;
    return t->mild ? zv_mass_inverse(t->model, t->work, t->q, X) : ZV_NOT_SUPPORTED;
}
static zvStatus mixed_library(ziTrial *t, const void *row, double *answer) {
    (void)row;
    if (t->mild) zi_mixed_motion(t, answer);
    return t->mild ? ZV_OK : ZV_NOT_SUPPORTED;
}

/* The library's answer to the rounded state is the reference; lanes have single precision's epsilon. */
void zi_roster_ask_single(ziRoster *r, const ziRing *ring, ziLaned what, const char *name, size_t width,
                          ziSizes sizes) {
    static const char meaning[] = "the same in single precision";
    static const Reference library[ZI_LANED] = {
        [ZI_LANED_MASS] = {mass_library},       [ZI_LANED_BIAS] = {bias_library},
        [ZI_LANED_INVERSE] = {inverse_library}, [ZI_LANED_FORWARD] = {forward_library},
        [ZI_LANED_MINV] = {minv_library},       [ZI_LANED_MIXED] = {mixed_library},
        [ZI_LANED_FRAME] = {frame_kinematics}};
    if (!ring->batch || (is_matrix(what) && ring->nv > ZI_RING_MATRIX_MAX)) return;
    zi_roster_ask(r, name, meaning, width, sizes);
    r->contest[r->questions - 1].epsilon = FLT_EPSILON / 2; /* the error of one rounding: 2^-24 */
    zi_roster_add(r, "double", reference, &library[what])->known = true;
    zi_roster_add(r, "lanes", answers[what], single_precision)->untimed = true;
}

void zi_roster_frame(ziRoster *r, const ziRing *ring) {
    const size_t width = 12 + 6 * (size_t)r->model->nv;
    if (!ring->batch) return;
    zi_roster_ask(r, "frame", "pose and Jacobian of a link", width, frame_sizes);
    zi_roster_add(r, "kinematics", frame_kinematics, NULL);
    zi_roster_add_lanes(r, ring, ZI_LANED_FRAME);
    zi_roster_ask_single(r, ring, ZI_LANED_FRAME, "frame-single", width, frame_sizes);
}
